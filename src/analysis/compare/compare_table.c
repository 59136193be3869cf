/*
 * The columns are those of TraceLens's comparison, in its order: keys, differences and
 * percentages, then everything else of each report under the report's name.
 *
 *	name | mean__b_diff | mean__b_pct | a::mean a::std | b::mean b::std
 *
 * A column is of integers or of numbers if all its cells are, else of texts. What is for
 * people is in compare_picture.c.
 */
#include "analysis/compare/compare_table.h"

#include "analysis/compare/compare_cell.h"

#include <math.h>

/* ---- cells ---- */

static enum compare_cell type_of(const char *const *text, uint32_t n)
{
	enum compare_cell type = CELL_NONE;
	double v;

	for (uint32_t i = 0; i < n; i++) {
		enum compare_cell cell = compare_cell(text[i], &v);

		if (cell == CELL_WORDS)
			return CELL_WORDS;
		if (cell == CELL_ENDLESS)
			cell = CELL_REAL;
		type = MAX_OF(type, cell);
	}
	return type;
}

static void add_integers(struct lp_table *t, struct arena *a, const char *name,
			 const char *const *text, uint32_t n, const char *help)
{
	int64_t *at = NEW(a, n, int64_t);
	double v;

	for (uint32_t i = 0; i < n; i++)
		at[i] = compare_cell(text[i], &v) == CELL_WHOLE ? (int64_t)v : LP_NULL;
	table_i64(t, name, name, LP_PLAIN, LP_DETAIL, at, help);
}

static void add_numbers(struct lp_table *t, struct arena *a, const char *name,
			const char *const *text, uint32_t n, const char *help)
{
	double *at = NEW(a, n, double);

	for (uint32_t i = 0; i < n; i++)
		compare_cell(text[i], &at[i]);
	table_f64(t, name, name, LP_PLAIN, LP_DETAIL, at, help);
}

static bool has_value(const char *const *text, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && !text[i])
		i++;
	return i < n;
}

/* Of three tables, only those columns that have a value somewhere. */
static void add_column(const struct compare_lines *l, struct lp_table *t, const char *name,
		       const char **text, const char *help)
{
	struct arena *a = l->c->arena;
	enum compare_cell type = type_of(text, l->n);

	if (l->s->rule->split && !has_value(text, l->n))
		return;
	if (type == CELL_WHOLE) {
		add_integers(t, a, name, text, l->n, help);
	} else if (type == CELL_REAL) {
		add_numbers(t, a, name, text, l->n, help);
	} else {
		const char **kept = NEW(a, l->n, const char *);

		for (uint32_t i = 0; i < l->n; i++)
			kept[i] = text[i] ? compare_keep(l->c, text[i]) : NULL;
		table_str(t, name, name, LP_DETAIL, kept, help);
	}
}

/* ---- keys ---- */

static bool is_dims(const char *name)
{
	return !strcmp(name, "Input Dims") || !strcmp(name, "input_dims");
}

/* Of what makes operators one, people need the shapes. */
static unsigned key_flags(const struct compare_rule *r, uint32_t key, const char *name)
{
	if (!key)
		return LP_NAME;
	if (is_dims(name))
		return LP_LESSER | LP_DIMS;
	return r->split && !r->family ? LP_DETAIL : LP_LESSER;
}

/* Keys are texts, whatever they look like. */
static void add_key(const struct compare_lines *l, struct lp_table *t, uint32_t key)
{
	const char *name = l->s->key[key], **kept = NEW(l->c->arena, l->n, const char *);

	for (uint32_t i = 0; i < l->n; i++) {
		const char *text = compare_key(l->c, l->s, l->line[i], key);

		kept[i] = text ? compare_keep(l->c, text) : NULL;
	}
	if (l->s->rule->split && l->n && !has_value(kept, l->n))
		return;
	struct str param = STR("param: ");
	const char *title = !key ? l->s->shown : name;
	if (str_starts(str_of(title), param))
		title += param.n;
	table_str(t, compare_keep(l->c, name), compare_keep(l->c, title),
		  key_flags(l->s->rule, key, name), kept, "what makes rows of several reports one");
}

