/*
 * A counted profile (counted.h) is inverted one root at a time, and of its stacks only those
 * are gathered that end in a root that is looked at:
 *
 *	all stacks  ->  totals by function, the roots  ->  leaves of some roots  ->  trees
 */
#include "analysis/invert.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* How often stack s was seen in the threads that the filter takes. */
static int64_t seen(const struct calltree *ct, const struct tree_filter *f, stack_id s)
{
	const struct counted *c = &ct->p->counted;
	int64_t sum = 0;

	if (f->thread != NONE)
		return counted_count(c, f->thread, s);
	for (uint32_t t = 0; t < c->nthreads; t++)
		sum += calltree_takes(ct, f, t) ? counted_count(c, t, s) : 0;
	return sum;
}

struct ids {
	stack_id *at;
	size_t n, cap;
};

/* What each function has itself; the caller frees it. */
static int64_t *totals(const struct calltree *ct, const struct tree_filter *f)
{
	const struct counted *c = &ct->p->counted;
	int64_t *total = alloc_zeroed(ct->p->functions.n, sizeof(*total));

	for (uint32_t t = 0; t < c->nthreads; t++) {
		const struct narrow *count = &c->count[t];

		if (!calltree_takes(ct, f, t))
			continue;
		for (stack_id s = 0; s < count->n; s++) {
			uint32_t n = narrow_get(count, s);

			if (n)
				total[narrow_get(&c->func, s)] += n;
		}
	}
	return total;
}

void inverted_roots(struct inverted *v, const struct calltree *ct, const struct tree_filter *f)
{
	uint32_t nfuncs = ct->p->functions.n;
	int64_t *total = totals(ct, f), sum = 0;

	*v = (struct inverted){ .counted = &ct->p->counted, .nfuncs = nfuncs };
	for (func_id g = 0; g < nfuncs; g++)
		v->n += total[g] != 0;
	v->node = alloc_array(v->n, sizeof(*v->node));
	v->cap = v->n;
	v->run[MEASURE_WEIGHT] = alloc_array((size_t)v->n + 1, sizeof(*total));
	v->run[MEASURE_WEIGHT][0] = 0;
	for (func_id g = 0; g < nfuncs; g++)
		if (total[g]) {
			uint32_t k = v->nroots++;

			v->run[MEASURE_WEIGHT][k + 1] = sum += total[g];
			inverted_add_node(v, (struct inverted_node){
						     .begin = k,
						     .end = k + 1,
						     .func = g,
						     .parent = NONE,
					     });
		}
	free(total);
}

/* The stacks, in ascending order, that end in a function with a place and have been seen. */
static struct ids list_leaves(const struct calltree *ct, const struct tree_filter *f,
			      const uint32_t *place)
{
	const struct counted *c = &ct->p->counted;
	struct ids l = { 0 };

	for (stack_id s = 0; s < counted_stacks(c); s++)
		if (place[narrow_get(&c->func, s)] != NONE && seen(ct, f, s)) {
			if (l.n == l.cap)
				l.at = alloc_grown(l.at, &l.cap, sizeof(*l.at));
			l.at[l.n++] = s;
		}
	return l;
}

struct inverted_leaves inverted_gather(const struct calltree *ct, const struct tree_filter *f,
				       const func_id *root, uint32_t n)
{
	const struct narrow *func = &ct->p->counted.func;
	uint32_t *place = alloc_array(ct->p->functions.n, sizeof(*place));
	struct inverted_leaves l = { .n = n,
				     .first = alloc_zeroed((size_t)n + 2, sizeof(*l.first)) };

	memset(place, 0xff, ct->p->functions.n * sizeof(*place));
	for (uint32_t i = 0; i < n; i++)
		place[root[i]] = i;
	struct ids all = list_leaves(ct, f, place);

	for (size_t k = 0; k < all.n; k++)
		l.first[place[narrow_get(func, all.at[k])] + 2]++;
	for (uint32_t i = 0; i < n; i++)
		l.first[i + 2] += l.first[i + 1];
	l.stack = alloc_array(all.n, sizeof(*l.stack));
	for (size_t k = 0; k < all.n; k++)
		l.stack[l.first[place[narrow_get(func, all.at[k])] + 1]++] = all.at[k];
	free(all.at);
	free(place);
	return l;
}

void inverted_leaves_free(struct inverted_leaves *l)
{
	free(l->first);
	free(l->stack);
	*l = (struct inverted_leaves){ 0 };
}

/* Room for the largest of n trees. */
static void make_room(struct inverted *v, const struct inverted_leaves *l, uint32_t nfuncs)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < l->n; i++)
		most = MAX_OF(most, l->first[i + 1] - l->first[i]);
	v->count = alloc_zeroed(nfuncs, sizeof(*v->count));
	v->next = alloc_array(nfuncs, sizeof(*v->next));
	v->deep = alloc_array(most, sizeof(*v->deep));
	v->run[MEASURE_WEIGHT] = alloc_array((size_t)most + 1, sizeof(int64_t));
}

void inverted_plant(struct inverted *v, const struct calltree *ct, const struct tree_filter *f,
		    const struct inverted_leaves *l, uint32_t i)
{
	stack_id *leaf = l->stack + l->first[i];
	int64_t sum = 0, *run;

	if (!v->deep)
		make_room(v, l, ct->p->functions.n);
	v->counted = &ct->p->counted;
	v->nfuncs = ct->p->functions.n;
	v->n = l->first[i + 1] - l->first[i];
	v->nnodes = 0;
	v->leaf = leaf;
	v->nroots = 1;
	memcpy(v->deep, leaf, v->n * sizeof(*leaf));
	run = v->run[MEASURE_WEIGHT];
	for (uint32_t k = 0; k < v->n; k++) {
		run[k] = sum;
		sum += seen(ct, f, leaf[k]);
	}
	run[v->n] = sum;
	inverted_add_node(v,
			  (struct inverted_node){ .end = v->n,
						  .func = narrow_get(&ct->p->counted.func, leaf[0]),
						  .parent = NONE });
}
