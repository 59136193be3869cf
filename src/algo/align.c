/*
 * Among several best alignments the rule picks one, from the front:
 *
 *	1. the shorter list is a; of equal lengths, the one that is smaller name by name;
 *	2. names absent on the other side are dropped: they can match nothing;
 *	3. equal fronts match; else the front of a goes if that costs no match; else b's.
 *
 * Rule 1 makes align(b, a) the mirror of align(a, b). A common front matches by rule 3,
 * so it is taken off before anything else. The engines work from the back, hence on
 * reversed lists; all of them find the alignment of the rule, so which of them ran
 * cannot be told from the answer. Only the chain for giants may miss matches.
 */
#include "algo/align_step.h"

#include "base/map.h"

#include <string.h>

/* One list with the names the other lacks dropped, turned round, names renumbered. */
struct reduced {
	uint32_t n;
	uint32_t *name;
	uint32_t *place; /* in the original list */
};

static struct map number_names(const uint32_t *a, uint32_t n, struct arena *s)
{
	struct map m = map_new(s, n);
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t *id = map_at(&m, a[i]);

		if (*id == NONE)
			*id = k++;
	}
	return m;
}

static struct reduced reduce(const uint32_t *a, uint32_t n, const struct map *in_a,
			     const struct map *in_b, struct arena *s)
{
	struct reduced r = { 0, NEW(s, n, uint32_t), NEW(s, n, uint32_t) };

	for (uint32_t i = n; i-- > 0;) {
		uint32_t id = map_get(in_a, a[i]);

		if (id == NONE || map_get(in_b, a[i]) == NONE)
			continue;
		r.name[r.n] = id;
		r.place[r.n++] = i;
	}
	return r;
}

static void solve(const struct reduced *a, const struct reduced *b, uint32_t k, uint32_t *partner,
		  struct arena *s)
{
	uint64_t cells = (uint64_t)a->n * b->n;

	if (cells > 4096 && align_near(a->name, a->n, b->name, b->n, partner, s))
		return;
	if (cells <= ALIGN_EXACT)
		align_bits(a->name, a->n, b->name, b->n, k, partner, s);
	else
		align_chain(a->name, a->n, b->name, b->n, k, partner, s);
}

/* a, b: what is left of the lists behind their common front of `front` places. */
static uint32_t align_rest(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			   uint32_t front, uint32_t *partner, struct arena *s)
{
	struct map in_a = number_names(a, n, s), in_b = number_names(b, m, s);
	struct reduced ra = reduce(a, n, &in_a, &in_b, s), rb = reduce(b, m, &in_a, &in_b, s);
	uint32_t *found = NEW(s, ra.n, uint32_t), matches = 0;

	memset(found, 0xff, ra.n * sizeof(*found));
	if (ra.n && rb.n)
		solve(&ra, &rb, n, found, s);
	memset(partner, 0xff, n * sizeof(*partner));
	for (uint32_t i = 0; i < ra.n; i++)
		if (found[i] != NONE) {
			partner[ra.place[i]] = front + rb.place[found[i]];
			matches++;
		}
	return matches;
}

static uint32_t align_ordered(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			      uint32_t *partner, struct arena *s)
{
	struct arena_mark mark = arena_mark(s);
	uint32_t front = 0;

	while (front < n && front < m && a[front] == b[front]) {
		partner[front] = front;
		front++;
	}
	if (front == n)
		return n;
	uint32_t matches = front + align_rest(a + front, n - front, b + front, m - front, front,
					      partner + front, s);
	arena_rewind(s, mark);
	return matches;
}

static bool comes_first(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
	uint32_t i = 0;

	if (n != m)
		return n < m;
	while (i < n && a[i] == b[i])
		i++;
	return i == n || a[i] < b[i];
}

uint32_t align_optimal(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
		       uint32_t *partner, struct arena *scratch)
{
	if (comes_first(a, n, b, m))
		return align_ordered(a, n, b, m, partner, scratch);

	struct arena_mark mark = arena_mark(scratch);
	uint32_t *back = NEW(scratch, m, uint32_t);
	uint32_t matches = align_ordered(b, m, a, n, back, scratch);

	memset(partner, 0xff, n * sizeof(*partner));
	for (uint32_t j = 0; j < m; j++)
		if (back[j] != NONE)
			partner[back[j]] = j;
	arena_rewind(scratch, mark);
	return matches;
}
