/*
 * write_slices.h - one trace written as many, in one pass over its own bytes.
 *
 * Every event goes, as it stands in the file, to the slice it belongs to; metadata goes to
 * all. A frame that outlives its slice is cut at the slice's end, and each later slice it
 * reaches into gets a copy cut to that slice: both carry "longpole_clipped" with the
 * original ts and dur. Arguments are never touched.
 */
#ifndef TRACE_WRITE_SLICES_H
#define TRACE_WRITE_SLICES_H

#include "trace/trace.h"

#define SLICE_ALL  (UINT32_MAX - 1) /* metadata: in every slice */
#define SLICE_NONE UINT32_MAX       /* no event in this row */

struct slice_plan {
	uint32_t n;
	const char *const *path; /* .json.gz of each slice; NULL: not written */
	const uint32_t *of;      /* slice of each event */
	const nsec *start, *end; /* stretch of each slice */
	const uint32_t *order;   /* slices by start */
	/* The slice that holds time t for events of this lane: where a copy of a frame may go. */
	uint32_t (*find)(const void *ctx, lane_id lane, nsec t);
	const void *ctx;
	unsigned threads;
};

struct slices_written {
	uint64_t events; /* originals */
	uint64_t clipped, copies;
};

bool write_slices(const struct trace *tr, const struct slice_plan *plan,
		  struct slices_written *done, struct lp_error *err);

#endif
