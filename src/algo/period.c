#include "algo/period.h"

#include <string.h>

/* The rarest name with three places, the smallest id among equals; NONE if there is none. */
static uint32_t find_anchor(const uint32_t *name, uint32_t n, uint32_t nnames, struct arena *a)
{
	uint32_t *count = NEW(a, nnames, uint32_t), best = NONE;

	for (uint32_t i = 0; i < n; i++)
		count[name[i]]++;
	for (uint32_t id = 0; id < nnames; id++)
		if (count[id] >= 3 && (best == NONE || count[id] < count[best]))
			best = id;
	return best;
}

/* gaps[g] is set for every distance g between neighbouring places of the anchor. */
static bool *find_gaps(const uint32_t *name, uint32_t n, uint32_t anchor, struct arena *a)
{
	bool *gaps = NEW(a, n + 1, bool);
	uint32_t last = NONE;

	for (uint32_t i = 0; i < n; i++)
		if (name[i] == anchor) {
			if (last != NONE)
				gaps[i - last] = true;
			last = i;
		}
	return gaps;
}

/* The first of the longest runs of places that equal the one p further on. */
static struct period longest_run(const uint32_t *name, uint32_t n, uint32_t p)
{
	uint32_t best = 0, start = 0, run = 0;

	for (uint32_t i = 0; i + p < n; i++) {
		run = name[i] == name[i + p] ? run + 1 : 0;
		if (run > best) {
			best = run;
			start = i + 1 - run;
		}
	}
	return (struct period){ p, start, (best + p) / p };
}

static uint64_t covered_thousandths(struct period p, uint32_t n)
{
	return ((uint64_t)p.repeats * p.length * 2000 + n) / (2 * (uint64_t)n);
}

static bool better(struct period p, struct period than, uint32_t n)
{
	uint64_t a = covered_thousandths(p, n), b = than.length ? covered_thousandths(than, n) : 0;

	if (than.length && p.length % than.length == 0)
		return a > b + 50;
	return a > b;
}

struct period period_find(const uint32_t *name, uint32_t n, uint32_t nnames, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct period best = { 0 };
	uint32_t anchor = find_anchor(name, n, nnames, scratch);

	if (anchor != NONE) {
		bool *gaps = find_gaps(name, n, anchor, scratch);

		for (uint32_t p = 1; p <= n / 3; p++) {
			if (!gaps[p])
				continue;
			struct period c = longest_run(name, n, p);
			bool enough = c.repeats >= 3 && 2 * (uint64_t)c.repeats * p > n;
			if (enough && better(c, best, n))
				best = c;
		}
	}
	arena_rewind(scratch, mark);
	return best;
}

uint32_t period_blocks(const uint32_t *name, const bool *light, uint32_t n, struct period p,
		       uint32_t *begin, uint32_t *end)
{
	uint32_t nblocks = 0, at = 0;

	for (uint32_t i = p.start; i < n; i++) {
		if (name[i] != name[p.start + at]) {
			if (!light[i])
				break;
			continue;
		}
		if (at == 0)
			begin[nblocks] = i;
		if (++at == p.length) {
			end[nblocks++] = i + 1;
			at = 0;
		}
	}
	return nblocks;
}
