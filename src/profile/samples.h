/*
 * samples.h - how often, or for how long, which stack was seen.
 *
 * A column that says nothing is not there: without `count` every sample stands for
 * one, without `weight` it weighs its count, without `time` nobody knows when. A stack
 * of NONE is a sample of nothing: it keeps its row (and its time) and is in no sum.
 */
#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include "profile/stacks.h"

struct sample {
	stack_id stack;
	nsec time; /* NSEC_NONE: unknown */
	int64_t weight;
	uint32_t count;
};

struct samples {
	size_t n, cap;
	stack_id *stack;
	nsec *time;
	int64_t *weight;
	uint32_t *count;
};

void samples_add(struct samples *s, struct sample x);
/* Makes the column of weights, if it is not there. */
void samples_need_weight(struct samples *s);
/* Moves all of `from`, which is then empty, behind those of `to`. */
void samples_append(struct samples *to, struct samples *from);
void samples_free(struct samples *s);

static inline uint32_t samples_count(const struct samples *s, size_t i)
{
	return s->count ? s->count[i] : 1;
}

static inline int64_t samples_weight(const struct samples *s, size_t i)
{
	return s->weight ? s->weight[i] : samples_count(s, i);
}

/* Times of a file may be anything: what would leave 64 bits is their end. */
static inline nsec samples_after(nsec at, nsec by)
{
	nsec sum;

	return !__builtin_add_overflow(at, by, &sum) ? sum : by < 0 ? INT64_MIN : INT64_MAX;
}

static inline nsec samples_span(nsec from, nsec to)
{
	nsec span;

	return !__builtin_sub_overflow(to, from, &span) ? span : to < from ? INT64_MIN : INT64_MAX;
}

/* Do the weights of s[from..] add up within 64 bits, whatever their signs? */
bool samples_sum_fits(const struct samples *s, size_t from);

/*
 * One sample per distinct stack of s[from..], in ascending order of stack, and no times:
 * the same sums in less memory. Without effect on stacks too sparse to be counted.
 */
void samples_compact(struct samples *s, size_t from);

#endif
