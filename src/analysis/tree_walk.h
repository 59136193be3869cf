/*
 * tree_walk.h - the part of a call tree that is shown: so many roots, so deep, so large.
 *
 * Rows are in preorder, ranked as the view ranks them. If there would be more than
 * `max_nodes`, it is the heaviest nodes that stay (each with its path).
 */
#ifndef ANALYSIS_TREE_WALK_H
#define ANALYSIS_TREE_WALK_H

#include "analysis/tree_rows.h"

struct tree_budget {
	uint32_t roots;     /* 0: all */
	uint32_t depth;     /* levels, the root included; 0: all */
	uint64_t min_total; /* smaller totals are left out, with all below them */
	uint32_t max_nodes; /* 0: no limit */
	bool forks;         /* top-down: leave out nodes that pass 99.9 % on to one callee */
	bool no_leaves;     /* ... but not to a callee that calls nothing: it is a mere launch */
	bool pairs;         /* rows are to have the names of their nodes; top-down they do */
};

struct tree_walk;

/*
 * Row by row, if they are sure to be within the limit. Inverted nodes are given back as soon
 * as they are rows, so the view is spent afterwards (it makes itself anew when it is asked
 * again) and must not be asked meanwhile.
 */
struct tree_walk *tree_walk_begin(struct tree_view *v, struct tree_budget b, struct tree_rows *out);
/* There are at most so many rows. */
uint64_t tree_walk_most(const struct tree_walk *w);
/* Appends the next row to `out`; false past the last. */
bool tree_walk_next(struct tree_walk *w);
void tree_walk_end(struct tree_walk *w);

/* All of them; of a counted view only if they are sure to be within the limit. */
void tree_walk(struct tree_view *v, struct tree_budget b, struct tree_rows *out);

#endif
