/*
 * scribe.h - text appended to one buffer and written out when that is full.
 *
 * A trace of gigabytes must be written in seconds: no printf, numbers two digits at a
 * time. Between two calls of scribe_room() at most SCRIBE_ROOM bytes may be appended.
 */
#ifndef SYNTH_SCRIBE_H
#define SYNTH_SCRIBE_H

#include "base/gzout.h"

#include <string.h>

#define SCRIBE_ROOM ((size_t)16 << 10)

struct scribe {
	struct gzout *out;
	uint64_t size; /* bytes written, without those in the buffer */
	size_t n;
	char *at;
};

void scribe_open(struct scribe *t, struct gzout *out);
void scribe_room(struct scribe *t);
/* Writes what is in the buffer and frees it; `out` stays open. */
void scribe_close(struct scribe *t);

static inline void scribe_put(struct scribe *t, const char *p, size_t n)
{
	memcpy(t->at + t->n, p, n);
	t->n += n;
}

static inline void scribe_str(struct scribe *t, const char *z)
{
	scribe_put(t, z, strlen(z));
}

void scribe_u64(struct scribe *t, uint64_t x);
/* A time as µs with three decimals. */
void scribe_us(struct scribe *t, nsec time);
/* `format` with its %u, if it has one. */
void scribe_name(struct scribe *t, const char *format, unsigned number);

#endif
