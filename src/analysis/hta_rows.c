/*
 * What HTA does to a trace before it looks at it.
 *
 * Times with a fraction become whole µs: the start is rounded up, the end down, after both
 * went through a double. That is reproduced in integers: a double of our times is a whole
 * number of 2^-40 µs with 53 significant bits.
 */
#include "analysis/hta.h"
#include "base/error.h"

#include <string.h>

#define FRACTION 40 /* bits behind the point */

/* Rounds to 53 significant bits, half to even. */
static __int128 as_double(__int128 x)
{
	int bits = 0;

	for (__int128 y = x; y; y >>= 1)
		bits++;
	if (bits <= 53)
		return x;
	__int128 unit = (__int128)1 << (bits - 53), rest = x & (unit - 1), half = unit / 2;
	x -= rest;
	return rest > half || (rest == half && (x & unit)) ? x + unit : x;
}

/* A time of ns as the double that its decimal text in µs is read as. */
static __int128 double_us(nsec t)
{
	__int128 wide = (__int128)(t < 0 ? -t : t) << FRACTION, x = wide / 1000;

	x = as_double(x | (wide % 1000 != 0));
	return t < 0 ? -x : x;
}

static usec round_down(__int128 x)
{
	return (usec)(x >> FRACTION);
}

static usec round_up(__int128 x)
{
	return -round_down(-x);
}

static nsec raw_dur(const struct trace *tr, event_id e)
{
	return tr->ev.flags[e] & EVENT_CLIPPED ? trace_raw_dur(tr, e) : tr->ev.dur[e];
}

static bool is_row(const struct trace *tr, event_id e)
{
	if (!trace_slice(tr, e) || tr->ev.ts[e] == NSEC_NONE || tr->ev.dur[e] == NSEC_NONE ||
	    (tr->ev.flags[e] & EVENT_UNCLOSED) || tr->ev.cat[e] == UINT16_MAX)
		return false;
	return !str_eq(strings_get(&tr->cats, tr->ev.cat[e]), STR("Trace"));
}

static bool has_fractions(const struct trace *tr)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if (is_row(tr, e) && (tr->ev.ts[e] % 1000 || raw_dur(tr, e) % 1000))
			return true;
	return false;
}

static void set_times(const struct trace *tr, struct hta_row *r, bool fractions)
{
	nsec ts = tr->ev.ts[r->event], dur = raw_dur(tr, r->event);

	if (fractions) {
		__int128 start = double_us(ts);
		r->ts = round_up(start);
		r->end = round_down(as_double(start + double_us(dur)));
	} else {
		r->ts = ts / 1000;
		r->end = (ts + dur) / 1000;
	}
}

static int64_t number(const struct trace *tr, event_id e, uint16_t key)
{
	int64_t x;
	struct arg arg;

	if (!arg_find(tr, e, key, &arg) || arg.type == ARG_STR || !arg_i64(tr, e, key, &x))
		return -1;
	return x;
}

static void read_rows(struct hta *h)
{
	const struct trace *tr = h->tr;
	bool fractions = has_fractions(tr);
	usec first = INT64_MAX;

	h->row = NEW(h->arena, tr->ev.n, struct hta_row);
	for (event_id e = 0; e < tr->ev.n; e++) {
		if (!is_row(tr, e))
			continue;
		struct hta_row *r = &h->row[h->nrows++];
		r->event = e;
		r->stream = number(tr, e, KEY_STREAM);
		r->correlation = number(tr, e, KEY_CORRELATION);
		r->partner = MIN_OF(r->correlation, 0);
		set_times(tr, r, fractions);
		first = MIN_OF(first, r->ts);
	}
	for (uint32_t i = 0; i < h->nrows; i++) {
		h->row[i].ts -= first;
		h->row[i].end -= first;
	}
}

/* ---- Partners ---- */

static bool is_gpu_side(const struct hta *h, const struct hta_row *r)
{
	struct str name = trace_name(h->tr, r->event);

	return (r->stream >= 0 && r->correlation >= 0) || str_eq(name, STR("Event Sync")) ||
	       str_eq(name, STR("Context Sync"));
}

