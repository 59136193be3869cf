/*
 * critpath_call.h - what a host event does to the GPU, told by its name: CUDA, HIP and the drivers.
 */
#ifndef ANALYSIS_CRITPATH_CALL_H
#define ANALYSIS_CRITPATH_CALL_H

#include "analysis/critpath_class.h"
#include "trace/trace.h"

enum call_role {
	CALL_OTHER,
	CALL_LAUNCH, /* kernels, graphs, asynchronous fills */
	CALL_COPY,   /* launches, and may wait for what it launched */
	CALL_STREAM_SYNC,
	CALL_DEVICE_SYNC,
	CALL_EVENT_SYNC,
	CALL_FREE, /* waits for the device, without saying so */
	CALL_QUERY,
	CALL_RECORD,
	CALL_STREAM_WAIT,
	CALL_ROLES,
};

/* The same for each distinct name, asked once. */
struct call_names {
	const struct trace *tr;
	uint8_t *role; /* of each string: a role + 1, or 0 */
};

struct call_names critpath_call_names(const struct trace *tr, struct arena *a);
/* CALL_OTHER for all but calls of the runtime and driver. */
enum call_role critpath_call_role(struct call_names *names, event_id e);
enum call_role critpath_role_of(struct str name);
/* What the own time of a host event or a piece of GPU work counts as. */
enum path_class critpath_event_class(struct call_names *names, event_id e);

/* A span in which the host loads data. */
bool critpath_is_loader(struct str name);
/* A Python frame that sits while other threads work: the engine's backward, a lock. */
bool critpath_is_waiting_frame(struct str name);
/* A copy between pinned memory, or within the device: its asynchronous call does not wait. */
bool critpath_copy_is_async(struct str call, struct str copy);

#endif
