/*
 * Names that occur several times are assigned anew. The original scores all pairs of a
 * name by (equal leading levels of the fingerprints, names in common on the first level
 * that differs), sorts them, pairs the alignment had first among equals, and takes them
 * greedily. A pair of equal fingerprints beats any other pair of either node, so these
 * are found by sorting; only what they leave is scored pair by pair.
 */
#include "analysis/tracediff.h"

#include "algo/sort.h"
#include "analysis/diff_overlap.h"
#include "base/map.h"

#include <stdlib.h>

#define PAIRS_SCORED ((uint64_t)1 << 22) /* beyond, the names in common are not counted */

static uint32_t *names_of(const struct diff_sides *d, int side, const uint32_t *l, uint32_t n,
			  bool bare, struct arena *a)
{
	uint32_t *name = NEW(a, n, uint32_t);

	for (uint32_t i = 0; i < n; i++) {
		name[i] = d->side[side].name[l[i]];
		if (bare)
			name[i] = d->names.bare[name[i]];
	}
	return name;
}

struct tracediff_ops tracediff_align(const struct diff_sides *d, const uint32_t *l1, uint32_t n1,
				     const uint32_t *l2, uint32_t n2, bool bare, struct arena *a)
{
	struct tracediff_ops ops = { 0, NEW(a, (size_t)n1 + n2, struct align_op) };
	uint32_t *a1 = names_of(d, 0, l1, n1, bare, a), *a2 = names_of(d, 1, l2, n2, bare, a);

	ops.n = align_tracelens(a1, n1, a2, n2, ops.at, a);
	return tracediff_untangle(d, l1, n1, l2, n2, ops, a);
}

struct tangle {
	const struct diff_sides *d;
	const uint32_t *list[2]; /* nodes */
	uint32_t n[2];
	uint32_t *name[2], *aligned[2], *partner[2]; /* of each place */
	uint8_t *open[2]; /* of each place: bears a name that occurs several times */
	uint64_t *key[2]; /* of each place: its fingerprint */
	uint32_t *order[2], *spare;
	bool changed; /* some pair is not of the alignment */
	struct arena *a;
};

struct places {
	uint32_t *at[2], n[2];
};

static void pair(struct tangle *t, uint32_t i, uint32_t j)
{
	t->partner[0][i] = j;
	t->partner[1][j] = i;
	t->changed |= t->aligned[0][i] != j;
}

static void drop_paired(struct tangle *t, struct places *p)
{
	for (int k = 0; k < 2; k++) {
		uint32_t kept = 0;

		for (uint32_t i = 0; i < p->n[k]; i++)
			if (t->partner[k][p->at[k][i]] == NONE)
				p->at[k][kept++] = p->at[k][i];
		p->n[k] = kept;
	}
}

struct by_key {
	const uint64_t *key;
};

static bool key_before(const void *ctx, uint32_t a, uint32_t b)
{
	const uint64_t *key = ((const struct by_key *)ctx)->key;

	return key[a] != key[b] ? key[a] < key[b] : a < b;
}

static void sort_by_key(struct tangle *t, struct places *p)
{
	for (int k = 0; k < 2; k++) {
		struct by_key by = { t->key[k] };

		sort_ids(p->at[k], p->n[k], t->spare, key_before, &by);
	}
}

static bool place_before(const void *ctx, uint32_t a, uint32_t b)
{
	(void)ctx;
	return a < b;
}

static void pair_equal(struct tangle *t, struct places *p)
{
	for (uint32_t x = 0; x < p->n[0]; x++) {
		uint32_t i = p->at[0][x], j = t->aligned[0][i];

		if (j != NONE && t->key[0][i] == t->key[1][j])
			pair(t, i, j);
	}
	drop_paired(t, p);
	sort_by_key(t, p);
	for (uint32_t x = 0, y = 0; x < p->n[0] && y < p->n[1];) {
		uint64_t k0 = t->key[0][p->at[0][x]], k1 = t->key[1][p->at[1][y]];

		if (k0 == k1)
			pair(t, p->at[0][x++], p->at[1][y++]);
		else if (k0 < k1)
			x++;
		else
			y++;
	}
	drop_paired(t, p);
	for (int k = 0; k < 2; k++)
		sort_ids(p->at[k], p->n[k], t->spare, place_before, NULL);
}

struct scored {
	uint32_t i, j;
	uint64_t score;
};

static int best_first(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->i != y->i)
		return x->i < y->i ? -1 : 1;
	return (x->j > y->j) - (x->j < y->j);
}

/* Levels of one node that have been looked at. */
struct levels {
	struct overlap_names at[DIFF_LEVELS];
	bool known[DIFF_LEVELS];
};

static const struct overlap_names *level_of(struct tangle *t, struct levels *l, int side,
					    uint32_t node, unsigned level)
{
	if (!l->known[level])
		l->at[level] = overlap_names(&t->d->side[side], node, level, UINT32_MAX, t->a);
	l->known[level] = true;
	return &l->at[level];
}

static unsigned equal_levels(const struct tangle *t, uint32_t u, uint32_t v)
{
	unsigned k = 0;

	while (k < DIFF_LEVELS && t->d->side[0].level[k][u] == t->d->side[1].level[k][v])
		k++;
	return k;
}

