/*
 * grid.h - a sheet of a report: a head of column names, and cells of text.
 *
 *	head   name       Count
 *	cell   aten::mm   96        row by row; NULL: empty
 *
 * Texts are whatever the file says; numbers are told from words by who asks. Columns without
 * a name and rows without a cell are not there. However odd the file, a grid is bounded: at
 * most GRID_CELLS cells and, with all others of its workbook, GRID_TEXT bytes of text.
 */
#ifndef WORKBOOK_GRID_H
#define WORKBOOK_GRID_H

#include "base/column.h"
#include "base/intern.h"

#define GRID_COLUMNS 16384u /* of Excel */
#define GRID_CELLS   (UINT32_C(1) << 25)
#define GRID_TEXT    ((size_t)256 << 20)
#define GRID_LONGEST ((size_t)16 << 20) /* of one cell */

struct grid {
	const char *name;
	uint32_t nrows, ncols;
	const char **head, **cell;
	uint32_t nameless; /* cells below no name */
	uint32_t errors;   /* cells that say #DIV/0! and the like: empty here */
	const char *twice; /* a name that two columns have: the first has it; or NULL */
};

static inline const char *grid_cell(const struct grid *g, uint32_t row, uint32_t col)
{
	return g->cell[(size_t)row * g->ncols + col];
}

/* NONE if there is no column of that name. */
uint32_t grid_column(const struct grid *g, const char *name);

/* Each distinct text of a workbook once. */
struct grid_texts {
	struct strings s;
	size_t size; /* bytes */
};

/* NULL: more than GRID_TEXT. */
const char *grid_text(struct grid_texts *t, struct str text);

/* A grid in the making: grid_row() begins a row, grid_put() fills a place in it. */
struct grid_maker {
	struct grid_texts *texts;
	struct column cells;
	size_t n;
	uint32_t row;      /* 0: none yet; the first row is the head */
	bool empty;        /* the row has no cell yet */
	const char *fault; /* why nothing more is taken: "more than ..."; or NULL */
	uint32_t errors;
};

void grid_row(struct grid_maker *m);
/* False, with `fault` set, when a bound is hit. Empty text is no cell. */
bool grid_put(struct grid_maker *m, uint32_t col, struct str text);
/* Into `a`; false likewise. Frees the maker's own memory either way. */
bool grid_finish(struct grid_maker *m, struct arena *a, struct grid *out);

#endif
