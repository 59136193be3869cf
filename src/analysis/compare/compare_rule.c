#include "analysis/compare/compare_rule.h"

#include "algo/sort.h"

#define KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define OP_KEYS KEYS("name", "Input type", "Input Dims", "Input Strides", "Concrete Inputs")

#define OP_FIGURES                                                                                 \
	{                                                                                          \
		"total_direct_kernel_time_sum", "total_direct_kernel_time_mean", "operation_count" \
	}

static const struct compare_rule rules[] = {
	/* TraceLens, and `report --style tracelens` */
	{ .sheet = "gpu_timeline",
	  .keys = KEYS("type"),
	  .figures = { "time ms" },
	  .ns = 1e6,
	  .timeline = true,
	  .tracelens = true },
	{ .sheet = "ops_summary_by_category",
	  .keys = KEYS("op category"),
	  .figures = { "total_direct_kernel_time_ms", "Count" },
	  .count = "Count",
	  .ns = 1e6 },
	{ .sheet = "ops_summary",
	  .keys = KEYS("name"),
	  .figures = { "total_direct_kernel_time_ms", "Count" },
	  .count = "Count",
	  .dropped = { "total_direct_kernel_time_sum" },
	  .ns = 1e6,
	  .tracelens = true },
	{ .sheet = "kernel_summary",
	  .keys = KEYS("Kernel name"),
	  .also = "Parent cpu_op",
	  .figures = { "Kernel duration (µs)_sum", "Kernel duration (µs)_mean",
		       "Kernel duration (µs)_count" },
	  .count = "Kernel duration (µs)_count",
	  .dropped = { "Kernel duration (µs)_min", "Kernel duration (µs)_max",
		       "Parent op category" },
	  .ns = 1e3,
	  .tracelens = true,
	  .label = "Parent cpu_op" },
	{ .sheet = "kernel_summary", /* of rocprof */
	  .keys = KEYS("name"),
	  .figures = { "Total Kernel Time (ms)", "Mean Kernel Time (µs)", "Count" },
	  .count = "Count",
	  .dropped = { "Total Kernel Time (µs)", "Median Kernel Time (µs)", "Std Kernel Time (µs)",
		       "Min Kernel Time (µs)", "Max Kernel Time (µs)", "Category" },
	  .ns = 1e6,
	  .tracelens = true },
	{ .sheet = "kernel_summary_by_category",
	  .keys = KEYS("op category"),
	  .figures = { "total_direct_kernel_time_ms", "Count" },
	  .count = "Count",
	  .ns = 1e6 },
	{ .sheet = "coll_analysis",
	  .keys = KEYS("Collective name", "Process Group Name", "Group size", "dtype",
		       "In msg nelems", "Out msg nelems", "In split size", "Out split size"),
	  .figures = { "dur_sum", "dur_mean", "operation_count" },
	  .count = "operation_count",
	  .ns = 1e3,
	  .family = true },
	{ .sheet = "ops_all",
	  .keys = OP_KEYS,
	  .figures = OP_FIGURES,
	  .count = "operation_count",
	  .ns = 1e3,
	  .split = true,
	  .tracelens = true },
	{ .sheet = "ops_unique_args",
	  .keys = OP_KEYS,
	  .figures = OP_FIGURES,
	  .count = "operation_count",
	  .ns = 1e3,
	  .split = true,
	  .tracelens = true },
	{ .sheet = "unified_perf_summary",
	  .keys = OP_KEYS,
	  .figures = { "Kernel Time (µs)_sum", "Kernel Time (µs)_mean", "operation_count" },
	  .count = "operation_count",
	  .ns = 1e3,
	  .split = true,
	  .tracelens = true },

	/* `longpole report` */
	{ .sheet = "timeline",
	  .keys = KEYS("what"),
	  .figures = { "time_ns" },
	  .ns = 1,
	  .timeline = true },
	{ .sheet = "kernels",
	  .keys = KEYS("name", "kind"),
	  .also = "owner",
	  .figures = { "total_ns", "mean_ns", "count" },
	  .count = "count",
	  .ns = 1,
	  .label = "owner" },
	{ .sheet = "ops",
	  .keys = KEYS("name", "input_types", "input_dims", "input_strides", "concrete_inputs"),
	  .figures = { "kernel_time_ns", "kernel_time_mean_ns", "count", "tflops_per_s",
		       "tbytes_per_s" },
	  .count = "count",
	  .ns = 1,
	  .split = true },
	{ .sheet = "idle_causes",
	  .keys = KEYS("cause", "name"),
	  .figures = { "idle_ns", "gaps" },
	  .count = "gaps",
	  .ns = 1,
	  .detail = true },
	{ .sheet = "path_summary", .keys = KEYS("class"), .figures = { "time_ns" }, .ns = 1 },
};

