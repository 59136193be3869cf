/*
 * sort.h - stable sorting of row ids, near linear where the rows are nearly in order.
 *
 * Rows are sorted as 32-bit ids so that no column moves. `before(ctx, a, b)` says
 * that row a must stand before row b; rows of which neither is before the other
 * keep their order. The sort is inlined with its comparison.
 *
 *	sort_ids(order, n, spare, starts_before, ev);
 */
#ifndef ALGO_SORT_H
#define ALGO_SORT_H

#include "base/base.h"

#include <string.h>

typedef bool sort_before(const void *ctx, uint32_t a, uint32_t b);

#define SORT_INLINE   static inline __attribute__((always_inline))
#define SORT_MIN_RUN  16
#define SORT_MAX_RUNS 64 /* powers of open runs rise strictly: at most one per bit of n */

struct sort_run {
	uint32_t from, to;
	int power;
};

/* The end of the run that begins at `from`, made rising and at least SORT_MIN_RUN long. */
SORT_INLINE uint32_t sort_run_end(uint32_t *id, uint32_t from, uint32_t n, sort_before *before,
				  const void *ctx)
{
	uint32_t to = from + 1;

	if (to < n && before(ctx, id[to], id[from])) {
		while (to + 1 < n && before(ctx, id[to + 1], id[to]))
			to++;
		for (uint32_t i = from, j = to++; i < j; i++, j--) {
			uint32_t swap = id[i];
			id[i] = id[j];
			id[j] = swap;
		}
	}
	while (to < n && !before(ctx, id[to], id[to - 1]))
		to++;
	for (; to < n && to < from + SORT_MIN_RUN; to++) {
		uint32_t x = id[to], i = to;
		for (; i > from && before(ctx, x, id[i - 1]); i--)
			id[i] = id[i - 1];
		id[i] = x;
	}
	return to;
}

/* Merges the neighbours [from, mid) and [mid, to): only what really interleaves is moved. */
SORT_INLINE void sort_merge(uint32_t *id, uint32_t from, uint32_t mid, uint32_t to, uint32_t *spare,
			    sort_before *before, const void *ctx)
{
	uint32_t lo = from, hi = mid;

	while (lo < hi) {
		uint32_t m = lo + (hi - lo) / 2;
		if (before(ctx, id[mid], id[m]))
			hi = m;
		else
			lo = m + 1;
	}
	uint32_t nleft = mid - lo, i = 0, j = mid, out = lo;
	memcpy(spare, id + lo, nleft * sizeof(*id));
	while (i < nleft && j < to)
		id[out++] = before(ctx, id[j], spare[i]) ? id[j++] : spare[i++];
	memcpy(id + out, spare + i, (nleft - i) * sizeof(*id));
}

/* How deep a perfectly balanced merge tree over n rows would part the runs left and [left.to, to).
 */
SORT_INLINE int sort_power(struct sort_run left, uint32_t to, uint32_t n)
{
	uint64_t a = (uint64_t)left.from + left.to, b = (uint64_t)left.to + to;

	return __builtin_clzll(((a << 30) / n ^ (b << 30) / n) | 1);
}

/* `spare` has room for n ids. Runs are merged in the order of a nearly optimal tree (powersort). */
SORT_INLINE void sort_ids(uint32_t *id, uint32_t n, uint32_t *spare, sort_before *before,
			  const void *ctx)
{
	struct sort_run stack[SORT_MAX_RUNS];
	int top = 0;

	for (uint32_t from = 0; from < n;) {
		struct sort_run run = { from, sort_run_end(id, from, n, before, ctx), 0 };
		int power = top ? sort_power(stack[top - 1], run.to, n) : 0;

		for (; top > 1 && stack[top - 2].power > power; top--) {
			struct sort_run *left = &stack[top - 2], *right = &stack[top - 1];
			sort_merge(id, left->from, right->from, right->to, spare, before, ctx);
			left->to = right->to;
		}
		if (top)
			stack[top - 1].power = power;
		stack[top++] = run;
		from = run.to;
	}
	for (; top > 1; top--) {
		struct sort_run *left = &stack[top - 2], *right = &stack[top - 1];
		sort_merge(id, left->from, right->from, right->to, spare, before, ctx);
		left->to = right->to;
	}
}

#endif
