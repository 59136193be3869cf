/*
 * split_batch.h - how large the batch of each iteration was, as the shapes of its operators tell.
 */
#ifndef ANALYSIS_SPLIT_BATCH_H
#define ANALYSIS_SPLIT_BATCH_H

#include "analysis/split_table.h"

/* Of each iteration the most common first dimension of its operators, the larger on ties; 0 if
 * it has none. Operators that only make or move memory do not count. */
int64_t *split_batch_sizes(const struct split_result *r, struct arena *a);

#endif
