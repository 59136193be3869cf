/* tlstat.h - mean, median and the like of a list, as pandas has them: what is NaN is left out. */
#ifndef ANALYSIS_TLSTAT_H
#define ANALYSIS_TLSTAT_H

#include "base/base.h"

enum tlstat_what {
	TLSTAT_MEAN,
	TLSTAT_MEDIAN,
	TLSTAT_STD, /* of the sample; NaN of fewer than two */
	TLSTAT_MIN,
	TLSTAT_MAX,
	TLSTAT_SUM, /* 0 of none; the others are NaN then */
	TLSTATS
};

struct tlstat {
	double v[TLSTATS];
	uint32_t n;
};

/* `spare` has room for n and may be `value`. */
struct tlstat tlstat_of(const double *value, uint32_t n, double *spare);
extern const char *const tlstat_names[TLSTATS];
/* All but the sum, ended by TLSTATS. */
extern const enum tlstat_what tlstat_five[];

#endif
