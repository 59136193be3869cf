/*
 * Depth first with a list of what is still to be visited. Should that run over the
 * limit, the walk is made again, largest first, with a heap; a child is never heavier
 * than its parent where weights are positive, so what is taken is the top of the tree.
 */
#include "analysis/tree_walk.h"
#include "base/alloc.h"

#include <stdlib.h>

#define PASSED_PARTS 1000 /* at most one of so many does not go on to the callee */

struct visit {
	uint64_t size;  /* of the total */
	uint32_t order; /* of discovery: breaks ties */
	uint32_t node, parent, depth;
};

struct visits {
	struct visit *at;
	uint32_t n, cap, pushed;
};

static void *grown(void *at, uint32_t *cap, size_t size)
{
	*cap = *cap ? 2 * *cap : 256;
	at = alloc_checked(realloc(at, *cap * size));
	return at;
}

static uint64_t size_of(const struct tree_view *v, uint32_t node)
{
	int64_t w = tree_view_total(v, node, MEASURE_WEIGHT);

	return w < 0 ? -(uint64_t)w : (uint64_t)w;
}

/* The ranked nodes that the budget lets through, as far as their size goes. */
static uint32_t large_enough(const struct tree_view *v, const struct node_list *l, uint64_t least)
{
	uint32_t n = 0;

	while (n < l->n && size_of(v, l->at[n]) >= least)
		n++;
	return n;
}

static void push(struct visits *s, struct visit x)
{
	if (s->n == s->cap)
		s->at = grown(s->at, &s->cap, sizeof(*s->at));
	s->at[s->n++] = x;
}

/* Lists the roots, those to show first; returns how many these are. None of them has a row yet. */
static uint32_t chosen_roots(struct tree_view *v, const struct tree_budget *b, struct node_list *l,
			     struct tree_rows *r)
{
	tree_view_roots(v, l, b->roots);
	r->roots_left = l->n;
	r->left_total = v->only == NONE ? v->sums.sum : 0;
	if (b->roots && b->roots < l->n)
		l->n = b->roots;
	return large_enough(v, l, b->min_total);
}

static void note_root(const struct tree_view *v, uint32_t node, struct tree_rows *r)
{
	r->left_total -= tree_view_total(v, node, MEASURE_WEIGHT);
	r->roots_left--;
}

/* Does the node pass nearly all of its weight on to its heaviest callee? */
static bool passes_on(struct tree_view *v, uint32_t node, uint32_t *callee)
{
	struct node_list l = { 0 };

	tree_view_children(v, node, &l);
	*callee = l.n ? l.at[0] : NONE;
	node_list_free(&l);
	return *callee != NONE &&
	       size_of(v, node) - size_of(v, *callee) <= size_of(v, node) / PASSED_PARTS &&
	       size_of(v, *callee) <= size_of(v, node);
}

/* The node that gets the row of this visit: itself, or where its weight parts. */
static uint32_t shown_for(struct tree_view *v, const struct tree_budget *b, const struct visit *x,
			  struct tree_rows *r)
{
	uint32_t node = x->node, callee;

	while (b->forks && !v->inverted && passes_on(v, node, &callee) &&
	       !(b->no_leaves && v->ct.st.end[callee] == callee + 1)) {
		node = callee;
		r->passed++;
	}
	return node;
}

/* A visit with node NONE gives back what was made since there were `parent` nodes. */
static void give_back(struct tree_view *v, uint32_t nnodes)
{
	v->inv.nnodes = MIN_OF(v->inv.nnodes, nnodes);
}

/* ---- Depth first ---- */

struct tree_walk {
	struct tree_view *v;
	struct tree_budget b;
	struct tree_rows *rows;
	struct node_list roots, children;
	uint32_t nroots, at; /* roots to show, and how many of them have been */
	struct visits s;
	/* Of a counted view: what ends in the roots, and a view of the root at hand alone. */
	struct inverted_leaves leaves;
	struct tree_view one;
};

