/*
 * Within one name, pairs are made in passes, each over what the passes before left:
 *
 *	equal fingerprint, dims and types  ->  ... and dims  ->  equal fingerprint
 *	3 equal leading levels, then 2, 1, 0: most names in common on the next level, then
 *	equal shapes
 *
 * A pass gives each node a key and pairs equal keys: first pairs the alignment had, then
 * the r-th with the r-th. So all but the counting of common names is a sort. That is
 * done for all combinations of a class, while there are at most OVERLAP_PAIRS of them
 * with OVERLAP_NAMES names; beyond, shapes and order decide.
 */
#include "analysis/diff_match.h"

#include "analysis/diff_overlap.h"
#include "algo/align.h"
#include "algo/sort.h"
#include "base/check.h"
#include "base/hash.h"

struct half {
	const struct diff_side *side;
	uint32_t n;
	const uint32_t *node;
	uint32_t *name;
	uint32_t *partner; /* place in the other half, so far */
	uint32_t *order;   /* places by name, then place */
	uint64_t *key;     /* of this pass, by place */
};

struct matcher {
	const struct diff_sides *d;
	struct arena *scratch;
	struct half a, b;
	uint32_t *aligned; /* of each place in a: its partner by the alignment */
	uint8_t *how;      /* of each place in a */
	uint32_t *spare;
	uint32_t quota; /* of this name: how many more pairs are in place */
	uint32_t pairs;
};

/* The nodes of one name that have no partner yet. */
struct open {
	uint32_t *a, *b;
	uint32_t na, nb;
};

static void pair(struct matcher *m, uint32_t i, uint32_t j)
{
	m->a.partner[i] = j;
	m->b.partner[j] = i;
	m->pairs++;
}

static uint32_t drop_paired(const struct half *h, uint32_t *place, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (h->partner[place[i]] == NONE)
			place[kept++] = place[i];
	return kept;
}

static void drop_pairs(const struct matcher *m, struct open *o)
{
	o->na = drop_paired(&m->a, o->a, o->na);
	o->nb = drop_paired(&m->b, o->b, o->nb);
}

enum shape { SHAPE_ANY, SHAPE_DIMS, SHAPE_ALL };

static void set_keys(struct half *h, const uint32_t *place, uint32_t n, unsigned levels,
		     enum shape shape)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = h->node[place[i]];
		uint64_t key = diff_levels_key(h->side, node, levels);

		if (shape >= SHAPE_DIMS)
			key = hash_mix(key, hash_u64(h->side->dims[node]) | 1);
		if (shape >= SHAPE_ALL)
			key = hash_mix(key, hash_u64(h->side->types[node]) | 1);
		h->key[place[i]] = key;
	}
}

static bool key_before(const void *ctx, uint32_t i, uint32_t j)
{
	const struct half *h = ctx;

	return h->key[i] != h->key[j] ? h->key[i] < h->key[j] : i < j;
}

/* Calls `each` with the runs of equal keys that stand on both sides. */
typedef void on_class(struct matcher *m, struct open c, unsigned levels);

static void each_class(struct matcher *m, struct open *o, unsigned levels, on_class *each)
{
	sort_ids(o->a, o->na, m->spare, key_before, &m->a);
	sort_ids(o->b, o->nb, m->spare, key_before, &m->b);
	for (uint32_t i = 0, j = 0; i < o->na && j < o->nb;) {
		uint64_t ka = m->a.key[o->a[i]], kb = m->b.key[o->b[j]];
		struct open c = { o->a + i, o->b + j, 0, 0 };

		while (i < o->na && m->a.key[o->a[i]] == ka && ka <= kb)
			i++, c.na++;
		while (j < o->nb && m->b.key[o->b[j]] == kb && kb <= ka)
			j++, c.nb++;
		if (c.na && c.nb)
			each(m, c, levels);
	}
	drop_pairs(m, o);
}

static void pair_in_order(struct matcher *m, struct open c, unsigned levels)
{
	(void)levels;
	for (uint32_t i = 0; i < c.na && i < c.nb; i++)
		pair(m, c.a[i], c.b[i]);
}

