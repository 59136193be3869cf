#include "analysis/topdown.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Children come after their parents: one sweep from the back adds all up. */
static int64_t *totals(const struct stacks *st, const int64_t *self)
{
	int64_t *total = alloc_checked(malloc(MAX_OF(st->n, 1) * sizeof(*total)));
	memcpy(total, self, st->n * sizeof(*total));
	for (stack_id s = st->n; s-- > 0;)
		if (st->prefix[s] != NONE)
			total[st->prefix[s]] += total[s];
	return total;
}

static uint8_t *shown(const struct stacks *st, const int64_t *total)
{
	uint8_t *show = alloc_checked(malloc(MAX_OF(st->n, 1)));
	for (stack_id s = 0; s < st->n; s++)
		show[s] = total[s] != 0;
	for (stack_id s = st->n; s-- > 0;)
		if (show[s] && st->prefix[s] != NONE)
			show[st->prefix[s]] = 1;
	return show;
}

void topdown_weigh(struct topdown *t, const struct calltree *ct, const struct tree_sums *u)
{
	topdown_free(t);
	t->st = &ct->st;
	for (int m = 0; m < MEASURES; m++)
		t->total[m] = u->self[m] ? totals(t->st, u->self[m]) : NULL;
	t->shown = shown(t->st, t->total[MEASURE_WEIGHT]);
}

void topdown_free(struct topdown *t)
{
	for (int m = 0; m < MEASURES; m++)
		free(t->total[m]);
	free(t->shown);
	*t = (struct topdown){ 0 };
}

/*
 * A function's total is that of its outermost stacks. Going through preorder, `open` says until
 * which stack a function is already on the path.
 */
void topdown_functions(const struct calltree *ct, const struct tree_sums *u, enum measure m,
		       int64_t *total, int64_t *self)
{
	const struct stacks *st = &ct->st;
	int64_t *sum = totals(st, u->self[m]);
	stack_id *open = alloc_checked(calloc(MAX_OF(ct->p->functions.n, 1), sizeof(*open)));
	for (stack_id s = 0; s < st->n; s++) {
		func_id f = st->func[s];

		self[f] += u->self[m][s];
		if (open[f] > s)
			continue;
		open[f] = st->end[s];
		total[f] += sum[s];
	}
	free(open);
	free(sum);
}
