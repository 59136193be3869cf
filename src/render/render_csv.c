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

/* What is not printable goes through `scratch`, mended. */
static void write_text(struct out *out, const char *text, struct arena *scratch)
{
	struct arena_mark m = arena_mark(scratch);
	struct str s = str_of(text);

	if (!is_plain(s))
		s = str_of(utf8_safe(scratch, s, UTF8_LINE));
	if (needs_quotes(s))
		write_quoted(out, s);
	else
		out_bytes(out, s.p, s.n);
	arena_rewind(scratch, m);
}

static void write_cell(struct out *out, const struct lp_column *c, uint32_t row,
		       struct arena *scratch)
{
	if (cell_missing(c, row))
		return;
	switch (c->type) {
	case LP_I64:
		out_i64(out, c->data.i64[row]);
		break;
	case LP_F64:
		out_f64(out, c->data.f64[row]);
		break;
	case LP_BOOL:
		out_text(out, c->data.i64[row] ? "true" : "false");
		break;
	case LP_STR:
		write_text(out, c->data.str[row], scratch);
		break;
	}
}

void csv_write(const struct views *views, struct out *out)
{
	struct arena scratch = { 0 };

	if (!views->n)
		return;
	const struct view *v = &views->at[0];
	for (uint32_t c = 0; c < v->ncols; c++) {
		if (c)
			out_char(out, ',');
		write_text(out, v->cols[c].name, &scratch);
	}
	out_char(out, '\n');
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		for (uint32_t c = 0; c < v->ncols; c++) {
			if (c)
				out_char(out, ',');
			write_cell(out, &v->cols[c], view_row(v, i), &scratch);
		}
		out_char(out, '\n');
	}
	arena_free(&scratch);
}
