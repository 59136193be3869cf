/*
 * `longpole TRACE`: the sentence of the timeline, what matters most, what is in the file, and the
 * top of each answer.
 * In the other formats it is one answer with the tables of all, whole.
 */
#include "cli/settings.h"
#include "cli/show.h"
#include "cli/stage.h"

#include <stdlib.h>
#include <string.h>

#define TABLES  16
#define COLUMNS 8
#define DOUBTS  16

enum { INFO, TIMELINE, OPS, KERNELS, IDLE, PATH, QUESTIONS }; /* all of them go into findings */
#define PARTS 8

/* One table at the top of an answer. */
struct part {
	struct lp_answer *answer; /* NULL: there is none for this trace */
	const char *table;
	const char *columns; /* in text: "name,percent"; NULL: all */
	int64_t limit;       /* rows in text; 0: all */
	bool silent;         /* not in text */
};

struct overview {
	struct part part[PARTS]; /* in this order */
	struct lp_answer *answers[QUESTIONS], *findings;
	struct lp_table *tables[TABLES];
	const char *doubts[DOUBTS + 1];
	char *next[4], *headline;
	const char **labels;  /* of the table what_if */
	struct lp_answer all; /* all tables of all parts, under one headline */
};

static bool ask(struct overview *o, struct lp_trace *tr, struct lp_error *err)
{
	const char *w = cmd_window();
	struct lp_error why; /* a trace may have no critical path: then there is none to show */

	o->answers[INFO] = lp_info(tr, err);
	if (!o->answers[INFO])
		return false;
	o->answers[TIMELINE] = lp_timeline(tr, (struct lp_timeline_options){ .window = w }, err);
	if (!o->answers[TIMELINE])
		return false;
	o->answers[OPS] = lp_ops(tr, (struct lp_ops_options){ .window = w }, err);
	if (!o->answers[OPS])
		return false;
	o->answers[KERNELS] = lp_kernels(tr, (struct lp_kernels_options){ .window = w }, err);
	if (!o->answers[KERNELS])
		return false;
	if (!w || !*w) /* it looks at whole traces */
		o->answers[IDLE] = lp_idle(tr, &why);
	o->answers[PATH] = lp_critical_path(tr, (struct lp_critical_path_options){ .window = w },
					    &why);
	o->findings = lp_findings(tr, (const struct lp_answer *const *)o->answers, QUESTIONS, err);
	return o->findings != NULL;
}

