/* compare_cell.h - what a text in a report is: a number, "no number" as such, or words. */
#ifndef ANALYSIS_COMPARE_CELL_H
#define ANALYSIS_COMPARE_CELL_H

#include "base/str.h"

enum compare_cell {
	CELL_NONE,    /* nothing, or nan, None: no value */
	CELL_ENDLESS, /* inf */
	CELL_WHOLE,   /* digits alone, at most 2^53 in size */
	CELL_REAL,
	CELL_WORDS,
};

/* `text` may be NULL; the number, if it is one, goes to *out. */
enum compare_cell compare_cell(const char *text, double *out);

/*
 * y - x, but 0 where they differ by no more than a workbook rounds: it keeps 16 digits of what is
 * no whole number, CSV 17.
 */
double compare_difference(double x, double y);

#endif
