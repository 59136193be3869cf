/*
 * 1. Rounds, at most ROUNDS of them: match what has no partner; then open the wrappers
 *    among what is left. A node is opened as far down its chain (the only child on the GPU
 *    path, again and again) as a level is found with a child named like a node of the other
 *    side that has no partner either.
 * 2. If both sides have just one operator on the GPU path, the one is the other.
 * 3. Rounds again, beginning with wrappers of which some level has children named, in
 *    order, like a level of the other side. This does not count if the children are
 *    launches alone: any two operators have such children.
 * 4. The last nodes of the chains left are compared: by name, then, for Python frames, by
 *    the name without details.
 *
 * Both directions are treated alike, so exchanging the sides gives the mirror. Kernels,
 * copies and calls are never wrappers; a graph launch may be.
 */
#include "analysis/diff_wrap.h"

#include "base/hash.h"
#include "base/map.h"

#define ROUNDS 6

/* Items of one side without a partner, not opened: what still looks for one. */
struct loose {
	const struct diff_side *side;
	uint32_t n;
	uint32_t *node;
};

struct wrap {
	struct diff_pairs *p;
	uint32_t root[2]; /* the pair */
	struct loose loose[2];
	bool opened; /* some wrapper */
	struct arena *scratch;
};

struct diff_items diff_items(const struct diff_pairs *p, int side, uint32_t node, struct arena *a)
{
	const struct diff_side *s = &p->d->side[side];
	struct diff_items l = { 0 };
	uint32_t in = NONE;

	for (int pass = 0; pass < 2; pass++) {
		l.n = 0;
		for (uint32_t c = diff_first(s, node); c < s->end[node]; l.n++) {
			if (pass) {
				while (in != NONE && c >= s->end[l.node[in]])
					in = l.in[in];
				l.node[l.n] = c;
				l.in[l.n] = in;
				in = p->open[side][c] ? l.n : in;
			}
			c = p->open[side][c] ? c + 1 : s->end[c];
		}
		if (!pass) {
			l.node = NEW(a, l.n, uint32_t);
			l.in = NEW(a, l.n, uint32_t);
		}
	}
	return l;
}

static void collect_loose(struct wrap *w)
{
	for (int k = 0; k < 2; k++) {
		struct diff_items l = diff_items(w->p, k, w->root[k], w->scratch);
		struct loose *o = &w->loose[k];

		*o = (struct loose){ &w->p->d->side[k], 0, l.node };
		for (uint32_t i = 0; i < l.n; i++)
			if (w->p->partner[k][l.node[i]] == NONE && !w->p->open[k][l.node[i]])
				o->node[o->n++] = l.node[i];
	}
}

static bool both_loose(const struct wrap *w)
{
	return w->loose[0].n && w->loose[1].n;
}

static void set_partner(struct diff_pairs *p, uint32_t u, uint32_t v, enum diff_how how)
{
	p->partner[0][u] = v;
	p->partner[1][v] = u;
	p->how[u] = how;
}

static void match_nodes(struct wrap *w, struct diff_list a, struct diff_list b, bool bare)
{
	uint32_t *partner = NEW(w->scratch, a.n, uint32_t);
	uint8_t *how = NEW(w->scratch, a.n, uint8_t);

	diff_match(w->p->d, a, b, bare, partner, how, w->scratch);
	for (uint32_t i = 0; i < a.n; i++)
		if (partner[i] != NONE)
			set_partner(w->p, a.node[i], b.node[partner[i]], how[i]);
}

static void match_loose(struct wrap *w)
{
	match_nodes(w, (struct diff_list){ w->loose[0].n, w->loose[0].node },
		    (struct diff_list){ w->loose[1].n, w->loose[1].node }, false);
}

static bool may_wrap(const struct diff_side *s, uint32_t node)
{
	enum diff_kind k = s->kind[node];

	return (k == DIFF_OP || k == DIFF_PYTHON || k == DIFF_GRAPH) && diff_on_gpu(s, node);
}

