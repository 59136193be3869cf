/* align_step.h - the three engines behind align.h. All see names numbered 0 .. k-1. */
#ifndef ALGO_ALIGN_STEP_H
#define ALGO_ALIGN_STEP_H

#include "algo/align.h"

/*
 * Each walks back from the ends of both lists by the rule "equal: match; else delete the
 * last of a if that costs no match; else insert the last of b".
 */

/* Few differences: time (n + m) + D^2. False if more than ALIGN_NEAR of them. */
bool align_near(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t *partner,
		struct arena *scratch);
/* Any lists: time n * m / 64. */
void align_bits(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t k,
		uint32_t *partner, struct arena *scratch);
/* Giants: the longest rising chain through (r-th place of a name in a, r-th in b). */
void align_chain(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t k,
		 uint32_t *partner, struct arena *scratch);

#endif
