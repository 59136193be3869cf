/*
 * hta.h - the critical path as Holistic Trace Analysis 0.6.1 has it, for people who compare.
 *
 * Its graph, its weights and its numbers, faults included (docs/algorithms.md says how the
 * three models differ). A node is the start or the end of an event, in whole µs; an edge has
 * a weight; the path is the heaviest one from anywhere to anywhere. It does not add up to the
 * window: the time between top-level operators weighs nothing.
 *
 *	rows ─► window ─► nodes ─► edges: lock, call stacks, kernels ─► longest path
 */
#ifndef ANALYSIS_HTA_H
#define ANALYSIS_HTA_H

#include "base/map.h"
#include "trace/trace.h"

typedef int64_t usec; /* whole µs */

#define HTA_NO_STREAM (-1)

/* A row of its table: an event with a duration and a category. */
struct hta_row {
	event_id event; /* also its number */
	usec ts, end;
	int64_t stream, correlation;
	int64_t partner; /* event on the other side; 0: none though it has a correlation; -1 */
	bool kept;       /* lies in the window */
};

enum hta_type { HTA_SPAN, HTA_DEPENDENCY, HTA_LAUNCH_DELAY, HTA_KERNEL_DELAY, HTA_SYNC, HTA_TYPES };

struct hta_node {
	usec ts;
	uint32_t row;
	bool end;
};

struct hta_edge {
	uint32_t from, to; /* nodes */
	uint8_t type;      /* enum hta_type */
	usec weight;       /* may be negative: counts as 0 for the path, as it is in sums */
	int64_t owner;     /* the event it is attributed to; -1: none */
};

struct hta {
	const struct trace *tr;
	struct arena *arena;
	uint32_t nrows;
	struct hta_row *row; /* GPU rows first if steps were cut, else as in the file */
	uint32_t *row_of;    /* of each event; NONE */
	usec start, finish;  /* the window */

	uint32_t nnodes;
	struct hta_node *node;
	uint32_t *starts, *ends; /* of each row: its nodes; NONE */

	uint32_t nedges, room;
	struct hta_edge *edge; /* in the order in which each pair was first joined */
	struct map joined;     /* from << 32 | to: its edge */
	uint32_t capacity;     /* of `joined` */

	uint32_t npath;
	uint32_t *path;   /* edges */
	uint32_t nlinked; /* nodes that have an edge */
};

/* Reads the rows and the window `annotation`, its `instance`-th occurrence. */
bool hta_rows(struct hta *h, const char *annotation, int64_t instance, struct lp_error *err);
void hta_nodes(struct hta *h);
void hta_lock(struct hta *h);
void hta_stacks(struct hta *h);
void hta_kernels(struct hta *h);
void hta_longest(struct hta *h);

void hta_join(struct hta *h, uint32_t from, uint32_t to, enum hta_type t, bool weightless,
	      int64_t owner);
/* A name of calls that HTA knows to launch work, of those that block, of those that share a lock.
 */
bool hta_is_launch(struct str name);
bool hta_is_blocking(struct str name);
bool hta_is_locking(struct str name);
bool hta_is_collective(struct str name);
bool hta_is_loader(struct str name);

/*
 * Sorts ids by key as numpy's argsort does, which does not keep the order of equal keys: the
 * order they end in decides some edges, so it is reproduced.
 */
void hta_sort(uint32_t *id, uint32_t n, const usec *key);

static inline struct str hta_name(const struct hta *h, uint32_t row)
{
	return trace_name(h->tr, h->row[row].event);
}

#endif
