/*
 * refuse.h - one sentence about a file that is no trace: what it is instead.
 */
#ifndef TRACE_REFUSE_H
#define TRACE_REFUSE_H

#include "trace/document.h"

/* Fills d->err and returns true if the first bytes are those of some other format. */
bool refuse_bytes(const struct document *d, const struct text *t);
/* What starts with no bracket, at p. */
void refuse_text(const struct document *d, const struct text *t, const char *p);
/* An object that is damaged at p before any event list. */
void refuse_root(const struct document *d, const struct text *t, const char *p);
/* An object that has no traceEvents. */
void refuse_object(const struct document *d);

#endif
