#include "analysis/critpath_class.h"

const struct path_class_text path_class_texts[PATH_CLASSES] = {
	[PATH_COMPUTE] = { "compute", "Compute", "a kernel runs",
			   "faster kernels; see the what-if below" },
	[PATH_MEMORY] = { "memory", "Moving data", "a copy or a fill runs",
			  "pinned and asynchronous copies" },
	[PATH_COMMUNICATION] = { "communication", "Communication", "a collective runs",
				 "overlap it with computation; larger buckets" },
	[PATH_LAUNCH_API] = { "launch_api", "Launching", "the host is in a launch call",
			      "fewer launches: fuse, CUDA graphs" },
	[PATH_LAUNCH_QUEUE] = { "launch_queue", "Waiting in the launch queue",
				"launched, not yet started, nothing before it",
				"launch earlier: CUDA graphs, less host work" },
	[PATH_GPU_GAP] = { "gpu_gap", "Waiting between kernels",
			   "between two pieces of work on the GPU",
			   "fewer kernels: fuse, CUDA graphs" },
	[PATH_SYNC] = { "sync", "Synchronizing", "a wait returns, or a wait for nothing",
			"fewer waits: .item(), .cpu(), synchronize" },
	[PATH_CPU_OP] = { "cpu_op", "Time in host operators", "an operator runs on the host",
			  "fewer and larger operators" },
	[PATH_PYTHON] = { "python", "Python", "Python runs between operators",
			  "less Python between launches: compile, graphs" },
	[PATH_DATA_LOADING] = { "data_loading", "Loading data", "the host is in the data loader",
				"load ahead: workers, prefetch, pinned memory" },
	[PATH_RUNTIME_OTHER] = { "runtime_other", "The runtime",
				 "malloc, free, record, query and other calls",
				 "keep memory and handles: caching allocator, fewer queries" },
	[PATH_PROFILER_OVERHEAD] = { "profiler_overhead", "The profiler", "the profiler itself",
				     "none of the run without it; record less" },
	[PATH_IDLE_HANDOFF] = { "idle_handoff", "Handing over between threads",
				"a thread waits for another thread's result",
				"fewer hand-offs between threads" },
	[PATH_IDLE_UNKNOWN] = { "idle_unknown", "Unrecorded host time", "no host event recorded",
				"record more (with_stack) to see what runs" },
	[PATH_UNTRACED_GPU] = { "untraced_gpu", "GPU work from before the window",
				"GPU work queued before the window",
				"synchronize before recording, or record longer" },
};

enum path_class path_class_find(struct str name)
{
	enum path_class c = 0;

	while (c < PATH_CLASSES && !str_eq(name, str_of(path_class_texts[c].name)))
		c++;
	return c;
}
