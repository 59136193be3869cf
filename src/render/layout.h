/*
 * layout.h - a sheet fitted to the width of a terminal.
 *
 * Names give way first, then bars go, then columns marked as lesser, from the right;
 * what still does not fit is shown as one `name: value` a line. On a terminal below 60
 * columns that is the form of all but the smallest tables.
 */
#ifndef RENDER_LAYOUT_H
#define RENDER_LAYOUT_H

#include "render/sheet.h"

struct layout {
	struct sheet *sheet;
	unsigned columns;
	unsigned *width;  /* of each field; 0: left out */
	uint32_t wrapped; /* the field whose text goes on below; or NONE */
	bool one_a_line;
};

struct layout layout_make(struct sheet *s, unsigned columns);
/* The head of the label field in the block of this line: "device 2". */
const char *layout_block(const struct sheet *s, uint32_t line);

#endif
