/*
 * doubt.h - what could change an answer, said beside it.
 *
 * Each adds a sentence to the answer if there is a reason, worst first; the rest is
 * for `check`.
 */
#ifndef ANALYSIS_DOUBT_H
#define ANALYSIS_DOUBT_H

#include "base/table.h"
#include "trace/link.h"

/* The worst oddity of the text (an error of the file), with its place. */
void doubt_reading(struct lp_answer *a, const struct trace *tr);
/* A window [from, to) of times that holds nothing of the trace. */
void doubt_window(struct lp_answer *a, const struct trace *tr, nsec from, nsec to);
/* GPU work without a launch: `so` says what that means here. Quiet if none has one. */
void doubt_unlinked(struct lp_answer *a, const struct trace *tr, const struct links *l,
		    const char *so);
/* Times that cannot be: left out of sums, or clipped. */
void doubt_times(struct lp_answer *a, const struct trace *tr, const struct links *l);
/* A graph replay recorded in part: idle time may be work. */
void doubt_idle(struct lp_answer *a, const struct trace *tr);

#endif
