/* workbook_xlsx.h - an Excel workbook (.xlsx, .xlsm), sheet by sheet. */
#ifndef WORKBOOK_WORKBOOK_XLSX_H
#define WORKBOOK_WORKBOOK_XLSX_H

#include "workbook/workbook.h"

/* Without libzip and expat it fails and says so. */
bool workbook_xlsx(struct workbook *b, const char *path, struct lp_error *err);
/* The same from memory. */
bool workbook_xlsx_memory(struct workbook *b, const char *name, const void *bytes, size_t n,
			  struct lp_error *err);

#endif
