/*
 * ops_cost.h - what a line of the operator table had to do, from its arguments.
 *
 * A line has one cost, that of an occurrence; occurrences of one name and arguments cost
 * the same, but for attention of serving steps, where it is their mean. What cannot be told
 * has a reason instead.
 */
#ifndef ANALYSIS_OPS_COST_H
#define ANALYSIS_OPS_COST_H

#include "analysis/arch.h"
#include "analysis/ops_stat.h"

#include <math.h>

struct ops_cost {
	bool known;
	bool network;      /* bound by what lies between the GPUs: there is no roofline */
	const char *why;   /* not */
	const char *model; /* of ours its name, of a user's "file:line"; NULL: there is none */
	struct op_cost cost;
	struct roofline roof;
};

/* Of every group; arch may be NULL. */
struct ops_cost *ops_costs(struct arena *a, struct ops_model *m, const struct ops_rows *rows,
			   const struct ops_groups *g, const struct arch *arch);
/* Of all occurrences with a time, in whole ns; LP_NULL if there is no roofline. */
static inline nsec ops_best_time(const struct ops_cost *c, const struct ops_stat *s)
{
	return c->roof.known ? llround(c->roof.ns * s->timed) : LP_NULL;
}
/* "matrix_bf16"; NULL if unit or type are not known. */
const char *ops_cost_spec(struct arena *a, const struct ops_cost *c);
/* "M=5 N=3 bias=False". */
const char *ops_cost_params(struct arena *a, const struct op_cost *c);

#endif
