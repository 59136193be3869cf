/*
 * Open addressing with linear probing. Taking back the newest entries in reverse
 * order leaves the table exactly as it was before them, so rewinding needs no marks.
 */
#include "trace/lexicon.h"

#include "base/arena.h"

#include <stdlib.h>

#define SLOTS_MIN 1024

static char *pool(const struct lexicon *x)
{
	return x->pool.at;
}

static struct lexicon_slot *free_slot(const struct lexicon *x, uint64_t hash)
{
	uint32_t i = (uint32_t)hash;

	while (x->slots[i & (x->nslots - 1)].used)
		i++;
	return &x->slots[i & (x->nslots - 1)];
}

static void grow(struct lexicon *x)
{
	struct lexicon_slot *old = x->slots;
	uint32_t n = x->nslots;

	x->nslots = n ? 2 * n : SLOTS_MIN;
	x->slots = calloc(x->nslots, sizeof(*x->slots));
	if (!x->slots)
		arena_exhausted(x->nslots * sizeof(*x->slots));
	/* In order of ids, so that the newest still come off in reverse. */
	struct lexicon_slot **by_id = malloc((x->n + 1) * sizeof(struct lexicon_slot *));
	if (!by_id)
		arena_exhausted(x->n * sizeof(struct lexicon_slot *));
	for (uint32_t i = 0; i < n; i++)
		if (old[i].used)
			by_id[old[i].id] = &old[i];
	for (uint32_t id = 0; id < x->n; id++)
		*free_slot(x, by_id[id]->hash) = *by_id[id];
	free(by_id);
	free(old);
}

/* What raw says, written behind the pool. */
static size_t say(struct str raw, enum spelling how, char *out, struct faults *f)
{
	switch (how) {
	case SPELL_FIELD:
		*out = '.';
		return 1 + json_unescape(raw, out + 1, f, 0);
	case SPELL_TEXT:
		return json_tidy(raw, out, f);
	case SPELL_STRING:
		return json_unescape(raw, out, f, 0);
	default:
		return 0;
	}
}

static uint32_t keep_faults(struct lexicon *x, const struct faults *f)
{
	if (!f->any)
		return 0;
	column_reserve(&x->faults, (x->nfaults + 1) * sizeof(*f));
	((struct faults *)x->faults.at)[x->nfaults++] = *f;
	return x->nfaults;
}

static struct lexicon_entry new_entry(struct lexicon *x, struct str raw, enum spelling how,
				      uint64_t hash)
{
	struct lexicon_entry e = { .hash = hash,
				   .raw_at = x->pool_used,
				   .raw_n = (uint32_t)raw.n,
				   .how = how,
				   .next = NONE };
	struct faults f = { 0 };

	column_reserve(&x->pool, x->pool_used + 7 * raw.n + 64);
	memcpy(pool(x) + e.raw_at, raw.p, raw.n);
	char *out = pool(x) + e.raw_at + raw.n;
	size_t n = say(raw, how, out, &f);

	if (how == SPELL_WORD || (n == raw.n && !memcmp(raw.p, out, n))) {
		e.at = e.raw_at;
		e.n = (uint32_t)raw.n;
		x->pool_used += raw.n;
	} else {
		e.at = e.raw_at + raw.n;
		e.n = (uint32_t)n;
		x->pool_used += raw.n + n;
	}
	e.faults = keep_faults(x, &f);
	return e;
}

/* A list or an object must be one, and nothing more. */
static bool is_nested(struct str raw)
{
	const char *p = raw.p;

	return json_value_end(&p, raw.p + raw.n) == SCAN_OK && p == raw.p + raw.n;
}

const struct lexicon_slot *lexicon_insert(struct lexicon *x, struct str raw, enum spelling how,
					  uint64_t hash)
{
	if (how == SPELL_TEXT && !is_nested(raw))
		return NULL;
	if (x->n >= x->nslots / 2)
		grow(x);
	struct lexicon_entry e = new_entry(x, raw, how, hash);
	uint32_t id = x->n++;
	struct lexicon_slot *slot = free_slot(x, hash);

	column_reserve(&x->entries, (size_t)(id + 1) * sizeof(e));
	*lexicon_entry(x, id) = e;
	*slot = (struct lexicon_slot){ hash, e.raw_at, how, e.faults != 0, 1, (uint32_t)raw.n, id };
	return slot;
}

uint32_t lexicon_add(struct lexicon *x, const char *p, size_t n, enum spelling how)
{
	const struct lexicon_slot *slot = lexicon_slot(x, p, n, how);

	return slot ? slot->id : NONE;
}

const struct faults *lexicon_faults(const struct lexicon *x, uint32_t id)
{
	uint32_t row = lexicon_entry(x, id)->faults;

	return row ? (struct faults *)x->faults.at + row - 1 : NULL;
}

struct str lexicon_get(const struct lexicon *x, uint32_t id)
{
	const struct lexicon_entry *e = lexicon_entry(x, id);

	return (struct str){ pool(x) + e->at, e->n };
}

static void take_back(struct lexicon *x, uint32_t id)
{
	const struct lexicon_entry *e = lexicon_entry(x, id);
	uint32_t i = (uint32_t)e->hash;

	while (x->slots[i & (x->nslots - 1)].id != id || !x->slots[i & (x->nslots - 1)].used)
		i++;
	x->slots[i & (x->nslots - 1)] = (struct lexicon_slot){ 0 };
	x->pool_used = e->raw_at;
	if (e->faults)
		x->nfaults = e->faults - 1;
}

void lexicon_rewind(struct lexicon *x, uint32_t n)
{
	x->epoch += x->n > n;
	while (x->n > n)
		take_back(x, --x->n);
	x->done = MIN_OF(x->done, n);
}

void lexicon_free(struct lexicon *x)
{
	free(x->slots);
	column_free(&x->entries);
	column_free(&x->to);
	column_free(&x->pool);
	column_free(&x->faults);
	*x = (struct lexicon){ .epoch = x->epoch + 1 };
}
