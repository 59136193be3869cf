/*
 * tltable.h - a sheet, column by column; the caller fills what it gets, one value a line.
 */
#ifndef ANALYSIS_TLTABLE_H
#define ANALYSIS_TLTABLE_H

#include "analysis/tlreport/tlreport.h"
#include "analysis/tlreport/tlstat.h"

struct tltable {
	struct tlreport *r;
	struct lp_table *t;
	uint32_t n;
	const uint32_t *order; /* of each line: the group */
};

struct tltable tltable_new(struct tlreport *r, const char *name, uint32_t n, const uint32_t *order);
const char **tltable_text(struct tltable *t, const char *name);
double *tltable_f64(struct tltable *t, const char *name);
int64_t *tltable_i64(struct tltable *t, const char *name);
/* "<name>_<mean>" and so on, of the groups' figures: which of them, ended by TLSTATS. */
void tltable_stats(struct tltable *t, const char *name, const struct tlstat *stat,
		   const enum tlstat_what *what);
/* One of them under a name of its own. */
void tltable_stat(struct tltable *t, const char *name, const struct tlstat *stat,
		  enum tlstat_what what);
/* With --recompute, whether the line's event is run a second time. */
void tltable_recompute(struct tltable *t, const event_id *of_line);
/* Each line's share of the sum of a column, and the shares added up. */
void tltable_percent(struct tltable *t, const double *column);

#endif
