/*
 * A worker's strings are new to the trace in the order in which the worker met them,
 * and batches come in the order of the file; so ids of the trace are in the order of
 * first appearance whoever read what.
 */
#include "trace/commit.h"

#include "trace/columns.h"

#include <stdio.h>

void commit_begin(struct commit *c, struct trace *tr)
{
	*c = (struct commit){ .tr = tr };
	tr->columns = columns_new();
#define X(id, text) strings_add(&tr->args.keys, text, sizeof(text) - 1);
	ARG_KEYS(X)
#undef X
}

/* ---- ids ---- */

static uint32_t *room_for_new(struct lexicon *x)
{
	column_reserve(&x->to, (size_t)x->n * sizeof(uint32_t));
	return lexicon_to(x);
}

static void name_strings(struct lexicon *x, struct strings *into)
{
	uint32_t *to = room_for_new(x);

	for (; x->done < x->n; x->done++) {
		struct str s = lexicon_get(x, x->done);

		to[x->done] = strings_add(into, s.p, s.n);
	}
}

/* Counted once: how often it is noticed depends on who reads what. */
static void note_once(struct commit *c, enum counter what)
{
	if (!c->tr->counters.n[what])
		counter_hit(&c->tr->counters, what, UINT64_MAX);
}

/* The key of arguments whose own name has no room. */
static uint32_t further_key(struct commit *c)
{
	struct strings *keys = &c->tr->args.keys;
	char name[32] = "(other)";

	note_once(c, COUNT_ARG_KEYS_MANY);
	for (unsigned i = 2; keys->n == ARG_KEY_MAX; i++) {
		strings_add(keys, name, strlen(name));
		snprintf(name, sizeof(name), "(other %u)", i);
	}
	return ARG_KEY_MAX;
}

static void name_keys(struct commit *c, struct batch *b)
{
	struct strings *keys = &c->tr->args.keys;
	struct lexicon *x = &b->keys;
	uint32_t *to = room_for_new(x);

	for (; x->done < x->n; x->done++) {
		struct str s = lexicon_get(x, x->done);
		string_id id = strings_find(keys, s);

		if (id == NONE && keys->n < ARG_KEY_MAX)
			id = strings_add(keys, s.p, s.n);
		to[x->done] = id == NONE ? further_key(c) : id;
	}
}

static void name_cats(struct commit *c, struct batch *b)
{
	struct strings *cats = &c->tr->cats;
	struct lexicon *x = &b->cats;
	uint32_t *to = room_for_new(x);

	for (; x->done < x->n; x->done++) {
		struct str s = lexicon_get(x, x->done);
		string_id id = strings_find(cats, s);

		if (id == NONE && cats->n < UINT16_MAX)
			id = strings_add(cats, s.p, s.n);
		else if (id == NONE)
			note_once(c, COUNT_CATEGORIES_MANY);
		to[x->done] = id == NONE ? UINT16_MAX : id;
	}
}

static uint32_t add_lane(struct commit *c, string_id pid, string_id tid)
{
	struct lanes *lanes = &c->tr->lanes;
	string_id pair[2] = { pid, tid };
	uint32_t id = strings_add(&c->lane_pairs, (const char *)pair, sizeof(pair));

	if (id < lanes->n)
		return id;
	if (lanes->n == c->lane_cap) {
		struct lane *old = lanes->at;

		c->lane_cap = c->lane_cap ? 2 * c->lane_cap : 64;
		lanes->at = NEW(&c->tr->arena, c->lane_cap, struct lane);
		if (old)
			memcpy(lanes->at, old, lanes->n * sizeof(*old));
	}
	lanes->at[lanes->n++] = (struct lane){
		.pid = pid,
		.tid = tid,
		.process_name = NONE,
		.process_labels = NONE,
		.thread_name = NONE,
		.device = -1,
		.stream = -1,
	};
	return id;
}

static void name_lanes(struct commit *c, struct batch *b)
{
	const uint32_t *string = lexicon_to(&b->strings);
	struct lexicon *x = &b->lanes;
	uint32_t *to = room_for_new(x);

	for (; x->done < x->n; x->done++) {
		uint32_t pair[2];

		memcpy(pair, lexicon_get(x, x->done).p, sizeof(pair));
		to[x->done] = add_lane(c, pair[0] == NONE ? NONE : string[pair[0]],
				       pair[1] == NONE ? NONE : string[pair[1]]);
	}
}

/* ---- room ---- */

/* Blocks of rows that begin in this batch get their bases. */
static void set_bases(struct commit *c, const struct batch *b, uint64_t origin,
		      struct commit_place at)
{
	const uint32_t block = 1u << EVENT_BLOCK_BITS;
	const struct batch_row *row = b->rows.at;
	uint32_t first = (at.row + block - 1) & ~(block - 1);

