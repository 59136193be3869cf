/* Which lines of a sheet make which table, and in which order. */
#include "algo/sort.h"
#include "analysis/compare/compare_cell.h"
#include "analysis/compare/compare_table.h"

#include <math.h>

uint32_t compare_column(const struct compare_sheet *s, uint32_t side, const char *name)
{
	return s->grid[side] ? grid_column(s->grid[side], name) : NONE;
}

const char *compare_text(const struct compare *c, const struct compare_sheet *s, uint32_t line,
			 uint32_t side, uint32_t col)
{
	uint32_t row = s->row[(size_t)line * c->nsides + side];

	return row == NONE || col == NONE ? NULL : grid_cell(s->grid[side], row, col);
}

double compare_figure(const struct compare *c, const struct compare_sheet *s, uint32_t line,
		      uint32_t side, uint32_t col)
{
	double v;

	compare_cell(compare_text(c, s, line, side, col), &v);
	return isfinite(v) ? v : NAN;
}

const char *compare_key(const struct compare *c, const struct compare_sheet *s, uint32_t line,
			uint32_t key)
{
	for (uint32_t i = 0; i < c->nsides; i++) {
		const char *text = compare_text(c, s, line, i,
						s->key_column[(size_t)key * c->nsides + i]);

		if (text)
			return text;
	}
	return NULL;
}

double compare_time(const struct compare *c, const struct compare_sheet *s, uint32_t line,
		    uint32_t side)
{
	double v = compare_figure(c, s, line, side, s->time[side]) * s->ns[side];

	return isfinite(v) && fabs(v) < 9e18 ? v : 0;
}

/* ---- order ---- */

struct order {
	const double *change, *first; /* of each line: ns by which it differs; time in the first */
	const char **key;             /* its first key */
	uint32_t n, *line;
};

static bool changes_more(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;

	if (o->change[a] != o->change[b])
		return o->change[a] > o->change[b];
	return o->first[a] > o->first[b];
}

static bool key_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;

	return strcmp(o->key[a] ? o->key[a] : "", o->key[b] ? o->key[b] : "") < 0;
}

/* TraceLens's: by the time in the first report, what it has not last. */
static bool takes_longer(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;

	return o->first[a] > o->first[b];
}

static struct order order_lines(struct compare *c, const struct compare_sheet *s)
{
	uint32_t n = s->nlines;
	struct arena *a = &c->scratch;
	double *change = NEW(a, n, double), *first = NEW(a, n, double);
	uint32_t *spare = NEW(a, n, uint32_t);
	struct order o = { change, first, NEW(a, n, const char *), n, NEW(a, n, uint32_t) };

	for (uint32_t i = 0; i < n; i++) {
		o.line[i] = i;
		o.key[i] = compare_key(c, s, i, 0);
		change[i] = compare_change(c, s, i);
		first[i] = compare_figure(c, s, i, 0, s->time[0]);
		if (!isfinite(first[i]))
			first[i] = -INFINITY;
	}
	if (c->style == LP_STYLE_TRACELENS) {
		sort_ids(o.line, n, spare, key_before, &o);
		if (!s->rule->timeline)
			sort_ids(o.line, n, spare, takes_longer, &o);
	} else if (!s->rule->timeline) {
		sort_ids(o.line, n, spare, changes_more, &o);
	}
	return o;
}

/* ---- tables ---- */

/* 1: in the first report, 2: in the other. */
static unsigned where(const struct compare *c, const struct compare_sheet *s, uint32_t line,
		      uint32_t side)
{
	const uint32_t *row = s->row + (size_t)line * c->nsides;

	return (row[0] != NONE ? 1 : 0) | (row[side] != NONE ? 2 : 0);
}

static void split_table(struct compare *c, const struct compare_sheet *s, const struct order *o,
			uint32_t side, unsigned wanted, const char *part)
{
	uint32_t sides[2] = { wanted & 1 ? 0 : side, side }, n = 0;
	uint32_t *line = NEW(&c->scratch, o->n, uint32_t);

	for (uint32_t i = 0; i < o->n; i++)
		if (where(c, s, o->line[i], side) == wanted)
			line[n++] = o->line[i];
	const char *name = arena_print(c->arena, "%s_%s_%s", s->shown, part, c->side[side].name);
	compare_table(&(struct compare_lines){ c, s, name, n, line, wanted == 3 ? 2 : 1, sides });
}

/* The better a sheet is to take the news from, the lower. */
static uint32_t rank_of(const struct compare_sheet *s)
{
	static const char *const sheets[] = { "kernel_summary", "kernels", "ops_summary" };
	uint32_t i = 0;

	while (i < ARRAY_SIZE(sheets) && strcmp(s->rule->sheet, sheets[i]) != 0)
		i++;
	return i + s->rule->split;
}

static void note_news(struct compare *c, const struct compare_sheet *s, const struct order *o)
{
	struct compare_news *n = &c->news;
	uint32_t most = 0, side = 1;

	n->ncompared++;
	for (uint32_t i = 0; i < o->n; i++)
		most = o->change[i] > o->change[most] ? i : most;
	if (!o->n || !(o->change[most] > 0))
		return;
	n->differ = true;
	if (s->rule->timeline || (n->name && n->rank <= rank_of(s)))
		return;
	const char *name = compare_key(c, s, most, 0);
	for (uint32_t i = 1; i < c->nsides; i++)
		if (fabs(compare_time(c, s, most, i) - compare_time(c, s, most, 0)) >=
		    o->change[most])
			side = i;
	n->name = name ? compare_keep(c, name) : "(no name)";
	n->rank = rank_of(s);
	n->side = side;
	n->before = compare_time(c, s, most, 0);
	n->after = compare_time(c, s, most, side);
}

void compare_tables(struct compare *c, const struct compare_sheet *s)
{
	struct order o = order_lines(c, s);
	uint32_t *sides = NEW(&c->scratch, c->nsides, uint32_t);

	note_news(c, s, &o);
	for (uint32_t i = 0; i < c->nsides; i++)
		sides[i] = i;
	if (!s->rule->split) {
		compare_table(
			&(struct compare_lines){ c, s, s->shown, o.n, o.line, c->nsides, sides });
		return;
	}
	for (uint32_t i = 1; i < c->nsides; i++) {
		split_table(c, s, &o, i, 3, "intersect");
		split_table(c, s, &o, i, 1, "only_baseline");
		split_table(c, s, &o, i, 2, "only_variant");
	}
}
