/*
 * ops_table.h - groups of rows written out as the table `ops`.
 *
 * Which columns a table has depends on what it is grouped by; all of them are listed
 * once, in ops_table.c, with their unit and help.
 */
#ifndef ANALYSIS_OPS_TABLE_H
#define ANALYSIS_OPS_TABLE_H

#include "analysis/ops_cost.h"
#include "analysis/ops_stat.h"
#include "base/table.h"

struct ops_view {
	const struct trace *tr;
	const struct links *l;
	struct ops_model *model;
	const struct ops_rows *rows;
	const struct ops_groups *groups;
	const struct ops_stat *stat;
	const struct ops_cost *cost; /* of each group; NULL where arguments are not in the key */
	const uint32_t *order;       /* of the table's lines: the group */
	nsec total;                  /* GPU time of all groups */
	unsigned by;
	/* made while the table is written */
	struct arena *arena;
	const char **kernels;
	nsec running; /* GPU time of the lines so far */
};

struct lp_table *ops_table(struct lp_answer *a, struct ops_view *v);

#endif
