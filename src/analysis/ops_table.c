/*
 * A column is a line of columns[] and a function from a group to its value. Strings
 * of the trace are pointed to, not copied; texts are made per line.
 */
#include "analysis/ops_table.h"

#include "analysis/ops_text.h"

#include <math.h>

#define BY(mode) (1u << (mode))
#define ARGS     (BY(LP_BY_ARGS) | BY(OPS_BY_ROW))
#define NAMED    (ARGS | BY(LP_BY_NAME))
#define GROUPED  (BY(LP_BY_ARGS) | BY(LP_BY_NAME) | BY(LP_BY_CATEGORY) | BY(LP_BY_MODULE))
#define ALL      (GROUPED | BY(OPS_BY_ROW))

typedef int64_t i64_of(struct ops_view *v, uint32_t group);
typedef double f64_of(struct ops_view *v, uint32_t group);
typedef const char *str_of_group(struct ops_view *v, uint32_t group);

static const char *text(const struct ops_view *v, string_id s)
{
	return s == NONE ? NULL : strings_get(&v->tr->strings, s).p;
}

static const struct ops_key *key(const struct ops_view *v, uint32_t g)
{
	return &v->groups->key[g];
}

static const struct ops_row *example_row(const struct ops_view *v, uint32_t g)
{
	return &v->rows->at[v->stat[g].example];
}

static event_id example_event(const struct ops_view *v, uint32_t g)
{
	return ops_row_event(v->l, v->rows, v->stat[g].example);
}

static const char *name(struct ops_view *v, uint32_t g)
{
	return ops_text_name(v->arena, v->tr, key(v, g)->name, key(v, g)->kernel);
}

static const char *module(struct ops_view *v, uint32_t g)
{
	uint32_t m = key(v, g)->module;

	if (m == NONE)
		return NULL;
	struct str s = strings_get(&v->groups->modules, m);
	return arena_text(v->arena, s.p, s.n);
}

static const char *category(struct ops_view *v, uint32_t g)
{
	return op_category_name(key(v, g)->category);
}

static const char *process(struct ops_view *v, uint32_t g)
{
	return text(v, key(v, g)->process_name);
}

static const char *thread(struct ops_view *v, uint32_t g)
{
	if (key(v, g)->stream != NONE)
		return ops_text_lane(v->arena, v->tr, key(v, g)->stream);
	return text(v, key(v, g)->thread);
}

static const char *dims(struct ops_view *v, uint32_t g)
{
	return text(v, key(v, g)->dims);
}

static const char *types(struct ops_view *v, uint32_t g)
{
	return text(v, key(v, g)->types);
}

static const char *strides(struct ops_view *v, uint32_t g)
{
	return text(v, key(v, g)->strides);
}

static const char *concrete(struct ops_view *v, uint32_t g)
{
	return text(v, key(v, g)->concrete);
}

static int64_t count(struct ops_view *v, uint32_t g)
{
	return v->stat[g].count;
}

static int64_t kernels(struct ops_view *v, uint32_t g)
{
	return v->stat[g].kernels;
}

static int64_t time(struct ops_view *v, uint32_t g)
{
	return v->stat[g].time;
}

static int64_t min(struct ops_view *v, uint32_t g)
{
	return v->stat[g].min;
}

static int64_t max(struct ops_view *v, uint32_t g)
{
	return v->stat[g].max;
}

static int64_t cpu(struct ops_view *v, uint32_t g)
{
	return v->stat[g].cpu;
}

static double mean(struct ops_view *v, uint32_t g)
{
	return v->stat[g].mean;
}

static double median(struct ops_view *v, uint32_t g)
{
	return v->stat[g].median;
}

static double std(struct ops_view *v, uint32_t g)
{
	return v->stat[g].std;
}

static double of_total(const struct ops_view *v, nsec part)
{
	return v->total ? 100.0 * (double)part / (double)v->total : NAN;
}

static double percent(struct ops_view *v, uint32_t g)
{
	return of_total(v, v->stat[g].time);
}

/* Of the line and those above it: columns are written from the top. */
static double cumulative(struct ops_view *v, uint32_t g)
{
	v->running += v->stat[g].time;
	return of_total(v, v->running);
}

