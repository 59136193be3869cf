#include "base/intern.h"

#include "base/hash.h"
#include "base/alloc.h"

#include <stdlib.h>

static void resize_rows(struct strings *s, uint32_t cap)
{
	s->at = alloc_resized(s->at, s->n * sizeof(*s->at), cap * sizeof(*s->at));
	if (s->hash || !s->n)
		s->hash = alloc_resized(s->hash, s->n * sizeof(*s->hash), cap * sizeof(*s->hash));
	s->cap = cap;
}

void strings_drop_index(struct strings *s)
{
	free(s->hash);
	free(s->slots);
	s->hash = NULL;
	s->slots = NULL;
}

static uint32_t free_slot(const struct strings *s, uint64_t hash)
{
	uint32_t i = (uint32_t)hash & (s->nslots - 1);

	while (s->slots[i])
		i = (i + 1) & (s->nslots - 1);
	return i;
}

static void make_slots(struct strings *s, uint32_t n)
{
	free(s->slots);
	s->nslots = n;
	s->slots = alloc_array(s->nslots, sizeof(*s->slots));
	memset(s->slots, 0, s->nslots * sizeof(*s->slots));
	for (uint32_t id = 0; id < s->n; id++)
		s->slots[free_slot(s, s->hash[id])] = id + 1;
}

void strings_index(struct strings *s)
{
	if (s->hash || !s->n)
		return;
	s->hash = alloc_array(s->cap, sizeof(*s->hash));
	for (uint32_t id = 0; id < s->n; id++)
		s->hash[id] = hash_bytes(s->at[id].p, s->at[id].n);
	make_slots(s, s->nslots);
}

static string_id find(const struct strings *s, struct str text, uint64_t hash)
{
	if (!s->slots)
		return NONE;
	for (uint32_t i = (uint32_t)hash;; i++) {
		uint32_t id = s->slots[i & (s->nslots - 1)];

		if (!id)
			return NONE;
		if (s->hash[id - 1] == hash && str_eq(s->at[id - 1], text))
			return id - 1;
	}
}

string_id strings_find(const struct strings *s, struct str text)
{
	return find(s, text, hash_bytes(text.p, text.n));
}

string_id strings_add(struct strings *s, const char *p, size_t n)
{
	uint64_t hash = hash_bytes(p, n);

	strings_index(s);
	string_id id = find(s, (struct str){ p, n }, hash);

	if (id != NONE)
		return id;
	if (s->n == s->cap)
		resize_rows(s, s->cap ? 2 * s->cap : 256);
	if (s->n >= s->nslots / 2)
		make_slots(s, s->nslots ? 2 * s->nslots : 512);
	id = s->n++;
	s->at[id] = (struct str){ arena_text(&s->text, p, n), n };
	s->hash[id] = hash;
	s->slots[free_slot(s, hash)] = id + 1;
	return id;
}

void strings_trim(struct strings *s)
{
	if (s->n)
		resize_rows(s, s->n);
}

void strings_free(struct strings *s)
{
	free(s->at);
	free(s->hash);
	free(s->slots);
	arena_free(&s->text);
	*s = (struct strings){ 0 };
}
