/*
 * cells.h - reading the tables of answers that are already there, by name.
 *
 *	const struct lp_table *t = cells_table(&answers, "timeline");
 *	uint32_t idle = cells_find(t, "what", "idle");
 *	nsec time = cells_int(t, "time_ns", idle);
 *
 * What is not there (no table, no column, no row) reads as a missing value: no caller has to ask.
 */
#ifndef ANALYSIS_CELLS_H
#define ANALYSIS_CELLS_H

#include "base/base.h"
#include "longpole.h"

struct answers {
	const struct lp_answer *const *at; /* NULL: this question has no answer */
	unsigned n;
};

/* The first table of this name; NULL if there is none. */
const struct lp_table *cells_table(const struct answers *answers, const char *name);
/* 0 of no table. */
uint32_t cells_rows(const struct lp_table *t);
/* The first row whose text in `column` is `text`; NONE. */
uint32_t cells_find(const struct lp_table *t, const char *column, const char *text);
/* LP_NULL, NaN and NULL where there is nothing. */
int64_t cells_int(const struct lp_table *t, const char *column, uint32_t row);
double cells_real(const struct lp_table *t, const char *column, uint32_t row);
const char *cells_text(const struct lp_table *t, const char *column, uint32_t row);
/* Over all rows, without the missing ones. */
int64_t cells_sum(const struct lp_table *t, const char *column);
/* The same over the rows whose text in `where` is `text`. */
int64_t cells_sum_where(const struct lp_table *t, const char *column, const char *where,
			const char *text);

#endif