static int64_t has_model(struct ops_view *v, uint32_t g)
{
	const struct ops_row *r = example_row(v, g);

	return r->node != NONE && !r->synthetic &&
	       (ops_model_of(v->model, r->node) || ops_model_backward(v->model, r->node));
}

static int64_t synthetic(struct ops_view *v, uint32_t g)
{
	return example_row(v, g)->synthetic;
}

static int64_t start(struct ops_view *v, uint32_t g)
{
	event_id e = example_event(v, g);

	return trace_timed(v->tr, e) ? v->tr->ev.ts[e] - v->tr->base : LP_NULL;
}

static const char *lane(struct ops_view *v, uint32_t g)
{
	return ops_text_lane(v->arena, v->tr, v->tr->ev.lane[example_event(v, g)]);
}

static const char *details(struct ops_view *v, uint32_t g)
{
	if (!v->kernels)
		v->kernels = ops_text_kernels(v->arena, v->tr, v->l, v->rows, v->groups);
	return v->kernels[g];
}

static const char *stack(struct ops_view *v, uint32_t g)
{
	if (example_row(v, g)->node == NONE)
		return NULL;
	return ops_text_stack(v->arena, v->tr, v->l, v->rows, v->stat[g].example);
}

/* ---- what it cost, and what it might have ---- */

static const struct ops_cost *known(const struct ops_view *v, uint32_t g)
{
	return v->cost[g].known ? &v->cost[g] : NULL;
}

static double flops(struct ops_view *v, uint32_t g)
{
	return known(v, g) ? known(v, g)->cost.flops : NAN;
}

static double bytes(struct ops_view *v, uint32_t g)
{
	return known(v, g) ? known(v, g)->cost.bytes : NAN;
}

static double intensity(struct ops_view *v, uint32_t g)
{
	return bytes(v, g) > 0 ? flops(v, g) / bytes(v, g) : NAN;
}

/* Of all occurrences with a time, per ns. */
static double rate(const struct ops_view *v, uint32_t g, double each)
{
	return v->stat[g].time > 0 ? each * v->stat[g].timed / (double)v->stat[g].time : NAN;
}

static double tflops(struct ops_view *v, uint32_t g)
{
	return rate(v, g, flops(v, g)) / 1e3;
}

static double tbytes(struct ops_view *v, uint32_t g)
{
	return rate(v, g, bytes(v, g)) / 1e3;
}

static const char *compute_spec(struct ops_view *v, uint32_t g)
{
	return ops_cost_spec(v->arena, &v->cost[g]);
}

static const char *params(struct ops_view *v, uint32_t g)
{
	return known(v, g) ? ops_cost_params(v->arena, &known(v, g)->cost) : NULL;
}

static const char *model(struct ops_view *v, uint32_t g)
{
	return v->cost[g].model;
}

static const char *no_cost(struct ops_view *v, uint32_t g)
{
	return v->cost[g].why;
}

static const char *bound(struct ops_view *v, uint32_t g)
{
	const struct roofline *r = &v->cost[g].roof;

	if (known(v, g) && v->cost[g].network)
		return "network";
	return !r->known ? NULL : r->compute_bound ? "compute" : "memory";
}

static int64_t at_the_roof(struct ops_view *v, uint32_t g)
{
	return ops_best_time(&v->cost[g], &v->stat[g]);
}

static double of_roof(struct ops_view *v, uint32_t g)
{
	nsec best = at_the_roof(v, g);

	return v->stat[g].time > 0 && best != LP_NULL
		       ? 100.0 * (double)best / (double)v->stat[g].time
		       : NAN;
}

static int64_t above_roof(struct ops_view *v, uint32_t g)
{
	nsec best = at_the_roof(v, g);

	return best == LP_NULL ? LP_NULL : MAX_OF(v->stat[g].time - best, 0);
}

#define CATEGORY_HELP \
	"by the operator's name, else by its kernels; unlinked: no launch in the trace"

struct column {
	unsigned modes; /* in which tables it is */
	const char *name, *title;
	enum lp_unit unit;
	unsigned flags;
	i64_of *i64;
	f64_of *f64;
	str_of_group *str;
	bool is_bool;
	const char *help;
};

