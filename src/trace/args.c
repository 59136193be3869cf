#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Row of the first argument of e; e may be one past the last event. */
static uint64_t first_arg(const struct trace *tr, event_id e)
{
	if (e >= tr->ev.n)
		return tr->args.n;
	return tr->args.base[e >> EVENT_BLOCK_BITS] + tr->ev.args[e];
}

static struct arg arg_of_row(const struct trace *tr, uint64_t row)
{
	uint16_t key = tr->args.key[row];

	return (struct arg){ .key = key & ((1u << ARG_KEY_BITS) - 1),
			     .type = (uint8_t)(key >> ARG_KEY_BITS),
			     .value = tr->args.value[row] };
}

bool arg_at(const struct trace *tr, event_id e, uint32_t i, struct arg *out)
{
	uint64_t row = first_arg(tr, e) + i;

	if (row >= first_arg(tr, e + 1))
		return false;
	*out = arg_of_row(tr, row);
	return true;
}

bool arg_find(const struct trace *tr, event_id e, uint16_t key, struct arg *out)
{
	uint64_t first = first_arg(tr, e);

	for (uint64_t row = first_arg(tr, e + 1); row-- > first;)
		if ((tr->args.key[row] & ((1u << ARG_KEY_BITS) - 1)) == key) {
			*out = arg_of_row(tr, row);
			return true;
		}
	return false;
}

/* Some writers keep every number as a fraction: 17.0. */
static bool whole_number(struct str s, int64_t *out)
{
	const char *point = memchr(s.p, '.', s.n);

	if (!point)
		return false;
	for (const char *p = point + 1; p < s.p + s.n; p++)
		if (*p != '0')
			return false;
	return str_i64((struct str){ s.p, (size_t)(point - s.p) }, out);
}

bool arg_i64(const struct trace *tr, event_id e, uint16_t key, int64_t *out)
{
	struct arg a;

	if (!arg_find(tr, e, key, &a))
		return false;
	switch (a.type) {
	case ARG_INT:
		*out = a.value;
		return true;
	case ARG_WIDE:
		*out = tr->args.wide[a.value];
		return true;
	case ARG_STR:
		return str_i64(strings_get(&tr->strings, a.value), out);
	case ARG_TEXT:
		return whole_number(strings_get(&tr->strings, a.value), out);
	default:
		return false;
	}
}

/* Digits of a number, in one of a few buffers that take turns. */
static struct str digits_of(int64_t v)
{
	static _Thread_local char ring[8][24];
	static _Thread_local unsigned turn;
	char *out = ring[turn++ % 8];

	return (struct str){ out, (size_t)snprintf(out, sizeof(ring[0]), "%" PRId64, v) };
}

struct str arg_text(const struct trace *tr, event_id e, uint16_t key)
{
	struct arg a;

	if (!arg_find(tr, e, key, &a))
		return (struct str){ 0 };
	switch (a.type) {
	case ARG_INT:
		return digits_of(a.value);
	case ARG_WIDE:
		return digits_of(tr->args.wide[a.value]);
	case ARG_TRUE:
		return STR("true");
	case ARG_FALSE:
		return STR("false");
	case ARG_NULL:
		return STR("null");
	default:
		return strings_get(&tr->strings, a.value);
	}
}

uint16_t arg_key_id(const struct trace *tr, struct str name)
{
	string_id id = strings_find(&tr->args.keys, name);

	return id == NONE ? UINT16_MAX : (uint16_t)id;
}
