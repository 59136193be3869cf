/*
 * model.h - from rows as they were written to events that mean something.
 *
 * One pass each: kinds by table; lanes of GPU work by device and stream; B/E pairs and
 * async spans; times that cannot be; the window. Repairs are counted and keep the raw
 * figure. After it a trace is ready for trees, links and questions.
 */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include "trace/trace.h"

void model_build(struct trace *tr);

/* The passes, in their order. */
void model_kinds(struct trace *tr);
/* B/E and async pairs become slices in the row of the B; what has no partner is counted. */
void model_spans(struct trace *tr);
/* Numbers within these limits can be subtracted, and many of them added, without a thought. */
#define FARTHEST ((nsec)1 << 61) /* 73 years around 0, be that 1970 or the start of a machine */
#define LONGEST  ((nsec)1 << 50) /* 13 days */

/* Stretches of time; start > end: nothing. */
struct range {
	nsec start, end;
};

/* What one look at all times tells. */
struct survey {
	struct range starts;    /* of all slices */
	struct range all, work; /* all slices; host events and GPU work */
	nsec host;              /* first start of a host event */
	nsec last;              /* the last moment; instants count, flows do not */
	bool open;              /* something has no end */
};

/* Lists GPU work in the order of the file. */
void model_gpu(struct trace *tr);
/* A start too far from 0 to calculate with is as good as none. */
void model_limit(struct trace *tr, event_id e);
/* Flags times that cannot be. */
void model_times(struct trace *tr, struct survey *s);
/* Sorts GPU work by stream, and clips what outlasts later work of its stream. */
void model_streams(struct trace *tr);
/* Closes what is open where the trace ends, and finds its window. */
void model_window(struct trace *tr, struct survey *s);

/* Counts an oddity at the place of an event. */
void model_count(struct trace *tr, enum counter what, event_id e);

#endif
