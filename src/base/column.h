/*
 * column.h - an array that grows to gigabytes without being copied.
 *
 * Pages come from the kernel zeroed and untouched ones cost nothing, so room is
 * doubled freely; growing moves page tables, not bytes. The array may change its
 * address whenever it grows.
 */
#ifndef BASE_COLUMN_H
#define BASE_COLUMN_H

#include "base/base.h"

struct column {
	void *at;
	size_t size; /* bytes of room */
};

/* Makes room for at least `size` bytes; new room is zero. */
void column_reserve(struct column *c, size_t size);
/* Gives back all room past the first `size` bytes. */
void column_trim(struct column *c, size_t size);
void column_free(struct column *c);

#endif
