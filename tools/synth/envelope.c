/* What stands before and after the events: the job, the devices, names of threads and streams. */
#include "emit.h"

static void put_devices(struct emit *e)
{
	unsigned n = MIN_OF(e->world, 8u);

	PUT(e, "  \"deviceProperties\": [");
	for (unsigned i = 0; i < n; i++) {
		scribe_str(&e->scribe, i ? ",\n    {\n      \"id\": " : "\n    {\n      \"id\": ");
		scribe_u64(&e->scribe, i);
		if (e->o->rocm)
			PUT(e,
			    ", \"name\": \"AMD Instinct MI300X\", \"totalGlobalMem\": 206141652992,\n"
			    "      \"computeMajor\": 9, \"computeMinor\": 4,\n"
			    "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
			    "      \"regsPerBlock\": 65536, \"warpSize\": 64,\n"
			    "      \"sharedMemPerBlock\": 65536, \"numSms\": 304\n    }");
		else
			PUT(e,
			    ", \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 84943110144,\n"
			    "      \"computeMajor\": 9, \"computeMinor\": 0,\n"
			    "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
			    "      \"regsPerBlock\": 65536, \"warpSize\": 32,\n"
			    "      \"sharedMemPerBlock\": 49152, \"numSms\": 132\n    }");
	}
	PUT(e, "\n  ],\n");
}

static void put_root(struct emit *e, const struct rank *r)
{
	PUT(e, "{\n  \"schemaVersion\": 1,\n");
	put_devices(e);
	PUT(e, "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": ");
	scribe_u64(&e->scribe, r->number);
	PUT(e, ", \"world_size\": ");
	scribe_u64(&e->scribe, r->world);
	PUT(e,
	    ", \"pg_count\": 1, \"pg_config\": [{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", "
	    "\"backend_config\": \"cuda:nccl\", \"pg_size\": ");
	scribe_u64(&e->scribe, r->world);
	PUT(e, "}]},\n");
	scribe_str(
		&e->scribe,
		e->o->rocm
			? "  \"hip_runtime_version\": 60342134, \"hip_driver_version\": 60342134,\n"
			: "  \"cupti_version\": 24, \"cuda_runtime_version\": 12080, "
			  "\"cuda_driver_version\": 12080,\n");
	PUT(e, "  \"record_shapes\": ");
	scribe_str(&e->scribe, e->o->shapes ? "1" : "0");
	PUT(e, ",\n  \"with_stack\": ");
	scribe_str(&e->scribe, e->o->python ? "1" : "0");
	PUT(e, ",\n  \"profile_memory\": ");
	scribe_str(&e->scribe, e->o->memory ? "1" : "0");
	PUT(e,
	    ",\n  \"baseTimeNanoseconds\": 1746230096000000000,\n  \"displayTimeUnit\": \"ms\",\n"
	    "  \"traceEvents\": [");
}

static void meta(struct emit *e, const char *what, unsigned pid, unsigned tid, const char *key,
		 const char *value)
{
	emit_begin(e);
	PUT(e, "\"name\": \"");
	scribe_str(&e->scribe, what);
	PUT(e, "\", \"ph\": \"M\", \"ts\": ");
	scribe_us(&e->scribe, e->base);
	PUT(e, ", \"pid\": ");
	scribe_u64(&e->scribe, pid);
	PUT(e, ", \"tid\": ");
	scribe_u64(&e->scribe, tid);
	PUT(e, ",\n    \"args\": {\n      \"");
	scribe_str(&e->scribe, key);
	PUT(e, "\": ");
	scribe_str(&e->scribe, value);
	emit_end_args(e);
}

void emit_head(struct emit *e, const struct rank *r)
{
	char text[64];

	put_root(e, r);

	meta(e, "process_name", e->pid, 0, "name", "\"python3\"");
	meta(e, "process_labels", e->pid, 0, "labels", "\"CPU\"");
	meta(e, "process_name", e->gpu, 0, "name", "\"python3\"");
	snprintf(text, sizeof(text), "\"GPU %u\"", e->gpu);
	meta(e, "process_labels", e->gpu, 0, "labels", text);
	snprintf(text, sizeof(text), "%u", 5000000 + e->gpu);
	meta(e, "process_sort_index", e->gpu, 0, "sort_index", text);
	for (unsigned s = 0; s < STREAMS; s++) {
		int number = stream_number(s, e->o->rocm);

		snprintf(text, sizeof(text), "\"stream %d \"", number);
		meta(e, "thread_name", e->gpu, (unsigned)number, "name", text);
	}
	snprintf(text, sizeof(text), "\"thread %u (python3)\"", e->pid);
	meta(e, "thread_name", e->pid, e->pid, "name", text);
	snprintf(text, sizeof(text), "\"thread %u (pt_autograd_0)\"", e->pid + 97);
	meta(e, "thread_name", e->pid, e->pid + 97, "name", text);
}

void emit_tail(struct emit *e, nsec until)
{
	emit_begin(e);
	PUT(e, "\"ph\": \"X\", \"cat\": \"Trace\", \"ts\": ");
	scribe_us(&e->scribe, e->base);
	PUT(e, ", \"dur\": ");
	scribe_us(&e->scribe, until - e->base);
	PUT(e, ",\n    \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\",\n"
	       "    \"name\": \"PyTorch Profiler (0)\",\n    \"args\": {\n      \"Op count\": 0");
	emit_end_args(e);
	emit_begin(e);
	PUT(e, "\"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n"
	       "    \"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": ");
	scribe_us(&e->scribe, e->base);
	emit_end(e);
	emit_begin(e);
	PUT(e, "\"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n"
	       "    \"pid\": \"\", \"tid\": \"\", \"ts\": ");
	scribe_us(&e->scribe, until);
	emit_end(e);
	PUT(e, "\n  ],\n  \"traceName\": \"trace.json\"\n}\n");
}
