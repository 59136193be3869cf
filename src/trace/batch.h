/*
 * batch.h - the rows of one chunk of text, private to the worker that reads it.
 *
 * Everything in it is relative: strings, keys, categories and lanes by the worker's
 * own lexicons, bytes to the start of the chunk. read_commit.c makes rows of the trace
 * of it. Whatever has been added since a mark can be taken back, so an event that
 * turns out to be damaged leaves no trace.
 */
#ifndef TRACE_BATCH_H
#define TRACE_BATCH_H

#include "trace/args.h"
#include "trace/counter.h"
#include "trace/lexicon.h"

struct batch_row {
	nsec ts, dur;
	uint32_t name, lane, cat; /* local ids; NONE */
	uint32_t args;            /* the first */
	uint32_t place;           /* byte in the chunk */
	uint8_t ph, flags;
};

struct batch_arg {
	uint32_t key; /* local id << 3 | enum arg_type */
	uint32_t value;
};

/* Oddities found in the text; counted when the rows are committed. */
struct batch_hit {
	enum counter what;
	uint32_t n;
	uint64_t byte; /* in the whole text */
};

struct batch {
	uint32_t nrows, nargs, nwide, nhits;
	struct column rows, args, wide, hits;
	struct lexicon strings, keys, cats;
	struct lexicon lanes; /* spelled as the local ids of pid and tid */
};

struct batch_mark {
	uint32_t nrows, nargs, nwide, nhits, strings, keys, cats, lanes;
};

struct batch_row *batch_add_row(struct batch *b);
void batch_add_arg(struct batch *b, uint32_t key, enum arg_type type, uint32_t value);
void batch_add_int(struct batch *b, uint32_t key, int64_t value);
void batch_hit(struct batch *b, enum counter what, uint32_t n, uint64_t byte);
uint32_t batch_lane(struct batch *b, uint32_t pid, uint32_t tid);

/* Makes room for so many more rows, arguments and wide integers. */
void batch_reserve(struct batch *b, size_t rows, size_t args);

struct batch_mark batch_mark(const struct batch *b);
void batch_rewind(struct batch *b, const struct batch_mark *to);
/* Empties the rows; the lexicons stay. */
void batch_clear(struct batch *b);
/* Forgets all lexicons if they have become too large to be of use; only between chunks. */
void batch_relieve(struct batch *b);
void batch_free(struct batch *b);

#endif
