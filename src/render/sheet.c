#include "render/sheet.h"

#include "base/say.h"
#include "base/shortname.h"

#include <math.h>
#include <string.h>

/* ---- lines ---- */

static const char *label_of(const struct lp_table *t, uint32_t row)
{
	return t->labels ? t->labels[row] : NULL;
}

/* Lists the rows to show; returns how many are left out by the limit. */
static uint32_t list_lines(struct sheet *s, int64_t limit)
{
	const struct lp_table *t = s->view->table;
	uint32_t most = limit < 0 || t->whole || limit > t->nrows ? t->nrows : (uint32_t)limit;
	uint32_t left_out = 0;

	s->line = NEW(s->arena, t->nrows, uint32_t);
	for (uint32_t i = 0; i < t->nrows; i++) {
		uint32_t row = view_row(s->view, i);
		const char *label = label_of(t, row);

		if (label && !*label)
			continue;
		if (s->nlines < most)
			s->line[s->nlines++] = row;
		else
			s->line[s->nlines + left_out++] = row;
	}
	return left_out;
}

bool sheet_is_total(const struct sheet *s, uint32_t line)
{
	const char *label = label_of(s->view->table, s->line[line]);

	return label && label[0] == '=';
}

/* ---- sums ---- */

struct sum {
	int64_t whole;
	double real;
	uint32_t n;
	bool overflow;
};

static void sum_add(struct sum *s, const struct lp_column *c, uint32_t row)
{
	if (cell_missing(c, row))
		return;
	s->n++;
	if (c->type == LP_F64)
		s->real += c->data.f64[row];
	else
		s->overflow |= __builtin_add_overflow(s->whole, cell_i64(c, row), &s->whole);
}

static double sum_value(const struct sum *s, const struct lp_column *c)
{
	double v = c->type == LP_F64 ? s->real : (double)s->whole;

	return c->flags & LP_MEAN ? v / s->n : v;
}

static const char *sum_text(const struct sheet *s, const struct field *f, const struct sum *sum)
{
	char room[DECIMAL_MAX];

	if (!sum->n || sum->overflow)
		return sum->overflow ? "-" : "";
	if (f->col->type == LP_F64 || f->col->flags & LP_MEAN)
		scale_f64(room, &f->scale, sum_value(sum, f->col));
	else
		scale_i64(room, &f->scale, sum->whole);
	return arena_text(s->arena, room, strlen(room));
}

static bool adds_up(const struct lp_column *c)
{
	return c->type != LP_STR && c->flags & (LP_SUM | LP_MEAN);
}

/* Sums of the rows left out and of all, as values; the texts need the scale first. */
static void add_up(const struct sheet *s, const struct field *f, uint32_t left_out,
		   struct sum *more, struct sum *all)
{
	for (uint32_t i = 0; i < s->nlines + left_out; i++) {
		sum_add(all, f->col, s->line[i]);
		if (i >= s->nlines)
			sum_add(more, f->col, s->line[i]);
	}
}

/* ---- numbers ---- */

static double largest(const struct sheet *s, const struct lp_column *c)
{
	double most = 0;

	for (uint32_t i = 0; i < s->view->table->nrows; i++)
		if (!cell_missing(c, i))
			most = fmax(most, fabs(cell_f64(c, i)));
	return most;
}

/* One scale for the field and those to the right that share it. */
static void scale_fields(struct sheet *s, const struct sum *all)
{
	uint32_t n = s->view->table->nrows;

	for (uint32_t i = 0, k; i < s->nfields; i = k) {
		double most = 0;

		for (k = i; k < s->nfields && (k == i || s->fields[k].col->flags & LP_SAME); k++) {
			const struct lp_column *c = s->fields[k].col;

			if (c->type == LP_STR)
				continue;
			most = fmax(most, largest(s, c));
			if (s->has_total && adds_up(c) && all[k].n)
				most = fmax(most, fabs(sum_value(&all[k], c)));
		}
		for (uint32_t f = i; f < k; f++) {
			const struct lp_column *c = s->fields[f].col;

			s->fields[f].scale = scale_for(c, most);
			if (c->type == LP_F64 && c->unit <= LP_COUNT && !scale_has_fractions(c, n))
				s->fields[f].scale.decimals = 0;
		}
	}
}

static void make_head(struct sheet *s, struct field *f)
{
	const struct lp_column *c = f->col;
	const char *title = c->title ? c->title : c->name, *unit = f->scale.unit;
	bool bare = c->flags & LP_BARE || !unit[0] || strchr(title, '%');

	f->head = utf8_safe(s->arena,
			    str_of(bare     ? title
				   : *title ? arena_print(s->arena, "%s %s", title, unit)
					    : unit),
			    s->reader);
	s->has_head |= f->head[0] != 0;
}

/* ---- strings ---- */

static const char *line_text(const struct sheet *s, const struct field *f, uint32_t line)
{
	const char *label = f == &s->fields[s->label] ? label_of(s->view->table, s->line[line])
						      : NULL;
	const char *text = label ? label : f->col->data.str[s->line[line]];

	if (text && !label && f->col->flags & LP_DIMS)
		text = say_dims(s->arena, text);
	return text;
}

static void make_texts(struct sheet *s, struct field *f)
{
	f->text = NEW(s->arena, s->nlines, const char *);
	for (uint32_t i = 0; i < s->nlines; i++)
		f->text[i] = line_text(s, f, i);
	if (f->col->flags & (LP_NAME | LP_TREE)) {
		shortname_all(s->arena, f->text, f->text, s->nlines, s->reader);
		for (uint32_t i = 0; i < s->nlines; i++)
			if (f->text[i] && !*f->text[i])
				f->text[i] = "\"\"";
		return;
	}
	for (uint32_t i = 0; i < s->nlines; i++)
		if (f->text[i])
			f->text[i] = utf8_safe(s->arena, str_of(f->text[i]), s->reader);
}

