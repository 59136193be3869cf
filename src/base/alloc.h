/*
 * alloc.h - memory outside arenas: columns that grow, and what lives as long as no arena.
 *
 * There is no going on without memory, so nobody looks at the result: one message, abort.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

/* The message and the end. */
_Noreturn void alloc_failed(void);

/* What malloc, calloc, realloc or strdup gave. */
static inline void *alloc_checked(void *p)
{
	if (!p)
		alloc_failed();
	return p;
}

/* An array of at least one. */
void *alloc_array(size_t n, size_t size);
void *alloc_zeroed(size_t n, size_t size);
/*
 * For memory that is about to be written from end to end: its pages come at once, which costs a
 * twentieth of what they cost one by one.
 */
void alloc_prefault(void *at, size_t size);
/* The same for what is used from its beginning on, if perhaps not to the end: huge pages. */
void alloc_huge(void *at, size_t size);
/* An array of which `used` bytes are in use, with room for `size`, all of it for use soon. */
void *alloc_resized(void *at, size_t used, size_t size);
/* Twice as large; *cap counts elements. */
void *alloc_grown(void *at, size_t *cap, size_t size);

#endif
