#include "trace/batch.h"

#define POOL_RELIEF ((size_t)64 << 20)

static void *push(struct column *c, uint32_t *n, size_t size)
{
	size_t at = (size_t)(*n)++ * size;

	if (UNLIKELY(at + size > c->size))
		column_reserve(c, at + size);
	return (char *)c->at + at;
}

struct batch_row *batch_add_row(struct batch *b)
{
	return push(&b->rows, &b->nrows, sizeof(struct batch_row));
}

void batch_add_arg(struct batch *b, uint32_t key, enum arg_type type, uint32_t value)
{
	struct batch_arg *a = push(&b->args, &b->nargs, sizeof(*a));

	*a = (struct batch_arg){ key << 3 | type, value };
}

void batch_add_int(struct batch *b, uint32_t key, int64_t value)
{
	if (value >= 0 && value <= UINT32_MAX) {
		batch_add_arg(b, key, ARG_INT, (uint32_t)value);
		return;
	}
	batch_add_arg(b, key, ARG_WIDE, b->nwide);
	*(int64_t *)push(&b->wide, &b->nwide, sizeof(int64_t)) = value;
}

void batch_reserve(struct batch *b, size_t rows, size_t args)
{
	column_reserve(&b->rows, (b->nrows + rows) * sizeof(struct batch_row));
	column_reserve(&b->args, (b->nargs + args) * sizeof(struct batch_arg));
	column_reserve(&b->wide, (b->nwide + args) * sizeof(int64_t));
}

void batch_hit(struct batch *b, enum counter what, uint32_t n, uint64_t byte)
{
	struct batch_hit *h = push(&b->hits, &b->nhits, sizeof(*h));

	*h = (struct batch_hit){ what, n, byte };
}

uint32_t batch_lane(struct batch *b, uint32_t pid, uint32_t tid)
{
	uint32_t both[6] = { pid, tid }; /* more than is looked at: see lexicon_add() */

	return lexicon_add(&b->lanes, (const char *)both, 2 * sizeof(*both), SPELL_WORD);
}

struct batch_mark batch_mark(const struct batch *b)
{
	return (struct batch_mark){ b->nrows,     b->nargs,  b->nwide,  b->nhits,
				    b->strings.n, b->keys.n, b->cats.n, b->lanes.n };
}

void batch_rewind(struct batch *b, const struct batch_mark *to)
{
	b->nrows = to->nrows;
	b->nargs = to->nargs;
	b->nwide = to->nwide;
	b->nhits = to->nhits;
	lexicon_rewind(&b->strings, to->strings);
	lexicon_rewind(&b->keys, to->keys);
	lexicon_rewind(&b->cats, to->cats);
	lexicon_rewind(&b->lanes, to->lanes);
}

void batch_clear(struct batch *b)
{
	b->nrows = b->nargs = b->nwide = b->nhits = 0;
}

static void forget(struct batch *b)
{
	lexicon_free(&b->strings);
	lexicon_free(&b->keys);
	lexicon_free(&b->cats);
	lexicon_free(&b->lanes);
}

void batch_relieve(struct batch *b)
{
	if (b->strings.pool_used > POOL_RELIEF)
		forget(b);
}

void batch_free(struct batch *b)
{
	column_free(&b->rows);
	column_free(&b->args);
	column_free(&b->wide);
	column_free(&b->hits);
	forget(b);
}
