/* diff_overlap.h - how much two nodes have in common on one level below them. */
#ifndef ANALYSIS_DIFF_OVERLAP_H
#define ANALYSIS_DIFF_OVERLAP_H

#include "analysis/diff_side.h"

/* The rising names on a level below a node (0: the children), on the GPU path. */
struct overlap_names {
	uint32_t n;
	uint32_t *name;
	uint32_t looked; /* nodes looked at */
	bool over;       /* there were too many: no names */
};

/* Looks at no more than `most` nodes. */
struct overlap_names overlap_names(const struct diff_side *s, uint32_t node, unsigned level,
				   uint32_t most, struct arena *a);

/* The size of the intersection of two multisets. */
uint32_t overlap_common(const struct overlap_names *a, const struct overlap_names *b);

struct overlap_list {
	const struct diff_side *side;
	const uint32_t *node; /* of each place */
	const uint32_t *place;
	uint32_t n;
};

struct overlap {
	uint32_t a, b; /* places */
	uint32_t score;
};

#define OVERLAP_PAIRS 4096
#define OVERLAP_NAMES 65536

/*
 * All pairs of the two lists, best first: most names in common on the level, then equal
 * dims, equal types, aligned with each other, then by place. No pairs (*n = 0) if there
 * would be more than OVERLAP_PAIRS, or more than OVERLAP_NAMES nodes to look at.
 */
struct overlap *overlap_sorted(struct overlap_list a, struct overlap_list b, unsigned level,
			       const uint32_t *aligned, uint32_t *n, struct arena *scratch);

#endif
