#include "base/utf8.h"
#include "render/render.h"

/* Commas, quotes, blanks at an end and empty text need quotes; missing is empty without. */
static bool needs_quotes(struct str s)
{
	if (!s.n || s.p[0] == ' ' || s.p[s.n - 1] == ' ')
		return true;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == ',' || s.p[i] == '"')
			return true;
	return false;
}

static void write_quoted(struct out *out, struct str s)
{
	out_char(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			out_char(out, '"');
		out_char(out, s.p[i]);
	}
	out_char(out, '"');
}

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || (unsigned char)s.p[i] >= 0x7f)
			return false;
	return true;
}

/*
 * The names of a large table are few and come again and again, as the same pointers: those
 * that can be written as they are, are remembered.
 */
#define SEEN 4096

struct writer {
	struct out *out;
	uint32_t first; /* row of the table that row 0 is */
	struct arena scratch;
	struct seen {
		const char *text;
		size_t n;
	} seen[SEEN];
};

static struct seen *seen_at(struct writer *w, const char *text)
{
	return &w->seen[((uintptr_t)text >> 4 ^ (uintptr_t)text >> 14) % SEEN];
}

/* What is not printable is mended. */
static void write_new_text(struct writer *w, const char *text)
{
	struct arena_mark m = arena_mark(&w->scratch);
	struct str s = str_of(text);
	bool plain = is_plain(s);

	if (!plain)
		s = str_of(utf8_safe(&w->scratch, s, UTF8_LINE));
	if (needs_quotes(s)) {
		write_quoted(w->out, s);
	} else {
		out_bytes(w->out, s.p, s.n);
		if (plain)
			*seen_at(w, text) = (struct seen){ text, s.n };
	}
	arena_rewind(&w->scratch, m);
}

static void write_text(struct writer *w, const char *text)
{
	const struct seen *seen = seen_at(w, text);

	if (seen->text == text)
		out_bytes(w->out, text, seen->n);
	else
		write_new_text(w, text);
}

static void write_cell(struct writer *w, const struct lp_column *c, uint32_t row)
{
	if (cell_missing(c, row))
		return;
	switch (c->type) {
	case LP_ROW:
		out_i64(w->out, c->data.row ? c->data.row[row] : w->first + (int64_t)row);
		break;
	case LP_I64:
		out_i64(w->out, c->data.i64[row]);
		break;
	case LP_F64:
		out_f64(w->out, c->data.f64[row]);
		break;
	case LP_BOOL:
		out_text(w->out, c->data.i64[row] ? "true" : "false");
		break;
	case LP_STR:
		write_text(w, c->data.str[row]);
		break;
	}
}

static void write_rows(struct writer *w, const struct view *v)
{
	w->first = v->table->first;
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		for (uint32_t c = 0; c < v->ncols; c++) {
			if (c)
				out_char(w->out, ',');
			write_cell(w, &v->cols[c], view_row(v, i));
		}
		out_char(w->out, '\n');
	}
}

void csv_write(const struct views *views, struct out *out)
{
	struct writer w = { .out = out };

	if (!views->n)
		return;
	const struct view *v = &views->at[0];
	for (uint32_t c = 0; c < v->ncols; c++) {
		if (c)
			out_char(out, ',');
		write_text(&w, v->cols[c].name);
	}
	out_char(out, '\n');
	write_rows(&w, v);
	while (v->table->more && v->table->more(v->table))
		write_rows(&w, v);
	arena_free(&w.scratch);
}
