/*
 * arch.h - what a GPU can do at most: the roof over its operators.
 *
 * Each is a JSON file; ours (data/arch, from the vendors' data sheets, dense) are in the
 * binary, one of the user's is read by the same reader. Peaks are per unit and precision.
 *
 * Which peak an operator is held against: that of its unit in its precision. Without one
 *	matrix fp32   tf32: what products of FP32 run in where they may; else the vector unit's
 *	matrix fp64   the vector unit's
 *	vector, any   fp32: smaller types are converted
 * and no other: an unknown peak is no roof.
 */
#ifndef ANALYSIS_ARCH_H
#define ANALYSIS_ARCH_H

#include "analysis/opmodel/opcost.h"
#include "trace/trace.h"

#define ARCH_PRECISIONS 9

struct arch {
	const char *path; /* of its file */
	const char *name, *source;
	uint32_t ndevices;
	const char **device; /* parts of the device's name in traces, whole words */
	double gbps;         /* memory, 10^9 bytes a second */
	double tflops[UNIT_VECTOR + 1]
		     [ARCH_PRECISIONS]; /* 0: not known; see arch_precision_name() */
	const char *ignored; /* keys that mean nothing here, ", " between them; NULL: none */
};

struct roofline {
	bool known, compute_bound;
	double ns; /* the time it takes at the least */
};

/* "fp64" ...; NULL past the last one. */
const char *arch_precision_name(uint32_t i);

/* ---- arch_file.c ---- */

/* All in the binary, by name; NULL-terminated. */
const struct arch **arch_known(struct arena *a);
/* A file: "-" is no name of one. NULL and why, with path and byte. */
const struct arch *arch_read(const char *path, struct arena *a, struct lp_error *err);
const struct arch *arch_read_memory(const char *path, const void *text, size_t n, struct arena *a,
				    struct lp_error *err);

/* ---- arch.c ---- */

/*
 * By name, by file, or, if `choice` is NULL, by the name of the trace's first device. *out is
 * NULL if that device is not known; false only for a choice that is neither.
 */
bool arch_choose(struct trace *tr, const char *choice, struct arena *a, const struct arch **out,
		 struct lp_error *err);
/* The one with the longest of the parts that are in the device's name; NULL. */
const struct arch *arch_of_device(const struct arch *const *known, struct str device);
/* TFLOP/s; 0: not known. */
double arch_peak(const struct arch *arch, enum op_unit unit, const char *precision);
struct roofline arch_roofline(const struct arch *arch, const struct op_cost *cost);

#endif
