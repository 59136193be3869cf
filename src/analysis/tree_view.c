#include "analysis/tree_view.h"

#include "algo/sort.h"
#include "base/hash.h"
#include "base/alloc.h"

#include <stdlib.h>

void tree_view_make(struct tree_view *v, struct calltree ct, bool inverted)
{
	*v = (struct tree_view){ .ct = ct, .inverted = inverted, .only = NONE };
	v->counted = inverted && ct.p->counted.nthreads;
	if (inverted && !v->counted)
		inverted_build(&v->inv, &v->ct);
}

static void names_free(struct pair_map *m)
{
	free(m->key);
	free(m->node);
	*m = (struct pair_map){ 0 };
}

/* The first stack of each function with weight of its own. */
static void note_first(struct tree_view *v)
{
	uint32_t nfuncs = v->ct.p->functions.n;

	if (!v->first)
		v->first = alloc_checked(malloc(MAX_OF(nfuncs, 1) * sizeof(*v->first)));
	memset(v->first, 0xff, nfuncs * sizeof(*v->first));
	for (stack_id s = v->ct.st.n; s-- > 0;)
		if (v->sums.self[MEASURE_WEIGHT][s])
			v->first[v->ct.st.func[s]] = s;
}

static void weigh_counted(struct tree_view *v)
{
	inverted_free(&v->inv);
	inverted_roots(&v->inv, &v->ct, &v->filter);
	v->sums = (struct tree_sums){ .sum = v->inv.run[MEASURE_WEIGHT][v->inv.n] };
	v->sums.magnitude = v->sums.count = v->sums.sum;
}

void tree_view_weigh(struct tree_view *v)
{
	if (v->counted) {
		weigh_counted(v);
		return;
	}
	if (v->spent) {
		inverted_free(&v->inv);
		inverted_build(&v->inv, &v->ct);
		v->spent = false;
	}
	tree_sums_free(&v->sums);
	v->sums = calltree_sums(&v->ct, &v->filter);
	if (v->inverted)
		inverted_weigh(&v->inv, &v->sums);
	else
		topdown_weigh(&v->top, &v->ct, &v->sums);
	if (v->inverted && v->firefox_order)
		note_first(v);
}

void tree_view_spend_sums(struct tree_view *v)
{
	for (int m = 0; m < MEASURES; m++) {
		free(v->sums.self[m]);
		v->sums.self[m] = NULL;
	}
	v->spent = true;
}

void tree_view_spend(struct tree_view *v)
{
	tree_view_spend_sums(v);
	inverted_free(&v->inv);
	names_free(&v->names);
}

void tree_view_ready(struct tree_view *v)
{
	if (v->spent)
		tree_view_weigh(v);
}

void tree_view_free(struct tree_view *v)
{
	tree_sums_free(&v->sums);
	inverted_free(&v->inv);
	names_free(&v->names);
	topdown_free(&v->top);
	calltree_free(&v->ct);
	free(v->first);
	free(v->keep);
	*v = (struct tree_view){ 0 };
}

bool tree_view_measures(const struct tree_view *v, enum measure m)
{
	return v->inverted ? v->inv.run[m] != NULL : v->sums.self[m] != NULL;
}

int64_t tree_view_total(const struct tree_view *v, uint32_t node, enum measure m)
{
	if (v->inverted)
		return inverted_total(&v->inv, node, m);
	return v->top.total[m] ? v->top.total[m][node] : 0;
}

int64_t tree_view_self(const struct tree_view *v, uint32_t node, enum measure m)
{
	if (v->inverted)
		return v->inv.node[node].parent == NONE ? inverted_total(&v->inv, node, m) : 0;
	return v->sums.self[m] ? v->sums.self[m][node] : 0;
}

func_id tree_view_func(const struct tree_view *v, uint32_t node)
{
	return v->inverted ? v->inv.node[node].func : v->ct.st.func[node];
}

uint32_t tree_view_parent(const struct tree_view *v, uint32_t node)
{
	return v->inverted ? v->inv.node[node].parent : v->ct.st.prefix[node];
}

/* ---- Ranks ---- */

static uint64_t size_of(int64_t w)
{
	return w < 0 ? -(uint64_t)w : (uint64_t)w;
}

