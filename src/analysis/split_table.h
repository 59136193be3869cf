/* split_table.h - the tables of split, made from what was detected and handed out. */
#ifndef ANALYSIS_SPLIT_TABLE_H
#define ANALYSIS_SPLIT_TABLE_H

#include "analysis/split_pattern.h"
#include "base/table.h"

struct split_result {
	struct split_work work;
	struct root_set roots;
	struct slices slices; /* empty unless there are roots */
	struct patterns patterns;
};

/* Detects and hands out; everything is allocated from `a`. */
struct split_result split_run(struct trace *tr, struct split_options o, struct arena *a);

void split_table_slices(struct lp_answer *ans, const struct split_result *r);
void split_table_summary(struct lp_answer *ans, const struct split_result *r);
void split_table_patterns(struct lp_answer *ans, const struct split_result *r);

/* By length over `wanted` iterations, and by change point. */
void split_table_steady(struct lp_answer *ans, const struct split_result *r, uint32_t wanted);

/* Shown of a phase: "decode"; "-" where no name said so. */
const char *split_phase_text(const struct root *root);
const char *split_status_text(enum split_status s);

#endif