/* clang-format off */
static const struct column columns[] = {
	{ NAMED, "name", "operator", LP_PLAIN, LP_NAME, .str = name,
	  .help = "the operator; <op>-><kernel> for a kernel that its operator does not own alone" },
	{ BY(LP_BY_MODULE), "module", "module", LP_PLAIN, LP_NAME, .str = module,
	  .help = "the class of the nearest nn.Module above the operator, or above its forward operator" },
	{ ARGS, "category", "category", LP_PLAIN, LP_DETAIL, .str = category, .help = CATEGORY_HELP },
	{ BY(LP_BY_CATEGORY), "category", "category", LP_PLAIN, 0, .str = category,
	  .help = CATEGORY_HELP },
	{ ARGS, "process", "process", LP_PLAIN, LP_DETAIL, .str = process,
	  .help = "the process, by name where it has one" },
	{ ARGS, "thread", "thread", LP_PLAIN, LP_DETAIL, .str = thread,
	  .help = "the thread that ran the operator; the stream of unlinked work" },
	{ ARGS, "input_dims", "input dims", LP_PLAIN, LP_NAME | LP_DIMS, .str = dims,
	  .help = "shapes of the inputs, as recorded" },
	{ ARGS, "input_types", "input types", LP_PLAIN, LP_DETAIL, .str = types,
	  .help = "types of the inputs, as recorded" },
	{ ARGS, "input_strides", "input strides", LP_PLAIN, LP_DETAIL, .str = strides,
	  .help = "strides of the inputs, as recorded" },
	{ ARGS, "concrete_inputs", "concrete inputs", LP_PLAIN, LP_DETAIL, .str = concrete,
	  .help = "values of the inputs that are no tensors, as recorded" },
	{ ALL, "count", "count", LP_COUNT, LP_SUM, .i64 = count,
	  .help = "occurrences" },
	{ ALL, "kernels", "kernels", LP_COUNT, LP_SUM, .i64 = kernels,
	  .help = "kernels, copies and sets of all occurrences" },
	{ ALL, "kernel_time_ns", "GPU", LP_NSEC, LP_SUM, .i64 = time,
	  .help = "GPU time: the sum of each occurrence's busy time (the union of its kernels)" },
	{ ALL, "percent", "", LP_PERCENT, LP_SUM | LP_BAR, .f64 = percent,
	  .help = "of the GPU time of all lines" },
	{ ALL, "cumulative_percent", "cumulative", LP_PERCENT, LP_DETAIL, .f64 = cumulative,
	  .help = "percent of this line and those above it" },
	{ GROUPED, "kernel_time_mean_ns", "mean", LP_NSEC, LP_DETAIL, .f64 = mean,
	  .help = "mean busy time of an occurrence" },
	{ GROUPED, "kernel_time_median_ns", "median", LP_NSEC, LP_DETAIL, .f64 = median,
	  .help = "median busy time of an occurrence" },
	{ GROUPED, "kernel_time_min_ns", "min", LP_NSEC, LP_DETAIL, .i64 = min,
	  .help = "shortest busy time of an occurrence" },
	{ GROUPED, "kernel_time_max_ns", "max", LP_NSEC, LP_DETAIL, .i64 = max,
	  .help = "longest busy time of an occurrence" },
	{ GROUPED, "kernel_time_std_ns", "std", LP_NSEC, LP_DETAIL, .f64 = std,
	  .help = "standard deviation of the busy time, of the sample (n - 1)" },
	{ ALL, "cpu_time_ns", "CPU", LP_NSEC, LP_SUM | LP_LESSER, .i64 = cpu,
	  .help = "host time of the operators; of single kernels that of their launches" },
	{ ARGS, "has_model", "model", LP_PLAIN, LP_DETAIL, .i64 = has_model, .is_bool = true,
	  .help = "the work of the operator can be modelled" },
	{ ARGS, "model", "formula", LP_PLAIN, LP_DETAIL, .str = model,
	  .help = "which formula: the name of ours, or file:line of --models" },
	{ ARGS, "flops", "FLOPs", LP_PLAIN, LP_DETAIL, .f64 = flops,
	  .help = "floating-point operations of an occurrence, by its arguments" },
	{ ARGS, "data_bytes", "bytes", LP_BYTES, LP_DETAIL, .f64 = bytes,
	  .help = "bytes an occurrence must move at the least" },
	{ ARGS, "flops_per_byte", "FLOPs/byte", LP_PLAIN, LP_DETAIL, .f64 = intensity,
	  .help = "flops / data_bytes" },
	{ ARGS, "tflops_per_s", "TFLOP/s", LP_PLAIN, LP_DETAIL, .f64 = tflops,
	  .help = "operations of all occurrences in their GPU time" },
	{ ARGS, "tbytes_per_s", "TB/s", LP_PLAIN, LP_DETAIL, .f64 = tbytes,
	  .help = "bytes of all occurrences in their GPU time" },
	{ ARGS, "compute_spec", "unit", LP_PLAIN, LP_DETAIL, .str = compute_spec,
	  .help = "which unit does the work, in which type" },
	{ ARGS, "roofline_bound", "bound", LP_PLAIN, LP_DETAIL, .str = bound,
	  .help = "what limits it at best: compute or memory (see --arch); network: what is between GPUs" },
	{ ARGS, "roofline_ns", "at best", LP_NSEC, LP_DETAIL, .i64 = at_the_roof,
	  .help = "the time all occurrences would take at best" },
	{ ARGS, "roofline_percent", "of roofline", LP_PERCENT, LP_DETAIL, .f64 = of_roof,
	  .help = "the time it would take at best, of its GPU time" },
	{ ARGS, "above_roofline_ns", "above roofline", LP_NSEC, LP_DETAIL, .i64 = above_roof,
	  .help = "GPU time beyond what it would take at best: what there is to gain" },
	{ ARGS, "perf_params", "parameters", LP_PLAIN, LP_DETAIL, .str = params,
	  .help = "what went into the formula" },
	{ ARGS, "no_cost", "no cost", LP_PLAIN, LP_DETAIL, .str = no_cost,
	  .help = "why there are no operations and bytes" },
	{ NAMED, "synthetic", "synthetic", LP_PLAIN, LP_DETAIL, .i64 = synthetic, .is_bool = true,
	  .help = "one kernel that no operator owns alone" },
	{ ALL, "example_start_ns", "first at", LP_NSEC, LP_DETAIL, .i64 = start,
	  .help = "start of the first occurrence, from the start of the trace" },
	{ ALL, "example_lane", "lane", LP_PLAIN, LP_DETAIL, .str = lane,
	  .help = "where the first occurrence ran" },
	{ GROUPED, "kernel_details", "kernel details", LP_PLAIN, LP_DETAIL, .str = details,
	  .help = "JSON: each kernel and stream of all occurrences, longest first" },
	{ GROUPED, "call_stack", "call stack", LP_PLAIN, LP_DETAIL, .str = stack,
	  .help = "frames and operators above the first occurrence, root first, joined by ;" },
};
/* clang-format on */

