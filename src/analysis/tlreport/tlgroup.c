#include "analysis/tlreport/tlgroup.h"

#include "algo/sort.h"
#include "base/hash.h"

static uint32_t *number_rows(struct arena *a, const uint32_t *key, uint32_t width, uint32_t n,
			     uint32_t *ngroups)
{
	uint32_t *group = NEW(a, n, uint32_t), mask = 15;
	size_t size = width * sizeof(*key);

	while (mask < 2 * (uint64_t)n)
		mask = 2 * mask + 1;
	uint32_t *slot = NEW(a, (size_t)mask + 1, uint32_t); /* row + 1 of the group's first */
	*ngroups = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *k = key + (size_t)i * width;
		uint32_t at = (uint32_t)hash_bytes((const char *)k, size) & mask;

		while (slot[at] && memcmp(key + (size_t)(slot[at] - 1) * width, k, size) != 0)
			at = (at + 1) & mask;
		group[i] = slot[at] ? group[slot[at] - 1] : (*ngroups)++;
		if (!slot[at])
			slot[at] = i + 1;
	}
	return group;
}

struct tlgroups tlgroup_by(struct arena *a, const uint32_t *key, uint32_t width, uint32_t n)
{
	struct arena scratch = { 0 };
	struct tlgroups g = { 0 };
	uint32_t *group = number_rows(&scratch, key, width, n, &g.n);

	g.first = NEW(a, (size_t)g.n + 1, uint32_t);
	g.row = NEW(a, n, uint32_t);
	uint32_t *next = NEW(&scratch, g.n, uint32_t);
	for (uint32_t i = 0; i < n; i++)
		g.first[group[i] + 1]++;
	for (uint32_t i = 0; i < g.n; i++) {
		g.first[i + 1] += g.first[i];
		next[i] = g.first[i];
	}
	for (uint32_t i = 0; i < n; i++)
		g.row[next[group[i]]++] = i;
	arena_free(&scratch);
	return g;
}

struct ranked {
	const double *value;
	const int64_t *tie;
};

static bool ranks_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct ranked *r = ctx;

	if (r->value[a] != r->value[b])
		return r->value[a] > r->value[b];
	return r->tie && r->tie[a] < r->tie[b];
}

uint32_t *tlgroup_order(struct arena *a, uint32_t n, const double *value, const int64_t *tie)
{
	struct ranked r = { value, tie };
	uint32_t *order = NEW(a, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(a, n, uint32_t), ranks_before, &r);
	return order;
}
