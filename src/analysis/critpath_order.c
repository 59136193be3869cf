/*
 * What GPU work has to wait for besides events: the work before it on its stream, its launch,
 * the work of the same graph that ended last. Where the stream stands still although the work
 * was there, and work of another stream has just ended, there was a wait that the trace does
 * not show.
 */
#include "algo/sort.h"
#include "analysis/critpath_input.h"

#define STANDS_STILL ((nsec)20000)   /* a longer gap on a stream wants a reason */
#define JUST_ENDED   ((nsec)20000)   /* and work that ended no longer before may be it */
#define LONG_QUEUE   ((nsec)1000000) /* longer in an empty queue: it was not empty */

static void bind_stream(struct path_source *s, uint32_t i)
{
	const struct gpu_op *op = &s->gpu.op[i], *before = op - 1;

	if (i > s->gpu.stream[op->stream].first)
		critpath_bind(s, i, op_track(s, i - 1), MIN_OF(before->end, op->start), EDGE_STREAM,
			      0);
}

/* The instant of the launching thread at which the work can start. */
static void bind_launch(struct path_source *s, uint32_t i)
{
	const struct gpu_op *op = &s->gpu.op[i];

	if (op->call == NONE)
		return;
	const struct path_call *c = &s->calls.at[op->call];
	nsec ready = c->start >= op->start ? op->start
		     : c->waited           ? critpath_enqueued(s, c)
					   : MIN_OF(c->end, op->start);
	bool alone = i == s->gpu.stream[op->stream].first;

	critpath_bind(s, i, c->thread, ready, EDGE_LAUNCH,
		      alone && op->start - ready > LONG_QUEUE ? EDGE_QUEUED : 0);
}

static bool ends_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct gpu_op *op = ctx;

	return op[x].end < op[y].end;
}

static bool starts_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct gpu_op *op = ctx;

	return op[x].start < op[y].start;
}

struct orders {
	uint32_t *start, *end, *spare; /* room for all ops */
};

/* The work of one launch: each piece hangs on the one that ended last before it. */
static void bind_graph(struct path_source *s, const struct path_call *c, struct orders o)
{
	const struct gpu_op *op = s->gpu.op;
	uint32_t n = 0, ended = 0;

	for (uint32_t i = c->first_op; i != NONE; i = op[i].sibling)
		o.start[n] = o.end[n] = i, n++;
	if (n < 2)
		return;
	sort_ids(o.start, n, o.spare, starts_before, op);
	sort_ids(o.end, n, o.spare, ends_before, op);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = o.start[k], last;

		while (ended < n && op[o.end[ended]].end <= op[i].start)
			ended++;
		for (last = ended; last > 0 && o.end[last - 1] == i;)
			last--;
		if (last)
			critpath_bind(s, i, op_track(s, o.end[last - 1]), op[o.end[last - 1]].end,
				      EDGE_GRAPH, EDGE_INFERRED);
	}
}

/* Of all work by end, the last that ended at or before t. */
static uint32_t last_ended(const struct gpu_op *op, const uint32_t *by_end, uint32_t n, nsec t)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (op[by_end[mid]].end <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : NONE;
}

/* Does the gap before this work want a better reason than it has? */
static bool wants_reason(const struct path_source *s, uint32_t i)
{
	if (s->gpu.op[i].start - s->bound[i] <= STANDS_STILL)
		return false;
	return s->bound_kind[i] == EDGE_STREAM ||
	       (s->bound_kind[i] == EDGE_LAUNCH && s->told_to_wait[i]);
}

/*
 * The last work of another stream that ended before it. If the stream was told to wait that
 * may be long ago; if not, it is a reason only if it has just ended.
 */
static void infer_waits(struct path_source *s, const uint32_t *by_end)
{
	const struct gpu *g = &s->gpu;

	for (uint32_t i = 0; i < g->nops; i++) {
		const struct gpu_op *op = &g->op[i];
		uint32_t k = wants_reason(s, i) ? last_ended(g->op, by_end, g->nops, op->start)
						: NONE;
		if (k == NONE)
			continue;
		const struct gpu_op *other = &g->op[by_end[k]];
		bool same_device = s->tr->lanes.at[g->stream[other->stream].lane].device ==
				   s->tr->lanes.at[g->stream[op->stream].lane].device;
		if (other->stream == op->stream || !same_device || other->start >= op->start ||
		    other->end <= s->bound[i] ||
		    (!s->told_to_wait[i] && op->start - other->end > JUST_ENDED))
			continue;
		critpath_bind(s, i, op_track(s, by_end[k]), other->end, EDGE_EVENT, EDGE_INFERRED);
		s->inferred++;
	}
}

void critpath_order(struct path_source *s)
{
	uint32_t n = s->gpu.nops;
	struct orders o = { NEW(s->arena, n, uint32_t), NEW(s->arena, n, uint32_t),
			    NEW(s->arena, n, uint32_t) };

	for (uint32_t i = 0; i < n; i++) {
		bind_stream(s, i);
		bind_launch(s, i);
	}
	for (uint32_t i = 0; i < s->calls.n; i++)
		bind_graph(s, &s->calls.at[i], o);
	for (uint32_t i = 0; i < n; i++)
		o.end[i] = i;
	sort_ids(o.end, n, o.spare, ends_before, s->gpu.op);
	infer_waits(s, o.end);
}
