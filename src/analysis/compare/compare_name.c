/*
 * A report is called by its file or folder without endings. Where two would be called the
 * same, all go one folder up, until the names differ:
 *
 *	old/rank0/report.xlsx  new/rank0/report.xlsx     report, rank0: the same; old, new
 */
#include "analysis/compare/compare.h"
#include "base/say.h"

#define DEEPEST 16

static const char *const endings[] = { ".gz",          ".json", ".csv",
				       ".xlsx",        ".xlsm", "_perf_report_csvs",
				       "_perf_report", "_csvs" };

static struct str without_endings(struct str s)
{
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (str_ends(s, str_of(endings[i])) && s.n > strlen(endings[i]))
			s.n -= strlen(endings[i]);
	return s;
}

/* The component `depth` from the end; empty if there is none that could be a name. */
static struct str component(const char *path, unsigned depth)
{
	struct str s = str_of(path), last = { 0 };

	for (unsigned i = 0; i <= depth; i++) {
		while (s.n && s.p[s.n - 1] == '/')
			s.n--;
		last = s;
		while (s.n && s.p[s.n - 1] != '/')
			s.n--;
		last = (struct str){ s.p + s.n, last.n - s.n };
	}
	last = without_endings(last);
	return str_eq(last, STR(".")) || str_eq(last, STR("..")) ? (struct str){ 0 } : last;
}

/* Several sides may have one name only where their paths are the same. */
static bool tells_apart(const struct compare *c, unsigned depth)
{
	for (uint32_t i = 0; i < c->nsides; i++) {
		struct str name = component(c->side[i].path, depth);

		if (!name.n)
			return false;
		for (uint32_t k = 0; k < i; k++)
			if (str_eq(name, component(c->side[k].path, depth)) &&
			    strcmp(c->side[i].path, c->side[k].path) != 0)
				return false;
	}
	return true;
}

static bool is_taken(const struct compare *c, uint32_t before, const char *name)
{
	for (uint32_t i = 0; i < before; i++)
		if (!strcmp(c->side[i].name, name))
			return true;
	return false;
}

static void name_by_paths(struct compare *c)
{
	unsigned depth = 0;

	while (depth < DEEPEST && !tells_apart(c, depth))
		depth++;
	for (uint32_t i = 0; i < c->nsides; i++) {
		struct str s = component(c->side[i].path, depth < DEEPEST ? depth : 0);
		const char *name = !strcmp(c->side[i].path, "-")
					   ? "stdin"
					   : arena_print(c->arena, "%.*s", STR_ARGS(s));

		if (!*name)
			name = "report";
		c->side[i].name = name;
		for (unsigned k = 2; is_taken(c, i, c->side[i].name); k++)
			c->side[i].name = arena_print(c->arena, "%s_%u", name, k);
	}
}

/* Names of reports become names of files. */
static bool is_name(const char *name)
{
	if (!*name || *name == '.')
		return false;
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == '/')
			return false;
	return true;
}

bool compare_name_sides(struct compare *c, const char *const *names, unsigned nnames,
			struct lp_error *err)
{
	if (!nnames)
		name_by_paths(c);
	else if (nnames != c->nsides)
		return error_set(err, "%s for %u reports; --names needs one for each, as in a,b",
				 say_many(c->arena, nnames, "name", "names"), c->nsides);
	for (uint32_t i = 0; nnames && i < c->nsides; i++) {
		c->side[i].name = arena_text(c->arena, names[i], strlen(names[i]));
		if (!is_name(names[i]))
			return error_set(err,
					 "'%s' is no name for a report: names of files are made of "
					 "it, so it has no / and does not begin with a dot",
					 names[i]);
		if (is_taken(c, i, names[i]))
			return error_set(err, "two reports are called '%s'; names must differ",
					 names[i]);
	}
	return true;
}