static void set_parts(struct overview *o)
{
	const struct part parts[PARTS] = {
		{ o->findings, "findings", "time_ns,percent,sentence", 5, false },
		{ o->findings, "trust", NULL, 0, true },
		{ o->findings, "missing", NULL, 0, true },
		{ o->answers[INFO], "info", NULL, 0, false },
		{ o->answers[TIMELINE], "timeline", NULL, 0, false },
		{ o->answers[PATH], "path_summary", "class,time_ns,percent", 3, false },
		{ o->answers[PATH], "what_if", "target,window_ns,gain_ns,gain_percent", 0, false },
		{ o->answers[OPS], "ops", "name,input_dims,kernel_time_ns,percent", 3, false },
	};

	memcpy(o->part, parts, sizeof(parts));
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

static void add_part(struct overview *o, const struct part *p)
{
	const struct lp_table *t = p->answer ? lp_answer_table(p->answer, p->table) : NULL;

	for (uint32_t i = 0; t && i < p->answer->ntables; i++)
		if (p->answer->tables[i] == t)
			o->tables[o->all.ntables++] = p->answer->tables[i];
	for (unsigned i = 0; t && p->answer->doubts && p->answer->doubts[i]; i++)
		add_doubt(o, p->answer->doubts[i]);
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
		{ "report", "-o report.html ", "all of it on one page, to look at or to mail" },
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
	const struct lp_answer *first = o->answers[TIMELINE], *second = o->answers[PATH];
	bool two = second && second->headline;

	if (asprintf(&o->headline, "%s%s%s", first->headline, two ? " " : "",
		     two ? second->headline : "") < 0)
		abort();
	say_next(o, path);
	set_parts(o);
	o->all = (struct lp_answer){ .headline = o->headline,
				     .doubts = o->doubts,
				     .next = (const char *const *)o->next,
				     .tables = o->tables };
	for (unsigned i = 0; i < PARTS; i++)
		add_part(o, &o->part[i]);
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

static const struct lp_column *column(const struct lp_table *t, const char *name)
{
	for (uint32_t c = 0; c < t->ncols; c++)
		if (!strcmp(t->cols[c].name, name))
			return &t->cols[c];
	return NULL;
}

static bool is_class(const struct lp_table *classes, const char *target)
{
	const struct lp_column *c = classes ? column(classes, "class") : NULL;

	for (uint32_t i = 0; c && i < classes->nrows; i++) {
		size_t n = strcspn(c->data.str[i], " "); /* "compute *" */
		if (strlen(target) == n && !strncmp(c->data.str[i], target, n))
			return true;
	}
	return !strcmp(target, "cpu") || !strcmp(target, "gpu");
}

/* Of the what-ifs only three: functions and kernels that are twice as fast. */
static const char *const *few_what_ifs(struct overview *o, const struct lp_table *t)
{
	const struct lp_table *classes = lp_answer_table(o->answers[PATH], "path_summary");
	const struct lp_column *factor = column(t, "factor"), *target = column(t, "target");
	unsigned n = 0;

	o->labels = calloc((size_t)t->nrows + 1, sizeof(*o->labels));
	if (!o->labels)
		abort();
	for (uint32_t i = 0; i < t->nrows && factor && target; i++) {
		bool show = n < 3 && !strcmp(factor->data.str[i], "2x") &&
			    !is_class(classes, target->data.str[i]);
		n += show;
		o->labels[i] = show ? NULL : "";
	}
	return o->labels;
}

/* The table of a part as the overview has it; its columns go to `cols`. */
static struct lp_table top_of(struct overview *o, const struct part *p, struct lp_column *cols)
{
	struct lp_table top = *lp_answer_table(p->answer, p->table);

	if (p->columns) {
		const struct lp_column *all = top.cols;
		uint32_t n = 0;

		for (uint32_t c = 0; c < top.ncols && n < COLUMNS; c++)
			if (listed(p->columns, all[c].name))
				cols[n++] = all[c];
		top.cols = cols;
		top.ncols = n;
		top.footer = NULL;
		top.whole = !p->limit;
	}
	if (!strcmp(p->table, "findings") &&
	    p->limit < top.nrows) { /* longest first; whole lines */
		top.nrows = (uint32_t)p->limit;
		top.whole = true;
	}
	if (!strcmp(p->table, "what_if")) {
		top.labels = few_what_ifs(o, lp_answer_table(p->answer, p->table));
		cols[0].title = "2x faster would give";
	}
	return top;
}

static bool write_part(struct overview *o, unsigned i, FILE *file, struct lp_error *err)
{
	const struct part *p = &o->part[i];
	struct lp_write_options w = show_options();
	struct lp_column cols[COLUMNS];
	struct lp_answer a = { .ntables = 0 };
	struct lp_table top;
	struct lp_table *tables[] = { &top };

	if (p->silent)
		return true;
	if (p->answer && lp_answer_table(p->answer, p->table)->nrows) {
		top = top_of(o, p, cols);
		a.tables = tables;
		a.ntables = 1;
	}
	if (i == 0) {
		a.headline = o->all.headline;
		a.doubts = o->all.doubts;
	} else if (a.ntables) {
		fputc('\n', file);
	}
	if (i + 1 == PARTS)
		a.next = o->all.next;
	w.limit = settings.limit >= 0 ? w.limit : p->limit ? p->limit : -1;
	return lp_write(&a, LP_TEXT, w, file, err);
}

static bool write_text(struct overview *o, struct lp_error *err)
{
	struct output out;

	if (!output_open(&out, settings.output, err))
		return false;
	bool done = true;
	for (unsigned i = 0; i < PARTS && done; i++)
		done = write_part(o, i, out.file, err);
	return output_close(&out, done, err) && done;
}

static bool show(struct overview *o, const char *path, struct lp_error *err)
{
	bool text = show_format() == LP_TEXT;

	join(o, path);
	if (!text)
		show_doubts(&o->all);
	if (!text || settings.table || settings.columns || settings.sort)
		return show_answer(&o->all, err);
	return write_text(o, err);
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	struct overview o = { 0 };
	bool done = tr && ask(&o, tr, err);

	stage_end("answer");
	done = done && show(&o, args[0], err);
	stage_end("write");
	for (unsigned i = 0; i < 3; i++)
		free(o.next[i]);
	lp_answer_free(o.findings);
	for (unsigned i = 0; i < QUESTIONS; i++)
		lp_answer_free(o.answers[i]);
	free(o.labels);
	free(o.headline);
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
