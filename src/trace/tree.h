/*
 * tree.h - the host call trees of all threads, as arrays.
 *
 * A node's id is its place in preorder (lane by lane), so for every node i
 *
 *	parent[i] < i < end[i]    and    its descendants are i+1 .. end[i]-1.
 *
 * Parents begin no later than their children and hold them (1 ns is rounding). An event
 * that outlives the one it began in goes to the innermost open event that holds it,
 * and what was open in between stops there; if none does, it goes to the outermost
 * open one and runs on past its end. A Python frame goes to its caller, if ids name it.
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
	node_id *lane_begin,
		*lane_end; /* the nodes of each lane; lanes stand in lanes_rank order */
};

enum tree_style {
	TREE_FULL,      /* cpu_op, runtime, python; in a file without any of them all slices */
	TREE_NO_PYTHON, /* cpu_op and runtime only: the tree as if Python had not been recorded */
	TREE_STYLES
};

/* Built on first use and kept with the trace. */
const struct tree *trace_tree(struct trace *tr, enum tree_style style);

/* Counts overlaps, and adds to busy[lane] the time in which anything runs there; keeps no tree. */
void tree_survey(struct trace *tr, nsec *busy);

static inline bool tree_under(const struct tree *t, node_id a, node_id b)
{
	return b <= a && a < t->end[b];
}

/* When node i stops running: at its end, or where an event begins that it does not hold. */
nsec tree_stop(const struct trace *tr, const struct tree *t, node_id i);

/* The time of each node in which none below it runs; of a thread they add up to the union of all.
 */
void tree_self(const struct trace *tr, const struct tree *t, nsec *self);

/* The innermost node of `lane` that runs at `at` (its start included, its end not); or NONE. */
node_id tree_at(const struct trace *tr, const struct tree *t, lane_id lane, nsec at);

#endif
