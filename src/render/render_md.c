#include "render/render.h"
#include "render/sheet.h"

#include <string.h>

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Backslashes before what Markdown would take for markup; "a_b" needs none. */
static void write_text(struct out *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		bool inside = p > text && is_word(p[-1]) && is_word(p[1]);

		if (strchr("\\`*<>|[]~#&$", *p) || (*p == '_' && !inside))
			out_char(out, '\\');
		out_char(out, *p);
	}
}

static void write_cell(struct out *out, const char *text)
{
	out_text(out, " ");
	write_text(out, text);
	out_text(out, " |");
}

static void write_sum(struct out *out, const struct sheet *s)
{
	out_char(out, '|');
	for (uint32_t f = 0; f < s->nfields; f++)
		if (!s->fields[f].bar)
			write_cell(out, s->fields[f].total);
	out_char(out, '\n');
}

/* Names are whole here, and missing cells empty. */
static const char *cell(const struct sheet *s, uint32_t f, uint32_t i, struct arena *scratch,
			char *room)
{
	const struct lp_column *c = s->fields[f].col;
	uint32_t row = s->line[i];

	if (cell_missing(c, row))
		return "";
	if (c->type == LP_STR)
		return utf8_safe(scratch, str_of(c->data.str[row]), UTF8_LINE);
	return sheet_cell(s, f, i, room);
}

/* Blocks, labels and left out rows are for terminals. */
static struct view flat(struct arena *a, const struct view *v)
{
	struct lp_table *t = NEW(a, 1, struct lp_table);
	struct lp_column *cols = NEW(a, v->ncols, struct lp_column);

	*t = *v->table;
	t->labels = NULL;
	for (uint32_t c = 0; c < v->ncols; c++) {
		cols[c] = v->cols[c];
		cols[c].flags &= ~(unsigned)LP_GROUP;
	}
	return (struct view){ t, v->ncols, cols, v->order };
}

static void write_table(struct out *out, const struct view *v)
{
	struct arena arena = { 0 };
	struct view all = flat(&arena, v);
	struct sheet s = sheet_make(&arena, &all, -1, UTF8_TERMINAL);
	char room[DECIMAL_MAX];

	out_char(out, '|');
	for (uint32_t f = 0; f < s.nfields; f++)
		if (!s.fields[f].bar)
			write_cell(out, s.fields[f].head);
	out_text(out, "\n|");
	for (uint32_t f = 0; f < s.nfields; f++)
		if (!s.fields[f].bar)
			out_text(out, s.fields[f].right ? "---:|" : "---|");
	out_char(out, '\n');
	for (uint32_t i = 0; i < s.nlines; i++) {
		struct arena_mark m = arena_mark(&arena);

		out_char(out, '|');
		for (uint32_t f = 0; f < s.nfields; f++)
			if (!s.fields[f].bar)
				write_cell(out, cell(&s, f, i, &arena, room));
		out_char(out, '\n');
		arena_rewind(&arena, m);
	}
	if (s.has_total)
		write_sum(out, &s);
	arena_free(&arena);
}

void md_write(const struct lp_answer *a, const struct views *v, struct out *out)
{
	struct arena scratch = { 0 };

	if (a->headline) {
		write_text(out, utf8_safe(&scratch, str_of(a->headline), UTF8_LINE));
		out_text(out, v->n ? "\n\n" : "\n");
	}
	for (uint32_t i = 0; i < v->n; i++) {
		if (v->n > 1) {
			out_text(out, i ? "\n### " : "### ");
			write_text(out, v->at[i].table->name);
			out_text(out, "\n\n");
		}
		write_table(out, &v->at[i]);
	}
	arena_free(&scratch);
}
