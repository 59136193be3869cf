#include "render/layout.h"

#include "base/shortname.h"
#include "render/guides.h"

#include <string.h>

#define GAP    2  /* between fields */
#define ROOMY  24 /* a name is not cut below this while anything else can go */
#define TIGHT  10
#define NARROW 60 /* terminals below this get one value a line */

const char *layout_block(const struct sheet *s, uint32_t line)
{
	const struct lp_column *g = s->group;
	uint32_t row = s->line[line];
	const char *title = g->title ? g->title : g->name;
	char number[DECIMAL_MAX];

	if (cell_missing(g, row))
		return utf8_safe(s->arena, str_of(title), s->reader);
	if (g->type != LP_STR)
		decimal_i64(number, (int64_t)cell_f64(g, row));
	const char *value = g->type == LP_STR ? g->data.str[row] : number;
	return utf8_safe(s->arena, str_of(arena_print(s->arena, "%s %s", title, value)), s->reader);
}

/* ---- natural widths ---- */

static unsigned widest(const struct sheet *s, uint32_t field)
{
	const struct field *f = &s->fields[field];
	char room[DECIMAL_MAX];
	unsigned most = utf8_columns(f->head);

	for (uint32_t i = 0; i < s->nlines; i++) {
		most = MAX_OF(most, utf8_columns(sheet_cell(s, field, i, room)));
		if (s->group && field == s->label)
			most = MAX_OF(most, utf8_columns(layout_block(s, i)));
	}
	if (s->has_more)
		most = MAX_OF(most, utf8_columns(f->bar ? sheet_bar(f->more_value, s->reader, room)
							: f->more));
	return s->has_total ? MAX_OF(most, utf8_columns(f->total)) : most;
}

static unsigned total_width(const struct layout *l)
{
	unsigned sum = 0, n = 0;

	for (uint32_t f = 0; f < l->sheet->nfields; f++) {
		sum += l->width[f];
		n += l->width[f] > 0;
	}
	return n ? sum + GAP * (n - 1) : 0;
}

/* ---- giving way ---- */

static bool may_shrink(const struct layout *l, uint32_t f)
{
	const struct field *field = &l->sheet->fields[f];

	return !field->bar && field->col->type == LP_STR;
}

/* Takes from the widest texts until all fits; false if they would go below `least`. */
static bool shrink(struct layout *l, unsigned least)
{
	for (unsigned total; (total = total_width(l)) > l->columns;) {
		uint32_t most = NONE;
		unsigned next = least;

		for (uint32_t f = 0; f < l->sheet->nfields; f++) {
			if (!may_shrink(l, f) || l->width[f] <= least)
				continue;
			if (most == NONE || l->width[f] > l->width[most]) {
				next = most == NONE ? least : l->width[most];
				most = f;
			} else {
				next = MAX_OF(next, l->width[f]);
			}
		}
		if (most == NONE)
			return false;
		unsigned level = MIN_OF(next, l->width[most] - 1); /* of the next widest */
		unsigned over = total - l->columns;
		l->width[most] = MAX_OF(level, l->width[most] - MIN_OF(over, l->width[most]));
	}
	return true;
}

/* Leaves out the last field that is a bar (or lesser); false if there is none. */
static bool leave_out(const struct sheet *s, unsigned *natural, bool bars)
{
	for (uint32_t f = s->nfields; f--;) {
		const struct field *field = &s->fields[f];

		if (natural[f] && (bars ? field->bar : (field->col->flags & LP_LESSER) != 0)) {
			natural[f] = 0;
			return true;
		}
	}
	return false;
}

static bool fit(struct layout *l, const unsigned *natural, unsigned least)
{
	memcpy(l->width, natural, l->sheet->nfields * sizeof(*natural));
	return shrink(l, least);
}

/* With bars or without. */
static bool fits_uncut(struct layout *l, unsigned *natural)
{
	if (fit(l, natural, UINT32_MAX))
		return true;
	while (leave_out(l->sheet, natural, true))
		;
	return fit(l, natural, UINT32_MAX);
}

static void choose_widths(struct layout *l, unsigned *natural)
{
	if (fit(l, natural, ROOMY))
		return;
	while (leave_out(l->sheet, natural, true))
		;
	do {
		if (fit(l, natural, ROOMY))
			return;
	} while (leave_out(l->sheet, natural, false));
	l->one_a_line = !fit(l, natural, TIGHT);
}

/* ---- cutting to the widths ---- */

static bool prose(const struct field *f)
{
	return f->col->type == LP_STR && !(f->col->flags & (LP_NAME | LP_TREE | LP_DIMS));
}

static void cut(struct layout *l, uint32_t f, unsigned natural)
{
	struct sheet *s = l->sheet;
	struct field *field = &s->fields[f];

	if (!field->text || l->width[f] >= natural || l->width[f] == 0)
		return;
	if (s->view->table->whole && f + 1 == s->nfields && prose(field))
		l->wrapped = f;
	else
		shortname_fit(s->arena, field->text, field->text, s->nlines, l->width[f],
			      s->reader);
	field->head = shortname_cut(s->arena, field->head, l->width[f], s->reader);
	field->more = shortname_cut(s->arena, field->more, l->width[f], s->reader);
	field->total = shortname_cut(s->arena, field->total, l->width[f], s->reader);
}

static void draw_tree(struct sheet *s, unsigned columns, unsigned *natural)
{
	unsigned others = 0;

	for (uint32_t f = 0; f < s->nfields; f++)
		if (!(s->fields[f].col->flags & LP_TREE) && natural[f])
			others += natural[f] + GAP;
	for (uint32_t f = 0; f < s->nfields; f++)
		if (s->fields[f].text && s->fields[f].col->flags & LP_TREE) {
			guides_draw(s, f, columns > others + ROOMY ? columns - others : ROOMY);
			natural[f] = widest(s, f);
		}
}

struct layout layout_make(struct sheet *s, unsigned columns)
{
	struct layout l = { .sheet = s, .columns = columns, .wrapped = NONE };
	unsigned *natural = NEW(s->arena, s->nfields, unsigned);

	l.width = NEW(s->arena, s->nfields, unsigned);
	for (uint32_t f = 0; f < s->nfields; f++)
		natural[f] = widest(s, f);
	draw_tree(s, columns, natural);
	unsigned *wanted = NEW(s->arena, s->nfields, unsigned);
	memcpy(wanted, natural, s->nfields * sizeof(*natural));
	if (columns < NARROW)
		l.one_a_line = !fits_uncut(&l, natural);
	else
		choose_widths(&l, natural);
	for (uint32_t f = 0; f < s->nfields && !l.one_a_line; f++)
		cut(&l, f, wanted[f]);
	return l;
}
