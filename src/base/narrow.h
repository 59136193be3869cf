/*
 * narrow.h - a column of numbers in as few bytes as nearly all of them need.
 *
 * One, two or four bytes each. A few that are too large for the others stand aside, by row;
 * when they are no longer few, the column is widened.
 */
#ifndef BASE_NARROW_H
#define BASE_NARROW_H

#include "base/base.h"

struct narrow {
	void *at;
	size_t n, cap;
	unsigned width; /* bytes of a number; all ones in fewer than four: it stands aside */
	struct narrow_aside {
		uint32_t row, value;
	} * aside; /* open addressing; row NONE is free */
	uint32_t naside, nslots;
};

/* What is too large for the others. */
void narrow_set_large(struct narrow *c, size_t i, uint32_t v);
/* Appends v[0..n), each plus `add` (ids plus one: none is then the smallest number). */
void narrow_push(struct narrow *c, const uint32_t *v, size_t n, uint32_t add);
/* Makes it n rows long; the new ones are 0. */
void narrow_extend(struct narrow *c, size_t n);
/* Gives back the room for more. */
void narrow_trim(struct narrow *c);
void narrow_free(struct narrow *c);

/* What stands aside for row i. */
uint32_t narrow_aside(const struct narrow *c, size_t i);

static inline uint32_t narrow_get(const struct narrow *c, size_t i)
{
	uint32_t v = c->width == 2   ? ((const uint16_t *)c->at)[i]
		     : c->width == 1 ? ((const uint8_t *)c->at)[i]
				     : ((const uint32_t *)c->at)[i];

	return LIKELY(v != UINT32_MAX >> (32 - 8 * c->width)) ? v : narrow_aside(c, i);
}

static inline void narrow_set(struct narrow *c, size_t i, uint32_t v)
{
	if (c->width == 4)
		((uint32_t *)c->at)[i] = v;
	else if (UNLIKELY(v >= UINT32_MAX >> (32 - 8 * c->width)))
		narrow_set_large(c, i, v);
	else if (c->width == 2)
		((uint16_t *)c->at)[i] = (uint16_t)v;
	else
		((uint8_t *)c->at)[i] = (uint8_t)v;
}

#endif
