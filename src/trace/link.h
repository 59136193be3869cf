/*
 * link.h - which host call put which work on a stream.
 *
 * GPU work is listed lane by lane, by start. The list below[] holds it again in the
 * preorder of the launching nodes, so the work launched in the subtree of node u is
 * one run:  below[ first[u] .. first[tree.end[u]] ).
 */
#ifndef TRACE_LINK_H
#define TRACE_LINK_H

#include "trace/tree.h"

enum link_how { LINK_NONE, LINK_CORRELATION, LINK_FLOW, LINK_EXTERNAL_ID };

enum link_style {
	LINK_BEST,      /* correlation, else flow, else External id */
	LINK_TRACELENS, /* as TraceLens links: see link_tracelens.c */
	LINK_STYLES
};

struct links {
	uint32_t n;       /* GPU events, those with an invalid time too (last in their lane) */
	event_id *gpu;    /* by lane (process, device, stream), start, file order: trace.gpu */
	event_id *launch; /* the call, or else the operator, that launched gpu[i]; NONE: not in the
			     trace */
	uint8_t *how;     /* enum link_how */
	uint32_t nlinked;
	uint32_t *by_event; /* rows of gpu[] by event: see links_row() */

	const struct tree *tree; /* TREE_FULL or TREE_NO_PYTHON, as asked */
	uint32_t *below;         /* nlinked rows of gpu[], by launching node; within one by start */
	uint32_t *first;         /* tree->n + 1 of them */
};

/* The row of an event in gpu[]; NONE if it is no GPU work. */
uint32_t links_row(const struct trace *tr, const struct links *l, event_id e);

/* Built on first use and kept. Launches are never Python frames, and have nodes in both trees. */
const struct links *trace_links(struct trace *tr, enum link_style style, enum tree_style tree);
/* The same without tree, below and first: for those who need no tree. */
const struct links *trace_launches(struct trace *tr, enum link_style style);

#endif
