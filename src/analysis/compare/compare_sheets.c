/*
 * From all sides to the sheets to compare. A sheet that only some sides have is nothing to
 * compare, unless it is of one kind of operator: then the others just have none of it.
 */
#include "analysis/compare/compare.h"
#include "analysis/compare/compare_cell.h"
#include "base/say.h"

#include <math.h>

/* ---- which sheets ---- */

/* One of each side; a sheet without a head is none. */
static const struct grid **find_grids(struct compare *c, const char *name)
{
	const struct grid **grid = NEW(&c->scratch, c->nsides, const struct grid *);

	for (uint32_t i = 0; i < c->nsides; i++) {
		grid[i] = workbook_sheet(&c->side[i].book, name);
		if (grid[i] && !grid[i]->ncols)
			grid[i] = NULL;
	}
	return grid;
}

static const struct grid *any_grid(const struct compare *c, const struct grid **grid)
{
	for (uint32_t i = 0; i < c->nsides; i++)
		if (grid[i])
			return grid[i];
	return NULL;
}

/* Names of sheets become names of files. */
static const char *as_file(struct arena *a, const char *sheet)
{
	char *name = arena_print(a, "%s", sheet);

	for (char *p = name; *p; p++)
		if (*p == '/' || (unsigned char)*p < ' ' || (*p == '.' && p == name))
			*p = '_';
	return name;
}

/* ---- is it all there? ---- */

/* Doubts about sheets that lack what the rule needs; false: there is nothing to compare. */
static bool has_columns(struct compare *c, const struct compare_sheet *s)
{
	const char *needed[] = { s->rule->keys[0], s->rule->figures[0] };

	for (uint32_t i = 0; i < c->nsides; i++)
		for (size_t k = 0; s->grid[i] && k < ARRAY_SIZE(needed); k++)
			if (grid_column(s->grid[i], needed[k]) == NONE) {
				answer_doubt(c->a,
					     "%s of %s has no column '%s': it is not compared",
					     s->rule->sheet, c->side[i].name, needed[k]);
				return false;
			}
	return true;
}

/* A report with operators, but none of one kind, has no sheet of that kind. */
static bool has_operators(const struct compare_side *side)
{
	static const char *const sheets[] = { "ops_summary", "ops_unique_args",
					      "unified_perf_summary" };

	for (size_t i = 0; i < ARRAY_SIZE(sheets); i++)
		if (workbook_sheet(&side->book, sheets[i]))
			return true;
	return false;
}

static bool is_everywhere(struct compare *c, const struct compare_sheet *s)
{
	bool may_lack = s->rule->family && c->style != LP_STYLE_TRACELENS;
	uint32_t lacking = NONE, having = NONE;

	for (uint32_t i = c->nsides; i--;) {
		if (s->grid[i])
			having = i;
		else if (!may_lack || !has_operators(&c->side[i]))
			lacking = i;
	}
	if (lacking == NONE)
		return true;
	answer_doubt(c->a, "%s has no sheet %s, %s has one: it is not compared",
		     c->side[lacking].name, s->rule->sheet, c->side[having].name);
	return false;
}

/* The keys that all sides have. Without one, rows that differ in it alone are told apart by order.
 */
static void find_keys(struct compare *c, struct compare_sheet *s)
{
	uint32_t n = 0;

	while (s->rule->keys[n])
		n++;
	s->key = NEW(&c->scratch, n, const char *);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t lacking = NONE;

		for (uint32_t i = 0; i < c->nsides; i++)
			if (s->grid[i] && grid_column(s->grid[i], s->rule->keys[k]) == NONE)
				lacking = i;
		if (lacking == NONE)
			s->key[s->nkeys++] = s->rule->keys[k];
		else if (!s->rule->family)
			answer_doubt(c->a,
				     "%s of %s has no column '%s': rows are told apart without it",
				     s->rule->sheet, c->side[lacking].name, s->rule->keys[k]);
	}
}

static void find_columns(struct compare *c, struct compare_sheet *s)
{
	s->time = NEW(&c->scratch, c->nsides, uint32_t);
	s->count = NEW(&c->scratch, c->nsides, uint32_t);
	s->ns = NEW(&c->scratch, c->nsides, double);
	s->key_column = NEW(&c->scratch, (size_t)s->nkeys * c->nsides, uint32_t);
	for (uint32_t i = 0; i < c->nsides; i++) {
		s->ns[i] = s->rule->ns;
		s->time[i] = compare_column(s, i, s->rule->figures[0]);
		s->count[i] = s->rule->count ? compare_column(s, i, s->rule->count) : NONE;
		for (uint32_t k = 0; k < s->nkeys; k++)
			s->key_column[(size_t)k * c->nsides + i] = compare_column(s, i, s->key[k]);
	}
}

/* ---- oddities ---- */

static void doubt_grids(struct compare *c, const struct compare_sheet *s)
{
	for (uint32_t i = 0; i < c->nsides; i++) {
		const struct grid *g = s->grid[i];
		const char *side = c->side[i].name;

		if (g && g->twice)
			answer_doubt(c->a, "%s of %s has two columns '%s': the first counts",
				     g->name, side, g->twice);
		if (g && g->nameless)
			answer_doubt(c->a, "%s of %s: %s in no column with a name", g->name, side,
				     say_many(c->arena, g->nameless, "cell is", "cells are"));
		if (g && g->errors)
			answer_doubt(c->a,
				     "%s of %s: %s an error such as #DIV/0!: taken as missing",
				     g->name, side,
				     say_many(c->arena, g->errors, "cell has", "cells have"));
	}
}

