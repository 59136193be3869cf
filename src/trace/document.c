/*
 *	[BOM] { "key": value, "traceEvents": [ event, ... ], "key": value }
 *	[BOM] [ event, event, ...                             (the bracket may be missing)
 *
 * Each state has a step that reads one thing if it is whole. Commas are counted as they
 * pass and judged when it is known what follows: a comma too many is forgiven, one that
 * is missing too.
 */
#include "trace/document.h"

#include "trace/damage.h"
#include "trace/read_fast.h"
#include "trace/refuse.h"

struct reading {
	struct document *d;
	struct batch *b;
	const struct text *t;
	const char *p;
};

static uint64_t byte(const struct reading *r)
{
	return text_byte(r->t, r->p);
}

static enum scan failed(struct reading *r)
{
	r->d->where = DOCUMENT_FAILED;
	return SCAN_BAD;
}

/* ---- commas ---- */

static void extra_commas(struct document *d, struct batch *b, uint32_t allowed)
{
	if (d->commas > allowed)
		batch_hit(b, COUNT_EXTRA_COMMA, d->commas - allowed, d->comma[allowed]);
	d->commas = 0;
}

/* An element or a member that stands at `at` is whole: settles the commas before it. */
static void element(struct document *d, struct batch *b, uint64_t at)
{
	if (!d->fresh && !d->commas)
		batch_hit(b, COUNT_MISSING_COMMA, 1, at);
	extra_commas(d, b, !d->fresh);
	d->fresh = false;
}

static enum scan commas(struct reading *r)
{
	for (;; r->p++) {
		r->p = json_skip_blanks(r->p, r->t->end);
		if (r->p == r->t->end)
			return SCAN_MORE;
		if (*r->p != ',')
			return SCAN_OK;
		if (r->d->commas < 2)
			r->d->comma[r->d->commas] = byte(r);
		r->d->commas++;
	}
}

static void done_with(struct reading *r)
{
	r->d->whole_end = byte(r);
}

/* ---- the event list ---- */

static void add_dropped_row(struct reading *r)
{
	*batch_add_row(r->b) = (struct batch_row){
		.ts = NSEC_NONE,
		.dur = NSEC_NONE,
		.name = NONE,
		.lane = NONE,
		.cat = NONE,
		.args = r->b->nargs,
		.place = (uint32_t)(r->p - r->t->p),
		.flags = EVENT_DROPPED,
	};
}

/* A list's element that is no object. */
static enum scan other_element(struct reading *r)
{
	const char *q = r->p;
	enum scan s = *q == '}' || *q == ':' ? SCAN_BAD : json_value_end(&q, r->t->end);
	struct str raw = { r->p, (size_t)(q - r->p) };

	if (s != SCAN_OK)
		return s;
	bool word = *r->p != '"' && *r->p != '[';
	if (word && json_word(raw) == WORD_BARE)
		return SCAN_BAD;
	element(r->d, r->b, byte(r));
	batch_hit(r->b,
		  word && json_word(raw) == WORD_NULL ? COUNT_EMPTY_EVENT : COUNT_NOT_AN_EVENT, 1,
		  byte(r));
	add_dropped_row(r);
	r->p = q;
	done_with(r);
	return SCAN_OK;
}

/* An event that cannot be read stands at p, and reading stopped at `at`. */
static enum scan drop(struct reading *r, const char *at)
{
	const char *next;
	enum scan s = damage_next(r->b, r->t, r->p, at, &next);

	if (s != SCAN_OK)
		return s;
	if (r->d->commas)
		element(r->d, r->b, byte(r));
	batch_hit(r->b, COUNT_SYNTAX, 1, text_byte(r->t, at));
	if (!next) {
		r->d->where = DOCUMENT_REST;
		r->p = r->t->end;
		return SCAN_OK;
	}
	r->p = next;
	r->d->fresh = true; /* whatever separates it from the damage */
	return SCAN_OK;
}

static enum scan event(struct reading *r)
{
	struct batch_mark mark = batch_mark(r->b);
	struct read_trouble trouble = { 0 };
	const char *q = r->p;
	enum scan s = read_careful(r->b, r->t, &q, NULL, &trouble);

	if (s == SCAN_OK && (s = damage_follows(r->t, q)) != SCAN_OK) {
		trouble.at = q;
		batch_rewind(r->b, &mark);
	}
	if (s == SCAN_BAD) {
		q = r->p;
		s = damage_repair(r->b, r->t, &q, trouble);
		if (s == SCAN_BAD)
			return drop(r, trouble.at);
	}
	if (s != SCAN_OK)
		return s;
	element(r->d, r->b, byte(r));
	r->p = q;
	done_with(r);
	return SCAN_OK;
}

/* Whether the bracket at p can be the list's: after it goes on what goes on after a list. */
static enum scan closes_list(struct reading *r)
{
	const char *q = json_skip_blanks(r->p + 1, r->t->end);

	if (r->d->list_root)
		return SCAN_OK;
	if (q == r->t->end)
		return r->t->last ? SCAN_OK : SCAN_MORE;
	return *q == ',' || *q == '}' ? SCAN_OK : SCAN_BAD;
}

