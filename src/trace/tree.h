/*
 * tree.h - the host call trees of all threads, as arrays.
 *
 * A node's id is its place in preorder (lane by lane), so for every node i
 *
 *	parent[i] < i < end[i]    and    its descendants are i+1 .. end[i]-1.
 *
 * Going down the tree is a loop over rising ids, summing up it is a loop over
 * falling ids, and "is a under b" is two comparisons. Nothing recurses.
 */
#ifndef TRACE_TREE_H
#define TRACE_TREE_H

#include "trace/trace.h"

struct tree {
	uint32_t n;
	event_id *event; /* the event this node stands for */
	node_id *parent; /* NONE for a root */
	node_id *end;    /* one past the last descendant */
	node_id *node;   /* of each event of the trace; NONE if it is not in the tree */
};

enum tree_style {
	TREE_FULL,      /* cpu_op, runtime, python */
	TREE_NO_PYTHON, /* cpu_op and runtime only: the tree as if Python had not been recorded */
	TREE_STYLES
};

/* Built on first use and kept with the trace. Spec: tracelens A4 with the improvements of issue 2.
 */
const struct tree *trace_tree(struct trace *tr, enum tree_style style);

#endif
