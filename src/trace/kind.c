/*
 * A category decides; spellings are compared without case, so "Kernel" of 2020 and
 * "kernel" of today are one row. Exporters that write no categories are told by the
 * name of the process. Phases that are no slices (flows, counters, metadata ...)
 * have kinds of their own whatever their category says.
 */
#include "trace/kind.h"

#include "trace/trace.h"

#include <string.h>

static const char *const names[KINDS] = {
	[KIND_OTHER] = "other",
	[KIND_CPU_OP] = "cpu_op",
	[KIND_PYTHON] = "python",
	[KIND_ANNOTATION] = "annotation",
	[KIND_RUNTIME] = "runtime",
	[KIND_KERNEL] = "kernel",
	[KIND_COLLECTIVE] = "collective",
	[KIND_COPY] = "copy",
	[KIND_SET] = "set",
	[KIND_GPU_ANNOTATION] = "gpu_annotation",
	[KIND_SYNC] = "sync",
	[KIND_OVERHEAD] = "overhead",
	[KIND_FLOW] = "flow",
	[KIND_FLOW_FWDBWD] = "fwdbwd",
	[KIND_MEMORY] = "memory",
	[KIND_COUNTER] = "counter",
	[KIND_INSTANT] = "instant",
	[KIND_ASYNC] = "async",
	[KIND_META] = "metadata",
};

const char *kind_name(enum kind k)
{
	return names[k];
}

enum match { IS, STARTS, ENDS };

static const struct {
	enum match match;
	struct str text; /* lower case */
	enum kind kind;
} categories[] = {
#define CATEGORY(match, text, kind)                     \
	{                                               \
		match, { text, sizeof(text) - 1 }, kind \
	}
	CATEGORY(IS, "cpu_op", KIND_CPU_OP),
	CATEGORY(IS, "operator", KIND_CPU_OP),
	CATEGORY(IS, "python_function", KIND_PYTHON),
	CATEGORY(IS, "user_annotation", KIND_ANNOTATION),
	CATEGORY(IS, "runtime", KIND_RUNTIME),
	CATEGORY(IS, "kernel", KIND_KERNEL),
	CATEGORY(IS, "gpu", KIND_KERNEL),
	CATEGORY(IS, "gpu_op", KIND_KERNEL),
	CATEGORY(IS, "hpu_op", KIND_KERNEL),
	CATEGORY(IS, "mtia_ccp_events", KIND_KERNEL),
	CATEGORY(IS, "nccl", KIND_COLLECTIVE),
	CATEGORY(IS, "rccl", KIND_COLLECTIVE),
	CATEGORY(IS, "collective_comm", KIND_COLLECTIVE),
	CATEGORY(IS, "memcpy", KIND_COPY),
	CATEGORY(STARTS, "memcpy_", KIND_COPY),
	CATEGORY(IS, "memset", KIND_SET),
	CATEGORY(STARTS, "memset_", KIND_SET),
	CATEGORY(IS, "gpu_user_annotation", KIND_GPU_ANNOTATION),
	CATEGORY(IS, "cuda_profiler_range", KIND_GPU_ANNOTATION),
	CATEGORY(IS, "overhead", KIND_OVERHEAD),
	CATEGORY(IS, "cpu_instant_event", KIND_INSTANT),
	CATEGORY(IS, "fwdbwd", KIND_FLOW_FWDBWD),
	CATEGORY(IS, "forward_backward", KIND_FLOW_FWDBWD),
	/* cuda_, hip_, xpu_, mtia_, hpu_, glow_, privateuse1_ ... */
	CATEGORY(ENDS, "_runtime", KIND_RUNTIME),
	CATEGORY(ENDS, "_driver", KIND_RUNTIME),
	CATEGORY(ENDS, "_kernel", KIND_KERNEL),
	CATEGORY(ENDS, "_memcpy", KIND_COPY),
	CATEGORY(ENDS, "_memset", KIND_SET),
	CATEGORY(ENDS, "_sync", KIND_SYNC),
#undef CATEGORY
};

static struct str lower(char *buf, size_t cap, struct str s)
{
	size_t n = MIN_OF(s.n, cap);

	for (size_t i = 0; i < n; i++)
		buf[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + 32 : s.p[i]);
	return (struct str){ buf, n };
}

