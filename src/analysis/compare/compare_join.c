/*
 * As TraceLens joins reports, one after the other: each row of a key with each.
 *
 *	a: k 1, k 2      b: k 3, k 4, m 5      lines: 1 3, 1 4, 2 3, 2 4, - 5
 */
#include "analysis/compare/compare_match.h"

struct joining {
	const struct compare *c;
	uint32_t nlines, nkeys;
	struct column key, row; /* of each line; by sides */
};

static bool join_line(struct joining *j, uint32_t key, const uint32_t *like, uint32_t side,
		      uint32_t row)
{
	uint32_t n = j->c->nsides;

	if (((uint64_t)j->nlines + 1) * n > GRID_CELLS)
		return false;
	match_ids(&j->key, j->nlines + 1)[j->nlines] = key;
	uint32_t *at = match_ids(&j->row, ((size_t)j->nlines + 1) * n) + (size_t)j->nlines * n;
	if (like)
		memcpy(at, like, n * sizeof(*at));
	else
		memset(at, 0xff, n * sizeof(*at));
	if (row != NONE)
		at[side] = row;
	j->nlines++;
	return true;
}

/* Rows of a side by key: a list of each, in the order of the report. */
static void chain_rows(struct arena *a, const uint32_t *id, uint32_t nrows, uint32_t nkeys,
		       uint32_t **head, uint32_t **next)
{
	*head = NEW(a, nkeys, uint32_t);
	*next = NEW(a, nrows, uint32_t);
	memset(*head, 0xff, nkeys * sizeof(**head));
	for (uint32_t r = nrows; r--;) {
		(*next)[r] = (*head)[id[r]];
		(*head)[id[r]] = r;
	}
}

/* The lines so far with the rows of one more side; `old` is left as it was. */
static bool join_side(struct joining *old, struct joining *out, struct arena *a, uint32_t side,
		      const uint32_t *id, uint32_t nrows, uint32_t nkeys)
{
	const uint32_t *key = old->key.at, *row = old->row.at;
	uint32_t *head, *next;
	bool *used = NEW(a, nkeys, bool), fits = true;

	chain_rows(a, id, nrows, nkeys, &head, &next);
	for (uint32_t i = 0; i < old->nlines && fits; i++) {
		const uint32_t *like = row + (size_t)i * old->c->nsides;

		used[key[i]] = true;
		if (head[key[i]] == NONE)
			fits = join_line(out, key[i], like, side, NONE);
		for (uint32_t r = head[key[i]]; r != NONE && fits; r = next[r])
			fits = join_line(out, key[i], like, side, r);
	}
	for (uint32_t r = 0; r < nrows && fits; r++)
		if (!used[id[r]])
			fits = join_line(out, id[r], NULL, side, r);
	return fits;
}

static void free_joining(struct joining *j)
{
	column_free(&j->key);
	column_free(&j->row);
}

bool match_join(struct compare *c, struct compare_sheet *s, const struct match_keys *k,
		struct lp_error *err)
{
	struct joining now = { .c = c };
	struct strings ids = { 0 };
	bool fits = true;

	for (uint32_t i = 0; i < c->nsides && fits; i++) {
		struct joining more = { .c = c };

		if (!s->grid[i])
			continue;
		uint32_t *id = match_rows(c, s, i, k, &ids);
		fits = join_side(&now, &more, &c->scratch, i, id, s->grid[i]->nrows, ids.n);
		free_joining(&now);
		now = more;
	}
	s->nlines = now.nlines;
	s->row = NEW(&c->scratch, (size_t)now.nlines * c->nsides, uint32_t);
	if (now.nlines)
		memcpy(s->row, now.row.at, (size_t)now.nlines * c->nsides * sizeof(*s->row));
	free_joining(&now);
	strings_free(&ids);
	return fits || error_set(err,
				 "%s: sheet %s: so many rows have one key that each with each "
				 "would be millions; leave out --style tracelens",
				 c->side[0].path, s->rule->sheet);
}