	for (uint64_t r = first; r < (uint64_t)at.row + b->nrows; r += block) {
		c->tr->place_base[r / block] = origin + row[r - at.row].place;
		c->tr->args.base[r / block] = at.arg + row[r - at.row].args;
	}
}

static void count_hits(struct commit *c, const struct batch *b)
{
	const struct batch_hit *hit = b->hits.at;

	for (uint32_t i = 0; i < b->nhits; i++) {
		struct counters one = { 0 };

		one.n[hit[i].what] = hit[i].n;
		one.first_byte[hit[i].what] = hit[i].byte;
		counters_merge(&c->tr->counters, &one);
	}
}

void commit_name(struct commit *c, struct batch *b)
{
	name_strings(&b->strings, &c->tr->strings);
	name_keys(c, b);
	name_cats(c, b);
	name_lanes(c, b);
	count_hits(c, b);
}

bool commit_fits(const struct commit *c, const struct batch *b)
{
	return b->nrows <= NONE - 1 - c->tr->ev.n;
}

bool commit_has_room(const struct commit *c, const struct batch *b)
{
	return c->tr->ev.n + (uint64_t)b->nrows <= c->row_room &&
	       c->nargs + b->nargs <= c->arg_room && c->nwide + b->nwide <= c->wide_room;
}

static uint64_t more_room(uint64_t room, uint64_t need)
{
	return need <= room ? room : MAX_OF(need, 2 * room);
}

void commit_grow(struct commit *c, const struct batch *b)
{
	struct trace *tr = c->tr;

	c->row_room = more_room(c->row_room, tr->ev.n + (uint64_t)b->nrows);
	c->arg_room = more_room(c->arg_room, c->nargs + b->nargs);
	c->wide_room = more_room(c->wide_room, c->nwide + b->nwide);
	columns_reserve_rows(tr, c->row_room);
	columns_reserve_args(tr, c->arg_room, c->wide_room);
	columns_reserve_blocks(tr, (c->row_room >> EVENT_BLOCK_BITS) + 1);
}

struct commit_place commit_reserve(struct commit *c, const struct batch *b, uint64_t origin)
{
	struct commit_place at = { c->tr->ev.n, c->nargs, c->nwide };

	set_bases(c, b, origin, at);
	c->tr->ev.n += b->nrows;
	c->nargs += b->nargs;
	c->nwide += b->nwide;
	return at;
}

/* ---- numbers ---- */

static uint32_t mapped(const uint32_t *to, uint32_t id)
{
	return id == NONE ? NONE : to[id];
}

static void copy_row(const struct commit *c, const struct batch *b, uint64_t origin,
		     struct commit_place at, uint32_t i)
{
	const struct batch_row *r = (const struct batch_row *)b->rows.at + i;
	struct events *ev = &c->tr->ev;
	event_id e = at.row + i;
	uint64_t place = origin + r->place - c->tr->place_base[e >> EVENT_BLOCK_BITS];

	ev->ts[e] = r->ts;
	ev->dur[e] = r->dur;
	ev->name[e] = mapped(lexicon_to(&b->strings), r->name);
	ev->lane[e] = mapped(lexicon_to(&b->lanes), r->lane);
	ev->args[e] = (uint32_t)(at.arg + r->args - c->tr->args.base[e >> EVENT_BLOCK_BITS]);
	ev->place[e] = (uint32_t)MIN_OF(place, UINT32_MAX);
	ev->cat[e] = r->cat == NONE ? UINT16_MAX : (uint16_t)lexicon_to(&b->cats)[r->cat];
	ev->ph[e] = r->ph;
	ev->flags[e] = r->flags;
}

static uint32_t arg_value(const struct batch *b, const struct batch_arg *a, uint64_t wide)
{
	switch (a->key & 7) {
	case ARG_STR:
	case ARG_TEXT:
		return lexicon_to(&b->strings)[a->value];
	case ARG_WIDE:
		return (uint32_t)(wide + a->value);
	default:
		return a->value;
	}
}

void commit_copy(const struct commit *c, const struct batch *b, uint64_t origin,
		 struct commit_place at)
{
	const struct batch_arg *arg = b->args.at;
	const uint32_t *key = lexicon_to(&b->keys);
	struct args *args = &c->tr->args;

	for (uint32_t i = 0; i < b->nrows; i++)
		copy_row(c, b, origin, at, i);
	for (uint32_t i = 0; i < b->nargs; i++) {
		args->key[at.arg + i] = (uint16_t)(key[arg[i].key >> 3] | (arg[i].key & 7)
										  << ARG_KEY_BITS);
		args->value[at.arg + i] = arg_value(b, &arg[i], at.wide);
	}
	if (b->nwide)
		memcpy(args->wide + at.wide, b->wide.at, b->nwide * sizeof(int64_t));
}

void commit_end(struct commit *c)
{
	struct trace *tr = c->tr;

	tr->args.n = c->nargs;
	tr->args.nwide = c->nwide;
	columns_trim(tr);
	strings_free(&c->lane_pairs);
}
