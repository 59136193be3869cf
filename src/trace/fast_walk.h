/*
 * fast_walk.h - the steps of the fast reader through the text of one index window: from
 * value to value, over strings, nested values and numbers.
 *
 * All of it is in line, for the sake of registers. Every step gives up (NULL, false) at
 * whatever is not plain; nothing is wrong then, it is only not for the fast reader.
 */
#ifndef TRACE_FAST_WALK_H
#define TRACE_FAST_WALK_H

#include "trace/fast_key.h"
#include "trace/fast_number.h"

#define COLD static __attribute__((noinline, unused))
#define HOT  static inline __attribute__((always_inline))

/* The walk through one window. */
struct run {
	const uint32_t *ix;     /* the next position; past the last stands UINT32_MAX */
	struct batch_arg *arg;  /* where the next one goes; there is room */
	const char *base, *end; /* what the index counts from; the end of the text */
	struct fast_keys *keys;
	struct batch *b;
	uint64_t origin; /* of base in the whole text */
};

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

COLD uint32_t odd(struct batch *b, const struct lexicon *x, uint32_t id, uint64_t byte)
{
	read_count_faults(b, lexicon_faults(x, id), byte);
	return id;
}

COLD uint32_t look_up(struct batch *b, struct lexicon *x, const char *p, size_t n,
		      enum spelling how, uint64_t byte)
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

COLD uint32_t keep_last(struct batch *b, struct fast_slot *s, struct lexicon *x, struct str whole,
			struct str inside, enum spelling how, uint64_t byte)
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

/* The same if it stands in quotes. */
HOT const char *quoted_time(struct run *r, const char *p, nsec *out)
{
	if (LIKELY(*p != '"'))
		return time_value(p, out);
	const char *q = time_value(p + 1, out);
	if (!q || *q != '"' || r->ix[1] != offset(r, q))
		return NULL;
	r->ix += 2;
	return q + 1;
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
COLD size_t word_type(const char *p, enum arg_type *type)
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

#endif
