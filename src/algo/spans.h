/*
 * spans.h - sets of time.
 *
 * A set is an array of half-open intervals [start, end) that rise and neither
 * overlap nor touch; none is empty. Every operation is one sweep over its inputs.
 */
#ifndef ALGO_SPANS_H
#define ALGO_SPANS_H

#include "base/arena.h"

struct span {
	nsec start, end;
};

struct spans {
	size_t n;
	struct span *at;
};

/* The union of n intervals in any order; empty and reversed ones add nothing. `at` is left as it
 * is. */
struct spans spans_union(struct arena *a, const struct span *at, size_t n);
/* The same of intervals already sorted by start, in place: the result is a front part of `at`. */
struct spans spans_merge(struct span *at, size_t n);
/* What is in x and not in y; in x and in y. */
struct spans spans_subtract(struct arena *a, struct spans x, struct spans y);
struct spans spans_intersect(struct arena *a, struct spans x, struct spans y);
/* The part of x within [start, end). */
struct spans spans_within(struct arena *a, struct spans x, nsec start, nsec end);
nsec spans_length(struct spans x);

#endif
