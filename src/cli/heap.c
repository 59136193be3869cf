/*
 * Fresh pages cost more than what most analyses do with them, unless they are huge. So the heap
 * grows once, by a reserve that costs nothing until it is touched, and the kernel is told to back
 * that with huge pages. What is freed stays for the next analysis; only the largest arrays are
 * mapped by themselves, for they grow without being copied.
 */
#include "cli/heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

#define RESERVE (256 << 20)
#define LARGEST (128 << 20)
#define BEGIN   (256 << 10) /* more than the heap has left */
#define PAGE    ((uintptr_t)4096)

/* A reserve counts as memory where the space for addresses is limited. */
static bool is_limited(int resource)
{
	struct rlimit most;

	return !getrlimit(resource, &most) && most.rlim_cur / 16 < RESERVE;
}

void heap_for_analyses(void)
{
	if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA))
		return;
	mallopt(M_MMAP_THRESHOLD, LARGEST);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_TOP_PAD, RESERVE);
	char *begin = malloc(BEGIN);
	uintptr_t from = ((uintptr_t)begin + PAGE - 1) & ~(PAGE - 1), end = (uintptr_t)sbrk(0);

	mallopt(M_TOP_PAD, BEGIN);
	if (begin && end > from && end - from <= RESERVE + BEGIN + 2 * PAGE)
		madvise((void *)from, end - from, MADV_HUGEPAGE);
	free(begin);
}
#else
void heap_for_analyses(void)
{
}
#endif