static void gather(struct tree_walk *w)
{
	const struct tree_view *v = w->v;
	func_id *root = alloc_array(w->nroots, sizeof(*root));

	for (uint32_t i = 0; i < w->nroots; i++)
		root[i] = tree_view_func(v, w->roots.at[i]);
	w->leaves = inverted_gather(&v->ct, &v->filter, root, w->nroots);
	w->one = (struct tree_view){ .ct = v->ct, .inverted = true, .only = NONE };
	free(root);
}

struct tree_walk *tree_walk_begin(struct tree_view *v, struct tree_budget b, struct tree_rows *out)
{
	struct tree_walk *w = alloc_zeroed(1, sizeof(*w));

	*out = (struct tree_rows){ .pairs = b.pairs || !v->inverted };
	w->v = v;
	w->b = b;
	w->rows = out;
	w->nroots = chosen_roots(v, &b, &w->roots, out);
	for (uint32_t i = 0; i < w->nroots; i++)
		note_root(v, w->roots.at[i], out);
	if (v->counted)
		gather(w);
	return w;
}

uint64_t tree_walk_most(const struct tree_walk *w)
{
	const struct tree_view *v = w->v;
	uint64_t stacks = v->counted ? w->leaves.first[w->nroots] : 0;

	for (uint32_t i = 0; i < w->nroots && !v->counted; i++) {
		uint32_t x = w->roots.at[i];

		stacks += v->inverted ? v->inv.node[x].end - v->inv.node[x].begin
				      : v->ct.st.end[x] - x;
	}
	return !v->inverted || !stacks ? stacks : w->b.depth ? stacks * w->b.depth : UINT64_MAX;
}

/* The view of the next root; false past the last. */
static bool next_root(struct tree_walk *w, struct visit *x)
{
	if (w->at == w->nroots)
		return false;
	if (w->v->counted)
		inverted_plant(&w->one.inv, &w->v->ct, &w->v->filter, &w->leaves, w->at);
	else if (!w->at && w->v->inverted)
		tree_view_spend_sums(w->v);
	*x = (struct visit){ .node = w->v->counted ? 0 : w->roots.at[w->at],
			     .parent = NONE,
			     .depth = 1 };
	w->at++;
	return true;
}

bool tree_walk_next(struct tree_walk *w)
{
	struct tree_view *v = w->v->counted ? &w->one : w->v;
	struct node_list *l = &w->children;
	struct visit x = { .node = NONE, .parent = NONE };

	while (x.node == NONE) {
		give_back(v, x.parent);
		if (w->s.n)
			x = w->s.at[--w->s.n];
		else if (!next_root(w, &x))
			return false;
	}
	x.node = shown_for(v, &w->b, &x, w->rows);
	uint32_t row = tree_rows_add(w->rows, v, x.node, x.parent), mark = v->inv.nnodes;

	if (w->b.depth && x.depth >= w->b.depth)
		return true;
	tree_view_children(v, x.node, l);
	if (v->inverted)
		push(&w->s, (struct visit){ .node = NONE, .parent = mark });
	for (uint32_t i = large_enough(v, l, w->b.min_total); i-- > 0;)
		push(&w->s,
		     (struct visit){ .node = l->at[i], .parent = row, .depth = x.depth + 1 });
	return true;
}

void tree_walk_end(struct tree_walk *w)
{
	if (!w)
		return;
	free(w->s.at);
	node_list_free(&w->roots);
	node_list_free(&w->children);
	inverted_leaves_free(&w->leaves);
	inverted_free(&w->one.inv);
	if (w->v->spent)
		tree_view_spend(w->v);
	free(w);
}

/* Is there no row left? */
static bool is_over(const struct tree_walk *w)
{
	bool over = w->at == w->nroots;

	for (uint32_t i = 0; i < w->s.n; i++)
		over &= w->s.at[i].node == NONE;
	return over;
}

/* ---- Largest first ---- */

static bool before(const struct visit *a, const struct visit *b)
{
	return a->size != b->size ? a->size > b->size : a->order < b->order;
}

