/* What differs most, in a sentence; the commands that show more of it. */
#include "analysis/compare/compare.h"
#include "analysis/compare/compare_cell.h"
#include "base/say.h"
#include "base/shortname.h"
#include "base/textbuf.h"

#include <math.h>

/* The whole time of a side in ns; NaN if its report does not say. */
static double total_of(const struct compare_side *side)
{
	static const struct {
		const char *sheet, *key, *total, *time;
		double ns;
	} places[] = { { "gpu_timeline", "type", "total_time", "time ms", 1e6 },
		       { "timeline", "what", "total", "time_ns", 1 } };
	double v;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct grid *g = workbook_sheet(&side->book, places[i].sheet);
		uint32_t key = g ? grid_column(g, places[i].key) : NONE;
		uint32_t time = g ? grid_column(g, places[i].time) : NONE;

		for (uint32_t r = 0; key != NONE && time != NONE && r < g->nrows; r++)
			if (grid_cell(g, r, key) &&
			    !strcmp(grid_cell(g, r, key), places[i].total)) {
				compare_cell(grid_cell(g, r, time), &v);
				return v * places[i].ns;
			}
	}
	return NAN;
}

static const char *say_ns(struct arena *a, double ns)
{
	return say_time(a, llround(fmax(fmin(ns, 9e18), -9e18)));
}

static bool are_same(double before, double after)
{
	return fabs(after - before) < 0.5;
}

/* "8.1 % longer than a", "20.3 times as long as a", "5.0 % less time than a", "as long as a". */
static const char *say_ratio(struct compare *c, double before, double after)
{
	const char *base = c->side[0].name;

	if (are_same(before, after))
		return arena_print(&c->scratch, "as long as %s", base);
	if (!(before > 0))
		return arena_print(&c->scratch, "longer than %s", base);
	if (after > 10 * before)
		return arena_print(&c->scratch, "%.1f times as long as %s", after / before, base);
	return arena_print(&c->scratch, "%.1f %% %s than %s", 100 * fabs(after - before) / before,
			   after > before ? "longer" : "less time", base);
}

static void say_totals(struct compare *c, struct textbuf *b)
{
	double before = total_of(&c->side[0]);

	for (uint32_t i = 1; i < c->nsides; i++) {
		double after = total_of(&c->side[i]);

		if (!isfinite(before) || !isfinite(after))
			continue;
		textbuf_print(b, "%s%s takes %s (%s", b->n ? ", " : "", c->side[i].name,
			      say_ratio(c, before, after), say_ns(&c->scratch, after));
		if (!are_same(before, after))
			textbuf_print(b, ", not %s", say_ns(&c->scratch, before));
		textbuf_print(b, ")");
	}
}

static void say_change(struct compare *c, struct textbuf *b)
{
	const struct compare_news *n = &c->news;
	double diff = n->after - n->before;

	textbuf_print(b, "%s %s %s%s",
		      b->n ? "; the row that changed most:" : "The row that changed most:",
		      shortname(&c->scratch, n->name, 60, UTF8_LINE), diff > 0 ? "+" : "",
		      say_ns(&c->scratch, diff));
	if (n->before > 0 && n->after > 0)
		textbuf_print(b, " (%+.1f %%)", 100 * diff / n->before);
	else
		textbuf_print(b, n->after > 0 ? " (new)" : " (gone)");
	if (c->nsides > 2)
		textbuf_print(b, " in %s", c->side[n->side].name);
}

static void say_headline(struct compare *c)
{
	struct textbuf b = { .arena = &c->scratch };

	if (!c->news.differ) {
		answer_headline(c->a, "The reports say the same: no time differs in %s.",
				say_many(c->arena, c->news.ncompared, "sheet", "sheets"));
		return;
	}
	say_totals(c, &b);
	if (c->news.name)
		say_change(c, &b);
	answer_headline(c->a, "%.*s.", (int)b.n, b.p);
}

static const char *all_paths(struct compare *c)
{
	struct textbuf b = { .arena = &c->scratch };

	for (uint32_t i = 0; i < c->nsides; i++)
		textbuf_print(&b, " %s", say_path(&c->scratch, c->side[i].path));
	return arena_print(&c->scratch, "%.*s", (int)b.n, b.p);
}

/* Of reports that have nothing but operators, those are shown to people. */
static void show_something(struct lp_answer *a)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < a->ntables; i++)
		shown += !a->tables[i]->detail;
	for (uint32_t i = 0; !shown && i < a->ntables; i++)
		a->tables[i]->detail = i && !a->tables[i]->nrows;
}

void compare_say(struct compare *c)
{
	const char *paths = all_paths(c);

	say_headline(c);
	show_something(c->a);
	for (uint32_t i = 0; i < c->a->ntables; i++)
		if (c->a->tables[i]->detail && c->a->tables[i]->nrows) {
			answer_next(c->a, "operators by their inputs",
				    "longpole compare%s --table %s", paths, c->a->tables[i]->name);
			break;
		}
	answer_next(c->a, "all sheets as a workbook", "longpole compare%s -o compare.xlsx", paths);
}
