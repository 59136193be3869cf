/*
 * scroll.h - a piece of text that slides over an input from front to end.
 *
 *	         base           at           end      cap
 *	  text ...|... consumed ...|... read ...|. padding .|
 *
 * What is consumed makes room for what is read next; what is not, stays whole, and
 * the window grows for it. PADDING zero bytes follow `end`.
 */
#ifndef BASE_SCROLL_H
#define BASE_SCROLL_H

#include "base/input.h"
#include "base/str.h"

struct scroll {
	struct input *in; /* NULL: the window is the whole text */
	unsigned char *buf;
	size_t at, end, cap;
	uint64_t base; /* byte of the text that buf[0] is */
	bool ended;    /* no more bytes behind `end` */
};

void scroll_open(struct scroll *w, struct input *in);
/* Over a copy of n bytes. */
void scroll_open_memory(struct scroll *w, const void *text, size_t n);
void scroll_close(struct scroll *w);

/* Reads more behind `end`; buf[at] may move to buf[0]. */
void scroll_fill(struct scroll *w);
/* The next line without its end (LF or CR LF), valid until the next call; false past the last. */
bool scroll_line(struct scroll *w, struct str *line);
/* All the rest. */
struct str scroll_rest(struct scroll *w);

/* Makes at least n bytes (n <= PADDING) visible at `at`, unless the text ends before. */
static inline void scroll_need(struct scroll *w, size_t n)
{
	if (w->end - w->at < n && !w->ended)
		scroll_fill(w);
}

/* The byte of the text that is at hand. */
static inline uint64_t scroll_place(const struct scroll *w)
{
	return w->base + w->at;
}

#endif
