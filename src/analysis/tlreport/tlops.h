/*
 * tlops.h - the owners of the GPU time with their figures, for the three sheets about them.
 */
#ifndef ANALYSIS_TLOPS_H
#define ANALYSIS_TLOPS_H

#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tltable.h"

struct tlowners {
	struct tlreport *r;
	uint32_t n;
	double *direct, *subtree; /* busy time of each owner, us */
	uint32_t *category;
	uint32_t *module; /* number of the class of its nn.Module; all the same if not asked for */
};

/* The figures of a column of owners, group by group. */
struct tlstat *tlops_stats(const struct tlowners *o, const struct tlgroups *g,
			   const double *column);
double *tlops_sums(const struct tlowners *o, uint32_t n, const struct tlstat *s);
void tlops_counts(struct tltable *t, const char *name, const struct tlgroups *g);
/* Of each line the first owner's event. */
event_id *tlops_examples(const struct tltable *t, const struct tlowners *o,
			 const struct tlgroups *g);
/* If asked for: parent_module; the modules of each line's first event, as `name`. */
void tlops_modules(struct tltable *t, const struct tlowners *o, const struct tlgroups *g);
void tlops_stacks(struct tltable *t, const char *name, const event_id *of_line);

/* ops_unique_args and, if asked for, ops_unique_args_kl_overlap. */
void tlunique(const struct tlowners *o);

#endif
