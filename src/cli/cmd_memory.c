#include "cli/cmd.h"

static const struct opt opts[] = { { 0 } };

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_trace *tr = cmd_open(args[0], err);
	enum exit_code code = cmd_show(tr ? lp_memory(tr, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_memory = {
	.name = "memory",
	.args = "TRACE",
	.summary = "peak, and who allocates",
	.details =
		"Say how much memory PyTorch's allocator held, device by device: the peak, the "
		"operator and the calls that reached it, what each operator allocates, frees and "
		"holds at the peak. Table memory has every change. It needs a trace recorded with "
		"profile_memory.",
	.examples = "longpole memory trace.json.gz\n"
		    "longpole memory trace.json.gz -f csv --table memory -o timeline.csv",
	.opts = opts,
	.unused = "window",
	.run = run,
};
