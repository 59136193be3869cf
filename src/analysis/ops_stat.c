/*
 * One pass per group: the busy time of each of its rows goes into a list, which is
 * summed and then sorted for the median. Times of one launch come by start, so most
 * unions are a single sweep.
 */
#include "analysis/ops_stat.h"

#include "algo/sort.h"
#include "algo/spans.h"

#include <math.h>
#include <stdlib.h>

struct stats {
	const struct trace *tr;
	const struct links *l;
	const struct ops_rows *rows;
	struct arena scratch;
	struct span *span; /* of one row's work */
	nsec *busy;        /* of one group's rows */
};

/* False if none of the row's work has a valid time. */
static bool row_busy(struct stats *s, uint32_t row, nsec *busy)
{
	uint32_t n = 0;
	bool sorted = true;

	for (uint32_t i = s->rows->at[row].first; i < s->rows->at[row + 1].first; i++) {
		event_id e = s->l->gpu[s->rows->work[i]];
		if (!trace_timed(s->tr, e))
			continue;
		s->span[n] = gpu_window_cut(&s->rows->window, s->tr, e);
		sorted &= !n || s->span[n - 1].start <= s->span[n].start;
		n++;
	}
	struct arena_mark mark = arena_mark(&s->scratch);
	*busy = spans_length(sorted ? spans_merge(s->span, n)
				    : spans_union(&s->scratch, s->span, n));
	arena_rewind(&s->scratch, mark);
	return n > 0;
}

/* Work that is owned singly does not count its launch again for each kernel of it. */
static bool shares_launch(const struct stats *s, uint32_t row)
{
	const struct ops_row *r = s->rows->at + row;

	return row && r[-1].synthetic &&
	       s->l->launch[s->rows->work[r[-1].first]] == s->l->launch[s->rows->work[r->first]];
}

/* Host time that no other row counts: of the operator, or of the launch of a single kernel. */
static nsec row_cpu(const struct stats *s, uint32_t row)
{
	const struct ops_row *r = s->rows->at + row;

	if (r->node == NONE || (r->synthetic && shares_launch(s, row)))
		return 0;
	event_id e = r->synthetic ? s->l->launch[s->rows->work[r->first]]
				  : s->l->tree->event[r->node];
	return trace_timed(s->tr, e) ? s->tr->ev.dur[e] : 0;
}

static int by_value(const void *a, const void *b)
{
	nsec x = *(const nsec *)a, y = *(const nsec *)b;

	return (x > y) - (x < y);
}

static void summarise(struct ops_stat *st, nsec *busy)
{
	uint32_t n = st->timed;
	double square = 0;

	if (!n) {
		st->min = st->max = LP_NULL;
		st->mean = st->median = st->std = NAN;
		return;
	}
	qsort(busy, n, sizeof(*busy), by_value);
	st->min = busy[0];
	st->max = busy[n - 1];
	st->mean = (double)st->time / n;
	st->median = ((double)busy[(n - 1) / 2] + (double)busy[n / 2]) / 2;
	for (uint32_t i = 0; i < n; i++)
		square += ((double)busy[i] - st->mean) * ((double)busy[i] - st->mean);
	st->std = n > 1 ? sqrt(square / (n - 1)) : NAN;
}

static void add_row(struct stats *s, struct ops_stat *st, uint32_t row)
{
	const struct events *ev = &s->tr->ev;
	nsec busy;

	st->count++;
	st->kernels += s->rows->at[row + 1].first - s->rows->at[row].first;
	st->cpu += row_cpu(s, row);
	if (row_busy(s, row, &busy)) {
		s->busy[st->timed++] = busy;
		st->time += busy;
	}
	if (ev->ts[ops_row_event(s->l, s->rows, row)] <
	    ev->ts[ops_row_event(s->l, s->rows, st->example)])
		st->example = row;
}

struct ops_stat *ops_stats(struct arena *a, const struct trace *tr, const struct links *l,
			   const struct ops_rows *rows, const struct ops_groups *g)
{
	struct ops_stat *stat = NEW(a, g->n, struct ops_stat);
	struct stats s = { .tr = tr, .l = l, .rows = rows };

	s.span = NEW(&s.scratch, l->n, struct span);
	s.busy = NEW(&s.scratch, rows->n, nsec);
	for (uint32_t i = 0; i < g->n; i++) {
		stat[i].example = g->row[g->first[i]];
		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
			add_row(&s, &stat[i], g->row[k]);
		summarise(&stat[i], s.busy);
	}
	arena_free(&s.scratch);
	return stat;
}

struct ranking {
	const struct trace *tr;
	const struct links *l;
	const struct ops_rows *rows;
	const struct ops_key *key;
	const struct ops_stat *stat;
};

static struct str text_of(const struct ranking *r, string_id s)
{
	return s == NONE ? STR("") : strings_get(&r->tr->strings, s);
}

static bool ranks_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct ranking *r = ctx;

	if (r->stat[a].time != r->stat[b].time)
		return r->stat[a].time > r->stat[b].time;
	nsec x = r->tr->ev.ts[ops_row_event(r->l, r->rows, r->stat[a].example)];
	nsec y = r->tr->ev.ts[ops_row_event(r->l, r->rows, r->stat[b].example)];
	if (x != y)
		return x < y;
	int c = str_cmp(text_of(r, r->key[a].name), text_of(r, r->key[b].name));
	if (!c)
		c = str_cmp(text_of(r, r->key[a].kernel), text_of(r, r->key[b].kernel));
	return c < 0;
}

uint32_t *ops_ranking(struct arena *a, const struct trace *tr, const struct links *l,
		      const struct ops_rows *rows, const struct ops_groups *g,
		      const struct ops_stat *stat)
{
	struct ranking r = { tr, l, rows, g->key, stat };
	uint32_t *order = NEW(a, g->n, uint32_t);
	struct arena scratch = { 0 };

	for (uint32_t i = 0; i < g->n; i++)
		order[i] = i;
	sort_ids(order, g->n, NEW(&scratch, g->n, uint32_t), ranks_before, &r);
	arena_free(&scratch);
	return order;
}