static uint64_t weight_of(const struct tree_view *v, uint32_t node)
{
	return size_of(tree_view_total(v, node, MEASURE_WEIGHT));
}

/* Before `b` among equals? */
static bool breaks_tie(const struct tree_view *v, uint32_t a, uint32_t b)
{
	func_id fa = tree_view_func(v, a), fb = tree_view_func(v, b);

	if (v->firefox_order) {
		if (v->inverted && v->inv.node[a].parent == NONE)
			return v->first[fa] < v->first[fb];
		return fa < fb;
	}
	uint64_t sa = size_of(tree_view_self(v, a, MEASURE_WEIGHT));
	uint64_t sb = size_of(tree_view_self(v, b, MEASURE_WEIGHT));
	int names = sa == sb ? str_cmp(profile_name(v->ct.p, fa), profile_name(v->ct.p, fb)) : 0;

	return sa != sb ? sa > sb : names ? names < 0 : fa < fb;
}

static bool ranks_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tree_view *v = ctx;
	uint64_t ta = weight_of(v, a), tb = weight_of(v, b);

	return ta != tb ? ta > tb : breaks_tie(v, a, b);
}

void node_list_push(struct node_list *l, uint32_t node)
{
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 64;
		l->at = alloc_checked(realloc(l->at, l->cap * sizeof(*l->at)));
	}
	l->at[l->n++] = node;
}

static void make_spare(struct node_list *l)
{
	if (l->n <= l->spare_cap)
		return;
	l->spare_cap = l->cap;
	free(l->spare);
	l->spare = alloc_checked(malloc(l->spare_cap * sizeof(*l->spare)));
}

/* Moves those that may be among the first `most` to the front; returns how many they are. */
static uint32_t select_large(const struct tree_view *v, struct node_list *l, uint32_t most)
{
	uint32_t lo = 0, hi = l->n;

	/* Quickselect on sizes: [0, lo) are all larger than [lo, hi), those than the rest. */
	while (lo < most && hi - lo > 1) {
		uint64_t pivot = weight_of(v, l->at[lo + (hi - lo) / 2]);
		uint32_t i = lo, j = hi, k = lo; /* [lo, i) larger, [i, k) equal, [j, hi) smaller */

		while (k < j) {
			uint32_t x = l->at[k];
			uint64_t w = weight_of(v, x);

			if (w > pivot) {
				l->at[k++] = l->at[i];
				l->at[i++] = x;
			} else if (w == pivot) {
				k++;
			} else {
				l->at[k] = l->at[--j];
				l->at[j] = x;
			}
		}
		if (most <= i)
			hi = i;
		else if (most <= j)
			return j;
		else
			lo = j;
	}
	return MAX_OF(hi, lo);
}

/* In order of rank; with `most` only that many, and perhaps more, are: the rest comes behind. */
static void rank(const struct tree_view *v, struct node_list *l, uint32_t most)
{
	uint32_t n = l->n;

	if (n < 2)
		return;
	if (most && most < n / 4)
		n = select_large(v, l, most);
	make_spare(l);
	sort_ids(l->at, n, l->spare, ranks_before, v);
}

void node_list_free(struct node_list *l)
{
	free(l->at);
	free(l->spare);
	*l = (struct node_list){ 0 };
}

/* ---- Lists ---- */

static void inverted_list(struct tree_view *v, uint32_t first, uint32_t n, struct node_list *out)
{
	for (uint32_t x = first; x < first + n; x++)
		if (inverted_shown(&v->inv, x) &&
		    (v->only == NONE || v->inv.node[x].parent != NONE ||
		     v->inv.node[x].func == v->only))
			node_list_push(out, x);
}

static void topdown_list(struct tree_view *v, stack_id first, stack_id end, struct node_list *out)
{
	for (stack_id s = first; s < end; s = v->ct.st.end[s])
		if (v->top.shown[s])
			node_list_push(out, s);
}

void tree_view_roots(struct tree_view *v, struct node_list *out, uint32_t most)
{
	tree_view_ready(v);
	out->n = 0;
	if (v->inverted)
		inverted_list(v, 0, v->inv.nroots, out);
	else
		topdown_list(v, 0, v->ct.st.n, out);
	rank(v, out, most);
}