/* The next wrapper of the chain: the only child on the GPU path; NONE at its end. */
static uint32_t chain_next(const struct diff_side *s, uint32_t node)
{
	uint32_t only = NONE;

	if (!may_wrap(s, node) || (s->kind[node] == DIFF_OP && s->flags[node] & DIFF_LAUNCHES))
		return NONE;
	for (uint32_t c = diff_first(s, node); c < s->end[node]; c = s->end[c]) {
		if (!diff_on_gpu(s, c))
			continue;
		if (only != NONE)
			return NONE;
		only = c;
	}
	return only != NONE && may_wrap(s, only) ? only : NONE;
}

static uint32_t chain_end(const struct diff_side *s, uint32_t node)
{
	for (uint32_t next; (next = chain_next(s, node)) != NONE;)
		node = next;
	return node;
}

/* The names of the children in order as one number; 0 if they are launches alone. */
static uint64_t children_key(const struct diff_sides *d, const struct diff_side *s, uint32_t node)
{
	uint64_t key = 1;
	bool launches = true;

	for (uint32_t c = diff_first(s, node); c < s->end[node]; c = s->end[c]) {
		if (!diff_on_gpu(s, c))
			continue;
		key = hash_mix(key ^ d->names.hash[s->name[c]], 0xd6e8feb86659fd93) | 1;
		launches &= s->kind[c] != DIFF_OP && s->kind[c] != DIFF_PYTHON;
	}
	return launches ? 0 : key;
}

/* What the loose nodes of one side are called, and what stands on the levels of their chains. */
struct offer {
	struct map names, levels;
};

static struct offer offer_of(const struct wrap *w, const struct loose *l)
{
	const struct diff_side *s = l->side;
	uint32_t nlevels = 0;

	for (uint32_t i = 0; i < l->n; i++)
		for (uint32_t u = l->node[i]; u != NONE; u = chain_next(s, u))
			nlevels++;
	struct offer o = { map_new(w->scratch, l->n), map_new(w->scratch, nlevels) };
	for (uint32_t i = 0; i < l->n; i++) {
		if (!may_wrap(s, l->node[i]))
			continue;
		*map_at(&o.names, s->name[l->node[i]]) = 1;
		for (uint32_t u = l->node[i]; u != NONE; u = chain_next(s, u))
			*map_at(&o.levels, children_key(w->p->d, s, u)) = 1;
	}
	return o;
}

static bool child_is_wanted(const struct diff_side *s, uint32_t u, const struct offer *other)
{
	for (uint32_t c = diff_first(s, u); c < s->end[u]; c = s->end[c])
		if (may_wrap(s, c) && map_get(&other->names, s->name[c]) != NONE)
			return true;
	return false;
}

static bool level_is_alike(const struct diff_sides *d, const struct diff_side *s, uint32_t u,
			   const struct offer *other)
{
	uint64_t key = children_key(d, s, u);

	return key && map_get(&other->levels, key) != NONE;
}

/* Opens `last` and the wrappers between it and `node`, which is above or equal. */
static void open_chain(struct diff_pairs *p, int k, uint32_t node, uint32_t last)
{
	const struct diff_side *s = &p->d->side[k];

	for (uint32_t u = last; u >= node; u = s->parent[u])
		p->open[k][u] = 1;
}

static bool open_side(struct wrap *w, int k, const struct offer *other, bool by_level)
{
	const struct loose *l = &w->loose[k];
	bool any = false;

	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t u = may_wrap(l->side, l->node[i]) ? l->node[i] : NONE;

		while (u != NONE && !(by_level ? level_is_alike(w->p->d, l->side, u, other)
					       : child_is_wanted(l->side, u, other)))
			u = chain_next(l->side, u);
		if (u == NONE)
			continue;
		open_chain(w->p, k, l->node[i], u);
		any = true;
	}
	return any;
}

static bool open_wrappers(struct wrap *w, bool by_level)
{
	struct offer a = offer_of(w, &w->loose[0]), b = offer_of(w, &w->loose[1]);
	bool any = open_side(w, 0, &b, by_level);

	return open_side(w, 1, &a, by_level) || any;
}