static enum scan close_list(struct reading *r)
{
	enum scan s = closes_list(r);

	if (s != SCAN_OK)
		return s == SCAN_BAD ? drop(r, r->p) : s;
	extra_commas(r->d, r->b, 0);
	r->p++;
	r->d->fresh = false;
	r->d->where = r->d->list_root ? DOCUMENT_REST : DOCUMENT_ROOT;
	done_with(r);
	return SCAN_OK;
}

/* As many events as are in order; false if the next one is not. */
static bool events(struct reading *r)
{
	uint32_t n = 0;
	const char *q = r->d->fast ? fast_read(r->d->fast, r->b, r->t, r->p, &n) : NULL;

	if (!n)
		return false;
	element(r->d, r->b, byte(r));
	r->p = q;
	done_with(r);
	return true;
}

static enum scan list_step(struct reading *r)
{
	if (commas(r) != SCAN_OK)
		return SCAN_MORE;
	if (*r->p == '{')
		return events(r) ? SCAN_OK : event(r);
	if (*r->p == ']')
		return close_list(r);
	enum scan s = other_element(r);
	return s == SCAN_BAD ? drop(r, r->p) : s;
}

/* ---- the root ---- */

static void add_meta(struct document *d, struct str key, struct str json)
{
	if (d->nmeta == d->cap) {
		struct meta *old = d->meta;

		d->cap = d->cap ? 2 * d->cap : 16;
		d->meta = NEW(d->arena, d->cap, struct meta);
		if (old)
			memcpy(d->meta, old, d->nmeta * sizeof(*old));
	}
	d->meta[d->nmeta++] = (struct meta){ key, json };
}

static void keep_meta(struct reading *r, struct str key, struct str raw)
{
	char *name = arena_alloc(r->d->arena, 6 * key.n + 1);
	size_t name_n = json_unescape(key, name, NULL, 0);
	char *json = arena_alloc(r->d->arena, 2 * raw.n + 1);
	struct faults f = { 0 };
	size_t n = json_tidy(raw, json, &f);

	if (f.any)
		read_count_faults(r->b, &f, text_byte(r->t, raw.p));
	add_meta(r->d, (struct str){ name, name_n }, (struct str){ json, n });
}

/* The value of traceEvents, whose key is at `start`, at p. */
static enum scan events_value(struct reading *r, const char *start)
{
	const char *q = r->p;
	bool list = *q == '[';
	enum scan s = list ? (q++, SCAN_OK) : json_value_end(&q, r->t->end);

	if (s != SCAN_OK)
		return s;
	element(r->d, r->b, text_byte(r->t, start));
	if (!list && !str_eq((struct str){ r->p, (size_t)(q - r->p) }, STR("null"))) {
		error_at(r->d->err, r->d->name, byte(r), "traceEvents is not a list of events");
		return failed(r);
	}
	if (list && r->d->nlists++)
		batch_hit(r->b, COUNT_TWO_LISTS, 1, byte(r));
	r->p = q;
	r->d->has_events = true;
	r->d->fresh = list;
	if (list)
		r->d->where = DOCUMENT_LIST;
	done_with(r);
	return SCAN_OK;
}

static enum scan meta_value(struct reading *r, const char *start, struct str key)
{
	const char *q = r->p;
	enum scan s = json_value_end(&q, r->t->end);

	if (s != SCAN_OK)
		return s;
	element(r->d, r->b, text_byte(r->t, start));
	keep_meta(r, key, (struct str){ r->p, (size_t)(q - r->p) });
	r->p = q;
	done_with(r);
	return SCAN_OK;
}

/* The key of a member of the root at p, which then stands at its value. */
static enum scan root_key(struct reading *r, struct str *key)
{
	const char *q = r->p + 1;

	if (*r->p != '"')
		return SCAN_BAD;
	if (json_string_end(&q, r->t->end) != SCAN_OK)
		return SCAN_MORE;
	*key = (struct str){ r->p + 1, (size_t)(q - r->p - 1) };
	q = json_skip_blanks(q + 1, r->t->end);
	if (q < r->t->end && *q != ':')
		return SCAN_BAD;
	q = q < r->t->end ? json_skip_blanks(q + 1, r->t->end) : q;
	r->p = q;
	return q == r->t->end ? SCAN_MORE : SCAN_OK;
}

static bool names_events(struct str key)
{
	char plain[6 * 11]; /* every character may be escaped */

	if (key.n <= sizeof(plain) && memchr(key.p, '\\', key.n))
		key = (struct str){ plain, json_unescape(key, plain, NULL, 0) };
	return str_eq(key, STR("traceEvents"));
}

/* A member of the root, its key at p. Nothing is used up unless it is whole. */
static enum scan member(struct reading *r)
{
	const char *start = r->p;
	struct str key;
	enum scan s = root_key(r, &key);

	if (s == SCAN_OK)
		s = names_events(key) ? events_value(r, start) : meta_value(r, start, key);
	if (s == SCAN_OK)
		r->d->nkeys++;
	else
		r->p = start;
	return s;
}

