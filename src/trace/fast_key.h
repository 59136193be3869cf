/*
 * fast_key.h - what stands between the values of an event, recognised by its text.
 *
 * Exporters write by rote. A slot holds all that stood between the end of one value and
 * the start of the next (comma, blanks, key, colon), or between the last one and behind
 * the closing brace, and which slots came next; so one comparison of 16 or 32 bytes
 * with the slot expected mostly takes the walk from value to value.
 */
#ifndef TRACE_FAST_KEY_H
#define TRACE_FAST_KEY_H

#include "trace/read_event.h"

#define FAST_SLOTS  2048 /* what else there is is left to the careful reader */
#define FAST_WIDE   32
#define FAST_STARTS 32

/* Up to 32 bytes to compare others with. */
struct fast_text {
	uint64_t text[4], mask[4];
	uint32_t n; /* may be more than 32 */
};

enum fast_does {
	/* enum read_field for keys, and: */
	FAST_CLOSE = FIELD_ARGUMENT + 1, /* the brace that closes the object */
	FAST_NEVER,                      /* no text at all */
};

struct fast_slot {
	struct fast_text between;
	uint32_t does;             /* enum read_field or fast_does */
	uint32_t id;               /* local id of the key, of an argument */
	struct fast_slot *next[2]; /* slots that followed this one, the latest first */
	const char *more;          /* what is past 32 bytes */
	struct fast_value {
		struct fast_text text;
		uint32_t id;
	} last[2]; /* the last two values, where they are kept; all others use last[0].id only */
	bool in_args;
};

/* Where a key may stand. */
enum fast_where { FAST_FIRST_FIELD, FAST_FIELD, FAST_FIRST_ARG, FAST_ARG };

struct fast_keys {
	uint32_t n;
	uint64_t epoch; /* of the lexicons whose ids are kept here */
	struct arena more;
	uint16_t table[2 * FAST_SLOTS]; /* slot + 1 by hash */
	/* The slots "before" the first key: of an event, by the category of the one before it; of
	 * args, by its own. */
	struct fast_slot *start[FAST_STARTS], *args[FAST_STARTS];
	struct fast_text apart;    /* what stands between two events, brace included */
	uint32_t lane_of[2], lane; /* the last pid and tid, and their lane */
	struct fast_slot slot[FAST_SLOTS];
};

/* Forgets everything if ids of the batch have changed meaning. */
void fast_keys_refresh(struct fast_keys *k, const struct batch *b);
/*
 * The slot for the text at p, made if need be. `quote` is where the next quote or bracket
 * must be. NULL: leave it to the careful reader.
 */
struct fast_slot *fast_keys_find(struct fast_keys *k, struct batch *b, const char *p,
				 const char *quote, const char *end, enum fast_where where);
void fast_keys_free(struct fast_keys *k);
/* Keeps the first 32 of n bytes. */
void fast_text_set(struct fast_text *t, const char *p, size_t n);

static inline uint64_t fast_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, 8);
	return w;
}

/* Do the bytes at p begin with those of t (the first 32)? */
static inline bool fast_same(const char *p, const struct fast_text *t)
{
	uint64_t differ = ((fast_load(p) ^ t->text[0]) & t->mask[0]) |
			  ((fast_load(p + 8) ^ t->text[1]) & t->mask[1]);

	if (t->n > 16)
		differ |= ((fast_load(p + 16) ^ t->text[2]) & t->mask[2]) |
			  ((fast_load(p + 24) ^ t->text[3]) & t->mask[3]);
	return !differ;
}

static inline bool fast_match(const struct fast_slot *s, const char *p, const char *end)
{
	if (!fast_same(p, &s->between))
		return false;
	return __builtin_expect(s->between.n <= FAST_WIDE, 1) ||
	       ((size_t)(end - p) >= s->between.n &&
		!memcmp(p + FAST_WIDE, s->more, s->between.n - FAST_WIDE));
}

#endif
