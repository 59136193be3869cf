/*
 * Points (i, j) where a[i] is the r-th of its name in a and b[j] the r-th in b; the
 * longest chain that rises in both is found by patience: tail[l] is the smallest last j
 * of a chain of length l + 1. It is the best alignment if no name repeats.
 */
#include "algo/align_step.h"

#include <string.h>

/* For each place of a, the place in b of the same occurrence of its name; or NONE. */
static uint32_t *same_occurrence(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
				 uint32_t k, struct arena *s)
{
	uint32_t *next = NEW(s, m, uint32_t), *head = NEW(s, k, uint32_t),
		 *to = NEW(s, n, uint32_t);

	memset(head, 0xff, k * sizeof(*head));
	for (uint32_t j = m; j-- > 0;) {
		next[j] = head[b[j]];
		head[b[j]] = j;
	}
	for (uint32_t i = 0; i < n; i++) {
		to[i] = head[a[i]];
		if (to[i] != NONE)
			head[a[i]] = next[to[i]];
	}
	return to;
}

/* The number of tails below j. */
static uint32_t lower(const uint32_t *to, const uint32_t *tail, uint32_t n, uint32_t j)
{
	uint32_t lo = 0;

	while (lo < n) {
		uint32_t mid = lo + (n - lo) / 2;

		if (to[tail[mid]] < j)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

void align_chain(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t k,
		 uint32_t *partner, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	uint32_t *to = same_occurrence(a, n, b, m, k, scratch);
	uint32_t *tail = NEW(scratch, n, uint32_t), *before = NEW(scratch, n, uint32_t), len = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (to[i] == NONE)
			continue;
		uint32_t l = lower(to, tail, len, to[i]);

		before[i] = l ? tail[l - 1] : NONE;
		tail[l] = i;
		len = MAX_OF(len, l + 1);
	}
	for (uint32_t i = len ? tail[len - 1] : NONE; i != NONE; i = before[i])
		partner[i] = to[i];
	arena_rewind(scratch, mark);
}
