#include "analysis/date.h"

#define SECOND 1000000000
#define Y2000  ((nsec)946684800 * SECOND)
#define Y2100  ((nsec)4102444800 * SECOND)

/* Years of this count begin in March, so that the leap day is the last; 400 of them are an era. */
const char *date_utc(struct arena *a, nsec since_1970)
{
	if (since_1970 < Y2000 || since_1970 >= Y2100)
		return NULL;
	int64_t seconds = since_1970 / SECOND, day = seconds / 86400 + 719468, s = seconds % 86400;
	int64_t era = day / 146097, in_era = day % 146097;
	int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t in_year = in_era - (365 * year + year / 4 - year / 100),
		march = (5 * in_year + 2) / 153;
	int64_t month = march < 10 ? march + 3 : march - 9;

	return arena_print(a, "%04lld-%02lld-%02lld %02lld:%02lld:%02lld.%09lld UTC",
			   (long long)(year + era * 400 + (month <= 2)), (long long)month,
			   (long long)(in_year - (153 * march + 2) / 5 + 1), (long long)(s / 3600),
			   (long long)(s / 60 % 60), (long long)(s % 60),
			   (long long)(since_1970 % SECOND));
}
