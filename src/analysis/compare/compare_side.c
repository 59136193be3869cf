#include "analysis/compare/compare_side.h"

#include "base/decimal.h"
#include "base/utf8.h"

#include <math.h>

/* ---- tables as text ---- */

/* Names are mended as CSV has them: a trace and its report say the same. */
static const char *cell_text(const struct lp_column *col, uint32_t row, struct arena *a)
{
	const char *text = col->type == LP_STR ? col->data.str[row] : NULL;
	char *room;

	if (col->type == LP_STR)
		return text ? utf8_safe(a, str_of(text), UTF8_LINE) : NULL;
	room = arena_alloc(a, DECIMAL_MAX);
	switch (col->type) {
	case LP_F64:
		if (!isfinite(col->data.f64[row]))
			return NULL;
		decimal_f64(room, col->data.f64[row]);
		return room;
	case LP_BOOL:
		if (col->data.i64[row] == LP_NULL)
			return NULL;
		return col->data.i64[row] ? "true" : "false";
	case LP_I64:
		if (col->data.i64[row] == LP_NULL)
			return NULL;
		decimal_i64(room, col->data.i64[row]);
		return room;
	default:
		return NULL; /* LP_ROW: a place in a table is nothing to compare */
	}
}

static bool add_table(struct workbook *b, const char *path, const struct lp_table *t,
		      struct lp_error *err)
{
	struct grid_maker m = { .texts = &b->texts };
	struct arena scratch = { 0 };

	grid_row(&m);
	for (uint32_t i = 0; i < t->ncols; i++)
		grid_put(&m, i, str_of(t->cols[i].name));
	for (uint32_t r = 0; r < t->nrows; r++) {
		struct arena_mark mark = arena_mark(&scratch);

		grid_row(&m);
		for (uint32_t i = 0; i < t->ncols; i++) {
			const char *text = t->cols[i].flags & LP_PICTURE
						   ? NULL
						   : cell_text(&t->cols[i], r, &scratch);

			if (text)
				grid_put(&m, i, str_of(text));
		}
		arena_rewind(&scratch, mark);
	}
	arena_free(&scratch);
	return workbook_add(b, path, t->name, &m, err);
}

bool compare_side_tables(struct workbook *b, const char *path, const struct lp_answer *a,
			 struct lp_error *err)
{
	for (uint32_t i = 0; i < a->ntables; i++)
		if (!add_table(b, path, a->tables[i], err))
			return false;
	return true;
}

/* ---- traces ---- */

static bool read_trace(struct compare *c, struct compare_side *side, struct lp_compare_options o,
		       enum lp_report_style style, struct lp_error *err)
{
	struct lp_report_options r = { .style = style, .arch = o.arch };
	struct lp_trace *tr = lp_open(side->path, o.open, err);
	struct lp_answer *a = tr ? lp_report(tr, r, err) : NULL;
	bool whole = a && compare_side_tables(&side->book, side->path, a, err);

	if (whole && a->doubts && a->doubts[0])
		answer_doubt(c->a, "%s: %s", side->name, a->doubts[0]);
	lp_answer_free(a);
	lp_close(tr);
	return whole;
}

/* ---- all ---- */

/* Reports of longpole in its own style have a timeline, those of TraceLens a gpu_timeline. */
static bool are_ours(const struct compare *c)
{
	bool ours = false;

	for (uint32_t i = 0; i < c->nsides; i++) {
		if (workbook_sheet(&c->side[i].book, "gpu_timeline"))
			return false;
		ours |= workbook_sheet(&c->side[i].book, "timeline") != NULL;
	}
	return ours && c->style != LP_STYLE_TRACELENS;
}

bool compare_side_read_all(struct compare *c, struct lp_compare_options o, struct lp_error *err)
{
	bool *trace = NEW(&c->scratch, c->nsides, bool);

	for (uint32_t i = 0; i < c->nsides; i++)
		switch (workbook_read(&c->side[i].book, c->side[i].path, err)) {
		case WORKBOOK_READ:
			break;
		case WORKBOOK_OTHER:
			trace[i] = true;
			break;
		case WORKBOOK_REFUSED:
			return false;
		}
	enum lp_report_style style = are_ours(c) ? LP_STYLE_LONGPOLE : LP_STYLE_TRACELENS;
	for (uint32_t i = 0; i < c->nsides; i++)
		if (trace[i] && !read_trace(c, &c->side[i], o, style, err))
			return false;
	return true;
}
