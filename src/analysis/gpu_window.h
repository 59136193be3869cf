/*
 * gpu_window.h - the GPU events that a window is about.
 *
 * A window that names a stretch of the host (a step, an annotation) has the work that
 * was launched in it, whole, whenever it ran (in a file without launches: what began
 * in it). A window given in times has what ran in it, cut at its ends.
 */
#ifndef ANALYSIS_GPU_WINDOW_H
#define ANALYSIS_GPU_WINDOW_H

#include "algo/spans.h"
#include "base/table.h"
#include "trace/link.h"

struct gpu_window {
	const bool *in; /* of each row of links.gpu; NULL: all are */
	uint32_t n;     /* that are in */
	bool launched;  /* work without a launch is not in */
	nsec from, to;  /* where events are cut */
};

bool gpu_window(struct arena *a, struct trace *tr, const struct links *l, lp_window text,
		struct gpu_window *out, struct lp_error *err);

static inline bool gpu_window_has(const struct gpu_window *w, uint32_t gpu)
{
	return !w->in || w->in[gpu];
}

/* The part of a timed event that counts. */
static inline struct span gpu_window_cut(const struct gpu_window *w, const struct trace *tr,
					 event_id e)
{
	return (struct span){ MAX_OF(tr->ev.ts[e], w->from), MIN_OF(trace_end(tr, e), w->to) };
}

static inline nsec gpu_window_length(const struct gpu_window *w, const struct trace *tr, event_id e)
{
	struct span s = gpu_window_cut(w, tr, e);

	return s.end - s.start;
}

#endif
