/*
 * diff_report.h - from a merged tree to tables.
 *
 * Every table adds up to the GPU time of both traces, each GPU event counted once.
 */
#ifndef ANALYSIS_DIFF_REPORT_H
#define ANALYSIS_DIFF_REPORT_H

#include "analysis/diff_merge.h"
#include "base/table.h"

struct diff_report {
	const struct diff_sides *d;
	const struct diff_merged *m;
	struct lp_answer *a;
	struct arena *arena; /* of the answer */
	struct arena scratch;

	uint32_t *merged[2]; /* of each node of a side */
	nsec *gpu[2];        /* of each node of a side: GPU time at and below it */
	uint32_t *work[2];   /* ... and GPU events */
	nsec total[2];       /* GPU time */
};

struct diff_report *diff_report_new(const struct diff_sides *d, const struct diff_merged *m,
				    struct arena *a);

/* The name as the trace has it. */
const char *diff_raw_name(const struct diff_report *r, int side, uint32_t node);
/* The length of the event of a node; 0 if it has none or an impossible one. */
nsec diff_time(const struct diff_report *r, int side, uint32_t node);
/* The partner in the other trace; NONE. */
uint32_t diff_partner(const struct diff_report *r, int side, uint32_t node);

void diff_points(struct diff_report *r);
void diff_ops(struct diff_report *r);
void diff_kernels(struct diff_report *r);
void diff_tree_table(struct diff_report *r);

/* ---- Columns of a table about two traces ---- */

struct diff_figures {
	uint32_t n;
	int64_t *count[2]; /* NULL: no such columns */
	int64_t *ns[2];
};

/*
 * Rows in the order of all these tables: largest change of time first, then largest
 * time, then the most occurrences, then as they came.
 */
uint32_t *diff_order(const struct diff_figures *f, struct arena *a);
/* Puts a column of the answer in order. */
void diff_reorder(struct diff_report *r, int64_t *v, const uint32_t *order, uint32_t n);
/*
 * Adds count_before .. percent; the figures, in the answer's arena, are put in `order`.
 * `what` the figures are, as in "GPU time".
 */
void diff_columns(struct diff_report *r, struct lp_table *t, struct diff_figures *f,
		  const uint32_t *order, const char *what);
/* delta in percent of before; NaN of nothing. */
double diff_percent(int64_t before, int64_t after);

#endif
