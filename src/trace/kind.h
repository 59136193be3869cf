/*
 * kind.h - our class of an event.
 *
 * A category (and, for old exporters without categories, the name of the process)
 * is mapped to a kind by the table in kind.c; names refine it (a kernel named
 * ncclDevKernel... is a collective). What GPU time counts as is gpu_class().
 */
#ifndef TRACE_KIND_H
#define TRACE_KIND_H

#include "base/base.h"
#include "base/str.h"

enum kind {
	KIND_OTHER, /* a slice of no known category; a host slice where the file has no other */
	KIND_CPU_OP,
	KIND_PYTHON,     /* python_function */
	KIND_ANNOTATION, /* user_annotation: a span, no work of its own */
	KIND_RUNTIME,    /* a host call of the runtime or driver: launch, sync, malloc ... */
	KIND_KERNEL,     /* ... that is no collective */
	KIND_COLLECTIVE, /* a communication kernel */
	KIND_COPY,
	KIND_SET,
	KIND_GPU_ANNOTATION, /* gpu_user_annotation: covers work, is none */
	KIND_SYNC,           /* cuda_sync rows: Stream Wait Event, Event Sync ... */
	KIND_OVERHEAD,
	KIND_FLOW, /* ac2g and other s/t/f */
	KIND_FLOW_FWDBWD,
	KIND_MEMORY, /* [memory] instants */
	KIND_COUNTER,
	KIND_INSTANT,
	KIND_ASYNC, /* b/n/e, S/T/F */
	KIND_META,
	KINDS
};

/* "kernel", "cpu_op" ...: what tables print. */
const char *kind_name(enum kind k);

/* What a slice of this category is; KIND_OTHER if the category says nothing. */
enum kind kind_of_category(struct str category);
/* The same for exporters without categories: old autograd and JAX name their processes. */
enum kind kind_of_process(struct str process, struct str thread, struct str name);
/* Is there such a phase in the format? */
bool phase_is_known(char ph);
/* The kind of an event with this phase and name whose category makes a slice `slice`. */
enum kind kind_of_phase(char ph, enum kind slice, struct str name);

/* Work that occupies a GPU stream: exactly these are owned, linked and timed as GPU time. */
static inline bool kind_is_gpu(enum kind k)
{
	return k >= KIND_KERNEL && k <= KIND_SET;
}

/* Has a GPU lane: work, and rows that only describe it. */
static inline bool kind_is_on_gpu(enum kind k)
{
	return k >= KIND_KERNEL && k <= KIND_SYNC;
}

/* Takes part in the call tree of its thread. */
static inline bool kind_is_host(enum kind k)
{
	return k == KIND_CPU_OP || k == KIND_PYTHON || k == KIND_RUNTIME;
}

/* What the GPU time of an event counts as in the timeline. */
enum gpu_class { GPU_COMPUTE, GPU_COMM, GPU_COPY };

struct trace;
enum gpu_class gpu_class(const struct trace *tr, event_id e);

/* Name rules, by table; each is asked once per distinct name and cached by its callers. */
bool name_is_collective(struct str name);
bool name_is_copy_kernel(struct str name);  /* legacy ROCm copies recorded as kernels */
bool name_is_graph_launch(struct str name); /* cudaGraphLaunch, hipGraphLaunch, cuGraphLaunch ... */

#endif
