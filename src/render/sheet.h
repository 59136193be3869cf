/*
 * sheet.h - a table as people see it: fields of text in lines.
 *
 *	operator    GPU ms      %          the head
 *	aten::bmm  130.016   22.9  ██▎     lines [0, nlines): rows of the view
 *	+ 90 more   48.509    8.6          `more`: the rows left out, summed
 *	= 96 rows  566.759  100.0          `total`
 *
 * A sheet knows nothing of widths; layout.h fits it to a terminal.
 */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include "base/utf8.h"
#include "render/scale.h"
#include "render/view.h"

struct field {
	const struct lp_column *col;
	struct scale scale;
	const char *head;
	const char **text; /* of strings, by line, short but uncut; NULL for numbers */
	const char *more, *total;
	double more_value; /* for the bar of the `more` line */
	bool right;        /* aligned */
	bool bar;          /* not a value: the bar of the field before it */
};

struct sheet {
	struct arena *arena;
	const struct view *view;
	enum utf8_for reader;
	uint32_t nfields, nlines;
	struct field *fields;
	uint32_t *line; /* the row of each line */
	uint32_t label; /* the field of "+ 90 more", "= 96 rows" and, if text, the labels */
	const struct lp_column *group; /* heads a block for each run of equal values; or NULL */
	bool has_head, has_more, has_total;
};

/* `limit` lines at most (of a table that may be cut). */
struct sheet sheet_make(struct arena *a, const struct view *v, int64_t limit, enum utf8_for reader);
/* The text of a cell; numbers are written to `room`, of DECIMAL_MAX bytes. */
const char *sheet_cell(const struct sheet *s, uint32_t field, uint32_t line, char *room);
/* The bar of a percentage: ten columns at 100. Into `room`, of DECIMAL_MAX bytes. */
const char *sheet_bar(double percent, enum utf8_for reader, char *room);
/* Whether the row of this line is a total in the middle: "= GPU span". */
bool sheet_is_total(const struct sheet *s, uint32_t line);

#endif