static void pair_by_key(struct matcher *m, struct open *o, unsigned levels, enum shape shape)
{
	if (!o->na || !o->nb)
		return;
	set_keys(&m->a, o->a, o->na, levels, shape);
	set_keys(&m->b, o->b, o->nb, levels, shape);
	for (uint32_t i = 0; i < o->na; i++) {
		uint32_t p = o->a[i], q = m->aligned[p];

		if (q != NONE && m->b.partner[q] == NONE && m->a.key[p] == m->b.key[q])
			pair(m, p, q);
	}
	drop_pairs(m, o);
	each_class(m, o, levels, pair_in_order);
}

static void pair_by_overlap(struct matcher *m, struct open c, unsigned levels)
{
	struct arena_mark mark = arena_mark(m->scratch);
	struct overlap_list la = { m->a.side, m->a.node, c.a, c.na };
	struct overlap_list lb = { m->b.side, m->b.node, c.b, c.nb };
	uint32_t n = 0;
	struct overlap *best = overlap_sorted(la, lb, levels, m->aligned, &n, m->scratch);

	for (uint32_t i = 0; i < n; i++)
		if (m->a.partner[best[i].a] == NONE && m->b.partner[best[i].b] == NONE)
			pair(m, best[i].a, best[i].b);
	arena_rewind(m->scratch, mark);
}

static void pair_by_level(struct matcher *m, struct open *o, unsigned levels)
{
	if (!o->na || !o->nb)
		return;
	set_keys(&m->a, o->a, o->na, levels, SHAPE_ANY);
	set_keys(&m->b, o->b, o->nb, levels, SHAPE_ANY);
	each_class(m, o, levels, pair_by_overlap);
	for (int shape = SHAPE_ALL; shape >= SHAPE_ANY; shape--)
		pair_by_key(m, o, levels, (enum shape)shape);
}

/* In place first what the alignment had, then in the order of places, as many as it had. */
static void say_how(struct matcher *m, const uint32_t *place, uint32_t n, uint32_t quota)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = place[i];

		if (m->a.partner[p] != NONE && m->a.partner[p] == m->aligned[p]) {
			m->how[p] = DIFF_IN_PLACE;
			quota--;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = place[i];

		if (m->a.partner[p] == NONE || m->how[p] == DIFF_IN_PLACE)
			continue;
		m->how[p] = quota ? DIFF_IN_PLACE : DIFF_MOVED;
		quota -= quota != 0;
	}
}

static uint32_t count_aligned(const struct matcher *m, struct open o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < o.na; i++)
		n += m->aligned[o.a[i]] != NONE;
	return n;
}

/* All nodes of one name; both lists rise. */
static void pair_name(struct matcher *m, struct open o)
{
	uint32_t quota = count_aligned(m, o), n = o.na;
	uint32_t before = m->pairs, want = MIN_OF(o.na, o.nb);
	struct arena_mark mark = arena_mark(m->scratch);
	uint32_t *all = NEW(m->scratch, n, uint32_t);

	memcpy(all, o.a, n * sizeof(*all));
	if (o.na == 1 && o.nb == 1)
		pair(m, o.a[0], o.b[0]);
	for (int shape = SHAPE_ALL; m->pairs < before + want && shape >= SHAPE_ANY; shape--)
		pair_by_key(m, &o, DIFF_LEVELS, (enum shape)shape);
	for (unsigned levels = DIFF_LEVELS; m->pairs < before + want && levels-- > 0;)
		pair_by_level(m, &o, levels);
	CHECK(m->pairs == before + want && quota <= want);
	say_how(m, all, n, quota);
	arena_rewind(m->scratch, mark);
}

static bool name_before(const void *ctx, uint32_t i, uint32_t j)
{
	const struct half *h = ctx;

	return h->name[i] < h->name[j];
}

