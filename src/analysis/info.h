/* info.h - the parts of lp_info(): who runs where. */
#ifndef ANALYSIS_INFO_H
#define ANALYSIS_INFO_H

#include "algo/sort.h"
#include "base/table.h"
#include "trace/trace.h"

/* The lanes that hold slices, threads before streams, and what they add up to. */
struct info_lanes {
	uint32_t n;
	lane_id *lane;
	int64_t *events; /* slices on it */
	int64_t *busy;   /* union of its work; annotations and sync rows are none */
	uint32_t nprocesses, nthreads, nstreams, ndevices;
	int64_t *device; /* of each device with GPU work: its number */
};

struct info_lanes info_lanes(struct trace *tr, struct arena *a);
void info_add_lanes(struct lp_answer *a, const struct trace *tr, const struct info_lanes *l);

#endif
