/*
 * arch.h - what a GPU can do at most: the roof over its operators.
 *
 * Peaks are those of the vendor's data sheet, dense, without sparsity; a file of one's own
 * may have measured ones.
 */
#ifndef ANALYSIS_ARCH_H
#define ANALYSIS_ARCH_H

#include "analysis/opmodel/opcost.h"
#include "trace/trace.h"

#define ARCH_PEAKS 24

struct arch {
	const char *name;
	const char *device; /* part of the device's name in traces */
	const char *source;
	double gbps; /* memory, 10^9 bytes a second */
	struct {
		const char *spec; /* "matrix_bf16" */
		double tflops;
	} peak[ARCH_PEAKS]; /* ends with a NULL */
};

struct roofline {
	bool known, compute_bound;
	double ns; /* the time it takes at the least */
};

/*
 * By name; or the JSON of a file {"name", "mem_bw_gbps", "max_achievable_tflops": {spec: ..}}; or,
 * if `choice` is NULL, by the trace's first device. *out is NULL if that device is not known; false
 * only for a choice that is neither.
 */
bool arch_choose(struct trace *tr, const char *choice, struct arena *a, const struct arch **out,
		 struct lp_error *err);
/* 0: not known. What a vector unit does in a type it has no own figure for, it does in fp32. */
double arch_peak(const struct arch *arch, enum op_unit unit, const char *precision);
struct roofline arch_roofline(const struct arch *arch, const struct op_cost *cost);

#endif
