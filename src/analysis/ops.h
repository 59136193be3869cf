/*
 * ops.h - the operator table: who owns the GPU time (lp_ops).
 *
 * trace -> ops_own: rows -> ops_group: groups -> ops_stat: figures -> one table.
 */
#ifndef ANALYSIS_OPS_H
#define ANALYSIS_OPS_H

#include "longpole.h"
#include "trace/link.h"

/* For tests: which tree to walk, and which operators have a model; zero is the default. */
struct ops_hooks {
	enum tree_style tree;
	bool (*has_model)(void *ctx, struct str name);
	void *ctx;
};

struct lp_answer *ops_answer(struct trace *tr, struct lp_ops_options o, struct ops_hooks hooks,
			     struct lp_error *err);

#endif
