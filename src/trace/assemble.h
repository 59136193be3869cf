/*
 * assemble.h - chunks that were read apart become one trace, in the order of the file.
 *
 * What a chunk was read as stands only if the text before it ended between two events,
 * where the chunk believed to begin. If it did not, its text is read again, in order and
 * from there. So where chunks end never matters, and neither does who read them.
 */
#ifndef TRACE_ASSEMBLE_H
#define TRACE_ASSEMBLE_H

#include "trace/commit.h"
#include "trace/document.h"
#include "trace/feed.h"

struct assemble {
	struct commit commit;
	struct document doc; /* where the text stands behind all that has been assembled */
	bool strict, stop;   /* stop: refused, or the first oddity has been found */
	pthread_mutex_t lock;
	pthread_cond_t turn;
	uint64_t next;         /* number of the chunk whose turn it is */
	pthread_rwlock_t grow; /* held for reading while rows are copied */
	/* text that is not whole yet, and how much there must be before it is looked at again */
	struct column rest;
	size_t nrest, need;
	uint64_t rest_origin;
};

/* What one worker keeps for itself. */
struct worker {
	struct chunk chunk;
	struct batch batch;
	struct fast *fast;
};

void assemble_begin(struct assemble *a, struct trace *tr);
/* Reads the worker's chunk and adds it when its turn comes; false when there is to be no more. */
bool assemble_chunk(struct assemble *a, struct worker *w, const struct feed *f);
void assemble_end(struct assemble *a);

#endif
