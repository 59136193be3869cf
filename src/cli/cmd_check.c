#include "cli/cmd.h"

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	enum exit_code code = cmd_show(tr ? lp_check(tr, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_check = {
	.name = "check",
	.args = "TRACE",
	.summary = "rules of data quality",
	.details =
		"Check whether a trace can be trusted: every rule with the number of places where it "
		"does not hold, the first of them by line, and what it means for the answers. Exits with "
		"1 if there are errors.\n",
	.examples = "longpole check trace.json.gz\n"
		    "longpole check trace.json.gz -f csv -o check.csv\n",
	.unused = "window",
	.run = run,
};
