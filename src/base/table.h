/*
 * table.h - building a struct lp_table and a struct lp_answer.
 *
 * The answer owns one arena; what answer_arena() gives dies with it. Adding a
 * column borrows the array, so a table of a million events copies nothing: it may
 * point straight into the trace, which must then outlive it.
 *
 *	struct lp_answer *a = answer_new();
 *	struct lp_table *t = answer_table(a, "ops", nrows);
 *	table_i64(t, "count", "count", LP_COUNT, LP_SUM, counts, "occurrences");
 *	answer_headline(a, "%s owns %.1f %% of the GPU time.", ...);
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"
#include "longpole.h"

struct lp_answer *answer_new(void);
struct arena *answer_arena(struct lp_answer *a);
/* An empty table, owned by `a`; its name and all strings given must outlive it or be in its arena.
 */
struct lp_table *answer_table(struct lp_answer *a, const char *name, uint32_t nrows);
/* Takes over all tables and doubts of another answer, which dies with `a`. */
void answer_adopt(struct lp_answer *a, struct lp_answer *other);
void answer_headline(struct lp_answer *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void answer_doubt(struct lp_answer *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void answer_next(struct lp_answer *a, const char *purpose, const char *command_fmt, ...)
	PRINTF_LIKE(3, 4);
/* One more "= ..." line below the table. */
void table_footer(struct lp_table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

void table_i64(struct lp_table *t, const char *name, const char *title, enum lp_unit u,
	       unsigned flags, const int64_t *data, const char *help);
void table_bool(struct lp_table *t, const char *name, const char *title, unsigned flags,
		const int64_t *data, const char *help);
void table_f64(struct lp_table *t, const char *name, const char *title, enum lp_unit u,
	       unsigned flags, const double *data, const char *help);
void table_str(struct lp_table *t, const char *name, const char *title, unsigned flags,
	       const char *const *data, const char *help);

#endif
