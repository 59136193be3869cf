#include "base/jsonw.h"
#include "render/render.h"

static void write_cell(struct out *out, const struct lp_column *c, uint32_t row)
{
	if (cell_missing(c, row)) {
		out_text(out, "null");
		return;
	}
	switch (c->type) {
	case LP_I64:
	case LP_ROW:
		out_i64(out, cell_i64(c, row));
		break;
	case LP_F64:
		jsonw_f64(out, c->data.f64[row]);
		break;
	case LP_BOOL:
		out_text(out, c->data.i64[row] ? "true" : "false");
		break;
	case LP_STR:
		jsonw_text(out, c->data.str[row]);
		break;
	}
}

static void write_table(struct out *out, const struct view *v)
{
	jsonw_text(out, v->table->name);
	out_text(out, ":{\"columns\":[");
	for (uint32_t c = 0; c < v->ncols; c++) {
		if (c)
			out_char(out, ',');
		jsonw_text(out, v->cols[c].name);
	}
	out_text(out, "],\"rows\":[");
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		out_text(out, i ? ",\n[" : "\n[");
		for (uint32_t c = 0; c < v->ncols; c++) {
			if (c)
				out_char(out, ',');
			write_cell(out, &v->cols[c], view_row(v, i));
		}
		out_char(out, ']');
	}
	out_text(out, "]}");
}

void json_write(const struct views *v, struct out *out)
{
	out_char(out, '{');
	for (uint32_t i = 0; i < v->n; i++) {
		if (i)
			out_text(out, ",\n");
		write_table(out, &v->at[i]);
	}
	out_text(out, "}\n");
}
