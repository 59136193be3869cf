/*
 * compare_rule.h - which sheets of reports can be compared, and how: a table.
 *
 * Rows are one if their keys are equal; figures are subtracted. Sheets for whole reports show
 * all rows in one table, those of single operators in three: in both, only in the first,
 * only in the other.
 */
#ifndef ANALYSIS_COMPARE_RULE_H
#define ANALYSIS_COMPARE_RULE_H

#include "base/arena.h"
#include "workbook/grid.h"

#define COMPARE_FIGURES 6
#define COMPARE_DROPPED 8

struct compare_rule {
	const char *sheet, *shown;            /* the name in the report, and of the result */
	const char *const *keys;              /* the first must be there; ended by NULL */
	const char *also;                     /* tells rows of one key apart; NULL */
	const char *figures[COMPARE_FIGURES]; /* the first is the time */
	const char *count;                    /* how often; one of the figures, or NULL */
	const char *dropped[COMPARE_DROPPED]; /* of no use in a comparison */
	double ns;                            /* per unit of the first figure */
	bool detail;                          /* not for people, unless asked for */
	bool split;                           /* three tables per report */
	bool family;       /* one kind of operator: a report without it has none of them */
	bool timeline;     /* the rows are parts of one time, in an order of their own */
	bool tracelens;    /* TraceLens compares it, too */
	const char *label; /* a column that helps people to read the rows; NULL */
};

/* The rule for a sheet; NULL if there is none. `scratch` is for families found by their columns. */
const struct compare_rule *compare_rule_for(struct arena *scratch, const struct grid *g);
/* The rules that have a name, in the order of the results; NULL past the last. */
const struct compare_rule *compare_rule_at(uint32_t i);

#endif
