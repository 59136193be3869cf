/*
 * The index (simd.h) gives the places of quotes and brackets; the walk goes from key to
 * key, guesses each from the one before (fast_key.h), and finds the end of every string
 * and every nested value in the index without looking at their bytes.
 *
 *	{"ph": "X", "cat": "cpu_op", "args": {"dims": [[1], []], "n": 7}}, {"ph": ...
 *	i.. .. .. .  .. .. .      .  .. .. . i.    .  i. ..  .i  . .   ..  i
 *
 * Between a value and the next key there may be blanks and one comma, nothing else; the
 * place of the next quote in the index says where the key must be. Everything that does
 * not fit gives up: whatever it is, the careful reader knows.
 */
#include "trace/read_fast.h"

#include "trace/fast_walk.h"

#include <stdlib.h>

#define WINDOW_MIN ((size_t)4 << 10)
#define WINDOW_MAX ((size_t)256 << 10)
#define SENTINELS  16

struct fast {
	simd_index_fn *index;
	size_t window;
	uint32_t *ix; /* WINDOW_MAX + 64 of them, and sentinels */
	struct fast_keys keys;
};

/* What has been read of the event. */
struct event {
	nsec ts, dur;
	uint32_t name, cat, pid, tid;
	bool has_dur;
	uint8_t ph;
};

struct fast *fast_new(enum simd_level level)
{
	struct fast *f = calloc(1, sizeof(*f));

	if (f)
		f->ix = malloc((WINDOW_MAX + 64 + SENTINELS) * sizeof(*f->ix));
	if (!f || !f->ix)
		arena_exhausted(sizeof(*f));
	f->index = simd_index(level);
	f->window = WINDOW_MAX;
	return f;
}

void fast_free(struct fast *f)
{
	if (!f)
		return;
	fast_keys_free(&f->keys);
	free(f->ix);
	free(f);
}

/* ---- arguments ---- */

HOT const char *argument(struct run *r, struct fast_slot *s, const char *p)
{
	const char *q;
	uint32_t n;

	if (*p == '"') {
		q = string(r, p, &n);
		if (LIKELY(q))
			put(r, s->id, ARG_STR, intern(r, s, p + 1, n, SPELL_STRING));
		return q;
	}
	if (*p != '[' && *p != '{')
		return number_argument(r, s, p);
	q = nested(r, p);
	if (UNLIKELY(!q))
		return NULL;
	uint32_t id = intern(r, s, p, (size_t)(q - p), SPELL_TEXT);
	put(r, s->id, ARG_TEXT, id);
	return LIKELY(id != NONE) ? q : NULL;
}

/* The object args at p. */
HOT const char *arguments(struct run *r, const char *p, uint32_t cat)
{
	struct fast_slot *slot = r->keys->args[cat % FAST_STARTS];

	if (UNLIKELY(*p != '{' || *r->ix != offset(r, p)))
		return NULL;
	p++;
	r->ix++;
	slot = forward(r, slot, &p, FAST_FIRST_ARG);
	while (LIKELY(slot)) {
		if (slot->does == FAST_CLOSE)
			return p;
		p = argument(r, slot, p);
		if (UNLIKELY(!p))
			return NULL;
		slot = forward(r, slot, &p, FAST_ARG);
	}
	return NULL;
}

/* ---- events ---- */

HOT const char *text_field(struct run *r, struct fast_slot *s, const char *p, struct event *e)
{
	uint32_t n;

	if (s->does == FIELD_CAT)
		return string_again(r, s, &r->b->cats, &p, &e->cat) ? p : NULL;
	const char *q = *p == '"' ? string(r, p, &n) : NULL;
	if (UNLIKELY(!q))
		return NULL;
	if (s->does == FIELD_NAME)
		e->name = intern(r, s, p + 1, n, SPELL_STRING);
	else
		e->ph = n ? (uint8_t)p[1] : 0;
	return q;
}

/* A field that is null is missing; NULL if it may not be that. */
static const char *null_field(const struct fast_slot *s, const char *p, struct event *e)
{
	switch (s->does) {
	case FIELD_PH:
		e->ph = 0;
		break;
	case FIELD_CAT:
		e->cat = NONE;
		break;
	case FIELD_NAME:
		e->name = NONE;
		break;
	case FIELD_PID:
		e->pid = NONE;
		break;
	case FIELD_TID:
		e->tid = NONE;
		break;
	default:
		return NULL;
	}
	return memcmp(p, "null", 4) ? NULL : p + 4;
}

HOT const char *field(struct run *r, struct fast_slot *s, const char *p, struct event *e)
{
	if (UNLIKELY(*p == 'n') && s->does <= FIELD_TID)
		return null_field(s, p, e);
	switch (s->does) {
	case FIELD_PH:
	case FIELD_CAT:
	case FIELD_NAME:
		return text_field(r, s, p, e);
	case FIELD_PID:
		return id_value(r, s, &p, &e->pid) ? p : NULL;
	case FIELD_TID:
		return id_value(r, s, &p, &e->tid) ? p : NULL;
	case FIELD_TS:
		return quoted_time(r, p, &e->ts);
	case FIELD_DUR:
		e->has_dur = true;
		return quoted_time(r, p, &e->dur);
	case FIELD_ARGS:
		return arguments(r, p, e->cat);
	default:
		return argument(r, s, p);
	}
}

