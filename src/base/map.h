/*
 * map.h - from a 64-bit key to a 32-bit value.
 *
 * Open addressing in an arena, sized once for at most `n` keys: no growth, no
 * deletion, no iteration (which would be in hash order).
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

struct map {
	uint64_t *key;
	uint32_t *value; /* NONE: a free slot */
	uint64_t mask;
};

struct map map_new(struct arena *a, size_t n);
/* Where the value of `key` is; a new key has the value NONE and must be given one at once. */
uint32_t *map_at(struct map *m, uint64_t key);
/* NONE if it is not there. */
uint32_t map_get(const struct map *m, uint64_t key);

#endif
