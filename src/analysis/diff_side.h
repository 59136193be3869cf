/*
 * diff_side.h - one of the two traces of a diff, as a tree.
 *
 * Host calls nest as in the call tree; GPU events hang below the calls that launched
 * them. Node 0 is the whole trace. Ids are places in preorder, as in trace/tree.h:
 *
 *	parent[i] < i < end[i],   the children of i are i + 1, end[i + 1], ...
 *
 * The diff itself sees only names, kinds and this shape, so it can be tried on trees
 * without a trace.
 */
#ifndef ANALYSIS_DIFF_SIDE_H
#define ANALYSIS_DIFF_SIDE_H

#include "analysis/diff_name.h"
#include "trace/trace.h"

enum diff_kind {
	DIFF_TRACE, /* node 0 */
	DIFF_OP,
	DIFF_PYTHON,
	DIFF_CALL,  /* of the runtime or driver */
	DIFF_GRAPH, /* a call that launches a graph of many GPU events */
	DIFF_LOOSE, /* all GPU events of one name that no recorded call launched */
	DIFF_KERNEL,
	DIFF_COPY,
	DIFF_SET,
};

enum diff_flag {
	DIFF_ON_GPU = 1 << 0,   /* is a GPU event or has one below */
	DIFF_NAMELESS = 1 << 1, /* its name is a stand-in: the number of the event */
	DIFF_LAUNCHES = 1 << 2, /* has a child of kind DIFF_CALL */
};

#define DIFF_LEVELS 4 /* of a fingerprint */

struct diff_side {
	struct trace *tr; /* NULL in tests of the merge alone */
	nsec from, to;    /* where GPU events are cut */
	uint32_t n;
	uint32_t *name;
	uint8_t *kind, *flags;
	node_id *parent, *end;
	event_id *event;        /* NONE: the node stands for no event */
	uint32_t *dims, *types; /* of an operator's inputs, numbered over both traces; or NONE */
	nsec *ts;               /* the place in time: only an order; NULL if nobody needs it */

	/*
	 * level[k][i] sums the hashes of the names k + 1 levels below i, on the GPU path:
	 * equal sums are equal multisets of names.
	 */
	uint64_t *level[DIFF_LEVELS];
	/* whole[i] is equal for nodes whose subtrees are: names, inputs, order, everything. */
	uint64_t *whole;
};

struct diff_sides {
	struct diff_names names;
	struct diff_side side[2];
	struct strings shapes;
	struct arena arena;
	struct arena prints; /* level and whole: for the merge alone */
};

/* Columns of n nodes, but for `ts`. */
static inline void diff_side_room(struct diff_side *s, struct arena *a, uint32_t n)
{
	s->name = NEW(a, n, uint32_t);
	s->kind = NEW(a, n, uint8_t);
	s->flags = NEW(a, n, uint8_t);
	s->parent = NEW(a, n, node_id);
	s->end = NEW(a, n, node_id);
	s->event = NEW(a, n, event_id);
	s->dims = NEW(a, n, uint32_t);
	s->types = NEW(a, n, uint32_t);
}

static inline bool diff_is_gpu(enum diff_kind k)
{
	return k >= DIFF_KERNEL;
}

static inline bool diff_on_gpu(const struct diff_side *s, uint32_t node)
{
	return s->flags[node] & DIFF_ON_GPU;
}

/* for (c = diff_first(s, i); c < s->end[i]; c = s->end[c]) */
static inline uint32_t diff_first(const struct diff_side *s, uint32_t i)
{
	(void)s;
	return i + 1;
}

/* Fills names by rank, flags and levels, once kind, name, parent and end are there. */
void diff_sides_finish(struct diff_sides *d);
/* After the merge: gives back what only it needs. */
void diff_sides_merged(struct diff_sides *d);
void diff_sides_free(struct diff_sides *d);

/* Whether the subtrees of u in the first trace and v in the second are the same. */
static inline bool diff_same_below(const struct diff_sides *d, uint32_t u, uint32_t v)
{
	const struct diff_side *a = &d->side[0], *b = &d->side[1];

	return a->whole[u] == b->whole[v] && a->end[u] - u == b->end[v] - v;
}

/* Levels 1..n of the fingerprint, and all of it, as one number. */
uint64_t diff_levels_key(const struct diff_side *s, uint32_t node, unsigned n);

#endif
