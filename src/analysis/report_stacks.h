/* report_stacks.h - the call tree of a whole trace with host, GPU and waiting time side by side. */
#ifndef ANALYSIS_REPORT_STACKS_H
#define ANALYSIS_REPORT_STACKS_H

#include "base/table.h"
#include "trace/trace.h"

/* Adds the table stacks; or a doubt that says why not. */
void report_stacks(struct lp_answer *answer, struct trace *tr);

#endif