static void heap_push(struct visits *h, struct visit x)
{
	push(h, x);
	uint32_t i = h->n - 1;

	for (; i && before(&x, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = x;
}

static struct visit heap_pop(struct visits *h)
{
	struct visit top = h->at[0], x = h->at[--h->n];
	uint32_t i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < h->n && before(&h->at[child + 1], &h->at[child]))
			child++;
		if (child >= h->n || !before(&h->at[child], &x))
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	h->at[i] = x;
	return top;
}

/* What has been taken, in that order: parents first, those of one parent in rank. */
struct taken {
	uint32_t *node, *parent; /* place in this list; NONE */
	uint32_t n;
};

static void to_preorder(const struct tree_view *v, const struct taken *t, struct tree_rows *r)
{
	uint32_t *first = alloc_checked(malloc((t->n + 1) * sizeof(*first))),
		 *next = alloc_checked(malloc((t->n + 1) * sizeof(*next)));
	uint32_t *row = alloc_checked(malloc((t->n + 1) * sizeof(*row)));
	for (uint32_t i = 0; i <= t->n; i++)
		first[i] = NONE;
	for (uint32_t i = t->n; i-- > 0;) {
		uint32_t *list = &first[t->parent[i] == NONE ? t->n : t->parent[i]];

		next[i] = *list;
		*list = i;
	}
	for (uint32_t i = first[t->n]; i != NONE;) {
		uint32_t up = t->parent[i];

		row[i] = tree_rows_add(r, v, t->node[i], up == NONE ? NONE : row[up]);
		if (first[i] != NONE) {
			i = first[i];
			continue;
		}
		while (i != NONE && next[i] == NONE)
			i = t->parent[i];
		i = i == NONE ? NONE : next[i];
	}
	free(first);
	free(next);
	free(row);
}

static bool take(struct tree_view *v, const struct tree_budget *b, struct visits *h,
		 struct taken *t, struct tree_rows *r)
{
	struct node_list l = { 0 };
	struct visit x = heap_pop(h);
	uint32_t n;

	if (x.parent == NONE)
		note_root(v, x.node, r);
	x.node = shown_for(v, b, &x, r);
	t->node[t->n] = x.node;
	t->parent[t->n++] = x.parent;
	if (!b->depth || x.depth < b->depth) {
		tree_view_children(v, x.node, &l);
		n = large_enough(v, &l, b->min_total);
		for (uint32_t i = 0; i < n; i++)
			heap_push(h, (struct visit){ size_of(v, l.at[i]), h->pushed++, l.at[i],
						     t->n - 1, x.depth + 1 });
	}
	node_list_free(&l);
	return h->n && t->n < b->max_nodes;
}

static void largest_first(struct tree_view *v, const struct tree_budget *b, struct tree_rows *r)
{
	struct visits h = { 0 };
	struct node_list l = { 0 };
	struct taken t = { 0 };
	uint32_t n = chosen_roots(v, b, &l, r);

	t.node = alloc_checked(malloc((size_t)b->max_nodes * sizeof(*t.node)));
	t.parent = alloc_checked(malloc((size_t)b->max_nodes * sizeof(*t.parent)));
	for (uint32_t i = 0; i < n; i++)
		heap_push(&h, (struct visit){ size_of(v, l.at[i]), h.pushed++, l.at[i], NONE, 1 });
	while (n && take(v, b, &h, &t, r))
		continue;
	to_preorder(v, &t, r);
	free(h.at);
	free(t.node);
	free(t.parent);
	node_list_free(&l);
}

void tree_walk(struct tree_view *v, struct tree_budget b, struct tree_rows *out)
{
	struct tree_walk *w = tree_walk_begin(v, b, out);

	while ((!b.max_nodes || out->n < b.max_nodes) && tree_walk_next(w))
		continue;
	bool whole = is_over(w);

	tree_walk_end(w);
	if (whole)
		return;
	tree_rows_free(out);
	out->pairs = b.pairs || !v->inverted;
	largest_first(v, &b, out);
	out->cut = true;
	if (v->spent)
		tree_view_spend(v);
}
