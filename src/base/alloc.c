#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_CAP 256

void alloc_failed(void)
{
	fputs("longpole: out of memory\n", stderr);
	abort();
}

void *alloc_array(size_t n, size_t size)
{
	return alloc_checked(malloc((n ? n : 1) * size));
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
