/*
 *	thread  --[root 0]----[root 1]--------[root 2]------
 *	tiles     |-- 0 -----|-- 1 -----------|-- 2 ----|     the last as long as the median
 *
 * A tile runs to the next root of the same thread, so what is launched between two
 * iterations belongs to the first. Roots that overlap keep their own span and are counted.
 */
#include "analysis/split.h"

#include <stdlib.h>

static int by_lane_and_start(const void *x, const void *y)
{
	const struct tile *a = x, *b = y;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->root > b->root) - (a->root < b->root);
}

static int by_length(const void *x, const void *y)
{
	nsec a = *(const nsec *)x, b = *(const nsec *)y;

	return (a > b) - (a < b);
}

/* Of `n` lengths; the mean of the middle two for an even count. */
static nsec median(nsec *length, uint32_t n)
{
	qsort(length, n, sizeof(*length), by_length);
	return n % 2 ? length[n / 2] : (length[n / 2 - 1] + length[n / 2]) / 2;
}

/* Stretches the tiles [first, end) of one lane. */
static void close_gaps(struct tiles *t, uint32_t first, uint32_t end, nsec *scratch)
{
	for (uint32_t i = first; i + 1 < end; i++) {
		if (t->at[i + 1].start >= t->at[i].end)
			t->at[i].end = t->at[i + 1].start;
		else
			t->noverlaps++;
		scratch[i - first] = t->at[i].end - t->at[i].start;
	}
	if (end - first < 2)
		return;
	struct tile *last = &t->at[end - 1];
	nsec usual = median(scratch, end - first - 1);
	if (last->end - last->start < usual)
		last->end = last->start + usual;
}

struct tiles split_tiles(const struct trace *tr, const struct root_set *r, struct arena *a)
{
	struct tiles t = { r->n, NEW(a, r->n, struct tile), 0 };
	nsec *scratch = NEW(a, r->n, nsec);

	for (uint32_t i = 0; i < r->n; i++)
		t.at[i] = (struct tile){ r->root[i].start, r->root[i].end, r->root[i].lane,
					 r->on_gpu ? 0 : tr->lanes.at[r->root[i].lane].process, i };
	qsort(t.at, t.n, sizeof(*t.at), by_lane_and_start);
	for (uint32_t i = 0, end; i < t.n; i = end) {
		for (end = i + 1; end < t.n && t.at[end].lane == t.at[i].lane; end++)
			;
		close_gaps(&t, i, end, scratch);
	}
	return t;
}

/* Rows of one process, or of one lane of it. */
static uint32_t lower(const struct tiles *t, uint32_t process, lane_id lane, nsec at)
{
	uint32_t lo = 0, hi = t->n;
	struct tile key = { at, 0, lane, process, NONE };

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (by_lane_and_start(&t->at[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint32_t find_in_lane(const struct tiles *t, uint32_t process, lane_id lane, nsec at)
{
	uint32_t i = lower(t, process, lane, at);

	if (i && t->at[i - 1].process == process && t->at[i - 1].lane == lane &&
	    at < t->at[i - 1].end)
		return t->at[i - 1].root;
	return NONE;
}

static bool has_lane(const struct tiles *t, uint32_t process, lane_id lane)
{
	uint32_t i = lower(t, process, lane, INT64_MIN);

	return i < t->n && t->at[i].process == process && t->at[i].lane == lane;
}

/*
 * A thread with roots has its own tiles. Any other thread of the process goes by the
 * first of its lanes (in their order) that has a tile there; process NONE asks them all.
 */
uint32_t tiles_find(const struct tiles *t, uint32_t process, lane_id lane, nsec at)
{
	if (process != NONE && lane != NONE && has_lane(t, process, lane))
		return find_in_lane(t, process, lane, at);
	uint32_t i = process == NONE ? 0 : lower(t, process, 0, INT64_MIN);
	while (i < t->n && (process == NONE || t->at[i].process == process)) {
		const struct tile *own = &t->at[i];
		uint32_t root = find_in_lane(t, own->process, own->lane, at);

		if (root != NONE)
			return root;
		i = lower(t, own->process, own->lane, INT64_MAX);
	}
	return NONE;
}
