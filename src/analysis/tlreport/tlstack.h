/*
 * tlstack.h - the stack of calls that led to a kernel, as TraceLens prints it.
 *
 * From the root to the kernel: operators, and what looks like code (a path, "::" or an
 * nn.Module). Every "_<digits>" is cut out of a name, inside of it too, as the original does.
 * Frames are numbers of texts; Python's are in them whether or not the report's tree has them.
 */
#ifndef ANALYSIS_TLSTACK_H
#define ANALYSIS_TLSTACK_H

#include "analysis/tlreport/tlkernels.h"

struct tlstack_text {
	const char *full;  /* "['train.py(3): f', 'aten::mm', 'gemm']"; "Not found" */
	const char *entry; /* the frame that calls the operator; "Not found" */
};

struct tlstacks *tlstack_open(struct tlreport *r);
void tlstack_close(struct tlstacks *s);

/* The class of the nearest nn.Module at or above an event, or "NA", as a number. */
uint32_t tlstack_module(struct tlstacks *s, event_id e);
/* In the arena of the answer. */
const char *tlstack_name(const struct tlstacks *s, uint32_t number);
/* An event and the modules around it, outwards: "['aten::mm', 'nn.Module: Linear_0']". */
const char *tlstack_modules(struct tlstacks *s, event_id e);
/* The stacks of all kernels of a group of rows of operator `op`; see tlkernels_text(). */
struct tlstack_text tlstack_of_work(struct tlstacks *s, event_id op, const struct tlwork *row,
				    uint32_t n);

#endif
