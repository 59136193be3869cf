#include "cli/cmd.h"

static int by, link;
static struct lp_ops_options o;

static const struct opt opts[] = {
	{ OPT_CHOICE, 0, "by", "args|name|category|module",
	  "what makes a row: name, shapes, types and thread (args), or one of these", &by },
	{ OPT_FLAG, 0, "rows", NULL, "one row per occurrence", &o.rows },
	{ OPT_FLAG, 0, "no-comm", NULL, "leave communication out", &o.no_comm },
	{ OPT_CHOICE, 0, "link", "correlation|tracelens",
	  "how GPU work finds its launch; tracelens is for comparison with that tool", &link },
	{ OPT_STRING, 0, "arch", "NAME|FILE",
	  "what the GPU can do at best, for the roofline (help arch lists names); default: by its "
	  "name in the trace",
	  &o.arch },
	{ OPT_STRING, 0, "models", "FILE",
	  "formulas for operations and bytes of your own operators, by name", &o.models },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);

	o.by = (enum lp_ops_by)by;
	o.link = (enum lp_link)link;
	o.window = cmd_window();
	enum exit_code code = cmd_show(tr ? lp_ops(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_ops = {
	.name = "ops",
	.args = "TRACE",
	.summary = "who owns the GPU time",
	.details =
		"Rank operators by the GPU time they cause. Each kernel, copy and set is charged to the "
		"innermost operator that launched it, so the rows add up to the whole. Work without a "
		"launch in the trace has rows of its own (category unlinked).\n",
	.examples =
		"longpole ops trace.json.gz --by module\n"
		"longpole ops trace.json.gz -f csv --columns name,count,kernel_time_ns -o ops.csv\n",
	.opts = opts,
	.run = run,
};
