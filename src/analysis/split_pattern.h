/*
 * split_pattern.h - iterations that run the same kernels in the same order.
 *
 * Prefill, mixed and decode iterations, or the phases of a curriculum, differ in the
 * sequence of their kernels even where no name says so, and however they interleave.
 */
#ifndef ANALYSIS_SPLIT_PATTERN_H
#define ANALYSIS_SPLIT_PATTERN_H

#include "analysis/split_slice.h"

struct patterns {
	uint32_t n;
	uint32_t *of; /* pattern of each iteration; numbered by first appearance */
	uint32_t *count;
	uint32_t *representative; /* the iteration of median GPU time */
	uint32_t *first;
};

struct patterns split_patterns(const struct slices *s, struct arena *a);

#endif
