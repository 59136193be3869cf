#include "base/narrow.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define AT_ONCE  ((size_t)32)
#define STEP_MIN ((size_t)64 << 10) /* bytes of more room */

static uint32_t escape(const struct narrow *c)
{
	return UINT32_MAX >> (32 - 8 * c->width);
}

/* ---- What stands aside ---- */

static uint32_t slot_of(const struct narrow *c, uint32_t row)
{
	uint32_t k = (uint32_t)(hash_u64(row) >> 32) & (c->nslots - 1);

	while (c->aside[k].row != NONE && c->aside[k].row != row)
		k = (k + 1) & (c->nslots - 1);
	return k;
}

uint32_t narrow_aside(const struct narrow *c, size_t i)
{
	return c->width == 4 ? UINT32_MAX : c->aside[slot_of(c, (uint32_t)i)].value;
}

static void grow_aside(struct narrow *c)
{
	struct narrow_aside *old = c->aside;
	uint32_t n = c->nslots;

	c->nslots = n ? 2 * n : 64;
	c->aside = alloc_array(c->nslots, sizeof(*c->aside));
	memset(c->aside, 0xff, c->nslots * sizeof(*c->aside));
	for (uint32_t k = 0; k < n; k++)
		if (old[k].row != NONE)
			c->aside[slot_of(c, old[k].row)] = old[k];
	free(old);
}

static void put_aside(struct narrow *c, uint32_t row, uint32_t v)
{
	if (c->naside >= c->nslots / 4 * 3)
		grow_aside(c);
	struct narrow_aside *to = &c->aside[slot_of(c, row)];

	c->naside += to->row == NONE;
	*to = (struct narrow_aside){ row, v };
}

/* ---- Rows ---- */

static void store(struct narrow *c, size_t i, uint32_t v)
{
	if (c->width == 1)
		((uint8_t *)c->at)[i] = (uint8_t)v;
	else if (c->width == 2)
		((uint16_t *)c->at)[i] = (uint16_t)v;
	else
		((uint32_t *)c->at)[i] = v;
}

/* Room for n rows, a part more than there was: the rest of it is not touched in vain. */
static void reserve(struct narrow *c, size_t n)
{
	size_t used = c->cap * c->width;

	if (!c->width)
		c->width = 1;
	if (n <= c->cap)
		return;
	c->cap = MAX_OF(n, c->cap + MAX_OF(c->cap / 8, STEP_MIN / c->width));
	c->at = alloc_resized(c->at, used, c->cap * c->width);
}

static void widen(struct narrow *c)
{
	struct narrow to = { .n = c->n, .width = 2 * c->width };

	reserve(&to, c->n);
	for (size_t i = 0; i < c->n; i++)
		narrow_set(&to, i, narrow_get(c, i));
	narrow_free(c);
	*c = to;
}

void narrow_set_large(struct narrow *c, size_t i, uint32_t v)
{
	if (c->naside <= c->n / 32 + 64) {
		store(c, i, escape(c));
		put_aside(c, (uint32_t)i, v);
	} else {
		widen(c);
		narrow_set(c, i, v);
	}
}

/* Do n numbers fit? No is also said of some that do. */
static bool all_fit(const struct narrow *c, const uint32_t *v, size_t n, uint32_t add)
{
	uint32_t any = 0;

	for (size_t k = 0; k < n; k++)
		any |= v[k] + add;
	return any < escape(c) || c->width == 4;
}

/* Appends n numbers that fit. */
static void put_all(struct narrow *c, const uint32_t *v, size_t n, uint32_t add)
{
	if (c->width == 1)
		for (size_t k = 0; k < n; k++)
			((uint8_t *)c->at)[c->n + k] = (uint8_t)(v[k] + add);
	else if (c->width == 2)
		for (size_t k = 0; k < n; k++)
			((uint16_t *)c->at)[c->n + k] = (uint16_t)(v[k] + add);
	else
		for (size_t k = 0; k < n; k++)
			((uint32_t *)c->at)[c->n + k] = v[k] + add;
	c->n += n;
}

void narrow_push(struct narrow *c, const uint32_t *v, size_t n, uint32_t add)
{
	for (size_t k = 0, some; k < n; k += some) {
		some = MIN_OF(n - k, AT_ONCE);
		reserve(c, c->n + some);
		if (all_fit(c, v + k, some, add)) {
			put_all(c, v + k, some, add);
			continue;
		}
		for (size_t i = 0; i < some; i++) {
			reserve(c, c->n + 1); /* it may have been widened */
			store(c, c->n, 0);
			narrow_set(c, c->n++, v[k + i] + add);
		}
	}
}

void narrow_extend(struct narrow *c, size_t n)
{
	if (n <= c->n)
		return;
	reserve(c, n);
	memset((char *)c->at + c->n * c->width, 0, (n - c->n) * c->width);
	c->n = n;
}

void narrow_trim(struct narrow *c)
{
	if (c->n)
		c->at = alloc_checked(realloc(c->at, c->n * c->width));
	c->cap = c->n;
}

void narrow_free(struct narrow *c)
{
	free(c->at);
	free(c->aside);
	*c = (struct narrow){ 0 };
}
