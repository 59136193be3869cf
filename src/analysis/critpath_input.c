#include "analysis/critpath_input.h"

#include <string.h>

static void *grow(struct grown *g, struct arena *a, size_t size)
{
	if (g->n == g->room) {
		g->room = g->room ? 2 * g->room : 256;
		void *more = arena_array(a, g->room, size);
		if (g->n)
			memcpy(more, g->at, g->n * size);
		g->at = more;
	}
	return (char *)g->at + g->n++ * size;
}

void critpath_add(struct path_source *s, struct path_constraint c)
{
	*(struct path_constraint *)grow(&s->constraints, s->arena, sizeof(c)) = c;
}

void critpath_bind(struct path_source *s, uint32_t op, uint32_t src, nsec from, enum edge_kind k,
		   uint8_t flags)
{
	nsec start = s->gpu.op[op].start;

	critpath_add(s, (struct path_constraint){ src, op_track(s, op), from, start, (uint8_t)k,
						  flags });
	if (s->bound_kind[op] == EDGE_KINDS || from > s->bound[op] ||
	    (from == s->bound[op] && k < s->bound_kind[op])) {
		s->bound[op] = from;
		s->bound_kind[op] = (uint8_t)k;
	}
}

/* The window of the trace, and what little of ours may lie outside it. */
static void span_of(const struct path_source *s, struct path_input *in)
{
	in->start = s->tr->start - s->tr->base;
	in->end = s->tr->end - s->tr->base;
	for (uint32_t i = 0; i < in->npieces; i++) {
		in->start = MIN_OF(in->start, in->piece[i].start);
		in->end = MAX_OF(in->end, in->piece[i].end);
	}
}

struct path_graph *critpath_of_trace(struct trace *tr, struct arena *a, uint32_t *inferred)
{
	struct arena scratch = { 0 };
	struct path_source s = { .tr = tr, .arena = &scratch };
	struct path_input in = { 0 };

	s.names = critpath_call_names(tr, &scratch);
	critpath_host(&s);
	critpath_gpu(&s);
	critpath_calls(&s);
	critpath_sync(&s);
	critpath_order(&s);
	critpath_pieces(&s, &in, NEW(a, (size_t)s.host.nthreads + s.gpu.nops, struct path_track));
	in.wait = s.wait;
	in.nwaits = s.nwaits;
	in.constraint = s.constraints.at;
	in.nconstraints = s.constraints.n;
	span_of(&s, &in);
	struct path_graph *g = critpath_graph_build(&in, a);
	*inferred = s.inferred;
	arena_free(&scratch);
	return g;
}
