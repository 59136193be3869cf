/*
 * The order of an answer on a terminal: the sentence, what could change it, the
 * tables, what to do next. Everything is laid out by then (sheet.h, layout.h); here it
 * is only written, field after field, with the blanks between them owed until
 * something follows, so that no line ends in blanks.
 */
#include "render/layout.h"
#include "render/newspaper.h"
#include "render/page.h"
#include "render/render.h"

#include "base/shortname.h"

#define DOUBTS 3 /* shown; the rest is counted */
#define NEXT   3

/* ---- tables ---- */

struct row_writer {
	struct page *page;
	const struct layout *l;
	unsigned at;   /* column reached */
	unsigned owed; /* column where the next field starts */
};

static void write_field(struct row_writer *w, uint32_t f, const char *text, enum ink ink)
{
	const struct field *field = &w->l->sheet->fields[f];
	unsigned width = w->l->width[f], n = utf8_columns(text);
	unsigned start = w->owed + (field->right && n < width ? width - n : 0);

	if (!width)
		return;
	w->owed += width + 2;
	if (!n)
		return;
	out_fill(w->page->out, ' ', start - w->at);
	if (ink)
		page_ink(w->page, ink);
	if (f == w->l->wrapped)
		page_wrap(w->page, text, start, start);
	else
		out_text(w->page->out, text);
	if (ink)
		page_ink(w->page, INK_NONE);
	w->at = start + n;
}

static void write_head(struct page *p, const struct layout *l, const char *block)
{
	struct row_writer w = { .page = p, .l = l };
	const struct sheet *s = l->sheet;

	page_ink(p, INK_DIM);
	for (uint32_t f = 0; f < s->nfields; f++)
		write_field(&w, f, block && f == s->label ? block : s->fields[f].head, INK_NONE);
	page_ink(p, INK_NONE);
	out_char(p->out, '\n');
}

static enum ink ink_of(const struct sheet *s, uint32_t f, uint32_t line)
{
	const struct lp_column *c = s->fields[f].col;
	uint32_t row = s->line[line];

	if (!(c->flags & LP_DELTA) || c->type == LP_STR || cell_missing(c, row))
		return INK_NONE;
	double v = cell_f64(c, row);
	return v > 0 ? INK_RED : v < 0 ? INK_GREEN : INK_NONE;
}

static void write_line(struct page *p, const struct layout *l, uint32_t line)
{
	struct row_writer w = { .page = p, .l = l };
	char room[DECIMAL_MAX];

	for (uint32_t f = 0; f < l->sheet->nfields; f++)
		if (l->width[f])
			write_field(&w, f, sheet_cell(l->sheet, f, line, room),
				    ink_of(l->sheet, f, line));
	out_char(p->out, '\n');
}

/* "+ 90 more" and "= 96 rows". */
static const char *sum_of(const struct sheet *s, uint32_t f, bool more, char *room)
{
	const struct field *field = &s->fields[f];

	if (field->bar)
		return more ? sheet_bar(field->more_value, s->reader, room) : "";
	return more ? field->more : field->total;
}

static void write_sum(struct page *p, const struct layout *l, bool more)
{
	struct row_writer w = { .page = p, .l = l };
	char room[DECIMAL_MAX];

	for (uint32_t f = 0; f < l->sheet->nfields; f++)
		write_field(&w, f, sum_of(l->sheet, f, more, room), INK_NONE);
	out_char(p->out, '\n');
}

/* ---- blocks ---- */

static bool same_block(const struct sheet *s, uint32_t i, uint32_t k)
{
	const struct lp_column *g = s->group;
	uint32_t a = s->line[i], b = s->line[k];

	if (cell_missing(g, a) || cell_missing(g, b))
		return cell_missing(g, a) == cell_missing(g, b);
	return g->type == LP_STR ? !strcmp(g->data.str[a], g->data.str[b])
				 : cell_f64(g, a) == cell_f64(g, b);
}

/* ---- on a narrow terminal ---- */

static void write_pair(struct page *p, const char *head, const char *text)
{
	head = shortname_cut(p->arena, head, MAX_OF(p->columns / 2, 8u), p->reader);
	unsigned used = *head ? utf8_columns(head) + 2 : 0;
	unsigned room = p->columns > used + 8 ? p->columns - used : 8;

	if (!*text)
		return;
	if (*head) {
		page_ink(p, INK_DIM);
		out_text(p->out, head);
		out_text(p->out, ": ");
		page_ink(p, INK_NONE);
	}
	out_text(p->out, shortname_cut(p->arena, text, room, p->reader));
	out_char(p->out, '\n');
}

