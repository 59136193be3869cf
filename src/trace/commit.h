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
	uint64_t row_room, arg_room, wide_room; /* rows the arrays have room for */
};

void commit_begin(struct commit *c, struct trace *tr);
/* Gives ids to what is new in the batch and counts its oddities. */
void commit_name(struct commit *c, struct batch *b);
/* False if there are too many events. */
bool commit_fits(const struct commit *c, const struct batch *b);
/* Growing moves the arrays: nobody may be copying then. */
bool commit_has_room(const struct commit *c, const struct batch *b);
void commit_grow(struct commit *c, const struct batch *b);
/* The place of the batch's rows; it must have room. */
struct commit_place commit_reserve(struct commit *c, const struct batch *b, uint64_t origin);
/* Copies the rows to their place. */
void commit_copy(const struct commit *c, const struct batch *b, uint64_t origin,
		 struct commit_place at);
void commit_end(struct commit *c);

#endif
