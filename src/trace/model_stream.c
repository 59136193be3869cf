/*
 * A stream is a queue: work cannot end after later work of its stream has begun and
 * ended. What claims to has a broken duration, and is clipped at the next start:
 *
 *	file     [a ---------------------------------------------------- ...
 *	            [b --)  [c ---)
 *	ours     [a)[b --)  [c ---)
 *
 * An overlap without such a swallow is kept: with programmatic dependent launch a
 * kernel begins before the one before it ends. So are swallows within one launch, as
 * branches of a graph run side by side, and those of a lane that does it all the
 * time: that lane is no queue.
 */
#include "algo/sort.h"
#include "trace/model.h"

#define ROUNDING 1 /* ns: start and length are rounded apart */

struct streams {
	struct trace *tr;
	uint32_t *rank;  /* of lanes */
	int64_t *launch; /* correlation of each row of trace.gpu; 0: none */
	bool *swallows;
};

/* ---- GPU work by stream and start ---- */

static bool gpu_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct streams *s = ctx;
	const struct events *ev = &s->tr->ev;

	if (ev->lane[a] != ev->lane[b])
		return s->rank[ev->lane[a]] < s->rank[ev->lane[b]];
	bool bad_a = !trace_timed(s->tr, a), bad_b = !trace_timed(s->tr, b);
	if (bad_a != bad_b)
		return bad_b;
	return ev->ts[a] < ev->ts[b];
}

void model_gpu(struct trace *tr)
{
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += kind_is_gpu(tr->ev.kind[e]);
	tr->gpu = NEW(&tr->arena, n, event_id);
	for (event_id e = 0; n && e < tr->ev.n; e++)
		if (kind_is_gpu(tr->ev.kind[e]) && trace_slice(tr, e) && tr->ev.lane[e] != NONE)
			tr->gpu[tr->ngpu++] = e;
}

static void sort_gpu(struct streams *s, struct arena *scratch)
{
	uint32_t n = s->tr->ngpu;

	sort_ids(s->tr->gpu, n, NEW(scratch, n, uint32_t), gpu_before, s);
}

/* ---- What outlasts later work ---- */

/* The earliest ends of the work to come: of two different launches. */
struct ahead {
	nsec end[2];
	int64_t launch[2];
};

static void look_back(struct ahead *a, nsec end, int64_t launch)
{
	bool same = launch && launch == a->launch[0];

	if (end < a->end[0]) {
		if (!same) {
			a->end[1] = a->end[0];
			a->launch[1] = a->launch[0];
		}
		a->end[0] = end;
		a->launch[0] = launch;
	} else if (!same && end < a->end[1]) {
		a->end[1] = end;
		a->launch[1] = launch;
	}
}

/* Marks the rows from .. to of one stream that swallow later work of another launch. */
static uint32_t find_swallows(struct streams *s, uint32_t from, uint32_t to)
{
	const struct trace *tr = s->tr;
	struct ahead a = { { INT64_MAX, INT64_MAX }, { 0, 0 } };
	uint32_t found = 0;

	for (uint32_t i = to; i-- > from;) {
		event_id e = tr->gpu[i];
		nsec end = trace_end(tr, e);
		int64_t launch = s->launch[i];
		bool mine = launch && launch == a.launch[0];
		s->swallows[i] = a.end[mine] < INT64_MAX && end > a.end[mine] + ROUNDING;
		found += s->swallows[i];
		if (tr->ev.dur[e] && !s->swallows[i])
			look_back(&a, end, launch);
	}
	return found;
}

static void clip(struct streams *s, uint32_t i)
{
	struct trace *tr = s->tr;
	event_id e = tr->gpu[i];

	tr->clipped[tr->nclipped++] = (struct clipped){ e, tr->ev.dur[e] };
	tr->ev.flags[e] |= EVENT_CLIPPED;
	tr->ev.dur[e] = tr->ev.ts[tr->gpu[i + 1]] - tr->ev.ts[e];
	model_count(tr, COUNT_IMPOSSIBLE_DUR, e);
}

static void count_overlaps(struct trace *tr, uint32_t from, uint32_t to)
{
	nsec end = INT64_MIN;

	for (uint32_t i = from; i < to; i++) {
		event_id e = tr->gpu[i];
		if (i > from && tr->ev.ts[e] < end - ROUNDING && tr->ev.dur[e])
			model_count(tr, COUNT_SAME_STREAM_OVERLAP, e);
		end = MAX_OF(end, trace_end(tr, e));
	}
}

/* One past the last row of the stream that begins at `from`, and of its rows with valid times. */
static uint32_t stream_end(const struct trace *tr, uint32_t from, uint32_t *timed)
{
	uint32_t i = from;

	while (i < tr->ngpu && tr->ev.lane[tr->gpu[i]] == tr->ev.lane[tr->gpu[from]] &&
	       trace_timed(tr, tr->gpu[i]))
		i++;
	*timed = i;
	while (i < tr->ngpu && tr->ev.lane[tr->gpu[i]] == tr->ev.lane[tr->gpu[from]])
		i++;
	return i;
}

static bool clipped_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct clipped *c = ctx;

	return c[a].event < c[b].event;
}

static void sort_clipped(struct trace *tr, struct arena *scratch)
{
	uint32_t n = tr->nclipped, *order = NEW(scratch, n, uint32_t);
	struct clipped *rows = NEW(scratch, n, struct clipped);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(scratch, n, uint32_t), clipped_before, tr->clipped);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = tr->clipped[order[i]];
	if (n)
		memcpy(tr->clipped, rows, n * sizeof(*rows));
}

/* Work of impossible length that no later work has clipped. */
static void drop_endless(struct streams *s, struct arena *scratch)
{
	struct trace *tr = s->tr;
	bool any = false;

	for (uint32_t i = 0; i < tr->ngpu; i++) {
		event_id e = tr->gpu[i];
		if (!trace_timed(tr, e) || tr->ev.dur[e] <= LONGEST)
			continue;
		tr->ev.flags[e] |= EVENT_INVALID_TIME;
		model_count(tr, COUNT_INVALID_TIME, e);
		any = true;
	}
	if (any)
		sort_gpu(s, scratch);
}

void model_streams(struct trace *tr)
{
	struct arena scratch = { 0 };
	struct streams s = { .tr = tr, .rank = lanes_rank(tr, &scratch) };
	uint32_t timed, nswallows = 0;

	sort_gpu(&s, &scratch);
	s.launch = NEW(&scratch, tr->ngpu, int64_t);
	s.swallows = NEW(&scratch, tr->ngpu, bool);
	for (uint32_t i = 0; i < tr->ngpu; i++)
		if (!arg_i64(tr, tr->gpu[i], KEY_CORRELATION, &s.launch[i]))
			s.launch[i] = 0;
	for (uint32_t i = 0, next; i < tr->ngpu; i = next) {
		next = stream_end(tr, i, &timed);
		uint32_t found = find_swallows(&s, i, timed);
		if (found > (timed - i) / 2)
			memset(s.swallows + i, 0, timed - i);
		else
			nswallows += found;
	}
	tr->clipped = NEW(&tr->arena, nswallows, struct clipped);
	for (uint32_t i = 0; i < tr->ngpu; i++)
		if (s.swallows[i])
			clip(&s, i);
	sort_clipped(tr, &scratch);
	drop_endless(&s, &scratch);
	for (uint32_t i = 0, next; i < tr->ngpu; i = next) {
		next = stream_end(tr, i, &timed);
		count_overlaps(tr, i, timed);
	}
	arena_free(&scratch);
}
