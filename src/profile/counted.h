/*
 * counted.h - a profile as it has been read: stacks in the order of the file, and how often
 * each was seen in each thread.
 *
 * That is all an inverted tree needs, and a few bytes a stack. Whoever wants more, stacks in
 * preorder or samples, calls profile_sort(), which makes those of it.
 */
#ifndef PROFILE_COUNTED_H
#define PROFILE_COUNTED_H

#include "base/narrow.h"
#include "profile/samples.h"

struct counted {
	struct narrow up;   /* rows back to the caller; 0: a root */
	struct narrow func; /* as many as there are stacks */
	uint32_t nthreads;
	struct narrow *count; /* of each thread; stacks past its end were not seen */
};

static inline uint32_t counted_stacks(const struct counted *c)
{
	return (uint32_t)c->func.n;
}

static inline stack_id counted_caller(const struct counted *c, stack_id s)
{
	uint32_t up = narrow_get(&c->up, s);

	return up ? s - up : NONE;
}

static inline uint32_t counted_count(const struct counted *c, uint32_t thread, stack_id s)
{
	return s < c->count[thread].n ? narrow_get(&c->count[thread], s) : 0;
}

/* The stacks, not sorted yet; their columns are then gone from `c`. */
struct stacks counted_to_stacks(struct counted *c);
/* One sample for each stack of a thread that was seen; its counts are then gone. */
struct samples counted_to_samples(struct narrow *count);
void counted_free(struct counted *c);

#endif
