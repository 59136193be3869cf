/*
 * Most rules were looked at while the trace was read and its tree and links were made; here
 * all of them are asked for, and listed with the line of their first place.
 */
#include "analysis/check.h"

#include "analysis/recorded.h"
#include "base/say.h"
#include "base/table.h"
#include "trace/derive.h"

#include <inttypes.h>

#define ROWS_MAX (COUNTERS + RECORDINGS)

struct report {
	struct trace *tr;
	struct lp_answer *a;
	struct arena *arena;
	uint32_t n, errors, warnings;
	uint32_t above; /* collectives that their operators describe */
	const char **severity, **code, **text;
	int64_t *count, *byte, *line;
};

static const char *meaning(struct report *r, enum counter c)
{
	if (c == COUNT_COMM_NO_ARGS && r->above)
		return arena_print(r->arena, "%s; %s get them from their operator",
				   counter_texts[c].text, say_count(r->arena, r->above));
	return counter_texts[c].text;
}

static void add_counters(struct report *r, enum severity severity)
{
	const struct counters *c = &r->tr->counters;

	for (enum counter k = 0; k < COUNTERS; k++) {
		if (!c->n[k] || counter_texts[k].severity != severity)
			continue;
		r->severity[r->n] = severity_name(severity);
		r->code[r->n] = counter_texts[k].name;
		r->text[r->n] = meaning(r, k);
		r->count[r->n] = (int64_t)c->n[k];
		r->byte[r->n] = c->first_byte[k] == UINT64_MAX ? LP_NULL
							       : (int64_t)c->first_byte[k];
		r->line[r->n++] = LP_NULL;
		r->errors += severity == SEVERITY_ERROR;
		r->warnings += severity == SEVERITY_WARNING;
	}
}

/* What was not recorded, and what that costs. */
static void add_lacks(struct report *r)
{
	struct recordings has = recordings_of(r->tr);
	bool host = r->tr->nkind[KIND_CPU_OP] > 0;

	for (enum recorded k = 0; k < RECORDINGS; k++) {
		bool matters = k == RECORDED_GPU || k == RECORDED_MEMORY || k == RECORDED_FLOPS ||
			       (k == RECORDED_SYNC ? has.has[RECORDED_GPU] : host);
		if (has.has[k] || !matters || !r->tr->nslices)
			continue;
		bool rocm = k == RECORDED_SYNC && recorded_on_rocm(r->tr);
		r->severity[r->n] = "lacks";
		r->code[r->n] = recorded_texts[k].name;
		r->text[r->n] = rocm ? "ROCm writes none: waits are inferred from the API calls"
				     : recorded_texts[k].lacks;
		r->count[r->n] = r->byte[r->n] = r->line[r->n] = LP_NULL;
		r->n++;
	}
}

static bool first_byte_before(const void *ctx, uint32_t a, uint32_t b)
{
	const int64_t *byte = ctx;

	return byte[a] < byte[b];
}

/* Lines of all places by one more look at the file. */
static void find_lines(struct report *r)
{
	uint32_t order[ROWS_MAX], spare[ROWS_MAX], n = 0;
	uint64_t byte[ROWS_MAX], line[ROWS_MAX];

	for (uint32_t i = 0; i < r->n; i++)
		if (r->byte[i] != LP_NULL)
			order[n++] = i;
	sort_ids(order, n, spare, first_byte_before, r->byte);
	for (uint32_t i = 0; i < n; i++)
		byte[i] = (uint64_t)r->byte[order[i]];
	if (n && trace_lines(r->tr, byte, line, n))
		for (uint32_t i = 0; i < n; i++)
			r->line[order[i]] = (int64_t)line[i];
}

static void add_table(struct report *r)
{
	const struct counters *c = &r->tr->counters;
	struct lp_table *t = answer_table(r->a, "check", r->n);

	t->whole = true;
	table_str(t, "severity", "", 0, r->severity,
		  "error: the file is broken; warning: an answer could be affected; note; lacks: "
		  "was not recorded");
	table_str(t, "code", "code", 0, r->code, "the rule");
	table_i64(t, "count", "count", LP_COUNT, 0, r->count, "places where it does not hold");
	table_i64(t, "line", "line", LP_PLAIN, 0, r->line, "line of the first, from 1");
	table_i64(t, "byte", "byte", LP_PLAIN, LP_DETAIL, r->byte,
		  "byte of the first in the JSON text");
	table_str(t, "meaning", "what it means", 0, r->text, "what it means, and what was done");
	table_footer(
		t, "%s: %s dropped, %s repaired; %s",
		say_many(r->arena, r->tr->ev.n, "event", "events"),
		say_count(r->arena, (int64_t)counters_dropped(c)),
		say_count(r->arena, (int64_t)counters_repaired(c)),
		c->n[COUNT_KERNEL_BEFORE_LAUNCH]
			? arena_print(r->arena, "%s before its launch",
				      say_many(r->arena, (int64_t)c->n[COUNT_KERNEL_BEFORE_LAUNCH],
					       "kernel", "kernels"))
			: "no kernel before its launch");
}

static void say_headline(struct report *r)
{
	const char *errors = say_many(r->arena, r->errors, "error", "errors");
	const char *warnings = say_many(r->arena, r->warnings, "warning", "warnings");

	if (!r->errors)
		errors = "No errors";
	if (!r->warnings)
		warnings = "no warnings";
	if (r->errors + r->warnings)
		answer_headline(r->a, "%s, %s; %s, %s: %.*s.", errors, warnings, r->code[0],
				say_many(r->arena, r->count[0], "time", "times"),
				(int)strcspn(r->text[0], ":;"), r->text[0]);
	else
		answer_headline(r->a, "%s, %s.", errors, warnings);
	r->a->no = r->errors > 0;
}

struct lp_answer *lp_check(struct lp_trace *trace, struct lp_error *err)
{
	struct report r = { .tr = (struct trace *)trace, .a = answer_new() };
	const struct links *l = trace_links(r.tr, LINK_BEST, TREE_FULL);

	r.arena = answer_arena(r.a);
	r.severity = NEW(r.arena, ROWS_MAX, const char *);
	r.code = NEW(r.arena, ROWS_MAX, const char *);
	r.text = NEW(r.arena, ROWS_MAX, const char *);
	r.count = NEW(r.arena, ROWS_MAX, int64_t);
	r.byte = NEW(r.arena, ROWS_MAX, int64_t);
	r.line = NEW(r.arena, ROWS_MAX, int64_t);
	trace_pairs(r.tr);
	struct derived *d = trace_derived(r.tr);
	if (!d->checked) {
		check_syncs(r.tr);
		d->described_above = check_collectives(r.tr, l);
		d->checked = true;
	}
	r.above = d->described_above;
	for (int s = SEVERITY_ERROR; s >= SEVERITY_NOTE; s--)
		add_counters(&r, (enum severity)s);
	add_lacks(&r);
	find_lines(&r);
	say_headline(&r);
	add_table(&r);
	answer_next(r.a, "what is in it", "longpole info %s", r.tr->source.path);
	return r.a;
}
