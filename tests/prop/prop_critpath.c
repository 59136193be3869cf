/*
 * The critical path of made-up programs against what their maker knows, and what-ifs and slack
 * against the program run again.
 */
#include "prop.h"

#include "../unit/asked.h"
#include "base/table.h"
#include "paths.h"
#include "trace/model.h"
#include "trace/read.h"

#include <string.h>

struct told {
	struct paths *program;
	struct paths_run run;
	struct trace *trace;
	struct lp_answer *answer;
};

static struct lp_answer *ask(struct trace *tr, const char *const *what_if, unsigned n)
{
	struct lp_error err;
	struct lp_answer *a = lp_critical_path(
		(struct lp_trace *)tr,
		(struct lp_critical_path_options){ .what_if = what_if, .nwhat_if = n }, &err);

	if (!a)
		fail_msg("%s", err.text);
	return a;
}

static struct told tell(unsigned round, bool rocm, struct arena *a)
{
	struct told t = { .program = paths_make(prop_env("PROP_SEED", 1) + round, rocm, a) };
	struct textbuf text = { .arena = a };
	struct lp_error err;

	paths_trace(t.program, &text);
	t.run = paths_run(t.program, NULL, a);
	t.trace = trace_read_memory("made.json", text.p, text.n, (struct read_options){ 0 }, &err);
	model_build(t.trace);
	t.answer = ask(t.trace, NULL, 0);
	return t;
}

static void forget(struct told *t)
{
	lp_answer_free(t->answer);
	trace_free(t->trace);
}

static bool same_segment(const struct told *t, uint32_t i)
{
	const struct paths_segment *s = &t->run.segment[i];

	return asked_column(t->answer, "path", "start_ns")->data.i64[i] == s->start &&
	       asked_column(t->answer, "path", "dur_ns")->data.i64[i] == s->end - s->start &&
	       !strcmp(asked_column(t->answer, "path", "class")->data.str[i],
		       paths_class_names[s->class]) &&
	       !strcmp(asked_column(t->answer, "path", "name")->data.str[i], s->name);
}

static void path_is_what_the_maker_knows(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(150); round++) {
		struct arena a = { 0 };
		struct told t = tell(round, round % 3 == 0, &a);

		PROP_CHECK(round, lp_answer_table(t.answer, "path")->nrows == t.run.nsegments);
		for (uint32_t i = 0; i < t.run.nsegments; i++)
			PROP_CHECK(round, same_segment(&t, i));
		forget(&t);
		arena_free(&a);
	}
}

/* The window of the program with `name` num/den times as fast. */
static nsec rerun(const struct told *t, const char *name, int64_t num, int64_t den, struct arena *a)
{
	struct paths_change change = { name, den, num, 0, 0 };

	return paths_run(t->program, &change, a).window;
}

static const char *const speeds[] = { "2x", "4x", "1.25x" };
static const int64_t ratio[][2] = { { 2, 1 }, { 4, 1 }, { 5, 4 } };

static bool has_name(const struct told *t, const char *name)
{
	const struct lp_column *c = asked_column(t->answer, "slack", "name");
	uint32_t n = lp_answer_table(t->answer, "slack")->nrows;

	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(c->data.str[i], name))
			return true;
	return false;
}

static unsigned what_if_texts(const struct told *t, const char **text, const char **name,
			      struct arena *a)
{
	unsigned n = 0;

	for (unsigned k = 0; k < 2 * PATHS_NAMES; k++) {
		const char *x = arena_print(a, k % 2 ? "op%u" : "k%u", k / 2);
		for (unsigned s = 0; has_name(t, x) && s < ARRAY_SIZE(speeds); s++) {
			name[n] = x;
			text[n++] = arena_print(a, "%s=%s", x, speeds[s]);
		}
	}
	return n;
}

static void what_if_is_the_program_run_again(void **unused)
{
	(void)unused;
	unsigned exact = 0, rounds = PROP_ROUNDS(100);

	for (unsigned round = 0; round < rounds; round++) {
		const char *text[6 * PATHS_NAMES], *name[6 * PATHS_NAMES];
		struct arena a = { 0 };
		struct told t = tell(round, round % 3 == 0, &a);
		unsigned n = what_if_texts(&t, text, name, &a);
		struct lp_answer *answer = ask(t.trace, text, n);

		for (unsigned i = 0; i < n; i++) {
			unsigned s = i % ARRAY_SIZE(speeds);
			int64_t window = asked_column(answer, "what_if", "window_ns")->data.i64[i];
			int64_t gain = asked_column(answer, "what_if", "gain_ns")->data.i64[i];
			int64_t bound = asked_column(answer, "what_if", "bound_ns")->data.i64[i];
			nsec true_window = rerun(&t, name[i], ratio[s][0], ratio[s][1], &a);

			PROP_CHECK(round, gain >= 0 && gain <= bound);
			PROP_CHECK(round, t.run.window - window == gain);
			if (t.run.told)
				PROP_CHECK(round, t.run.window - true_window <= bound + 40);
			if (t.run.exact) /* each piece is rounded up, by less than a ns */
				PROP_CHECK(round, llabs(window - true_window) <= 40);
			if (s == 1) /* faster still is never slower */
				PROP_CHECK(round,
					   window <= asked_column(answer, "what_if", "window_ns")
							     ->data.i64[i - 1]);
		}
		exact += t.run.exact;
		lp_answer_free(answer);
		forget(&t);
		arena_free(&a);
	}
	assert_true(exact > rounds / 10);
}

static nsec later(const struct told *t, uint32_t op, nsec by, struct arena *a)
{
	struct paths_change change = { NULL, 1, 1, by, op };

	return paths_run(t->program, &change, a).window;
}

