#include "analysis/split.h"

#include <math.h>

struct split_work split_work_of(struct trace *tr, struct arena *a)
{
	const struct links *l = trace_links(tr, LINK_BEST, TREE_FULL);
	struct split_work w = {
		.tr = tr,
		.links = l,
		.tree = l->tree,
		.n = l->n,
		.start = NEW(a, l->n, nsec),
		.dur = NEW(a, l->n, nsec),
		.launch = NEW(a, l->n, nsec),
		.process = NEW(a, l->n, uint32_t),
		.below_sum = NEW(a, (size_t)l->nlinked + 1, nsec),
	};

	for (uint32_t i = 0; i < l->n; i++) {
		event_id g = l->gpu[i], host = l->launch[i];

		w.start[i] = tr->ev.ts[g];
		w.dur[i] = trace_timed(tr, g) ? tr->ev.dur[g] : 0;
		w.launch[i] = host == NONE ? NSEC_NONE : tr->ev.ts[host];
		w.process[i] = host == NONE ? NONE : tr->lanes.at[tr->ev.lane[host]].process;
		w.total += w.dur[i];
	}
	for (uint32_t k = 0; k < l->nlinked; k++)
		w.below_sum[k + 1] = w.below_sum[k] + w.dur[l->below[k]];
	return w;
}

nsec split_gpu_below(const struct split_work *w, node_id node)
{
	const uint32_t *first = w->links->first;

	return w->below_sum[first[w->tree->end[node]]] - w->below_sum[first[node]];
}

enum split_status split_grade(double coverage, double share, bool enough)
{
	if (coverage >= SPLIT_GATE && share >= SPLIT_MIN_SHARE && enough)
		return SPLIT_YES;
	return coverage >= SPLIT_FLOOR ? SPLIT_DEGRADED : SPLIT_NO;
}

int split_rank(enum split_status s)
{
	return s == SPLIT_YES ? 0 : s == SPLIT_DEGRADED ? 1 : 2;
}

struct root_set root_set_none(const char *reason)
{
	return (struct root_set){
		.method = "none",
		.status = SPLIT_NO,
		.phase_confidence = "unknown",
		.reason = reason,
		.coverage_any = NAN,
		.coverage_selected = NAN,
		.coverage_spans = NAN,
		.span_share = NAN,
		.branch_coverage = NAN,
	};
}
