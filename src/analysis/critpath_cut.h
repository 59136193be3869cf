/*
 * critpath_cut.h - tracks cut into nodes that have no number yet.
 *
 * What lies between two instants that a constraint or the track itself names is a node.
 */
#ifndef ANALYSIS_CRITPATH_CUT_H
#define ANALYSIS_CRITPATH_CUT_H

#include "analysis/critpath_graph.h"

/* A node, and how it hangs on the one before it on its track. */
struct draft {
	nsec start, end;
	uint32_t track;
	uint32_t wait; /* the wait before it, or NONE */
	uint8_t kind;  /* EDGE_CHAIN, EDGE_HOLE or EDGE_OWN; EDGE_KINDS: it begins a track */
};

struct drafts {
	uint32_t n;
	struct draft *at; /* by track, then time */
	uint32_t *first;  /* of each track: its first; one more at the end */
};

struct drafts critpath_cut(const struct path_input *in, struct arena *a);

#endif
