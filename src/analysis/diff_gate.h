/*
 * diff_gate.h - rules that a change must not break, for CI.
 *
 *	gpu_time>2%,50us      fails if it grows by more than 2 % and by more than 50 us
 *	op:aten::bmm>5%       the GPU time of an operator of that name
 *	kernel:gemm_k>1ms     ... of a kernel
 *	kernels>0             how many there are
 *
 * With at least GATE_STEPS steps in both traces, a time is the median over the steps,
 * and a change within the spread of the steps is none.
 */
#ifndef ANALYSIS_DIFF_GATE_H
#define ANALYSIS_DIFF_GATE_H

#include "analysis/diff_summary.h"
#include "base/error.h"

#define GATE_STEPS 3

enum gate_metric {
	GATE_LINE,  /* a line of the summary: its time */
	GATE_COUNT, /* ... its count */
	GATE_STEP_TIME,
	GATE_OP,
	GATE_KERNEL,
};

struct gate_rule {
	const char *text;
	enum gate_metric metric;
	enum diff_line line;
	struct str name; /* of the operator or kernel */
	double percent;  /* limits; NaN or NSEC_NONE: none */
	nsec ns;
	int64_t count;
};

struct gate_rules {
	uint32_t n;
	struct gate_rule *at;
};

/* From options and from a file. False with a sentence if one is no rule. */
bool gate_parse(const char *const *text, unsigned n, const char *file, struct gate_rules *out,
		struct arena *a, struct lp_error *err);

/* Per step of a side, the values of a metric; NULL if it has too few steps. */
nsec *gate_step_values(struct diff_report *r, int side, const struct gate_rule *rule, uint32_t *n);

/* Adds the table; false with a sentence if a rule names what is in neither trace. */
bool diff_gate(struct diff_report *r, const struct diff_totals *t, const struct gate_rules *rules,
	       struct lp_error *err);

#endif
