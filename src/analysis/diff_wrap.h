/*
 * diff_wrap.h - the children of a matched pair, matched; looking through wrappers.
 *
 * A child without a partner may be a wrapper: an operator around what the other side
 * calls directly, or under another name. It is opened then: its children look for
 * partners beside the other children, and it stays as a node of one side around them.
 */
#ifndef ANALYSIS_DIFF_WRAP_H
#define ANALYSIS_DIFF_WRAP_H

#include "analysis/diff_match.h"

/* What the matching of two trees comes to, by node. */
struct diff_pairs {
	const struct diff_sides *d;
	uint32_t *partner[2]; /* node of the other side, or NONE */
	uint8_t *how;         /* by node of side 0 */
	uint8_t *open[2];     /* a wrapper looked through: something below it has a partner */
};

/*
 * What stands directly below a node when wrappers are transparent: the opened wrappers
 * themselves and all that is in them, by rising id, which is the order of the tree.
 */
struct diff_items {
	uint32_t n;
	uint32_t *node;
	uint32_t *in; /* the item of the wrapper around this one; NONE: a child */
};

struct diff_items diff_items(const struct diff_pairs *p, int side, uint32_t node, struct arena *a);

/* Finds the partners of all that stands below the pair (u, v). */
void diff_match_children(struct diff_pairs *p, uint32_t u, uint32_t v, struct arena *scratch);

#endif
