/*
 * A row's key is its key cells as one text; numbers are written anew in it, so that 96 and
 * 96.0 are one. Rows that have a key in common within a report are told apart by a further
 * column if there is one, then by which of them they are, in the order of the report: first
 * with first, second with second.
 */
#include "analysis/compare/compare_match.h"

#include "analysis/compare/compare_cell.h"
#include "base/decimal.h"
#include "base/textbuf.h"

#include <math.h>

/* Whether all that is in this column of all sides is numbers. */
static bool all_numbers(const struct compare *c, const struct compare_sheet *s, const char *name)
{
	double v;

	for (uint32_t i = 0; i < c->nsides; i++) {
		const struct grid *g = s->grid[i];
		uint32_t col = compare_column(s, i, name);

		for (uint32_t r = 0; col != NONE && r < g->nrows; r++)
			if (compare_cell(grid_cell(g, r, col), &v) == CELL_WORDS)
				return false;
	}
	return true;
}

static bool in_all(const struct compare *c, const struct compare_sheet *s, const char *name)
{
	for (uint32_t i = 0; i < c->nsides; i++)
		if (s->grid[i] && grid_column(s->grid[i], name) == NONE)
			return false;
	return true;
}

static struct match_keys find_keys(struct compare *c, const struct compare_sheet *s)
{
	const char *also = s->rule->also;
	struct match_keys k = { 0, NEW(&c->scratch, s->nkeys + 1, const char *),
				NEW(&c->scratch, s->nkeys + 1, bool) };

	for (uint32_t i = 0; i < s->nkeys; i++)
		k.name[k.n++] = s->key[i];
	if (also && c->style != LP_STYLE_TRACELENS && in_all(c, s, also))
		k.name[k.n++] = also;
	for (uint32_t i = 0; i < k.n; i++)
		k.number[i] = all_numbers(c, s, k.name[i]);
	return k;
}

static void add_key(struct textbuf *b, const char *text, bool number)
{
	char room[DECIMAL_MAX];
	double v;

	if (number) {
		compare_cell(text, &v);
		if (isfinite(v)) {
			decimal_f64(room, v);
			text = room;
		}
	} else if (text && !strcmp(text, "true")) {
		text = "True";
	} else if (text && !strcmp(text, "false")) {
		text = "False";
	}
	textbuf_add(b, (struct str){ "\0x",
				     text ? 2 : 1 }); /* the end of the one before; there is one */
	textbuf_add(b, str_of(text ? text : ""));
}

uint32_t *match_rows(struct compare *c, const struct compare_sheet *s, uint32_t side,
		     const struct match_keys *k, struct strings *ids)
{
	const struct grid *g = s->grid[side];
	uint32_t *id = NEW(&c->scratch, g->nrows, uint32_t),
		 *col = NEW(&c->scratch, k->n, uint32_t);
	struct textbuf b = { .arena = &c->scratch };

	for (uint32_t i = 0; i < k->n; i++)
		col[i] = grid_column(g, k->name[i]);
	for (uint32_t r = 0; r < g->nrows; r++) {
		b.n = 0;
		for (uint32_t i = 0; i < k->n; i++)
			add_key(&b, grid_cell(g, r, col[i]), k->number[i]);
		id[r] = strings_add(ids, b.p, b.n);
	}
	return id;
}

/* ---- one with one ---- */

/* Lines by key and by which of the rows of that key: found[key] is the first, next[] the others. */
struct pairing {
	struct column first, next, row; /* uint32_t: of keys, of lines, of lines by sides */
	uint32_t nkeys, nlines;
};

static uint32_t add_line(struct pairing *p, uint32_t nsides)
{
	uint32_t line = p->nlines++;

	match_ids(&p->next, p->nlines)[line] = NONE;
	uint32_t *row = match_ids(&p->row, (size_t)p->nlines * nsides);
	memset(row + (size_t)line * nsides, 0xff, nsides * sizeof(*row));
	return line;
}

/* The first line of the key that has no row of this side yet; cursor[key]: where to look. */
static uint32_t free_line(struct pairing *p, uint32_t key, uint32_t *cursor, uint32_t nsides)
{
	uint32_t last = cursor[key];
	uint32_t line = last == NONE ? match_ids(&p->first, key + 1)[key]
				     : match_ids(&p->next, last + 1)[last];

	if (line == NONE) {
		line = add_line(p, nsides);
		if (last == NONE)
			match_ids(&p->first, key + 1)[key] = line;
		else
			match_ids(&p->next, last + 1)[last] = line;
	}
	cursor[key] = line;
	return line;
}

static void pair_side(struct compare *c, const struct compare_sheet *s, uint32_t side,
		      const uint32_t *id, uint32_t nkeys, struct pairing *p)
{
	uint32_t *cursor = NEW(&c->scratch, nkeys, uint32_t), *first = match_ids(&p->first, nkeys);

	memset(cursor, 0xff, nkeys * sizeof(*cursor));
	for (; p->nkeys < nkeys; p->nkeys++)
		first[p->nkeys] = NONE;
	for (uint32_t r = 0; r < s->grid[side]->nrows; r++) {
		uint32_t line = free_line(p, id[r], cursor, c->nsides);

		((uint32_t *)p->row.at)[(size_t)line * c->nsides + side] = r;
	}
}

static void pair_rows(struct compare *c, struct compare_sheet *s, const struct match_keys *k)
{
	struct pairing p = { 0 };
	struct strings ids = { 0 };

	for (uint32_t i = 0; i < c->nsides; i++)
		if (s->grid[i] && s->grid[i]->nrows) {
			uint32_t *id = match_rows(c, s, i, k, &ids);
			pair_side(c, s, i, id, ids.n, &p);
		}
	size_t n = (size_t)p.nlines * c->nsides;
	s->nlines = p.nlines;
	s->row = NEW(&c->scratch, n, uint32_t);
	if (n)
		memcpy(s->row, p.row.at, n * sizeof(*s->row));
	column_free(&p.first);
	column_free(&p.next);
	column_free(&p.row);
	strings_free(&ids);
}

bool compare_match(struct compare *c, struct compare_sheet *s, struct lp_error *err)
{
	struct match_keys k = find_keys(c, s);

	if (c->style == LP_STYLE_TRACELENS)
		return match_join(c, s, &k, err);
	pair_rows(c, s, &k);
	return true;
}
