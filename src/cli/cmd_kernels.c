#include "cli/cmd.h"

static int link;

static const struct opt opts[] = {
	{ OPT_CHOICE, 0, "link", "correlation|tracelens",
	  "how GPU work finds its launch; tracelens is for comparison with that tool", &link },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	struct lp_kernels_options o = { .link = (enum lp_link)link, .window = cmd_window() };
	enum exit_code code = cmd_show(tr ? lp_kernels(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_kernels = {
	.name = "kernels",
	.args = "TRACE",
	.summary = "per kernel, stream, owner",
	.details =
		"Rank GPU kernels, copies and sets by their time: per name, stream and the operator "
		"that owns them.\n",
	.examples = "longpole kernels trace.json.gz --limit 50\n"
		    "longpole kernels trace.json.gz --sort max_ns\n",
	.opts = opts,
	.run = run,
};
