/*
 * The diff from end to end: two traces -> two sides -> one merged tree -> tables.
 */
#include "analysis/diff_gate.h"
#include "analysis/diff_load.h"
#include "analysis/diff_path.h"
#include "analysis/diff_summary.h"
#include "analysis/doubt.h"
#include "analysis/tracediff_files.h"
#include "base/error.h"
#include "base/say.h"
#include "base/shortname.h"

#include <stdlib.h>

/* Below this share of nodes with a partner, two traces are of different programs. */
#define LITTLE_IN_COMMON 0.25

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
	for (uint32_t i = 1; i < r->m->n; i++) {
		uint32_t u = r->m->node[0][i], v = r->m->node[1][i];

		if (diff_is_gpu(r->d->side[0].kind[u]) && diff_time(r, 0, u) != diff_time(r, 1, v))
			return false;
	}
	return true;
}

static const struct lp_column *column(const struct lp_table *t, const char *name)
{
	uint32_t c = 0;

	while (strcmp(t->cols[c].name, name))
		c++;
	return &t->cols[c];
}

/* ", 26.966 ms of it in aten::_softmax": the operator that changed most, the way all did. */
static const char *where(const struct diff_report *r, nsec delta)
{
	const struct lp_table *t = lp_answer_table(r->a, "diff_ops");
	const int64_t *by = column(t, "delta_ns")->data.i64;
	struct arena *a = r->arena;
	uint32_t i = 0;

	while (i < t->nrows && (!by[i] || (by[i] > 0) != (delta > 0)))
		i++;
	if (i == t->nrows)
		return "";
	const char *dims = column(t, "input_dims")->data.str[i];
	const char *size = say_time(a, by[i] < 0 ? -by[i] : by[i]);
	const char *op = shortname(a, column(t, "name")->data.str[i], 60, UTF8_TERMINAL);

	dims = dims ? say_dims(a, dims) : "";
	if (llabs(by[i]) <= llabs(delta))
		return arena_print(a, ", %s of it in %s%s%s", size, op, *dims ? " " : "", dims);
	return arena_print(a, "; %s%s%s alone takes %s %s", op, *dims ? " " : "", dims, size,
			   delta > 0 ? "more" : "less");
}

/* "; the gate fails: gpu_time>2%,50us" */
static const char *gate_text(const struct diff_report *r)
{
	const struct lp_table *t = lp_answer_table(r->a, "gate");
	uint32_t i = 0, failed = 0;

	if (!r->a->no)
		return "";
	const int64_t *no = column(t, "failed")->data.i64;
	for (uint32_t k = 0; k < t->nrows; k++)
		failed += no[k] != 0;
	while (!no[i])
		i++;
	const char *first = column(t, "rule")->data.str[i];
	return failed == 1 ? arena_print(r->arena, "; the gate fails: %s", first)
			   : arena_print(r->arena, "; the gate fails: %s and %u more", first,
					 failed - 1);
}

static const char *many_ops(struct arena *a, uint32_t n)
{
	return say_many(a, n, "operator", "operators");
}

static const char *many_events(struct arena *a, uint32_t n)
{
	return say_many(a, n, "GPU event", "GPU events");
}

static void say_headline(struct diff_report *r, const struct diff_totals *t)
{
	const struct diff_line_figures *g = &t->line[LINE_GPU_TIME], *c = &t->line[LINE_CPU_TIME];
	const char *gate = gate_text(r);
	struct arena *a = r->arena;
	nsec delta = g->ns[1] - g->ns[0];

	if (share_matched(t) < LITTLE_IN_COMMON) {
		answer_headline(r->a, "Little in common: %s of %s and %s of %s have a partner%s.",
				say_count(a, c->matched), many_ops(a, c->count[0]),
				say_count(a, g->matched), many_events(a, g->count[0]), gate);
	} else if (is_same(r, t)) {
		answer_headline(r->a,
				"No difference: %s and %s match, and every time is the same%s.",
				many_ops(a, c->count[0]), many_events(a, g->count[0]), gate);
	} else if (!delta) {
		answer_headline(r->a,
				"The GPU time is the same, %s; %s and %s are on one side only%s.",
				say_time(a, g->ns[0]), many_ops(a, c->only[0] + c->only[1]),
				many_events(a, g->only[0] + g->only[1]), gate);
	} else {
		const char *percent = g->ns[0] ? arena_print(a, "%+.1f %%",
							     diff_percent(g->ns[0], g->ns[1]))
					       : "there was none";

		answer_headline(r->a, "AFTER takes %s %s GPU time (%s)%s%s.",
				say_time(a, delta < 0 ? -delta : delta),
				delta > 0 ? "more" : "less", percent, where(r, delta), gate);
	}
}

static void say_doubts(struct diff_report *r)
{
	for (int k = 0; k < 2; k++)
		doubt_reading(r->a, r->d->side[k].tr);
}