void tree_view_children(struct tree_view *v, uint32_t node, struct node_list *out)
{
	out->n = 0;
	if (v->inverted) {
		inverted_open(&v->inv, node);
		inverted_list(v, v->inv.node[node].first, v->inv.node[node].nchildren, out);
	} else {
		topdown_list(v, node + 1, v->ct.st.end[node], out);
	}
	rank(v, out, 0);
}

/* ---- Names of nodes ---- */

/* Among n nodes in ascending order of function. */
static uint32_t search(const struct inverted *inv, uint32_t first, uint32_t n, func_id func)
{
	uint32_t lo = first, hi = first + n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (inv->node[mid].func < func)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < first + n && inv->node[lo].func == func ? lo : NONE;
}

uint32_t tree_view_child(struct tree_view *v, uint32_t node, func_id func)
{
	if (!v->inverted)
		return stacks_find(&v->ct.st, node, func);
	tree_view_ready(v);
	if (node == NONE)
		return search(&v->inv, 0, v->inv.nroots, func);
	inverted_open(&v->inv, node);
	return search(&v->inv, v->inv.node[node].first, v->inv.node[node].nchildren, func);
}

struct call_pair tree_view_pair(const struct tree_view *v, uint32_t node)
{
	if (!v->inverted)
		return (struct call_pair){ node, node };
	return (struct call_pair){ v->inv.node[node].leaf, v->inv.node[node].at };
}

static uint64_t key_of(struct call_pair pair)
{
	return (uint64_t)pair.leaf << 32 | pair.at;
}

/* Where the key is, or would be. */
static uint32_t slot_of(const struct pair_map *m, uint64_t key)
{
	uint32_t i = (uint32_t)(hash_u64(key) >> 32) & (m->cap - 1);

	while (m->key[i] != UINT64_MAX && m->key[i] != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

static void names_grow(struct pair_map *m)
{
	struct pair_map to = { .cap = m->cap ? 2 * m->cap : 1024, .n = m->n, .nnodes = m->nnodes };

	to.key = alloc_checked(malloc(to.cap * sizeof(*to.key)));
	to.node = alloc_checked(malloc(to.cap * sizeof(*to.node)));
	memset(to.key, 0xff, to.cap * sizeof(*to.key));
	for (uint32_t i = 0; i < m->cap; i++)
		if (m->key[i] != UINT64_MAX) {
			uint32_t at = slot_of(&to, m->key[i]);

			to.key[at] = m->key[i];
			to.node[at] = m->node[i];
		}
	free(m->key);
	free(m->node);
	*m = to;
}

/* Notes the names of the nodes made since the last time. */
static void note_names(struct tree_view *v)
{
	struct pair_map *m = &v->names;

	for (; m->nnodes < v->inv.nnodes; m->nnodes++) {
		uint64_t key = key_of(tree_view_pair(v, m->nnodes));

		if (m->n >= m->cap / 2)
			names_grow(m);
		uint32_t at = slot_of(m, key);

		m->n += m->key[at] == UINT64_MAX;
		m->key[at] = key;
		m->node[at] = m->nnodes;
	}
}

/* Follows the functions from the leaf up to `at`, opening what is on the way. */
static uint32_t follow(struct tree_view *v, struct call_pair pair)
{
	const struct stacks *st = &v->ct.st;
	uint32_t node = NONE;

	for (stack_id s = pair.leaf; s != NONE; s = st->prefix[s]) {
		node = tree_view_child(v, node, st->func[s]);
		if (node == NONE || s == pair.at)
			break;
	}
	if (node == NONE || key_of(tree_view_pair(v, node)) != key_of(pair))
		return NONE;
	return node;
}

uint32_t tree_view_of_pair(struct tree_view *v, struct call_pair pair)
{
	if (pair.leaf >= v->ct.st.n || pair.at > pair.leaf)
		return NONE;
	if (!v->inverted)
		return pair.leaf == pair.at ? pair.leaf : NONE;
	tree_view_ready(v);
	note_names(v);
	uint32_t at = v->names.cap ? slot_of(&v->names, key_of(pair)) : 0;

	if (v->names.cap && v->names.key[at] != UINT64_MAX)
		return v->names.node[at];
	return follow(v, pair);
}
