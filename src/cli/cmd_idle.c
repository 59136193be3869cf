#include "cli/cmd.h"

static const struct opt opts[] = { { 0 } };

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	enum exit_code code = cmd_show(tr ? lp_idle(tr, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_idle = {
	.name = "idle",
	.args = "TRACE",
	.summary = "why the GPU had nothing to do",
	.details =
		"Blame each gap of the GPU on what the host did meanwhile: the thread that launched "
		"the work which ended the gap was in an operator, a Python frame, a wait, loading "
		"data, or had launched already and the queue took its time. The parts add up to all "
		"idle time.",
	.examples = "longpole idle trace.json.gz\n"
		    "longpole idle trace.json.gz --table idle_gaps",
	.opts = opts,
	.unused = "window",
	.run = run,
};
