/*
 * Model FLOPs utilisation: operations done, of what the devices could have done.
 *
 *	mfu = sum of FLOPs / (window x peak x devices)
 *
 * per unit and type, since each has a peak of its own; the shares add up. The window is
 * what --window gives in times, else from the first start to the last end of the GPU work.
 * What has no figures is a line without any: it is not taken for idle, nor for busy.
 */
#include "analysis/ops_roofline.h"

#include "algo/sort.h"
#include "base/check.h"
#include "base/say.h"

#include <math.h>

#define SPECS 64

struct spec {
	const char *text; /* "matrix_bf16" */
	double flops, peak;
	nsec time;
	uint32_t count;
	int rank; /* lines without a unit stand last */
};

struct specs {
	struct arena *a;
	uint32_t n;
	struct spec at[SPECS];
	nsec window;
	uint32_t devices;
};

static void line_of(const struct ops_view *v, uint32_t g, struct arena *a, struct spec *s)
{
	const struct ops_cost *c = &v->cost[g];

	*s = (struct spec){ .time = v->stat[g].time, .count = v->stat[g].count };
	if (!c->known) {
		s->text = "no model";
		s->rank = 3;
		s->flops = NAN;
		return;
	}
	s->flops = c->cost.flops * s->count;
	s->text = ops_cost_spec(a, c);
	if (!(s->flops > 0)) {
		s->text = "no arithmetic";
		s->rank = 2;
	} else if (!s->text) {
		s->text = "type not known";
		s->rank = 1;
	}
}

static void add_line(struct specs *all, const struct spec *one)
{
	uint32_t i = 0;

	while (i < all->n && strcmp(all->at[i].text, one->text))
		i++;
	CHECK(i < SPECS);
	if (i == all->n) {
		all->at[all->n++] = *one;
		return;
	}
	all->at[i].flops += one->flops;
	all->at[i].time += one->time;
	all->at[i].count += one->count;
}

/* From the first start to the last end of all work in the rows; and on how many devices. */
static void measure(struct specs *all, const struct ops_view *v)
{
	const struct gpu_window *w = &v->rows->window;
	const struct lanes *lanes = &v->tr->lanes;
	bool *seen = NEW(all->a, lanes->n, bool);
	nsec from = INT64_MAX, to = INT64_MIN;

	for (uint32_t i = 0; i < v->rows->at[v->rows->n].first; i++) {
		event_id e = v->l->gpu[v->rows->work[i]];
		if (!trace_timed(v->tr, e))
			continue;
		struct span s = gpu_window_cut(w, v->tr, e);
		from = MIN_OF(from, s.start);
		to = MAX_OF(to, s.end);
		seen[v->tr->ev.lane[e]] = true;
	}
	if (w->from != INT64_MIN) {
		from = w->from;
		to = w->to;
	}
	all->window = from < to ? to - from : 0;
	for (uint32_t i = 0; i < lanes->n; i++) {
		bool first = seen[i];

		for (uint32_t k = 0; first && k < i; k++)
			first = !seen[k] || lanes->at[k].process != lanes->at[i].process ||
				lanes->at[k].device != lanes->at[i].device;
		all->devices += first;
	}
}

static bool stands_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct spec *x = &((const struct specs *)ctx)->at[a],
			  *y = &((const struct specs *)ctx)->at[b];

	if (x->rank != y->rank)
		return x->rank < y->rank;
	return x->flops != y->flops ? x->flops > y->flops : strcmp(x->text, y->text) < 0;
}

static void fill(struct lp_answer *a, struct lp_table *t, const struct specs *all,
		 const uint32_t *order)
{
	struct arena *arena = answer_arena(a);
	uint32_t n = all->n;
	const char **text = NEW(arena, n, const char *);
	int64_t *count = NEW(arena, n, int64_t), *time = NEW(arena, n, int64_t),
		*window = NEW(arena, n, int64_t), *devices = NEW(arena, n, int64_t);
	double *flops = NEW(arena, n, double), *rate = NEW(arena, n, double),
	       *peak = NEW(arena, n, double), *mfu = NEW(arena, n, double);

	for (uint32_t i = 0; i < n; i++) {
		const struct spec *s = &all->at[order[i]];
		double could = (double)all->window * s->peak * 1e3 * all->devices;

		text[i] = s->text;
		count[i] = s->count;
		time[i] = s->time;
		flops[i] = s->flops;
		rate[i] = s->time > 0 ? s->flops / (double)s->time / 1e3 : NAN;
		peak[i] = s->peak > 0 ? s->peak : NAN;
		mfu[i] = could > 0 ? 100 * s->flops / could : NAN;
		window[i] = all->window;
		devices[i] = all->devices;
	}
	table_str(t, "compute_spec", "unit", 0, text,
		  "unit and type; no arithmetic: moves only; no model: see table no_model");
	table_i64(t, "count", "count", LP_COUNT, LP_SUM, count, "occurrences of operators");
	table_i64(t, "kernel_time_ns", "GPU", LP_NSEC, LP_SUM, time,
		  "GPU time; all lines together that of ops");
	table_f64(
		t, "flops", "FLOPs", LP_PLAIN, 0, flops,
		"floating-point operations, by shapes; what runs again (checkpointing) counts again");
	table_f64(t, "tflops_per_s", "TFLOP/s", LP_PLAIN, 0, rate, "flops / kernel_time_ns");
	table_f64(t, "peak_tflops", "peak", LP_PLAIN, 0, peak, "of one device, of its data sheet");
	table_f64(t, "mfu_percent", "MFU", LP_PERCENT, LP_SUM, mfu,
		  "flops / (window_ns x peak_tflops x devices)");
	table_i64(t, "window_ns", "window", LP_NSEC, LP_DETAIL, window,
		  "--window in times; else from the first start to the last end of GPU work");
	table_i64(t, "devices", "devices", LP_COUNT, LP_DETAIL, devices, "GPUs with work in it");
}

void ops_mfu(struct lp_answer *a, const struct ops_view *v, const struct arch *arch)
{
	struct arena *arena = answer_arena(a);
	struct specs *all = NEW(arena, 1, struct specs);
	uint32_t order[SPECS], spare[SPECS];
	nsec time = 0, figures = 0;

	all->a = arena;
	for (uint32_t g = 0; g < v->groups->n; g++) {
		struct spec one;

		line_of(v, g, arena, &one);
		if (arch && !one.rank)
			one.peak = arch_peak(arch, v->cost[g].cost.unit, v->cost[g].cost.precision);
		add_line(all, &one);
		time += one.time;
		figures += v->cost[g].known ? one.time : 0;
	}
	CHECK(time == v->total);
	if (!all->n)
		return;
	measure(all, v);
	for (uint32_t i = 0; i < all->n; i++)
		order[i] = i;
	sort_ids(order, all->n, spare, stands_before, all);
	struct lp_table *t = answer_table(a, "mfu", all->n);
	t->detail = true;
	fill(a, t, all, order);
	table_footer(t, "a window of %s on %s (%s); %s of the GPU time has a model",
		     say_time(arena, all->window), say_many(arena, all->devices, "GPU", "GPUs"),
		     arch ? arch->name : "not known: --arch",
		     say_percent(arena, figures, v->total));
}