static void pair_names(struct matcher *m)
{
	struct half *a = &m->a, *b = &m->b;

	for (uint32_t i = 0; i < a->n; i++)
		a->order[i] = i;
	for (uint32_t j = 0; j < b->n; j++)
		b->order[j] = j;
	sort_ids(a->order, a->n, m->spare, name_before, a);
	sort_ids(b->order, b->n, m->spare, name_before, b);
	for (uint32_t i = 0, j = 0; i < a->n && j < b->n;) {
		uint32_t na = a->name[a->order[i]], nb = b->name[b->order[j]];
		struct open o = { a->order + i, b->order + j, 0, 0 };

		while (i < a->n && a->name[a->order[i]] == na && na <= nb)
			i++, o.na++;
		while (j < b->n && b->name[b->order[j]] == nb && nb <= na)
			j++, o.nb++;
		if (o.na && o.nb)
			pair_name(m, o);
	}
}

static struct half half_new(const struct diff_sides *d, int side, struct diff_list l, bool bare,
			    struct arena *s)
{
	struct half h = { &d->side[side], l.n, l.node };

	h.name = NEW(s, l.n, uint32_t);
	h.partner = NEW(s, l.n, uint32_t);
	h.order = NEW(s, l.n, uint32_t);
	h.key = NEW(s, l.n, uint64_t);
	memset(h.partner, 0xff, l.n * sizeof(*h.partner));
	for (uint32_t i = 0; i < l.n; i++) {
		uint32_t name = h.side->name[l.node[i]];

		h.name[i] = bare ? d->names.bare[name] : name;
	}
	return h;
}

/* Names, fingerprints and shapes agree place by place: each is its own best partner. */
static bool same(const struct half *a, const struct half *b)
{
	if (a->n != b->n || memcmp(a->name, b->name, a->n * sizeof(*a->name)))
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t u = a->node[i], v = b->node[i];

		if (a->side->dims[u] != b->side->dims[v] || a->side->types[u] != b->side->types[v])
			return false;
		for (int k = 0; k < DIFF_LEVELS; k++)
			if (a->side->level[k][u] != b->side->level[k][v])
				return false;
	}
	return true;
}

/* An order of lists that does not ask which trace they are of. */
static bool comes_first(const struct half *a, const struct half *b)
{
	if (a->n != b->n)
		return a->n < b->n;
	for (uint32_t i = 0; i < a->n; i++) {
		if (a->name[i] != b->name[i])
			return a->name[i] < b->name[i];
		uint64_t ka = diff_levels_key(a->side, a->node[i], DIFF_LEVELS);
		uint64_t kb = diff_levels_key(b->side, b->node[i], DIFF_LEVELS);
		if (ka != kb)
			return ka < kb;
	}
	return true;
}

static void match(struct matcher *m)
{
	struct half *a = &m->a, *b = &m->b;

	m->aligned = NEW(m->scratch, a->n, uint32_t);
	m->how = NEW(m->scratch, a->n, uint8_t);
	m->spare = NEW(m->scratch, MAX_OF(a->n, b->n), uint32_t);
	align_optimal(a->name, a->n, b->name, b->n, m->aligned, m->scratch);
	pair_names(m);
}

uint32_t diff_match(const struct diff_sides *d, struct diff_list a, struct diff_list b, bool bare,
		    uint32_t *partner, uint8_t *how, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct half ha = half_new(d, 0, a, bare, scratch), hb = half_new(d, 1, b, bare, scratch);
	struct matcher m = { .d = d, .scratch = scratch };

	memset(partner, 0xff, a.n * sizeof(*partner));
	memset(how, DIFF_UNMATCHED, a.n);
	if (same(&ha, &hb)) {
		for (uint32_t i = 0; i < a.n; i++)
			partner[i] = i;
		memset(how, DIFF_IN_PLACE, a.n);
		m.pairs = a.n;
	} else {
		bool first = comes_first(&ha, &hb);

		m.a = first ? ha : hb;
		m.b = first ? hb : ha;
		match(&m);
		for (uint32_t i = 0; i < m.a.n; i++) {
			uint32_t j = m.a.partner[i], place = first ? i : j;

			if (j == NONE)
				continue;
			partner[place] = first ? j : i;
			how[place] = m.how[i];
		}
	}
	arena_rewind(scratch, mark);
	return m.pairs;
}
