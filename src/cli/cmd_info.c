#include "cli/cmd.h"

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	enum exit_code code = cmd_show(tr ? lp_info(tr, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_info = {
	.name = "info",
	.args = "TRACE",
	.summary = "what is in the file",
	.details =
		"Show what is in a trace: the window of time, devices, threads and streams, kinds of "
		"events, steps, and what was recorded.\n",
	.examples = "longpole info trace.json.gz\n"
		    "longpole info trace.json.gz -f json\n",
	.run = run,
};
