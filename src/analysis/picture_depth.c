/*
 * How deep a bar lies: below its caller, as the call tree says, and where that depth is taken at
 * the first free one below; what is in no tree (work of a stream, annotations) at the first free
 * one of all.
 *
 *	depth 0   [ caller .................. )[ caller )
 *	depth 1     [ callee ...... )[ callee )
 *	depth 2                   [ outlives its caller ... )      pushed down by nobody
 *
 * Only so many taken depths are passed; what then still overlaps shares the last one.
 */
#include "analysis/picture.h"

#include "trace/tree.h"

#define PASSED   32
#define ROUNDING 1 /* ns: start and length are rounded apart */

struct picture_depths picture_depths_new(struct trace *tr, uint32_t longest_lane, struct arena *a)
{
	const struct tree *t = trace_tree(tr, TREE_FULL);
	struct picture_depths d = { .tr = tr,
				    .tree = t,
				    .anchor = NEW(a, t->n, node_id),
				    .depth = NEW(a, t->n, uint32_t),
				    .until = NEW(a, (size_t)longest_lane + 1, nsec) };

	for (node_id i = 0; i < t->n; i++)
		d.anchor[i] = trace_timed(tr, t->event[i]) ? i
			      : t->parent[i] == NONE       ? NONE
							   : d.anchor[t->parent[i]];
	return d;
}

/* The least depth a bar may have. */
static uint32_t least_depth(const struct picture_depths *d, node_id node)
{
	node_id up = node == NONE || d->tree->parent[node] == NONE
			     ? NONE
			     : d->anchor[d->tree->parent[node]];

	return up == NONE ? 0 : d->depth[up] + 1;
}

uint32_t picture_depths_of(struct picture_depths *d, const event_id *e, uint32_t n, uint32_t *depth)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < n; i++) {
		node_id node = d->tree->node[e[i]];
		nsec start = d->tr->ev.ts[e[i]], end = trace_end(d->tr, e[i]);
		uint32_t at = least_depth(d, node);

		for (uint32_t passed = 0; passed < PASSED && at < used; passed++, at++)
			if (d->until[at] <= start + ROUNDING)
				break;
		if (at == used)
			d->until[used++] = end;
		d->until[at] = MAX_OF(d->until[at], end);
		depth[i] = at;
		if (node != NONE)
			d->depth[node] = at;
	}
	return used;
}
