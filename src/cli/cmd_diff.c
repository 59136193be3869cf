#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/show.h"

#include <string.h>

static int align, style;
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
	{ OPT_CHOICE, 0, "style", "longpole|tracelens",
	  "tracelens writes the files of its TraceDiff to the folder -o", &style },
	{ OPT_FLAG, 0, "compat-roots", NULL,
	  "with --style tracelens --python: list the root twice, as that tool does",
	  &o.compat_roots },
	{ OPT_FLAG, 0, "prune-non-gpu", NULL,
	  "with --style tracelens: leave out roots without GPU work", &o.prune_non_gpu },
	{ 0 },
};

static enum exit_code write_files(struct lp_trace *before, struct lp_trace *after,
				  struct lp_error *err)
{
	if (!settings.output) {
		fail(err, "--style tracelens writes several files: give it a folder with -o");
		return EXIT_TROUBLE;
	}
	return lp_diff_files(before, after, o, settings.output, err) ? EXIT_OK : EXIT_TROUBLE;
}

static enum exit_code answer(struct lp_trace *before, struct lp_trace *after, struct lp_error *err)
{
	if (style)
		return write_files(before, after, err);
	return cmd_show(lp_diff(before, after, o, err), err);
}

static bool fit_together(struct lp_error *err)
{
	if (!style && (o.compat_roots || o.prune_non_gpu))
		return fail(err, "--%s changes the files of --style tracelens only",
			    o.compat_roots ? "compat-roots" : "prune-non-gpu");
	return true;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	if (!fit_together(err))
		return EXIT_TROUBLE;
	struct lp_trace *before = cmd_open(args[0], err);
	struct lp_trace *after = before ? cmd_open(args[1], err) : NULL;

	if (tree && !settings.table && show_format() == LP_TEXT)
		settings.table = "diff_tree"; /* programs get it beside the others */
	/* The page has it folded. */
	o.tree = tree || show_format() == LP_HTML ||
		 (settings.table && !strcmp(settings.table, "diff_tree"));
	o.align = (enum lp_diff_align)align;
	o.gates = gates.at;
	o.ngates = gates.n;
	o.window = cmd_window();
	enum exit_code code = after ? answer(before, after, err) : EXIT_TROUBLE;

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
		    "longpole diff before.json.gz after.json.gz -o diff.html\n"
		    "longpole diff before.json.gz after.json.gz --window step:5\n"
		    "longpole diff main.json.gz branch.json.gz --gate 'gpu_time>2%,50us' -f md\n",
	.opts = opts,
	.run = run,
};
