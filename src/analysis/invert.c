/*
 * Everything is a stable counting sort by function: first of all sampled stacks by their
 * own function (the roots), then of one range by the next caller. Since they start in
 * preorder and every sort is stable, a new node's range ascends, and its first stack is
 * its lowest. Stacks that have no more callers go to the front of their parent's range
 * and belong to no child.
 */
#include "analysis/invert.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static stack_id caller_of(const struct inverted *v, stack_id s)
{
	return v->counted ? counted_caller(v->counted, s) : v->st->prefix[s];
}

static func_id func_of(const struct inverted *v, stack_id s)
{
	return v->counted ? narrow_get(&v->counted->func, s) : v->st->func[s];
}

void inverted_add_node(struct inverted *v, struct inverted_node x)
{
	if (v->nnodes == v->cap) {
		v->cap = v->cap ? v->cap + v->cap / 2 : 1024;
		v->node = alloc_resized(v->node, v->nnodes * sizeof(*v->node),
					v->cap * sizeof(*v->node));
	}
	x.first = NONE;
	x.leaf = v->leaf ? v->leaf[x.begin] : NONE;
	x.at = v->deep ? v->deep[x.begin] : NONE;
	v->node[v->nnodes++] = x;
}

void inverted_build(struct inverted *v, const struct calltree *ct)
{
	uint8_t *sampled = calltree_sampled(ct);
	uint32_t at = 0;

	*v = (struct inverted){ .st = &ct->st, .nfuncs = ct->p->functions.n };
	v->count = alloc_zeroed(v->nfuncs, sizeof(*v->count));
	v->next = alloc_array(v->nfuncs, sizeof(*v->next));
	for (stack_id s = 0; s < ct->st.n; s++)
		if (sampled[s]) {
			v->count[ct->st.func[s]]++;
			v->n++;
		}
	v->leaf = alloc_array(v->n, sizeof(*v->leaf));
	v->deep = alloc_array(v->n, sizeof(*v->deep));
	for (func_id f = 0; f < v->nfuncs; at += v->count[f++])
		v->next[f] = at;
	for (stack_id s = 0; s < ct->st.n; s++)
		if (sampled[s])
			v->leaf[v->next[ct->st.func[s]]++] = s;
	memcpy(v->deep, v->leaf, v->n * sizeof(*v->deep));
	free(sampled);
	for (func_id f = 0; f < v->nfuncs; f++) {
		if (v->count[f])
			inverted_add_node(v,
					  (struct inverted_node){ .begin = v->next[f] - v->count[f],
								  .end = v->next[f],
								  .func = f,
								  .parent = NONE });
		v->count[f] = 0;
	}
	v->nroots = v->nnodes;
}

void inverted_weigh(struct inverted *v, const struct tree_sums *u)
{
	for (int m = 0; m < MEASURES; m++) {
		int64_t sum = 0;

		if (!u->self[m]) {
			free(v->run[m]);
			v->run[m] = NULL;
			continue;
		}
		if (!v->run[m])
			v->run[m] = alloc_array(v->n + 1, sizeof(*v->run[m]));
		for (uint32_t k = 0; k < v->n; k++) {
			v->run[m][k] = sum;
			sum += u->self[m][v->leaf[k]];
		}
		v->run[m][v->n] = sum;
	}
}

static int compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_funcs(func_id *f, uint32_t n)
{
	if (n > 32) {
		qsort(f, n, sizeof(*f), compare_ids);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		func_id x = f[i];
		uint32_t j = i;

		for (; j && f[j - 1] > x; j--)
			f[j] = f[j - 1];
		f[j] = x;
	}
}

/*
 * Moves deep[] of the range one caller up and counts the callers' functions, which it lists in
 * order; returns how many, and how many stacks end here in *ended.
 */
static uint32_t climb(struct inverted *v, uint32_t begin, uint32_t end, uint32_t *ended)
{
	uint32_t n = 0;

	*ended = 0;
	for (uint32_t k = begin; k < end; k++) {
		stack_id up = caller_of(v, v->deep[k]);

		v->deep[k] = up;
		if (up == NONE) {
			++*ended;
			continue;
		}
		func_id f = func_of(v, up);

		if (v->count[f]++)
			continue;
		if (n == v->funcs_cap) {
			v->funcs_cap = v->funcs_cap ? 2 * v->funcs_cap : 64;
			v->funcs =
				alloc_checked(realloc(v->funcs, v->funcs_cap * sizeof(*v->funcs)));
		}
		v->funcs[n++] = f;
	}
	sort_funcs(v->funcs, n);
	return n;
}