/* Behind the event whose brace stands before p, after one of category `before`; NULL gives up. */
HOT const char *fields(struct run *r, const char *p, uint32_t before, struct event *e)
{
	struct fast_slot *slot = forward(r, r->keys->start[before % FAST_STARTS], &p,
					 FAST_FIRST_FIELD);

	while (LIKELY(slot)) {
		if (slot->does == FAST_CLOSE)
			return p;
		p = field(r, slot, p, e);
		if (UNLIKELY(!p))
			return NULL;
		slot = forward(r, slot, &p, FAST_FIELD);
	}
	return NULL;
}

/*
 * From behind an event over the comma to behind the brace of the next; *open is false if
 * there is no brace. NULL if there is no comma.
 */
HOT const char *next_event(struct run *r, const char *p, bool *open)
{
	struct fast_text *apart = &r->keys->apart;

	*open = true;
	if (LIKELY(fast_same(p, apart) && apart->n)) {
		r->ix++;
		return p + apart->n;
	}
	const char *q = json_skip_blanks(p, r->end);
	if (q >= r->end || *q != ',')
		return NULL;
	q = json_skip_blanks(q + 1, r->end);
	*open = q < r->end && *q == '{' && *r->ix == offset(r, q);
	if (!*open)
		return q;
	if (q + 1 - p <= FAST_WIDE)
		fast_text_set(apart, p, (size_t)(q + 1 - p));
	r->ix++;
	return q + 1;
}

HOT uint32_t lane(struct fast_keys *k, struct batch *b, const struct event *e)
{
	if (UNLIKELY(k->lane == NONE || k->lane_of[0] != e->pid || k->lane_of[1] != e->tid)) {
		k->lane = batch_lane(b, e->pid, e->tid);
		k->lane_of[0] = e->pid;
		k->lane_of[1] = e->tid;
	}
	return k->lane;
}

HOT void add_row(struct run *r, const struct event *e, uint32_t place, uint32_t args)
{
	((struct batch_row *)r->b->rows.at)[r->b->nrows++] = (struct batch_row){
		.ts = e->ts,
		.dur = e->has_dur ? e->dur : read_default_dur(e->ph),
		.name = e->name,
		.lane = lane(r->keys, r->b, e),
		.cat = e->cat,
		.args = args,
		.place = place,
		.ph = e->ph,
	};
	r->b->nargs = (uint32_t)(r->arg - (struct batch_arg *)r->b->args.at);
}

/* Does the object that begins at *ix close within the window? */
static bool closes(const struct run *r, const uint32_t *ix)
{
	struct run from = *r;

	from.ix = ix;
	return *ix != UINT32_MAX && nested(&from, r->base + *ix);
}

/*
 * Events of the window from p (a brace) on; where the first one begins that was not read,
 * and whether the window was too short for it.
 */
static const char *walk(struct run r, const struct text *t, const char *p, bool *too_short)
{
	const char *good = p;
	bool open = *r.ix == offset(&r, p);
	uint32_t cat = NONE;

	for (r.ix++, p++; open;) {
		struct batch_mark mark = batch_mark(r.b);
		struct event e = { .ts = NSEC_NONE,
				   .dur = NSEC_NONE,
				   .name = NONE,
				   .cat = NONE,
				   .pid = NONE,
				   .tid = NONE };
		const uint32_t *ix = r.ix - 1;
		const char *start = p - 1, *after = fields(&r, p, cat, &e);

		p = after ? next_event(&r, after, &open) : NULL;
		if (UNLIKELY(!p)) {
			batch_rewind(r.b, &mark);
			*too_short = !closes(&r, ix);
			break;
		}
		add_row(&r, &e, (uint32_t)(start - t->p), mark.nargs);
		good = after;
		cat = e.cat;
	}
	return good;
}

/*
 * The next window: long if much was read, short if something odd came soon, since that makes
 * the rest of an index useless; longer if an event did not fit.
 */
static size_t next_window(size_t window, size_t used, bool too_short)
{
	size_t next = too_short ? 2 * window : 4 * used;

	return MIN_OF(MAX_OF(next, WINDOW_MIN), WINDOW_MAX);
}

const char *fast_read(struct fast *f, struct batch *b, const struct text *t, const char *p,
		      uint32_t *n)
{
	uint32_t size = (uint32_t)MIN_OF((size_t)(t->end - p), f->window);
	uint32_t count = f->index(p, size, f->ix), before = b->nrows;
	bool too_short = false;

	memset(f->ix + count, 0xff, SENTINELS * sizeof(*f->ix));
	fast_keys_refresh(&f->keys, b);
	/* Every row and every argument takes at least two positions of the index. */
	batch_reserve(b, count / 2 + 1, count / 2 + 1);
	struct run r = { .ix = f->ix,
			 .arg = (struct batch_arg *)b->args.at + b->nargs,
			 .base = p,
			 .end = t->end,
			 .keys = &f->keys,
			 .b = b,
			 .origin = text_byte(t, p) };
	const char *q = walk(r, t, p, &too_short);

	*n = b->nrows - before;
	f->window = next_window(f->window, (size_t)(q - p), too_short);
	return q;
}
