#include "base/alloc.h"

#include "base/base.h"

#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_CAP    256
#define PAGE         ((uintptr_t)4096)
#define HUGE         ((uintptr_t)2 << 20)
#define PREFAULT_MIN ((size_t)32 << 10)
#define MOVED_MIN    ((size_t)128 << 10) /* realloc() then moves pages, not bytes */

void alloc_failed(void)
{
	fputs("longpole: out of memory\n", stderr);
	abort();
}

void alloc_prefault(void *at, size_t size)
{
#ifdef MADV_POPULATE_WRITE /* an older kernel refuses it, and they come one by one */
	uintptr_t from = ((uintptr_t)at + PAGE - 1) & ~(PAGE - 1);
	uintptr_t end = ((uintptr_t)at + size) & ~(PAGE - 1);

	if (size >= PREFAULT_MIN && end > from)
		madvise((void *)from, end - from, MADV_POPULATE_WRITE);
#else
	(void)at;
	(void)size;
#endif
}

void alloc_huge(void *at, size_t size)
{
	uintptr_t from = ((uintptr_t)at + HUGE - 1) & ~(HUGE - 1);
	uintptr_t end = ((uintptr_t)at + size) & ~(HUGE - 1);

	if (end > from)
		madvise((void *)from, end - from, MADV_HUGEPAGE);
}

void *alloc_array(size_t n, size_t size)
{
	void *at = alloc_checked(malloc((n ? n : 1) * size));

	alloc_prefault(at, n * size);
	return at;
}

void *alloc_resized(void *at, size_t used, size_t size)
{
	if (used >= MOVED_MIN) {
		at = alloc_checked(realloc(at, size));
		if (size > used)
			alloc_prefault((char *)at + used, size - used);
		return at;
	}
	void *to = alloc_array(1, size);

	if (used)
		memcpy(to, at, MIN_OF(used, size));
	free(at);
	return to;
}

void *alloc_zeroed(size_t n, size_t size)
{
	return alloc_checked(calloc(n ? n : 1, size));
}

void *alloc_grown(void *at, size_t *cap, size_t size)
{
	*cap = *cap ? 2 * *cap : FIRST_CAP;
	return alloc_checked(realloc(at, *cap * size));
}
