#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/show.h"

#include <limits.h>
#include <string.h>

#define BINS_MAX 100000 /* of a histogram: one line each */

static int style;
static int64_t micro_idle_us, short_kernel_us;
static struct lp_report_options o;

/* What only changes the sheets of TraceLens says so in its help. */
#define SHEETS "with --style tracelens: "

static const struct opt opts[] = {
	{ OPT_CHOICE, 0, "style", "longpole|tracelens",
	  "tracelens has the sheets, columns and figures of that tool's report", &style },
	{ OPT_STRING, 0, "arch", "NAME|FILE",
	  "what the GPU can do at best, for the roofline (help arch lists names); default: by its "
	  "name in the trace",
	  &o.arch },
	{ OPT_STRING, 0, "models", "FILE",
	  "formulas for operations and bytes of your own operators, by name", &o.models },
	{ OPT_FLAG, 0, "page", NULL,
	  "the tables behind a page's timeline, what-if and flame graph, too", &o.page },
	{ OPT_FLAG, 0, "recompute", NULL,
	  SHEETS "tell forward passes that run again (checkpointing) apart", &o.recompute },
	{ OPT_FLAG, 0, "unlinked", NULL,
	  SHEETS "gpu_timeline with the GPU work whose launch is not in the trace", &o.unlinked },
	{ OPT_INT, 0, "micro-idle", "US",
	  SHEETS "gpu_timeline tells gaps shorter than so many microseconds apart",
	  &micro_idle_us },
	{ OPT_FLAG, 0, "first-occurrence", NULL,
	  SHEETS "when each line of ops_unique_args began first", &o.first_occurrence },
	{ OPT_FLAG, 0, "num-kernels", NULL,
	  SHEETS "occurrences with other numbers of kernels are other lines", &o.num_kernels },
	{ OPT_FLAG, 0, "modules", NULL, SHEETS "occurrences in other nn.Modules are other lines",
	  &o.modules },
	{ OPT_FLAG, 0, "call-stack", NULL,
	  SHEETS "the stack of each line, and where in Python it enters the operator",
	  &o.call_stack },
	{ OPT_FLAG, 0, "overlap", NULL,
	  SHEETS "a sheet of what ran on other streams at the same time", &o.overlap },
	{ OPT_FLAG, 0, "no-collectives", NULL, SHEETS "no sheet coll_analysis", &o.no_collectives },
	{ OPT_INT, 0, "short-kernel", "US",
	  SHEETS "kernels shorter than so many microseconds are short (default 10)",
	  &short_kernel_us },
	{ OPT_INT, 0, "short-bins", "N", SHEETS "bins of short_kernel_histogram (default 100)",
	  &o.short_bins },
	{ OPT_INT, 0, "short-top", "N", SHEETS "lines of short_kernels_summary (default: all)",
	  &o.short_top },
	{ 0 },
};

/* An option that changes nothing would be taken for one that found nothing. */
static bool is_used(const struct opt *opt, struct lp_error *err)
{
	bool given = opt->type == OPT_FLAG  ? *(bool *)opt->value
		     : opt->type == OPT_INT ? *(int64_t *)opt->value != 0
					    : false;

	if (!given || style == LP_STYLE_TRACELENS || strncmp(opt->help, SHEETS, strlen(SHEETS)))
		return true;
	return fail(err, "--%s changes the sheets of --style tracelens only", opt->name);
}

static bool check(struct lp_error *err)
{
	for (const struct opt *opt = opts; opt->type != OPT_END; opt++) {
		if (!is_used(opt, err))
			return false;
		if (opt->type == OPT_INT &&
		    (*(int64_t *)opt->value < 0 || *(int64_t *)opt->value > INT_MAX))
			return fail(err, "--%s is a number from 0 to %d", opt->name, INT_MAX);
	}
	if (o.short_bins > BINS_MAX)
		return fail(err, "--short-bins is at most %d", BINS_MAX);
	return true;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	if (!check(err))
		return EXIT_TROUBLE;
	struct lp_trace *tr = cmd_open(args[0], err);

	o.style = (enum lp_report_style)style;
	o.page = o.page || show_format() == LP_HTML;
	o.micro_idle_ns = 1000 * micro_idle_us;
	o.short_kernel_ns = 1000 * short_kernel_us;
	enum exit_code code = cmd_show(tr ? lp_report(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_report = {
	.name = "report",
	.args = "TRACE",
	.summary = "all tables: a page, a folder or a workbook",
	.details =
		"Write the tables of all questions. To a page (-o FILE.html), which needs no network, they "
		"are findings, pictures and tables; to a folder (-o DIR/) one file each, to a workbook "
		"(-o FILE.xlsx) one sheet each.\n",
	.examples = "longpole report trace.json.gz -o report.html\n"
		    "longpole report trace.json.gz -f csv -o report/\n"
		    "longpole report trace.json.gz --style tracelens -o report.xlsx\n",
	.opts = opts,
	.unused = "window",
	.run = run,
};