/* The slack of the GPU work with this name that starts then. */
static int64_t slack_of(const struct told *t, const struct paths_op *op)
{
	const struct lp_table *s = lp_answer_table(t->answer, "slack");

	for (uint32_t i = 0; i < s->nrows; i++)
		if (asked_column(t->answer, "slack", "start_ns")->data.i64[i] == op->start &&
		    !strcmp(asked_column(t->answer, "slack", "name")->data.str[i], op->name))
			return asked_column(t->answer, "slack", "slack_ns")->data.i64[i];
	return LP_NULL;
}

static void slack_is_the_last_delay_that_nobody_notices(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(100); round++) {
		struct arena a = { 0 };
		struct told t = tell(round, round % 3 == 0, &a);

		for (uint32_t i = 0; t.run.exact && i < t.run.nops; i++) {
			int64_t slack = slack_of(&t, &t.run.op[i]);
			PROP_CHECK(round, slack >= 0);
			PROP_CHECK(round, later(&t, i, slack, &a) == t.run.window);
			PROP_CHECK(round, later(&t, i, slack + 1, &a) == t.run.window + 1);
		}
		forget(&t);
		arena_free(&a);
	}
}

/* ---- The contracted graph, read from its tables as the page reads them ---- */

struct stop {
	const char *text;
	int64_t parts; /* of 120 that are left */
};

static const struct stop stops[] = { { "1x", 120 }, { "1.25x", 96 }, { "1.5x", 80 }, { "2x", 60 },
				     { "3x", 40 },  { "4x", 30 },    { "8x", 15 },   { "inf", 0 } };

/* The window when row i of replay_classes has the stop chosen[i]. */
static int64_t replayed(const struct lp_answer *a, const struct stop *const *chosen,
			struct arena *arena)
{
	const int64_t *from = asked_column(a, "replay_edges", "from")->data.i64;
	const int64_t *to = asked_column(a, "replay_edges", "to")->data.i64;
	const int64_t *fixed = asked_column(a, "replay_edges", "fixed_ns")->data.i64;
	const int64_t *edge = asked_column(a, "replay_parts", "edge")->data.i64;
	const int64_t *kernel = asked_column(a, "replay_parts", "kernel")->data.i64;
	const int64_t *class = asked_column(a, "replay_parts", "class")->data.i64;
	const int64_t *time = asked_column(a, "replay_parts", "time_ns")->data.i64;
	uint32_t nedges = lp_answer_table(a, "replay_edges")->nrows, part = 0;
	uint32_t nparts = lp_answer_table(a, "replay_parts")->nrows;
	uint32_t nnodes = lp_answer_table(a, "replay_nodes")->nrows;
	int64_t *at = NEW(arena, nnodes, int64_t);

	for (uint32_t i = 1; i < nnodes; i++)
		at[i] = INT64_MIN;
	for (uint32_t i = 0; i < nedges; i++) {
		int64_t t = at[from[i]] + 120 * fixed[i];
		for (; part < nparts && edge[part] == i; part++) {
			bool own = kernel[part] != LP_NULL && chosen[kernel[part]]->parts != 120;
			t += time[part] * chosen[own ? kernel[part] : class[part]]->parts;
		}
		at[to[i]] = at[to[i]] > t ? at[to[i]] : t;
	}
	return (at[nnodes - 1] + 119) / 120;
}

/* The same for --what-if: kernels with a factor, then all classes. */
static const char *as_what_if(const struct lp_answer *a, const struct stop *const *chosen,
			      struct arena *arena)
{
	const char *text = "";

	for (uint32_t i = 0; i < lp_answer_table(a, "replay_classes")->nrows; i++)
		if (!asked_column(a, "replay_classes", "kernel")->data.i64[i] ||
		    chosen[i]->parts != 120)
			text = arena_print(arena, "%s %s=%s", text,
					   asked_column(a, "replay_classes", "target")->data.str[i],
					   chosen[i]->text);
	return text;
}

static void the_contracted_graph_replays_what_ifs_to_the_ns(void **unused)
{
	(void)unused;
	unsigned gains = 0;

	for (unsigned round = 0; round < PROP_ROUNDS(100); round++) {
		struct arena a = { 0 };
		struct told t = tell(round, round % 3 == 0, &a);
		struct lp_error err;
		struct lp_answer *page = lp_report((struct lp_trace *)t.trace,
						   (struct lp_report_options){ .page = true },
						   &err);
		uint32_t n = lp_answer_table(page, "replay_classes")->nrows;
		const struct stop **chosen = NEW(&a, n, const struct stop *);

		prop_start(round);
		for (unsigned again = 0; n && again < 12; again++) {
			for (uint32_t i = 0; i < n; i++)
				chosen[i] = &stops[again && prop_below(3) ? prop_below(8) : 0];
			const char *text = as_what_if(page, chosen, &a);
			struct lp_answer *asked = ask(t.trace, &text, 1);
			int64_t window = asked_column(asked, "what_if", "window_ns")->data.i64[0];

			PROP_CHECK(round, again || window == t.run.window);
			PROP_CHECK(round, replayed(page, chosen, &a) == window);
			gains += window < t.run.window;
			lp_answer_free(asked);
		}
		lp_answer_free(page);
		forget(&t);
		arena_free(&a);
	}
	assert_true(gains >= PROP_ROUNDS(100));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_is_what_the_maker_knows),
		cmocka_unit_test(what_if_is_the_program_run_again),
		cmocka_unit_test(slack_is_the_last_delay_that_nobody_notices),
		cmocka_unit_test(the_contracted_graph_replays_what_ifs_to_the_ns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