/* ---- fields ---- */

static void list_fields(struct sheet *s)
{
	const struct view *v = s->view;

	s->fields = NEW(s->arena, 2 * v->ncols, struct field);
	s->label = NONE;
	for (uint32_t c = 0; c < v->ncols; c++) {
		if (v->cols[c].flags & LP_GROUP) {
			s->group = &v->cols[c];
			continue;
		}
		if (s->label == NONE && v->cols[c].type == LP_STR)
			s->label = s->nfields;
		s->fields[s->nfields++] = (struct field){ .col = &v->cols[c],
							  .scale = { .unit = "" },
							  .right = v->cols[c].type != LP_STR &&
								   v->cols[c].type != LP_BOOL };
	}
	if (s->label == NONE)
		s->label = 0;
}

static void make_sums(struct sheet *s, uint32_t left_out)
{
	struct sum *more = NEW(s->arena, s->nfields, struct sum);
	struct sum *all = NEW(s->arena, s->nfields, struct sum);

	for (uint32_t f = 0; f < s->nfields; f++)
		if (adds_up(s->fields[f].col))
			add_up(s, &s->fields[f], left_out, &more[f], &all[f]);
	scale_fields(s, all);
	for (uint32_t f = 0; f < s->nfields; f++) {
		struct field *field = &s->fields[f];

		field->more = field->total = "";
		if (!adds_up(field->col))
			continue;
		field->total = sum_text(s, field, &all[f]);
		if (field->col->flags & LP_SUM) {
			field->more = sum_text(s, field, &more[f]);
			field->more_value = sum_value(&more[f], field->col);
		}
	}
}

/* A bar becomes a field of its own, after the percentage it draws. */
static void add_bars(struct sheet *s)
{
	struct field *with = NEW(s->arena, 2 * s->nfields, struct field);
	uint32_t n = 0, label = s->label;

	for (uint32_t f = 0; f < s->nfields; f++) {
		if (f == s->label)
			label = n;
		with[n++] = s->fields[f];
		if (s->fields[f].col->flags & LP_BAR)
			with[n++] = (struct field){ .col = s->fields[f].col,
						    .head = "",
						    .more = "",
						    .total = "",
						    .more_value = s->fields[f].more_value,
						    .bar = true };
	}
	s->fields = with;
	s->nfields = n;
	s->label = label;
}

static void make_labels(struct sheet *s, uint32_t left_out)
{
	struct field *f = &s->fields[s->label];
	const struct lp_table *t = s->view->table;
	char n[DECIMAL_MAX];

	decimal_fixed(n, left_out, 0, false);
	f->more = arena_print(s->arena, "+ %s more", n);
	decimal_fixed(n, s->nlines + left_out, 0, false);
	f->total = t->total ? utf8_safe(s->arena, str_of(arena_print(s->arena, "= %s", t->total)),
					s->reader)
			    : arena_print(s->arena, "= %s row%s", n, t->nrows == 1 ? "" : "s");
}

struct sheet sheet_make(struct arena *a, const struct view *v, int64_t limit, enum utf8_for reader)
{
	struct sheet s = { .arena = a, .view = v, .reader = reader };
	uint32_t left_out = list_lines(&s, limit);

	list_fields(&s);
	if (!s.nfields) { /* nothing was recorded in any column */
		s.nlines = 0;
		return s;
	}
	s.has_more = left_out > 0;
	bool may_total = s.fields[s.label].col->type == LP_STR &&
			 (!v->table->whole || v->table->total);
	for (uint32_t f = 0; f < s.nfields; f++)
		s.has_total |= may_total && adds_up(s.fields[f].col);
	make_sums(&s, left_out);
	for (uint32_t f = 0; f < s.nfields; f++) {
		make_head(&s, &s.fields[f]);
		if (s.fields[f].col->type == LP_STR)
			make_texts(&s, &s.fields[f]);
	}
	make_labels(&s, left_out);
	add_bars(&s);
	return s;
}

/* ---- cells ---- */

const char *sheet_bar(double percent, enum utf8_for reader, char *room)
{
	double full = fmin(fmax(isfinite(percent) ? percent : 0, 0), 100) / 10;
	char *end = room;

	if (reader == UTF8_ASCII) {
		int cells = (int)(full + 0.5);
		memset(room, '#', (size_t)cells);
		room[cells] = 0;
		return room;
	}
	int eighths = (int)(full * 8 + 0.5);
	for (; eighths >= 8; eighths -= 8)
		end = stpcpy(end, "█");
	if (eighths) /* from U+258F, one eighth, to U+2589, seven */
		end = stpcpy(end, (char[]){ '\xe2', '\x96', (char)(0x90 - eighths), 0 });
	*end = 0;
	return room;
}

static const char *number(const struct field *f, uint32_t row, char *room)
{
	const struct lp_column *c = f->col;

	if (cell_missing(c, row))
		return "-";
	if (c->type == LP_BOOL)
		return c->data.i64[row] ? "yes" : "no";
	if (c->type == LP_F64)
		scale_f64(room, &f->scale, c->data.f64[row]);
	else
		scale_i64(room, &f->scale, cell_i64(c, row));
	return room;
}

const char *sheet_cell(const struct sheet *s, uint32_t field, uint32_t line, char *room)
{
	const struct field *f = &s->fields[field];
	uint32_t row = s->line[line];

	if (f->text)
		return f->text[line] ? f->text[line] : "-";
	if (!f->bar)
		return number(f, row, room);
	if (sheet_is_total(s, line) || cell_missing(f->col, row))
		return "";
	return sheet_bar(cell_f64(f->col, row), s->reader, room);
}
