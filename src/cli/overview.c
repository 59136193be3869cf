/*
 * `longpole TRACE`: the sentence of the timeline, what is in the file, and the top of each answer.
 * In the other formats it is one answer with the tables of all, whole.
 */
#include "cli/settings.h"
#include "cli/show.h"
#include "cli/stage.h"

#include <stdlib.h>
#include <string.h>

#define PARTS   3
#define TABLES  16
#define COLUMNS 8
#define DOUBTS  16

struct part {
	struct lp_answer *answer;
	const char *columns; /* in text, of its first table: "name,percent"; NULL: all */
	int64_t limit;       /* rows in text */
};

struct overview {
	struct part part[PARTS];
	struct lp_table *tables[TABLES];
	const char *doubts[DOUBTS + 1];
	char *next[4];
	struct lp_answer all; /* all tables of all parts, under one sentence */
};

enum { INFO, TIMELINE, OPS }; /* the parts, in this order */

static bool ask(struct part *parts, struct lp_trace *tr, struct lp_error *err)
{
	const char *w = settings.window;

	parts[INFO].answer = lp_info(tr, err);
	if (!parts[INFO].answer)
		return false;
	parts[TIMELINE].answer = lp_timeline(tr, (struct lp_timeline_options){ .window = w }, err);
	if (!parts[TIMELINE].answer)
		return false;
	parts[OPS] = (struct part){ .columns = "name,input_dims,kernel_time_ns,percent",
				    .limit = 3 };
	parts[OPS].answer = lp_ops(tr, (struct lp_ops_options){ .window = w }, err);
	return parts[OPS].answer != NULL;
}

/* ---- one answer of all ---- */

/* "968 events have no launch" or "968 events have no launch: what that means here". */
static size_t fact(const char *doubt)
{
	const char *colon = strrchr(doubt, ':');

	return colon ? (size_t)(colon - doubt) : strlen(doubt);
}

/* Each fact once, with what it means to the first part that doubts. */
static void add_doubt(struct overview *o, const char *doubt)
{
	unsigned n = 0;

	for (; o->doubts[n]; n++)
		if (fact(o->doubts[n]) == fact(doubt) && !strncmp(o->doubts[n], doubt, fact(doubt)))
			return;
	if (n < DOUBTS)
		o->doubts[n] = doubt;
}

static void add_part(struct overview *o, const struct lp_answer *a)
{
	for (uint32_t t = 0; t < a->ntables && o->all.ntables < TABLES; t++)
		o->tables[o->all.ntables++] = a->tables[t];
	for (unsigned i = 0; a->doubts && a->doubts[i]; i++)
		add_doubt(o, a->doubts[i]);
}

/* The path as a shell takes it. */
static char *quoted(const char *path)
{
	char *text = malloc(4 * strlen(path) + 3), *end = text;

	if (!text)
		abort();
	*end++ = '\'';
	for (; *path; path++)
		end = *path == '\'' ? stpcpy(end, "'\\''") : (*end = *path, end + 1);
	strcpy(end, "'");
	return text;
}

/* The first three of these commands that there are. */
static void say_next(struct overview *o, const char *path)
{
	static const struct {
		const char *command, *options, *purpose;
	} ideas[] = {
		{ "critical-path", "", "what decides the wall clock, and what-if" },
		{ "tree", "--invert ", "who holds the CPU, and who calls it" },
		{ "report", "-o report.html ", "all of it on one page" },
		{ "ops", "", "every operator and its shapes" },
		{ "kernels", "", "the kernels behind them" },
		{ "check", "", "whether this trace can be trusted" },
	};
	char *name = quoted(path);
	unsigned n = 0;

	if (!strpbrk(path, " \t\n'\"\\$`&|;<>()*?[]#~!{}"))
		snprintf(name, strlen(name) + 1, "%s", path);
	for (unsigned i = 0; i < sizeof(ideas) / sizeof(ideas[0]) && n < 3; i++)
		if (command_find(ideas[i].command) &&
		    asprintf(&o->next[n++], "longpole %s %s%s\t%s", ideas[i].command,
			     ideas[i].options, name, ideas[i].purpose) < 0)
			abort();
	free(name);
}

static void join(struct overview *o, const char *path)
{
	say_next(o, path);
	o->all = (struct lp_answer){ .headline = o->part[TIMELINE].answer->headline,
				     .doubts = o->doubts,
				     .next = (const char *const *)o->next,
				     .tables = o->tables };
	for (unsigned i = 0; i < PARTS; i++)
		add_part(o, o->part[i].answer);
}

/* ---- the top of each in text ---- */

static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (!strncmp(p, name, n) && (p[n] == ',' || !p[n]))
			return true;
	return false;
}

/* `t` with some of its columns, into `cols`. */
static struct lp_table narrowed(const struct lp_table *t, const char *columns,
				struct lp_column *cols)
{
	struct lp_table top = *t;

	top.cols = cols;
	top.ncols = 0;
	top.footer = NULL;
	for (uint32_t c = 0; c < t->ncols && top.ncols < COLUMNS; c++)
		if (listed(columns, t->cols[c].name))
			cols[top.ncols++] = t->cols[c];
	return top;
}

static bool write_part(const struct overview *o, unsigned i, FILE *file, struct lp_error *err)
{
	const struct part *part = &o->part[i];
	struct lp_write_options w = show_options();
	struct lp_column cols[COLUMNS];
	struct lp_table top = *part->answer->tables[0];
	struct lp_table *tables[] = { &top };
	struct lp_answer a = { .tables = tables, .ntables = 1 };

	if (part->columns)
		top = narrowed(&top, part->columns, cols);
	if (i == 0) {
		a.headline = o->all.headline;
		a.doubts = o->all.doubts;
	} else if (top.nrows) {
		fputc('\n', file);
	} else {
		a.ntables = 0;
	}
	if (i + 1 == PARTS)
		a.next = o->all.next;
	if (part->limit && settings.limit < 0)
		w.limit = part->limit;
	return lp_write(&a, LP_TEXT, w, file, err);
}

static bool write_text(const struct overview *o, struct lp_error *err)
{
	struct output out;

	if (!output_open(&out, settings.output, err))
		return false;
	bool done = true;
	for (unsigned i = 0; i < PARTS && done; i++)
		done = write_part(o, i, out.file, err);
	return output_close(&out, done, err) && done;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	struct overview o = { 0 };
	bool text = show_format() == LP_TEXT && !settings.table && !settings.columns &&
		    !settings.sort;
	bool done = tr && ask(o.part, tr, err);

	stage_end("answer");
	if (done) {
		join(&o, args[0]);
		if (show_format() != LP_TEXT)
			show_doubts(&o.all);
		done = text ? write_text(&o, err) : show_answer(&o.all, err);
		stage_end("write");
	}
	for (unsigned i = 0; i < 3; i++)
		free(o.next[i]);
	for (unsigned i = 0; i < PARTS; i++)
		lp_answer_free(o.part[i].answer);
	lp_close(tr);
	return done ? EXIT_OK : EXIT_TROUBLE;
}

const struct command cmd_overview = {
	.name = "",
	.args = "TRACE",
	.summary = "the overview",
	.details =
		"Give an overview of a trace: where the GPU time goes, which operators own it, and "
		"what to ask next.\n",
	.examples = "longpole trace.json.gz\n",
	.run = run,
};
