#include "analysis/critpath_call.h"

/* The first part that occurs decides; a second one excludes. */
static const struct {
	struct str part, without;
	enum call_role role;
} roles[] = {
#define ROLE(part, without, role)                                                  \
	{                                                                          \
		{ part, sizeof(part) - 1 }, { without, sizeof(without) - 1 }, role \
	}
	ROLE("DeviceSynchronize", "", CALL_DEVICE_SYNC),
	ROLE("CtxSynchronize", "", CALL_DEVICE_SYNC),
	ROLE("StreamSynchronize", "", CALL_STREAM_SYNC),
	ROLE("EventSynchronize", "", CALL_EVENT_SYNC),
	ROLE("EventQuery", "", CALL_QUERY),
	ROLE("StreamQuery", "", CALL_QUERY),
	ROLE("EventRecord", "", CALL_RECORD),
	ROLE("StreamWaitEvent", "", CALL_STREAM_WAIT),
	ROLE("Memcpy", "", CALL_COPY),
	ROLE("Memset", "Async", CALL_COPY),
	ROLE("Memset", "", CALL_LAUNCH),
	ROLE("Launch", "", CALL_LAUNCH),
	ROLE("Free", "Async", CALL_FREE),
#undef ROLE
};

enum call_role critpath_role_of(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (str_contains(name, roles[i].part) &&
		    (!roles[i].without.n || !str_contains(name, roles[i].without)))
			return roles[i].role;
	return CALL_OTHER;
}

struct call_names critpath_call_names(const struct trace *tr, struct arena *a)
{
	return (struct call_names){ tr, NEW(a, tr->strings.n, uint8_t) };
}

enum call_role critpath_call_role(struct call_names *names, event_id e)
{
	string_id s = names->tr->ev.name[e];

	if (names->tr->ev.kind[e] != KIND_RUNTIME || s == NONE)
		return CALL_OTHER;
	if (!names->role[s])
		names->role[s] =
			(uint8_t)(1 + critpath_role_of(strings_get(&names->tr->strings, s)));
	return names->role[s] - 1;
}

bool critpath_is_loader(struct str name)
{
	return str_contains_nocase(name, STR("dataload")) ||
	       str_contains_nocase(name, STR("data_load"));
}

bool critpath_is_waiting_frame(struct str name)
{
	return str_contains(name, STR("run_backward of")) ||
	       str_contains(name, STR("method acquire of"));
}

bool critpath_copy_is_async(struct str call, struct str copy)
{
	static const struct str within[] = {
		{ "Pinned", 6 }, { "Device -> Device", 16 }, { "DtoD", 4 }, { "DeviceToDevice", 14 }
	};

	if (!str_contains(call, STR("Async")))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(within); i++)
		if (str_contains(copy, within[i]))
			return true;
	return false;
}

static enum path_class call_class(enum call_role role)
{
	switch (role) {
	case CALL_LAUNCH:
	case CALL_COPY:
		return PATH_LAUNCH_API;
	case CALL_STREAM_SYNC:
	case CALL_DEVICE_SYNC:
	case CALL_EVENT_SYNC:
		return PATH_SYNC;
	default:
		return PATH_RUNTIME_OTHER;
	}
}

static enum path_class work_class(const struct trace *tr, event_id e)
{
	enum gpu_class c = gpu_class(tr, e);

	if (c == GPU_COPY || tr->ev.kind[e] == KIND_SET)
		return PATH_MEMORY;
	return c == GPU_COMM ? PATH_COMMUNICATION : PATH_COMPUTE;
}

enum path_class critpath_event_class(struct call_names *names, event_id e)
{
	enum kind k = names->tr->ev.kind[e];

	switch (k) {
	case KIND_PYTHON:
		return PATH_PYTHON;
	case KIND_OVERHEAD:
		return PATH_PROFILER_OVERHEAD;
	case KIND_ANNOTATION:
		return PATH_DATA_LOADING;
	case KIND_RUNTIME:
		return call_class(critpath_call_role(names, e));
	default:
		return kind_is_gpu(k) ? work_class(names->tr, e) : PATH_CPU_OP;
	}
}