static void say_next(struct diff_report *r, struct lp_diff_options o)
{
	const char *before = say_path(r->arena, r->d->side[0].tr->source.path);
	const char *after = say_path(r->arena, r->d->side[1].tr->source.path);

	if (!o.tree)
		answer_next(r->a, "where the call trees part", "longpole diff %s %s --tree", before,
			    after);
	if (!o.ngates && !o.gate_file)
		answer_next(r->a, "as a check in CI",
			    "longpole diff %s %s --gate 'gpu_time>2%%,50us'", before, after);
}

static void add_table(struct diff_report *r, void (*add)(struct diff_report *r))
{
	struct arena_mark mark = arena_mark(&r->scratch);

	add(r);
	arena_rewind(&r->scratch, mark);
}

static bool add_tables(struct diff_report *r, const struct gate_rules *rules,
		       const struct diff_paths *paths, struct lp_diff_options o,
		       struct lp_error *err)
{
	struct diff_totals t = diff_total(r);

	if (!diff_gate(r, &t, rules, err))
		return false;
	diff_summary_table(r, &t);
	add_table(r, diff_ops);
	add_table(r, diff_points);
	add_table(r, diff_kernels);
	diff_path(r, paths);
	if (o.tree)
		add_table(r, diff_tree_table);
	say_headline(r, &t);
	say_next(r, o);
	return true;
}

static struct lp_answer *report(const struct diff_sides *d, const struct diff_merged *m,
				const struct gate_rules *rules, const struct diff_paths *paths,
				struct lp_diff_options o, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct diff_report *r = diff_report_new(d, m, &scratch);
	struct lp_answer *a = r->a;

	say_doubts(r);
	if (!add_tables(r, rules, paths, o, err)) {
		lp_answer_free(a);
		a = NULL;
	}
	arena_free(&r->scratch);
	arena_free(&scratch);
	return a;
}

/* Both traces as sides, merged by our rules or by those of TraceLens. */
static bool merge_own(struct diff_sides *d, struct trace *before, struct trace *after,
		      struct lp_diff_options o, struct diff_merged *m, struct lp_error *err)
{
	struct diff_load_options load = { o.python, o.window };

	if (!diff_load(d, before, after, load, err))
		return false;
	*m = diff_merge(d, &d->arena);
	return true;
}

static bool merge_tracelens(struct diff_sides *d, struct trace *before, struct trace *after,
			    struct lp_diff_options o, struct tracediff_merged *m,
			    struct lp_error *err)
{
	struct tracediff_side t[2];
	struct tracediff_options opt = { o.python, o.compat_roots };

	if (o.window && *o.window)
		return error_set(err, "a window is not for the alignment of TraceLens, "
				      "which compares whole traces");
	tracediff_load(d, t, before, after, opt);
	*m = tracediff_merge(d, t, &d->arena);
	return true;
}

static bool merge(struct diff_sides *d, struct trace *before, struct trace *after,
		  struct lp_diff_options o, struct diff_merged *m, struct lp_error *err)
{
	struct tracediff_merged theirs;

	if (o.align != LP_ALIGN_TRACELENS)
		return merge_own(d, before, after, o, m, err);
	o.compat_roots = false; /* a tree, not two that share their branches */
	if (!merge_tracelens(d, before, after, o, &theirs, err))
		return false;
	*m = tracediff_as_diff(d, &theirs, &d->arena);
	return true;
}

struct lp_answer *lp_diff(struct lp_trace *before, struct lp_trace *after, struct lp_diff_options o,
			  struct lp_error *err)
{
	struct trace *a = (struct trace *)before, *b = (struct trace *)after;
	struct diff_sides d = { 0 };
	struct gate_rules rules;
	struct diff_merged m;
	struct lp_answer *answer = NULL;

	if (gate_parse(o.gates, o.ngates, o.gate_file, &rules, &d.arena, err)) {
		struct diff_paths paths = diff_paths_of(a, b, o.window);

		if (merge(&d, a, b, o, &m, err)) {
			diff_sides_merged(&d);
			answer = report(&d, &m, &rules, &paths, o, err);
		}
	}
	diff_sides_free(&d);
	return answer;
}

bool lp_diff_files(struct lp_trace *before, struct lp_trace *after, struct lp_diff_options o,
		   const char *folder, struct lp_error *err)
{
	struct trace *a = (struct trace *)before, *b = (struct trace *)after;
	struct diff_sides d = { 0 };
	struct tracediff_merged m;
	struct diff_merged own;
	bool fine;

	if (o.align == LP_ALIGN_TRACELENS) {
		fine = merge_tracelens(&d, a, b, o, &m, err);
	} else {
		fine = merge_own(&d, a, b, o, &own, err);
		if (fine)
			m = tracediff_from_diff(&own, &d.arena);
	}
	fine = fine && tracediff_write_files(&d, &m, o.prune_non_gpu, folder, err);
	diff_sides_free(&d);
	return fine;
}
