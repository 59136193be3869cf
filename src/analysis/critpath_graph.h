/*
 * critpath_graph.h - what had to wait for what, as a graph that replays the measured times.
 *
 * A track is a host thread, or one piece of GPU work. It is made of pieces of own time (the
 * leaf segments of a thread; the GPU work itself); between them lie holes, where nothing is
 * recorded, and waits, where a blocking call sat. A constraint says that a track may not go
 * on at one instant before another track has come to another instant.
 *
 *	thread   [ piece |piece ]   hole   [ piece ][ wait ....... )[ piece ]
 *	              `-> launch                              ^ wait returns
 *	GPU work         [ piece ........................... ]'
 *
 * The graph cuts every track at the instants its constraints name. What lies between two cuts
 * is a node; edges are the constraints and the order within a track, each with a lag. Nodes
 * are numbered by the instant they end, so every edge goes from a lower to a higher number.
 * Of the edges into a node one is binding: the one whose source ended last. Its lag is the
 * gap that was observed; any other has a lag no larger than its own gap. So the longest path
 * to each node is its measured time, exactly (checked), and changing lengths or lags and
 * walking the nodes once more gives the times of a run that was never made.
 *
 * Tracks of several ranks can stand side by side: a rendezvous is one more kind of constraint.
 */
#ifndef ANALYSIS_CRITPATH_GRAPH_H
#define ANALYSIS_CRITPATH_GRAPH_H

#include "algo/longest.h"
#include "analysis/critpath_class.h"

/* Own time of an event (NONE: of nobody we know). In the graph each piece lies in one node. */
struct path_piece {
	nsec start, end;
	event_id event;
	uint32_t node : 27; /* in the graph; 0 before */
	uint32_t class : 5; /* enum path_class */
};

struct path_track {
	lane_id lane;
	bool gpu;
	uint32_t first, past; /* its pieces: rising, not overlapping */
};

/* From `start` on a blocking call held the thread, to its `end`. */
struct path_wait {
	uint32_t track;
	event_id call;
	nsec start, end;
	nsec own; /* what the call would still take if there were nothing to wait for */
};

/* The order of binding edges whose sources ended together: the earlier kind wins. */
enum edge_kind {
	EDGE_CHAIN,  /* the track goes on without a break */
	EDGE_STREAM, /* one after the other on a stream */
	EDGE_EVENT,  /* the stream was told to wait for an event of another */
	EDGE_WAIT,   /* a blocking call returns */
	EDGE_GRAPH,  /* within one launch of a graph */
	EDGE_LAUNCH,
	EDGE_HANDOFF, /* the thread had nothing to do until another was done */
	EDGE_HOLE,    /* the thread's own event before */
	EDGE_OWN,     /* a blocking call's own time */
	EDGE_UNTRACED /* nothing recorded before it */,
	EDGE_KINDS
};

enum edge_flag {
	EDGE_INFERRED = 1 << 0, /* rebuilt: the trace does not say so */
	EDGE_QUEUED = 1 << 1,   /* a launch behind work from before the trace */
};

struct path_constraint {
	uint32_t src, dst; /* tracks */
	nsec from, to;     /* instants: the source's, the target's */
	uint8_t kind, flags;
};

struct path_input {
	nsec start, end; /* no time lies outside */
	uint32_t ntracks, npieces, nwaits, nconstraints;
	const struct path_track *track;
	const struct path_piece *piece; /* by track */
	const struct path_wait *wait;   /* by track, then start; they do not overlap */
	const struct path_constraint *constraint;
};

struct path_node {
	nsec start, end;
	uint32_t first, past; /* its pieces; none if it takes no time */
	uint32_t track;
	event_id event;   /* GPU work: itself; host: the wait that ends where it starts, or NONE */
	uint32_t binding; /* the edge that decides when it starts */
};

struct path_graph {
	nsec start, end;
	uint32_t ntracks;
	const struct path_track *track; /* their pieces are those of the input */
	struct path_piece *piece;       /* of the graph: cut where nodes are */
	uint32_t npieces;

	struct dag dag;         /* node 0 is the beginning, an instant */
	struct path_node *node; /* dag.n of them, by end, start, then host before GPU */
	nsec *lag;              /* of each edge */
	uint8_t *kind, *flags;  /* enum edge_kind, enum edge_flag */
	nsec floor[EDGE_KINDS]; /* the smallest lag that was binding; 0 if none was */
	uint32_t *order;        /* all nodes but 0, by track, then time */
	uint32_t *first;        /* ntracks + 1: the nodes of a track within `order` */
	size_t bytes;           /* of memory, for all of it */
};

struct path_graph *critpath_graph_build(const struct path_input *in, struct arena *a);

/* What the time of an edge counts as. */
enum path_class critpath_edge_class(const struct path_graph *g, uint32_t edge);
/* The last node of a track that ends at or before `t`; NONE if there is none. */
uint32_t critpath_node_before(const struct path_graph *g, uint32_t track, nsec t);
/* All edges, the order of the leaf segments within a node among them. */
uint64_t critpath_graph_edges(const struct path_graph *g);

#endif
