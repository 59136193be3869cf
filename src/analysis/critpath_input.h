/*
 * critpath_input.h - a trace on its way to a graph: threads, GPU work, calls, constraints.
 *
 *	rows of host threads ─┐
 *	calls that launch,    ├─► sweep over the calls in time ─► waits, constraints ─► pieces
 *	record and wait       │
 *	GPU work by stream  ──┘
 *
 * Each part is built by the file of its name, in the order in which they stand here.
 */
#ifndef ANALYSIS_CRITPATH_INPUT_H
#define ANALYSIS_CRITPATH_INPUT_H

#include "analysis/critpath_call.h"
#include "analysis/critpath_graph.h"

/* Clocks of host and device agree to this; a wait may end so much before what it waited for. */
#define CRITPATH_JITTER ((nsec)2000)

struct host_thread {
	lane_id lane;
	uint32_t process;
	uint32_t first, past; /* its rows */
};

/* A thread with operators or runtime calls; without any in the trace, one with Python frames. */
struct host {
	uint32_t nthreads, nrows;
	struct host_thread *thread; /* by lane */
	event_id *row;              /* by thread, start, longest first */
	uint32_t *thread_of;        /* of each lane; NONE if it is no thread of ours */
};

struct gpu_op {
	event_id event, launch; /* NONE: no launch in the trace */
	nsec start, end;
	uint32_t stream;
	uint32_t call;    /* the launch among the calls, or NONE */
	uint32_t sibling; /* the next piece of work of the same call, or NONE */
};

struct gpu_stream {
	lane_id lane;
	uint32_t first, past; /* its ops */
};

struct gpu {
	uint32_t nops, nstreams;
	struct gpu_op *op; /* by stream, start */
	struct gpu_stream *stream;
};

struct path_call {
	event_id event;
	uint32_t thread;
	nsec start, end; /* of a run of queries: from the first to the last */
	uint8_t role;
	bool polls;        /* a run of queries, not just one */
	bool waited;       /* something it waits for ended while it ran */
	bool has_row;      /* a row of the trace says what it waits for */
	bool assumed;      /* `record` is the thread's last one: no row says so */
	uint32_t first_op; /* what it launched: a list by `sibling`; or NONE */
	bool says_stream; /* the row names a stream: if it is none of ours, nothing is waited for */
	uint32_t stream;  /* a sync row's stream; of a record: the stream it stands in; or NONE */
	uint32_t record;  /* the call that recorded the event it waits for, or NONE */
	uint32_t source;  /* of a record: the last work before it, or NONE */
	int64_t device;   /* of a device sync: -1 for all */
};

struct calls {
	uint32_t n;
	struct path_call *at; /* by start */
};

struct grown {
	void *at;
	uint32_t n, room;
};

struct path_source {
	struct trace *tr;
	struct arena *arena; /* for all of this */
	struct call_names names;
	struct host host;
	struct gpu gpu;
	struct calls calls;
	nsec *own; /* of each string: the shortest call of that name that did not wait; NSEC_NONE */
	uint32_t nwaits;
	struct path_wait *wait; /* by thread, start */
	struct grown constraints;
	nsec *bound;         /* of each op: the latest instant it had to wait for */
	uint8_t *bound_kind; /* and what that was; EDGE_KINDS: nothing yet */
	bool *told_to_wait;  /* of each op: for an event that no row names */
	uint32_t inferred;   /* waits that had to be rebuilt from the calls */
};

void critpath_host(struct path_source *s);
void critpath_gpu(struct path_source *s);
void critpath_calls(struct path_source *s);
/* Waits and constraints of calls: what they launch, record and wait for. */
void critpath_sync(struct path_source *s);
/* Constraints of GPU work: stream, launch, graph, and what must have been there. */
void critpath_order(struct path_source *s);
/* Pieces of threads and GPU work, and hand-offs between threads. */
void critpath_pieces(struct path_source *s, struct path_input *in, struct path_track *track);

/* What a call of this name takes when it has nothing to wait for; 0 if it always had. */
nsec critpath_own_time(const struct path_source *s, event_id call);
/* When a call that waited for its own work had put it on the stream; else its start. */
nsec critpath_enqueued(const struct path_source *s, const struct path_call *c);

void critpath_add(struct path_source *s, struct path_constraint c);
/* `op` may not start before `src` is at `from`. */
void critpath_bind(struct path_source *s, uint32_t op, uint32_t src, nsec from, enum edge_kind k,
		   uint8_t flags);

/* Tracks: the threads, then the GPU work. */
static inline uint32_t op_track(const struct path_source *s, uint32_t op)
{
	return s->host.nthreads + op;
}

/* The graph of a whole trace. The trace must outlive it. */
struct path_graph *critpath_of_trace(struct trace *tr, struct arena *a, uint32_t *inferred);

#endif
