/*
 * split.h - the iterations of a trace: found (detect), cut (tile), handed out (assign).
 *
 *	detect:  annotations -> branch descent -> sibling roots -> kernel period; each gives a
 *	         root_set with an audited coverage; the first that passes the gate wins, else the
 *	         best that failed, with its honest status
 *	tile:    roots -> gap-free stretches of time per thread
 *	assign:  every event -> the slice it belongs to
 */
#ifndef ANALYSIS_SPLIT_H
#define ANALYSIS_SPLIT_H

#include "analysis/split_marker.h"
#include "base/map.h"
#include "trace/link.h"

#define SPLIT_GATE         0.95 /* coverage that passes */
#define SPLIT_FLOOR        0.75 /* coverage that is at least degraded */
#define SPLIT_MIN_SHARE    0.50 /* of the selected coverage by the roots' own spans */
#define SPLIT_MIN_ROOTS    4
#define SPLIT_MIN_CHILDREN 4

enum split_status { SPLIT_YES, SPLIT_NO, SPLIT_DEGRADED }; /* the manifest's numbers */

/* One iteration. */
struct root {
	nsec start, end; /* host time; GPU time for a kernel period */
	lane_id lane;    /* its thread; NONE for a kernel period */
	event_id event;  /* the annotation, or the first event of the block */
	struct str name;
	struct step_info step;
	bool phase_read; /* the step was read from a name; else it is assumed */
};

struct root_set {
	const char *method; /* "annotation:detailed", ... "none" */
	enum split_status status;
	const char *phase_confidence; /* "high", "low", "unknown" */
	const char *strategy; /* "projection", "correlation"; NULL where nothing was audited */
	const char *reason;   /* why nothing was found; or NULL */
	struct str skeleton;  /* of an annotation family; {NULL, 0} if there is none */
	bool on_gpu;          /* roots are stretches of GPU time: events go by their own start */
	uint32_t n;
	struct root *root; /* by start, then lane */
	double coverage_any, coverage_selected, coverage_spans, span_share; /* NaN: not audited */
	double branch_coverage;    /* of a call tree candidate, before bookends; NaN if none */
	const char *branch_source; /* "period", "frame_family" */
	uint32_t period;           /* 0: none */
	uint32_t dropped_low_gpu;  /* roots left out for having almost no GPU time */
	bool bookends;             /* coverage counts the work before and after the roots */
	nsec before_ns, after_ns;  /* GPU time of the siblings before and after */
	nsec audited_ns, apart_ns; /* GPU time in the base of the coverage, and set apart */
};

/* GPU events in the order of struct links, with what the audits need. */
struct split_work {
	struct trace *tr;
	const struct links *links;
	const struct tree *tree;
	uint32_t n;
	nsec *start, *dur, *launch; /* dur 0 without a valid time; launch NSEC_NONE without one */
	uint32_t *process;          /* of the launch */
	nsec *below_sum;            /* links->nlinked + 1: prefix sums of dur over links->below */
	nsec total;
};

struct split_options {
	const struct marker_set *markers; /* the user's, or NULL */
};

struct split_work split_work_of(struct trace *tr, struct arena *a);
/* GPU time launched below a node. */
nsec split_gpu_below(const struct split_work *w, node_id node);

/* Detectors: false if there is no candidate at all. */
bool split_by_annotations(const struct split_work *w, struct split_options o, struct arena *a,
			  struct root_set *known, struct root_set *unknown);
bool split_by_tree(const struct split_work *w, struct arena *a, struct root_set *branch,
		   struct root_set *sibling);
bool split_by_kernels(const struct split_work *w, struct arena *a, struct root_set *out);

/* The cascade. Never fails: with nothing found the method is "none". */
struct root_set split_detect(struct trace *tr, struct split_options o, struct arena *a);

/* The stretch of time of each root, per lane, ends exclusive. */
struct tile {
	nsec start, end;
	lane_id lane;
	uint32_t process;
	uint32_t root; /* row of root_set.root */
};

struct tiles {
	uint32_t n;
	struct tile *at; /* by process, lane, start */
	uint32_t noverlaps;
};

struct tiles split_tiles(const struct trace *tr, const struct root_set *r, struct arena *a);
/* The root whose tile holds time t of lane in process; NONE outside of all. */
uint32_t tiles_find(const struct tiles *t, uint32_t process, lane_id lane, nsec at);

enum split_status split_grade(double coverage, double share, bool enough);
/* 0 splittable, 1 degraded, 2 not: smaller is better, which the manifest's numbers do not say. */
int split_rank(enum split_status s);
struct root_set root_set_none(const char *reason);

#endif
