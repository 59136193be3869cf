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

/* The walk through one window. */
struct run {
	struct fast_keys *keys;
	struct batch *b;
	const char *base, *end; /* what the index counts from; the end of the text */
	const uint32_t *ix;     /* the next position; past the last stands UINT32_MAX */
	uint64_t origin;        /* of base in the whole text */
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

/* ---- tokens ---- */

static inline uint32_t offset(const struct run *r, const char *p)
{
	return (uint32_t)(p - r->base);
}

/* The string at p: its inside, and where it ends; NULL if the index has no string there. */
static inline const char *string(struct run *r, const char *p, uint32_t *n)
{
	uint32_t close = r->ix[1];

	if (UNLIKELY(r->ix[0] != offset(r, p) || close == UINT32_MAX))
		return NULL;
	r->ix += 2;
	*n = close - offset(r, p) - 1;
	return r->base + close + 1;
}

/* Behind the list or object at p. */
static inline const char *nested(struct run *r, const char *p)
{
	const uint32_t *ix = r->ix;
	uint32_t depth = 0;

	if (*ix != offset(r, p))
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

/* From behind a value to the quote of the next key, or behind the brace that closes. */
enum step { STEP_KEY, STEP_CLOSE, STEP_ODD };

static inline enum step step(struct run *r, const char **p)
{
	const char *q = *p;

	if (UNLIKELY(json_blank(*q)))
		q = json_skip_blanks(q, r->end);
	if (*q == '}' && *r->ix == offset(r, q)) {
		r->ix++;
		*p = q + 1;
		return STEP_CLOSE;
	}
	if (*q != ',')
		return STEP_ODD;
	q++;
	if (LIKELY(*q == ' ') && LIKELY(q[1] == '"'))
		q++;
	else
		q = json_skip_blanks(q, r->end);
	*p = q;
	return *r->ix == offset(r, q) && *q == '"' ? STEP_KEY : STEP_ODD;
}

/* From behind an opening brace: the same, but no comma comes before the first key. */
static inline enum step first_step(struct run *r, const char **p)
{
	const char *q = *p;

	if (json_blank(*q))
		q = json_skip_blanks(q, r->end);
	if (*r->ix != offset(r, q) || (*q != '"' && *q != '}'))
		return STEP_ODD;
	*p = q;
	if (*q == '"')
		return STEP_KEY;
	r->ix++;
	*p = q + 1;
	return STEP_CLOSE;
}

/* The slot of the key at p, p moved on to the value; NULL gives up. `prev` goes on too. */
static inline struct fast_slot *key(struct run *r, uint32_t *prev, const char **p, bool in_args)
{
	struct fast_keys *k = r->keys;
	struct fast_slot *before = &k->slot[*prev];
	uint32_t slot = before->next[0];

	if (UNLIKELY(!fast_match(&k->slot[slot], *p, r->end))) {
		slot = before->next[1];
		if (!fast_match(&k->slot[slot], *p, r->end))
			slot = fast_keys_find(k, r->b, *p, r->end, in_args);
		if (slot == NONE)
			return NULL;
		before->next[1] = before->next[0];
		before->next[0] = (uint16_t)slot;
	}
	*prev = slot;
	*p += k->slot[slot].n;
	r->ix += 2;
	return &k->slot[slot];
}

/* ---- values ---- */

static uint32_t odd(struct run *r, const struct lexicon *x, uint32_t id, const char *p)
{
	read_count_faults(r->b, lexicon_faults(x, id), r->origin + offset(r, p));
	return id;
}

static inline uint32_t intern(struct run *r, struct lexicon *x, const char *p, size_t n,
			      enum spelling how)
{
	const struct lexicon_slot *s = lexicon_slot(x, p, n, how);

	if (UNLIKELY(!s))
		return NONE;
	return LIKELY(!s->odd) ? s->id : odd(r, x, s->id, p);
}

/* The same for values that mostly are what they were the last time. */
static inline uint32_t intern_again(struct run *r, struct fast_slot *s, struct lexicon *x,
				    const char *p, uint32_t n, enum spelling how)
{
	if (LIKELY(n == s->last_n)) {
		if (LIKELY(fast_same(p, s->last, s->last_mask)))
			return s->last_id;
	}
	const struct lexicon_slot *l = lexicon_slot(x, p, n, how);
	if (UNLIKELY(l->odd))
		return odd(r, x, l->id, p);
	if (n <= FAST_WIDE) {
		memcpy(s->last, p, FAST_WIDE);
		fast_mask(s->last_mask, n);
		s->last_n = n;
		s->last_id = l->id;
	}
	return l->id;
}

/* Behind a number in us; NULL if it is none or does not fit. */
static inline const char *time_value(const char *p, nsec *out)
{
	struct fast_number x;
	const char *q = fast_number(p, &x);
	uint64_t ns;

	if (UNLIKELY(!q))
		return NULL;
	if (LIKELY(x.decimals <= 3)) {
		if (x.digits > INT64_MAX / 1000)
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

/* A pid or a tid. */
static inline const char *id_value(struct run *r, struct fast_slot *s, const char *p, uint32_t *id)
{
	struct fast_number x;
	uint32_t n;

	if (*p == '"') {
		const char *q = string(r, p, &n);

		if (q)
			*id = intern_again(r, s, &r->b->strings, p + 1, n, SPELL_STRING);
		return q;
	}
	const char *q = fast_number(p, &x);
	if (q)
		*id = intern_again(r, s, &r->b->strings, p, (uint32_t)(q - p), SPELL_WORD);
	return q;
}

static const char *word_argument(struct run *r, uint32_t key, const char *p)
{
	static const struct {
		struct str text;
		enum arg_type type;
	} words[] = { { STR("true"), ARG_TRUE },
		      { STR("false"), ARG_FALSE },
		      { STR("null"), ARG_NULL } };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!memcmp(p, words[i].text.p, words[i].text.n)) {
			batch_add_arg(r->b, key, words[i].type, 0);
			return p + words[i].text.n;
		}
	return NULL;
}

static inline const char *number_argument(struct run *r, uint32_t key, const char *p)
{
	struct fast_number x;
	const char *q = fast_number(p, &x);

	if (UNLIKELY(!q))
		return word_argument(r, key, p);
	if (UNLIKELY(x.fraction))
		batch_add_arg(r->b, key, ARG_TEXT,
			      intern(r, &r->b->strings, p, (size_t)(q - p), SPELL_WORD));
	else
		batch_add_int(r->b, key, x.minus ? -(int64_t)x.digits : (int64_t)x.digits);
	return q;
}

static inline const char *argument(struct run *r, const struct fast_slot *s, const char *p)
{
	struct lexicon *strings = &r->b->strings;
	const char *q;
	uint32_t n, id;

	if (*p == '"') {
		q = string(r, p, &n);
		if (q)
			batch_add_arg(r->b, s->key, ARG_STR,
				      intern(r, strings, p + 1, n, SPELL_STRING));
		return q;
	}
	if (*p != '[' && *p != '{')
		return number_argument(r, s->key, p);
	q = nested(r, p);
	if (!q)
		return NULL;
	id = intern(r, strings, p, (size_t)(q - p), SPELL_TEXT);
	if (id == NONE)
		return NULL;
	batch_add_arg(r->b, s->key, ARG_TEXT, id);
	return q;
}

/* The object args at p. */
static inline const char *arguments(struct run *r, const char *p, uint32_t cat)
{
	uint32_t prev = r->keys->args[cat % FAST_STARTS];

	if (*p != '{' || *r->ix != offset(r, p))
		return NULL;
	p++;
	r->ix++;
	for (enum step s = first_step(r, &p); s != STEP_CLOSE; s = step(r, &p)) {
		if (UNLIKELY(s == STEP_ODD))
			return NULL;
		const struct fast_slot *slot = key(r, &prev, &p, true);
		if (UNLIKELY(!slot))
			return NULL;
		p = argument(r, slot, p);
		if (UNLIKELY(!p))
			return NULL;
	}
	return p;
}

/* ---- events ---- */

static inline const char *text_field(struct run *r, struct fast_slot *s, const char *p,
				     struct event *e)
{
	uint32_t n;
	const char *q = *p == '"' ? string(r, p, &n) : NULL;

	if (UNLIKELY(!q))
		return NULL;
	if (s->does == FIELD_NAME)
		e->name = intern(r, &r->b->strings, p + 1, n, SPELL_STRING);
	else if (s->does == FIELD_CAT)
		e->cat = intern_again(r, s, &r->b->cats, p + 1, n, SPELL_STRING);
	else
		e->ph = n ? (uint8_t)p[1] : 0;
	return q;
}

static inline const char *field(struct run *r, struct fast_slot *s, const char *p, struct event *e)
{
	switch (s->does) {
	case FIELD_PH:
	case FIELD_CAT:
	case FIELD_NAME:
		return text_field(r, s, p, e);
	case FIELD_PID:
		return id_value(r, s, p, &e->pid);
	case FIELD_TID:
		return id_value(r, s, p, &e->tid);
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

/* Behind the event at p, whose brace is the next in the index; NULL gives up. */
static inline const char *fields(struct run *r, const char *p, struct event *e)
{
	uint32_t prev = r->keys->start;

	p++;
	r->ix++;
	enum step s = first_step(r, &p);
	if (s == STEP_CLOSE)
		return NULL; /* an empty one */
	for (; s != STEP_CLOSE; s = step(r, &p)) {
		if (UNLIKELY(s == STEP_ODD))
			return NULL;
		struct fast_slot *slot = key(r, &prev, &p, false);
		if (UNLIKELY(!slot))
			return NULL;
		p = field(r, slot, p, e);
		if (UNLIKELY(!p))
			return NULL;
	}
	return p;
}

/* To the comma behind an event and the brace of the next; NULL if there is no comma. */
static inline const char *next_event(const char *p, const char *end)
{
	if (UNLIKELY(*p != ','))
		p = json_skip_blanks(p, end);
	if (p == end || *p != ',')
		return NULL;
	return json_skip_blanks(p + 1, end);
}

static inline void add_row(struct run *r, const struct event *e, uint32_t place, uint32_t args)
{
	*batch_add_row(r->b) = (struct batch_row){
		.ts = e->ts,
		.dur = e->has_dur ? e->dur : read_default_dur(e->ph),
		.name = e->name,
		.lane = batch_lane(r->b, e->pid, e->tid),
		.cat = e->cat,
		.args = args,
		.place = place,
		.ph = e->ph,
	};
}

/* Events of the window from p on; where the first one begins that was not read. */
static const char *walk(struct run *r, const struct text *t, const char *p, uint32_t *n)
{
	const char *good = p;

	while (p < r->end && *p == '{' && *r->ix == offset(r, p)) {
		struct batch_mark mark = batch_mark(r->b);
		struct event e = { .ts = NSEC_NONE,
				   .dur = NSEC_NONE,
				   .name = NONE,
				   .cat = NONE,
				   .pid = NONE,
				   .tid = NONE };
		const char *start = p, *after = fields(r, p, &e);

		p = after ? next_event(after, r->end) : NULL;
		if (UNLIKELY(!p)) {
			batch_rewind(r->b, &mark);
			break;
		}
		add_row(r, &e, (uint32_t)(start - t->p), mark.nargs);
		good = after;
		++*n;
	}
	return good;
}

const char *fast_read(struct fast *f, struct batch *b, const struct text *t, const char *p,
		      uint32_t *n)
{
	uint32_t size = (uint32_t)MIN_OF((size_t)(t->end - p), f->window);
	uint32_t count = f->index(p, size, f->ix);
	struct run r = { .keys = &f->keys,
			 .b = b,
			 .base = p,
			 .end = t->end,
			 .ix = f->ix,
			 .origin = text_byte(t, p) };

	memset(f->ix + count, 0xff, SENTINELS * sizeof(*f->ix));
	fast_keys_refresh(&f->keys, b);
	*n = 0;
	const char *q = walk(&r, t, p, n);
	f->window = MIN_OF(MAX_OF(4 * (size_t)(q - p), WINDOW_MIN), WINDOW_MAX);
	return q;
}
