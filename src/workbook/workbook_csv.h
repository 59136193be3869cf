/* workbook_csv.h - a CSV file as a sheet: RFC 4180 with LF or CR LF, a BOM or none, gzip or not. */
#ifndef WORKBOOK_WORKBOOK_CSV_H
#define WORKBOOK_WORKBOOK_CSV_H

#include "base/input.h"
#include "workbook/workbook.h"

/* Closes the input. */
bool workbook_csv(struct workbook *b, struct input *in, const char *path, const char *name,
		  struct lp_error *err);

#endif
