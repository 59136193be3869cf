/*
 * document.h - where the reading of a file stands: its root, its event list, its end.
 *
 * The text may come in pieces of any size. document_read() uses up what is whole and
 * leaves the rest to be given again with more behind it; between two events there is
 * no other state than this, so a piece that starts at an event can be read without
 * those before it (document_at_event()).
 */
#ifndef TRACE_DOCUMENT_H
#define TRACE_DOCUMENT_H

#include "trace/read_event.h"
#include "trace/trace.h"

enum document_where {
	DOCUMENT_START,
	DOCUMENT_ROOT,
	DOCUMENT_LIST,
	DOCUMENT_REST,
	DOCUMENT_FAILED
};

struct document {
	enum document_where where;
	bool has_events; /* there is a list, or null in its place */
	bool list_root;  /* the root is the event list itself */
	bool list_only;  /* do not go on past the end of the list */
	bool cut;        /* the text ended where something was still to come */
	bool cut_input;  /* the compressed stream ends early: so does the text, then */
	uint32_t nlists, nkeys;
	uint64_t whole_end; /* behind the last whole element or value */

	/* since the last element of the list or member of the root */
	bool fresh;
	uint32_t commas;
	uint64_t comma[2];

	struct fast *fast; /* NULL: every event goes by the careful reader */
	const char *name;  /* of the file, for messages */
	struct arena *arena;
	uint32_t nmeta, cap;
	struct meta *meta;
	struct lp_error *err;
};

/* A piece of text that starts at an event of the list, and is read up to the list's end. */
struct document document_at_event(bool list_root, struct fast *fast);
/* `d` ended where the piece begins, at `byte`, which was read as `piece` into `b`. */
void document_join(struct document *d, const struct document *piece, struct batch *b,
		   uint64_t byte);
/* Reads what is whole; how many bytes of the text that was. */
size_t document_read(struct document *d, struct batch *b, const struct text *t);

#endif
