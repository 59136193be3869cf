/*
 * A fingerprint is what stands below a node, level by level, as multisets of names. A
 * multiset becomes the sum of the hashes of its members, so level k of a node is the sum
 * of level k - 1 of its children: one pass over falling ids.
 */
#include "analysis/diff_side.h"

#include "base/hash.h"

#include <string.h>

static void rank_names(struct diff_side *s, const struct diff_names *names)
{
	for (uint32_t i = 0; i < s->n; i++)
		s->name[i] = names->rank[s->name[i]];
}

static void set_flags(struct diff_side *s)
{
	for (uint32_t i = s->n; i-- > 1;) {
		uint8_t *up = &s->flags[s->parent[i]];

		if (diff_is_gpu(s->kind[i]))
			s->flags[i] |= DIFF_ON_GPU;
		*up |= s->flags[i] & DIFF_ON_GPU;
		*up |= s->kind[i] == DIFF_CALL ? DIFF_LAUNCHES : 0;
	}
}

static void set_levels(struct diff_side *s, const struct diff_names *names, struct arena *a)
{
	for (int k = 0; k < DIFF_LEVELS; k++)
		s->level[k] = NEW(a, s->n, uint64_t);
	for (uint32_t i = s->n; i-- > 1;) {
		uint32_t up = s->parent[i];

		if (!diff_on_gpu(s, i))
			continue;
		s->level[0][up] += names->hash[s->name[i]];
		for (int k = 1; k < DIFF_LEVELS; k++)
			s->level[k][up] += s->level[k - 1][i];
	}
}

/* From the last child to the first, each is mixed into what its later siblings came to. */
static void set_whole(struct diff_side *s, const struct diff_names *names, struct arena *a)
{
	s->whole = NEW(a, s->n, uint64_t);
	for (uint32_t i = s->n; i-- > 0;) {
		uint64_t own = hash_mix(names->hash[s->name[i]] ^ s->kind[i],
					hash_u64((uint64_t)s->dims[i] << 32 | s->types[i]) | 1);

		s->whole[i] = hash_mix(s->whole[i] ^ 0x9e3779b97f4a7c15, own | 1);
		if (i)
			s->whole[s->parent[i]] = hash_mix(
				s->whole[s->parent[i]] ^ 0xd6e8feb86659fd93, s->whole[i] | 1);
	}
}

void diff_sides_finish(struct diff_sides *d)
{
	diff_names_rank(&d->names);
	for (int k = 0; k < 2; k++) {
		rank_names(&d->side[k], &d->names);
		set_flags(&d->side[k]);
		set_levels(&d->side[k], &d->names, &d->prints);
		set_whole(&d->side[k], &d->names, &d->prints);
	}
}

void diff_sides_merged(struct diff_sides *d)
{
	arena_free(&d->prints);
	for (int k = 0; k < 2; k++) {
		memset(d->side[k].level, 0, sizeof(d->side[k].level));
		d->side[k].whole = NULL;
	}
}

void diff_sides_free(struct diff_sides *d)
{
	strings_free(&d->shapes);
	diff_names_free(&d->names);
	arena_free(&d->arena);
	arena_free(&d->prints);
}

uint64_t diff_levels_key(const struct diff_side *s, uint32_t node, unsigned n)
{
	uint64_t key = 0x6a09e667f3bcc908;

	for (unsigned k = 0; k < n; k++)
		key = hash_mix(key ^ 0x9e3779b97f4a7c15, hash_u64(s->level[k][node]) | 1);
	return key;
}
