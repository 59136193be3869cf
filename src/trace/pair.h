/*
 * pair.h - which backward operator belongs to which forward operator.
 *
 * By sequence number and thread (a backward pass on the forward's own thread
 * counts, too); fwdbwd flows where there are no numbers.
 */
#ifndef TRACE_PAIR_H
#define TRACE_PAIR_H

#include "trace/trace.h"

struct pairs {
	event_id *forward;  /* of each event: the forward op of a backward wrapper; or NONE */
	event_id *backward; /* of each event: its (first) backward wrapper; or NONE */
	uint32_t n;
};

const struct pairs *trace_pairs(struct trace *tr);

#endif
