/*
 * write_chrome.h - a trace once more, with something drawn over it.
 *
 * The original's bytes are streamed; an event of note gets two more arguments at the end of
 * its "args"; nothing else of it changes and nothing is lost. One process is added, with one
 * thread of slices that touch, and flows between original events: plain Chrome trace events,
 * so chrome://tracing and Perfetto both show them.
 */
#ifndef TRACE_WRITE_CHROME_H
#define TRACE_WRITE_CHROME_H

#include "trace/trace.h"

#include <stdio.h>

struct chrome_slice {
	nsec start, end; /* absolute */
	struct str name;
	const char *color; /* "cname": a word of Chrome's palette */
	const char *args;  /* members of a JSON object */
};

struct chrome_flow {
	event_id from, to;
	nsec leaves, arrives; /* absolute, within the slices of these events */
};

struct chrome_overlay {
	const char *process, *thread; /* what the new ones are called */
	uint32_t nslices, nflows;
	const struct chrome_slice *slice;
	const struct chrome_flow *flow;
	const bool *critical; /* of each event: gets "critical": 1 */
	const nsec *slack;    /* of each event: "slack_ns"; NSEC_NONE: none */
};

/* `path` stands for `out` in messages; gzip if asked. */
bool write_chrome(const struct trace *tr, const struct chrome_overlay *o, FILE *out,
		  const char *path, bool gzip, struct lp_error *err);

#endif
