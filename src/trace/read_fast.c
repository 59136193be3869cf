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

#include "trace/fast_key.h"
#include "trace/fast_number.h"

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

/* The walk through one window. Its functions are all in line, to keep it in registers. */
struct run {
	const uint32_t *ix;     /* the next position; past the last stands UINT32_MAX */
	struct batch_arg *arg;  /* where the next one goes; there is room */
	const char *base, *end; /* what the index counts from; the end of the text */
	struct fast_keys *keys;
	struct batch *b;
	uint64_t origin; /* of base in the whole text */
};

#define HOT static inline __attribute__((always_inline))

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

/* ---- tokens ---- */

HOT uint32_t offset(const struct run *r, const char *p)
{
	return (uint32_t)(p - r->base);
}

/* The string at p: its inside, and where it ends; NULL if the index has no string there. */
HOT const char *string(struct run *r, const char *p, uint32_t *n)
{
	uint32_t close = r->ix[1];

	if (UNLIKELY(r->ix[0] != offset(r, p) || close == UINT32_MAX))
		return NULL;
	r->ix += 2;
	*n = close - offset(r, p) - 1;
	return r->base + close + 1;
}

/* Behind the list or object at p. */
HOT const char *nested(struct run *r, const char *p)
{
	const uint32_t *ix = r->ix;
	uint32_t depth = 0;

	if (UNLIKELY(*ix != offset(r, p)))
		return NULL;
	for (;;) {
		uint32_t at = *ix++;

		if (UNLIKELY(at == UINT32_MAX))
			return NULL;
		char c = r->base[at];
		if (c == '"') {
			ix++;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (!--depth) {
			r->ix = ix;
			return r->base + at + 1;
		}
	}
}

/* To the next value of the object, or behind its brace: the slot says. NULL gives up. */
HOT struct fast_slot *forward(struct run *r, struct fast_slot *before, const char **p,
			      enum fast_where where)
{
	struct fast_slot *slot = before->next[0];

	if (UNLIKELY(!fast_match(slot, *p, r->end))) {
		slot = before->next[1];
		if (!fast_match(slot, *p, r->end))
			slot = fast_keys_find(r->keys, r->b, *p, r->base + *r->ix, r->end, where);
		if (!slot)
			return NULL;
		before->next[1] = before->next[0];
		before->next[0] = slot;
	}
	if (UNLIKELY(*r->ix == UINT32_MAX))
		return NULL; /* the window ends */
	*p += slot->between.n;
	r->ix += slot->does == FAST_CLOSE ? 1 : 2;
	return slot;
}

/* ---- strings ---- */

static __attribute__((noinline)) uint32_t odd(struct batch *b, const struct lexicon *x, uint32_t id,
					      uint64_t byte)
{
	read_count_faults(b, lexicon_faults(x, id), byte);
	return id;
}

static __attribute__((noinline)) uint32_t look_up(struct batch *b, struct lexicon *x, const char *p,
						  size_t n, enum spelling how, uint64_t byte)
{
	const struct lexicon_slot *s = lexicon_slot(x, p, n, how);

	if (UNLIKELY(!s))
		return NONE;
	return LIKELY(!s->odd) ? s->id : odd(b, x, s->id, byte);
}

/* The id of a value: probably what came after the slot's last one the last time. */
HOT uint32_t intern(struct run *r, struct fast_slot *s, const char *p, size_t n, enum spelling how)
{
	struct lexicon *x = &r->b->strings;
	uint32_t before = s->last[0].id, id = lexicon_guess(x, before, p, n, how);

	if (UNLIKELY(id == NONE)) {
		id = look_up(r->b, x, p, n, how, r->origin + offset(r, p));
		if (before < x->n)
			lexicon_entry(x, before)->next = id;
	}
	s->last[0].id = id;
	return id;
}

HOT bool same_value(const struct fast_value *v, const char *p)
{
	return fast_same(p, &v->text) && p[v->text.n] == ',' && v->text.n;
}

/* Is the value at p, and the comma behind it, what the slot had one of the last times? */
HOT const struct fast_value *same_again(struct fast_slot *s, const char *p)
{
	if (LIKELY(same_value(&s->last[0], p)))
		return &s->last[0];
	if (!same_value(&s->last[1], p))
		return NULL;
	struct fast_value first = s->last[1];
	s->last[1] = s->last[0];
	s->last[0] = first;
	return &s->last[0];
}

static __attribute__((noinline)) uint32_t keep_last(struct batch *b, struct fast_slot *s,
						    struct lexicon *x, struct str whole,
						    struct str inside, enum spelling how,
						    uint64_t byte)
{
	const struct lexicon_slot *l = lexicon_slot(x, inside.p, inside.n, how);

	if (l->odd)
		return odd(b, x, l->id, byte);
	if (whole.n <= FAST_WIDE) {
		s->last[1] = s->last[0];
		fast_text_set(&s->last[0].text, whole.p, whole.n);
		s->last[0].id = l->id;
	}
	return l->id;
}

/* A short string that is mostly the same: its id, and p moved behind it; false gives up. */
HOT bool string_again(struct run *r, struct fast_slot *s, struct lexicon *x, const char **p,
		      uint32_t *id)
{
	const char *v = *p;
	uint32_t n;

	const struct fast_value *last = same_again(s, v);
	if (LIKELY(last)) {
		r->ix += 2;
		*p = v + last->text.n;
		*id = last->id;
		return true;
	}
	const char *q = *v == '"' ? string(r, v, &n) : NULL;
	if (!q)
		return false;
	*id = keep_last(r->b, s, x, (struct str){ v, n + 2 }, (struct str){ v + 1, n },
			SPELL_STRING, r->origin + offset(r, v + 1));
	*p = q;
	return true;
}

/* A pid or a tid. */
HOT bool id_value(struct run *r, struct fast_slot *s, const char **p, uint32_t *id)
{
	const char *v = *p;
	struct fast_number x;

	if (*v == '"')
		return string_again(r, s, &r->b->strings, p, id);
	const struct fast_value *last = same_again(s, v);
	if (LIKELY(last)) {
		*p = v + last->text.n;
		*id = last->id;
		return true;
	}
	const char *q = fast_number(v, &x);
	if (!q)
		return false;
	struct str digits = { v, (size_t)(q - v) };
	*id = keep_last(r->b, s, &r->b->strings, digits, digits, SPELL_WORD,
			r->origin + offset(r, v));
	*p = q;
	return true;
}

/* ---- numbers ---- */

/* Behind a number in us; NULL if it is none or does not fit. */
HOT const char *time_value(const char *p, nsec *out)
{
	struct fast_number x;
	const char *q = fast_number(p, &x);
	uint64_t ns;

	if (UNLIKELY(!q))
		return NULL;
	if (LIKELY(x.decimals <= 3)) {
		if (UNLIKELY(x.digits > INT64_MAX / 1000))
			return NULL;
		ns = x.digits * fast_power10[3 - x.decimals];
	} else {
		if (x.decimals > 11)
			return NULL;
		uint64_t by = fast_power10[x.decimals - 3];
		ns = x.digits / by + (x.digits % by >= by / 2);
	}
	*out = x.minus ? -(nsec)ns : (nsec)ns;
	return q;
}

HOT void put(struct run *r, uint32_t key, enum arg_type type, uint32_t value)
{
	*r->arg++ = (struct batch_arg){ key << 3 | type, value };
}

HOT void put_int(struct run *r, uint32_t key, int64_t v)
{
	if (LIKELY((uint64_t)v <= UINT32_MAX)) {
		put(r, key, ARG_INT, (uint32_t)v);
		return;
	}
	put(r, key, ARG_WIDE, r->b->nwide);
	((int64_t *)r->b->wide.at)[r->b->nwide++] = v;
}

/* true, false or null: its length, 0 if it is none of them. */
static size_t word_type(const char *p, enum arg_type *type)
{
	static const struct {
		struct str text;
		enum arg_type type;
	} words[] = { { STR("true"), ARG_TRUE },
		      { STR("false"), ARG_FALSE },
		      { STR("null"), ARG_NULL } };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!memcmp(p, words[i].text.p, words[i].text.n)) {
			*type = words[i].type;
			return words[i].text.n;
		}
	return 0;
}

