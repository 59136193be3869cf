/*
 * Lines are in depth-first order, so the parent of a line is above it. A line whose
 * only child comes next is folded into it as long as the joined text fits; what is
 * left is numbered anew, and each line looks up its ancestors to draw
 *
 *	"│ " or "  "   per ancestor: has it a later sibling or not
 *	"├ " or "└ "   for the line itself
 *	"› "           for an only child once a sixth of the width is gone: it and the only
 *	               children below it stay at one depth
 */
#include "render/guides.h"

#include "base/map.h"
#include "base/shortname.h"

#include <math.h>
#include <string.h>

struct node {
	uint32_t parent; /* line, or NONE */
	uint32_t children, last_child;
	uint32_t depth;
	bool chained; /* "› " */
};

static struct node *nodes_of(const struct sheet *s)
{
	const struct lp_table *t = s->view->table;
	struct node *n = NEW(s->arena, s->nlines, struct node);
	struct map line_of = map_new(s->arena, s->nlines);

	for (uint32_t i = 0; i < s->nlines; i++) {
		uint32_t up = t->parent ? t->parent[s->line[i]] : NONE;

		*map_at(&line_of, s->line[i]) = i;
		n[i].parent = up == NONE ? NONE : map_get(&line_of, up);
		if (n[i].parent == NONE)
			continue;
		n[n[i].parent].children++;
		n[n[i].parent].last_child = i;
		n[i].depth = n[n[i].parent].depth + 1;
	}
	return n;
}

static unsigned joint(enum utf8_for reader)
{
	return reader == UTF8_ASCII ? 3 : utf8_columns(" › ");
}

/* Is the first number of the line below as large as that of line `i`, but for a hundredth? */
static bool says_the_same(const struct sheet *s, uint32_t i)
{
	for (uint32_t k = 0; k < s->nfields; k++) {
		const struct lp_column *c = s->fields[k].col;

		if (c->type == LP_STR)
			continue;
		if (cell_missing(c, s->line[i]) || cell_missing(c, s->line[i + 1]))
			return cell_missing(c, s->line[i]) && cell_missing(c, s->line[i + 1]);
		double a = cell_f64(c, s->line[i]), b = cell_f64(c, s->line[i + 1]);

		return fabs(a - b) <= fabs(a) / 100;
	}
	return true;
}

/*
 * Joins `i` with the line below if that is its only child, has about the same value and both fit;
 * moves the text down.
 */
static bool fold(struct sheet *s, struct field *f, struct node *n, uint32_t i, unsigned columns)
{
	if (n[i].children != 1 || n[i].last_child != i + 1 || !f->text[i] || !f->text[i + 1] ||
	    !says_the_same(s, i))
		return false;
	unsigned width = 2 * n[i].depth + utf8_columns(f->text[i]) + joint(s->reader) +
			 utf8_columns(f->text[i + 1]);
	if (width > columns)
		return false;
	f->text[i + 1] = arena_print(s->arena, "%s%s%s", f->text[i],
				     s->reader == UTF8_ASCII ? " > " : " › ", f->text[i + 1]);
	uint32_t up = n[i].parent;
	n[i + 1].parent = up;
	n[i + 1].depth = n[i].depth;
	n[i + 1].chained = n[i].chained;
	if (up != NONE && n[up].last_child == i)
		n[up].last_child = i + 1;
	return true;
}

static void place_below(struct node *n, uint32_t i, unsigned columns)
{
	const struct node *up = &n[n[i].parent];

	n[i].chained = up->children == 1 && (up->chained || 2 * (up->depth + 1) > columns / 6);
	n[i].depth = up->depth + !(n[i].chained && up->chained);
}

/* The depths below a folded line must be known before those lines are looked at: top down. */
static void fold_all(struct sheet *s, struct field *f, struct node *n, unsigned columns)
{
	uint32_t *place = NEW(s->arena, s->nlines, uint32_t), kept = 0;
	bool *gone = NEW(s->arena, s->nlines, bool);

	for (uint32_t i = 0; i < s->nlines; i++) {
		if (i && n[i].parent != NONE && !gone[i - 1])
			place_below(n, i, columns);
		gone[i] = fold(s, f, n, i, columns);
	}
	for (uint32_t i = 0; i < s->nlines; i++) {
		if (gone[i])
			continue;
		place[i] = kept;
		n[kept] = n[i];
		if (n[i].parent != NONE)
			n[kept].parent = place[n[i].parent];
		s->line[kept] = s->line[i];
		for (uint32_t k = 0; k < s->nfields; k++)
			if (s->fields[k].text)
				s->fields[k].text[kept] = s->fields[k].text[i];
		kept++;
	}
	for (uint32_t i = 0; i < kept; i++)
		if (n[i].parent != NONE)
			n[n[i].parent].last_child = i;
	s->nlines = kept;
}

static const char *guide(enum utf8_for reader, bool own, bool last)
{
	static const char *const guides[2][2][2] = { { { "│ ", "  " }, { "├ ", "└ " } },
						     { { "| ", "  " }, { "|-", "`-" } } };

	return guides[reader == UTF8_ASCII][own][last];
}

/* Guides of at most `levels` ancestors, from the line itself upwards. */
static const char *prefix(const struct sheet *s, const struct node *n, uint32_t i, unsigned levels)
{
	const char *text = "", *chain = s->reader == UTF8_ASCII ? "> " : "› ";

	for (uint32_t at = i; n[at].parent != NONE && levels; at = n[at].parent, levels--) {
		bool last = n[n[at].parent].last_child == at;
		const char *own = n[at].chained && at == i ? chain
							   : guide(s->reader, at == i, last);

		text = arena_print(s->arena, "%s%s", own, text);
		while (n[at].chained && n[n[at].parent].chained)
			at = n[at].parent;
	}
	return text;
}

void guides_draw(struct sheet *s, uint32_t field, unsigned columns)
{
	struct field *f = &s->fields[field];
	struct node *n = nodes_of(s);

	columns = MAX_OF(columns, 24u);
	fold_all(s, f, n, columns);
	for (uint32_t i = 0; i < s->nlines; i++) {
		unsigned room = columns - MIN_OF(2 * n[i].depth, columns / 2);
		const char *text = f->text[i] ? f->text[i] : "-";

		f->text[i] = arena_print(s->arena, "%s%s", prefix(s, n, i, columns / 4),
					 shortname_cut(s->arena, text, room, s->reader));
	}
}
