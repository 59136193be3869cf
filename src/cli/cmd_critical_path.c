#include "cli/cmd.h"

static struct lp_critical_path_options o;
static struct opt_list what_if;
static int model;

static const struct opt opts[] = {
	{ OPT_LIST, 0, "what-if", "NAME=2x",
	  "the window if events of this name (or class, or pattern) were faster, or cost nothing: "
	  "NAME=0",
	  &what_if },
	{ OPT_CHOICE, 0, "model", "walk|hta|longest",
	  "the walk along constraints (default), HTA's graph, or the textbook's longest path",
	  &model },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);

	o.model = (enum lp_path_model)model;
	o.what_if = what_if.at;
	o.nwhat_if = what_if.n;
	o.window = cmd_window();
	enum exit_code code = cmd_show(tr ? lp_critical_path(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_critical_path = {
	.name = "critical-path",
	.args = "TRACE",
	.summary = "what decides the wall clock",
	.details = "Walk back from the end of the window along what each event had to wait for.",
	.examples = "longpole critical-path trace.json.gz\n",
	.opts = opts,
	.run = run,
};
