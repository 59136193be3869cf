/*
 * ops_text.h - the texts of the operator table: made once per line, never per event.
 */
#ifndef ANALYSIS_OPS_TEXT_H
#define ANALYSIS_OPS_TEXT_H

#include "analysis/ops_group.h"

/* "aten::mm", or "cpu_op_A->kernel_A (Synthetic Op)". */
const char *ops_text_name(struct arena *a, const struct trace *tr, string_id name,
			  string_id kernel);
/* "cpu thread 542 (python3)", "gpu 0 stream 7". */
const char *ops_text_lane(struct arena *a, const struct trace *tr, lane_id lane);
/* Python frames and operators from the root to the row, joined by ";"; "" if there are none. */
const char *ops_text_stack(struct arena *a, const struct trace *tr, const struct links *l,
			   const struct ops_rows *rows, uint32_t row);
/*
 * Of each group, what its GPU time is made of, longest first:
 * [{"name":"k","device":0,"stream":7,"count":2,"total_ns":..,"min_ns":..,"max_ns":..}].
 */
const char **ops_text_kernels(struct arena *a, const struct trace *tr, const struct links *l,
			      const struct ops_rows *rows, const struct ops_groups *g);

#endif
