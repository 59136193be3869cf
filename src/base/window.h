/*
 * window.h - a piece of text that slides over an input from front to end.
 *
 *	         base           at           end      cap
 *	  text ...|... consumed ...|... read ...|. padding .|
 *
 * What is consumed makes room for what is read next; what is not, stays whole, and
 * the window grows for it. PADDING zero bytes follow `end`.
 */
#ifndef BASE_WINDOW_H
#define BASE_WINDOW_H

#include "base/input.h"
#include "base/str.h"

struct window {
	struct input *in; /* NULL: the window is the whole text */
	unsigned char *buf;
	size_t at, end, cap;
	uint64_t base; /* byte of the text that buf[0] is */
	bool ended;    /* no more bytes behind `end` */
};

void window_open(struct window *w, struct input *in);
/* Over a copy of n bytes. */
void window_open_memory(struct window *w, const void *text, size_t n);
void window_close(struct window *w);

/* Reads more behind `end`; buf[at] may move to buf[0]. */
void window_fill(struct window *w);
/* The next line without its end (LF or CR LF), valid until the next call; false past the last. */
bool window_line(struct window *w, struct str *line);
/* All the rest. */
struct str window_rest(struct window *w);

/* Makes at least n bytes (n <= PADDING) visible at `at`, unless the text ends before. */
static inline void window_need(struct window *w, size_t n)
{
	if (w->end - w->at < n && !w->ended)
		window_fill(w);
}

/* The byte of the text that is at hand. */
static inline uint64_t window_place(const struct window *w)
{
	return w->base + w->at;
}

#endif
