/* check.h - the rules of lp_check() that no other step of reading a trace needs. */
#ifndef ANALYSIS_CHECK_H
#define ANALYSIS_CHECK_H

#include "algo/sort.h"
#include "trace/link.h"

/* Waits for records that cannot be; stream syncs that end before the work of the stream. */
void check_syncs(struct trace *tr);

/* Collectives that do not say what they move; returns how many get it from the operator above. */
uint32_t check_collectives(struct trace *tr, const struct links *l);

#endif