/* The last row of each side with a correlation is the partner of all of the other side. */
static void find_partners(struct hta *h)
{
	struct map side[2] = { map_new(h->arena, h->nrows), map_new(h->arena, h->nrows) };

	for (uint32_t i = 0; i < h->nrows; i++)
		if (h->row[i].correlation != -1)
			*map_at(&side[is_gpu_side(h, &h->row[i])],
				(uint64_t)h->row[i].correlation) = h->row[i].event;
	for (uint32_t i = 0; i < h->nrows; i++) {
		struct hta_row *r = &h->row[i];
		uint32_t other = r->correlation == -1 ? NONE
						      : map_get(&side[!is_gpu_side(h, r)],
								(uint64_t)r->correlation);
		if (other != NONE)
			r->partner = other;
	}
}

/* ---- The last step is dropped ---- */

static bool is_step(const struct hta *h, const struct hta_row *r)
{
	return str_starts(trace_name(h->tr, r->event), STR("ProfilerStep"));
}

static bool has_steps(const struct hta *h)
{
	string_id name = NONE;

	for (uint32_t i = 0; i < h->nrows; i++) {
		string_id s = h->tr->ev.name[h->row[i].event];
		if (!is_step(h, &h->row[i]) || s == name)
			continue;
		if (name != NONE)
			return true;
		name = s;
	}
	return false;
}

static void drop_last_step(struct hta *h)
{
	struct hta_row *row = NEW(h->arena, h->nrows, struct hta_row);
	struct map cpu = map_new(h->arena, h->nrows);
	usec last = INT64_MIN;
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->nrows; i++)
		if (h->row[i].stream == HTA_NO_STREAM && is_step(h, &h->row[i]))
			last = MAX_OF(last, h->row[i].ts);
	for (uint32_t i = 0; i < h->nrows; i++)
		if (h->row[i].stream == HTA_NO_STREAM && h->row[i].ts < last)
			*map_at(&cpu, (uint64_t)h->row[i].correlation) = 1;
	for (uint32_t i = 0; i < h->nrows; i++)
		if (h->row[i].stream != HTA_NO_STREAM &&
		    map_get(&cpu, (uint64_t)h->row[i].correlation) != NONE)
			row[n++] = h->row[i];
	for (uint32_t i = 0; i < h->nrows; i++)
		if (h->row[i].stream == HTA_NO_STREAM && h->row[i].ts < last)
			row[n++] = h->row[i];
	h->row = row;
	h->nrows = n;
}

/* ---- The window ---- */

static bool find_window(struct hta *h, const char *annotation, int64_t instance,
			struct lp_error *err)
{
	bool found = !*annotation;

	h->start = INT64_MAX;
	h->finish = INT64_MIN;
	for (uint32_t i = 0; i < h->nrows; i++) {
		const struct hta_row *r = &h->row[i];
		if (*annotation &&
		    (!str_contains(trace_name(h->tr, r->event), str_of(annotation)) ||
		     instance-- != 0))
			continue;
		found = true;
		h->start = MIN_OF(h->start, r->ts);
		h->finish = MAX_OF(h->finish, r->end);
	}
	if (!found)
		return error_set(err, "%s: HTA finds no such occurrence of '%s'",
				 h->tr->source.path, annotation);
	return true;
}

static void index_rows(struct hta *h)
{
	h->row_of = NEW(h->arena, h->tr->ev.n + (size_t)1, uint32_t);
	for (event_id e = 0; e < h->tr->ev.n; e++)
		h->row_of[e] = NONE;
	for (uint32_t i = 0; i < h->nrows; i++)
		h->row_of[h->row[i].event] = i;
}

/* GPU rows come in by their launch alone, and only if the launch names them as its partner. */
static void keep_rows(struct hta *h)
{
	for (uint32_t i = 0; i < h->nrows; i++) {
		struct hta_row *r = &h->row[i];
		bool inside = r->ts >= h->start && r->ts <= h->finish && r->end > r->ts;

		if (r->stream != HTA_NO_STREAM) {
			r->kept = r->kept ||
				  str_eq(trace_name(h->tr, r->event), STR("Stream Wait Event"));
			continue;
		}
		r->kept = inside;
		uint32_t p = r->partner >= 0 ? h->row_of[r->partner] : NONE;
		if (inside && p != NONE && h->row[p].stream != HTA_NO_STREAM)
			h->row[p].kept = true;
	}
}

bool hta_rows(struct hta *h, const char *annotation, int64_t instance, struct lp_error *err)
{
	read_rows(h);
	if (!h->nrows)
		return error_set(err, "%s: nothing HTA could look at", h->tr->source.path);
	find_partners(h);
	if (has_steps(h))
		drop_last_step(h);
	if (!find_window(h, annotation, instance, err))
		return false;
	index_rows(h);
	keep_rows(h);
	return true;
}