/* The one operator or frame below the pair that is on the GPU path, still loose; else NONE. */
static uint32_t only_loose(const struct wrap *w, int k)
{
	const struct diff_side *s = &w->p->d->side[k];
	uint32_t only = NONE, root = w->root[k];

	for (uint32_t c = diff_first(s, root); c < s->end[root]; c = s->end[c]) {
		if (!diff_on_gpu(s, c))
			continue;
		if (only != NONE || (s->kind[c] != DIFF_OP && s->kind[c] != DIFF_PYTHON))
			return NONE;
		only = c;
	}
	return only == NONE || w->p->partner[k][only] != NONE || w->p->open[k][only] ? NONE : only;
}

/* Where each side has one operator, the one is the other, whatever it is called. */
static bool match_only_children(struct wrap *w)
{
	uint32_t u = only_loose(w, 0), v = only_loose(w, 1);

	if (u == NONE || v == NONE)
		return false;
	set_partner(w->p, u, v, DIFF_CHANGED);
	return true;
}

static struct diff_list chain_ends(const struct wrap *w, int k)
{
	const struct loose *l = &w->loose[k];
	uint32_t *end = NEW(w->scratch, l->n, uint32_t);

	for (uint32_t i = 0; i < l->n; i++)
		end[i] = chain_end(l->side, l->node[i]);
	return (struct diff_list){ l->n, end };
}

/* Matches the last nodes of the chains, and opens the chains above those that match. */
static void match_chains(struct wrap *w, bool bare)
{
	struct diff_list a = chain_ends(w, 0), b = chain_ends(w, 1), *list[2] = { &a, &b };

	match_nodes(w, a, b, bare);
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < list[k]->n; i++) {
			uint32_t end = list[k]->node[i];

			if (end != w->loose[k].node[i] && w->p->partner[k][end] != NONE)
				open_chain(w->p, k, w->loose[k].node[i],
					   w->p->d->side[k].parent[end]);
		}
}

/* A wrapper in which nothing found a partner is no wrapper. */
static void close_idle(struct diff_pairs *p, int k, uint32_t root, struct arena *scratch)
{
	struct diff_items l = diff_items(p, k, root, scratch);
	uint8_t *used = NEW(scratch, l.n, uint8_t);

	for (uint32_t i = l.n; i-- > 0;) {
		used[i] |= p->partner[k][l.node[i]] != NONE;
		p->open[k][l.node[i]] &= used[i];
		if (used[i] && l.in[i] != NONE)
			used[l.in[i]] = 1;
	}
}

static uint32_t only_gpu_child(const struct diff_side *s, uint32_t node)
{
	uint32_t c = diff_first(s, node);

	return c < s->end[node] && s->end[c] == s->end[node] && diff_is_gpu(s->kind[c]) ? c : NONE;
}

/* What a launch launched is the same work, whatever the vendor calls it. */
static void match_only_kernels(struct diff_pairs *p, uint32_t u, uint32_t v)
{
	const struct diff_side *a = &p->d->side[0], *b = &p->d->side[1];
	uint32_t x = only_gpu_child(a, u), y = only_gpu_child(b, v);

	if (a->kind[u] != DIFF_CALL || b->kind[v] != DIFF_CALL || x == NONE || y == NONE)
		return;
	set_partner(p, x, y, a->name[x] == b->name[y] ? DIFF_IN_PLACE : DIFF_CHANGED);
}

/* Matches by name, opening what has a wanted child, until nothing more is opened. */
static void match_rounds(struct wrap *w, bool by_level)
{
	for (int round = 0; both_loose(w) && round < ROUNDS; round++) {
		match_loose(w);
		collect_loose(w);
		if (!both_loose(w) || round == ROUNDS - 1 || !open_wrappers(w, by_level && !round))
			break;
		w->opened = true;
		collect_loose(w);
	}
}

void diff_match_children(struct diff_pairs *p, uint32_t u, uint32_t v, struct arena *scratch)
{
	struct wrap w = { .p = p, .root = { u, v }, .scratch = scratch };

	match_only_kernels(p, u, v);
	collect_loose(&w);
	match_rounds(&w, false);
	if (both_loose(&w) && !match_only_children(&w))
		match_rounds(&w, true);
	collect_loose(&w);
	for (int bare = 0; both_loose(&w) && bare < 2; bare++) {
		match_chains(&w, bare);
		w.opened = true;
		collect_loose(&w);
	}
	if (w.opened) {
		close_idle(p, 0, u, scratch);
		close_idle(p, 1, v, scratch);
	}
}
