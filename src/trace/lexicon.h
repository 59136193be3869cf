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
	uint32_t raw_n, n;
	uint32_t faults; /* row of faults[] + 1; 0: nothing is odd about it */
	uint16_t how;
	uint32_t next; /* the entry that was met after this one, as far as somebody notes it */
};

struct lexicon {
	uint32_t n, done; /* entries; those that have been committed */
	uint32_t nslots;  /* a power of two */
	uint32_t nfaults;
	uint32_t epoch; /* changes when entries have been taken back: kept ids may be wrong */
	struct lexicon_slot *slots;
	struct column entries; /* struct lexicon_entry */
	struct column to;      /* uint32_t, of the first `done` entries */
	struct column pool;
	struct column faults; /* struct faults */
	size_t pool_used;
};

/*
 * The id of a spelling; NONE if it is to be a list or an object and is not. 16 bytes behind
 * it must be readable.
 */
uint32_t lexicon_add(struct lexicon *x, const char *p, size_t n, enum spelling how);
/* The slot of a spelling that is not there yet; for lexicon_slot() only. */
const struct lexicon_slot *lexicon_insert(struct lexicon *x, struct str raw, enum spelling how,
					  uint64_t hash);
/* NULL if nothing is odd about it. */
const struct faults *lexicon_faults(const struct lexicon *x, uint32_t id);
/* What the spelling says. */
struct str lexicon_get(const struct lexicon *x, uint32_t id);
/* Forgets all entries from the n-th on. */
void lexicon_rewind(struct lexicon *x, uint32_t n);
void lexicon_free(struct lexicon *x);

static inline uint32_t *lexicon_to(const struct lexicon *x)
{
	return x->to.at;
}

/* ---- looking up, in line because a trace is little else ---- */

static inline uint64_t lexicon_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, 8);
	return w;
}

/* The first n bytes of a word in memory, n up to 8. */
static inline uint64_t lexicon_part(const char *p, size_t n)
{
	static const uint64_t mask[] = {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		0,
		0xff,
		0xffff,
		0xffffff,
		0xffffffff,
		0xffffffffff,
		0xffffffffffff,
		0xffffffffffffff,
		UINT64_MAX
#else
		0,
		0xffull << 56,
		0xffffull << 48,
		0xffffffull << 40,
		0xffffffffull << 32,
		0xffffffffffull << 24,
		0xffffffffffffull << 16,
		0xffffffffffffffull << 8,
		UINT64_MAX
#endif
	};

	return lexicon_load(p) & mask[n];
}

/* Reads up to 16 bytes behind p[0 .. n). */
static inline uint64_t lexicon_hash(const char *p, size_t n, enum spelling how)
{
	const uint64_t k1 = 0x9e3779b97f4a7c15, k2 = 0xe7037ed1a0b428db;
	uint64_t h = (n * 4 + how) * k1, a, b;

	if (n > 16) {
		const char *last = p + n - 16;

		for (; p < last; p += 16)
			h = hash_mix(lexicon_load(p) ^ k2, lexicon_load(p + 8) ^ h);
		a = lexicon_load(last);
		b = lexicon_load(last + 8);
	} else {
		a = lexicon_part(p, MIN_OF(n, 8));
		b = n > 8 ? lexicon_part(p + 8, n - 8) : 0;
	}
	return hash_mix(a ^ k2, b ^ h ^ k1);
}

/* Both may be read 16 bytes too far. */
static inline bool lexicon_same(const char *p, const char *q, size_t n)
{
	if (n <= 16)
		return lexicon_part(p, MIN_OF(n, 8)) == lexicon_part(q, MIN_OF(n, 8)) &&
		       (n <= 8 || lexicon_part(p + 8, n - 8) == lexicon_part(q + 8, n - 8));
	uint64_t differ = 0;
	for (size_t i = 0; i < n - 16; i += 16)
		differ |= (lexicon_load(p + i) ^ lexicon_load(q + i)) |
			  (lexicon_load(p + i + 8) ^ lexicon_load(q + i + 8));
	differ |= (lexicon_load(p + n - 16) ^ lexicon_load(q + n - 16)) |
		  (lexicon_load(p + n - 8) ^ lexicon_load(q + n - 8));
	return !differ;
}

static inline struct lexicon_entry *lexicon_entry(const struct lexicon *x, uint32_t id)
{
	return (struct lexicon_entry *)x->entries.at + id;
}

/*
 * The id of a spelling if it is the one that came after `before` the last time, as it
 * mostly is, traces being loops; NONE if it is not, or is odd.
 */
static inline uint32_t lexicon_guess(const struct lexicon *x, uint32_t before, const char *p,
				     size_t n, enum spelling how)
{
	if (UNLIKELY(before >= x->n))
		return NONE;
	uint32_t id = lexicon_entry(x, before)->next;
	if (UNLIKELY(id >= x->n))
		return NONE;
	const struct lexicon_entry *e = lexicon_entry(x, id);
	if (e->raw_n != n || e->how != how || e->faults ||
	    !lexicon_same((const char *)x->pool.at + e->raw_at, p, n))
		return NONE;
	return id;
}

/* Like lexicon_add(); good until the next addition; NULL for what is no list or object. */
static inline const struct lexicon_slot *lexicon_slot(struct lexicon *x, const char *p, size_t n,
						      enum spelling how)
{
	uint64_t hash = lexicon_hash(p, n, how);

	for (uint32_t i = (uint32_t)hash; LIKELY(x->nslots); i++) {
		const struct lexicon_slot *s = &x->slots[i & (x->nslots - 1)];

		if (s->hash == hash && s->n == n && s->how == how && s->used &&
		    lexicon_same((const char *)x->pool.at + s->at, p, n))
			return s;
		if (!s->used)
			break;
	}
	return lexicon_insert(x, (struct str){ p, n }, how, hash);
}

#endif
