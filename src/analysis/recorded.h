/*
 * recorded.h - what the profiler was told to record, as the events show it.
 *
 * Every question needs some of it; what is missing costs an answer, and recorded_lacks
 * says which. The presence of one event or argument is enough.
 */
#ifndef ANALYSIS_RECORDED_H
#define ANALYSIS_RECORDED_H

#include "trace/trace.h"

enum recorded {
	RECORDED_GPU,     /* work on a stream */
	RECORDED_SHAPES,  /* record_shapes: Input Dims */
	RECORDED_STACKS,  /* with_stack: Python frames */
	RECORDED_MODULES, /* with_modules, or frames named nn.Module */
	RECORDED_MEMORY,  /* profile_memory */
	RECORDED_FLOPS,   /* with_flops */
	RECORDED_SYNC,    /* rows of category cuda_sync */
	RECORDINGS
};

struct recordings {
	bool has[RECORDINGS];
};

struct recorded_text {
	const char *name;  /* "shapes" */
	const char *lacks; /* what their absence costs */
};

extern const struct recorded_text recorded_texts[RECORDINGS];

struct recordings recordings_of(const struct trace *tr);
/* Written by AMD's stack, which has no sync rows whatever one asks for. */
bool recorded_on_rocm(const struct trace *tr);

#endif
