#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/show.h"

static int style;
static struct lp_report_options o;

static const struct opt opts[] = {
	{ OPT_CHOICE, 0, "style", "longpole|tracelens",
	  "tracelens has the sheets, columns and figures of that tool's report", &style },
	{ OPT_STRING, 0, "arch", "NAME|FILE",
	  "what the GPU can do at best, for the roofline (help arch lists names); default: by its "
	  "name in the trace",
	  &o.arch },
	{ OPT_FLAG, 0, "recompute", NULL,
	  "with --style tracelens: tell forward passes that run again (checkpointing) apart",
	  &o.recompute },
	{ OPT_FLAG, 0, "page", NULL,
	  "the tables behind a page's timeline, what-if and flame graph, too", &o.page },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);

	o.style = (enum lp_report_style)style;
	o.page = o.page || show_format() == LP_HTML;
	enum exit_code code = cmd_show(tr ? lp_report(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_report = {
	.name = "report",
	.args = "TRACE",
	.summary = "all tables at once, as a folder or a workbook",
	.details =
		"Write the tables of all questions. To a folder (-o DIR/) they are one file each, to a "
		"workbook (-o FILE.xlsx) one sheet each.\n",
	.examples = "longpole report trace.json.gz -f csv -o report/\n"
		    "longpole report trace.json.gz --style tracelens -o report.xlsx\n",
	.opts = opts,
	.run = run,
};
