/*
 * workbook.h - a report from files: sheets by name.
 *
 * Three things are read: a folder of CSV files (or one that holds nothing but such a folder),
 * one CSV file, and an Excel workbook. CSV files may be packed by gzip.
 */
#ifndef WORKBOOK_WORKBOOK_H
#define WORKBOOK_WORKBOOK_H

#include "base/error.h"
#include "workbook/grid.h"

struct workbook {
	struct arena arena;
	struct grid_texts texts;
	uint32_t n, cap;
	struct grid *at;
};

enum workbook_answer {
	WORKBOOK_READ,
	WORKBOOK_OTHER,   /* neither CSV nor workbook: perhaps a trace */
	WORKBOOK_REFUSED, /* err says why */
};

/* Into a zeroed workbook, to be freed whatever the answer. */
enum workbook_answer workbook_read(struct workbook *b, const char *path, struct lp_error *err);
void workbook_free(struct workbook *b);

/* NULL if there is no sheet of that name. */
const struct grid *workbook_sheet(const struct workbook *b, const char *name);

/* ---- for its readers ---- */

/* Takes what has been made as the sheet `name`; `path` is for errors. */
bool workbook_add(struct workbook *b, const char *path, const char *name, struct grid_maker *m,
		  struct lp_error *err);

#endif
