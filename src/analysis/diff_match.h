/*
 * diff_match.h - which node of one list is which node of the other.
 *
 * First names are aligned in order with the fewest edits. Then, name by name, the nodes
 * that bear it are paired anew by what is below them; this changes who is paired, never
 * how many: as many pairs as the alignment has matches are "in place". Nodes of one name
 * left over on both sides are paired last, as "moved".
 *
 * Exchanging the lists gives the mirror.
 */
#ifndef ANALYSIS_DIFF_MATCH_H
#define ANALYSIS_DIFF_MATCH_H

#include "analysis/diff_side.h"

enum diff_how {
	DIFF_UNMATCHED,
	DIFF_IN_PLACE,
	DIFF_MOVED,
	DIFF_CHANGED, /* paired in spite of their names */
};

struct diff_list {
	uint32_t n;
	const uint32_t *node;
};

/*
 * Fills partner[0..a.n) with places in b or NONE, and how[0..a.n); gives the number of
 * pairs. With `bare`, names count without their details.
 */
uint32_t diff_match(const struct diff_sides *d, struct diff_list a, struct diff_list b, bool bare,
		    uint32_t *partner, uint8_t *how, struct arena *scratch);

#endif
