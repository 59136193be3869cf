/*
 * paths.h - small programs of host threads and streams whose critical path is known.
 *
 * A program is a list of actions per thread: run, launch, record, let a stream wait, wait,
 * hand over. It runs on a machine of four latencies; the run is told as a trace, and what
 * decided it is worked out here, action by action, by the plainest means. Running the program
 * again with one kernel faster gives the answer to a what-if.
 *
 * Threads share no stream, so a faster run has the same order on every stream.
 */
#ifndef SYNTH_PATHS_H
#define SYNTH_PATHS_H

#include "base/textbuf.h"

#define PATHS_THREADS 3
#define PATHS_NAMES   12 /* kernels k0 .. and operators op0 .. */

enum paths_class {
	PATHS_COMPUTE,
	PATHS_LAUNCH_API,
	PATHS_LAUNCH_QUEUE,
	PATHS_GPU_GAP,
	PATHS_SYNC,
	PATHS_CPU_OP,
	PATHS_RUNTIME_OTHER,
	PATHS_HANDOFF,
	PATHS_CLASSES
};

extern const char *const paths_class_names[PATHS_CLASSES];

/* A stretch of the path. */
struct paths_segment {
	nsec start, end;
	enum paths_class class;
	char name[24]; /* "-" in a hand-off */
};

/* What is different in a run: `name` takes num/den of its time, or `longer` more. */
struct paths_change {
	const char *name;
	int64_t num, den;
	nsec longer; /* once, for the GPU work numbered `op` */
	uint32_t op;
};

struct paths_op {
	char name[24];
	nsec start, end;
};

struct paths_run {
	nsec window;
	uint32_t nops;
	struct paths_op *op; /* GPU work in the order of its launches */
	uint32_t nsegments;
	struct paths_segment *segment; /* of the path, rising */
	/*
	 * The rule, "what ended last decided", has always named the one that did decide. It
	 * need not: the latencies differ.
	 */
	bool told;
	/*
	 * And the latencies were constant, and every kind of constraint decided at least once:
	 * then the trace tells all there is to know about the machine, and a what-if has one
	 * right answer.
	 */
	bool exact;
};

struct paths; /* a program */

/* Every fourth seed makes a machine whose latencies jitter. */
struct paths *paths_make(uint64_t seed, bool rocm, struct arena *a);
struct paths_run paths_run(const struct paths *p, const struct paths_change *change,
			   struct arena *a);
/* The run without a change, as a trace. */
void paths_trace(const struct paths *p, struct textbuf *out);
/* The same and what is known of it, for people: PATH and PATH less .json with .known.json. */
bool paths_write(uint64_t seed, bool rocm, const char *path);

#endif
