/*
 * tlcost.h - what TraceLens's models say of an operator, once per distinct arguments.
 */
#ifndef ANALYSIS_TLCOST_H
#define ANALYSIS_TLCOST_H

#include "analysis/opmodel/opcost.h"
#include "analysis/tlreport/tlreport.h"

struct tlcost {
	bool known;      /* else there are no figures */
	const char *why; /* not */
	struct op_cost cost;
	const char *spec;   /* "matrix_bf16", "" */
	const char *params; /* {'M': 5, 'bias': False}; NULL if there are none */
	uint32_t number;    /* of params: equal texts have equal numbers */
};

/* Figures of one row; NaN where they are not known. */
struct tlmetric {
	double time, gflops, mb, intensity, tbs, tflops;
	double roof, roof_percent; /* the least time it can take, us; its part of the time */
	bool compute_bound;        /* if roof is known */
};

struct tlcosts *tlcost_open(struct tlreport *r);
void tlcost_close(struct tlcosts *c);
/* `work` is the work of the row: the kernels of some products tell how they are laid out. */
const struct tlcost *tlcost_of(struct tlreport *r, event_id e, const struct opmodel *m,
			       bool backward, struct tlwork work);
/* cost: NULL of a row without a model. */
struct tlmetric tlcost_metric(const struct tlreport *r, const struct tlcost *c, double time);
/* "COMPUTE_BOUND", "MEMORY_BOUND"; NULL if there is no roof. */
const char *tlcost_bound(const struct tlmetric *m);

#endif
