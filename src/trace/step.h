/*
 * step.h - the iterations that the recording itself marks: ProfilerStep#N and the like.
 *
 * A step is a stretch of host time; GPU work belongs to the step of its launch.
 */
#ifndef TRACE_STEP_H
#define TRACE_STEP_H

#include "trace/trace.h"

struct steps {
	uint32_t n;
	event_id *event; /* the annotation, by start */
	int64_t *number; /* N of "ProfilerStep#N"; its place from 0 where the name has none */
};

const struct steps *trace_steps(struct trace *tr);

#endif
