/*
 * Fresh pages cost more than what is done with them, unless they are huge; huge ones, of which
 * most may stay empty, cost memory. So the heap begins with a huge page, for all that is small,
 * and what is large is mapped by itself: then, too, what is freed of it is gone. glibc would stop
 * to do so for arrays as large as any that was freed before, and begins heaps anywhere.
 */
#include "cli/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

#define HUGE  ((uintptr_t)2 << 20)
#define LARGE (512 << 10)

void heap_of_large_arrays(void)
{
	uintptr_t at = (uintptr_t)sbrk(0), begin = (at + HUGE - 1) & ~(HUGE - 1);

	mallopt(M_MMAP_THRESHOLD, LARGE);
	mallopt(M_TRIM_THRESHOLD, (int)HUGE);
	if (sbrk((intptr_t)(begin - at)) == (void *)-1)
		return;
	mallopt(M_TOP_PAD, (int)HUGE);
	void *first = malloc(LARGE / 2); /* more than is left of the heap before */

	if ((uintptr_t)sbrk(0) >= begin + HUGE)
		madvise((void *)begin, HUGE, MADV_HUGEPAGE);
	mallopt(M_TOP_PAD, LARGE / 2);
	free(first);
}
#else
void heap_of_large_arrays(void)
{
}
#endif
