#include "cli/cmd.h"

static struct lp_steps_options o;
static struct opt_list markers;

static const struct opt opts[] = {
	{ OPT_LIST, 0, "marker", "REGEX",
	  "names that mark iterations: annotations, operators, frames", &markers },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);

	o.markers = markers.at;
	o.nmarkers = markers.n;
	enum exit_code code = cmd_show(tr ? lp_steps(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_steps = {
	.name = "steps",
	.args = "TRACE",
	.summary = "one row per iteration",
	.details =
		"Show what each iteration does with its time. Iterations are found as by `longpole "
		"split`; GPU work belongs to the iteration that launched it.",
	.examples = "longpole steps trace.json.gz\n"
		    "longpole steps trace.json.gz -f csv -o steps.csv",
	.opts = opts,
	.unused = "window",
	.run = run,
};
