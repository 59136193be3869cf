/*
 * Myers' greedy walk, kept round by round. Diagonal k holds the cells (i, j) with
 * i - j = k; reach[d][k] is the largest i on it that d deletions and insertions can get to:
 *
 *	reach[d][k] = slide(max(reach[d-1][k-1] + 1, reach[d-1][k+1]))
 *
 * where slide runs down the diagonal while names agree. Along a diagonal the cost never
 * falls, so "cell (i, j) costs at most d" is reach[d][i - j] >= i: all the way back needs.
 */
#include "algo/align_step.h"

/* Round d has d + 1 diagonals, -d, -d + 2 .. d; rounds lie one after the other. */
static size_t slot(int64_t d, int64_t k)
{
	return (size_t)(d * (d + 1) / 2 + (d + k) / 2);
}

static int64_t reach_of(const int32_t *reach, int64_t d, int64_t k)
{
	return d < 0 || k < -d || k > d ? -1 : reach[slot(d, k)];
}

static int64_t slide(const uint32_t *a, int64_t n, const uint32_t *b, int64_t m, int64_t i,
		     int64_t k)
{
	while (i < n && i - k < m && a[i] == b[i - k])
		i++;
	return i;
}

/* The furthest start on diagonal k in round d; -1: none. */
static int64_t step_to(const int32_t *reach, int64_t d, int64_t k, int64_t n, int64_t m)
{
	int64_t del = reach_of(reach, d - 1, k - 1), ins = reach_of(reach, d - 1, k + 1);
	int64_t i = reach_of(reach, d - 2,
			     k); /* what fewer steps can, more can: also at the edges */

	if (!d)
		return 0;
	if (del >= 0 && del < n)
		i = del + 1;
	if (ins >= 0 && ins - k <= m && ins > i)
		i = ins;
	return i;
}

/* The number of differences; -1 if more than ALIGN_NEAR. */
static int64_t walk(const uint32_t *a, int64_t n, const uint32_t *b, int64_t m, int32_t *reach)
{
	for (int64_t d = 0; d <= ALIGN_NEAR; d++) {
		for (int64_t k = -d; k <= d; k += 2) {
			int64_t i = step_to(reach, d, k, n, m);

			reach[slot(d, k)] = (int32_t)(i < 0 ? -1 : slide(a, n, b, m, i, k));
		}
		if (reach_of(reach, d, n - m) == n)
			return d;
	}
	return -1;
}

static void walk_back(const uint32_t *a, int64_t n, const uint32_t *b, int64_t m, int64_t d,
		      const int32_t *reach, uint32_t *partner)
{
	int64_t i = n, j = m;

	while (i > 0 && j > 0) {
		if (a[i - 1] == b[j - 1]) {
			partner[--i] = (uint32_t)--j;
		} else if (reach_of(reach, d - 1, i - 1 - j) >= i - 1) {
			i--, d--;
		} else {
			j--, d--;
		}
	}
}

bool align_near(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t *partner,
		struct arena *scratch)
{
	uint32_t apart = n < m ? m - n : n - m;

	if (apart > ALIGN_NEAR || MAX_OF(n, m) > INT32_MAX)
		return false;
	struct arena_mark mark = arena_mark(scratch);
	int32_t *reach = NEW(scratch, slot(ALIGN_NEAR + 1, -ALIGN_NEAR - 1), int32_t);
	int64_t d = walk(a, n, b, m, reach);

	if (d >= 0)
		walk_back(a, n, b, m, d, reach, partner);
	arena_rewind(scratch, mark);
	return d >= 0;
}
