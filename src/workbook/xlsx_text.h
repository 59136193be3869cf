/*
 * xlsx_text.h - texts of a workbook: the shared ones, which cells name by number, and the
 * pieces that one text is made of.
 *
 *	<si><t>plain</t></si>  <si><r><t>rich </t></r><r><t>text</t></r><rPh>...</rPh></si>
 */
#ifndef WORKBOOK_XLSX_TEXT_H
#define WORKBOOK_XLSX_TEXT_H

#include "base/textbuf.h"
#include "workbook/grid.h"
#include "workbook/xlsx_part.h"

/* A text in the making, from the elements inside of <si> or <is>. */
struct xlsx_text {
	struct textbuf buf;
	bool on;      /* inside of <t> */
	bool reading; /* inside of <rPh>: how to pronounce it, no part of it */
};

void xlsx_text_start(struct xlsx_text *t, const char *name);
void xlsx_text_end(struct xlsx_text *t, const char *name);
/* False: too long. */
bool xlsx_text_add(struct xlsx_text *t, struct str piece);
/* The text, with _x0041_ as the character it stands for; it is then empty again. */
struct str xlsx_text_take(struct xlsx_text *t);

struct xlsx_shared {
	struct column at; /* const char * */
	uint32_t n;
};

/* A workbook without any has no such part. */
bool xlsx_text_read_shared(struct xlsx_package *p, const char *part, struct grid_texts *texts,
			   struct xlsx_shared *out, struct lp_error *err);

#endif
