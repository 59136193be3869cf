/*
 * Questions to one tree, node by node. A node travels as its pair (leaf, at); inside it is
 * the number that the pair leads to by opening the nodes on its path.
 */
#include "analysis/tree_handle.h"
#include "base/alloc.h"

#include <stdlib.h>

static uint32_t inner(struct lp_tree *t, struct lp_node n)
{
	tree_ready(t);
	return tree_view_of_pair(&t->view, (struct call_pair){ n.leaf, n.at });
}

static struct lp_node outer(const struct lp_tree *t, uint32_t node)
{
	struct call_pair pair = tree_view_pair(&t->view, node);

	return (struct lp_node){ pair.leaf, pair.at };
}

static uint32_t give(const struct lp_tree *t, struct node_list *l, struct lp_node *out,
		     uint32_t cap)
{
	uint32_t n = l->n;

	for (uint32_t i = 0; i < MIN_OF(n, cap); i++)
		out[i] = outer(t, l->at[i]);
	node_list_free(l);
	return n;
}

uint32_t lp_tree_roots(struct lp_tree *t, struct lp_node *out, uint32_t cap)
{
	struct node_list l = { 0 };

	tree_ready(t);
	tree_view_roots(&t->view, &l, 0);
	return give(t, &l, out, cap);
}

uint32_t lp_tree_children(struct lp_tree *t, struct lp_node n, struct lp_node *out, uint32_t cap)
{
	uint32_t node = inner(t, n);
	struct node_list l = { 0 };

	if (node != NONE)
		tree_view_children(&t->view, node, &l);
	return give(t, &l, out, cap);
}

uint64_t lp_tree_descendants(struct lp_tree *t, struct lp_node n, struct lp_node *out, uint64_t cap)
{
	uint32_t node = inner(t, n);
	struct node_list todo = { 0 }, l = { 0 };
	uint64_t found = 0;

	while (node != NONE) {
		tree_view_children(&t->view, node, &l);
		for (uint32_t i = l.n; i-- > 0;)
			node_list_push(&todo, l.at[i]);
		node = todo.n ? todo.at[--todo.n] : NONE;
		if (node != NONE && found++ < cap)
			out[found - 1] = outer(t, node);
	}
	node_list_free(&todo);
	node_list_free(&l);
	return found;
}

static uint32_t depth_of(const struct lp_tree *t, uint32_t node)
{
	uint32_t depth = 0;

	while ((node = tree_view_parent(&t->view, node)) != NONE)
		depth++;
	return depth;
}

static const char *name_of(const struct lp_tree *t, uint32_t node)
{
	return profile_name(t->of->p, tree_view_func(&t->view, node)).p;
}

uint32_t lp_tree_path(struct lp_tree *t, struct lp_node n, const char **out, uint32_t cap)
{
	uint32_t node = inner(t, n), length = node == NONE ? 0 : depth_of(t, node) + 1, i = length;

	for (; node != NONE; node = tree_view_parent(&t->view, node))
		if (--i < cap)
			out[i] = name_of(t, node);
	return length;
}

bool lp_tree_node(struct lp_tree *t, struct lp_node n, struct lp_node_data *out)
{
	const struct functions *fs = &t->of->p->functions;
	struct tree_view *v = &t->view;
	uint32_t node = inner(t, n);
	struct node_list l = { 0 };

	if (node == NONE)
		return false;
	string_id file = fs->at[tree_view_func(v, node)].file;

	tree_view_children(v, node, &l);
	*out = (struct lp_node_data){
		.name = name_of(t, node),
		.file = file == NONE ? NULL : strings_get(&t->of->p->strings, file).p,
		.total = tree_view_total(v, node, MEASURE_WEIGHT),
		.self = tree_view_self(v, node, MEASURE_WEIGHT),
		.count = tree_view_total(
			v, node, v->sums.self[MEASURE_COUNT] ? MEASURE_COUNT : MEASURE_WEIGHT),
		.wait = tree_view_total(v, node, MEASURE_WAIT),
		.depth = depth_of(t, node),
		.has_children = l.n > 0,
	};
	node_list_free(&l);
	return true;
}

bool lp_tree_parent(struct lp_tree *t, struct lp_node n, struct lp_node *out)
{
	uint32_t node = inner(t, n), up = node == NONE ? NONE : tree_view_parent(&t->view, node);

	if (up != NONE)
		*out = outer(t, up);
	return up != NONE;
}

/* ---- Paths ---- */