static void add_i64(struct lp_table *t, struct ops_view *v, const struct column *c)
{
	int64_t *out = NEW(v->arena, t->nrows, int64_t);

	for (uint32_t i = 0; i < t->nrows; i++)
		out[i] = c->i64(v, v->order[i]);
	if (c->is_bool)
		table_bool(t, c->name, c->title, c->flags, out, c->help);
	else
		table_i64(t, c->name, c->title, c->unit, c->flags, out, c->help);
}

static void add_f64(struct lp_table *t, struct ops_view *v, const struct column *c)
{
	double *out = NEW(v->arena, t->nrows, double);

	for (uint32_t i = 0; i < t->nrows; i++)
		out[i] = c->f64(v, v->order[i]);
	table_f64(t, c->name, c->title, c->unit, c->flags, out, c->help);
}

static void add_str(struct lp_table *t, struct ops_view *v, const struct column *c)
{
	const char **out = NEW(v->arena, t->nrows, const char *);

	for (uint32_t i = 0; i < t->nrows; i++)
		out[i] = c->str(v, v->order[i]);
	table_str(t, c->name, c->title, c->flags, out, c->help);
}

struct lp_table *ops_table(struct lp_answer *a, struct ops_view *v)
{
	struct lp_table *t = answer_table(a, "ops", v->groups->n);

	v->arena = answer_arena(a);
	for (const struct column *c = columns; c < columns + ARRAY_SIZE(columns); c++) {
		if (!(c->modes & BY(v->by)))
			continue;
		if (c->i64)
			add_i64(t, v, c);
		else if (c->f64)
			add_f64(t, v, c);
		else
			add_str(t, v, c);
	}
	return t;
}
