/*
 * diff_merge.h - two trees as one.
 *
 * A merged node stands for a node of either trace or for one of each; every node of both
 * trees is in exactly one. Seen from one trace alone (leaving out what is only in the
 * other), parents and children are those of that trace. Ids are places in preorder.
 */
#ifndef ANALYSIS_DIFF_MERGE_H
#define ANALYSIS_DIFF_MERGE_H

#include "analysis/diff_match.h"

struct diff_merged {
	uint32_t n;
	uint32_t *node[2]; /* in each side; NONE: only in the other */
	uint8_t *how;      /* enum diff_how */
	uint32_t *parent, *end;
};

struct diff_merged diff_merge(const struct diff_sides *d, struct arena *a);

static inline bool diff_combined(const struct diff_merged *m, uint32_t i)
{
	return m->node[0][i] != NONE && m->node[1][i] != NONE;
}

#endif
