#include "cli/show.h"
#include "cli/settings.h"
#include "cli/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const suffixes[] = {
	[LP_TEXT] = ".txt", [LP_CSV] = ".csv",   [LP_JSON] = ".json",
	[LP_MD] = ".md",    [LP_XLSX] = ".xlsx", [LP_HTML] = ".html"
};
#define NFORMATS ((int)(sizeof(suffixes) / sizeof(suffixes[0])))

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* "PATH/", or a folder that exists. */
static bool is_folder(const char *path)
{
	struct stat st;

	return path && (ends_with(path, "/") || (!stat(path, &st) && S_ISDIR(st.st_mode)));
}

enum lp_format show_format(void)
{
	if (settings.format >= 0)
		return (enum lp_format)settings.format;
	if (is_folder(settings.output))
		return LP_CSV;
	for (int f = 0; settings.output && f < NFORMATS; f++)
		if (ends_with(settings.output, suffixes[f]))
			return (enum lp_format)f;
	return LP_TEXT;
}

struct lp_write_options show_options(void)
{
	return (struct lp_write_options){
		.table = settings.table,
		.columns = settings.columns,
		.sort = settings.sort,
		.limit = settings.limit < 0 ? 0
			 : settings.limit   ? settings.limit
					    : -1,
		.width = terminal_columns(stdout),
		.color = !settings.output && terminal_color(stdout),
		.ascii = show_format() == LP_TEXT && !terminal_utf8(),
		.quiet = settings.quiet,
	};
}

/* The three worst, as in text. */
void show_doubts(const struct lp_answer *a)
{
	unsigned n = 0;

	while (a->doubts && a->doubts[n] && !settings.quiet) {
		if (n < 3)
			terminal_say("warning: ", a->doubts[n]);
		n++;
	}
	if (n > 3)
		fprintf(stderr, "longpole: warning: %u more: longpole check\n", n - 3);
}

static void note_what_is_missing(const struct lp_answer *a, enum lp_format f)
{
	if (settings.quiet)
		return;
	if (settings.limit >= 0 && f != LP_TEXT)
		fputs("longpole: note: --limit is for text; this has every row\n", stderr);
	if (f != LP_CSV || settings.table)
		return;
	/* details are for who knows of them */
	unsigned more = 0;
	for (uint32_t i = 1; i < a->ntables; i++) {
		if (a->tables[i]->detail)
			continue;
		if (!more)
			fprintf(stderr, "longpole: note: this is table %s; there is also",
				a->tables[0]->name);
		fprintf(stderr, "%s %s", more++ ? "," : "", a->tables[i]->name);
	}
	if (more)
		fputs(" (--table NAME, or -o FOLDER/ for all)\n", stderr);
}

static bool is_ours(const char *line)
{
	static const char self[] = "longpole ";
	char name[32];

	if (strncmp(line, self, sizeof(self) - 1) != 0)
		return true;
	line += sizeof(self) - 1;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " \t"), line);
	return command_find(name) != NULL;
}

const char **show_next(const struct lp_answer *a)
{
	size_t n = 0, kept = 0;

	while (a->next && a->next[n])
		n++;
	const char **list = calloc(n + 1, sizeof(*list));
	if (!list)
		abort();
	for (size_t i = 0; i < n; i++)
		if (is_ours(a->next[i]))
			list[kept++] = a->next[i];
	return list;
}

/* ---- --columns help ---- */

static const char *type_of(const struct lp_column *c)
{
	static const char *const types[] = { [LP_I64] = "integer",
					     [LP_F64] = "number",
					     [LP_STR] = "text",
					     [LP_BOOL] = "true or false",
					     [LP_ROW] = "row" };
	static const char *const units[] = {
		[LP_NSEC] = "ns", [LP_BYTES] = "bytes", [LP_PERCENT] = "percent"
	};

	return c->unit > LP_COUNT ? units[c->unit] : types[c->type];
}

/* Of all tables, or of the one that --table names. */
static bool is_meant(const struct lp_table *t)
{
	return !settings.table || !strcmp(settings.table, t->name);
}

static uint32_t count_columns(const struct lp_answer *a)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->ntables; i++)
		n += is_meant(a->tables[i]) ? a->tables[i]->ncols : 0;
	return n;
}

static bool write_columns(const struct lp_answer *a, FILE *file, struct lp_error *err)
{
	struct lp_write_options o = show_options();
	uint32_t n = count_columns(a), row = 0;

	if (o.table && !lp_answer_table(a, o.table))
		return lp_write(a, show_format(), o, file, err); /* says that there is none */
	const char **cells = calloc(4 * (size_t)n + 1, sizeof(*cells));

	if (!cells)
		abort();
	for (uint32_t i = 0; i < a->ntables; i++)
		for (uint32_t c = 0; is_meant(a->tables[i]) && c < a->tables[i]->ncols;
		     c++, row++) {
			const struct lp_column *col = &a->tables[i]->cols[c];

			cells[row] = a->tables[i]->name;
			cells[n + row] = col->name;
			cells[2 * n + row] = type_of(col);
			cells[3 * n + row] = col->help;
		}
	struct lp_column cols[] = {
		{ "table", NULL, "name of the table", LP_STR, LP_PLAIN, 0, { .str = cells } },
		{ "column", NULL, "name of the column", LP_STR, LP_PLAIN, 0, { .str = cells + n } },
		{ "type", NULL, "type, or unit", LP_STR, LP_PLAIN, 0, { .str = cells + 2 * n } },
		{ "help", "", "what it holds", LP_STR, LP_PLAIN, 0, { .str = cells + 3 * n } },
	};
	struct lp_table t = {
		.name = "columns", .nrows = n, .ncols = 4, .cols = cols, .whole = true
	};
	struct lp_table *tables[] = { &t };
	o.columns = o.table = o.sort = NULL;
	bool done = lp_write(&(struct lp_answer){ .tables = tables, .ntables = 1 }, show_format(),
			     o, file, err);

	free(cells);
	return done;
}

