/*
 * diff_load.h - a trace as one side of a diff.
 *
 * Takes all operators, all GPU events, the calls that launched some and, if asked for,
 * Python frames. Threads stand in the order in which they began.
 */
#ifndef ANALYSIS_DIFF_LOAD_H
#define ANALYSIS_DIFF_LOAD_H

#include "analysis/diff_side.h"

/* The two sides share names and shapes, so they are loaded together. */
void diff_load(struct diff_sides *d, struct trace *before, struct trace *after, bool python);

/* Numbers dims and types of the operators of a side whose nodes are there. */
void diff_load_shapes(struct diff_sides *d, int side);

#endif
