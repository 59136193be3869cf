#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/settings.h"
#include "cli/show.h"
#include "cli/usage.h"

#include <stdlib.h>
#include <string.h>

/* What text shows when nothing is said about it: about a screen. */
#define TEXT_ROWS    24
#define TEXT_DEPTH   4
#define TEXT_ROOTS   8
#define TEXT_PERCENT 1

static struct lp_tree_options tree;
static struct lp_profile_options open;
static struct lp_tree_filter filter;
static struct opt_list transforms, search;
static const char *butterfly, *base, *percent, *collapsed, *speedscope, *firefox;
static int64_t roots, depth, max_nodes;
static bool functions, normalize, pairs, forks;
static int order;

static const struct opt opts[] = {
	{ OPT_FLAG, 0, "invert", NULL, "functions first, then who called them", &tree.invert },
	{ OPT_STRING, 0, "weight", "WHAT",
	  "of a trace cpu (self time), gpu (time of the work launched) or samples (calls); of a "
	  "profile time, period, or a value or event by name",
	  &open.weight },
	{ OPT_STRING, 0, "thread", "N|all",
	  "one thread, from 0 in the order of the file, or all; without it the busiest of those "
	  "that run operators (for gpu: all)",
	  &tree.thread },
	{ OPT_INT, 0, "roots", "N", "so many roots", &roots },
	{ OPT_INT, 0, "depth", "N", "so many levels, the root included", &depth },
	{ OPT_STRING, 0, "min-percent", "P", "leave out what is below this share of the whole",
	  &percent },
	{ OPT_INT, 0, "max-nodes", "N",
	  "the heaviest nodes, if there are more (default: a million)", &max_nodes },
	{ OPT_STRING, 0, "root", "FUNCTION", "what it calls; with --invert: who calls it",
	  &tree.root },
	{ OPT_STRING, 0, "butterfly", "FUNCTION", "both: its callers and its callees", &butterfly },
	{ OPT_FLAG, 0, "functions", NULL, "a list of functions instead of a tree", &functions },
	{ OPT_FLAG, 0, "forks", NULL, "leave out nodes that pass 99.9 % on to one callee", &forks },
	{ OPT_FLAG, 0, "pairs", NULL,
	  "columns root_node and call_node, which name a node whatever the filter", &pairs },
	{ OPT_LIST, 0, "search", "TERMS",
	  "only stacks with all of these texts, or /expressions/, separated by commas", &search },
	{ OPT_LIST, 0, "focus", "FUNCTION", "begin stacks at it, leave the others out",
	  &transforms },
	{ OPT_LIST, 0, "focus-self", "FUNCTION", "only what runs in it itself", &transforms },
	{ OPT_LIST, 0, "merge", "FUNCTION", "take its frames out; what it calls moves up",
	  &transforms },
	{ OPT_LIST, 0, "drop", "FUNCTION", "leave out the stacks with it", &transforms },
	{ OPT_LIST, 0, "collapse-recursion", "FUNCTION", "an inner call of it is its outer one",
	  &transforms },
	{ OPT_LIST, 0, "collapse-direct", "FUNCTION", "the same where it calls itself directly",
	  &transforms },
	{ OPT_LIST, 0, "collapse-subtree", "FUNCTION", "charge it with all it calls", &transforms },
	{ OPT_FLAG, 0, "no-waits", NULL, "leave out time in which calls only wait for the GPU",
	  &filter.no_waits },
	{ OPT_FLAG, 0, "kernels", NULL, "with --weight gpu: the kernels are frames, too",
	  &open.kernels },
	{ OPT_FLAG, 0, "instances", NULL, "modules by instance, not by class", &open.instances },
	{ OPT_STRING, 0, "base", "FILE", "subtract this profile", &base },
	{ OPT_FLAG, 0, "normalize", NULL, "with --base: scale it to the same sum first",
	  &normalize },
	{ OPT_CHOICE, 0, "order", "name|firefox",
	  "ties by self and name, or as Firefox Profiler has them, for comparison", &order },
	{ OPT_STRING, 0, "collapsed", "PATH", "write the stacks as collapsed text, too",
	  &collapsed },
	{ OPT_STRING, 0, "speedscope", "PATH", "write them for speedscope", &speedscope },
	{ OPT_STRING, 0, "firefox", "PATH", "write them for Firefox Profiler", &firefox },
	{ 0 },
};

static bool read_percent(double *out, struct lp_error *err)
{
	char *end;

	*out = percent ? strtod(percent, &end) : 0;
	if (percent && (!*percent || *end || !(*out >= 0 && *out <= 100)))
		return fail(err, "--min-percent needs a number from 0 to 100, not '%s'", percent);
	return true;
}

static bool read_show(struct lp_tree_show *s, struct lp_error *err)
{
	bool given = roots || depth || percent || max_nodes || base || settings.limit == 0;

	*s = (struct lp_tree_show){ .functions = functions, .pairs = pairs, .forks = forks };
	s->plain = show_format() != LP_TEXT && show_format() != LP_MD;
	s->runs = show_format() == LP_CSV && !settings.sort;
	if (roots < 0 || depth < 0 || max_nodes < 0 || roots > UINT32_MAX || depth > UINT32_MAX ||
	    max_nodes > UINT32_MAX)
		return fail(err, "--roots, --depth and --max-nodes need numbers from 1 on");
	if (!read_percent(&s->min_percent, err))
		return false;
	s->roots = (unsigned)roots;
	s->depth = (unsigned)depth;
	s->max_nodes = (unsigned)max_nodes;
	if (show_format() != LP_TEXT)
		return true;
	if (!max_nodes && settings.limit)
		s->max_nodes = settings.limit > 0 ? (unsigned)settings.limit
			       : given            ? 0
						  : TEXT_ROWS;
	if (!given) {
		s->roots = tree.invert ? TEXT_ROOTS : 0;
		s->depth = tree.invert ? TEXT_DEPTH : 0;
		s->min_percent = TEXT_PERCENT;
		s->forks = true;
	}
	return true;
}

