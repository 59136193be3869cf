/*
 * xlsx_sheet.h - the cells of one sheet.
 *
 *	<row r="2"><c r="B2" t="s"><v>17</v></c> ...    t: s shared text, n number, b boolean,
 *	                                                inlineStr and str text, e error
 *
 * Numbers stay as they are written; booleans become True and False; errors (#DIV/0!) are
 * no cells, and counted.
 */
#ifndef WORKBOOK_XLSX_SHEET_H
#define WORKBOOK_XLSX_SHEET_H

#include "workbook/xlsx_text.h"

bool xlsx_sheet_read(struct xlsx_package *p, const char *part, const struct xlsx_shared *shared,
		     struct grid_maker *m, struct lp_error *err);

#endif
