/*
 * All operations sweep their inputs once from early to late. x minus y:
 *
 *	x    [----------)   [------)
 *	y       [--)  [--------)
 *	     [-)   [--)        [---)
 */
#include "algo/spans.h"

#include "algo/sort.h"
#include "base/check.h"

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct span *at = ctx;

	return at[a].start < at[b].start;
}

struct spans spans_merge(struct span *at, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		struct span s = at[i];
		if (s.end <= s.start)
			continue;
		if (out && s.start <= at[out - 1].end)
			at[out - 1].end = MAX_OF(at[out - 1].end, s.end);
		else
			at[out++] = s;
	}
	return (struct spans){ out, at };
}

struct spans spans_union(struct arena *a, const struct span *at, size_t n)
{
	CHECK(n < UINT32_MAX);
	struct span *sorted = NEW(a, n, struct span);
	struct arena_mark mark = arena_mark(a);
	uint32_t *order = NEW(a, n, uint32_t), *spare = NEW(a, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, (uint32_t)n, spare, starts_before, at);
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = at[order[i]];
	arena_rewind(a, mark);
	return spans_merge(sorted, n);
}

struct spans spans_subtract(struct arena *a, struct spans x, struct spans y)
{
	struct span *out = NEW(a, x.n + y.n, struct span);
	size_t n = 0, j = 0;

	for (size_t i = 0; i < x.n; i++) {
		nsec from = x.at[i].start;
		while (j < y.n && y.at[j].end <= from)
			j++;
		for (size_t k = j; k < y.n && y.at[k].start < x.at[i].end; k++) {
			if (from < y.at[k].start)
				out[n++] = (struct span){ from, y.at[k].start };
			from = y.at[k].end;
			j = k;
		}
		if (from < x.at[i].end)
			out[n++] = (struct span){ from, x.at[i].end };
	}
	return (struct spans){ n, out };
}

struct spans spans_intersect(struct arena *a, struct spans x, struct spans y)
{
	struct span *out = NEW(a, x.n + y.n, struct span);
	size_t n = 0;

	for (size_t i = 0, j = 0; i < x.n && j < y.n;) {
		struct span s = { MAX_OF(x.at[i].start, y.at[j].start),
				  MIN_OF(x.at[i].end, y.at[j].end) };
		if (s.start < s.end)
			out[n++] = s;
		if (x.at[i].end < y.at[j].end)
			i++;
		else
			j++;
	}
	return (struct spans){ n, out };
}

struct spans spans_within(struct arena *a, struct spans x, nsec start, nsec end)
{
	struct span window = { start, end };

	return spans_intersect(a, x, (struct spans){ start < end, &window });
}

nsec spans_length(struct spans x)
{
	nsec sum = 0;

	for (size_t i = 0; i < x.n; i++)
		sum += x.at[i].end - x.at[i].start;
	return sum;
}