static void reserve_spare(struct inverted *v, uint32_t n)
{
	if (n <= v->spare_cap)
		return;
	v->spare_cap = n;
	free(v->spare_place);
	free(v->spare);
	v->spare_place = alloc_array(n, sizeof(*v->spare_place));
	v->spare = alloc_array(n, sizeof(*v->spare));
}

/* The place of each stack of the range: those that end here first, then caller by caller. */
static const uint32_t *place(struct inverted *v, uint32_t begin, uint32_t end, uint32_t ended,
			     uint32_t n)
{
	uint32_t at = begin + ended, front = begin, *to = v->spare_place;

	for (uint32_t i = 0; i < n; i++) {
		v->next[v->funcs[i]] = at;
		at += v->count[v->funcs[i]];
	}
	for (uint32_t k = begin; k < end; k++)
		to[k - begin] = v->deep[k] == NONE ? front++ : v->next[func_of(v, v->deep[k])]++;
	return to;
}

/* Permutes the running sums of the range: as weights, one by one. */
static void move_sums(struct inverted *v, int64_t *run, uint32_t begin, uint32_t end,
		      const uint32_t *to)
{
	int64_t sum = run[begin];

	for (uint32_t k = begin; k < end; k++)
		v->spare[to[k - begin] - begin] = run[k + 1] - run[k];
	for (uint32_t k = begin; k < end; k++) {
		run[k] = sum;
		sum += v->spare[k - begin];
	}
}

static void move_stacks(struct inverted *v, stack_id *column, uint32_t begin, uint32_t size,
			const uint32_t *to)
{
	stack_id *before = (stack_id *)v->spare;

	memcpy(before, column + begin, size * sizeof(*column));
	for (uint32_t i = 0; i < size; i++)
		column[to[i]] = before[i];
}

static void scatter(struct inverted *v, uint32_t begin, uint32_t end, uint32_t ended, uint32_t n)
{
	uint32_t size = end - begin;

	reserve_spare(v, size);
	const uint32_t *to = place(v, begin, end, ended, n);

	move_stacks(v, v->leaf, begin, size, to);
	move_stacks(v, v->deep, begin, size, to);
	for (int m = 0; m < MEASURES; m++)
		if (v->run[m])
			move_sums(v, v->run[m], begin, end, to);
}

/* One stack, as most nodes are: its caller, if it has one. */
static void open_single(struct inverted *v, uint32_t node)
{
	uint32_t begin = v->node[node].begin;
	stack_id up = caller_of(v, v->deep[begin]);

	v->deep[begin] = up;
	v->node[node].first = v->nnodes;
	v->node[node].nchildren = up != NONE;
	if (up != NONE)
		inverted_add_node(v, (struct inverted_node){ .begin = begin,
							     .end = begin + 1,
							     .func = func_of(v, up),
							     .parent = node });
}

void inverted_open(struct inverted *v, uint32_t node)
{
	uint32_t begin = v->node[node].begin, end = v->node[node].end, ended, n;

	if (v->node[node].first != NONE)
		return;
	if (end - begin == 1) {
		open_single(v, node);
		return;
	}
	n = climb(v, begin, end, &ended);
	if (n > 1 || (n && ended))
		scatter(v, begin, end, ended, n);
	v->node[node].first = v->nnodes;
	v->node[node].nchildren = n;
	begin += ended;
	for (uint32_t i = 0; i < n; i++) {
		func_id f = v->funcs[i];

		inverted_add_node(v, (struct inverted_node){ .begin = begin,
							     .end = begin + v->count[f],
							     .func = f,
							     .parent = node });
		begin += v->count[f];
		v->count[f] = 0;
	}
}

void inverted_free(struct inverted *v)
{
	if (!v->counted) /* its leaves are gathered by others */
		free(v->leaf);
	free(v->deep);
	for (int m = 0; m < MEASURES; m++)
		free(v->run[m]);
	free(v->node);
	free(v->count);
	free(v->next);
	free(v->funcs);
	free(v->spare_place);
	free(v->spare);
	*v = (struct inverted){ 0 };
}
