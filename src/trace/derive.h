/* derive.h - what is built from a trace on demand and kept with it. */
#ifndef TRACE_DERIVE_H
#define TRACE_DERIVE_H

#include "trace/link.h"
#include "trace/pair.h"
#include "trace/step.h"
#include "trace/tree.h"

struct derived {
	bool surveyed;            /* the overlaps of host events are counted */
	bool checked;             /* the rules that only check looks at are counted ... */
	uint32_t described_above; /* ... and of COMM_NO_ARGS these have args on their operator */
	const struct tree *tree[TREE_STYLES];
	const struct links *launches[LINK_STYLES];
	const struct links *links[LINK_STYLES][TREE_STYLES];
	const struct pairs *pairs;
	const struct steps *steps;
};

/* Made on first use. */
struct derived *trace_derived(struct trace *tr);

#endif
