#include "cli/cmd.h"

static struct lp_timeline_options o;

static const struct opt opts[] = {
	{ OPT_FLAG, 0, "linked", NULL, "count only GPU work whose launch is in the trace",
	  &o.linked },
	{ 0 },
};

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);

	o.window = cmd_window();
	enum exit_code code = cmd_show(tr ? lp_timeline(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_timeline = {
	.name = "timeline",
	.args = "TRACE",
	.summary = "busy, exposed, idle",
	.details =
		"Say where the time of each GPU goes: computation, communication and copies that "
		"nothing hides, and idle. The four add up to the span from the first to the last GPU "
		"event.\n\nWork hidden behind other work is not exposed: the totals below the table "
		"count it, too.\n",
	.examples = "longpole timeline trace.json.gz\n"
		    "longpole timeline trace.json.gz --window step:2\n",
	.opts = opts,
	.run = run,
};
