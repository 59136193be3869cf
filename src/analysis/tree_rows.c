#include "analysis/tree_rows.h"
#include "base/alloc.h"

#include <stdlib.h>

static void *array(size_t size)
{
	void *p = alloc_checked(malloc(ROWS_PIECE * size));
	return p;
}

static struct rows_piece *new_piece(const struct tree_rows *r, const struct tree_view *v)
{
	struct rows_piece *p = alloc_checked(malloc(sizeof(*p)));
	p->next = NULL;
	p->n = 0;
	p->pair = r->pairs ? array(sizeof(*p->pair)) : NULL;
	for (int m = 0; m < MEASURES; m++)
		p->total[m] = tree_view_measures(v, m) ? array(sizeof(*p->total[m])) : NULL;
	return p;
}

uint32_t tree_rows_add(struct tree_rows *r, const struct tree_view *v, uint32_t node,
		       uint32_t parent)
{
	struct rows_piece *p = r->last;

	if (!p || p->n == ROWS_PIECE) {
		p = new_piece(r, v);
		*(r->last ? &r->last->next : &r->first) = p;
		r->last = p;
	}
	p->parent[p->n] = parent;
	p->func[p->n] = tree_view_func(v, node);
	if (p->pair)
		p->pair[p->n] = tree_view_pair(v, node);
	for (int m = 0; m < MEASURES; m++)
		if (p->total[m])
			p->total[m][p->n] = tree_view_total(v, node, m);
	p->n++;
	return r->n++;
}

void tree_rows_reuse(struct tree_rows *r)
{
	while (r->first != r->last)
		tree_rows_shift(r);
	if (r->first)
		r->first->n = 0;
}

void tree_rows_shift(struct tree_rows *r)
{
	struct rows_piece *p = r->first;

	r->first = p->next;
	if (!r->first)
		r->last = NULL;
	for (int m = 0; m < MEASURES; m++)
		free(p->total[m]);
	free(p->pair);
	free(p);
}

void tree_rows_free(struct tree_rows *r)
{
	while (r->first)
		tree_rows_shift(r);
	*r = (struct tree_rows){ 0 };
}
