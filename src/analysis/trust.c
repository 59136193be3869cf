/*
 * Table trust: whether to believe the findings. First the identities that hold, then what was lost,
 * mended, left out or guessed. "warn" is what could change an answer.
 */
#include "analysis/findings.h"
#include "base/say.h"
#include "base/table.h"

#include <string.h>

#define ROWS_MAX 16

static const char OK[] = "ok", NOTE[] = "note", WARN[] = "warn";

struct trust {
	const struct facts *f;
	struct arena *arena;
	uint32_t n;
	const char *level[ROWS_MAX], *what[ROWS_MAX], *value[ROWS_MAX], *sentence[ROWS_MAX];
};

static void say(struct trust *t, const char *level, const char *what, const char *value,
		const char *sentence)
{
	t->level[t->n] = level;
	t->what[t->n] = what;
	t->value[t->n] = value;
	t->sentence[t->n++] = sentence;
}

/* `n` of something that should not be. */
static void say_count_of(struct trust *t, const char *what, uint64_t n, const char *some,
			 const char *none)
{
	say(t, n ? WARN : OK, what, say_count(t->arena, (int64_t)n), n ? some : none);
}

/* ---- identities ---- */

static void identity(struct trust *t, const char *what, nsec off, const char *sentence)
{
	say(t, off ? WARN : OK, what,
	    off ? arena_print(t->arena, "off by %s", say_time(t->arena, off)) : "exact", sentence);
}

static void path_adds_up(struct trust *t)
{
	const struct lp_table *path = cells_table(&t->f->answers, "path_summary");

	if (cells_rows(path))
		identity(t, "critical path", cells_sum(path, "time_ns") - t->f->window,
			 arena_print(t->arena, "Its classes add up to the window of %s.",
				     say_time(t->arena, t->f->window)));
}

static nsec sum_of(const struct lp_table *t, const char *what)
{
	return cells_sum_where(t, "time_ns", "what", what);
}

static void gpu_adds_up(struct trust *t)
{
	const struct lp_table *gpu = cells_table(&t->f->answers, "timeline");

	if (cells_rows(gpu))
		identity(t, "GPU time",
			 sum_of(gpu, "computation") + sum_of(gpu, "exposed_communication") +
				 sum_of(gpu, "exposed_copies") + sum_of(gpu, "idle") -
				 sum_of(gpu, "total"),
			 "Computation, exposed communication, exposed copies and idle time add up "
			 "to the GPU's span.");
}

/* Idle time of every device on its own; the block "all" is no device. */
static nsec idle_of_devices(const struct lp_table *gpu)
{
	nsec sum = 0;

	for (uint32_t i = 0; i < cells_rows(gpu); i++)
		if (strcmp(cells_text(gpu, "device", i), "all") != 0 &&
		    !strcmp(cells_text(gpu, "what", i), "idle"))
			sum += cells_int(gpu, "time_ns", i);
	return sum;
}

static void idle_adds_up(struct trust *t)
{
	const struct lp_table *causes = cells_table(&t->f->answers, "idle_causes");
	nsec explained = cells_sum(causes, "idle_ns");

	if (cells_rows(causes))
		identity(t, "idle time",
			 explained - idle_of_devices(cells_table(&t->f->answers, "timeline")),
			 arena_print(t->arena, "Its causes add up to all %s of it.",
				     say_time(t->arena, explained)));
}

/* ---- what is linked, mended, left out ---- */

static void linked(struct trust *t)
{
	const struct lp_table *ops = cells_table(&t->f->answers, "ops");
	int64_t all = cells_sum(ops, "kernels"),
		lost = cells_sum_where(ops, "kernels", "category", "unlinked");

	if (all)
		say(t, lost ? WARN : OK, "GPU events with a launch",
		    arena_print(t->arena, "%s of %s", say_count(t->arena, all - lost),
				say_count(t->arena, all)),
		    lost ? "The others were queued before the recording or lost their launch: no "
			   "operator is charged with them."
			 : "Each has the operator that launched it.");
}

