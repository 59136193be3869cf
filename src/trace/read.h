/*
 * read.h - Chrome / Kineto trace JSON to columns: the hot path (docs/algorithms.md).
 *
 * Fills events (all columns but kind), args, strings, cats, lanes by (pid, tid), meta
 * and the counters of the text; odd text is survived and counted, what cannot be a trace
 * is refused in one sentence. The result does not depend on threads or chunk sizes.
 */
#ifndef TRACE_READ_H
#define TRACE_READ_H

#include "trace/trace.h"

struct read_options {
	unsigned threads; /* 0: as many as processors */
	bool strict;      /* the first oddity is an error */
	bool again;       /* the text will be read again: stdin is copied to a temporary file */
	size_t chunk; /* bytes of text a worker takes at once; 0: 256 KiB (tests use tiny ones) */
	int simd;     /* enum simd_level + 1 to force one; 0: the best there is */
	bool careful; /* every event by the careful reader (tests) */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

struct trace *trace_read(const char *path, struct read_options o, struct lp_error *err);
/* The same from memory, for tests and fuzzers; `name` stands for the path in messages. */
struct trace *trace_read_memory(const char *name, const void *text, size_t n, struct read_options o,
				struct lp_error *err);

#endif
