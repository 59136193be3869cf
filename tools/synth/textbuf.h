/*
 * textbuf.h - text appended to one buffer and written when it is full.
 *
 * A trace of gigabytes must be written in seconds: no printf, numbers two digits at a
 * time. Between two calls of text_room() at most TEXT_ROOM bytes may be appended.
 */
#ifndef SYNTH_TEXTBUF_H
#define SYNTH_TEXTBUF_H

#include "base/gzout.h"

#include <string.h>

#define TEXT_ROOM ((size_t)16 << 10)

struct text {
	struct gzout *out;
	uint64_t size; /* bytes written, without those in the buffer */
	size_t n;
	char *at;
};

void text_open(struct text *t, struct gzout *out);
void text_room(struct text *t);
/* Writes what is in the buffer and frees it; `out` stays open. */
void text_close(struct text *t);

static inline void text_put(struct text *t, const char *p, size_t n)
{
	memcpy(t->at + t->n, p, n);
	t->n += n;
}

static inline void text_str(struct text *t, const char *z)
{
	text_put(t, z, strlen(z));
}

void text_u64(struct text *t, uint64_t x);
/* A time as µs with three decimals. */
void text_us(struct text *t, nsec time);
/* `format` with its %u, if it has one. */
void text_name(struct text *t, const char *format, unsigned number);

#endif
