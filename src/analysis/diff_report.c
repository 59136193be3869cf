#include "analysis/diff_report.h"

#include "algo/sort.h"
#include "base/check.h"

#include <math.h>

const char *diff_raw_name(const struct diff_report *r, int side, uint32_t node)
{
	const struct diff_side *s = &r->d->side[side];
	event_id e = s->event[node];
	struct str name = r->d->names.text[s->name[node]];

	return e == NONE ? arena_text(r->arena, name.p, name.n) : trace_name(s->tr, e).p;
}

nsec diff_time(const struct diff_report *r, int side, uint32_t node)
{
	const struct diff_side *s = &r->d->side[side];
	event_id e = s->event[node];

	if (e == NONE || !trace_timed(s->tr, e))
		return 0;
	if (!diff_is_gpu(s->kind[node]))
		return s->tr->ev.dur[e];
	nsec start = MAX_OF(s->tr->ev.ts[e], s->from), end = MIN_OF(trace_end(s->tr, e), s->to);
	return MAX_OF(end - start, 0);
}

uint32_t diff_partner(const struct diff_report *r, int side, uint32_t node)
{
	uint32_t i = r->merged[side][node];

	return i == NONE ? NONE : r->m->node[!side][i];
}

static void sum_side(struct diff_report *r, int k)
{
	const struct diff_side *s = &r->d->side[k];

	r->gpu[k] = NEW(&r->scratch, s->n, nsec);
	r->work[k] = NEW(&r->scratch, s->n, uint32_t);
	for (uint32_t i = s->n; i-- > 0;) {
		if (diff_is_gpu(s->kind[i])) {
			r->gpu[k][i] += diff_time(r, k, i);
			r->work[k][i]++;
		}
		if (!i)
			break;
		r->gpu[k][s->parent[i]] += r->gpu[k][i];
		r->work[k][s->parent[i]] += r->work[k][i];
	}
	r->total[k] = s->n ? r->gpu[k][0] : 0;
}

struct diff_report *diff_report_new(const struct diff_sides *d, const struct diff_merged *m,
				    struct arena *a)
{
	struct diff_report *r = NEW(a, 1, struct diff_report);

	r->d = d;
	r->m = m;
	r->a = answer_new();
	r->arena = answer_arena(r->a);
	for (int k = 0; k < 2; k++) {
		r->merged[k] = NEW(&r->scratch, d->side[k].n, uint32_t);
		memset(r->merged[k], 0xff, d->side[k].n * sizeof(uint32_t));
		for (uint32_t i = 0; i < m->n; i++)
			if (m->node[k][i] != NONE)
				r->merged[k][m->node[k][i]] = i;
		sum_side(r, k);
	}
	return r;
}

double diff_percent(int64_t before, int64_t after)
{
	return before ? 100.0 * (double)(after - before) / (double)before : NAN;
}

static bool changes_more(const void *ctx, uint32_t a, uint32_t b)
{
	const struct diff_figures *f = ctx;
	int64_t da = f->ns[1][a] - f->ns[0][a], db = f->ns[1][b] - f->ns[0][b];
	int64_t ma = MAX_OF(f->ns[0][a], f->ns[1][a]), mb = MAX_OF(f->ns[0][b], f->ns[1][b]);

	da = da < 0 ? -da : da;
	db = db < 0 ? -db : db;
	if (da != db)
		return da > db;
	if (ma != mb || !f->count[0])
		return ma > mb;
	return f->count[0][a] + f->count[1][a] > f->count[0][b] + f->count[1][b];
}

uint32_t *diff_order(const struct diff_figures *f, struct arena *a)
{
	uint32_t *order = NEW(a, f->n, uint32_t);

	for (uint32_t i = 0; i < f->n; i++)
		order[i] = i;
	sort_ids(order, f->n, NEW(a, f->n, uint32_t), changes_more, f);
	return order;
}

void diff_reorder(struct diff_report *r, int64_t *v, const uint32_t *order, uint32_t n)
{
	struct arena_mark mark = arena_mark(&r->scratch);
	int64_t *old = NEW(&r->scratch, n, int64_t);

	if (n)
		memcpy(old, v, n * sizeof(*v));
	for (uint32_t i = 0; i < n; i++)
		v[i] = old[order[i]];
	arena_rewind(&r->scratch, mark);
}

void diff_columns(struct diff_report *r, struct lp_table *t, struct diff_figures *f,
		  const uint32_t *order, const char *what)
{
	static const char *const count[] = { "count_before", "count_after" };
	static const char *const title[] = { "count", "after" };
	int64_t *delta = NEW(r->arena, f->n, int64_t);
	double *percent = NEW(r->arena, f->n, double);

	for (int k = 0; k < 2 && f->count[0]; k++) {
		diff_reorder(r, f->count[k], order, f->n);
		table_i64(t, count[k], title[k], LP_COUNT, LP_SUM | LP_LESSER, f->count[k],
			  arena_print(r->arena, "occurrences in the %s trace",
				      k ? "second" : "first"));
	}
	for (int k = 0; k < 2; k++)
		diff_reorder(r, f->ns[k], order, f->n);
	for (uint32_t i = 0; i < f->n; i++) {
		delta[i] = f->ns[1][i] - f->ns[0][i];
		percent[i] = diff_percent(f->ns[0][i], f->ns[1][i]);
	}
	table_i64(t, "before_ns", "before", LP_NSEC, LP_SUM, f->ns[0],
		  arena_print(r->arena, "%s in the first trace", what));
	table_i64(t, "after_ns", "after", LP_NSEC, LP_SUM | LP_SAME, f->ns[1],
		  arena_print(r->arena, "%s in the second trace", what));
	table_i64(t, "delta_ns", "delta", LP_NSEC, LP_SUM | LP_SAME | LP_DELTA, delta,
		  "after less before");
	table_f64(t, "percent", "", LP_PERCENT, LP_DELTA, percent,
		  "the change in percent of before");
}
