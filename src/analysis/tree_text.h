/*
 * tree_text.h - what an answer about a call tree says in words: its sentence, what could
 * change it, what adds up, and what to ask next.
 */
#ifndef ANALYSIS_TREE_TEXT_H
#define ANALYSIS_TREE_TEXT_H

#include "analysis/tree_handle.h"
#include "analysis/tree_walk.h"
#include "base/table.h"

/* "CPU", "GPU", "samples": the title of the column of weights. */
const char *tree_text_title(const struct lp_tree *t);
enum lp_unit tree_text_unit(const struct lp_tree *t);
const char *tree_text_unit_name(const struct lp_tree *t);
/* A weight with its unit: "528.680 ms", "1,234 samples". */
const char *tree_text_weight(const struct lp_tree *t, struct arena *a, int64_t w);

void tree_text_headline(struct lp_answer *a, struct lp_tree *t);
void tree_text_doubts(struct lp_answer *a, const struct lp_tree *t);
void tree_text_footer(struct lp_table *table, struct lp_answer *a, const struct lp_tree *t,
		      const struct tree_rows *rows);
void tree_text_next(struct lp_answer *a, struct lp_tree *t);

#endif
