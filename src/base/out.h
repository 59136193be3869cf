/*
 * out.h - a buffer in front of a FILE, for output of millions of small pieces.
 *
 * Errors are not looked at on the way: the FILE remembers them (ferror), and whoever
 * opened it checks once, after out_flush() and fflush().
 */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include "base/str.h"

#include <stdio.h>

struct out {
	FILE *file;
	size_t n; /* bytes waiting in buf */
	char buf[1 << 15];
};

void out_bytes(struct out *o, const char *p, size_t n);
void out_text(struct out *o, const char *text);
void out_print(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
void out_i64(struct out *o, int64_t v);
/* See decimal_f64. */
void out_f64(struct out *o, double v);
/* `n` times the same character. */
void out_fill(struct out *o, char c, size_t n);
void out_flush(struct out *o);

static inline void out_char(struct out *o, char c)
{
	if (o->n == sizeof(o->buf))
		out_flush(o);
	o->buf[o->n++] = c;
}

#endif
