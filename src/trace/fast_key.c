#include "trace/fast_key.h"

static uint64_t epoch_of(const struct batch *b)
{
	return (uint64_t)b->strings.epoch + b->keys.epoch + b->cats.epoch + b->lanes.epoch;
}

void fast_text_set(struct fast_text *t, const char *p, size_t n)
{
	size_t wide = MIN_OF(n, FAST_WIDE);

	memset(t, 0, sizeof(*t));
	memcpy(t->text, p, wide);
	memset(t->mask, 0xff, wide);
	t->n = (uint32_t)n;
}

/* A slot that guesses wrong until it has been taught. */
static struct fast_slot *add_slot(struct fast_keys *k)
{
	struct fast_slot *s = &k->slot[k->n++];

	*s = (struct fast_slot){ .does = FAST_NEVER, .next = { k->slot, k->slot } };
	return s;
}

/* The first slot matches nothing, being a zero byte. */
static void begin(struct fast_keys *k)
{
	fast_text_set(&add_slot(k)->between, "", 1);
	for (uint32_t i = 0; i < FAST_STARTS; i++) {
		k->start[i] = add_slot(k);
		k->args[i] = add_slot(k);
	}
	k->apart = (struct fast_text){ 0 };
	k->lane = NONE;
}

void fast_keys_refresh(struct fast_keys *k, const struct batch *b)
{
	if (k->n && k->epoch == epoch_of(b))
		return;
	k->n = 0;
	memset(k->table, 0, sizeof(k->table));
	arena_free(&k->more);
	begin(k);
	k->epoch = epoch_of(b);
}

void fast_keys_free(struct fast_keys *k)
{
	arena_free(&k->more);
}

/* ---- what stands at p ---- */

/*
 * From p to the next value or behind the closing brace; {NULL, 0} if it is not plain: one
 * comma before a key unless it is the first, no escapes in it. A key is given too.
 */
static struct str text_between(const char *p, const char *quote, const char *end, bool first,
			       struct str *key)
{
	const char *q = json_skip_blanks(p, end);
	bool comma = q < end && *q == ',';

	if (comma)
		q = json_skip_blanks(q + 1, end);
	if (q != quote || q >= end)
		return (struct str){ 0 };
	if (*q == '}' && !comma)
		return (struct str){ p, (size_t)(q + 1 - p) };
	if (*q != '"' || comma == first)
		return (struct str){ 0 };
	const char *close = q + 1;
	if (json_string_end(&close, end) != SCAN_OK)
		return (struct str){ 0 };
	*key = (struct str){ q + 1, (size_t)(close - q - 1) };
	q = json_skip_blanks(close + 1, end);
	if (q >= end || *q != ':' || memchr(key->p, '\\', key->n))
		return (struct str){ 0 };
	q = json_skip_blanks(q + 1, end);
	return q == end ? (struct str){ 0 } : (struct str){ p, (size_t)(q - p) };
}

/* What the key means; false if that is left to the careful reader. */
static bool understand(struct fast_slot *s, struct batch *b, struct str key)
{
	s->does = s->in_args ? FIELD_ARGUMENT : read_field_of(key);
	if (s->does < FIELD_OTHER)
		return true;
	const struct lexicon_slot *l = lexicon_slot(&b->keys, key.p, key.n,
						    s->in_args ? SPELL_STRING : SPELL_FIELD);
	s->id = l->id;
	return !l->odd;
}

static struct fast_slot *new_slot(struct fast_keys *k, struct batch *b, struct str text,
				  struct str key, bool in_args)
{
	size_t wide = MIN_OF(text.n, FAST_WIDE);
	struct fast_slot *s;

	if (k->n == FAST_SLOTS)
		return NULL;
	s = add_slot(k);
	s->in_args = in_args;
	fast_text_set(&s->between, text.p, text.n);
	s->more = arena_text(&k->more, text.p + wide, text.n - wide);
	s->does = FAST_CLOSE;
	if (key.p && !understand(s, b, key)) {
		k->n--;
		return NULL;
	}
	return s;
}

struct fast_slot *fast_keys_find(struct fast_keys *k, struct batch *b, const char *p,
				 const char *quote, const char *end, enum fast_where where)
{
	bool first = where == FAST_FIRST_FIELD || where == FAST_FIRST_ARG;
	bool in_args = where >= FAST_FIRST_ARG;
	struct str key = { 0 }, text = text_between(p, quote, end, first, &key);

	if (!text.p || (!key.p && where == FAST_FIRST_FIELD))
		return NULL;
	for (uint32_t i = (uint32_t)hash_bytes(text.p, text.n) + in_args;; i++) {
		uint16_t *at = &k->table[i % ARRAY_SIZE(k->table)];

		if (!*at) {
			struct fast_slot *made = new_slot(k, b, text, key, in_args);

			*at = made ? (uint16_t)(made - k->slot + 1) : 0;
			return made;
		}
		struct fast_slot *s = &k->slot[*at - 1];
		if (s->between.n == text.n && s->in_args == in_args && fast_match(s, p, end))
			return s;
	}
}
