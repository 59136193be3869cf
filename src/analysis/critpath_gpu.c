#include "analysis/critpath_input.h"
#include "trace/link.h"

/* The links list GPU work by stream and start already; what has no valid time is left out. */
void critpath_gpu(struct path_source *s)
{
	struct trace *tr = s->tr;
	const struct links *links = trace_links(tr, LINK_BEST, TREE_FULL);
	struct gpu *g = &s->gpu;
	lane_id last = NONE;

	g->op = NEW(s->arena, links->n, struct gpu_op);
	g->stream = NEW(s->arena, tr->lanes.n, struct gpu_stream);
	for (uint32_t i = 0; i < links->n; i++) {
		event_id e = links->gpu[i], launch = links->launch[i];
		lane_id lane = tr->ev.lane[e];

		if (!trace_timed(tr, e))
			continue;
		if (lane != last)
			g->stream[g->nstreams++] = (struct gpu_stream){ lane, g->nops, g->nops };
		last = lane;
		g->op[g->nops++] = (struct gpu_op){ .event = e,
						    .launch = launch,
						    .start = tr->ev.ts[e] - tr->base,
						    .end = trace_end(tr, e) - tr->base,
						    .stream = g->nstreams - 1,
						    .call = NONE,
						    .sibling = NONE };
		g->stream[g->nstreams - 1].past = g->nops;
	}
	s->bound = NEW(s->arena, g->nops, nsec);
	s->bound_kind = NEW(s->arena, g->nops, uint8_t);
	s->told_to_wait = NEW(s->arena, g->nops, bool);
	for (uint32_t i = 0; i < g->nops; i++)
		s->bound_kind[i] = EDGE_KINDS;
}
