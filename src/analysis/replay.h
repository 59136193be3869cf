/*
 * replay.h - the dependency graph of a window, as small as it can be without losing anything.
 *
 * The graph of critpath_graph.h, seen through a window, as edges only: each takes a fixed time and
 * parts that scale, by what they are. Node 0 is the start of the window, the last one its end;
 * the longest way from the one to the other is the window, whatever the parts are scaled by:
 *
 *	[ host ]--launch-->[ kernel ]--gap-->[ kernel ]        nodes: where ways part or meet
 *	    0 --host, launch, kernel, gap, kernel--> 1         edges: all that lies between
 *
 * It is contracted exactly. A node with one way in and one way out is none: the two edges are one,
 * with the parts of both. An edge goes if another between the same nodes has as much of
 * everything. What does not lead to the end goes.
 */
#ifndef ANALYSIS_REPLAY_H
#define ANALYSIS_REPLAY_H

#include "analysis/critpath.h"

/* Groups of classes, each class in the first that has it: those of --what-if, in this order. */
#define REPLAY_GROUPS  9
#define REPLAY_KERNELS 8
/* What a part scales with: a group, and a kernel of those that have a factor of their own, or 0. */
#define REPLAY_SLOTS ((REPLAY_KERNELS + 1) * REPLAY_GROUPS)

/* More than this does not go into a page. */
#define REPLAY_EDGES_MAX 400000

struct replay_part {
	nsec time;
	uint32_t slot; /* kernel * REPLAY_GROUPS + group; kernels from 1 */
};

struct replay_edge {
	uint32_t from, to; /* from < to */
	nsec fixed;
	size_t first, past; /* its parts, by slot */
};

struct replay_graph {
	uint32_t nnodes;
	size_t nedges, nparts;
	struct replay_edge *edge; /* by from, to: a topological order */
	struct replay_part *part;
};

struct replay_group {
	const char *target, *title; /* as --what-if has it, and for people */
};

extern const struct replay_group replay_groups[REPLAY_GROUPS];

/* Bits of enum path_class, as in struct whatif_target. */
uint32_t replay_group_classes(uint32_t group);
/* REPLAY_GROUPS: it never scales. */
uint32_t replay_group_of_own(enum path_class c);
uint32_t replay_group_of_edge(const struct path_graph *g, uint32_t edge);

/* Which kernels have factors of their own: 1 .. ; 0 for any other name. */
struct replay_names {
	uint32_t n;
	string_id name[REPLAY_KERNELS];
};

uint32_t replay_kernel(const struct replay_names *names, const struct trace *tr, event_id e);

/* Edges with their parts, one after the other. */
struct replay_builder {
	struct arena *a;
	size_t room_edges, room_parts;
	struct replay_graph g;
	nsec sum[REPLAY_SLOTS]; /* of the edge in hand */
	nsec fixed;
};

void replay_edge_add(struct replay_builder *b, uint32_t from, uint32_t to);

/* All nodes and edges that the window has. */
struct replay_graph replay_draft(const struct critpath *c, const struct replay_names *names,
				 struct arena *a);
struct replay_graph replay_contract(struct replay_graph g, struct arena *a);
/* When each node is reached with nothing scaled. */
nsec *replay_measured(const struct replay_graph *g, struct arena *a);

/* Tables replay_classes, replay_nodes, replay_edges and replay_parts; or a doubt that says why not.
 */
void replay_tables(struct critpath *c);

#endif
