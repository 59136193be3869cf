/*
 * Growing: open addressing on (prefix, func). Sorting: the rows by function (a counting
 * sort), hung one before the other under their callers, so that every list of callees
 * ascends and equal ones are neighbours, which are joined; sizes summed bottom-up then
 * give each row its place in preorder.
 */
#include "profile/stacks.h"

#include "algo/sort.h"
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

/* ---- Equal rows ---- */

struct joiner {
	struct stacks *st;
	struct callees c;
	stack_id *into; /* of each row: the equal one that stays, itself at first */
	uint32_t *ids, *spare;
	uint32_t cap;
};

static bool function_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct stacks *st = ctx;

	return st->func[a] != st->func[b] ? st->func[a] < st->func[b] : a < b;
}

static void push_callees(struct joiner *j, stack_id s, uint32_t *n)
{
	for (uint32_t x = j->c.first[s + 1]; x; x = j->c.next[x]) {
		if (*n == j->cap) {
			j->cap = j->cap ? 2 * j->cap : 256;
			j->ids = realloc(j->ids, j->cap * sizeof(*j->ids));
			j->spare = realloc(j->spare, j->cap * sizeof(*j->spare));
			if (!j->ids || !j->spare)
				abort();
		}
		j->ids[(*n)++] = x - 1;
	}
}

/* The rows from `s` on that have its function become `s`; their callees its own, in order. */
static void join_run(struct joiner *j, stack_id s)
{
	uint32_t n = 0, x;

	push_callees(j, s, &n);
	while ((x = j->c.next[s + 1]) && j->st->func[x - 1] == j->st->func[s]) {
		push_callees(j, x - 1, &n);
		j->into[x - 1] = s;
		j->c.first[x] = 0;
		j->c.next[s + 1] = j->c.next[x];
	}
	sort_ids(j->ids, n, j->spare, function_before, j->st);
	j->c.first[s + 1] = n ? j->ids[0] + 1 : 0;
	for (uint32_t i = 0; i < n; i++)
		j->c.next[j->ids[i] + 1] = i + 1 < n ? j->ids[i + 1] + 1 : 0;
}

/* Callers come first, so a list is whole when it is looked at: each row is moved at most once. */
static void join(struct joiner *j)
{
	for (uint32_t p = 0; p <= j->st->n; p++)
		for (uint32_t s = j->c.first[p]; s; s = j->c.next[s]) {
			uint32_t x = j->c.next[s];

			if (x && j->st->func[x - 1] == j->st->func[s - 1])
				join_run(j, s - 1);
		}
	for (stack_id s = 0; s < j->st->n; s++)
		if (j->st->prefix[s] != NONE)
			j->st->prefix[s] = j->into[j->st->prefix[s]];
	free(j->ids);
	free(j->spare);
}

/* ---- Places ---- */

static uint32_t put_callees(struct callees c, uint32_t list, uint32_t at, const uint32_t *size,
			    uint32_t *place)
{
	for (uint32_t s = c.first[list]; s; s = c.next[s]) {
		place[s - 1] = at;
		at += size[s - 1];
	}
	return at;
}

/* The rows at and below each that stays. */
static uint32_t *sizes(const struct stacks *st, const stack_id *into)
{
	uint32_t *size = array(st->n, sizeof(*size));

	for (uint32_t s = 0; s < st->n; s++)
		size[s] = into[s] == s;
	for (uint32_t s = st->n; s-- > 0;)
		if (into[s] == s && st->prefix[s] != NONE)
			size[st->prefix[s]] += size[s];
	return size;
}

/* The rows that stay go to their places, n of them; `size` and `into` are used up. */
static void move_rows(struct stacks *st, uint32_t *size, stack_id *into, uint32_t *place,
		      uint32_t n)
{
	struct stacks to = {
		.n = n,
		.cap = n,
		.prefix = array(n, sizeof(*to.prefix)),
		.func = array(n, sizeof(*to.func)),
		.end = array(n, sizeof(*to.end)),
	};

	for (stack_id s = 0; s < st->n; s++) {
		stack_id up = st->prefix[s], at = place[into[s]];

		place[s] = at;
		if (into[s] != s)
			continue;
		to.prefix[at] = up == NONE ? NONE : place[up];
		to.func[at] = st->func[s];
		to.end[at] = at + size[s];
	}
	free(size);
	free(into);
	stacks_free(st);
	*st = to;
}

stack_id *stacks_sort(struct stacks *st, uint32_t nfuncs)
{
	free(st->slots);
	st->slots = NULL;
	st->nslots = 0;

	uint32_t *rows = by_function(st, nfuncs), *place = array(st->n, sizeof(*place));
	struct joiner j = { .st = st, .c = hang(st, rows), .into = rows };

	for (uint32_t s = 0; s < st->n; s++)
		rows[s] = s;
	join(&j);
	uint32_t *size = sizes(st, j.into);
	uint32_t n = put_callees(j.c, 0, 0, size, place);

	for (uint32_t p = 0; p < st->n; p++)
		put_callees(j.c, p + 1, place[p] + 1, size, place);
	free(j.c.first);
	free(j.c.next);
	move_rows(st, size, j.into, place, n);
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
