/*
 * gzout.h - bytes to a file, compressed or as they are: the counterpart of input.h.
 *
 * One gzip member without name or date, so equal bytes give equal files (with GZOUT_FAST
 * nearly always: ISA-L's choices vary by a byte once in a while). Failure is kept and told
 * by gzout_close(): writers need not look at every write.
 */
#ifndef BASE_GZOUT_H
#define BASE_GZOUT_H

#include "base/error.h"

#include <stdio.h>

enum gzout_level {
	GZOUT_PLAIN, /* as it is */
	GZOUT_FAST,
	GZOUT_STEADY, /* three times as slow, and the same bytes every time */
	GZOUT_SMALL,
};

struct gzout;

/* `out` stays the caller's; `name` stands for it in messages. Aborts when out of memory. */
struct gzout *gzout_open(FILE *out, const char *name, enum gzout_level level);
void gzout_write(struct gzout *g, const void *bytes, size_t n);
/* Ends the stream, flushes `out` and frees `g`; false if anything could not be written. */
bool gzout_close(struct gzout *g, struct lp_error *err);

#endif
