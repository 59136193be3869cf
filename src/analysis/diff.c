/*
 * The diff from end to end: two traces -> two sides -> one merged tree -> tables.
 */
#include "analysis/diff_gate.h"
#include "analysis/diff_load.h"
#include "analysis/diff_summary.h"
#include "analysis/doubt.h"
#include "analysis/tracediff_files.h"
#include "base/say.h"

/* Below this share of nodes with a partner, two traces are of different programs. */
#define LITTLE_IN_COMMON 0.25

static const char *signed_time(struct arena *a, nsec t)
{
	return arena_print(a, "%s%s", t < 0 ? "-" : "+", say_time(a, t < 0 ? -t : t));
}

static double share_matched(const struct diff_totals *t)
{
	const struct diff_line_figures *g = &t->line[LINE_GPU_TIME], *c = &t->line[LINE_CPU_TIME];
	double all = (double)g->count[0] + g->count[1] + c->count[0] + c->count[1];

	return all > 0 ? 2.0 * ((double)g->matched + c->matched) / all : 1;
}

static bool is_same(const struct diff_report *r, const struct diff_totals *t)
{
	for (int l = 0; l < LINES; l++) {
		const struct diff_line_figures *f = &t->line[l];

		if (f->only[0] || f->only[1] || f->moved || f->changed)
			return false;
	}
	for (uint32_t i = 0; i < r->m->n; i++)
		if (r->here[0][i] != r->here[1][i])
			return false;
	return true;
}

/* "26.966 ms of it in aten::_softmax": the row of the operators that changed most, that way. */
static const char *where(const struct diff_report *r, nsec delta)
{
	const struct lp_table *t = lp_answer_table(r->a, "diff_ops");
	const char *const *name = NULL;
	const int64_t *by = NULL;

	for (uint32_t c = 0; c < t->ncols; c++) {
		if (!strcmp(t->cols[c].name, "name"))
			name = t->cols[c].data.str;
		if (!strcmp(t->cols[c].name, "delta_ns"))
			by = t->cols[c].data.i64;
	}
	for (uint32_t i = 0; i < t->nrows; i++)
		if (by[i] && (by[i] > 0) == (delta > 0))
			return arena_print(r->arena, "; %s in %s", signed_time(r->arena, by[i]),
					   name[i]);
	return "";
}

static void say_headline(struct diff_report *r, const struct diff_totals *t)
{
	const struct diff_line_figures *g = &t->line[LINE_GPU_TIME], *c = &t->line[LINE_CPU_TIME];
	struct arena *a = r->arena;
	nsec delta = g->ns[1] - g->ns[0];

	if (share_matched(t) < LITTLE_IN_COMMON) {
		answer_headline(
			r->a,
			"Little in common: %s of %s operators and %s of %s GPU events have a partner.",
			say_count(a, c->matched), say_count(a, c->count[0]),
			say_count(a, g->matched), say_count(a, g->count[0]));
	} else if (is_same(r, t)) {
		answer_headline(r->a, "No difference: %s and %s match, and every time is the same.",
				say_many(a, c->count[0], "operator", "operators"),
				say_many(a, g->count[0], "GPU event", "GPU events"));
	} else if (!delta) {
		answer_headline(r->a,
				"The GPU time is the same, %s; %s and %s are on one side only.",
				say_time(a, g->ns[0]),
				say_many(a, c->only[0] + c->only[1], "operator", "operators"),
				say_many(a, g->only[0] + g->only[1], "GPU event", "GPU events"));
	} else {
		answer_headline(r->a, "AFTER takes %s %s GPU time (%+.1f %%)%s.",
				say_time(a, delta < 0 ? -delta : delta),
				delta > 0 ? "more" : "less", diff_percent(g->ns[0], g->ns[1]),
				where(r, delta));
	}
}

static void say_doubts(struct diff_report *r)
{
	for (int k = 0; k < 2; k++)
		doubt_reading(r->a, r->d->side[k].tr);
}

static bool add_tables(struct diff_report *r, const struct gate_rules *rules,
		       struct lp_diff_options o, struct lp_error *err)
{
	struct diff_totals t = diff_total(r);

	if (!diff_gate(r, &t, rules, err))
		return false;
	diff_summary_table(r, &t);
	diff_ops(r);
	diff_points(r);
	diff_kernels(r);
	if (o.tree)
		diff_tree_table(r);
	say_headline(r, &t);
	return true;
}

static struct lp_answer *report(const struct diff_sides *d, const struct diff_merged *m,
				const struct gate_rules *rules, struct lp_diff_options o,
				struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct diff_report *r = diff_report_new(d, m, &scratch);
	struct lp_answer *a = r->a;

	say_doubts(r);
	if (!add_tables(r, rules, o, err)) {
		lp_answer_free(a);
		a = NULL;
	}
	arena_free(&r->scratch);
	arena_free(&scratch);
	return a;
}

/* Both traces as sides, merged by our rules or by those of TraceLens. */
static struct diff_merged merge(struct diff_sides *d, struct trace *before, struct trace *after,
				struct lp_diff_options o)
{
	struct tracediff_side t[2];

	if (o.align != LP_ALIGN_TRACELENS) {
		diff_load(d, before, after, o.python);
		return diff_merge(d, &d->arena);
	}
	tracediff_load(d, t, before, after, (struct tracediff_options){ .python = o.python });
	struct tracediff_merged m = tracediff_merge(d, t, &d->arena);
	return tracediff_as_diff(d, &m, &d->arena);
}

struct lp_answer *lp_diff(struct lp_trace *before, struct lp_trace *after, struct lp_diff_options o,
			  struct lp_error *err)
{
	struct diff_sides d = { 0 };
	struct gate_rules rules;
	struct lp_answer *a = NULL;

	if (gate_parse(o.gates, o.ngates, o.gate_file, &rules, &d.arena, err)) {
		struct diff_merged m = merge(&d, (struct trace *)before, (struct trace *)after, o);

		a = report(&d, &m, &rules, o, err);
	}
	diff_sides_free(&d);
	return a;
}

bool lp_diff_files(struct lp_trace *before, struct lp_trace *after, struct lp_diff_options o,
		   const char *folder, struct lp_error *err)
{
	struct diff_sides d = { 0 };
	struct tracediff_side t[2];
	struct tracediff_options opt = { o.python, o.compat_roots };
	struct tracediff_merged m;

	if (o.align == LP_ALIGN_TRACELENS) {
		tracediff_load(&d, t, (struct trace *)before, (struct trace *)after, opt);
		m = tracediff_merge(&d, t, &d.arena);
	} else {
		struct diff_merged own = merge(&d, (struct trace *)before, (struct trace *)after,
					       o);

		m = tracediff_from_diff(&own, &d.arena);
	}
	bool ok = tracediff_write_files(&d, &m, o.prune_non_gpu, folder, err);

	diff_sides_free(&d);
	return ok;
}
