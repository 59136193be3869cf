#include "workbook/workbook.h"

const struct grid *workbook_sheet(const struct workbook *b, const char *name)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (!strcmp(b->at[i].name, name))
			return &b->at[i];
	return NULL;
}

bool workbook_add(struct workbook *b, const char *path, const char *name, struct grid_maker *m,
		  struct lp_error *err)
{
	struct grid g = { .name = arena_text(&b->arena, name, strlen(name)) };

	if (!grid_finish(m, &b->arena, &g))
		return error_set(err, "%s: sheet %s: %s", path, name, m->fault);
	if (b->n == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 32;
		struct grid *more = NEW(&b->arena, b->cap, struct grid);
		if (b->n)
			memcpy(more, b->at, b->n * sizeof(*more));
		b->at = more;
	}
	b->at[b->n++] = g;
	return true;
}

void workbook_free(struct workbook *b)
{
	strings_free(&b->texts.s);
	arena_free(&b->arena);
	*b = (struct workbook){ 0 };
}
