/*
 * `longpole TRACE`: the sentence of the timeline, and the top of each answer. In the
 * other formats it is one answer with the tables of all, whole.
 */
#include "cli/settings.h"
#include "cli/show.h"
#include "cli/stage.h"

#include <stdlib.h>
#include <string.h>

#define TABLES 16

struct part {
	struct lp_answer *answer;
	const char *columns; /* of its first table, in text */
	int64_t limit;
};

static bool ask(struct part *parts, struct lp_trace *tr, struct lp_error *err)
{
	parts[0].answer = lp_timeline(tr, (struct lp_timeline_options){ .window = settings.window },
				      err);
	if (!parts[0].answer)
		return false;
	parts[1] = (struct part){ .columns = "name,input_dims,kernel_time_ns,percent", .limit = 3 };
	parts[1].answer = lp_ops(tr, (struct lp_ops_options){ .window = settings.window }, err);
	return parts[1].answer != NULL;
}

/* All tables of all parts under the sentence and doubts of the first. */
static struct lp_answer together(const struct part *parts, unsigned n,
				 struct lp_table *tables[TABLES])
{
	struct lp_answer all = *parts[0].answer;

	all.tables = tables;
	all.ntables = 0;
	for (unsigned i = 0; i < n; i++)
		for (uint32_t t = 0; t < parts[i].answer->ntables && all.ntables < TABLES; t++)
			tables[all.ntables++] = parts[i].answer->tables[t];
	return all;
}

static bool write_text(const struct part *parts, unsigned n, FILE *file, struct lp_error *err)
{
	for (unsigned i = 0; i < n; i++) {
		struct lp_answer top = *parts[i].answer;
		struct lp_write_options o = show_options();
		struct lp_table first = *top.tables[0];
		struct lp_table *tables[] = { &first };

		top.tables = tables;
		top.ntables = 1;
		if (i + 1 < n)
			top.next = NULL;
		if (i) {
			top.headline = NULL;
			top.doubts = NULL;
			first.footer = NULL;
			o.columns = parts[i].columns;
			o.limit = parts[i].limit;
			fputc('\n', file);
		}
		if (!lp_write(&top, LP_TEXT, o, file, err))
			return false;
	}
	return true;
}

static bool show(const struct part *parts, unsigned n, struct lp_error *err)
{
	struct lp_table *tables[TABLES];
	struct lp_answer all = together(parts, n, tables);
	struct output out;

	if (show_format() != LP_TEXT || settings.table || settings.columns) {
		if (show_format() != LP_TEXT)
			show_doubts(&all);
		return show_answer(&all, err);
	}
	if (!output_open(&out, settings.output, err))
		return false;
	bool done = write_text(parts, n, out.file, err);
	return output_close(&out, done, err) && done;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	struct part parts[2] = { 0 };
	bool done = tr && ask(parts, tr, err);

	stage_end("answer");
	done = done && show(parts, 2, err);
	for (unsigned i = 0; i < 2; i++)
		lp_answer_free(parts[i].answer);
	stage_end("write");
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
