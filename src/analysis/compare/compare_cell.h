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

#endif
