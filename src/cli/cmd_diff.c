#include "cli/cmd.h"
#include "cli/settings.h"

#include <string.h>

static int align;
static bool tree;
static struct opt_list gates;
static struct lp_diff_options o;

static const struct opt opts[] = {
	{ OPT_FLAG, 0, "tree", NULL, "show the merged tree where the traces part", &tree },
	{ OPT_FLAG, 0, "python", NULL, "compare Python frames too", &o.python },
	{ OPT_LIST, 0, "gate", "RULE",
	  "fail (exit 1) on a change over all limits of the rule, such as 'gpu_time>2%,50us'",
	  &gates },
	{ OPT_STRING, 0, "gate-file", "PATH", "rules, one a line", &o.gate_file },
	{ OPT_CHOICE, 0, "align", "optimal|tracelens",
	  "how siblings are matched; tracelens is for comparison with that tool", &align },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *before = cmd_open(args[0], err);
	struct lp_trace *after = before ? cmd_open(args[1], err) : NULL;

	if (tree && !settings.table)
		settings.table = "diff_tree";
	o.tree = tree || (settings.table && !strcmp(settings.table, "diff_tree"));
	o.align = (enum lp_diff_align)align;
	o.gates = gates.at;
	o.ngates = gates.n;
	enum exit_code code = cmd_show(after ? lp_diff(before, after, o, err) : NULL, err);

	lp_close(after);
	lp_close(before);
	return code;
}

const struct command cmd_diff = {
	.name = "diff",
	.args = "BEFORE AFTER",
	.summary = "two traces: what changed, where; gate",
	.details =
		"Compare two traces and say where the time changed. The call trees of both are merged "
		"into one: operators are matched by name, order and by what they call, through wrappers "
		"that only one of them has; launches of CUDA and ROCm count as the same.\n",
	.examples = "longpole diff before.json.gz after.json.gz\n"
		    "longpole diff before.json.gz after.json.gz --tree\n"
		    "longpole diff main.json.gz branch.json.gz --gate 'gpu_time>2%,50us' -f md\n",
	.opts = opts,
	.run = run,
};
