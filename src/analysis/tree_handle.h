/*
 * tree_handle.h - what stands behind the handles struct lp_profile and struct lp_tree.
 */
#ifndef ANALYSIS_TREE_HANDLE_H
#define ANALYSIS_TREE_HANDLE_H

#include "analysis/tree_view.h"
#include "trace/trace.h"

struct tree_runs; /* an answer whose rows come in runs; see tree_answer.c */

struct lp_profile {
	struct profile *p;
	struct trace *tr; /* what it was made of; NULL: a file of stacks */
	bool owns_trace;
	void *text; /* of a trace that came through stdin; NULL */
	bool sums;  /* its samples have no times */
	bool gpu, diff;
	bool kernels; /* are the innermost frames */
	nsec base;    /* zero of windows */
};

struct lp_tree {
	const struct lp_profile *of;
	struct tree_view view;
	const char *root;   /* as asked for; NULL */
	const char *window; /* likewise, a copy */
	bool all;           /* threads are merged */
	struct tree_runs *runs;
	struct arena arena;
};

/*
 * A tree is opened on a counted profile as far as its roots, which is enough for most answers.
 * Whoever needs more of it says so: it is then what it would have been from the beginning.
 */
void tree_ready(struct lp_tree *t);
void tree_runs_free(struct lp_tree *t);

#endif
