/* page.h - words and colours on a terminal of so many columns. */
#ifndef RENDER_PAGE_H
#define RENDER_PAGE_H

#include "base/arena.h"
#include "base/out.h"
#include "base/utf8.h"

enum ink { INK_NONE, INK_BOLD, INK_DIM, INK_RED, INK_GREEN, INK_YELLOW };

struct page {
	struct out *out;
	struct arena *arena; /* scratch */
	unsigned columns;
	enum utf8_for reader;
	bool color;
};

void page_ink(struct page *p, enum ink ink);
/*
 * Text at column `at`, broken between words so that no line is longer than the page;
 * what follows is indented by `indent`. A word longer than a line loses its middle.
 * Ends without a newline.
 */
void page_wrap(struct page *p, const char *text, unsigned at, unsigned indent);
/* `first` and the text in one ink, wrapped below the end of `first`, and a newline. */
void page_line(struct page *p, enum ink ink, const char *first, const char *text);

#endif
