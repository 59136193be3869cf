/* compare_side.h - a report or a trace as sheets of text. */
#ifndef ANALYSIS_COMPARE_SIDE_H
#define ANALYSIS_COMPARE_SIDE_H

#include "analysis/compare/compare.h"

/*
 * Reads all sides: reports first, since traces then get the tables that the reports have
 * (those of TraceLens, unless the reports are longpole's own).
 */
bool compare_side_read_all(struct compare *c, struct lp_compare_options o, struct lp_error *err);
/* The tables of an answer as sheets. */
bool compare_side_tables(struct workbook *b, const char *path, const struct lp_answer *a,
			 struct lp_error *err);

#endif
