/*
 * lane.h - where events run: a CPU thread (pid, tid) or a GPU stream (pid, device, stream).
 *
 * The reader makes one lane per distinct (pid, tid) as written; the model then gives
 * GPU events lanes of their own from args device and stream (pid and tid stand in
 * where these are missing). Ids are 64 bits wide or text, so lanes keep both.
 */
#ifndef TRACE_LANE_H
#define TRACE_LANE_H

#include "base/arena.h"

struct lane {
	string_id pid, tid; /* as written, quotes off; NONE if missing */
	string_id process_name, process_labels, thread_name; /* from metadata, or NONE */
	bool gpu;                                            /* a stream: device and stream hold */
	uint32_t process;                                    /* dense number of the pid */
	int64_t device,
		stream;        /* as in the trace (64-bit handles are kept); -1 if not a GPU lane */
	uint32_t stream_index; /* dense per device, in order of the handle */
	bool stream_known;     /* stream is a number of the file, no stand-in */
	int64_t sort_index;
};

struct lanes {
	uint32_t n;
	struct lane *at;
	uint32_t nprocesses;
};

struct trace;

/* Numbers the processes and fills the names that the metadata events give. */
void lanes_name(struct trace *tr);
/* Moves GPU work, GPU annotations and sync rows to lanes by (pid, device, stream). */
void lanes_split_gpu(struct trace *tr);
/* Place of each lane in the order of all tables: by process, host before GPU, device, stream. */
uint32_t *lanes_rank(const struct trace *tr, struct arena *a);

#endif
