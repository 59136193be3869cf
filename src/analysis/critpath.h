/*
 * critpath.h - the answer to "what decides the wall clock", part by part.
 */
#ifndef ANALYSIS_CRITPATH_H
#define ANALYSIS_CRITPATH_H

#include "analysis/critpath_walk.h"
#include "analysis/whatif.h"
#include "base/table.h"
#include "trace/trace.h"

struct critpath {
	struct trace *tr;
	struct lp_answer *answer;
	struct arena *arena; /* of the answer */
	const char *window_name;
	const struct path_graph *graph;
	struct path_view view;
	struct path path;
	uint32_t inferred; /* waits rebuilt from the calls */
	nsec *own;         /* of each event: its own time on the path */
	struct whatif whatif;
};

/* Reads --window; the graph's times are relative to the trace's base. */
bool critpath_window(struct trace *tr, const char *text, const struct path_graph *g,
		     struct path_window *out, struct lp_error *err);

/* "cpu 100", "gpu 0 stream 7". */
const char *critpath_lane_name(struct arena *a, const struct trace *tr, lane_id lane);

/* The same of all lanes. */
const char **critpath_lane_names(const struct critpath *c);
/* "-" for no event, and for one without a name. */
const char *critpath_name(const struct critpath *c, event_id e);

/* The graph, the window, the path and the own times on it, in `a`; the answer is not touched. */
bool critpath_walk_window(struct critpath *c, const char *window, struct arena *a,
			  struct lp_error *err);
/* From the slack of nodes; NSEC_NONE if the event decides nothing in the window. */
nsec critpath_event_slack(const struct critpath *c, uint32_t track, event_id e, const nsec *slack);

/* The names with the most own time on the path, on the GPU or on the host. */
#define CRITPATH_TOP 10
struct critpath_top {
	uint32_t n;
	string_id name[CRITPATH_TOP];
	nsec on_path[CRITPATH_TOP];
};

struct critpath_top critpath_top_names(const struct critpath *c, bool gpu, struct arena *a);

void critpath_table_summary(struct critpath *c);
void critpath_table_window(struct critpath *c, const char *model);
void critpath_table_path(struct critpath *c);
void critpath_table_lanes(struct critpath *c);
/* path_events and slack. */
void critpath_table_events(struct critpath *c, const nsec *slack);
void critpath_table_what_if(struct critpath *c, bool asked);
void critpath_table_steps(struct critpath *c);
void critpath_headline(struct critpath *c, bool asked);

/* The other models, with the tables that they have. */
bool critpath_hta(struct critpath *c, struct lp_error *err);
bool critpath_longest(struct critpath *c, struct lp_error *err);

#endif
