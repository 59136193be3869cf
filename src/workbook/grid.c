/*
 * Cells come one by one with their place and are kept as such; only when the head is known
 * to the last column is the grid laid out, so that a cell far to the right costs nothing.
 */
#include "workbook/grid.h"

struct placed {
	uint32_t row, col;
	const char *text;
};

uint32_t grid_column(const struct grid *g, const char *name)
{
	for (uint32_t c = 0; c < g->ncols; c++)
		if (!strcmp(g->head[c], name))
			return c;
	return NONE;
}

const char *grid_text(struct grid_texts *t, struct str text)
{
	uint32_t before = t->s.n;

	if (text.n > GRID_TEXT - t->size)
		return NULL;
	string_id id = strings_add(&t->s, text.p, text.n);
	if (t->s.n > before)
		t->size += text.n + 1;
	t->size = MIN_OF(t->size, GRID_TEXT);
	return strings_get(&t->s, id).p;
}

void grid_row(struct grid_maker *m)
{
	if (m->row && m->empty)
		return; /* the row before is this one */
	m->row++;
	m->empty = true;
}

bool grid_put(struct grid_maker *m, uint32_t col, struct str text)
{
	if (!text.n || m->fault)
		return !m->fault;
	if (col >= GRID_COLUMNS)
		m->fault = "more than 16,384 columns";
	else if (m->n >= GRID_CELLS)
		m->fault = "more than 33,554,432 cells";
	const char *kept = m->fault ? NULL : grid_text(m->texts, text);
	if (!kept) {
		m->fault = m->fault ? m->fault : "more than 256 MiB of text";
		return false;
	}
	column_reserve(&m->cells, (m->n + 1) * sizeof(struct placed));
	((struct placed *)m->cells.at)[m->n++] = (struct placed){ m->row - 1, col, kept };
	m->empty = false;
	return true;
}

static bool has_name(const struct grid *g, const char *name)
{
	for (uint32_t c = 0; c < g->ncols; c++)
		if (g->head[c] == name) /* each text is there once */
			return true;
	return false;
}

/* The head: which column of the file is which of the grid. */
static void lay_head(struct grid_maker *m, struct arena *a, struct grid *g, uint32_t *column_of)
{
	const struct placed *p = m->cells.at;
	size_t n = 0;

	memset(column_of, 0xff, GRID_COLUMNS * sizeof(*column_of));
	while (n < m->n && !p[n].row)
		n++;
	g->head = NEW(a, n, const char *);
	for (size_t i = 0; i < n; i++) {
		if (has_name(g, p[i].text)) {
			g->twice = p[i].text;
		} else if (column_of[p[i].col] == NONE) {
			g->head[g->ncols] = p[i].text;
			column_of[p[i].col] = g->ncols++;
		}
	}
}

static bool lay_cells(struct grid_maker *m, struct arena *a, struct grid *g,
		      const uint32_t *column_of)
{
	const struct placed *p = m->cells.at;
	uint32_t rows = m->row - m->empty;

	g->nrows = rows ? rows - 1 : 0;
	g->errors = m->errors;
	if ((uint64_t)g->nrows * g->ncols > GRID_CELLS) {
		m->fault = "more than 33,554,432 cells";
		return false;
	}
	g->cell = NEW(a, (size_t)g->nrows * g->ncols, const char *);
	for (size_t i = 0; i < m->n; i++) {
		uint32_t col = column_of[p[i].col];

		if (p[i].row && col != NONE)
			g->cell[(size_t)(p[i].row - 1) * g->ncols + col] = p[i].text;
		g->nameless += p[i].row && col == NONE;
	}
	return true;
}

bool grid_finish(struct grid_maker *m, struct arena *a, struct grid *out)
{
	struct arena scratch = { 0 };
	uint32_t *column_of = NEW(&scratch, GRID_COLUMNS, uint32_t);
	bool whole = !m->fault;

	if (whole) {
		lay_head(m, a, out, column_of);
		whole = lay_cells(m, a, out, column_of);
	}
	arena_free(&scratch);
	column_free(&m->cells);
	return whole;
}