static void repaired(struct trust *t)
{
	const struct counters *c = &t->f->tr->counters;

	say_count_of(t, "events dropped", counters_dropped(c),
		     "Text that is no event; the rest of the file is used.",
		     "All the text was read.");
	say_count_of(t, "events repaired", counters_repaired(c),
		     "Lengths and nesting that cannot be were mended.",
		     "No length or nesting had to be mended.");
	say_count_of(t, "outside the window", c->n[COUNT_OUTSIDE_WINDOW] + c->n[COUNT_INVALID_TIME],
		     "Events whose time cannot be count, but are in no sum of time.",
		     "Every event has a time that can be.");
	if (c->n[COUNT_KERNEL_BEFORE_LAUNCH])
		say_count_of(t, "kernels before their launch", c->n[COUNT_KERNEL_BEFORE_LAUNCH],
			     "The clocks of host and GPU disagree.", NULL);
	if (c->n[COUNT_GRAPH_INCOMPLETE])
		say_count_of(t, "graph replays in part", c->n[COUNT_GRAPH_INCOMPLETE],
			     "Kernels of a graph are missing: idle time may be work.", NULL);
}

static void other_rules(struct trust *t)
{
	uint32_t errors = 0, warnings = 0;

	for (enum counter c = 0; c < COUNTERS; c++) {
		errors += t->f->tr->counters.n[c] && counter_texts[c].severity == SEVERITY_ERROR;
		warnings += t->f->tr->counters.n[c] &&
			    counter_texts[c].severity == SEVERITY_WARNING;
	}
	say(t,
	    errors     ? WARN
	    : warnings ? NOTE
		       : OK,
	    "rules of data quality broken",
	    arena_print(t->arena, "%s, %s", say_many(t->arena, errors, "error", "errors"),
			say_many(t->arena, warnings, "warning", "warnings")),
	    errors || warnings ? "longpole check lists each with its first place in the file."
			       : "longpole check finds nothing that could change an answer.");
}

/* ---- what is guessed ---- */

static void unknown_time(struct trust *t)
{
	const struct lp_table *path = cells_table(&t->f->answers, "path_summary");
	nsec unknown = cells_sum_where(path, "time_ns", "class", "idle_unknown") +
		       cells_sum_where(path, "time_ns", "class", "untraced_gpu");

	if (!cells_rows(path))
		return;
	say(t,
	    unknown * 10 >= t->f->window    ? WARN
	    : unknown * 100 >= t->f->window ? NOTE
					    : OK,
	    "path of unknown cause", say_percent(t->arena, unknown, t->f->window),
	    "Time on the critical path in which nothing was recorded, or work from before the "
	    "window.");
}

static void inferred(struct trust *t)
{
	int64_t n = cells_int(cells_table(&t->f->answers, "window"), "inferred_waits", 0);

	if (n != LP_NULL)
		say_count_of(t, "waits inferred", (uint64_t)n,
			     "What they waited for is rebuilt from the API calls: the trace does "
			     "not say so.",
			     "None had to be rebuilt from the API calls.");
}

/* "3 of 8": one rank alone cannot say who was late to a collective. */
static void ranks(struct trust *t)
{
	const struct lp_table *info = cells_table(&t->f->answers, "info");
	const char *rank = cells_text(info, "value", cells_find(info, "what", "rank"));
	const char *of = rank ? strstr(rank, " of ") : NULL;

	if (!of)
		return;
	bool alone = strcmp(of, " of 1") != 0;
	say(t, alone ? WARN : OK, "ranks given", arena_print(t->arena, "1%s", of),
	    alone ? "Waiting for other ranks cannot be told from transfer."
		  : "The job has no other ranks.");
}

void trust_table(struct lp_answer *a, const struct facts *f)
{
	struct trust *t = NEW(answer_arena(a), 1, struct trust);

	t->f = f;
	t->arena = answer_arena(a);
	path_adds_up(t);
	gpu_adds_up(t);
	idle_adds_up(t);
	linked(t);
	repaired(t);
	unknown_time(t);
	inferred(t);
	ranks(t);
	other_rules(t);
	struct lp_table *table = answer_table(a, "trust", t->n);
	table->whole = true;
	table_str(table, "level", "", 0, t->level,
		  "ok; note; warn: could change what the findings say");
	table_str(table, "what", "can it be trusted?", 0, t->what, "what was looked at");
	table_str(table, "value", "", 0, t->value, "how it stands");
	table_str(table, "sentence", "what that means", 0, t->sentence, "what it means");
}
