/*
 * topdown.h - the call tree as it is: a node is a stack, its total that of all stacks
 * below it.
 */
#ifndef ANALYSIS_TOPDOWN_H
#define ANALYSIS_TOPDOWN_H

#include "analysis/calltree.h"

struct topdown {
	const struct stacks *st;
	int64_t *total[MEASURES]; /* NULL as in tree_sums */
	uint8_t *shown;           /* its total is not 0, or that of something below it */
};

void topdown_weigh(struct topdown *t, const struct calltree *ct, const struct tree_sums *u);
void topdown_free(struct topdown *t);

/* Totals and selfs per function; recursion counts once. Arrays of nfuncs, the caller's. */
void topdown_functions(const struct calltree *ct, const struct tree_sums *u, enum measure m,
		       int64_t *total, int64_t *self);

#endif
