/*
 * split_note.h - annotations as marks of iterations, and how much GPU time they explain.
 */
#ifndef ANALYSIS_SPLIT_NOTE_H
#define ANALYSIS_SPLIT_NOTE_H

#include "algo/spans.h"
#include "analysis/split.h"

/* Annotations that may mark iterations, by start. */
struct notes {
	uint32_t n;
	event_id *event;
	uint32_t *family; /* by skeleton, in order of first appearance */
	struct step_info *step;
	uint32_t *gpu_from, *gpu_to; /* their GPU spans: rows of gpu_span */
	struct span *gpu_span;
	uint32_t nfamilies;
	struct strings skeletons;
};

/*
 * Fills the coverage of the roots, which stand for the notes row[0 .. r->n): the share of
 * the GPU time within the bounds of their own work, launched in the trace, that they explain.
 */
void split_audit(const struct split_work *w, const struct notes *notes, const uint32_t *row,
		 struct root_set *r, struct arena *a);

#endif
