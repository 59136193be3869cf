/*
 * B and E of a thread are paired as Chrome does: in the order of time, ties in the
 * order of the file, an E closes the B opened last, whatever name it has.
 *
 *	B a   B b   E     E zzz      ->   a [-----------)
 *	|     |     |     |                  b [----)
 *
 * Async spans (b/e, and the older S/F) do the same per category and id.
 */
#include "algo/sort.h"
#include "base/hash.h"
#include "base/map.h"
#include "trace/model.h"

/* Open spans, one stack per thread or async id; spans are named by their place in the list. */
struct stacks {
	struct map number; /* of the stack of a thread or id */
	uint32_t n;
	uint32_t *top;   /* of each stack, or NONE */
	uint32_t *under; /* of each open span, or NONE */
};

static bool opens(char ph)
{
	return ph == 'B' || ph == 'b' || ph == 'S';
}

static bool closes(char ph)
{
	return ph == 'E' || ph == 'e' || ph == 'F';
}

static bool is_async(char ph)
{
	return ph == 'b' || ph == 'e' || ph == 'S' || ph == 'F';
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->ev.ts[a] < tr->ev.ts[b];
}

/* All events that open or close a span, by time. */
static event_id *list_ends(struct trace *tr, struct arena *scratch, uint32_t *n)
{
	*n = 0;
	for (event_id e = 0; e < tr->ev.n; e++)
		*n += opens((char)tr->ev.ph[e]) || closes((char)tr->ev.ph[e]);
	if (!*n)
		return NULL;
	event_id *list = NEW(scratch, *n, event_id), *spare = NEW(scratch, *n, event_id);
	uint32_t k = 0;
	for (event_id e = 0; e < tr->ev.n; e++)
		if (opens((char)tr->ev.ph[e]) || closes((char)tr->ev.ph[e])) {
			model_limit(tr, e);
			list[k++] = e;
		}
	sort_ids(list, *n, spare, starts_before, tr);
	return list;
}

/* What tells the async spans of one id apart from all others; ids of "id2" are local to a process.
 */
static uint64_t async_key(const struct trace *tr, event_id e, uint16_t id2)
{
	struct arg id = { 0 };
	uint64_t pid = 0;

	if (!arg_find(tr, e, KEY_ID, &id) && id2 != UINT16_MAX && arg_find(tr, e, id2, &id) &&
	    str_contains(arg_text(tr, e, id2), STR("local")) && tr->ev.lane[e] != NONE)
		pid = 1 + tr->lanes.at[tr->ev.lane[e]].process;
	return hash_mix(
		hash_u64((uint64_t)tr->ev.cat[e] << 40 | (uint64_t)id.type << 32 | id.value),
		hash_u64(pid + 1));
}

static void close_span(struct trace *tr, event_id open, event_id close)
{
	string_id a = tr->ev.name[open], b = tr->ev.name[close];

	if (!is_async((char)tr->ev.ph[open])) {
		if (b != NONE && a != b && strings_get(&tr->strings, b).n)
			model_count(tr, COUNT_NAME_MISMATCH, close);
		tr->ev.ph[open] = 'X';
	}
	tr->ev.dur[open] = tr->ev.ts[close] - tr->ev.ts[open];
	tr->ev.flags[close] |= EVENT_PAIRED;
}

static void count_unclosed(struct trace *tr, event_id open)
{
	tr->ev.dur[open] = NSEC_NONE;
	tr->ev.flags[open] |= EVENT_UNCLOSED;
	if (is_async((char)tr->ev.ph[open])) {
		model_count(tr, COUNT_ASYNC_UNFINISHED, open);
	} else {
		model_count(tr, COUNT_UNCLOSED, open);
		tr->ev.ph[open] = 'X'; /* closed where the trace ends, by model_times() */
	}
}

static uint32_t *top_of(struct stacks *s, uint64_t key)
{
	uint32_t *number = map_at(&s->number, key);

	if (*number == NONE) {
		*number = s->n++;
		s->top[*number] = NONE;
	}
	return &s->top[*number];
}

void model_spans(struct trace *tr)
{
	struct arena scratch = { 0 };
	uint32_t n;
	event_id *list = list_ends(tr, &scratch, &n);
	struct stacks s = { map_new(&scratch, n), 0, NEW(&scratch, n, uint32_t),
			    NEW(&scratch, n, uint32_t) };
	uint16_t id2 = arg_key_id(tr, STR(".id2"));

	for (uint32_t i = 0; i < n; i++) {
		event_id e = list[i];
		char ph = (char)tr->ev.ph[e];
		if (tr->ev.ts[e] == NSEC_NONE)
			continue;
		uint64_t thread = 2 * (uint64_t)tr->ev.lane[e];
		uint32_t *top = top_of(&s, is_async(ph) ? async_key(tr, e, id2) | 1 : thread);
		if (opens(ph)) {
			s.under[i] = *top;
			*top = i;
		} else if (*top == NONE) {
			model_count(tr, COUNT_UNMATCHED_END, e);
			tr->ev.flags[e] |= EVENT_DROPPED;
		} else {
			close_span(tr, list[*top], e);
			*top = s.under[*top];
		}
	}
	for (uint32_t k = 0; k < s.n; k++)
		for (uint32_t i = s.top[k]; i != NONE; i = s.under[i])
			count_unclosed(tr, list[i]);
	arena_free(&scratch);
}
