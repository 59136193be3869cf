/*
 * Partners are found from the roots down: each pair found is put on a list, and its
 * children are matched when its turn comes. Then the merged tree is written out, pair by
 * pair. Below a pair (u, v) stand
 *
 *	what has a partner, at its place in the first trace,
 *	what is only in the first, at its place,
 *	what is only in the second, behind the node it follows there and what is only in the
 *	    first behind that,
 *
 * each inside the wrappers around it. A node with a wrapper on both sides must be in both,
 * so one wrapper is put into the other: the outermost one of the second trace into the
 * innermost of the first if all its partners are in that one, else the other way round.
 * If they cut across each other, the wrapper of the first trace has the node.
 */
#include "analysis/diff_merge.h"

#include "analysis/diff_wrap.h"
#include "base/check.h"

/* ---- Partners ---- */

/* Equal subtrees: each node is its own like. */
static void pair_all(struct diff_pairs *p, uint32_t u, uint32_t v)
{
	uint32_t n = p->d->side[0].end[u] - u;

	for (uint32_t i = 1; i < n; i++) {
		p->partner[0][u + i] = v + i;
		p->partner[1][v + i] = u + i;
		p->how[u + i] = DIFF_IN_PLACE;
	}
}

static struct diff_pairs find_partners(const struct diff_sides *d, struct arena *a,
				       struct arena *scratch)
{
	struct diff_pairs p = { .d = d, .how = NEW(a, d->side[0].n, uint8_t) };
	uint32_t *todo = NEW(a, d->side[0].n, uint32_t), n = 0;
	const struct diff_side *s = &d->side[0];

	for (int k = 0; k < 2; k++) {
		p.partner[k] = NEW(a, d->side[k].n, uint32_t);
		p.open[k] = NEW(a, d->side[k].n, uint8_t);
		memset(p.partner[k], 0xff, d->side[k].n * sizeof(uint32_t));
	}
	p.partner[0][0] = p.partner[1][0] = 0;
	p.how[0] = DIFF_IN_PLACE;
	todo[n++] = 0;
	while (n) {
		uint32_t u = todo[--n];
		struct arena_mark mark = arena_mark(scratch);

		if (diff_same_below(d, u, p.partner[0][u])) {
			pair_all(&p, u, p.partner[0][u]);
			continue;
		}
		diff_match_children(&p, u, p.partner[0][u], scratch);
		for (uint32_t c = u + 1; c < s->end[u]; c = p.open[0][c] ? c + 1 : s->end[c])
			if (p.partner[0][c] != NONE)
				todo[n++] = c;
		arena_rewind(scratch, mark);
	}
	return p;
}

/* ---- The tree ---- */

/* Merged nodes as they are made: in any order, children as lists. */
struct loose_tree {
	uint32_t n;
	uint32_t *node[2];
	uint32_t *parent, *first, *last, *next;
};

static uint32_t add_node(struct loose_tree *t, uint32_t parent, uint32_t u, uint32_t v)
{
	uint32_t i = t->n++;

	t->node[0][i] = u;
	t->node[1][i] = v;
	t->parent[i] = parent;
	t->first[i] = t->last[i] = t->next[i] = NONE;
	if (parent == NONE)
		return i;
	if (t->first[parent] == NONE)
		t->first[parent] = i;
	else
		t->next[t->last[parent]] = i;
	t->last[parent] = i;
	return i;
}

/* A wrapper, or NONE: the pair itself. */
struct around {
	int side;
	uint32_t item;
};

/* What is being written below one pair. */
struct writer {
	struct loose_tree *t;
	const struct diff_pairs *p;
	uint32_t pair; /* merged node of the pair */
	struct diff_items items[2];
	uint32_t *top[2];    /* of each item: the outermost wrapper around it; NONE */
	uint32_t *host[2];   /* of each item, an outermost wrapper: wrapper of the other side around
				it */
	uint32_t *merged[2]; /* of each wrapper, once it is written */
	uint32_t *other;     /* of each item of side 0: the item of its partner; NONE */
	uint32_t *back;      /* the same for side 1 */
	struct around *path; /* room for one per item */
};

static uint32_t find_item(const struct diff_items *l, uint32_t node)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->node[mid] < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void link_items(struct writer *w, struct arena *s)
{
	struct diff_items *a = &w->items[0], *b = &w->items[1];

	w->other = NEW(s, a->n, uint32_t);
	w->back = NEW(s, b->n, uint32_t);
	memset(w->back, 0xff, b->n * sizeof(*w->back));
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t v = w->p->partner[0][a->node[i]];

		w->other[i] = v == NONE ? NONE : find_item(b, v);
		if (v != NONE)
			w->back[w->other[i]] = i;
	}
}

