/*
 * split_slice.h - which slice every event of the trace belongs to.
 *
 * Slices 0 .. n-1 are the iterations by start; two more hold what came before the first
 * and after the last. Every row of the trace has exactly one slice, but for metadata,
 * which all slices share, and rows that hold no event.
 */
#ifndef ANALYSIS_SPLIT_SLICE_H
#define ANALYSIS_SPLIT_SLICE_H

#include "analysis/split.h"
#include "trace/write_slices.h"

struct slice {
	nsec start, end;      /* its tile; prologue and epilogue reach to the ends of the trace */
	uint32_t host_events; /* rows that are neither GPU work nor metadata */
	uint32_t gpu_events;
	uint32_t unlinked;        /* of them without a launch in the trace */
	nsec gpu_sum;             /* of their lengths */
	nsec gpu_busy;            /* of their union */
	nsec gpu_first, gpu_last; /* first start, last end; NSEC_NONE without valid times */
	uint64_t signature;       /* of the names of its GPU events in order of launch */
};

struct slices {
	uint32_t n;       /* iterations; the prologue is slice n, the epilogue n + 1 */
	struct slice *at; /* n + 2 of them */
	uint32_t *of;     /* per event */
	struct tiles tiles;
};

struct slices split_slices(const struct split_work *w, const struct root_set *r, struct arena *a);

#endif
