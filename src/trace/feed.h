/*
 * feed.h - the text of a file in chunks, to several workers in turn.
 *
 * Whoever asks gets the next chunk: input is inflated right behind what was left over
 * from the chunk before, and the chunk ends where an event seems to begin, so that most
 * can be read without knowing those before them.
 */
#ifndef TRACE_FEED_H
#define TRACE_FEED_H

#include "base/column.h"
#include "base/input.h"
#include "trace/read.h"

#include <pthread.h>

struct chunk {
	struct column memory; /* kept from one chunk to the next */
	size_t n;             /* bytes of text; PADDING zeros or more text follow */
	uint64_t origin;      /* of the first in the whole text */
	uint64_t number;      /* from 0 */
	bool at_event;        /* it seems to begin with an event */
	bool last;
	bool cut_input; /* of the last: the compressed stream ends early */
};

struct feed {
	struct input *in;
	const struct read_options *o;
	size_t size;
	pthread_mutex_t lock;
	struct column carry;
	size_t ncarry;
	uint64_t origin, number;
	bool at_event, ended;
	bool list_root; /* the text begins with '[': known once the first chunk is out */
};

void feed_begin(struct feed *f, struct input *in, const struct read_options *o);
/* False when there is no more. Safe to call from several threads. */
bool feed_next(struct feed *f, struct chunk *c);
/* Nobody gets another chunk. */
void feed_stop(struct feed *f);
void feed_end(struct feed *f);

#endif
