/* Open addressing on (prefix, func). */
#include "profile/stacks.h"

#include "base/hash.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void resize(struct stacks *st, uint32_t cap)
{
	st->cap = cap;
	st->prefix = alloc_checked(realloc(st->prefix, cap * sizeof(*st->prefix)));
	st->func = alloc_checked(realloc(st->func, cap * sizeof(*st->func)));
}

static uint32_t slot_of(const struct stacks *st, stack_id prefix, func_id func)
{
	return (uint32_t)(hash_u64((uint64_t)prefix << 32 | func) >> 16) & (st->nslots - 1);
}

static void rehash(struct stacks *st, uint32_t nslots)
{
	free(st->slots);
	st->nslots = nslots;
	st->slots = alloc_checked(calloc(nslots, sizeof(*st->slots)));
	for (uint32_t s = 0; s < st->n; s++) {
		uint32_t i = slot_of(st, st->prefix[s], st->func[s]);

		while (st->slots[i])
			i = (i + 1) & (nslots - 1);
		st->slots[i] = s + 1;
	}
}

static void reserve_slots(struct stacks *st, uint32_t n)
{
	uint32_t nslots = MAX_OF(st->nslots, 1024u);

	while (nslots / 3 <= n / 2)
		nslots *= 2;
	if (nslots > st->nslots)
		rehash(st, nslots);
}

void stacks_reserve(struct stacks *st, uint32_t n)
{
	reserve_slots(st, n);
	if (n > st->cap)
		resize(st, n);
}

stack_id stacks_add(struct stacks *st, stack_id prefix, func_id func)
{
	if (st->nslots / 3 <= st->n / 2)
		reserve_slots(st, st->n + 1);

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

void stacks_free(struct stacks *st)
{
	free(st->prefix);
	free(st->func);
	free(st->end);
	free(st->slots);
	*st = (struct stacks){ 0 };
}
