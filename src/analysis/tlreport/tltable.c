#include "analysis/tlreport/tltable.h"

#define HELP "as in the report of TraceLens"

struct tltable tltable_new(struct tlreport *r, const char *name, uint32_t n, const uint32_t *order)
{
	return (struct tltable){ r, answer_table(r->a, name, n), n, order };
}

const char **tltable_text(struct tltable *t, const char *name)
{
	const char **cells = NEW(t->r->arena, t->n, const char *);

	table_str(t->t, name, name, 0, cells, HELP);
	return cells;
}

double *tltable_f64(struct tltable *t, const char *name)
{
	double *cells = NEW(t->r->arena, t->n, double);

	table_f64(t->t, name, name, LP_PLAIN, 0, cells, HELP);
	return cells;
}

int64_t *tltable_i64(struct tltable *t, const char *name)
{
	int64_t *cells = NEW(t->r->arena, t->n, int64_t);

	table_i64(t->t, name, name, LP_PLAIN, 0, cells, HELP);
	return cells;
}

void tltable_stat(struct tltable *t, const char *name, const struct tlstat *stat,
		  enum tlstat_what what)
{
	double *cells = tltable_f64(t, name);

	for (uint32_t i = 0; i < t->n; i++)
		cells[i] = stat[t->order[i]].v[what];
}

void tltable_stats(struct tltable *t, const char *name, const struct tlstat *stat,
		   const enum tlstat_what *what)
{
	for (; *what != TLSTATS; what++)
		tltable_stat(t, arena_print(t->r->arena, "%s_%s", name, tlstat_names[*what]), stat,
			     *what);
}

void tltable_recompute(struct tltable *t, const event_id *of_line)
{
	if (!t->r->recomputed)
		return;
	const char **cells = tltable_text(t, "is_recompute");

	for (uint32_t i = 0; i < t->n; i++)
		cells[i] = tlreport_recomputed(t->r, of_line[i]) ? "True" : "False";
}

void tltable_percent(struct tltable *t, const double *column)
{
	double *share = tltable_f64(t, "Percentage (%)");
	double *running = tltable_f64(t, "Cumulative Percentage (%)");
	double sum = 0, so_far = 0;

	for (uint32_t i = 0; i < t->n; i++)
		sum += column[i];
	for (uint32_t i = 0; i < t->n; i++) {
		share[i] = 100 * column[i] / sum;
		so_far += share[i];
		running[i] = so_far;
	}
}
