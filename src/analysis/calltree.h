/*
 * calltree.h - the stacks of a profile as one asks about them, and what they weigh.
 *
 * Transforms make other stacks of the profile's (tree_transform.h); `map` leads from the
 * ones to the others. A filter changes nothing but sums: which thread, which stretch of
 * time, which stacks. So whatever is numbered by stacks stays valid under every filter.
 */
#ifndef ANALYSIS_CALLTREE_H
#define ANALYSIS_CALLTREE_H

#include "profile/profile.h"

enum measure {
	MEASURE_WEIGHT,
	MEASURE_COUNT, /* samples, calls, kernels */
	MEASURE_WAIT,  /* the part of the weight that only waits for a GPU */
	MEASURE_SOME,  /* stacks whose own weight is not zero: weights of both signs may cancel */
	MEASURES
};

struct tree_filter {
	uint32_t thread; /* NONE: all those with the unit of `like` */
	uint32_t like;
	bool windowed;
	bool by_origin;      /* the window is about what caused a sample, where that is known */
	nsec from, to;       /* half open */
	const uint8_t *keep; /* per stack of the call tree: 0 leaves its samples out; NULL: all */
	bool no_waits;
};

struct calltree {
	const struct profile *p;
	struct stacks st; /* canonical; a transform's, or the profile's own */
	bool owned;       /* st is freed with this */
	stack_id *map;    /* the profile's stack -> ours, NONE: left out; NULL: the same */
};

/* Sums per stack of its own samples. A column that would say nothing is NULL. */
struct tree_sums {
	int64_t *self[MEASURES];
	int64_t sum;       /* of the weights */
	int64_t magnitude; /* of their absolute values, stack by stack: what is 100 % */
	int64_t count;
	int64_t wait;
};

struct calltree calltree_of(const struct profile *p);
void calltree_free(struct calltree *ct);

static inline stack_id calltree_stack(const struct calltree *ct, stack_id profile_stack)
{
	return profile_stack == NONE || !ct->map ? profile_stack : ct->map[profile_stack];
}

/* Does the filter take this thread? */
bool calltree_takes(const struct calltree *ct, const struct tree_filter *f, uint32_t thread);
/* The stack of a sample of such a thread, and what it weighs; NONE if the filter leaves it out. */
stack_id calltree_sample(const struct calltree *ct, const struct tree_filter *f, size_t i,
			 int64_t *weight);
struct tree_sums calltree_sums(const struct calltree *ct, const struct tree_filter *f);
void tree_sums_free(struct tree_sums *s);

/* The thread that weighs most; among those that run operators or launches, if there are any. */
uint32_t calltree_busiest(const struct profile *p);
/* 1 for each stack that any sample of any thread has. The caller frees it. */
uint8_t *calltree_sampled(const struct calltree *ct);

#endif
