/*
 * textbuf.h - a text that grows in an arena.
 *
 * It doubles into fresh memory, so the arena is best a scratch one: textbuf_keep()
 * copies the finished text where it is to live. `struct textbuf b = { .arena = &a }`
 * is an empty one.
 */
#ifndef BASE_TEXTBUF_H
#define BASE_TEXTBUF_H

#include "base/arena.h"
#include "base/str.h"

struct textbuf {
	struct arena *arena;
	char *p;
	size_t n, cap;
};

void textbuf_add(struct textbuf *b, struct str s);
void textbuf_print(struct textbuf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* As a JSON string, quotes and all; bytes that are not ASCII pass as they are. */
void textbuf_json(struct textbuf *b, struct str s);
/* A NUL-terminated copy; the buffer is then empty and keeps its memory. */
const char *textbuf_keep(struct textbuf *b, struct arena *a);

#endif