/* Figures that are none. */
static void doubt_figures(struct compare *c, const struct compare_sheet *s)
{
	for (uint32_t i = 0; i < c->nsides; i++) {
		uint32_t odd = 0, first = NONE, col = s->time[i];
		double v;

		for (uint32_t r = 0; col != NONE && r < s->grid[i]->nrows; r++)
			if (compare_cell(grid_cell(s->grid[i], r, col), &v) != CELL_WHOLE &&
			    !isfinite(v)) {
				first = odd ? first : r;
				odd++;
			}
		if (odd)
			answer_doubt(c->a,
				     "%s of %s has no number in '%s' in %s (the first is row %u): "
				     "taken as missing",
				     s->rule->sheet, c->side[i].name, s->rule->figures[0],
				     say_many(c->arena, odd, "row", "rows"), first + 2);
	}
}

static double sum_of(const struct grid *g, uint32_t col, double *most)
{
	double sum = 0, v;

	for (uint32_t r = 0; r < g->nrows; r++) {
		compare_cell(grid_cell(g, r, col), &v);
		sum += isfinite(v) ? v : 0;
		*most = isfinite(v) && v > *most ? v : *most;
	}
	return sum;
}

/* The time that kernels ran, in ms, as gpu_timeline has it. */
static double kernel_ms(const struct compare_side *side)
{
	const struct grid *g = workbook_sheet(&side->book, "gpu_timeline");
	uint32_t type = g ? grid_column(g, "type") : NONE,
		 ms = g ? grid_column(g, "time ms") : NONE;
	double v = NAN;

	for (uint32_t r = 0; type != NONE && ms != NONE && r < g->nrows; r++)
		if (grid_cell(g, r, type) && !strcmp(grid_cell(g, r, type), "kernel"))
			compare_cell(grid_cell(g, r, ms), &v);
	return v;
}

/* Reports of rocprof traces by TraceLens have us in a column for ms: a thousand times too much. */
static void mend_unit(struct compare *c, struct compare_sheet *s)
{
	for (uint32_t i = 0; i < c->nsides; i++) {
		double most = 0, ms = kernel_ms(&c->side[i]);

		if (s->time[i] == NONE ||
		    !str_starts(str_of(s->rule->sheet), STR("kernel_summary")))
			continue;
		double sum = sum_of(s->grid[i], s->time[i], &most);
		if (s->rule->ns != 1e6 || !(fabs(sum - 1000 * ms) < 10 * ms))
			continue;
		s->ns[i] = 1e3;
		if (strcmp(s->rule->sheet, "kernel_summary") != 0)
			continue; /* said of kernel_summary */
		answer_doubt(
			c->a,
			"kernel_summary of %s has µs under its header \"ms\" (one kernel: %s): "
			"shown as µs",
			c->side[i].name, say_count(c->arena, llround(fmin(most, 9e15))));
	}
}

/* ---- one sheet, all sheets ---- */

static bool compare_one(struct compare *c, const char *name, const struct compare_rule *rule,
			struct lp_error *err)
{
	struct compare_sheet s = { .rule = rule, .grid = find_grids(c, name) };

	if (!any_grid(c, s.grid) || !is_everywhere(c, &s) || !has_columns(c, &s))
		return true;
	s.shown = as_file(c->arena, rule->shown ? rule->shown : rule->sheet);
	find_keys(c, &s);
	find_columns(c, &s);
	doubt_grids(c, &s);
	doubt_figures(c, &s);
	mend_unit(c, &s);
	if (!compare_match(c, &s, err))
		return false;
	compare_tables(c, &s);
	return true;
}

/* The rule for a sheet of that name, as the first side has it that has one. */
static const struct compare_rule *rule_of(struct compare *c, const char *name)
{
	const struct grid *g = any_grid(c, find_grids(c, name));
	const struct compare_rule *r = g ? compare_rule_for(&c->scratch, g) : NULL;

	return r && (r->tracelens || c->style != LP_STYLE_TRACELENS) ? r : NULL;
}

static bool compare_listed(struct compare *c, struct lp_error *err)
{
	const char *before = "";

	for (uint32_t i = 0; compare_rule_at(i); i++) {
		const char *name = compare_rule_at(i)->sheet;
		const struct compare_rule *rule = strcmp(name, before) ? rule_of(c, name) : NULL;

		if (rule && !compare_one(c, name, rule, err))
			return false;
		before = name;
	}
	return true;
}

static bool was_seen(const struct compare *c, uint32_t side, const char *name)
{
	for (uint32_t i = 0; i < side; i++)
		if (workbook_sheet(&c->side[i].book, name))
			return true;
	return false;
}

/* Sheets told by their columns, in the order of the reports. */
static bool compare_families(struct compare *c, struct lp_error *err)
{
	for (uint32_t i = 0; i < c->nsides; i++)
		for (uint32_t k = 0; k < c->side[i].book.n; k++) {
			const struct grid *g = &c->side[i].book.at[k];
			const struct compare_rule *rule = was_seen(c, i, g->name)
								  ? NULL
								  : rule_of(c, g->name);

			if (rule && rule->family && rule->split &&
			    !compare_one(c, g->name, rule, err))
				return false;
		}
	return true;
}

bool compare_sheets(struct compare *c, struct lp_error *err)
{
	if (!compare_listed(c, err) || !compare_families(c, err))
		return false;
	if (!c->a->ntables)
		return error_set(err,
				 "%s and %s have no sheet in common that can be compared; reports "
				 "have gpu_timeline, ops_summary, kernel_summary and so on",
				 c->side[0].path, c->side[1].path);
	return true;
}