enum kind kind_of_category(struct str category)
{
	char buf[64];
	struct str c = lower(buf, sizeof(buf), category);

	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		struct str text = categories[i].text;
		enum match m = categories[i].match;
		if (m == IS       ? str_eq(c, text)
		    : m == STARTS ? str_starts(c, text)
				  : str_ends(c, text))
			return categories[i].kind;
	}
	return KIND_OTHER;
}

/* Rows below a JAX device that repeat the work of its streams. */
static bool is_summary_thread(struct str thread)
{
	return thread.n && !str_contains_nocase(thread, STR("stream")) &&
	       !str_contains_nocase(thread, STR("compute")) &&
	       !str_contains_nocase(thread, STR("memcpy"));
}

enum kind kind_of_process(struct str process, struct str thread, struct str name)
{
	bool device = str_contains(process, STR("/device:GPU"));

	if (device && is_summary_thread(thread))
		return KIND_GPU_ANNOTATION;
	if (device || str_eq(process, STR("CUDA functions"))) {
		if (str_contains_nocase(name, STR("memcpy")))
			return KIND_COPY;
		return str_contains_nocase(name, STR("memset")) ? KIND_SET : KIND_KERNEL;
	}
	return str_eq(process, STR("CPU functions")) ? KIND_CPU_OP : KIND_OTHER;
}

bool phase_is_known(char ph)
{
	return ph && strchr("XBEbneSTpFstfCiIRMNDOPvVcrag()", ph);
}

enum kind kind_of_phase(char ph, enum kind slice, struct str name)
{
	switch (ph) {
	case 'M':
		return KIND_META;
	case 's':
	case 't':
	case 'f':
		return slice == KIND_FLOW_FWDBWD ? slice : KIND_FLOW;
	case 'b':
	case 'n':
	case 'e':
	case 'S':
	case 'T':
	case 'p':
	case 'F':
		return KIND_ASYNC;
	case 'C':
		return KIND_COUNTER;
	case 'i':
	case 'I':
	case 'R':
		return str_eq(name, STR("[memory]")) ? KIND_MEMORY : KIND_INSTANT;
	case 'X':
	case 'B':
	case 'E':
		return slice == KIND_FLOW_FWDBWD || slice == KIND_INSTANT ? KIND_OTHER : slice;
	default:
		return KIND_OTHER;
	}
}

bool name_is_collective(struct str name)
{
	static const struct str parts[] = {
		{ "nccl", 4 },
		{ "rccl", 4 },
		{ "cross_device_reduce", 19 },
		{ "nvshmem", 7 },
		{ "msccl", 5 },
		{ "deep_ep", 7 },
		{ "oneccl", 6 },
		{ "hccl", 4 },
		{ "allreduce", 9 },
		{ "all_reduce", 10 },
		{ "allgather", 9 },
		{ "all_gather", 10 },
		{ "reducescatter", 13 },
		{ "reduce_scatter", 14 },
		{ "alltoall", 8 },
		{ "all_to_all", 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (str_contains_nocase(name, parts[i]))
			return true;
	return false;
}

/* Takes `part` off the end of `s`. */
static bool cut_end(struct str *s, struct str part)
{
	if (!str_ends(*s, part))
		return false;
	s->n -= part.n;
	return true;
}

bool name_is_copy_kernel(struct str name)
{
	if (str_starts(name, STR("MEMORY_COPY_HOST_TO_DEVICE")) ||
	    str_starts(name, STR("MEMORY_COPY_DEVICE_TO_HOST")) ||
	    str_starts(name, STR("MEMORY_COPY_DEVICE_TO_DEVICE")))
		return true;
	if (!str_starts(name, STR("__amd_rocclr_copyBuffer")))
		return false;
	cut_end(&name, STR(".kd"));
	cut_end(&name, STR("Aligned"));
	cut_end(&name, STR("Rect"));
	return str_eq(name, STR("__amd_rocclr_copyBuffer"));
}

bool name_is_graph_launch(struct str name)
{
	return str_contains(name, STR("GraphLaunch"));
}

enum gpu_class gpu_class(const struct trace *tr, event_id e)
{
	switch (tr->ev.kind[e]) {
	case KIND_COLLECTIVE:
		return GPU_COMM;
	case KIND_COPY:
		return GPU_COPY;
	case KIND_KERNEL:
		return name_is_copy_kernel(trace_name(tr, e)) ? GPU_COPY : GPU_COMPUTE;
	default:
		return GPU_COMPUTE;
	}
}
