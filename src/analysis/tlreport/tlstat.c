#include "analysis/tlreport/tlstat.h"

#include <math.h>
#include <stdlib.h>

const char *const tlstat_names[TLSTATS] = { "mean", "median", "std", "min", "max", "sum" };

const enum tlstat_what tlstat_five[] = { TLSTAT_MEAN, TLSTAT_MEDIAN, TLSTAT_STD,
					 TLSTAT_MIN,  TLSTAT_MAX,    TLSTATS };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct tlstat tlstat_of(const double *value, uint32_t n, double *spare)
{
	struct tlstat s = { { NAN, NAN, NAN, NAN, NAN, 0 }, 0 };
	double square = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!isnan(value[i])) {
			s.v[TLSTAT_SUM] += value[i];
			spare[s.n++] = value[i];
		}
	if (!s.n)
		return s;
	double mean = s.v[TLSTAT_MEAN] = s.v[TLSTAT_SUM] / s.n;
	for (uint32_t i = 0; i < s.n; i++)
		square += (spare[i] - mean) * (spare[i] - mean);
	if (s.n > 1)
		s.v[TLSTAT_STD] = sqrt(square / (s.n - 1));
	qsort(spare, s.n, sizeof(*spare), by_value);
	s.v[TLSTAT_MEDIAN] = (spare[(s.n - 1) / 2] + spare[s.n / 2]) / 2;
	s.v[TLSTAT_MIN] = spare[0];
	s.v[TLSTAT_MAX] = spare[s.n - 1];
	return s;
}
