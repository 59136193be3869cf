/* diff_summary.h - the totals of a diff: what the summary, the sentence and the gate speak of. */
#ifndef ANALYSIS_DIFF_SUMMARY_H
#define ANALYSIS_DIFF_SUMMARY_H

#include "analysis/diff_report.h"
#include "analysis/gpu_time.h"

enum diff_line {
	LINE_GPU_TIME,
	LINE_KERNELS,
	LINE_COPIES,
	LINE_SETS,
	LINE_GPU_BUSY,
	LINE_GPU_IDLE,
	LINE_GPU_SPAN,
	LINE_CPU_TIME,
	LINE_FRAMES,
	LINE_LAUNCHES,
	LINES
};

struct diff_line_figures {
	nsec ns[2];
	uint32_t count[2];
	uint32_t matched; /* of them: */
	uint32_t moved, changed;
	uint32_t only[2];
};

struct diff_totals {
	struct diff_line_figures line[LINES];
};

struct diff_totals diff_total(struct diff_report *r);
/* "gpu_time": as in the table and in rules of the gate. */
const char *diff_line_name(enum diff_line l);
void diff_summary_table(struct diff_report *r, const struct diff_totals *t);

#endif