static void score_all(struct tangle *t, const struct places *p)
{
	uint64_t n = (uint64_t)p->n[0] * p->n[1], at = 0;
	bool count = n <= PAIRS_SCORED;
	struct levels *l[2];

	if (!count) { /* by place */
		for (uint32_t i = 0; i < p->n[0] && i < p->n[1]; i++)
			pair(t, p->at[0][i], p->at[1][i]);
		return;
	}
	struct scored *s = NEW(t->a, n, struct scored);
	for (int k = 0; k < 2; k++)
		l[k] = NEW(t->a, p->n[k], struct levels);
	for (uint32_t x = 0; x < p->n[0]; x++)
		for (uint32_t y = 0; y < p->n[1]; y++) {
			uint32_t i = p->at[0][x], j = p->at[1][y];
			uint32_t u = t->list[0][i], v = t->list[1][j], common = 0;
			unsigned level = equal_levels(t, u, v);

			if (level < DIFF_LEVELS)
				common = overlap_common(level_of(t, &l[0][x], 0, u, level),
							level_of(t, &l[1][y], 1, v, level));
			s[at++] = (struct scored){ i, j,
						   (uint64_t)level << 40 | (uint64_t)common << 1 |
							   (t->aligned[0][i] == j) };
		}
	qsort(s, n, sizeof(*s), best_first);
	for (uint64_t x = 0; x < n; x++)
		if (t->partner[0][s[x].i] == NONE && t->partner[1][s[x].j] == NONE)
			pair(t, s[x].i, s[x].j);
}

static bool is_ambiguous(const struct tangle *t, const struct places *p)
{
	bool matched = false;

	if (!p->n[0] || !p->n[1] || (p->n[0] == 1 && p->n[1] == 1))
		return false;
	for (uint32_t x = 0; x < p->n[0]; x++)
		matched |= t->aligned[0][p->at[0][x]] != NONE;
	return matched;
}

static void assign_name(struct tangle *t, struct places p)
{
	if (!is_ambiguous(t, &p))
		return;
	for (int k = 0; k < 2; k++)
		for (uint32_t x = 0; x < p.n[k]; x++) {
			uint32_t place = p.at[k][x];

			t->open[k][place] = 1;
			t->key[k][place] = diff_levels_key(&t->d->side[k], t->list[k][place],
							   DIFF_LEVELS);
		}
	pair_equal(t, &p);
	if (p.n[0] && p.n[1])
		score_all(t, &p);
}

struct by_name {
	const uint32_t *name;
};

static bool name_before(const void *ctx, uint32_t a, uint32_t b)
{
	const uint32_t *name = ((const struct by_name *)ctx)->name;

	return name[a] < name[b];
}

static void each_name(struct tangle *t)
{
	for (int k = 0; k < 2; k++) {
		struct by_name by = { t->name[k] };

		for (uint32_t i = 0; i < t->n[k]; i++)
			t->order[k][i] = i;
		sort_ids(t->order[k], t->n[k], t->spare, name_before, &by);
	}
	for (uint32_t x = 0, y = 0; x < t->n[0] && y < t->n[1];) {
		uint32_t a = t->name[0][t->order[0][x]], b = t->name[1][t->order[1][y]];
		struct places p = { { t->order[0] + x, t->order[1] + y }, { 0, 0 } };

		while (x < t->n[0] && t->name[0][t->order[0][x]] == a && a <= b)
			x++, p.n[0]++;
		while (y < t->n[1] && t->name[1][t->order[1][y]] == b && b <= a)
			y++, p.n[1]++;
		assign_name(t, p);
	}
}

static bool touches(const struct tangle *t, struct align_op op)
{
	return (op.a != NONE && t->open[0][op.a]) || (op.b != NONE && t->open[1][op.b]);
}

static struct tracediff_ops new_ops(const struct tangle *t, struct tracediff_ops old)
{
	struct tracediff_ops ops = { 0, NEW(t->a, (size_t)t->n[0] + t->n[1], struct align_op) };

	for (uint32_t i = 0; i < old.n; i++)
		if (!touches(t, old.at[i]))
			ops.at[ops.n++] = old.at[i];
	for (uint32_t i = 0; i < t->n[0]; i++)
		if (t->open[0][i] && t->partner[0][i] != NONE)
			ops.at[ops.n++] = (struct align_op){ i, t->partner[0][i] };
	for (uint32_t i = 0; i < t->n[0]; i++)
		if (t->open[0][i] && t->partner[0][i] == NONE)
			ops.at[ops.n++] = (struct align_op){ i, NONE };
	for (uint32_t j = 0; j < t->n[1]; j++)
		if (t->open[1][j] && t->partner[1][j] == NONE)
			ops.at[ops.n++] = (struct align_op){ NONE, j };
	return ops;
}

struct tracediff_ops tracediff_untangle(const struct diff_sides *d, const uint32_t *l1, uint32_t n1,
					const uint32_t *l2, uint32_t n2, struct tracediff_ops ops,
					struct arena *a)
{
	struct tangle t = { .d = d, .list = { l1, l2 }, .n = { n1, n2 }, .a = a };

	for (int k = 0; k < 2; k++) {
		t.name[k] = names_of(d, k, t.list[k], t.n[k], false, a);
		t.aligned[k] = NEW(a, t.n[k], uint32_t);
		t.partner[k] = NEW(a, t.n[k], uint32_t);
		t.open[k] = NEW(a, t.n[k], uint8_t);
		t.key[k] = NEW(a, t.n[k], uint64_t);
		t.order[k] = NEW(a, t.n[k], uint32_t);
		memset(t.aligned[k], 0xff, t.n[k] * sizeof(uint32_t));
		memset(t.partner[k], 0xff, t.n[k] * sizeof(uint32_t));
	}
	t.spare = NEW(a, MAX_OF(n1, n2), uint32_t);
	for (uint32_t i = 0; i < ops.n; i++)
		if (ops.at[i].a != NONE && ops.at[i].b != NONE) {
			t.aligned[0][ops.at[i].a] = ops.at[i].b;
			t.aligned[1][ops.at[i].b] = ops.at[i].a;
		}
	each_name(&t);
	return t.changed ? new_ops(&t, ops) : ops;
}
