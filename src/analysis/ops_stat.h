/*
 * ops_stat.h - the figures of each group of rows.
 *
 * The time of a row is its busy time: the union of its GPU events, so that overlapping
 * kernels of one occurrence do not count twice. Events with an invalid time count, but
 * add no time; a row that has no other takes no part in mean, median, min and max.
 */
#ifndef ANALYSIS_OPS_STAT_H
#define ANALYSIS_OPS_STAT_H

#include "analysis/ops_group.h"

struct ops_stat {
	uint32_t example; /* the earliest row */
	uint32_t count;   /* rows */
	uint32_t timed;   /* rows with a time */
	uint32_t kernels; /* GPU events of all rows */
	nsec time, min, max, cpu;
	double mean, median, std; /* std of the sample; NaN where there is none */
};

struct ops_stat *ops_stats(struct arena *a, const struct trace *tr, const struct links *l,
			   const struct ops_rows *rows, const struct ops_groups *g);

/* Groups by time, longest first; then by the start of the example, then by name. */
uint32_t *ops_ranking(struct arena *a, const struct trace *tr, const struct links *l,
		      const struct ops_rows *rows, const struct ops_groups *g,
		      const struct ops_stat *stat);

#endif
