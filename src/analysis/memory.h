/*
 * memory.h - what an allocator said of its memory, change by change and device by device.
 *
 *	total  ▁▂▄▄█▃▂    a change is +bytes or -bytes; the total behind it is in the trace, too
 *	          ^ peak  so each change can be checked against the total before it
 *
 * Of each device: start + sum of the changes + jumps = end, where a jump is what two totals
 * differ by beyond the change between them; and what operators of the trace hold at the
 * peak + the rest = peak, where the rest is from before the trace or its owner is not known.
 */
#ifndef ANALYSIS_MEMORY_H
#define ANALYSIS_MEMORY_H

#include "base/table.h"
#include "trace/tree.h"

struct memory_change {
	event_id event;
	int64_t bytes, total, reserved; /* reserved: LP_NULL if the trace does not say */
	uint64_t address;               /* 0: not known */
	node_id node; /* the innermost call that runs then, in the full tree; NONE */
	string_id op; /* the name of the innermost operator, else of that call; NONE */
};

struct memory_device {
	const char *name;    /* "GPU 0", "CPU"; with the pid before it if there are several */
	uint32_t first, n;   /* its changes, by time, then as in the file */
	uint32_t peak;       /* the first change with the largest total */
	uint32_t odd;        /* changes that do not fit the total before them */
	int64_t start, rest; /* before the first change; at the peak, of unknown owners */
	int64_t allocated, freed, reserved_peak;
};

/* Of an operator on a device. */
struct memory_op {
	uint32_t device;
	string_id op;
	int64_t allocations, allocated, frees, freed, largest, at_peak;
};

struct memory {
	uint32_t n, ndevices, nops;
	uint32_t skipped; /* changes without a size, a total or a time */
	struct memory_change *change;
	struct memory_device *device; /* GPUs first */
	struct memory_op *op;         /* by device, most allocated first */
};

struct memory memory_read(struct arena *a, struct trace *tr);
/* "main > nn.Module: Linear_0 > aten::linear": from the root to the call; NULL of NONE. */
const char *memory_stack(struct arena *a, struct trace *tr, node_id node);

#endif
