#include "trace/fast_key.h"

static uint64_t epoch_of(const struct batch *b)
{
	return (uint64_t)b->strings.epoch + b->keys.epoch + b->cats.epoch + b->lanes.epoch;
}

static uint16_t add_slot(struct fast_keys *k)
{
	k->slot[k->n] = (struct fast_slot){ .last_n = UINT32_MAX };
	return (uint16_t)k->n++;
}

/* A slot that matches nothing is the first: "no guess" points there. */
static void begin(struct fast_keys *k)
{
	uint16_t nothing = add_slot(k);

	fast_mask(k->slot[nothing].mask, FAST_WIDE);
	k->start = add_slot(k);
	for (uint32_t i = 0; i < FAST_STARTS; i++)
		k->args[i] = add_slot(k);
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

/* From the quote at p to the value: {NULL, 0} if that is no plain key with its colon. */
static struct str key_text(const char *p, const char *end, struct str *key)
{
	const char *close = p + 1;

	if (json_string_end(&close, end) != SCAN_OK)
		return (struct str){ 0 };
	*key = (struct str){ p + 1, (size_t)(close - p - 1) };
	const char *q = json_skip_blanks(close + 1, end);
	if (q == end || *q != ':' || memchr(key->p, '\\', key->n))
		return (struct str){ 0 };
	q = json_skip_blanks(q + 1, end);
	return q == end ? (struct str){ 0 } : (struct str){ p, (size_t)(q - p) };
}

static uint32_t new_slot(struct fast_keys *k, struct batch *b, struct str text, struct str key,
			 bool in_args)
{
	enum read_field field = in_args ? FIELD_ARGUMENT : read_field_of(key);
	uint32_t id = NONE;

	if (k->n == FAST_SLOTS)
		return NONE;
	if (field >= FIELD_OTHER) {
		const struct lexicon_slot *l = lexicon_slot(&b->keys, key.p, key.n,
							    in_args ? SPELL_STRING : SPELL_FIELD);
		if (l->odd)
			return NONE;
		id = l->id;
	}
	uint16_t slot = add_slot(k);
	struct fast_slot *s = &k->slot[slot];
	size_t wide = MIN_OF(text.n, FAST_WIDE);

	memcpy(s->text, text.p, wide);
	fast_mask(s->mask, (uint32_t)wide);
	s->n = (uint32_t)text.n;
	s->more = arena_text(&k->more, text.p + wide, text.n - wide);
	s->does = (uint8_t)field;
	s->key = id;
	s->in_args = in_args;
	return slot;
}

uint32_t fast_keys_find(struct fast_keys *k, struct batch *b, const char *p, const char *end,
			bool in_args)
{
	struct str key, text = key_text(p, end, &key);

	if (!text.p)
		return NONE;
	for (uint32_t i = (uint32_t)hash_bytes(text.p, text.n) + in_args;; i++) {
		uint16_t *at = &k->table[i % ARRAY_SIZE(k->table)];

		if (!*at) {
			uint32_t slot = new_slot(k, b, text, key, in_args);

			*at = slot == NONE ? 0 : (uint16_t)(slot + 1);
			return slot;
		}
		const struct fast_slot *s = &k->slot[*at - 1];
		if (s->n == text.n && s->in_args == in_args && fast_match(s, p, end))
			return *at - 1u;
	}
}
