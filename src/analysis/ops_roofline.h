/*
 * ops_roofline.h - how far the operators are from what the GPU could do.
 *
 * Three tables beside `ops`, for who asks by name: `roofline` (per operator, what there is to
 * gain), `mfu` (per unit and type, of the peak) and `no_model` (what has no figures, and
 * why). Each adds up to the GPU time of `ops`, or says of what part it is.
 */
#ifndef ANALYSIS_OPS_ROOFLINE_H
#define ANALYSIS_OPS_ROOFLINE_H

#include "analysis/ops_table.h"

/* arch: NULL if the GPU is not known; v->cost must be there. */
void ops_roofline(struct lp_answer *a, const struct ops_view *v, const struct arch *arch);
/* What was done in each unit and type, of what could have been done in the window. */
void ops_mfu(struct lp_answer *a, const struct ops_view *v, const struct arch *arch);
/* Reasons, and the GPU time without figures because of each. */
void ops_no_model(struct lp_answer *a, const struct ops_view *v);

#endif
