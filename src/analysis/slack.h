/*
 * slack.h - how much later an event could end without the window noticing.
 *
 * Slack is that of the chain: two events in a row share theirs.
 */
#ifndef ANALYSIS_SLACK_H
#define ANALYSIS_SLACK_H

#include "analysis/critpath_walk.h"
#include "trace/trace.h"

/* Of each node; NSEC_NONE: outside the window, or nothing that ends in it follows. */
nsec *slack_of_nodes(const struct path_view *v, struct arena *a);

/* The node in which a track is at the end of an event: its own, or after a wait the one it opens.
 */
uint32_t slack_node_at(const struct path_graph *g, uint32_t track, nsec end);

#endif
