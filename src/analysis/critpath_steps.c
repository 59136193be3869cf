/*
 * The path of every step, by class. The graph is that of the whole trace; a step is only
 * another window on it, so all steps together cost one walk over their paths.
 *
 * Mean and spread are taken over the steps that repeat each other: warm-up and hiccups are
 * left out where at least four agree (see steady_by_change).
 */
#include "analysis/critpath.h"
#include "analysis/split_steady.h"
#include "trace/step.h"

#include <math.h>

struct step_rows {
	uint32_t n;
	const char **name;
	int64_t *start, *window, *steady;
	int64_t *class[PATH_CLASSES];
};

static struct step_rows walk_steps(struct critpath *c, const struct steps *steps)
{
	struct arena scratch = { 0 };
	struct step_rows r = { .n = steps->n,
			       .name = NEW(c->arena, steps->n, const char *),
			       .start = NEW(c->arena, steps->n, int64_t),
			       .window = NEW(c->arena, steps->n, int64_t),
			       .steady = NEW(c->arena, steps->n, int64_t) };

	for (int k = 0; k < PATH_CLASSES; k++)
		r.class[k] = NEW(c->arena, steps->n, int64_t);
	for (uint32_t i = 0; i < steps->n; i++) {
		struct arena_mark mark = arena_mark(&scratch);
		event_id e = steps->event[i];
		struct path_window w = { c->tr->ev.ts[e] - c->tr->base,
					 trace_end(c->tr, e) - c->tr->base, c->tr->ev.lane[e] };
		struct path_view v = critpath_view(c->graph, w);
		struct path p = critpath_walk(&v, &scratch);

		r.name[i] = trace_name(c->tr, e).p;
		r.start[i] = w.start;
		r.window[i] = w.end - w.start;
		for (int k = 0; k < PATH_CLASSES; k++)
			r.class[k][i] = p.class_ns[k];
		arena_rewind(&scratch, mark);
	}
	arena_free(&scratch);
	return r;
}

static struct range steady_steps(const struct step_rows *r)
{
	struct arena scratch = { 0 };
	struct range all = { 0, r->n };
	struct range steady = steady_by_change(r->window, 1, r->n, &scratch);

	arena_free(&scratch);
	return steady.end > steady.first ? steady : all;
}

/* Means and deviations are whole ns, rounded half up. */
static void mean_row(const int64_t *value, struct range r, int64_t *mean, int64_t *spread)
{
	double sum = 0, square = 0;
	uint32_t n = r.end - r.first;

	for (uint32_t i = r.first; i < r.end; i++)
		sum += (double)value[i];
	for (uint32_t i = r.first; i < r.end; i++)
		square += ((double)value[i] - sum / n) * ((double)value[i] - sum / n);
	*mean = (int64_t)floor(sum / n + 0.5);
	*spread = (int64_t)floor(sqrt(square / n) + 0.5);
}

static void table_of_means(struct critpath *c, const struct step_rows *r, struct range steady)
{
	uint32_t n = 0;
	const char **class = NEW(c->arena, PATH_CLASSES + 1, const char *);
	int64_t *mean = NEW(c->arena, PATH_CLASSES + 1, int64_t);
	int64_t *spread = NEW(c->arena, PATH_CLASSES + 1, int64_t);
	double *percent = NEW(c->arena, PATH_CLASSES + 1, double);
	int64_t whole, unused;

	mean_row(r->window, steady, &whole, &unused);
	for (int k = 0; k <= PATH_CLASSES; k++) {
		mean_row(k < PATH_CLASSES ? r->class[k] : r->window, steady, &mean[n], &spread[n]);
		if (!mean[n] && !spread[n])
			continue;
		class[n] = k < PATH_CLASSES ? path_class_texts[k].name : "window";
		percent[n] = whole ? 100.0 * (double)mean[n] / (double)whole : 0;
		n++;
	}
	struct lp_table *t = answer_table(c->answer, "steps_path_summary", n);
	t->detail = t->whole = true;
	table_str(t, "class", "class", 0, class, "what the time is");
	table_i64(t, "mean_ns", "mean", LP_NSEC, 0, mean, "per steady step");
	table_i64(t, "spread_ns", "±", LP_NSEC, LP_SAME, spread, "standard deviation");
	table_f64(t, "percent", "%", LP_PERCENT, LP_BAR, percent, "of the mean window");
	table_footer(t, "over %u steady of %u steps", steady.end - steady.first, r->n);
}

static bool any(const int64_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i])
			return true;
	return false;
}

void critpath_table_steps(struct critpath *c)
{
	const struct steps *steps = trace_steps(c->tr);

	if (!steps->n)
		return;
	struct step_rows r = walk_steps(c, steps);
	struct range steady = steady_steps(&r);
	struct lp_table *t = answer_table(c->answer, "steps_path", r.n);

	t->detail = true;
	for (uint32_t i = 0; i < r.n; i++)
		r.steady[i] = i >= steady.first && i < steady.end;
	table_str(t, "step", "step", 0, r.name, "the annotation");
	table_i64(t, "start_ns", "start", LP_NSEC, 0, r.start, "since the first event");
	table_i64(t, "window_ns", "took", LP_NSEC, LP_MEAN, r.window, "length of the step");
	for (int k = 0; k < PATH_CLASSES; k++)
		table_i64(t, arena_print(c->arena, "%s_ns", path_class_texts[k].name),
			  path_class_texts[k].name, LP_NSEC,
			  LP_SAME | LP_MEAN | LP_LESSER | (any(r.class[k], r.n) ? 0 : LP_DETAIL),
			  r.class[k], path_class_texts[k].what);
	table_bool(t, "steady", "steady", LP_DETAIL, r.steady, "one of those that repeat");
	table_of_means(c, &r, steady);
}
