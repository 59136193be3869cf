/*
 * invert.h - the call tree turned round: functions first, then who called them.
 *
 * There is no inverted tree: there are the sampled stacks in suffix order, and a node is a
 * range of them, all those whose last functions are the node's path.
 *
 *	root vecPush              [ 13 | 6  11 )       stacks ending in vecPush
 *	vecPush <- queueEvent          [ 6  11 )       ... in queueEvent;vecPush
 *
 * Opening a node sorts its range by the next caller and makes one node per caller, so only
 * what is looked at is ever sorted. A total is the difference of two running sums. The
 * order, and so the nodes and their names (leaf, at), do not depend on filters, nor
 * on what has been opened before: `leaf` is the first of the range in preorder, `at` its
 * ancestor at the node's depth (the pair of call nodes of the literature).
 */
#ifndef ANALYSIS_INVERT_H
#define ANALYSIS_INVERT_H

#include "analysis/calltree.h"

struct inverted_node {
	uint32_t begin, end; /* places in suffix order */
	func_id func;
	uint32_t parent;           /* NONE for a root */
	uint32_t first, nchildren; /* in ascending order of function; first NONE: not opened yet */
	stack_id leaf, at;
};

struct inverted {
	const struct stacks *st;
	const struct counted *counted; /* instead of those */
	uint32_t nfuncs;
	uint32_t n;             /* stacks with samples */
	stack_id *leaf;         /* in suffix order, as far as it is known */
	stack_id *deep;         /* of each: its ancestor as many callers up as its node is deep */
	int64_t *run[MEASURES]; /* running sums over leaf[]; n + 1 of them; NULL as in tree_sums */
	struct inverted_node *node; /* the first nroots are the roots, in order of function */
	uint32_t nnodes, cap, nroots;
	uint32_t *count, *next; /* scratch: per function */
	func_id *funcs;         /* scratch: the callers of one range */
	uint32_t funcs_cap;
	uint32_t *spare_place; /* scratch: one range */
	int64_t *spare;        /* likewise: of stacks, or of sums */
	uint32_t spare_cap;
};

void inverted_build(struct inverted *v, const struct calltree *ct);
/* New sums; nodes stay as they are. */
void inverted_weigh(struct inverted *v, const struct tree_sums *u);
/* Makes the children of a node, once. node[] may move. */
void inverted_open(struct inverted *v, uint32_t node);
/* The node x of a range whose stacks are known; for those who build one. */
void inverted_add_node(struct inverted *v, struct inverted_node x);
void inverted_free(struct inverted *v);

/* Of a counted profile: only the roots, with their totals. They cannot be opened. */
void inverted_roots(struct inverted *v, const struct calltree *ct, const struct tree_filter *f);

/* The stacks that end in each of some functions. */
struct inverted_leaves {
	uint32_t n;
	uint32_t *first; /* of function i: first[i] up to first[i + 1] */
	stack_id *stack;
};

struct inverted_leaves inverted_gather(const struct calltree *ct, const struct tree_filter *f,
				       const func_id *root, uint32_t n);
void inverted_leaves_free(struct inverted_leaves *l);
/* Becomes the tree of the i-th of them alone, its root node 0; of no others than these,
 * whose stacks it puts in order and which must outlive it. */
void inverted_plant(struct inverted *v, const struct calltree *ct, const struct tree_filter *f,
		    const struct inverted_leaves *l, uint32_t i);

static inline int64_t inverted_total(const struct inverted *v, uint32_t node, enum measure m)
{
	const struct inverted_node *x = &v->node[node];

	return v->run[m] ? v->run[m][x->end] - v->run[m][x->begin] : 0;
}

/* Is there anything below this node under the filter? */
static inline bool inverted_shown(const struct inverted *v, uint32_t node)
{
	return inverted_total(v, node, v->run[MEASURE_SOME] ? MEASURE_SOME : MEASURE_WEIGHT) != 0;
}

#endif
