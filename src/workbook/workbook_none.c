/* In place of workbook_xlsx.c where libzip or expat is not there. */
#include "workbook/workbook_xlsx.h"

bool workbook_xlsx(struct workbook *b, const char *path, struct lp_error *err)
{
	return error_set(
		err,
		"%s: a zip archive or workbook; this longpole was built without libzip and "
		"expat and reads no workbooks. Give it a folder of CSV files instead",
		path);
}

bool workbook_xlsx_memory(struct workbook *b, const char *name, const void *bytes, size_t n,
			  struct lp_error *err)
{
	return workbook_xlsx(b, name, err);
}
