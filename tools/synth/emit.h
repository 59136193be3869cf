/*
 * emit.h - one trace being written: what its two parts share.
 *
 * emit.c has the events, envelope.c what stands before and after them.
 */
#ifndef SYNTH_EMIT_H
#define SYNTH_EMIT_H

#include "synth.h"
#include "scribe.h"

#include <stdio.h>

struct emit {
	const struct options *o;
	FILE *file;
	const char *path;
	struct scribe scribe;
	unsigned pid, gpu;
	unsigned world;
	nsec base;
	uint32_t index; /* "Ev Idx" */
	uint64_t events;
};

#define PUT(e, literal) scribe_put(&(e)->scribe, literal, sizeof(literal) - 1)

/* An event up to its first member, and from after its last. */
void emit_begin(struct emit *e);
void emit_end(struct emit *e);
/* The same with "args" as the last member. */
void emit_end_args(struct emit *e);

/* The root object up to the events, and the metadata events. */
void emit_head(struct emit *e, const struct rank *r);
/* The last events, and the rest of the root object. */
void emit_tail(struct emit *e, nsec until);

#endif
