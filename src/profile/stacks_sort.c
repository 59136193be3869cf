/*
 * The rows by function (a counting sort), hung one before the other under their callers, so
 * that every list of callees ascends and equal ones are neighbours. A walk over these lists
 * is preorder: it joins neighbours that are equal when it comes to them, and each row that
 * it enters gets the next place.
 *
 *	first[s]   the first callee of s; once s is entered, its place
 *	next[s]    the next callee of s's caller; once s is joined, the row it became
 *
 * Links are row + 1, 0 is none. With the columns themselves and `end` that is all there is
 * at any time: twenty bytes a stack.
 */
#include "profile/stacks.h"

#include "algo/sort.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct sorter {
	struct stacks *st;
	uint32_t roots; /* the list of those */
	uint32_t *first, *next;
	uint64_t *joined; /* a bit for each row that became another; NULL: none did */
	uint32_t njoined;
	uint32_t *ids, *spare; /* scratch: the callees of rows that are joined */
	uint32_t cap;
};

/* Rows in ascending order of function; equal ones stay in order. */
static uint32_t *by_function(const struct stacks *st, uint32_t nfuncs)
{
	uint32_t *rows = alloc_array(st->n, sizeof(*rows));
	uint32_t *at = alloc_zeroed((size_t)nfuncs + 1, sizeof(*at));

	for (uint32_t s = 0; s < st->n; s++)
		at[st->func[s] + 1]++;
	for (uint32_t f = 0; f < nfuncs; f++)
		at[f + 1] += at[f];
	for (uint32_t s = 0; s < st->n; s++)
		rows[at[st->func[s]]++] = s;
	free(at);
	return rows;
}

static void hang(struct sorter *so, uint32_t nfuncs)
{
	const struct stacks *st = so->st;
	uint32_t *rows = by_function(st, nfuncs);

	so->first = alloc_zeroed(st->n, sizeof(*so->first));
	so->next = alloc_array(st->n, sizeof(*so->next));
	for (uint32_t k = st->n; k-- > 0;) {
		uint32_t s = rows[k];
		uint32_t *list = st->prefix[s] == NONE ? &so->roots : &so->first[st->prefix[s]];

		so->next[s] = *list;
		*list = s + 1;
	}
	free(rows);
}

/* ---- Equal rows ---- */

static bool function_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct stacks *st = ctx;

	return st->func[a] != st->func[b] ? st->func[a] < st->func[b] : a < b;
}

/* The callees of `from` become those of `to`, and are listed. */
static void move_callees(struct sorter *so, stack_id from, stack_id to, uint32_t *n)
{
	for (uint32_t x = so->first[from]; x; x = so->next[x - 1]) {
		if (*n == so->cap) {
			so->cap = so->cap ? 2 * so->cap : 256;
			so->ids = alloc_checked(realloc(so->ids, so->cap * sizeof(*so->ids)));
			so->spare = alloc_checked(realloc(so->spare, so->cap * sizeof(*so->spare)));
		}
		so->st->prefix[x - 1] = to;
		so->ids[(*n)++] = x - 1;
	}
}

static bool is_joined(const struct sorter *so, stack_id s)
{
	return so->joined && so->joined[s / 64] >> s % 64 & 1;
}

static void note_joined(struct sorter *so, stack_id s, stack_id into)
{
	if (!so->joined)
		so->joined = alloc_zeroed((size_t)so->st->n / 64 + 1, sizeof(*so->joined));
	so->joined[s / 64] |= (uint64_t)1 << s % 64;
	so->njoined++;
	so->next[s] = into + 1;
}

/* The rows from `s` on that have its function become `s`; their callees its own, in order. */
static void join_run(struct sorter *so, stack_id s)
{
	const func_id *func = so->st->func;
	uint32_t n = 0, x;

	move_callees(so, s, s, &n);
	while ((x = so->next[s]) && func[x - 1] == func[s]) {
		move_callees(so, x - 1, s, &n);
		so->next[s] = so->next[x - 1];
		note_joined(so, x - 1, s);
	}
	sort_ids(so->ids, n, so->spare, function_before, so->st);
	so->first[s] = n ? so->ids[0] + 1 : 0;
	for (uint32_t i = 0; i < n; i++)
		so->next[so->ids[i]] = i + 1 < n ? so->ids[i + 1] + 1 : 0;
}

/* Callers come first, so a list is whole when it is looked at: each row is moved at most once. */
static void join(struct sorter *so, uint32_t list)
{
	const func_id *func = so->st->func;

	for (uint32_t s = list, x; s; s = so->next[s - 1])
		if ((x = so->next[s - 1]) && func[x - 1] == func[s - 1])
			join_run(so, s - 1);
}

/* ---- Places ---- */

/* Past all rows that end with s: the next one in preorder, 0 past the last. */
static uint32_t leave(const struct sorter *so, uint32_t s, uint32_t at, stack_id *end)
{
	while (s) {
		stack_id up = so->st->prefix[s - 1];

		end[so->first[s - 1]] = at;
		if (so->next[s - 1])
			return so->next[s - 1];
		s = up == NONE ? 0 : up + 1;
	}
	return 0;
}

/* Gives every row that stays its place, in first[], and finds `end` by place. */
static void walk(struct sorter *so, stack_id *end)
{
	uint32_t at = 0, s = so->roots;

	join(so, s);
	while (s) {
		uint32_t down = so->first[s - 1];

		so->first[s - 1] = at++;
		join(so, down);
		s = down ? down : leave(so, s, at, end);
	}
}

/* Rows that were joined are where the ones are that they became. */
static void place_joined(struct sorter *so)
{
	for (stack_id s = 0; so->joined && s < so->st->n; s++)
		if (is_joined(so, s))
			so->first[s] = so->first[so->next[s] - 1];
}

/* A column with its rows at their places. */
static uint32_t *moved(const struct sorter *so, uint32_t *column, uint32_t n, bool of_rows)
{
	const uint32_t *place = so->first;
	uint32_t *to = alloc_array(n, sizeof(*to));

	for (stack_id s = 0; s < so->st->n; s++)
		if (!is_joined(so, s))
			to[place[s]] = of_rows && column[s] != NONE ? place[column[s]] : column[s];
	free(column);
	return to;
}

stack_id *stacks_sort(struct stacks *st, uint32_t nfuncs)
{
	struct sorter so = { .st = st };

	free(st->slots);
	st->slots = NULL;
	st->nslots = 0;
	free(st->end);
	hang(&so, nfuncs);
	st->end = alloc_array(st->n, sizeof(*st->end));
	walk(&so, st->end);
	place_joined(&so);
	free(so.next);
	free(so.ids);
	free(so.spare);

	uint32_t n = st->n - so.njoined;

	st->prefix = moved(&so, st->prefix, n, true);
	st->func = moved(&so, st->func, n, false);
	free(so.joined);
	st->n = st->cap = n;
	return so.first;
}
