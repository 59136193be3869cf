/*
 * Growing: open addressing on (prefix, func). Sorting: the rows by function (a counting
 * sort), hung one before the other under their callers, so that every list of callees
 * ascends; sizes summed bottom-up then give each row its place in preorder.
 */
#include "profile/stacks.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static void *array(size_t n, size_t size)
{
	void *p = malloc(MAX_OF(n, 1) * size);

	if (!p)
		abort();
	return p;
}

static void resize(struct stacks *st, uint32_t cap)
{
	st->cap = cap;
	st->prefix = realloc(st->prefix, cap * sizeof(*st->prefix));
	st->func = realloc(st->func, cap * sizeof(*st->func));
	if (!st->prefix || !st->func)
		abort();
}

static uint32_t slot_of(const struct stacks *st, stack_id prefix, func_id func)
{
	return (uint32_t)(hash_u64((uint64_t)prefix << 32 | func) >> 16) & (st->nslots - 1);
}

static void rehash(struct stacks *st, uint32_t nslots)
{
	free(st->slots);
	st->nslots = nslots;
	st->slots = calloc(nslots, sizeof(*st->slots));
	if (!st->slots)
		abort();
	for (uint32_t s = 0; s < st->n; s++) {
		uint32_t i = slot_of(st, st->prefix[s], st->func[s]);

		while (st->slots[i])
			i = (i + 1) & (nslots - 1);
		st->slots[i] = s + 1;
	}
}

void stacks_reserve(struct stacks *st, uint32_t n)
{
	uint32_t nslots = MAX_OF(st->nslots, 1024u);

	while (nslots / 3 < n / 2)
		nslots *= 2;
	if (nslots > st->nslots)
		rehash(st, nslots);
	if (n > st->cap)
		resize(st, n);
}

stack_id stacks_add(struct stacks *st, stack_id prefix, func_id func)
{
	if (st->nslots / 3 <= st->n / 2)
		rehash(st, MAX_OF(2 * st->nslots, 1024u));

	uint32_t i = slot_of(st, prefix, func);

	for (; st->slots[i]; i = (i + 1) & (st->nslots - 1)) {
		stack_id s = st->slots[i] - 1;

		if (st->prefix[s] == prefix && st->func[s] == func)
			return s;
	}
	if (st->n == st->cap)
		resize(st, MAX_OF(2 * st->cap, 256u));
	st->prefix[st->n] = prefix;
	st->func[st->n] = func;
	st->slots[i] = ++st->n;
	return st->n - 1;
}

/* Callees of `prefix`, in ascending order of function. */
stack_id stacks_find(const struct stacks *st, stack_id prefix, func_id func)
{
	stack_id s = prefix == NONE ? 0 : prefix + 1;
	stack_id end = prefix == NONE ? st->n : st->end[prefix];

	for (; s < end; s = st->end[s])
		if (st->func[s] == func)
			return s;
	return NONE;
}

/* Rows in ascending order of function; equal ones stay in order. */
static uint32_t *by_function(const struct stacks *st, uint32_t nfuncs)
{
	uint32_t *rows = array(st->n, sizeof(*rows));
	uint32_t *at = calloc((size_t)nfuncs + 1, sizeof(*at));

	if (!at)
		abort();
	for (uint32_t s = 0; s < st->n; s++)
		at[st->func[s] + 1]++;
	for (uint32_t f = 0; f < nfuncs; f++)
		at[f + 1] += at[f];
	for (uint32_t s = 0; s < st->n; s++)
		rows[at[st->func[s]]++] = s;
	free(at);
	return rows;
}

/* Lists of callees: first[s + 1] of row s, first[0] the roots, 0 ends one; ids are row + 1. */
struct callees {
	uint32_t *first, *next;
};

static struct callees hang(const struct stacks *st, const uint32_t *rows)
{
	struct callees c = {
		.first = calloc((size_t)st->n + 1, sizeof(*c.first)),
		.next = array((size_t)st->n + 1, sizeof(*c.next)),
	};

	if (!c.first)
		abort();
	for (uint32_t k = st->n; k-- > 0;) {
		uint32_t s = rows[k];
		uint32_t *list = &c.first[st->prefix[s] == NONE ? 0 : st->prefix[s] + 1];

		c.next[s + 1] = *list;
		*list = s + 1;
	}
	return c;
}

/* The place in preorder of each row; `size` holds the rows at and below each. */
static void places(const struct stacks *st, struct callees c, const uint32_t *size, uint32_t *place)
{
	uint32_t at = 0;

	for (uint32_t s = c.first[0]; s; s = c.next[s]) {
		place[s - 1] = at;
		at += size[s - 1];
	}
	for (uint32_t p = 0; p < st->n; p++) {
		at = place[p] + 1;
		for (uint32_t s = c.first[p + 1]; s; s = c.next[s]) {
			place[s - 1] = at;
			at += size[s - 1];
		}
	}
}

static uint32_t *sizes(const struct stacks *st)
{
	uint32_t *size = array(st->n, sizeof(*size));

	for (uint32_t s = 0; s < st->n; s++)
		size[s] = 1;
	for (uint32_t s = st->n; s-- > 0;)
		if (st->prefix[s] != NONE)
			size[st->prefix[s]] += size[s];
	return size;
}

/* column[place[s]] = column[s] for all rows, through a fresh array. */
static uint32_t *moved(uint32_t *column, const uint32_t *place, uint32_t n)
{
	uint32_t *to = array(n, sizeof(*to));

	for (uint32_t s = 0; s < n; s++)
		to[place[s]] = column[s];
	free(column);
	return to;
}

stack_id *stacks_sort(struct stacks *st, uint32_t nfuncs)
{
	free(st->slots);
	st->slots = NULL;
	st->nslots = 0;

	uint32_t *place = by_function(st, nfuncs);
	struct callees c = hang(st, place);
	uint32_t *size = sizes(st);

	places(st, c, size, place);
	free(c.first);
	free(c.next);
	for (uint32_t s = 0; s < st->n; s++) {
		size[s] += place[s];
		if (st->prefix[s] != NONE)
			st->prefix[s] = place[st->prefix[s]];
	}
	st->end = moved(size, place, st->n);
	st->prefix = moved(st->prefix, place, st->n);
	st->func = moved(st->func, place, st->n);
	st->cap = st->n;
	return place;
}

void stacks_free(struct stacks *st)
{
	free(st->prefix);
	free(st->func);
	free(st->end);
	free(st->slots);
	*st = (struct stacks){ 0 };
}
