/*
 * intern.h - each distinct byte string once, with a small id.
 *
 * Ids count up from 0 in the order of first appearance, so they are the same on
 * every run. Strings never move and end with a NUL that is not part of them.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"
#include "base/str.h"

struct strings {
	uint32_t n;
	uint32_t cap;
	struct str *at;  /* cap of them */
	uint64_t *hash;  /* of at[i]; NULL: there is no index */
	uint32_t *slots; /* open addressing, id + 1; 0 is free */
	uint32_t nslots; /* a power of two */
	struct arena text;
};

string_id strings_add(struct strings *s, const char *p, size_t n);
/* The id of a string that may not be there: NONE then. */
string_id strings_find(const struct strings *s, struct str text);
/* Gives back the room for more. */
void strings_trim(struct strings *s);
/* Gives the index back; nothing is found until it is made again, which strings_add() does. */
void strings_drop_index(struct strings *s);
void strings_index(struct strings *s);
void strings_free(struct strings *s);

static inline struct str strings_get(const struct strings *s, string_id id)
{
	return s->at[id];
}

#endif
