#include "cli/opt.h"

#include <stdint.h>
#include <stdlib.h>

static struct lp_split_options o;
static struct opt_list markers;
static bool dry_run;
static int64_t steady_steps, max_num_seq;
static const char *range_ratio;
static int64_t output_tokens;

static const struct opt opts[] = {
	{ OPT_STRING, 'i', "iterations", "all|N|A:B", "which iterations to write (default: all)",
	  &o.iterations },
	{ OPT_LIST, 0, "marker", "REGEX",
	  "names that mark iterations: annotations, operators, frames", &markers },
	{ OPT_FLAG, 0, "steady", NULL, "write the steady state only, one file per window",
	  &o.steady },
	{ OPT_INT, 0, "steady-steps", "N", "length of a steady window (default: 32)",
	  &steady_steps },
	{ OPT_FLAG, 0, "phases", NULL, "one file per run of prefill-bearing or decode iterations",
	  &o.phases },
	{ OPT_FLAG, 0, "llm-inference", NULL,
	  "for --steady and --phases: tell prefill from decode by the sizes of batches",
	  &o.llm_inference },
	{ OPT_INT, 0, "max-num-seq", "N",
	  "the largest batch of a decode (default: found in the sizes)", &max_num_seq },
	{ OPT_INT, 0, "conc", "N",
	  "for --steady: requests at a time, as the load generator was told", &o.concurrency },
	{ OPT_INT, 0, "osl", "N", "for --steady: tokens of an answer, at the most",
	  &output_tokens },
	{ OPT_STRING, 0, "ratio", "R",
	  "for --steady: the least length of an answer over the most, 0 to 1", &range_ratio },
	{ OPT_FLAG, 0, "allow-degraded", NULL,
	  "write slices that explain only 75 to 95 % of the GPU time", &o.allow_degraded },
	{ OPT_FLAG, 0, "dry-run", NULL, "show the tables, write nothing", &dry_run },
	{ 0 },
};

static bool read_ratio(double *out, struct lp_error *err)
{
	char *end;

	*out = range_ratio ? strtod(range_ratio, &end) : 0;
	if (range_ratio && (!*range_ratio || *end || !(*out >= 0 && *out <= 1)))
		return fail(err, "--ratio needs a number from 0 to 1, not '%s'", range_ratio);
	return true;
}

static bool check(struct lp_error *err)
{
	for (const struct opt *opt = opts; opt->type != OPT_END; opt++)
		if (opt->type == OPT_INT &&
		    (*(int64_t *)opt->value < 0 || *(int64_t *)opt->value > UINT32_MAX))
			return fail(err, "--%s needs a number from 1 to %u", opt->name, UINT32_MAX);
	return read_ratio(&o.range_ratio, err);
}

static enum exit_code run(const char *const *args, struct lp_error *err)
{
	if (!check(err))
		return EXIT_TROUBLE;
	struct lp_trace *tr = cmd_open_again(args[0], err);

	o.out_dir = cmd_take_output();
	if (dry_run)
		o.out_dir = NULL;
	o.markers = markers.at;
	o.nmarkers = markers.n;
	o.steady_steps = (unsigned)steady_steps;
	o.max_num_seq = (unsigned)max_num_seq;
	o.output_tokens = (double)output_tokens;
	o.threads = cmd_threads();
	enum exit_code code = cmd_show(tr ? lp_split(tr, o, err) : NULL, err);

	lp_close(tr);
	return code;
}

const struct command cmd_split = {
	.name = "split",
	.args = "TRACE",
	.summary = "one file per iteration",
	.details =
		"Find the iterations of a trace of any framework and write each as a trace of its own. "
		"Iterations are found by annotations (vLLM, SGLang, ATOM, diffusion, ProfilerStep, or "
		"--marker), else by a loop in the call tree, by operators that repeat, or by kernels "
		"that repeat; what was found is audited against the GPU time.\n\n"
		"Every GPU event is in exactly one slice, by its launch; what lies before the first and "
		"after the last iteration has slices of its own (prologue, epilogue). Frames that outlive "
		"a slice are cut there and marked. split_manifest.json tells how sure the result is. "
		"Without a folder nothing is written. Exit 1: there is nothing to split, or only at "
		"less than 95 % of the GPU time (see --allow-degraded).",
	.examples = "longpole split trace.json.gz -o slices/\n"
		    "longpole split trace.json.gz --dry-run --marker '^train_iter [0-9]+'\n"
		    "longpole split trace.json.gz -o slices/ --iterations 10:20",
	.opts = opts,
	.unused = "window",
	.run = run,
};
