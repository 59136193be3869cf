/*
 * Depth first with a list of what is still to be visited. Should that run over the
 * limit, the walk is made again, largest first, with a heap; a child is never heavier
 * than its parent where weights are positive, so what is taken is the top of the tree.
 */
#include "analysis/tree_walk.h"

#include <stdlib.h>

struct visit {
	uint64_t size;  /* of the total */
	uint32_t order; /* of discovery: breaks ties */
	uint32_t node, parent, depth;
};

struct visits {
	struct visit *at;
	uint32_t n, cap;
};

static void *grown(void *at, uint32_t *cap, size_t size)
{
	*cap = *cap ? 2 * *cap : 256;
	at = realloc(at, *cap * size);
	if (!at)
		abort();
	return at;
}

static uint64_t size_of(const struct tree_view *v, uint32_t node)
{
	int64_t w = tree_view_total(v, node, MEASURE_WEIGHT);

	return w < 0 ? -(uint64_t)w : (uint64_t)w;
}

static uint32_t add_row(struct tree_rows *r, uint32_t node, uint32_t parent)
{
	if (r->n == r->cap) {
		uint32_t cap = r->cap;

		r->node = grown(r->node, &r->cap, sizeof(*r->node));
		r->parent = grown(r->parent, &cap, sizeof(*r->parent));
	}
	r->node[r->n] = node;
	r->parent[r->n] = parent;
	return r->n++;
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

/* Lists the roots to show first in `l` and notes what they leave out; returns how many they are. */
static uint32_t chosen_roots(struct tree_view *v, const struct tree_budget *b, struct node_list *l,
			     struct tree_rows *r)
{
	tree_view_roots(v, l, b->roots);
	r->nroots = l->n;
	if (b->roots && b->roots < l->n)
		l->n = b->roots;
	return large_enough(v, l, b->min_total);
}

static bool deep_first(struct tree_view *v, const struct tree_budget *b, struct tree_rows *r)
{
	struct visits s = { 0 };
	struct node_list l = { 0 };

	for (uint32_t i = chosen_roots(v, b, &l, r); i-- > 0;)
		push(&s, (struct visit){ .node = l.at[i], .parent = NONE, .depth = 1 });
	while (s.n && (!b->max_nodes || r->n < b->max_nodes)) {
		struct visit x = s.at[--s.n];
		uint32_t row = add_row(r, x.node, x.parent);

		if (b->depth && x.depth >= b->depth)
			continue;
		tree_view_children(v, x.node, &l);
		for (uint32_t i = large_enough(v, &l, b->min_total); i-- > 0;)
			push(&s, (struct visit){
					 .node = l.at[i], .parent = row, .depth = x.depth + 1 });
	}
	bool whole = !s.n;

	free(s.at);
	node_list_free(&l);
	return whole;
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

/* Rows in the order they were found, parents first, each parent's in rank: to preorder. */
static void to_preorder(struct tree_rows *r)
{
	struct tree_rows to = { .cap = r->n, .nroots = r->nroots };
	uint32_t *first = malloc((r->n + 1) * sizeof(*first)),
		 *next = malloc((r->n + 1) * sizeof(*next));
	uint32_t *new_row = malloc((r->n + 1) * sizeof(*new_row));

	to.node = malloc((r->n + 1) * sizeof(*to.node));
	to.parent = malloc((r->n + 1) * sizeof(*to.parent));
	if (!first || !next || !new_row || !to.node || !to.parent)
		abort();
	for (uint32_t i = 0; i <= r->n; i++)
		first[i] = NONE;
	for (uint32_t i = r->n; i-- > 0;) {
		uint32_t *list = &first[r->parent[i] == NONE ? r->n : r->parent[i]];

		next[i] = *list;
		*list = i;
	}
	for (uint32_t i = first[r->n]; i != NONE;) {
		uint32_t up = r->parent[i];

		new_row[i] = add_row(&to, r->node[i], up == NONE ? NONE : new_row[up]);
		if (first[i] != NONE) {
			i = first[i];
			continue;
		}
		while (i != NONE && next[i] == NONE)
			i = r->parent[i];
		i = i == NONE ? NONE : next[i];
	}
	free(first);
	free(next);
	free(new_row);
	tree_rows_free(r);
	*r = to;
}

static void largest_first(struct tree_view *v, const struct tree_budget *b, struct tree_rows *r)
{
	struct visits h = { 0 };
	struct node_list l = { 0 };
	uint32_t order = 0, n = chosen_roots(v, b, &l, r);

	for (uint32_t i = 0; i < n; i++)
		heap_push(&h, (struct visit){ size_of(v, l.at[i]), order++, l.at[i], NONE, 1 });
	while (h.n && r->n < b->max_nodes) {
		struct visit x = heap_pop(&h);
		uint32_t row = add_row(r, x.node, x.parent);

		if (b->depth && x.depth >= b->depth)
			continue;
		tree_view_children(v, x.node, &l);
		n = large_enough(v, &l, b->min_total);
		for (uint32_t i = 0; i < n; i++)
			heap_push(&h, (struct visit){ size_of(v, l.at[i]), order++, l.at[i], row,
						      x.depth + 1 });
	}
	r->cut = h.n > 0;
	free(h.at);
	node_list_free(&l);
	to_preorder(r);
}

static void count_roots(const struct tree_view *v, struct tree_rows *r)
{
	r->roots_left = r->nroots;
	r->left_total = v->only == NONE ? v->sums.sum : 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->parent[i] == NONE) {
			r->left_total -= tree_view_total(v, r->node[i], MEASURE_WEIGHT);
			r->roots_left--;
		}
}

void tree_walk(struct tree_view *v, struct tree_budget b, struct tree_rows *out)
{
	*out = (struct tree_rows){ 0 };
	if (!deep_first(v, &b, out)) {
		out->n = 0;
		largest_first(v, &b, out);
		out->cut = true;
	}
	count_roots(v, out);
}

void tree_rows_free(struct tree_rows *r)
{
	free(r->node);
	free(r->parent);
	*r = (struct tree_rows){ 0 };
}
