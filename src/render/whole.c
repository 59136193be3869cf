#include "render/whole.h"

#include <string.h>

static size_t cell_size(const struct lp_column *c)
{
	return c->type == LP_ROW ? sizeof(uint32_t) : sizeof(int64_t);
}

/* The array `at` of n rows, of which there is room for cap, and the rows of a run behind them. */
static void *longer(struct arena *arena, void *at, size_t n, size_t cap, const void *run,
		    size_t more, size_t size)
{
	if (!run)
		return NULL;
	if (!n || n + more > cap) {
		void *room = arena_array(arena, 2 * (n + more), size);

		if (n)
			memcpy(room, at, n * size);
		at = room;
	}
	memcpy((char *)at + n * size, run, more * size);
	return at;
}

static struct lp_table *whole(struct lp_table *t, struct arena *arena)
{
	struct lp_table *all = NEW(arena, 1, struct lp_table);
	struct lp_column *cols = NEW(arena, t->ncols, struct lp_column);
	size_t n = 0, cap = 0;
	uint32_t *parent = NULL;

	*all = *t;
	memcpy(cols, t->cols, t->ncols * sizeof(*cols));
	for (; t->more(t); n += t->nrows) {
		for (uint32_t c = 0; c < t->ncols; c++)
			cols[c].data.i64 = longer(arena, (void *)(uintptr_t)cols[c].data.i64, n,
						  cap, t->cols[c].data.i64, t->nrows,
						  cell_size(&t->cols[c]));
		parent = longer(arena, parent, n, cap, t->parent, t->nrows, sizeof(*parent));
		cap = n + t->nrows > cap ? 2 * (n + t->nrows) : cap;
	}
	all->nrows = (uint32_t)n;
	all->cols = cols;
	all->parent = parent;
	all->more = NULL;
	all->first = 0;
	return all;
}

struct lp_answer whole_answer(const struct lp_answer *a, struct arena *arena)
{
	struct lp_table **tables = NEW(arena, a->ntables, struct lp_table *);
	struct lp_answer all = *a;

	for (uint32_t i = 0; i < a->ntables; i++)
		tables[i] = a->tables[i]->more ? whole(a->tables[i], arena) : a->tables[i];
	all.tables = tables;
	return all;
}
