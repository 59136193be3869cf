/*
 * diff_load.h - a trace as one side of a diff.
 *
 * Takes all operators, all GPU events, the calls that launched some and, if asked for,
 * Python frames. Threads stand in the order in which they began.
 */
#ifndef ANALYSIS_DIFF_LOAD_H
#define ANALYSIS_DIFF_LOAD_H

#include "analysis/diff_side.h"
#include "longpole.h"

struct diff_load_options {
	bool python;
	lp_window window; /* of both: host work that runs in it, GPU work as in gpu_window.h */
};

/* The two sides share names and shapes, so they are loaded together. */
bool diff_load(struct diff_sides *d, struct trace *before, struct trace *after,
	       struct diff_load_options o, struct lp_error *err);
/* Numbers dims and types of the operators of a side whose nodes are there. */
void diff_load_shapes(struct diff_sides *d, int side);

#endif
