#include "render/newspaper.h"

#include <string.h>

#define MOST  3
#define LINES 8 /* shorter lists stay as they are */

static bool is_list(const struct sheet *s)
{
	const struct lp_table *t = s->view->table;

	return t->whole && !t->labels && !t->parent && !s->group && !s->has_more &&
	       s->nlines >= LINES && s->nfields == 2 && s->fields[0].text && !s->fields[1].text &&
	       !(s->fields[1].col->flags & LP_DELTA);
}

static unsigned width_of(const struct sheet *s)
{
	unsigned most[2] = { 0, 0 };
	char room[DECIMAL_MAX];

	for (uint32_t f = 0; f < 2; f++) {
		most[f] = MAX_OF(utf8_columns(s->fields[f].head), utf8_columns(s->fields[f].total));
		for (uint32_t i = 0; i < s->nlines; i++)
			most[f] = MAX_OF(most[f], utf8_columns(sheet_cell(s, f, i, room)));
	}
	return most[0] + 2 + most[1];
}

/* The cells of field `f` in lines from `first` on; empty ones below the last. */
static const char **texts(const struct sheet *s, uint32_t f, uint32_t first, uint32_t n)
{
	const char **text = NEW(s->arena, n, const char *);
	char room[DECIMAL_MAX];

	for (uint32_t i = 0; i < n; i++) {
		const char *cell = first + i < s->nlines ? sheet_cell(s, f, first + i, room) : "";
		text[i] = arena_text(s->arena, cell, strlen(cell));
	}
	return text;
}

void newspaper_set(struct sheet *s, unsigned columns)
{
	if (!is_list(s))
		return;
	uint32_t fit = (columns + 2) / (width_of(s) + 2), n = MIN_OF(fit, (uint32_t)MOST);
	if (n < 2)
		return;
	uint32_t lines = (s->nlines + n - 1) / n;
	struct field *fields = NEW(s->arena, 2 * (size_t)n, struct field);
	for (uint32_t k = 0; k < 2 * n; k++) {
		fields[k] = s->fields[k % 2];
		fields[k].text = texts(s, k % 2, k / 2 * lines, lines);
		if (k >= 2)
			fields[k].total = "";
	}
	s->fields = fields;
	s->nfields = 2 * n;
	s->nlines = lines;
}
