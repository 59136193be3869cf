#include "base/map.h"

#include "base/hash.h"

struct map map_new(struct arena *a, size_t n)
{
	size_t slots = 16;

	while (slots < 2 * n)
		slots *= 2;
	struct map m = { NEW(a, slots, uint64_t), NEW(a, slots, uint32_t), slots - 1 };
	memset(m.value, 0xff, slots * sizeof(*m.value));
	return m;
}

static uint64_t slot_of(const struct map *m, uint64_t key)
{
	uint64_t i = hash_u64(key) & m->mask;

	while (m->value[i] != NONE && m->key[i] != key)
		i = (i + 1) & m->mask;
	return i;
}

uint32_t *map_at(struct map *m, uint64_t key)
{
	uint64_t i = slot_of(m, key);

	m->key[i] = key;
	return &m->value[i];
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	return m->value[slot_of(m, key)];
}
