/* date.h - moments since 1970 as people write them. */
#ifndef ANALYSIS_DATE_H
#define ANALYSIS_DATE_H

#include "base/arena.h"

/* "2025-07-18 09:12:32.104507840 UTC"; NULL before 2000 and after 2100: it is no date then. */
const char *date_utc(struct arena *a, nsec since_1970);

#endif
