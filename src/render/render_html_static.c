#include "render/render_html.h"

#include "base/utf8.h"

#include <string.h>

#define MAX_ROWS 20

void html_text(struct out *out, const char *text)
{
	struct str s = str_of(text);

	for (size_t at = 0, from; at < s.n;) {
		from = at;
		uint32_t code = utf8_next(s, &at);

		if (code == '&')
			out_text(out, "&amp;");
		else if (code == '<')
			out_text(out, "&lt;");
		else if (code == '>')
			out_text(out, "&gt;");
		else if (code == '"')
			out_text(out, "&quot;");
		else if (code == UTF8_BAD || (code < ' ' && code != '\n' && code != '\t') ||
			 (code >= 0x7f && code < 0xa0))
			out_text(out, "\xef\xbf\xbd");
		else
			out_bytes(out, s.p + from, at - from);
	}
}

static void element(struct out *out, const char *tag, const char *text)
{
	out_print(out, "<%s>", tag);
	html_text(out, text);
	out_print(out, "</%s>", tag);
}

/* ---- tables ---- */

static bool shown(const struct lp_column *c)
{
	return !(c->flags & (LP_DETAIL | LP_PICTURE)) && c->type != LP_ROW;
}

static void write_cell(struct out *out, const struct lp_column *c, uint32_t row)
{
	out_text(out, c->type == LP_STR ? "<td>" : "<td class=\"r\">");
	if (!cell_missing(c, row)) {
		if (c->type == LP_STR)
			html_text(out, c->data.str[row]);
		else if (c->type == LP_BOOL)
			out_text(out, c->data.i64[row] ? "yes" : "no");
		else if (c->unit == LP_NSEC)
			out_print(out, "%.3f", cell_f64(c, row) / 1e6);
		else if (c->type == LP_F64)
			out_print(out, "%.1f", c->data.f64[row]);
		else
			out_i64(out, cell_i64(c, row));
	}
	out_text(out, "</td>");
}

static void write_head(struct out *out, const struct view *v)
{
	out_text(out, "<thead><tr>");
	for (uint32_t c = 0; c < v->ncols; c++) {
		const struct lp_column *col = &v->cols[c];

		if (!shown(col))
			continue;
		out_text(out, "<th>");
		html_text(out, col->title ? col->title : col->name);
		if (col->unit == LP_NSEC)
			out_text(out, " ms");
		else if (col->unit == LP_PERCENT)
			out_text(out, " %");
		out_text(out, "</th>");
	}
	out_text(out, "</tr></thead>\n");
}

static void write_table(struct out *out, const struct view *v)
{
	uint32_t n = v->table->nrows < MAX_ROWS ? v->table->nrows : MAX_ROWS;

	element(out, "h2", v->table->name);
	out_text(out, "<table>");
	write_head(out, v);
	for (uint32_t i = 0; i < n; i++) {
		out_text(out, "<tr>");
		for (uint32_t c = 0; c < v->ncols; c++)
			if (shown(&v->cols[c]))
				write_cell(out, &v->cols[c], view_row(v, i));
		out_text(out, "</tr>\n");
	}
	out_text(out, "</table>\n");
	if (n < v->table->nrows)
		out_print(out, "<p>%u more rows.</p>\n", v->table->nrows - n);
}

void html_static_write(const struct lp_answer *a, const struct views *v, struct out *out)
{
	element(out, "h1", a->headline ? a->headline : "longpole");
	for (const char *const *doubt = a->doubts; doubt && *doubt; doubt++)
		element(out, "p", *doubt);
	for (uint32_t i = 0; i < v->n; i++)
		if (!v->at[i].table->detail)
			write_table(out, &v->at[i]);
}
