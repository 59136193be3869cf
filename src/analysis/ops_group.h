/*
 * ops_group.h - rows of equal name and arguments put together.
 *
 * A key is what two rows must share to be one line of the table; what the table is
 * not grouped by is NONE in it. Groups are numbered by their first row.
 */
#ifndef ANALYSIS_OPS_GROUP_H
#define ANALYSIS_OPS_GROUP_H

#include "analysis/ops_model.h"
#include "analysis/ops_own.h"
#include "longpole.h"

struct ops_key {
	string_id name;   /* of the operator, the launching call, or the kernel without a launch */
	string_id kernel; /* of a synthetic row */
	uint32_t category;
	uint32_t process;
	string_id process_name, thread; /* the ids as written where there are no names */
	lane_id stream;                 /* of work without a launch, in place of a thread */
	string_id dims, types, strides, concrete;
	uint32_t module; /* row of ops_groups.modules */
};

struct ops_groups {
	uint32_t n;
	struct ops_key *key;
	uint32_t *row;          /* the rows, group by group, in their order */
	uint32_t *first;        /* n + 1: of each group in row[] */
	struct strings modules; /* classes of modules, "nn.Module: Linear" */
};

/* LP_BY_ARGS .. LP_BY_MODULE, or every row for itself. */
#define OPS_BY_ROW (LP_BY_MODULE + 1)

struct ops_groups ops_group(struct arena *a, struct ops_model *m, const struct ops_rows *rows,
			    unsigned by);
void ops_groups_free(struct ops_groups *g);

/* The event that stands for a row on the time line: its operator, launch, or kernel. */
static inline event_id ops_row_event(const struct links *l, const struct ops_rows *rows,
				     uint32_t row)
{
	node_id node = rows->at[row].node;

	return node == NONE ? l->gpu[rows->work[rows->at[row].first]] : l->tree->event[node];
}

#endif
