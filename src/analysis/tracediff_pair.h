/*
 * tracediff_pair.h - the children of one pair of nodes, matched by the phases of the original.
 *
 *	tracediff_children    lists of children, and a lone child that is a chain (phase 1)
 *	tracediff_reconcile   wrappers among what has no match (phase 3)
 *	tracediff_collapse    chains among what is left (phase 4)
 */
#ifndef ANALYSIS_TRACEDIFF_PAIR_H
#define ANALYSIS_TRACEDIFF_PAIR_H

#include "analysis/tracediff.h"
#include "base/map.h"

struct list {
	uint32_t n;
	uint32_t *node;
};

/* What is the same for all pairs. */
struct tracediff_trees {
	const struct diff_sides *d;
	struct map lift[2]; /* top -> lifted */
	uint32_t *seen[2];  /* by name: the round that last saw it among the children ... */
	uint32_t *last[2];  /* ... and the last child of that name */
	uint32_t round;
};

struct tracediff_pair {
	struct tracediff_trees *t;
	uint32_t u[2]; /* NONE: only in the other trace; a chain of one child moves it down */
	struct list l[2];
	struct tracediff_ops ops; /* places in the lists */
	struct arena *a;
};

/* Fills the lists. */
void tracediff_children(struct tracediff_pair *w);
/* By place if there are as many and no launches among them; else by name. */
struct tracediff_ops tracediff_match(struct tracediff_pair *w, struct list a, struct list b);
void tracediff_reconcile(struct tracediff_pair *w);
void tracediff_collapse(struct tracediff_pair *w);

/* Places without a match. */
struct list tracediff_unmatched(struct tracediff_pair *w, int side);
/* In the order of the tree. */
struct list tracediff_gpu_children(const struct tracediff_trees *t, int side, uint32_t node,
				   struct arena *a);
void tracediff_sort_by_start(struct tracediff_pair *w, int side);

static inline bool tracediff_named(const struct diff_side *s, uint32_t i)
{
	return !(s->flags[i] & DIFF_NAMELESS);
}

#endif
