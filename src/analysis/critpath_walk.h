/*
 * critpath_walk.h - a stretch of time, what ends it, and the path back to its beginning.
 *
 * The path is a list of segments that rises, has no holes and no overlaps: its lengths add
 * up to the window, to the nanosecond.
 */
#ifndef ANALYSIS_CRITPATH_WALK_H
#define ANALYSIS_CRITPATH_WALK_H

#include "analysis/critpath_graph.h"

struct path_window {
	nsec start, end;
	lane_id lane; /* the thread whose annotation it is: wins when several end it; or NONE */
};

/*
 * The graph as seen through a window: work that has begun before it is cut at its start and
 * changes only inside; GPU work that ends after it is no finisher; a host thread at its end is
 * cut there.
 */
struct path_view {
	const struct path_graph *g;
	struct path_window window;
	uint32_t first, past; /* the nodes that reach into it, and some that do not */
	uint32_t anchor;      /* the last finisher */
	nsec tail;            /* from there to the end of the window, where nothing ends */
	lane_id tail_lane;    /* whose time the tail is */
	event_id waiting;     /* the blocking call that held a thread all through it; or NONE */
};

enum path_why { WHY_OWN = EDGE_KINDS, WHY_HOST, WHY_WAITING };

struct path_segment {
	nsec start, end;
	event_id event; /* whose time it is, or what waited; NONE: nobody's */
	lane_id lane;
	uint8_t class; /* enum path_class */
	uint8_t why;   /* enum edge_kind or enum path_why */
	bool inferred;
};

struct path {
	uint32_t n;
	struct path_segment *at;
	nsec class_ns[PATH_CLASSES];
};

struct path_view critpath_view(const struct path_graph *g, struct path_window w);
/* Of each node: the window's end as its finish sees it; LONGEST_NEVER of those that end nothing. */
nsec *critpath_deadlines(const struct path_view *v, struct arena *a);
/* The part of an edge's lag that lies inside the window. */
nsec critpath_lag_inside(const struct path_view *v, uint32_t edge);
struct path critpath_walk(const struct path_view *v, struct arena *a);
/* "launch", "event wait, inferred": what bound the segment. */
const char *critpath_why(const struct path_segment *s);
/* Is it time of the event itself, not of something that waits? */
static inline bool critpath_own(const struct path_segment *s)
{
	return s->why == WHY_OWN || s->why == WHY_HOST;
}

#endif
