#include "profile/functions.h"

#include "base/hash.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const struct functions *fs, string_id name, string_id file, uint32_t line)
{
	uint64_t h = hash_u64((uint64_t)name << 32 | file);

	return (uint32_t)(hash_u64(h ^ line) >> 16) & (fs->nslots - 1);
}

static void resize(struct functions *fs, uint32_t cap)
{
	fs->cap = cap;
	fs->at = alloc_checked(realloc(fs->at, fs->cap * sizeof(*fs->at)));
	free(fs->slots);
	fs->slots = NULL;
}

void functions_reserve(struct functions *fs, uint32_t n)
{
	if (n <= fs->cap)
		return;
	resize(fs, n);
	alloc_prefault(fs->at, fs->cap * sizeof(*fs->at));
	fs->nslots = MAX_OF(fs->nslots, 512u);
	while (fs->nslots / 2 < fs->cap)
		fs->nslots *= 2;
	fs->slots = alloc_array(fs->nslots, sizeof(*fs->slots));
	memset(fs->slots, 0, fs->nslots * sizeof(*fs->slots));
	for (uint32_t f = 0; f < fs->n; f++) {
		uint32_t i = slot_of(fs, fs->at[f].name, fs->at[f].file, fs->at[f].line);

		while (fs->slots[i])
			i = (i + 1) & (fs->nslots - 1);
		fs->slots[i] = f + 1;
	}
}

func_id functions_add(struct functions *fs, string_id name, string_id file, uint32_t line)
{
	if (fs->n == fs->cap)
		functions_reserve(fs, fs->cap ? 2 * fs->cap : 256);

	uint32_t i = slot_of(fs, name, file, line);

	for (; fs->slots[i]; i = (i + 1) & (fs->nslots - 1)) {
		const struct function *f = &fs->at[fs->slots[i] - 1];

		if (f->name == name && f->file == file && f->line == line)
			return fs->slots[i] - 1;
	}
	fs->at[fs->n] = (struct function){ .name = name, .file = file, .line = line };
	fs->slots[i] = ++fs->n;
	return fs->n - 1;
}

void functions_trim(struct functions *fs)
{
	if (fs->n)
		resize(fs, fs->n);
}

void functions_free(struct functions *fs)
{
	free(fs->at);
	free(fs->slots);
	*fs = (struct functions){ 0 };
}
