/*
 * raw.h - the text of the events once more, in the order of the file.
 *
 * What rewrites a trace (slices, overlays) streams the original bytes past the rows it
 * already holds: the source is read again, in windows, and each event comes with its row.
 *
 *	while (raw_next(r, &e))
 *		write(e.text.p, e.text.n);
 */
#ifndef TRACE_RAW_H
#define TRACE_RAW_H

#include "trace/trace.h"

struct raw;

struct raw_event {
	event_id id;
	struct str text; /* from '{' to its '}', valid until the next call */
};

/* NULL if the source cannot be opened again (a pipe that was not spooled, a file that went). */
struct raw *raw_open(const struct trace *tr, struct lp_error *err);
/* Rows that hold no event (empty, null, damaged) are passed over. False at the end. */
bool raw_next(struct raw *r, struct raw_event *out);
/* The text ended before the last row: the file changed since it was read. */
bool raw_short(const struct raw *r);
void raw_close(struct raw *r);

/* Where the value of a field of the event itself stands in its text; false if it has none. */
bool raw_field(struct str event, const char *key, struct str *value);

#endif