/* ---- differences ---- */

static void add_difference(const struct compare_lines *l, struct lp_table *t, const char *figure,
			   uint32_t side)
{
	struct arena *a = l->c->arena;
	const char *tag = l->c->side[side].name, *base = l->c->side[0].name;
	uint32_t col[2] = { compare_column(l->s, 0, figure), compare_column(l->s, side, figure) };
	double *diff = NEW(a, l->n, double), *percent = NEW(a, l->n, double);

	if (col[0] == NONE || col[1] == NONE)
		return;
	for (uint32_t i = 0; i < l->n; i++) {
		double x = compare_figure(l->c, l->s, l->line[i], 0, col[0]);
		double y = compare_figure(l->c, l->s, l->line[i], side, col[1]);

		diff[i] = compare_difference(x, y);
		percent[i] = x != 0 ? 100 * (diff[i] / x) : NAN;
	}
	table_f64(t, arena_print(a, "%s__%s_diff", figure, tag), "diff", LP_PLAIN, LP_DETAIL, diff,
		  arena_print(a, "%s of %s less that of %s", figure, tag, base));
	table_f64(t, arena_print(a, "%s__%s_pct", figure, tag), "%", LP_PLAIN, LP_DETAIL, percent,
		  arena_print(a, "the same in percent of %s", base));
}

static void add_differences(const struct compare_lines *l, struct lp_table *t)
{
	if (l->side[0])
		return;
	for (int f = 0; f < COMPARE_FIGURES && l->s->rule->figures[f]; f++)
		for (uint32_t i = 1; i < l->nsides; i++)
			add_difference(l, t, l->s->rule->figures[f], l->side[i]);
}

/* ---- everything else ---- */

static bool is_key(const struct compare_sheet *s, const char *name)
{
	for (uint32_t i = 0; i < s->nkeys; i++)
		if (!strcmp(s->key[i], name))
			return true;
	return false;
}

/* What is the same in all reports is shown of the first. */
static bool is_dropped(const struct compare_rule *r, uint32_t side, const char *name)
{
	if (!r->split && side && !strcmp(name, "Cumulative Percentage (%)"))
		return true;
	for (int i = 0; i < COMPARE_DROPPED && r->dropped[i]; i++)
		if (!strcmp(r->dropped[i], name))
			return !r->family || side;
	return false;
}

static void add_side(const struct compare_lines *l, struct lp_table *t, uint32_t side)
{
	const struct grid *g = l->s->grid[side];
	const char **text = NEW(&l->c->scratch, l->n, const char *);
	struct arena *a = l->c->arena;

	for (uint32_t col = 0; g && col < g->ncols; col++) {
		if (is_key(l->s, g->head[col]) || is_dropped(l->s->rule, side, g->head[col]))
			continue;
		for (uint32_t i = 0; i < l->n; i++)
			text[i] = compare_text(l->c, l->s, l->line[i], side, col);
		add_column(l, t, arena_print(a, "%s::%s", l->c->side[side].name, g->head[col]),
			   text, "as in that report");
	}
}

void compare_table(const struct compare_lines *l)
{
	struct lp_table *t = answer_table(l->c->a, l->name, l->n);
	struct arena_mark mark = arena_mark(&l->c->scratch);
	bool split = l->s->rule->split;

	t->detail = split || l->s->rule->detail;
	if (!l->n && split && l->c->style == LP_STYLE_TRACELENS)
		return; /* its empty tables have no columns */
	for (uint32_t i = 0; i < l->s->nkeys; i++)
		add_key(l, t, i);
	compare_picture(l, t);
	if (l->n || !split) {
		add_differences(l, t);
		for (uint32_t i = 0; i < l->nsides; i++)
			add_side(l, t, l->side[i]);
	}
	arena_rewind(&l->c->scratch, mark);
}