static void set_tops(struct writer *w, struct arena *s)
{
	for (int k = 0; k < 2; k++) {
		struct diff_items *l = &w->items[k];

		w->top[k] = NEW(s, l->n, uint32_t);
		w->host[k] = NEW(s, l->n, uint32_t);
		w->merged[k] = NEW(s, l->n, uint32_t);
		memset(w->host[k], 0xff, l->n * sizeof(uint32_t));
		memset(w->merged[k], 0xff, l->n * sizeof(uint32_t));
		for (uint32_t i = 0; i < l->n; i++)
			w->top[k][i] = l->in[i] == NONE || w->top[k][l->in[i]] == NONE
					       ? l->in[i]
					       : w->top[k][l->in[i]];
	}
}

/* For each outermost wrapper of side k: the one wrapper all its partners are directly in. */
static void find_hosts(struct writer *w, int k, struct arena *s)
{
	struct diff_items *mine = &w->items[k], *theirs = &w->items[!k];
	const uint32_t *partner = k ? w->back : w->other;
	uint8_t *cut = NEW(s, mine->n, uint8_t);

	for (uint32_t i = 0; i < mine->n; i++) {
		uint32_t t = w->top[k][i], in;

		if (t == NONE || partner[i] == NONE)
			continue;
		in = theirs->in[partner[i]];
		if (in == NONE || (w->host[k][t] != NONE && w->host[k][t] != in))
			cut[t] = 1;
		w->host[k][t] = in;
	}
	for (uint32_t t = 0; t < mine->n; t++) {
		uint32_t in = w->host[k][t], top;

		if (in == NONE)
			continue;
		top = w->top[!k][in] == NONE ? in : w->top[!k][in];
		if (cut[t] || w->host[!k][top] != NONE)
			w->host[k][t] = NONE;
	}
}

/* What a wrapper hangs from: the wrapper around it of its own side, or its host. */
static struct around around_wrapper(const struct writer *w, struct around x)
{
	uint32_t in = w->items[x.side].in[x.item];

	return in != NONE ? (struct around){ x.side, in }
			  : (struct around){ !x.side, w->host[x.side][x.item] };
}

/* The merged node of a wrapper; it and those around it are written if they are not yet. */
static uint32_t wrapper_node(struct writer *w, struct around x)
{
	uint32_t n = 0, parent;

	for (; x.item != NONE && w->merged[x.side][x.item] == NONE; x = around_wrapper(w, x))
		w->path[n++] = x;
	parent = x.item == NONE ? w->pair : w->merged[x.side][x.item];
	while (n) {
		x = w->path[--n];
		uint32_t node = w->items[x.side].node[x.item];

		parent = add_node(w->t, parent, x.side ? NONE : node, x.side ? node : NONE);
		w->merged[x.side][x.item] = parent;
	}
	return parent;
}

static uint32_t outermost(const struct writer *w, int k, uint32_t in)
{
	return w->top[k][in] == NONE ? in : w->top[k][in];
}

/* Items i and j of the two sides (one may be NONE) as one merged node. */
static void write_items(struct writer *w, uint32_t i, uint32_t j)
{
	uint32_t a = i == NONE ? NONE : w->items[0].in[i], b = j == NONE ? NONE : w->items[1].in[j];
	struct around x = { 0, a };

	if (a == NONE || (b != NONE && w->host[1][outermost(w, 1, b)] == a))
		x = (struct around){ 1, b };
	add_node(w->t, x.item == NONE ? w->pair : wrapper_node(w, x),
		 i == NONE ? NONE : w->items[0].node[i], j == NONE ? NONE : w->items[1].node[j]);
}

/* From item j of side 1 on: what is only there, up to the next that has a partner. */
static void write_run(struct writer *w, uint32_t j)
{
	for (; j < w->items[1].n && w->back[j] == NONE; j++)
		if (!w->p->open[1][w->items[1].node[j]])
			write_items(w, NONE, j);
}

static void write_pair(struct loose_tree *t, const struct diff_pairs *p, uint32_t pair,
		       struct arena *s)
{
	struct writer w = { .t = t, .p = p, .pair = pair };
	uint32_t run = 0; /* what is next in the second trace */

