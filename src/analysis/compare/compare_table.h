/*
 * compare_table.h - columns of a comparison, from lines: with the type that all their cells have.
 */
#ifndef ANALYSIS_COMPARE_TABLE_H
#define ANALYSIS_COMPARE_TABLE_H

#include "analysis/compare/compare.h"

/* Some lines of a sheet, in order, and the sides that they show. */
struct compare_lines {
	struct compare *c;
	const struct compare_sheet *s;
	const char *name; /* of the table */
	uint32_t n;
	const uint32_t *line;
	uint32_t nsides;
	const uint32_t *side;
};

/* Adds the table to the answer. */
void compare_table(const struct compare_lines *l);

/* For people: times in their unit and with what they changed by. */
void compare_picture(const struct compare_lines *l, struct lp_table *t);
/* By how much a line's time differs most, in ns; a row that is not there counts as nothing. */
double compare_change(const struct compare *c, const struct compare_sheet *s, uint32_t line);

#endif
