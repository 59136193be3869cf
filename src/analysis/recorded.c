#include "analysis/recorded.h"

const struct recorded_text recorded_texts[RECORDINGS] = {
	[RECORDED_GPU] = { "gpu", "no GPU work was recorded: only host time can be told" },
	[RECORDED_SHAPES] = { "shapes",
			      "record_shapes was off: operators differ by name only, without a model" },
	[RECORDED_STACKS] = { "stacks",
			      "with_stack was off: no Python in trees, call stacks and modules" },
	[RECORDED_MODULES] = { "modules", "no nn.Module frames: nothing can be summed by module" },
	[RECORDED_MEMORY] = { "memory", "profile_memory was off: no allocations" },
	[RECORDED_FLOPS] = { "flops", "with_flops was off: FLOPS come from our own models only" },
	[RECORDED_SYNC] = { "sync rows", "waits are inferred from the API calls" },
};

static bool meta_is_true(const struct trace *tr, const char *key)
{
	struct str v = trace_meta(tr, key);

	return str_eq(v, STR("1")) || str_eq(v, STR("true"));
}

static bool any_op_has(const struct trace *tr, uint16_t key)
{
	struct arg a;

	for (event_id e = 0; key != UINT16_MAX && e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_CPU_OP && arg_find(tr, e, key, &a))
			return true;
	return false;
}

static bool any_name_starts(const struct trace *tr, struct str prefix)
{
	for (string_id s = 0; s < tr->strings.n; s++)
		if (str_starts(strings_get(&tr->strings, s), prefix))
			return true;
	return false;
}

struct recordings recordings_of(const struct trace *tr)
{
	struct recordings r = { 0 };

	r.has[RECORDED_GPU] = tr->ngpu > 0;
	r.has[RECORDED_SHAPES] = any_op_has(tr, KEY_INPUT_DIMS) ||
				 any_op_has(tr, arg_key_id(tr, STR("Input dims")));
	r.has[RECORDED_STACKS] = tr->nkind[KIND_PYTHON] > 0;
	r.has[RECORDED_MODULES] = any_name_starts(tr, STR("nn.Module")) ||
				  any_op_has(tr, arg_key_id(tr, STR("Module Hierarchy")));
	r.has[RECORDED_MEMORY] = tr->nkind[KIND_MEMORY] > 0;
	r.has[RECORDED_FLOPS] = meta_is_true(tr, "with_flops");
	r.has[RECORDED_SYNC] = tr->nkind[KIND_SYNC] > 0;
	return r;
}

bool recorded_on_rocm(const struct trace *tr)
{
	return trace_meta(tr, "roctracer_version").p || trace_meta(tr, "hip_runtime_version").p ||
	       strings_find(&tr->strings, STR("hipLaunchKernel")) != NONE ||
	       strings_find(&tr->strings, STR("hipExtModuleLaunchKernel")) != NONE;
}
