#include "analysis/split.h"

#include <math.h>

/*
 * Work before the first and after the last block of a loop makes slices of its own; counting
 * it, a loop with a heavy set-up still covers the trace. Both figures are shown.
 */
static bool with_bookends(struct root_set *r, nsec total)
{
	if (!r->n || !(r->branch_coverage >= 0.5) || !(r->before_ns + r->after_ns))
		return false;
	nsec iterations = llround(r->branch_coverage * (double)total);
	double coverage = (double)(iterations + r->before_ns + r->after_ns) / (double)total;
	enum split_status status = split_grade(coverage, 1, true);
	if (split_rank(status) >= split_rank(r->status))
		return false;
	r->bookends = true;
	r->coverage_selected = coverage;
	r->status = status;
	return true;
}

/* Better status first, then the larger coverage; the earlier detector on ties. */
static void keep_better(struct root_set *best, const struct root_set *r)
{
	if (!r->n)
		return;
	int order = split_rank(r->status) - split_rank(best->status);
	if (!best->n || order < 0 || (order == 0 && r->coverage_selected > best->coverage_selected))
		*best = *r;
}

struct root_set split_detect(struct trace *tr, struct split_options o, struct arena *a)
{
	struct split_work w = split_work_of(tr, a);
	struct root_set best = root_set_none(w.total ? "nothing in the trace repeats"
						     : "no GPU work in the trace");
	struct root_set found[5];

	if (!w.total)
		return best;
	split_by_annotations(&w, o, a, &found[0], &found[1]);
	for (int i = 0; i < 2; i++)
		if (found[i].n && found[i].status == SPLIT_YES)
			return found[i];
	split_by_tree(&w, a, &found[2], &found[3]);
	for (int i = 2; i < 4; i++)
		if (found[i].n && found[i].status == SPLIT_YES)
			return found[i];
	split_by_kernels(&w, a, &found[4]);
	if (found[4].n && found[4].status == SPLIT_YES)
		return found[4];
	for (int i = 2; i < 4; i++)
		if (with_bookends(&found[i], w.total) && found[i].status == SPLIT_YES)
			return found[i];
	for (int i = 0; i < 5; i++)
		keep_better(&best, &found[i]);
	return best;
}