static void write_pairs(struct page *p, const struct sheet *s)
{
	char room[DECIMAL_MAX];

	for (uint32_t i = 0; i < s->nlines; i++) {
		struct arena_mark m = arena_mark(p->arena);

		if (i && s->has_head)
			out_char(p->out, '\n');
		if (s->group && (!i || !same_block(s, i - 1, i)))
			write_pair(p, "", layout_block(s, i));
		for (uint32_t f = 0; f < s->nfields; f++)
			if (!s->fields[f].bar)
				write_pair(p, s->fields[f].head, sheet_cell(s, f, i, room));
		arena_rewind(p->arena, m);
	}
	for (int total = 0; total <= 1; total++) {
		if (!(total ? s->has_total : s->has_more))
			continue;
		out_text(p->out, s->has_head ? "\n" : "");
		write_pair(p, "", sum_of(s, s->label, !total, room));
		for (uint32_t f = 0; f < s->nfields; f++)
			if (f != s->label && !s->fields[f].bar)
				write_pair(p, s->fields[f].head, sum_of(s, f, !total, room));
	}
}

/* ---- one table ---- */

static void write_lines(struct page *p, const struct layout *l)
{
	const struct sheet *s = l->sheet;

	if (!s->group && s->has_head)
		write_head(p, l, NULL);
	for (uint32_t i = 0; i < s->nlines; i++) {
		if (s->group && (!i || !same_block(s, i - 1, i))) {
			if (i)
				out_char(p->out, '\n');
			write_head(p, l,
				   shortname_cut(s->arena, layout_block(s, i), l->width[s->label],
						 s->reader));
		}
		write_line(p, l, i);
	}
	if (s->has_more)
		write_sum(p, l, true);
	if (s->has_total)
		write_sum(p, l, false);
}

static void write_table(struct page *p, const struct view *v, int64_t limit)
{
	struct arena arena = { 0 };
	struct sheet s = sheet_make(&arena, v, limit, p->reader);

	newspaper_set(&s, p->columns);
	struct layout l = layout_make(&s, p->columns);

	if (l.one_a_line)
		write_pairs(p, &s);
	else
		write_lines(p, &l);
	for (const char *const *f = v->table->footer; f && *f; f++)
		page_line(p, INK_NONE, "= ", *f);
	arena_free(&arena);
}

/* ---- the answer ---- */

static void write_doubts(struct page *p, const char *const *doubts)
{
	unsigned n = 0;
	char more[64];

	for (; doubts && doubts[n] && n < DOUBTS; n++)
		page_line(p, INK_YELLOW, "! ", doubts[n]);
	unsigned rest = 0;
	while (doubts && n && doubts[n + rest])
		rest++;
	if (!rest)
		return;
	snprintf(more, sizeof(more), "%u more: longpole check", rest);
	page_line(p, INK_YELLOW, "! ", more);
}

static unsigned command_width(struct page *p, const char *const *next)
{
	unsigned most = 0;

	for (unsigned i = 0; next[i] && i < NEXT; i++) {
		const char *command = arena_text(p->arena, next[i], strcspn(next[i], "\t"));
		most = MAX_OF(most, utf8_columns(utf8_safe(p->arena, str_of(command), p->reader)));
	}
	return most;
}

/* Commands are never cut: they are there to be copied. A purpose for which there is no room goes.
 */
static void write_next(struct page *p, const char *const *next)
{
	if (!next || !next[0])
		return;
	unsigned width = command_width(p, next);
	out_char(p->out, '\n');
	for (unsigned i = 0; next[i] && i < NEXT; i++) {
		size_t n = strcspn(next[i], "\t");
		const char *purpose = next[i][n] ? next[i] + n + 1 : "";
		const char *command = utf8_safe(p->arena, (struct str){ next[i], n }, p->reader);

		page_ink(p, INK_DIM);
		out_text(p->out, i ? "      " : "next  ");
		out_text(p->out, command);
		if (*purpose && 6 + width + 2 + utf8_columns(purpose) <= p->columns) {
			out_fill(p->out, ' ', width - utf8_columns(command) + 2);
			out_text(p->out, utf8_safe(p->arena, str_of(purpose), p->reader));
		}
		page_ink(p, INK_NONE);
		out_char(p->out, '\n');
	}
}

void text_write(const struct lp_answer *a, const struct views *v, const struct lp_write_options *o,
		struct out *out)
{
	struct arena arena = { 0 };
	struct page p = { .out = out,
			  .arena = &arena,
			  .columns = MAX_OF(o->width ? o->width : 100, 20u),
			  .reader = o->ascii ? UTF8_ASCII : UTF8_TERMINAL,
			  .color = o->color };
	bool above = !o->quiet && (a->headline || a->doubts);

	if (!o->quiet && a->headline)
		page_line(&p, INK_BOLD, "", a->headline);
	if (!o->quiet)
		write_doubts(&p, a->doubts);
	for (uint32_t i = 0; i < v->n; i++) {
		if (!v->at[i].table->nrows && (above || v->n > 1))
			continue; /* the sentence says so */
		if (above)
			out_char(out, '\n');
		write_table(&p, &v->at[i], o->limit ? o->limit : 20);
		above = true;
	}
	if (!o->quiet)
		write_next(&p, a->next);
	arena_free(&arena);
}