HOT const char *number_argument(struct run *r, struct fast_slot *s, const char *p)
{
	struct fast_number x;
	const char *q = fast_number(p, &x);
	enum arg_type type = ARG_NULL;

	if (UNLIKELY(!q)) {
		size_t n = word_type(p, &type);

		put(r, s->id, type, 0);
		return n ? p + n : NULL;
	}
	if (UNLIKELY(x.fraction))
		put(r, s->id, ARG_TEXT, intern(r, s, p, (size_t)(q - p), SPELL_WORD));
	else
		put_int(r, s->id, x.minus ? -(int64_t)x.digits : (int64_t)x.digits);
	return q;
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

HOT const char *field(struct run *r, struct fast_slot *s, const char *p, struct event *e)
{
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
		return time_value(p, &e->ts);
	case FIELD_DUR:
		e->has_dur = true;
		return time_value(p, &e->dur);
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

/* Events of the window from p (a brace) on; where the first one begins that was not read. */
static const char *walk(struct run r, const struct text *t, const char *p)
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
		const char *start = p - 1, *after = fields(&r, p, cat, &e);

		p = after ? next_event(&r, after, &open) : NULL;
		if (UNLIKELY(!p)) {
			batch_rewind(r.b, &mark);
			break;
		}
		add_row(&r, &e, (uint32_t)(start - t->p), mark.nargs);
		good = after;
		cat = e.cat;
	}
	return good;
}

const char *fast_read(struct fast *f, struct batch *b, const struct text *t, const char *p,
		      uint32_t *n)
{
	uint32_t size = (uint32_t)MIN_OF((size_t)(t->end - p), f->window);
	uint32_t count = f->index(p, size, f->ix), before = b->nrows;

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
	const char *q = walk(r, t, p);

	*n = b->nrows - before;
	f->window = MIN_OF(MAX_OF(4 * (size_t)(q - p), WINDOW_MIN), WINDOW_MAX);
	return q;
}