/* The root is damaged at p: on to the event list, if it is still to come. */
static enum scan damaged_root(struct reading *r)
{
	static const char name[] = "\"traceEvents\"";
	const char *q = r->p;

	while ((q = memmem(q, (size_t)(r->t->end - q), name, sizeof(name) - 1))) {
		const char *v = json_skip_blanks(q + sizeof(name) - 1, r->t->end);

		if (v < r->t->end && *v == ':' && json_skip_blanks(v + 1, r->t->end) < r->t->end &&
		    *json_skip_blanks(v + 1, r->t->end) == '[')
			break;
		q++;
	}
	if (!q && !r->t->last)
		return SCAN_MORE;
	if (!q && !r->d->has_events)
		return refuse_root(r->d, r->t, r->p), failed(r);
	batch_hit(r->b, COUNT_SYNTAX, 1, byte(r));
	r->p = q ? q : r->t->end;
	r->d->fresh = true;
	r->d->commas = 0;
	if (!q)
		r->d->where = DOCUMENT_REST;
	return SCAN_OK;
}

static enum scan root_step(struct reading *r)
{
	if (commas(r) != SCAN_OK)
		return SCAN_MORE;
	if (*r->p == '}') {
		extra_commas(r->d, r->b, 0);
		r->p++;
		r->d->where = DOCUMENT_REST;
		done_with(r);
		return SCAN_OK;
	}
	enum scan s = member(r);
	return s == SCAN_BAD && r->d->where != DOCUMENT_FAILED ? damaged_root(r) : s;
}

/* ---- start and end ---- */

static enum scan start_step(struct reading *r)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t n = (size_t)(r->t->end - r->p);

	if (n < 512 && !r->t->last)
		return SCAN_MORE;
	if (refuse_bytes(r->d, r->t))
		return failed(r);
	if (n >= 3 && !memcmp(r->p, bom, 3))
		r->p += 3;
	r->p = json_skip_blanks(r->p, r->t->end);
	if (r->p == r->t->end && !r->t->last)
		return SCAN_MORE;
	if (r->p == r->t->end || (*r->p != '{' && *r->p != '['))
		return refuse_text(r->d, r->t, r->p), failed(r);
	r->d->list_root = *r->p == '[';
	r->d->nlists = r->d->has_events = r->d->list_root;
	r->d->where = r->d->list_root ? DOCUMENT_LIST : DOCUMENT_ROOT;
	r->d->fresh = true;
	r->p++;
	done_with(r);
	return SCAN_OK;
}

/* Behind the document there should be nothing; the first thing that is there is counted. */
static enum scan rest_step(struct reading *r)
{
	while (r->p < r->t->end && (json_blank(*r->p) || !*r->p))
		r->p++;
	if (r->p < r->t->end && r->d->whole_end != UINT64_MAX) {
		batch_hit(r->b, COUNT_TRAILING_TEXT, 1, byte(r));
		r->d->whole_end = UINT64_MAX;
	}
	r->p = r->t->end;
	return SCAN_MORE;
}

static enum scan step(struct reading *r)
{
	switch (r->d->where) {
	case DOCUMENT_START:
		return start_step(r);
	case DOCUMENT_ROOT:
		return root_step(r);
	case DOCUMENT_LIST:
		return list_step(r);
	case DOCUMENT_REST:
		return rest_step(r);
	default:
		return SCAN_BAD;
	}
}

/* The text ends where something was still to come. */
static void cut_off(struct reading *r)
{
	struct document *d = r->d;
	bool unclosed = d->where == DOCUMENT_LIST && d->list_root && r->p == r->t->end;

	if (d->where != DOCUMENT_ROOT && d->where != DOCUMENT_LIST)
		return;
	d->cut = true;
	if (unclosed) {
		batch_hit(r->b, COUNT_UNCLOSED_ARRAY, 1, d->whole_end);
		extra_commas(d, r->b, !d->fresh);
	} else if (!d->cut_input) {
		batch_hit(r->b, COUNT_TRUNCATED, 1, d->whole_end);
	}
	d->where = DOCUMENT_REST;
	d->whole_end = UINT64_MAX;
	r->p = r->t->end;
}

size_t document_read(struct document *d, struct batch *b, const struct text *t)
{
	struct reading r = { d, b, t, t->p };
	enum scan s;

	do
		s = step(&r);
	while (s == SCAN_OK && !(d->list_only && d->where != DOCUMENT_LIST));
	if (s == SCAN_MORE && t->last)
		cut_off(&r);
	return (size_t)(r.p - t->p);
}

struct document document_at_event(bool list_root, struct fast *fast)
{
	return (struct document){ .where = DOCUMENT_LIST,
				  .list_root = list_root,
				  .list_only = true,
				  .fresh = true,
				  .fast = fast };
}

void document_join(struct document *d, const struct document *piece, struct batch *b, uint64_t at)
{
	element(d, b, at);
	d->where = piece->where;
	d->whole_end = MAX_OF(d->whole_end, piece->whole_end);
	d->fresh = piece->fresh;
	d->commas = piece->commas;
	memcpy(d->comma, piece->comma, sizeof(d->comma));
}
