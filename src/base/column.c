#include "base/column.h"

#include "base/arena.h"

#include <sys/mman.h>

#define COLUMN_MIN ((size_t)64 << 10)
#define PAGE       ((size_t)4096)

static void *map(size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void column_reserve(struct column *c, size_t size)
{
	size_t room = c->size ? c->size : COLUMN_MIN;

	if (size <= c->size)
		return;
	while (room < size)
		room *= 2;
	void *at = c->at ? mremap(c->at, c->size, room, MREMAP_MAYMOVE) : map(room);
	if (at == MAP_FAILED)
		arena_exhausted(room);
	*c = (struct column){ at, room };
}

void column_trim(struct column *c, size_t size)
{
	size_t keep = (size + PAGE - 1) & ~(PAGE - 1);

	if (!keep) {
		column_free(c);
	} else if (keep < c->size) {
		munmap((char *)c->at + keep, c->size - keep);
		c->size = keep;
	}
}

void column_free(struct column *c)
{
	if (c->at)
		munmap(c->at, c->size);
	*c = (struct column){ 0 };
}
