/* asked.h - looking things up in the tables of an answer; what is not there fails the test. */
#ifndef UNIT_ASKED_H
#define UNIT_ASKED_H

#include "longpole.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline const struct lp_column *asked_column(const struct lp_answer *a, const char *table,
						   const char *name)
{
	const struct lp_table *t = lp_answer_table(a, table);

	assert_non_null(t);
	for (uint32_t i = 0; i < t->ncols; i++)
		if (!strcmp(t->cols[i].name, name))
			return &t->cols[i];
	fail_msg("no column %s", name);
	return NULL;
}

static inline uint32_t asked_rows(const struct lp_answer *a, const char *table)
{
	const struct lp_table *t = lp_answer_table(a, table);

	assert_non_null(t);
	return t->nrows;
}

static inline int64_t asked_i64(const struct lp_answer *a, const char *table, const char *name,
				uint32_t row)
{
	return asked_column(a, table, name)->data.i64[row];
}

static inline double asked_f64(const struct lp_answer *a, const char *table, const char *name,
			       uint32_t row)
{
	return asked_column(a, table, name)->data.f64[row];
}

static inline const char *asked_str(const struct lp_answer *a, const char *table, const char *name,
				    uint32_t row)
{
	return asked_column(a, table, name)->data.str[row];
}

#endif