/* The sheets of one kind of operator have no list: they are told by their columns. */
static const struct compare_rule family = {
	.figures = { "Kernel Time (µs)_sum", "Kernel Time (µs)_mean", "name_count", "TFLOPS/s_mean",
		     "TB/s_mean" },
	.count = "name_count",
	.dropped = { "GFLOPS_first", "Data Moved (MB)_first", "FLOPS/Byte_first",
		     "Input type_first", "Input Dims_first", "Input Strides_first",
		     "Concrete Inputs_first" },
	.ns = 1e3,
	.split = true,
	.family = true,
};

/* Those that TraceLens compares, with the names it gives to the results. */
static const struct {
	const char *sheet, *shown;
} known_families[] = {
	{ "GEMM", "GEMM" },
	{ "SDPA_fwd", "SDPA_fwd" },
	{ "SDPA_bwd", "SDPA_bwd" },
	{ "CONV_fwd", "CONV_fwd" },
	{ "CONV_bwd", "CONV_bwd" },
	{ "UnaryElementwise", "un_eltwise" },
	{ "BinaryElementwise", "bin_eltwise" },
};

const struct compare_rule *compare_rule_at(uint32_t i)
{
	return i < ARRAY_SIZE(rules) ? &rules[i] : NULL;
}

static bool text_before(const void *ctx, uint32_t a, uint32_t b)
{
	const char *const *at = ctx;

	return strcmp(at[a], at[b]) < 0;
}

/* "name", then the parameters by name. */
static const char *const *family_keys(struct arena *a, const struct grid *g)
{
	const char **found = NEW(a, g->ncols, const char *),
		   **keys = NEW(a, g->ncols + 2, const char *);
	uint32_t *order = NEW(a, g->ncols, uint32_t), n = 0;

	for (uint32_t c = 0; c < g->ncols; c++)
		if (str_starts(str_of(g->head[c]), STR("param: ")))
			found[n++] = g->head[c];
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(a, n, uint32_t), text_before, found);
	keys[0] = "name";
	for (uint32_t i = 0; i < n; i++)
		keys[i + 1] = found[order[i]];
	return n ? keys : NULL;
}

static const struct compare_rule *family_rule(struct arena *a, const struct grid *g)
{
	const char *const *keys = grid_column(g, "name") == NONE ? NULL : family_keys(a, g);

	if (!keys || grid_column(g, family.figures[0]) == NONE)
		return NULL;
	struct compare_rule *r = NEW(a, 1, struct compare_rule);
	*r = family;
	r->sheet = g->name;
	r->keys = keys;
	for (size_t i = 0; i < ARRAY_SIZE(known_families); i++)
		if (!strcmp(known_families[i].sheet, g->name)) {
			r->shown = known_families[i].shown;
			r->tracelens = true;
		}
	return r;
}

const struct compare_rule *compare_rule_for(struct arena *scratch, const struct grid *g)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (!strcmp(rules[i].sheet, g->name))
			return grid_column(g, rules[i].keys[0]) == NONE &&
					       i + 1 < ARRAY_SIZE(rules) &&
					       !strcmp(rules[i + 1].sheet, g->name)
				       ? &rules[i + 1]
				       : &rules[i];
	return family_rule(scratch, g);
}