	for (int k = 0; k < 2; k++)
		w.items[k] = diff_items(p, k, t->node[k][pair], s);
	link_items(&w, s);
	set_tops(&w, s);
	find_hosts(&w, 1, s);
	find_hosts(&w, 0, s);
	w.path = NEW(s, (size_t)w.items[0].n + w.items[1].n, struct around);
	for (uint32_t i = 0; i < w.items[0].n; i++) {
		if (p->open[0][w.items[0].node[i]]) {
			wrapper_node(&w, (struct around){ 0, i });
			continue;
		}
		if (w.other[i] != NONE) {
			write_run(&w, run);
			run = w.other[i] + 1;
		}
		write_items(&w, i, w.other[i]);
	}
	write_run(&w, run);
	for (uint32_t j = 0; j < w.items[1].n; j++)
		if (p->open[1][w.items[1].node[j]])
			wrapper_node(&w, (struct around){ 1, j });
}

static void write_alone(struct loose_tree *t, const struct diff_side *s, uint32_t i, int k)
{
	uint32_t u = t->node[k][i];

	for (uint32_t c = diff_first(s, u); c < s->end[u]; c = s->end[c])
		add_node(t, i, k ? NONE : c, k ? c : NONE);
}

static void write_same(struct loose_tree *t, const struct diff_side *s, uint32_t i)
{
	uint32_t u = t->node[0][i], v = t->node[1][i];

	for (uint32_t c = diff_first(s, u); c < s->end[u]; c = s->end[c])
		add_node(t, i, c, v + (c - u));
}

static bool is_wrapper(const struct diff_pairs *p, const struct loose_tree *t, uint32_t i)
{
	int k = t->node[0][i] == NONE;

	return p->open[k][t->node[k][i]];
}

static void write_below(struct loose_tree *t, const struct diff_pairs *p, uint32_t i,
			struct arena *scratch)
{
	uint32_t u = t->node[0][i], v = t->node[1][i];

	if (u == NONE || v == NONE) {
		if (!is_wrapper(p, t, i))
			write_alone(t, &p->d->side[u == NONE], i, u == NONE);
	} else if (diff_same_below(p->d, u, v)) {
		write_same(t, &p->d->side[0], i);
	} else {
		write_pair(t, p, i, scratch);
	}
}

static struct loose_tree write_tree(const struct diff_pairs *p, uint32_t n, struct arena *a,
				    struct arena *scratch)
{
	struct loose_tree t = { 0, { NEW(a, n, uint32_t), NEW(a, n, uint32_t) } };

	t.parent = NEW(a, n, uint32_t);
	t.first = NEW(a, n, uint32_t);
	t.last = NEW(a, n, uint32_t);
	t.next = NEW(a, n, uint32_t);
	add_node(&t, NONE, 0, 0);
	for (uint32_t i = 0; i < t.n; i++) {
		struct arena_mark mark = arena_mark(scratch);

		write_below(&t, p, i, scratch);
		arena_rewind(scratch, mark);
	}
	return t;
}

/* Into preorder. */
static struct diff_merged renumber(const struct loose_tree *t, const struct diff_pairs *p,
				   struct arena *a)
{
	struct diff_merged m = { t->n, { NEW(a, t->n, uint32_t), NEW(a, t->n, uint32_t) } };
	uint32_t at = 0, up = NONE;

	m.how = NEW(a, t->n, uint8_t);
	m.parent = NEW(a, t->n, uint32_t);
	m.end = NEW(a, t->n, uint32_t);
	for (uint32_t i = 0; i < t->n; i++) {
		m.node[0][i] = t->node[0][at];
		m.node[1][i] = t->node[1][at];
		m.how[i] = diff_combined(&m, i) ? p->how[m.node[0][i]] : DIFF_UNMATCHED;
		m.parent[i] = up;
		m.end[i] = i + 1;
		up = i;
		if (t->first[at] != NONE) {
			at = t->first[at];
			continue;
		}
		while (up != NONE && t->next[at] == NONE) {
			at = t->parent[at];
			up = m.parent[up];
		}
		if (up == NONE)
			break;
		at = t->next[at];
		up = m.parent[up];
	}
	for (uint32_t i = m.n; i-- > 1;)
		m.end[m.parent[i]] = MAX_OF(m.end[m.parent[i]], m.end[i]);
	return m;
}

struct diff_merged diff_merge(const struct diff_sides *d, struct arena *a)
{
	struct arena own = { 0 }, scratch = { 0 };
	struct diff_pairs p = find_partners(d, &own, &scratch);
	uint32_t pairs = 0, n0 = d->side[0].n, n1 = d->side[1].n;

	for (uint32_t u = 0; u < n0; u++)
		pairs += p.partner[0][u] != NONE;
	struct loose_tree t = write_tree(&p, n0 + n1 - pairs, &own, &scratch);
	struct diff_merged m = renumber(&t, &p, a);

	CHECK(m.n == n0 + n1 - pairs); /* every node of both traces, once */
	arena_free(&scratch);
	arena_free(&own);
	return m;
}
