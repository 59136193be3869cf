#include "render/xlsx_writer.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define SONAME "libxlsxwriter.so." LXW_SOVERSION
#define FUNCTION(name)                                    \
	{                                                 \
#name, offsetof(struct xlsx_writer, name) \
	}

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	FUNCTION(workbook_new_opt),
	FUNCTION(workbook_set_properties),
	FUNCTION(workbook_add_format),
	FUNCTION(workbook_add_worksheet),
	FUNCTION(workbook_validate_sheet_name),
	FUNCTION(workbook_close),
	FUNCTION(format_set_bold),
	FUNCTION(format_set_num_format),
	FUNCTION(worksheet_write_string),
	FUNCTION(worksheet_write_number),
	FUNCTION(worksheet_write_boolean),
	FUNCTION(worksheet_set_column),
	FUNCTION(worksheet_freeze_panes),
	FUNCTION(worksheet_autofilter),
	FUNCTION(lxw_strerror),
};

bool xlsx_writer_load(struct xlsx_writer *x, struct lp_error *err)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return error_set(err,
				 "workbooks are written by " SONAME
				 ", which cannot be loaded (package libxlsxwriter" LXW_SOVERSION
				 "): %s",
				 dlerror());
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *f = dlsym(library, functions[i].name);

		if (!f)
			return error_set(err, SONAME " has no %s", functions[i].name);
		memcpy((char *)x + functions[i].at, &f, sizeof(f));
	}
	return true;
}
