#include "cli/opt.h"
#include "cli/settings.h"

#include <stdlib.h>
#include <string.h>

static int style;
static const char *names;
static struct lp_compare_options o;

static const struct opt opts[] = {
	{ OPT_STRING, 0, "names", "A,B,...",
	  "what to call the reports; default: what tells their paths apart", &names },
	{ OPT_CHOICE, 0, "style", "longpole|tracelens",
	  "tracelens has the sheets, rows and order of that tool's comparison, each row of a name "
	  "with each",
	  &style },
	{ OPT_STRING, 0, "arch", "NAME|FILE", "of traces: as for report", &o.arch },
	{ 0 },
};

/* Cuts `list` at its commas. */
static char **split(char *list, unsigned *n)
{
	char **at = calloc(strlen(list) + 2, sizeof(*at));

	if (!at)
		abort();
	for (char *p = list; p; *n += 1) {
		at[*n] = p;
		p = strchr(p, ',');
		if (p)
			*p++ = 0;
	}
	return at;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	char *list = names ? strdup(names) : NULL;
	char **at = list ? split(list, &o.nnames) : NULL;
	unsigned n = 0;

	while (args[n])
		n++;
	o.names = (const char *const *)at;
	o.style = (enum lp_report_style)style;
	o.open = (struct lp_open_options){ .threads = cmd_threads(), .strict = settings.strict };
	enum exit_code code = cmd_show(lp_compare(args, n, o, err), err);

	free(at);
	free(list);
	return code;
}

const struct command cmd_compare = {
	.name = "compare",
	.args = "REPORT REPORT...",
	.summary = "reports side by side",
	.details =
		"Compare two reports or more with the first of them, sheet by sheet and row by row. A "
		"report is a folder of CSV files or a workbook (.xlsx), of longpole or of TraceLens, or "
		"a single CSV file; a trace is compared by the report of it.\n\n"
		"Rows are one if their keys are: an operator with its inputs, a kernel with its "
		"operator. Of operators there are three tables per report: what is in both, only in the "
		"first (baseline), only in the other (variant).\n",
	.examples =
		"longpole compare before/ after/\n"
		"longpole compare h100_report.xlsx mi300_report.xlsx --names h100,mi300 -o both.xlsx\n"
		"longpole compare before.json.gz after.json.gz -o compared/\n",
	.opts = opts,
	.unused = "window",
	.run = run,
};
