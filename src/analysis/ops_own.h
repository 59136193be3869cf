/*
 * ops_own.h - which row of the operator table owns each piece of GPU work.
 *
 * A row is one occurrence: an operator with all work launched below it, or one piece
 * of work that no operator owns alone (synthetic), or one that has no launch in the
 * trace. Every GPU event is owned by exactly one row; checked, always.
 */
#ifndef ANALYSIS_OPS_OWN_H
#define ANALYSIS_OPS_OWN_H

#include "analysis/gpu_window.h"

struct ops_row {
	node_id node;   /* the operator; of an orphan the call that launched it; NONE: no launch */
	uint32_t first; /* owns work[first .. first of the next row) */
	bool synthetic; /* one kernel, named "<node>-><kernel> (Synthetic Op)" */
};

struct ops_rows {
	uint32_t n;
	struct ops_row *at; /* n + 1: the last one only ends the one before */
	uint32_t *work;     /* rows of links.gpu; as many as at[n].first */
	uint32_t *owner;    /* of each row of links.gpu: who owns it; NONE: left out */
	uint32_t ncomm;     /* left out as communication; all else that is not in is outside */
	struct gpu_window window;
};

struct ops_rules {
	struct gpu_window window;
	bool no_comm; /* leave communication out, but for what a modelled operator does itself */
	bool (*has_model)(void *ctx, node_id op);       /* asked of operators that launch work */
	bool (*models_backward)(void *ctx, node_id op); /* its forward operator's model serves */
	void *ctx;
};

struct ops_rows ops_own(struct arena *a, const struct trace *tr, const struct links *l,
			struct ops_rules rules);

#endif