static bool set_transforms(struct lp_error *err)
{
	static const char *const names[] = {
		[LP_MERGE] = "merge",
		[LP_DROP] = "drop",
		[LP_FOCUS] = "focus",
		[LP_FOCUS_SELF] = "focus-self",
		[LP_COLLAPSE_RECURSION] = "collapse-recursion",
		[LP_COLLAPSE_DIRECT] = "collapse-direct",
		[LP_COLLAPSE_SUBTREE] = "collapse-subtree",
	};
	struct lp_transform *t = calloc(transforms.n + 1, sizeof(*t));

	if (!t)
		return fail(err, "out of memory");
	for (unsigned i = 0; i < transforms.n; i++) {
		t[i].functions = transforms.at[i];
		while (strcmp(names[t[i].kind], transforms.name[i]) != 0)
			t[i].kind++;
	}
	tree.transforms = t;
	tree.ntransforms = transforms.n;
	tree.firefox_order = open.firefox = order == 1;
	filter.window = cmd_window();
	filter.search = search.at;
	filter.nsearch = search.n;
	open.sums = !filter.window;
	return true;
}

/* With --base the difference; the two it is made of are closed again. */
static struct lp_profile *open_profile(const char *path, struct lp_error *err)
{
	struct lp_profile *after = cmd_open_profile(path, open, err), *before, *diff;

	if (!after || !base)
		return after;
	before = cmd_open_profile(base, open, err);
	diff = before ? lp_profile_diff(before, after, normalize, err) : NULL;
	lp_profile_close(before);
	lp_profile_close(after);
	return diff;
}

/* Options that would be forgotten, and files that would be lost. */
static bool fit_together(struct lp_error *err)
{
	if (normalize && !base)
		return fail(err, "--normalize is for --base: there is nothing to scale to");
	if (open.kernels && (!open.weight || strcmp(open.weight, "gpu") != 0))
		return fail(err, "--kernels is for --weight gpu: no other weight is on kernels");
	return usage_spares_inputs(collapsed, err) && usage_spares_inputs(speedscope, err) &&
	       usage_spares_inputs(firefox, err);
}

static bool write_stacks(struct lp_tree *t, struct lp_error *err)
{
	return (!collapsed || lp_tree_write(t, LP_COLLAPSED, collapsed, err)) &&
	       (!speedscope || lp_tree_write(t, LP_SPEEDSCOPE, speedscope, err)) &&
	       (!firefox || lp_tree_write(t, LP_FIREFOX, firefox, err));
}

/* Stacks that go to stdout take the table's place. */
static bool on_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static enum exit_code show_tree(const struct lp_profile *p, struct lp_tree_show s,
				struct lp_error *err)
{
	struct lp_tree *t = lp_tree_open(p, tree, err);
	enum exit_code code = EXIT_TROUBLE;

	if (t && lp_tree_filter(t, filter, err) && write_stacks(t, err))
		code = on_stdout(collapsed) || on_stdout(speedscope) || on_stdout(firefox)
			       ? EXIT_OK
			       : cmd_show(lp_tree_answer(t, s, err), err);
	lp_tree_close(t);
	return code;
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	struct lp_tree_show s;

	if (!fit_together(err) || !set_transforms(err) || !read_show(&s, err))
		return EXIT_TROUBLE;
	struct lp_profile *p = open_profile(args[0], err);
	enum exit_code code =
		!p          ? EXIT_TROUBLE
		: butterfly ? cmd_show(lp_butterfly(p, butterfly, tree, filter, s, err), err)
			    : show_tree(p, s, err);

	lp_profile_close(p);
	return code;
}

const struct command cmd_tree = {
	.name = "tree",
	.args = "FILE",
	.summary = "call tree, both ways up; profiles too",
	.details =
		"Show the call tree of a thread: Python functions, operators and calls of the runtime, "
		"with their CPU time or the GPU time they caused; or, with --invert, the functions that "
		"hold the time and who called them. FILE is a trace, or a sampled profile: Firefox and "
		"samply, speedscope, collapsed stacks, perf script, pprof, V8 and Chrome.\n\n"
		"A total is the weight of all stacks that go through a node; a recursive function "
		"counts once per stack. The roots of an inverted tree are the functions that have "
		"weight of their own, and their totals add up to the whole.\n\n"
		"FUNCTION is a name, or else an extended regular expression. Focus, merge, drop and "
		"collapse are applied in the order they are given.\n",
	.examples =
		"longpole tree --invert trace.json.gz\n"
		"longpole tree --weight gpu --merge '\\.py\\(|^cu' --min-percent 2 trace.json.gz\n"
		"longpole tree --butterfly aten::copy_ trace.json.gz\n"
		"longpole tree --invert --base before.folded after.folded\n"
		"longpole tree trace.json.gz --firefox stacks.json.gz\n",
	.opts = opts,
	.run = run,
};