/* Among several functions of one name, the first that has such a node. */
static uint32_t child_by_name(struct lp_tree *t, uint32_t node, const char *name)
{
	const struct profile *p = t->of->p;
	string_id id = strings_find(&p->strings, str_of(name));

	for (func_id f = 0; id != NONE && f < p->functions.n; f++) {
		uint32_t child = p->functions.at[f].name == id ? tree_view_child(&t->view, node, f)
							       : NONE;

		if (child != NONE)
			return child;
	}
	return NONE;
}

bool lp_tree_find(struct lp_tree *t, const char *const *path, uint32_t n, struct lp_node *out)
{
	uint32_t node = NONE;

	tree_ready(t);
	for (uint32_t i = 0; i < n; i++) {
		node = child_by_name(t, node, path[i]);
		if (node == NONE)
			return false;
	}
	if (node != NONE)
		*out = outer(t, node);
	return node != NONE;
}

uint32_t lp_tree_find_many(struct lp_tree *t, const char *const *const *paths,
			   const uint32_t *lengths, uint32_t npaths, struct lp_node *out,
			   bool *found)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < npaths; i++) {
		found[i] = lp_tree_find(t, paths[i], lengths[i], &out[i]);
		n += found[i];
	}
	return n;
}

/* ---- The stacks of a node ---- */

static bool below(const struct lp_tree *t, uint32_t node, stack_id s)
{
	return s >= node && s < t->view.ct.st.end[node];
}

/* 1 for each stack that is part of the node, the caller's to free. */
static uint8_t *stacks_of(struct lp_tree *t, uint32_t node)
{
	struct tree_view *v = &t->view;
	uint8_t *in = alloc_checked(calloc(MAX_OF(v->ct.st.n, 1), 1));
	if (v->inverted)
		for (uint32_t k = v->inv.node[node].begin; k < v->inv.node[node].end; k++)
			in[v->inv.leaf[k]] = 1;
	else
		for (stack_id s = node; below(t, node, s); s++)
			in[s] = 1;
	return in;
}

static stack_id heaviest_stack(struct lp_tree *t, uint32_t node)
{
	const int64_t *self = t->view.sums.self[MEASURE_WEIGHT];
	uint8_t *in = stacks_of(t, node);
	stack_id best = NONE;

	for (stack_id s = 0; s < t->view.ct.st.n; s++)
		if (in[s] && (best == NONE || llabs(self[s]) > llabs(self[best])))
			best = s;
	free(in);
	return best;
}

/* Top-down: from the node down to the stack; inverted: from the node on up to the stack's root. */
uint32_t lp_tree_heaviest(struct lp_tree *t, struct lp_node n, struct lp_node *out, uint32_t cap)
{
	const struct stacks *st = &t->view.ct.st;
	uint32_t node = inner(t, n), length = 0;
	stack_id s = node == NONE ? NONE : heaviest_stack(t, node);

	if (s == NONE)
		return 0;
	if (!t->view.inverted) {
		for (stack_id x = s; x != st->prefix[node]; x = st->prefix[x])
			length++;
		for (uint32_t i = length; i-- > 0; s = st->prefix[s])
			if (i < cap)
				out[i] = outer(t, s);
		return length;
	}
	for (uint32_t up = depth_of(t, node); up-- > 0;)
		s = st->prefix[s];
	while (node != NONE) {
		if (length++ < cap)
			out[length - 1] = outer(t, node);
		s = st->prefix[s];
		node = s == NONE ? NONE : tree_view_child(&t->view, node, st->func[s]);
	}
	return length;
}

uint64_t lp_tree_matches(struct lp_tree *t, struct lp_node n, uint8_t *match, uint64_t cap)
{
	const struct profile *p = t->of->p;
	uint32_t node = inner(t, n);
	uint8_t *in = node == NONE ? NULL : stacks_of(t, node);
	uint64_t found = 0;

	memset(match, 0, MIN_OF(cap, p->samples.n));
	for (uint32_t th = 0; in && th < p->nthreads; th++) {
		const struct profile_thread *x = &p->threads[th];

		if (!calltree_takes(&t->view.ct, &t->view.filter, th))
			continue;
		for (size_t i = x->first; i < x->first + x->n; i++) {
			int64_t weight;
			stack_id s = calltree_sample(&t->view.ct, &t->view.filter, i, &weight);

			if (s == NONE || !in[s])
				continue;
			if (i < cap)
				match[i] = 1;
			found++;
		}
	}
	free(in);
	return found;
}

int64_t lp_tree_sum(const struct lp_tree *t, int64_t *magnitude, unsigned *places)
{
	if (magnitude)
		*magnitude = t->view.sums.magnitude;
	if (places)
		*places = t->of->p->threads[t->view.filter.like].places;
	return t->view.sums.sum;
}
