/*
 * critpath_class.h - what a stretch of the critical path counts as, and what usually helps.
 *
 * Every nanosecond of the path is in exactly one class.
 */
#ifndef ANALYSIS_CRITPATH_CLASS_H
#define ANALYSIS_CRITPATH_CLASS_H

#include "base/str.h"

enum path_class {
	PATH_COMPUTE,
	PATH_MEMORY,
	PATH_COMMUNICATION,
	PATH_LAUNCH_API,
	PATH_LAUNCH_QUEUE,
	PATH_GPU_GAP,
	PATH_SYNC,
	PATH_CPU_OP,
	PATH_PYTHON,
	PATH_DATA_LOADING,
	PATH_RUNTIME_OTHER,
	PATH_PROFILER_OVERHEAD,
	PATH_IDLE_HANDOFF,
	PATH_IDLE_UNKNOWN,
	PATH_UNTRACED_GPU,
	PATH_CLASSES
};

struct path_class_text {
	const char *name;    /* "launch_queue" */
	const char *subject; /* "Waiting to start": of a sentence that goes on with "decides ..." */
	const char *what;    /* one line: what the time is */
	const char *hint;    /* what usually helps */
};

extern const struct path_class_text path_class_texts[PATH_CLASSES];

/* PATH_CLASSES if there is no class of this name. */
enum path_class path_class_find(struct str name);

static inline bool path_class_is_gpu(enum path_class c)
{
	return c <= PATH_COMMUNICATION;
}

#endif
