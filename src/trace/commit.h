/*
 * commit.h - the rows of a batch become rows of the trace.
 *
 * In the order of the file and one batch at a time: ids are given here. Then the
 * numbers are copied; batches may do that at the same time.
 */
#ifndef TRACE_COMMIT_H
#define TRACE_COMMIT_H

#include "trace/batch.h"
#include "trace/trace.h"

/* Where the rows of a batch go. */
struct commit_place {
	uint32_t row;
	uint64_t arg, wide;
};

/* The arrays of a trace while they grow. */
struct commit {
	struct trace *tr;
	uint64_t nargs, nwide;
	struct strings lane_pairs; /* spelled as the ids of pid and tid */
	uint32_t lane_cap;
};

void commit_begin(struct commit *c, struct trace *tr);
/* Gives ids to what is new, makes room; false if there are too many events. */
bool commit_reserve(struct commit *c, struct batch *b, uint64_t origin, struct commit_place *at);
/* Copies the rows to their place. */
void commit_copy(struct commit *c, const struct batch *b, uint64_t origin, struct commit_place at);
void commit_end(struct commit *c);

#endif
