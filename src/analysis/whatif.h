/*
 * whatif.h - the time of a run that was never made.
 *
 * A scenario changes lengths (own time of events, by name or class) and lags (gaps, by
 * class) inside a window; the graph then says when the window would have ended. A faster
 * kernel never makes it end later, and never gains more than its time on the path: both
 * are checked.
 *
 *	kA=2x               twice as fast          'gemm.*=1.5x'   all that match
 *	compute=0           at no cost             'kA=2x kB=2x'   together
 *	comm launch copies gpu cpu: groups of classes; inf and overlapped are words for 0
 */
#ifndef ANALYSIS_WHATIF_H
#define ANALYSIS_WHATIF_H

#include "analysis/critpath_walk.h"
#include "base/error.h"
#include "trace/trace.h"

/* No more assignments than this in one scenario. */
#define WHATIF_TOGETHER 64

/* Among classes: what synchronising calls take of their own, without waits and returns. */
#define WHATIF_OWN_SYNC (1u << PATH_CLASSES)

/* Of a ns: times of a what-if are exact to this; the window then is rounded up to a ns. */
#define WHATIF_PARTS 120

/* How many times faster: a ratio; by 0 times longer if `den` is 0. */
struct whatif_speed {
	int64_t num, den;
	bool free; /* at no cost at all */
};

/* What an assignment changes. */
struct whatif_target {
	struct str name;  /* as written */
	uint32_t classes; /* bits of enum path_class: own time and gaps; 0: names */
	uint32_t nids;
	const string_id *id; /* of the names */
	struct whatif_speed speed;
	uint32_t scenario;
};

struct whatif_scenario {
	const char *text;   /* all of it, as written */
	const char *target; /* of a single assignment: its name and its factor */
	const char *factor;
	uint32_t first, past; /* its assignments: of two that fit, the first counts */

	/* filled by whatif_run */
	nsec window, gain, on_path, bound;
};

struct whatif {
	uint32_t nscenarios, ntargets;
	struct whatif_scenario *scenario;
	struct whatif_target *target;
};

/* One text of --what-if into a scenario. False with a sentence if nothing fits a name. */
bool whatif_parse(struct whatif *w, const char *text, const struct trace *tr,
		  const struct path_graph *g, struct arena *a, struct lp_error *err);
/* A scenario of one name (a string of the trace) or of classes. */
void whatif_add_name(struct whatif *w, const struct trace *tr, string_id name, const char *factor,
		     struct arena *a);
void whatif_add_classes(struct whatif *w, const char *name, uint32_t classes, const char *factor,
			struct arena *a);
/* All scenarios of `w`. */
void whatif_run(struct whatif *w, const struct trace *tr, const struct path_view *v,
		struct arena *scratch);

/* Do these classes mean the lag of an edge? */
bool whatif_wants_lag(uint32_t classes, const struct path_graph *g, uint32_t edge);
/* "2x", "1.5x", "0", "inf", "overlapped". */
bool whatif_speed_parse(struct str text, struct whatif_speed *out);
/* The classes of a class or group; 0 if there is none of this name. */
uint32_t whatif_classes(struct str name);

#endif
