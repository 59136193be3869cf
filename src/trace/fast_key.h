/*
 * fast_key.h - the keys of events, recognised by their text as it stands in the file.
 *
 * Exporters write by rote. A slot holds what stands between the opening quote of a key
 * and its value (quotes, colon and blank included) and which slots came next; so a key
 * is mostly recognised by comparing 32 bytes with those of the slot expected.
 */
#ifndef TRACE_FAST_KEY_H
#define TRACE_FAST_KEY_H

#include "trace/read_event.h"

#define FAST_SLOTS  1024 /* further keys are left to the careful reader */
#define FAST_WIDE   32
#define FAST_STARTS 32

typedef uint64_t fast_pair __attribute__((vector_size(16)));
typedef uint64_t fast_loose __attribute__((vector_size(16), aligned(1), may_alias));

struct fast_slot {
	fast_pair text[2], mask[2];
	uint32_t n;       /* bytes of text; those past the first 32 are in `more` */
	uint32_t key;     /* local id, of an argument */
	uint16_t next[2]; /* slots that followed this one, the latest first */
	uint8_t does;     /* enum read_field */
	bool in_args;
	const char *more;
	uint32_t last_n, last_id; /* its last value, if that was a short string, and the id */
	fast_pair last[2], last_mask[2];
};

struct fast_keys {
	uint32_t n;
	uint64_t epoch; /* of the lexicons whose ids are kept here */
	struct arena more;
	uint16_t table[2 * FAST_SLOTS]; /* slot + 1 by hash */
	uint16_t start;                 /* the slot "before" the first key of an event */
	uint16_t args[FAST_STARTS];     /* the same for args, by category */
	struct fast_slot slot[FAST_SLOTS];
};

/* Forgets everything if ids of the batch have changed meaning. */
void fast_keys_refresh(struct fast_keys *k, const struct batch *b);
/* The slot of the key at p, made if need be; NONE: leave it to the careful reader. */
uint32_t fast_keys_find(struct fast_keys *k, struct batch *b, const char *p, const char *end,
			bool in_args);
void fast_keys_free(struct fast_keys *k);

static inline bool fast_same(const char *p, const fast_pair text[2], const fast_pair mask[2])
{
	const fast_loose *v = (const fast_loose *)(const void *)p;
	fast_pair d = ((v[0] ^ text[0]) & mask[0]) | ((v[1] ^ text[1]) & mask[1]);

	return !(d[0] | d[1]);
}

static inline bool fast_match(const struct fast_slot *s, const char *p, const char *end)
{
	if (!fast_same(p, s->text, s->mask))
		return false;
	return LIKELY(s->n <= FAST_WIDE) ||
	       ((size_t)(end - p) >= s->n && !memcmp(p + FAST_WIDE, s->more, s->n - FAST_WIDE));
}

/* The first n (up to 32) of all bytes. */
static inline void fast_mask(fast_pair mask[2], uint32_t n)
{
	unsigned char bytes[FAST_WIDE] = { 0 };

	memset(bytes, 0xff, MIN_OF(n, FAST_WIDE));
	memcpy(mask, bytes, sizeof(bytes));
}

#endif
