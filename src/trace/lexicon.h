/*
 * lexicon.h - the strings one worker has met, by their spelling in the file.
 *
 * Looked up by raw bytes, so that a string is decoded and checked once per spelling,
 * not once per use; what was odd about it is kept, so that it can be counted per use.
 * Ids are local and in order of first appearance; to[] maps them to those of the trace
 * once they have been committed. Newest spellings can be taken back.
 */
#ifndef TRACE_LEXICON_H
#define TRACE_LEXICON_H

#include "base/column.h"
#include "base/hash.h"
#include "base/jsontext.h"

enum spelling {
	SPELL_STRING, /* the inside of a string: escapes are decoded */
	SPELL_FIELD,  /* the same, and "." goes before it */
	SPELL_TEXT,   /* a list or an object: brought into one line */
	SPELL_WORD,   /* as it is */
};

struct lexicon_slot {
	uint64_t hash;
	uint64_t at : 46, how : 2, odd : 8, used : 8; /* at: of the raw bytes in the pool */
	uint32_t n, id;
};

struct lexicon_entry {
	uint64_t hash;
	uint64_t raw_at, at; /* in the pool; at: what it says */
	uint32_t n;
	uint32_t faults; /* row of faults[] + 1; 0: nothing is odd about it */
};

struct lexicon {
	uint32_t n, done; /* entries; those that have been committed */
	uint32_t nslots;  /* a power of two */
	uint32_t nfaults;
	struct lexicon_slot *slots;
	struct column entries; /* struct lexicon_entry */
	struct column to;      /* uint32_t, of the first `done` entries */
	struct column pool;
	struct column faults; /* struct faults */
	size_t pool_used;
};

/* The id of a spelling. */
uint32_t lexicon_add(struct lexicon *x, const char *p, size_t n, enum spelling how);
/* NULL if nothing is odd about it. */
const struct faults *lexicon_faults(const struct lexicon *x, uint32_t id);
/* What the spelling says. */
struct str lexicon_get(const struct lexicon *x, uint32_t id);
/* Forgets all entries from the n-th on. */
void lexicon_rewind(struct lexicon *x, uint32_t n);
/* Forgets everything if it has grown so large that remembering does not pay. */
void lexicon_relieve(struct lexicon *x);
void lexicon_free(struct lexicon *x);

static inline uint32_t *lexicon_to(const struct lexicon *x)
{
	return x->to.at;
}

#endif
