#include "workbook/xlsx_sheet.h"

enum cell_type { CELL_NUMBER, CELL_SHARED, CELL_TEXT, CELL_BOOL, CELL_ERROR };

struct reading {
	const struct xlsx_shared *shared;
	struct grid_maker *m;
	uint32_t col; /* of the cell that is open, or the next */
	enum cell_type type;
	bool in_cell, in_value;
	struct xlsx_text text;
	const char *fault;
};

/* "BC12" is column 54; without letters the one after the cell before. */
static uint32_t column_of(const char *place, uint32_t next)
{
	uint32_t col = 0;

	for (; place && *place >= 'A' && *place <= 'Z' && col <= GRID_COLUMNS; place++)
		col = 26 * col + (uint32_t)(*place - 'A') + 1;
	return col ? col - 1 : next;
}

static enum cell_type type_of(const char *t)
{
	static const struct {
		const char *name;
		enum cell_type type;
	} types[] = { { "s", CELL_SHARED }, { "inlineStr", CELL_TEXT }, { "str", CELL_TEXT },
		      { "b", CELL_BOOL },   { "e", CELL_ERROR },        { "d", CELL_TEXT } };

	for (size_t i = 0; t && i < ARRAY_SIZE(types); i++)
		if (!strcmp(t, types[i].name))
			return types[i].type;
	return CELL_NUMBER;
}

static struct str shared_text(struct reading *r, struct str number)
{
	int64_t i;

	if (!str_i64(number, &i) || i < 0 || i >= r->shared->n) {
		r->fault = "a cell names a shared text that is not there";
		return (struct str){ 0 };
	}
	return str_of(((const char *const *)r->shared->at.at)[i]);
}

static struct str value_of(struct reading *r)
{
	struct str s = { r->text.buf.p, r->text.buf.n };

	switch (r->type) {
	case CELL_SHARED:
		r->text.buf.n = 0;
		return s.n ? shared_text(r, s) : s;
	case CELL_BOOL:
		r->text.buf.n = 0;
		return str_eq(s, STR("1")) ? STR("True") : str_eq(s, STR("0")) ? STR("False") : s;
	case CELL_ERROR:
		r->text.buf.n = 0;
		r->m->errors++;
		return (struct str){ 0 };
	case CELL_TEXT:
		return xlsx_text_take(&r->text);
	default:
		r->text.buf.n = 0;
		return s;
	}
}

static void on_start(void *ctx, const char *name, const char **attributes)
{
	struct reading *r = ctx;

	if (!strcmp(name, "row")) {
		grid_row(r->m);
		r->col = 0;
	} else if (!strcmp(name, "c")) {
		r->col = column_of(xlsx_part_attribute(attributes, "r"), r->col);
		r->type = type_of(xlsx_part_attribute(attributes, "t"));
		r->in_cell = true;
	} else if (r->in_cell && !strcmp(name, "v")) {
		r->in_value = true;
	} else if (r->in_cell) {
		xlsx_text_start(&r->text, name);
	}
}

static void on_end(void *ctx, const char *name)
{
	struct reading *r = ctx;

	if (!strcmp(name, "v")) {
		r->in_value = false;
	} else if (!strcmp(name, "c") && r->in_cell) {
		struct str value = value_of(r);

		if (!r->m->row)
			grid_row(r->m);
		if (!grid_put(r->m, r->col++, value))
			r->fault = r->m->fault;
		r->in_cell = r->in_value = false;
	} else {
		xlsx_text_end(&r->text, name);
	}
}

static void on_text(void *ctx, struct str piece)
{
	struct reading *r = ctx;

	if ((r->in_value || (r->in_cell && r->text.on)) && !xlsx_text_add(&r->text, piece))
		r->fault = "a cell of more than 16 MiB";
}

bool xlsx_sheet_read(struct xlsx_package *p, const char *part, const struct xlsx_shared *shared,
		     struct grid_maker *m, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct reading r = { .shared = shared, .m = m, .text.buf.arena = &scratch };
	struct xlsx_handlers h = { on_start, on_end, on_text, &r.fault };
	bool whole = xlsx_part_read(p, part, &h, &r, err);

	arena_free(&scratch);
	return whole;
}
