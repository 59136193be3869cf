/*
 * People see few columns: the count, the time in each report with a unit, the difference.
 * A row that a report has not is no time there, so that the differences add up.
 */
#include "analysis/compare/compare_table.h"

#include <math.h>

#define FLAGS   LP_PICTURE
#define SAME_NS 0.5 /* below: the same time, written with other digits */

static bool has_row(const struct compare *c, const struct compare_sheet *s, uint32_t line,
		    uint32_t side)
{
	return s->row[(size_t)line * c->nsides + side] != NONE;
}

double compare_change(const struct compare *c, const struct compare_sheet *s, uint32_t line)
{
	double base = compare_time(c, s, line, 0), most = 0;

	for (uint32_t i = 1; i < c->nsides; i++)
		most = fmax(most, fabs(compare_time(c, s, line, i) - base));
	return most < SAME_NS ? 0 : most;
}

/* ---- counts ---- */

static int64_t count_of(const struct compare_lines *l, uint32_t line, uint32_t side)
{
	double v = compare_figure(l->c, l->s, line, side, l->s->count[side]);

	return isfinite(v) && fabs(v) < 9e15 ? llround(v) : 0;
}

static bool counts_differ(const struct compare_lines *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		for (uint32_t k = 1; k < l->nsides; k++)
			if (count_of(l, l->line[i], l->side[k]) !=
			    count_of(l, l->line[i], l->side[0]))
				return true;
	return false;
}

/* One column while all reports have the same counts. */
static void add_counts(const struct compare_lines *l, struct lp_table *t)
{
	struct arena *a = l->c->arena;
	uint32_t n = l->s->rule->count && counts_differ(l) ? l->nsides : 1;

	for (uint32_t k = 0; k < n && l->s->rule->count; k++) {
		const char *tag = l->c->side[l->side[k]].name;
		int64_t *at = NEW(a, l->n, int64_t);

		for (uint32_t i = 0; i < l->n; i++)
			at[i] = has_row(l->c, l->s, l->line[i], l->side[k])
					? count_of(l, l->line[i], l->side[k])
					: LP_NULL;
		table_i64(t, arena_print(a, "%s.count", tag),
			  k ? arena_print(a, "%s", tag) : "count", LP_COUNT,
			  FLAGS | LP_SUM | (k ? LP_LESSER : 0), at,
			  arena_print(a, "%s, for people", l->s->rule->count));
	}
}

/* ---- times ---- */

static void add_time(const struct compare_lines *l, struct lp_table *t, uint32_t side,
		     unsigned flags)
{
	struct arena *a = l->c->arena;
	const char *tag = l->c->side[side].name;
	int64_t *at = NEW(a, l->n, int64_t);

	for (uint32_t i = 0; i < l->n; i++)
		at[i] = has_row(l->c, l->s, l->line[i], side)
				? llround(compare_time(l->c, l->s, l->line[i], side))
				: LP_NULL;
	table_i64(t, arena_print(a, "%s.time_ns", tag), tag, LP_NSEC, FLAGS | flags, at,
		  arena_print(a, "%s in ns, for people", l->s->rule->figures[0]));
}

static void add_change(const struct compare_lines *l, struct lp_table *t, uint32_t side,
		       unsigned sum)
{
	struct arena *a = l->c->arena;
	const char *tag = l->c->side[side].name;
	int64_t *diff = NEW(a, l->n, int64_t);
	double *percent = NEW(a, l->n, double);

	for (uint32_t i = 0; i < l->n; i++) {
		double x = compare_time(l->c, l->s, l->line[i], 0);
		double y = compare_time(l->c, l->s, l->line[i], side);

		diff[i] = has_row(l->c, l->s, l->line[i], 0) ||
					  has_row(l->c, l->s, l->line[i], side)
				  ? llround(y) - llround(x)
				  : LP_NULL;
		percent[i] = x != 0 && has_row(l->c, l->s, l->line[i], side) ? 100 * (y - x) / x
									     : NAN;
	}
	table_i64(t, arena_print(a, "%s.diff_ns", tag), "diff", LP_NSEC,
		  FLAGS | LP_SAME | LP_DELTA | sum, diff,
		  arena_print(a, "%s less %s, for people; a missing row is 0", tag,
			      l->c->side[0].name));
	table_f64(t, arena_print(a, "%s.percent", tag), "", LP_PERCENT, FLAGS | LP_DELTA, percent,
		  "the same in percent, for people");
}

/* ---- labels ---- */

static void add_label(const struct compare_lines *l, struct lp_table *t)
{
	const char **at = NEW(l->c->arena, l->n, const char *);

	for (uint32_t i = 0; i < l->n; i++)
		for (uint32_t k = l->c->nsides; k--;) {
			uint32_t col = compare_column(l->s, k, l->s->rule->label);
			const char *text = compare_text(l->c, l->s, l->line[i], k, col);

			at[i] = text ? compare_keep(l->c, text) : at[i];
		}
	table_str(t, "operator", "operator", FLAGS | LP_LESSER | LP_NAME, at,
		  "whose kernel it is, for people");
}

/* Parts of a time that no report has are nothing to look at; the whole is a total. */
static void label_timeline(const struct compare_lines *l, struct lp_table *t)
{
	const char **labels = NEW(l->c->arena, l->n, const char *);

	for (uint32_t i = 0; i < l->n; i++) {
		double most = 0;
		const char *key = t->cols[0].data.str[i];

		for (uint32_t k = 0; k < l->nsides; k++)
			most = fmax(most, compare_time(l->c, l->s, l->line[i], l->side[k]));
		if (most <= 0)
			labels[i] = "";
		else if (key && (!strcmp(key, "total_time") || !strcmp(key, "total")))
			labels[i] = "= total";
	}
	t->labels = labels;
	t->whole = true;
}

void compare_picture(const struct compare_lines *l, struct lp_table *t)
{
	bool timeline = l->s->rule->timeline;
	unsigned sum = timeline ? 0 : LP_SUM;

	if (l->s->rule->label)
		add_label(l, t);
	add_counts(l, t);
	for (uint32_t i = 0; i < l->nsides; i++) {
		add_time(l, t, l->side[i], sum | (i ? LP_SAME : 0));
		if (i && !l->side[0])
			add_change(l, t, l->side[i], sum);
	}
	if (timeline)
		label_timeline(l, t);
}