/* ---- writing ---- */

static bool write_to(const char *path, const struct lp_answer *a, struct lp_write_options o,
		     struct lp_error *err)
{
	struct output out;

	if (!output_open(&out, path, err))
		return false;
	bool done = settings.columns && !strcmp(settings.columns, "help")
			    ? write_columns(a, out.file, err)
			    : lp_write(a, show_format(), o, out.file, err);
	bool refused = !done && ferror(out.file); /* closing says so, and by which name */

	return output_close(&out, done || refused, err) && done;
}

static bool make_folder(const char *path, struct lp_error *err)
{
	struct stat st;

	if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)))
		return true;
	return fail(err, "%s: cannot create: %s", path,
		    strerror(errno == EEXIST ? ENOTDIR : errno));
}

static bool has_column(const struct lp_table *t, const char *name, size_t n)
{
	for (uint32_t c = 0; c < t->ncols; c++)
		if (strlen(t->cols[c].name) == n && !memcmp(t->cols[c].name, name, n))
			return true;
	return t->parent && (!strncmp("id", name, n) || !strncmp("parent", name, n));
}

static bool has_columns(const struct lp_table *t, const char *list)
{
	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (!has_column(t, p, strcspn(p, ",")))
			return false;
	return true;
}

/* As in one file: what has not all of the columns is left out. */
static bool has_file(const struct lp_table *t)
{
	return is_meant(t) && (!settings.columns || !strcmp(settings.columns, "help") ||
			       has_columns(t, settings.columns));
}

static bool is_sorted(const struct lp_table *t)
{
	const char *by = settings.sort ? settings.sort + (*settings.sort == '-') : "";

	return has_column(t, by, strlen(by));
}

static bool write_file(const struct lp_answer *a, const struct lp_table *t,
		       struct lp_write_options o, struct lp_error *err)
{
	const char *slash = ends_with(settings.output, "/") ? "" : "/";
	char *path;

	if (asprintf(&path, "%s%s%s%s", settings.output, slash, t->name, suffixes[show_format()]) <
	    0)
		abort();
	o.table = t->name;
	o.sort = is_sorted(t) ? o.sort : NULL;
	bool done = write_to(path, a, o, err);
	free(path);
	return done;
}

static bool write_folder(const struct lp_answer *a, struct lp_error *err)
{
	struct lp_write_options o = show_options();
	bool any = false, sorted = !o.sort, done = true;

	for (uint32_t i = 0; i < a->ntables; i++) {
		any |= has_file(a->tables[i]);
		sorted |= has_file(a->tables[i]) && is_sorted(a->tables[i]);
	}
	if (a->ntables && (!any || !sorted))
		return write_to(NULL, a, o, err); /* which fails, and says what there is */
	done = make_folder(settings.output, err);
	for (uint32_t i = 0; i < a->ntables && done; i++)
		done = !has_file(a->tables[i]) || write_file(a, a->tables[i], o, err);
	return done;
}

bool show_answer(const struct lp_answer *a, struct lp_error *err)
{
	enum lp_format f = show_format();

	if (settings.output && ends_with(settings.output, ".gz"))
		return fail(err,
			    "%s: answers are not compressed; leave .gz out, or pipe them through "
			    "gzip",
			    settings.output);
	if (is_folder(settings.output) && f == LP_XLSX)
		return fail(err, "%s: a folder, but a workbook is one file", settings.output);
	if (is_folder(settings.output))
		return write_folder(a, err);
	if (f == LP_XLSX && !settings.output && isatty(STDOUT_FILENO))
		return fail(err, "a workbook is nothing for a terminal; give it a name with -o");
	if (f != LP_TEXT)
		note_what_is_missing(a, f);
	return write_to(settings.output, a, show_options(), err);
}

enum exit_code cmd_show(struct lp_answer *a, struct lp_error *err)
{
	if (!a)
		return EXIT_TROUBLE;
	stage_end("answer");
	if (show_format() != LP_TEXT)
		show_doubts(a);
	struct lp_answer shown = *a;
	const char **next = show_next(a);
	shown.next = next;
	bool done = show_answer(&shown, err), no = a->no;

	stage_end("write");
	free(next);
	lp_answer_free(a);
	return !done ? EXIT_TROUBLE : no ? EXIT_NO : EXIT_OK;
}
