/*
 * tlgroup.h - rows with equal keys put together; a key is a few 32-bit words.
 *
 * Groups are numbered by their first row; rows keep their order within a group.
 */
#ifndef ANALYSIS_TLGROUP_H
#define ANALYSIS_TLGROUP_H

#include "base/arena.h"

struct tlgroups {
	uint32_t n;
	uint32_t *first; /* n + 1: of each group in row[] */
	uint32_t *row;
};

/* key: `width` words of each of `n` rows. */
struct tlgroups tlgroup_by(struct arena *a, const uint32_t *key, uint32_t width, uint32_t n);
/* Groups by `value`, largest first; ties by `tie`, smallest first, if it is given. */
uint32_t *tlgroup_order(struct arena *a, uint32_t n, const double *value, const int64_t *tie);

#endif
