/*
 * read_fast.h - events the way they nearly always are, at a gigabyte a second.
 *
 * Gives exactly what read_careful() gives, or gives up on an event and adds nothing: the
 * careful reader then says what is wrong with it. What it learns about the text (which
 * key follows which, the ids of frequent values) makes it fast and changes no result.
 */
#ifndef TRACE_READ_FAST_H
#define TRACE_READ_FAST_H

#include "base/simd.h"
#include "trace/read_event.h"

struct fast;

struct fast *fast_new(enum simd_level level);
/*
 * Reads events from p (a brace) on, up to the first that is odd or not whole, and returns
 * where that begins; *n events were read. A comma, one, is between them, and the last
 * one has been checked to have a comma behind it.
 */
const char *fast_read(struct fast *f, struct batch *b, const struct text *t, const char *p,
		      uint32_t *n);
void fast_free(struct fast *f);

#endif
