/*
 * Blocks double in size, so there are few of them; what is larger than a block
 * gets one of its own, straight from calloc, so that pages nobody touches cost
 * nothing, and does not make the blocks after it any larger. Memory below `clean` may have been
 * used before a rewind and is zeroed when it is given out again; memory above it is still zero.
 */
#include "base/arena.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_MIN ((size_t)16 << 10)
#define BLOCK_MAX ((size_t)4 << 20)
#define STEP      ((size_t)64 << 10) /* pages come so many bytes at a time */
#define ALIGN     _Alignof(max_align_t)

struct arena_block {
	struct arena_block *prev;
	size_t size;
	size_t step; /* the size it would have if nothing large had been asked for */
	size_t clean;
	size_t ready; /* bytes whose pages are there */
	_Alignas(max_align_t) unsigned char data[];
};

void arena_exhausted(size_t size)
{
	fprintf(stderr, "longpole: out of memory: %zu bytes refused\n", size);
	abort();
}

static void push_block(struct arena *a, size_t at_least)
{
	size_t last = a->block ? a->block->step : BLOCK_MIN / 2;
	size_t step = MIN_OF(2 * last, BLOCK_MAX), size = MAX_OF(step, at_least);

	if (size > SIZE_MAX - sizeof(struct arena_block))
		arena_exhausted(size);

	struct arena_block *b = calloc(1, sizeof(*b) + size);
	if (!b)
		arena_exhausted(size);
	if (size >= BLOCK_MAX)
		alloc_huge(b, sizeof(*b) + size);
	b->prev = a->block;
	b->size = size;
	b->step = size > step ? last : step;
	a->block = b;
	a->used = 0;
}

static void make_ready(struct arena_block *b, size_t end)
{
	size_t ready = MIN_OF(b->size, end + STEP);

	if (end - b->ready <= STEP) /* what is larger may never be used as a whole */
		alloc_prefault(b->data + b->ready, ready - b->ready);
	b->ready = ready;
}

static void *take(struct arena *a, size_t size, size_t align)
{
	size_t start = (a->used + align - 1) & ~(align - 1);

	if (!a->block || start > a->block->size || size > a->block->size - start) {
		push_block(a, size);
		start = 0;
	}
	struct arena_block *b = a->block;
	size_t end = start + size;

	if (start < b->clean)
		memset(b->data + start, 0, MIN_OF(end, b->clean) - start);
	b->clean = MAX_OF(b->clean, end);
	if (UNLIKELY(end > b->ready))
		make_ready(b, end);
	a->used = end;
	return b->data + start;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return take(a, size, ALIGN);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		arena_exhausted(SIZE_MAX);
	return arena_alloc(a, n * size);
}

char *arena_text(struct arena *a, const char *text, size_t n)
{
	char *copy = take(a, n + 1, 1);

	if (n) /* nothing may come from nowhere */
		memcpy(copy, text, n);
	return copy;
}

char *arena_print(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);

	char *text = arena_alloc(a, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	return text;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->block, a->used };
}

void arena_rewind(struct arena *a, struct arena_mark to)
{
	while (a->block != to.block) {
		struct arena_block *prev = a->block->prev;
		free(a->block);
		a->block = prev;
	}
	a->used = to.used;
}

void arena_free(struct arena *a)
{
	arena_rewind(a, (struct arena_mark){ NULL, 0 });
}
