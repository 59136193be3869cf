#include "cli/cmd.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cli/usage.h"

#include <string.h>

static struct lp_critical_path_options o;
static struct opt_list what_if;
static int model;
static bool mermaid, folded;
static const char *chrome;

static const struct opt opts[] = {
	{ OPT_LIST, 0, "what-if", "NAME=2x",
	  "the window if NAME were twice as fast (=0: at no cost); a name, a class or a pattern; "
	  "several in one text change together",
	  &what_if },
	{ OPT_CHOICE, 0, "model", "walk|hta|longest",
	  "along what had to wait (default), HTA's graph, or the textbook's longest chain",
	  &model },
	{ OPT_STRING, 0, "chrome", "FILE",
	  "also write the trace with the path drawn over it (.json or .json.gz)", &chrome },
	{ OPT_FLAG, 0, "mermaid", NULL, "write a Mermaid gantt of the longest segments instead",
	  &mermaid },
	{ OPT_FLAG, 0, "folded", NULL, "write folded stacks of the time on the path instead",
	  &folded },
	{ 0 },
};

static bool draw(struct lp_trace *tr, enum lp_path_picture p, const char *path,
		 struct lp_error *err)
{
	size_t n = path ? strlen(path) : 0;
	struct output out;

	if (!output_open(&out, path, err))
		return false;
	bool fine = lp_critical_path_draw(tr, o, p, n > 3 && !strcmp(path + n - 3, ".gz"), out.file,
					  err);
	struct lp_error late;
	return output_close(&out, fine, fine ? err : &late) && fine;
}

/* Options of which one would be forgotten. */
static bool fit_together(struct lp_error *err)
{
	if (model && what_if.n)
		return fail(err, "--what-if is for --model walk: the others cannot be replayed");
	if (mermaid && folded)
		return fail(err, "--mermaid and --folded are two outputs: give one of them");
	if ((mermaid || folded) &&
	    (settings.format >= 0 || settings.table || settings.columns || settings.sort))
		return fail(err,
			    "--%s is no table: it goes without --format, --table, --columns "
			    "and --sort",
			    mermaid ? "mermaid" : "folded");
	return usage_spares_inputs(chrome, err);
}

static enum exit_code answer(struct lp_trace *tr, struct lp_error *err)
{
	if (chrome && !draw(tr, LP_PATH_CHROME, chrome, err))
		return EXIT_TROUBLE;
	if (!mermaid && !folded)
		return cmd_show(lp_critical_path(tr, o, err), err);
	return draw(tr, mermaid ? LP_PATH_MERMAID : LP_PATH_FOLDED, cmd_take_output(), err)
		       ? EXIT_OK
		       : EXIT_TROUBLE;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	if (!fit_together(err))
		return EXIT_TROUBLE;
	struct lp_trace *tr = cmd_open(args[0], err);

	o.model = (enum lp_path_model)model;
	o.what_if = what_if.at;
	o.nwhat_if = what_if.n;
	o.window = cmd_window();
	enum exit_code code = tr ? answer(tr, err) : EXIT_TROUBLE;

	lp_close(tr);
	return code;
}

const struct command cmd_critical_path = {
	.name = "critical-path",
	.args = "TRACE",
	.summary = "what decides the wall clock",
	.details =
		"Walk back from the end of the window along what each event had to wait for: the "
		"order of its thread or stream, its launch, events, waits, graphs, other threads. "
		"The segments touch, so their classes add up to the window, to the nanosecond.\n\n"
		"The same constraints, played forward, give slack, and the window of a run in which "
		"something is faster. NAME of --what-if is an exact name, else a class (compute, "
		"gpu_gap ...) or a group (gpu, cpu, comm, copies, launch), else an extended regular "
		"expression. No gain is larger than the time on the path.\n\n"
		"Where the trace has no rows that say what a call waits for, that is rebuilt from "
		"the calls and marked as inferred. --table lists more: path, path_events, slack, "
		"steps_path.",
	.examples = "longpole critical-path trace.json.gz\n"
		    "longpole critical-path trace.json.gz --what-if 'gemm=2x' --what-if comm=0\n"
		    "longpole critical-path trace.json.gz --window step:3 --table path -f csv\n"
		    "longpole critical-path trace.json.gz --chrome path.json.gz",
	.opts = opts,
	.run = run,
};
