/*
 * maker.h - small traces for tests, event by event, times in microseconds.
 *
 *	struct maker m = maker_new();
 *	make_op(&m, 1, "aten::mm", 0, 50, NULL);
 *	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 77, NULL);
 *	make_gpu(&m, "kernel", "gemm", 30, 20, 7, 77);
 *	struct trace *tr = maker_trace(&m);
 *
 * A correlation of 0 is none. `args` are further arguments: "\"a\": 1, \"b\": 2", or NULL.
 */
#ifndef UNIT_MAKER_H
#define UNIT_MAKER_H

#include "base/textbuf.h"
#include "trace/model.h"
#include "trace/read.h"

#include <stdio.h>
#include <stdlib.h>

struct maker {
	struct arena *arena;
	struct textbuf text;
};

static inline struct maker maker_new(void)
{
	struct maker m = { .arena = calloc(1, sizeof(struct arena)) };

	m.text.arena = m.arena;
	textbuf_add(&m.text, STR("{\"traceEvents\": [\n"));
	return m;
}

static inline void make_event(struct maker *m, const char *cat, const char *name, int pid, int tid,
			      double ts, double dur, const char *args)
{
	textbuf_print(
		&m->text,
		"{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d, "
		"\"ts\": %.3f, \"dur\": %.3f, \"args\": {%s}},\n",
		cat, name, pid, tid, ts, dur, args ? args : "");
}

static inline void make_op(struct maker *m, int tid, const char *name, double ts, double dur,
			   const char *args)
{
	make_event(m, "cpu_op", name, 100, tid, ts, dur, args);
}

static inline void make_python(struct maker *m, int tid, const char *name, double ts, double dur)
{
	make_event(m, "python_function", name, 100, tid, ts, dur, NULL);
}

static inline void make_launch(struct maker *m, int tid, const char *name, double ts, double dur,
			       int correlation, const char *args)
{
	char text[512];

	snprintf(text, sizeof(text), "\"correlation\": %d%s%s", correlation, args ? ", " : "",
		 args ? args : "");
	make_event(m, "cuda_runtime", name, 100, tid, ts, dur, text);
}

/* cat: kernel, gpu_memcpy or gpu_memset; on device 0. */
static inline void make_gpu(struct maker *m, const char *cat, const char *name, double ts,
			    double dur, int stream, int correlation)
{
	char text[128];

	snprintf(text, sizeof(text), "\"device\": 0, \"stream\": %d, \"correlation\": %d", stream,
		 correlation);
	make_event(m, cat, name, 0, stream, ts, dur, text);
}

/* Reads it; the maker is then used up. */
static inline struct trace *maker_trace(struct maker *m)
{
	struct lp_error err;

	m->text.n -= m->text.n && m->text.p[m->text.n - 2] == ',' ? 2 : 0;
	textbuf_add(&m->text, STR("\n]}"));
	struct trace *tr = trace_read_memory("made.json", m->text.p, m->text.n,
					     (struct read_options){ .threads = 1 }, &err);
	if (!tr) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	model_build(tr);
	arena_free(m->arena);
	free(m->arena);
	return tr;
}

#endif
