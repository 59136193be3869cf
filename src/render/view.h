/*
 * view.h - what of a table is written: which columns, and the rows in which order.
 *
 * A view is made from the write options (--table, --columns, --sort) once; every
 * format writes from it and looks at no option about content again.
 */
#ifndef RENDER_VIEW_H
#define RENDER_VIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "longpole.h"

struct view {
	struct lp_table *table;
	uint32_t ncols;
	const struct lp_column *cols; /* the chosen ones; a tree's begin with id and parent */
	const uint32_t *order;        /* NULL: as they are; a tree is in depth-first order */
};

struct views {
	uint32_t n;
	struct view *at;
};

/*
 * The tables `o` asks for. People (text, Markdown) see the tables that are no detail, and of
 * those the columns that are not LP_DETAIL and have a value in some row; programs see all but
 * pictures. An unknown table or column is an error.
 */
bool views_make(struct views *v, const struct lp_answer *a, const struct lp_write_options *o,
		bool for_people, struct arena *arena, struct lp_error *err);

static inline uint32_t view_row(const struct view *v, uint32_t i)
{
	return v->order ? v->order[i] : i;
}

/* Whether the cell holds nothing. */
static inline bool cell_missing(const struct lp_column *c, uint32_t row)
{
	switch (c->type) {
	case LP_F64:
		return !__builtin_isfinite(c->data.f64[row]);
	case LP_STR:
		return !c->data.str[row];
	case LP_ROW:
		return c->data.row && c->data.row[row] == UINT32_MAX;
	default:
		return c->data.i64[row] == LP_NULL;
	}
}

/* The value of a cell that is not missing and a whole number. */
static inline int64_t cell_i64(const struct lp_column *c, uint32_t row)
{
	if (c->type == LP_ROW)
		return c->data.row ? c->data.row[row] : row;
	return c->data.i64[row];
}

/* The value of a cell that is not missing and no string, as a double (for sums and scales). */
double cell_f64(const struct lp_column *c, uint32_t row);

#endif
