#include "cli/settings.h"

#include <sys/stat.h>

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static enum exit_code info_of_job(const char *const *args, struct lp_error *err)
{
	struct lp_open_options o = { .threads = cmd_threads(), .strict = settings.strict };
	unsigned n = 0;

	while (args[n])
		n++;
	return cmd_show(lp_info_job(args, n, o, err), err);
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	if (args[1] || is_folder(args[0]))
		return info_of_job(args, err);
	struct lp_trace *tr = cmd_open(args[0], err);
	enum exit_code code = cmd_show(tr ? lp_info(tr, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_info = {
	.name = "info",
	.args = "TRACE...",
	.summary = "what is in the file",
	.details =
		"Say what is in a trace: the window of time, devices, threads and streams, kinds "
		"of events, steps, and what was recorded.\n\n"
		"Several files, or a folder, are the ranks of one job: which rank each file is, "
		"which ranks are missing, and what is no rank's recording.\n",
	.examples = "longpole info trace.json.gz\n"
		    "longpole info traces/\n"
		    "longpole info trace.json.gz -f json\n",
	.unused = "window",
	.run = run,
};
