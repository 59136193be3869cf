/*
 * from_trace.h - a trace as a profile: the call tree of its threads as stacks.
 *
 * Functions are Python frames, operators and calls of the runtime, each by name, without what
 * only tells instances apart: addresses, and the numbers of modules. Threads are those
 * that have such a tree, in the order of the file.
 */
#ifndef PROFILE_FROM_TRACE_H
#define PROFILE_FROM_TRACE_H

#include "profile/profile.h"
#include "trace/trace.h"

enum trace_weight {
	TRACE_CPU,   /* self time of every frame */
	TRACE_GPU,   /* time of the GPU work below the frame that launched it */
	TRACE_CALLS, /* one per call */
};

struct trace_stacks {
	enum trace_weight weight;
	bool kernels;   /* TRACE_GPU: the kernel is the innermost frame */
	bool instances; /* keep the numbers of modules */
	bool sums;      /* self times in one piece: no window will cut them */
};

/* Times are absolute, as in the trace. NULL: the weights leave 64 bits. */
struct profile *profile_from_trace(struct trace *tr, struct trace_stacks o, struct lp_error *err);

#endif
