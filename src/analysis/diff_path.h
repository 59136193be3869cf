/*
 * diff_path.h - the critical paths of both traces, class by class: what decides the wall
 * clock now.
 */
#ifndef ANALYSIS_DIFF_PATH_H
#define ANALYSIS_DIFF_PATH_H

#include "analysis/critpath_class.h"
#include "analysis/diff_report.h"

struct diff_paths {
	bool known; /* both traces have one */
	nsec ns[2][PATH_CLASSES];
};

/* Done before the merge: the graph of each trace is given back before anything else is built. */
struct diff_paths diff_paths_of(struct trace *before, struct trace *after, const char *window);

/* Adds the table, if both traces have a path. */
void diff_path(struct diff_report *r, const struct diff_paths *p);

#endif
