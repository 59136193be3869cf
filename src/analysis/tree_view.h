/*
 * tree_view.h - one call tree, either way up, under one filter.
 *
 * A node is a number: a stack (topdown.h) or a row of inverted.node. Callees or callers
 * come ranked: by size of the total, then of self, then by name; or as Firefox Profiler
 * has it, ties by function number, and among inverted roots by their first stack.
 */
#ifndef ANALYSIS_TREE_VIEW_H
#define ANALYSIS_TREE_VIEW_H

#include "analysis/invert.h"
#include "analysis/topdown.h"

struct node_list {
	uint32_t *at;
	uint32_t n, cap;
	uint32_t *spare;
	uint32_t spare_cap;
};

/* Names of inverted nodes that have been asked for, and of all made before. */
struct pair_map {
	uint64_t *key; /* leaf << 32 | at; UINT64_MAX: free */
	uint32_t *node;
	uint32_t n, cap; /* cap a power of two */
	uint32_t nnodes; /* that are in it: the first of inverted.node */
};

struct tree_view {
	struct calltree ct;
	struct tree_filter filter;
	struct tree_sums sums;
	bool inverted;
	bool counted; /* inv has roots only, of a counted profile; no sums by stack */
	bool firefox_order;
	func_id only; /* inverted: the only root; NONE: all */
	struct inverted inv;
	struct pair_map names;
	struct topdown top;
	uint32_t *first; /* Firefox order: per function, its first stack with weight */
	uint8_t *keep;   /* what filter.keep points to, if it is ours */
	bool spent;      /* inv holds nothing that can be used any more; see tree_view_ready */
};

/* Takes the call tree over. */
void tree_view_make(struct tree_view *v, struct calltree ct, bool inverted);
/* Sums under v->filter; to be called before anything below and whenever the filter has changed. */
void tree_view_weigh(struct tree_view *v);
/* Gives back all that can be made again: sums by stack, the inverted order. Totals stay. */
void tree_view_spend(struct tree_view *v);
/* Of an inverted one only what its nodes do not need: it is spent then, but can be walked on. */
void tree_view_spend_sums(struct tree_view *v);
/* Makes it again; roots, children of a root and names of nodes see to that themselves. */
void tree_view_ready(struct tree_view *v);
void tree_view_free(struct tree_view *v);

/* All roots; with `most` (0: all) at least that many of them in order, the largest, in front. */
void tree_view_roots(struct tree_view *v, struct node_list *out, uint32_t most);
void tree_view_children(struct tree_view *v, uint32_t node, struct node_list *out);
void node_list_push(struct node_list *l, uint32_t node);
void node_list_free(struct node_list *l);

/* Has the view this measure? */
bool tree_view_measures(const struct tree_view *v, enum measure m);
int64_t tree_view_total(const struct tree_view *v, uint32_t node, enum measure m);
int64_t tree_view_self(const struct tree_view *v, uint32_t node, enum measure m);
func_id tree_view_func(const struct tree_view *v, uint32_t node);
uint32_t tree_view_parent(const struct tree_view *v, uint32_t node);
/* The node of one function below `node` (NONE: among the roots), shown or not; NONE if none is. */
uint32_t tree_view_child(struct tree_view *v, uint32_t node, func_id func);
/* The stable name of a node, and back; NONE if it names nothing. */
struct call_pair {
	stack_id leaf, at;
};
struct call_pair tree_view_pair(const struct tree_view *v, uint32_t node);
uint32_t tree_view_of_pair(struct tree_view *v, struct call_pair pair);

#endif
