/*
 * arena.h - memory that is given back all at once.
 *
 * Whatever belongs to a trace lives in the arena of that trace and dies with
 * it; whatever an analysis needs only while it runs lives in a scratch arena
 * between arena_mark() and arena_rewind(). Few other modules call free().
 *
 * Running out of memory ends the program: nothing here returns NULL.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

#include <stdarg.h>

struct arena {
	struct arena_block *block;
	size_t used; /* bytes taken from the newest block */
};

struct arena_mark {
	struct arena_block *block;
	size_t used;
};

/* Zeroed, aligned for any type. `struct arena a = {0}` is an empty arena. */
void *arena_alloc(struct arena *a, size_t size);
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark to);
void arena_free(struct arena *a);

/* The one way out when there is no memory: says how much was refused and aborts. */
_Noreturn void arena_exhausted(size_t size);

/* NEW(a, n, T): n zeroed objects of type T. */
void *arena_array(struct arena *a, size_t n, size_t size);
#define NEW(a, n, T) ((T *)arena_array((a), (n), sizeof(T)))

/* NUL-terminated copies: of n bytes, and of what printf would print. */
char *arena_text(struct arena *a, const char *text, size_t n);
char *arena_print(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
