/*
 * xlsx_part.h - the package of a workbook: XML files in a zip archive.
 *
 * A part is never in memory as a whole: it is inflated piece by piece into the XML parser,
 * which calls the handlers. All parts together may inflate to XLSX_INFLATED bytes; document
 * types, which workbooks have none of, are refused, and so are their entities.
 */
#ifndef WORKBOOK_XLSX_PART_H
#define WORKBOOK_XLSX_PART_H

#include "base/error.h"
#include "base/str.h"

#define XLSX_INFLATED ((uint64_t)2 << 30)

struct xlsx_package;

struct xlsx_package *xlsx_part_open(const char *path, struct lp_error *err);
/* Over memory, which must stay. */
struct xlsx_package *xlsx_part_open_memory(const char *name, const void *bytes, size_t n,
					   struct lp_error *err);
void xlsx_part_close(struct xlsx_package *p);
const char *xlsx_part_path(const struct xlsx_package *p);

/* Names come without their prefix; attributes are names and values in turn, then NULL. */
struct xlsx_handlers {
	void (*start)(void *ctx, const char *name, const char **attributes);
	void (*end)(void *ctx, const char *name);
	void (*text)(void *ctx, struct str text); /* in pieces; NULL: not wanted */
	const char *const *fault; /* once it points at a text, the part is given up for it */
};

/* False: the part is not there, damaged, no XML, too large, or given up. */
bool xlsx_part_read(struct xlsx_package *p, const char *part, const struct xlsx_handlers *h,
		    void *ctx, struct lp_error *err);

/* The value of an attribute, by its name without prefix; NULL if it is not there. */
const char *xlsx_part_attribute(const char **attributes, const char *name);

#endif
