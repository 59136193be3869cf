#include "analysis/cells.h"

#include <math.h>
#include <string.h>

const struct lp_table *cells_table(const struct answers *answers, const char *name)
{
	const struct lp_table *t = NULL;

	for (unsigned i = 0; i < answers->n && !t; i++)
		if (answers->at[i])
			t = lp_answer_table(answers->at[i], name);
	return t;
}

uint32_t cells_rows(const struct lp_table *t)
{
	return t ? t->nrows : 0;
}

/* The column, if it has a row of that number and is of one of the types. */
static const struct lp_column *column(const struct lp_table *t, const char *name, uint32_t row,
				      unsigned types)
{
	if (row >= cells_rows(t))
		return NULL;
	for (uint32_t c = 0; c < t->ncols; c++)
		if (types & 1u << t->cols[c].type && !strcmp(t->cols[c].name, name))
			return &t->cols[c];
	return NULL;
}

int64_t cells_int(const struct lp_table *t, const char *name, uint32_t row)
{
	const struct lp_column *c = column(t, name, row, 1u << LP_I64 | 1u << LP_BOOL);

	return c ? c->data.i64[row] : LP_NULL;
}

double cells_real(const struct lp_table *t, const char *name, uint32_t row)
{
	const struct lp_column *c = column(t, name, row, 1u << LP_F64);

	return c ? c->data.f64[row] : NAN;
}

const char *cells_text(const struct lp_table *t, const char *name, uint32_t row)
{
	const struct lp_column *c = column(t, name, row, 1u << LP_STR);

	return c ? c->data.str[row] : NULL;
}

uint32_t cells_find(const struct lp_table *t, const char *name, const char *text)
{
	for (uint32_t row = 0; row < cells_rows(t); row++) {
		const char *cell = cells_text(t, name, row);

		if (cell && !strcmp(cell, text))
			return row;
	}
	return NONE;
}

int64_t cells_sum(const struct lp_table *t, const char *name)
{
	const struct lp_column *c = column(t, name, 0, 1u << LP_I64);
	int64_t sum = 0;

	for (uint32_t row = 0; c && row < t->nrows; row++)
		sum += c->data.i64[row] == LP_NULL ? 0 : c->data.i64[row];
	return sum;
}

int64_t cells_sum_where(const struct lp_table *t, const char *name, const char *where,
			const char *text)
{
	const struct lp_column *c = column(t, name, 0, 1u << LP_I64);
	const struct lp_column *key = column(t, where, 0, 1u << LP_STR);
	int64_t sum = 0;

	for (uint32_t row = 0; c && key && row < t->nrows; row++)
		if (key->data.str[row] && !strcmp(key->data.str[row], text) &&
		    c->data.i64[row] != LP_NULL)
			sum += c->data.i64[row];
	return sum;
}
