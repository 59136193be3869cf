/*
 * period.h - the repeating pattern in a list of names.
 *
 * The rarest name that occurs three times is the anchor; the gaps between its
 * places are the periods to try. A period p holds over a run of places i with
 * name[i] == name[i + p]; it must repeat three times and cover half of the list.
 */
#ifndef ALGO_PERIOD_H
#define ALGO_PERIOD_H

#include "base/arena.h"

struct period {
	uint32_t length;  /* 0: nothing repeats */
	uint32_t start;   /* first place of the first whole pattern */
	uint32_t repeats; /* whole patterns from start on */
};

/*
 * Names are small ids below `nnames`. Best: the largest share of the list covered (in
 * thousandths), then the shortest; a multiple of a better period only if it covers 5 %
 * more. Time n per distinct gap of the anchor: at most n * sqrt(2n).
 */
struct period period_find(const uint32_t *name, uint32_t n, uint32_t nnames, struct arena *scratch);

/*
 * Where the blocks of the pattern begin and end (one past), from p.start on. An item
 * that does not fit is skipped if `light` says so, else it ends the search; a block left
 * incomplete is dropped. Both arrays hold n items at most; returns the number of blocks.
 */
uint32_t period_blocks(const uint32_t *name, const bool *light, uint32_t n, struct period p,
		       uint32_t *begin, uint32_t *end);

#endif
