/*
 * The rows know where their events begin. Between two beginnings stand the event and
 * what parts it from the next: white space and a comma. In a clean file the event ends
 * where these begin, seen from behind; where the reader met damage, and for the last
 * event, its end is found by counting brackets from the front.
 */
#include "trace/raw.h"

#include "base/input.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW ((size_t)4 << 20)

struct raw {
	const struct trace *tr;
	struct input *in;
	char *buf;
	size_t cap, used;
	uint64_t base; /* place in the text of buf[0] */
	event_id next;
	bool clean, ended, cut_short;
};

struct raw *raw_open(const struct trace *tr, struct lp_error *err)
{
	const struct source *s = &tr->source;

	if (!s->copy && !strcmp(s->path, "-")) {
		error_set(err, "-: the trace is needed twice: give a file, or open it as such");
		return NULL;
	}
	if (s->copy_error) {
		error_set(err, "-: the temporary copy of the input could not be written: %s",
			  strerror(s->copy_error));
		return NULL;
	}
	struct input *in = s->copy ? input_open_copy(s->copy, s->path, err)
				   : input_open(s->path, err);

	if (!in)
		return NULL;
	struct raw *r = calloc(1, sizeof(*r));
	if (!r || !(r->buf = malloc(WINDOW + PADDING)))
		abort();
	r->tr = tr;
	r->in = in;
	r->cap = WINDOW;
	r->clean = !tr->counters.n[COUNT_SYNTAX] && !tr->counters.n[COUNT_UNESCAPED_QUOTE] &&
		   !tr->counters.n[COUNT_EXTRA_COMMA] && !tr->counters.n[COUNT_TRUNCATED];
	return r;
}

/* Drops what lies before `from` and reads on. */
static void refill(struct raw *r, uint64_t from)
{
	size_t drop = (size_t)MIN_OF(from - r->base, r->used);

	memmove(r->buf, r->buf + drop, r->used - drop);
	r->base += drop;
	r->used -= drop;
	if (r->used == r->cap) {
		r->cap *= 2;
		r->buf = alloc_checked(realloc(r->buf, r->cap + PADDING));
	}
	size_t got = input_read(r->in, r->buf + r->used, r->cap - r->used);
	r->ended = got == 0;
	r->used += got;
}

/* Makes [from, to) stand in the buffer, as far as the text goes. */
static bool hold(struct raw *r, uint64_t from, uint64_t to)
{
	while (r->base + r->used < to && !r->ended)
		refill(r, from);
	return r->base + r->used >= to;
}

/* One past the '}' that closes the object at p; NULL if it does not close before `end`. */
static const char *object_end(const char *p, const char *end)
{
	unsigned depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				if (*p == '\\')
					p++;
		} else if (*p == '{' || *p == '[') {
			depth++;
		} else if ((*p == '}' || *p == ']') && --depth == 0) {
			return p + 1;
		}
	}
	return NULL;
}

/* The end of an event, seen from the beginning of the next. */
static const char *trim(const char *p, const char *end)
{
	while (end > p && end[-1] != '}')
		end--;
	return end;
}

static bool last_event(struct raw *r, uint64_t from, struct str *text)
{
	for (;;) {
		const char *p = r->buf + (from - r->base), *stop = r->buf + r->used;
		const char *end = object_end(p, stop);

		if (end) {
			*text = (struct str){ p, (size_t)(end - p) };
			return true;
		}
		if (r->ended)
			return false;
		refill(r, from);
	}
}

static bool inner_event(struct raw *r, uint64_t from, uint64_t to, struct str *text)
{
	if (!hold(r, from, to))
		return false;
	const char *p = r->buf + (from - r->base), *stop = r->buf + (to - r->base);
	const char *end = r->clean ? trim(p, stop) : object_end(p, stop);

	if (!end) /* a quote is missing: all there is up to the last bracket */
		end = trim(p, stop);
	*text = (struct str){ p, (size_t)(end - p) };
	return end > p;
}

bool raw_next(struct raw *r, struct raw_event *out)
{
	const struct trace *tr = r->tr;

	while (r->next < tr->ev.n) {
		event_id e = r->next++;
		uint64_t from = trace_place(tr, e);

		if (tr->ev.flags[e] & EVENT_DROPPED)
			continue;
		out->id = e;
		bool last = r->next == tr->ev.n;
		bool found = hold(r, from, from + 1) &&
			     (last ? last_event(r, from, &out->text)
				   : inner_event(r, from, trace_place(tr, r->next), &out->text));
		if (found)
			return true;
		r->cut_short = true;
		return false;
	}
	return false;
}

bool raw_short(const struct raw *r)
{
	return r->cut_short;
}

void raw_close(struct raw *r)
{
	if (!r)
		return;
	input_close(r->in);
	free(r->buf);
	free(r);
}

static const char *string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p < end ? p + 1 : end;
}

static const char *value_end(const char *p, const char *end)
{
	if (p < end && *p == '"')
		return string_end(p, end);
	if (p < end && (*p == '{' || *p == '[')) {
		const char *close = object_end(p, end);
		return close ? close : end;
	}
	while (p < end && *p != ',' && *p != '}' && *p > ' ')
		p++;
	return p;
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && (*p <= ' ' || *p == ',' || *p == ':'))
		p++;
	return p;
}

bool raw_field(struct str event, const char *key, struct str *value)
{
	const char *p = event.p + 1, *end = event.p + event.n;
	size_t n = strlen(key);
	bool found = false;

	for (p = skip_space(p, end); p < end && *p == '"';) {
		const char *name = p + 1, *after = string_end(p, end);
		const char *from = skip_space(after, end);

		p = value_end(from, end);
		if ((size_t)(after - name) == n + 1 && !memcmp(name, key, n)) {
			*value = (struct str){ from, (size_t)(p - from) };
			found = true; /* the last one wins, as in the reader */
		}
		p = skip_space(p, end);
	}
	return found;
}
