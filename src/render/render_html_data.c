/*
 * The tables as the page wants them: column by column, because columns pack three times as
 * well as rows and are arrays already where the page needs them.
 *
 *	{"version":1,"kind":..,"headline":..,"doubts":[..],"next":[..],"tables":[
 *	 {"name":..,"rows":n,"labels":[..],"columns":[
 *	  {"name":..,"type":..,"unit":..,"flags":n,"data":DATA},..]},..]}
 *
 * DATA is an array of values, null where one is missing; {"dict":[..],"index":[..]} for text
 * that repeats; {"delta":[..]} for whole numbers that never fall and of which none is missing.
 * Whole numbers beyond 2^53, which JavaScript would round, are text.
 */
#include "base/jsonw.h"
#include "base/intern.h"
#include "render/render_html.h"

#include <string.h>

#define MAX_EXACT (INT64_C(1) << 53)

static const char *const types[] = { "i64", "f64", "str", "bool", "row" };
static const char *const units[] = { "plain", "count", "nsec", "bytes", "percent" };

static void key(struct out *out, const char *name)
{
	jsonw_text(out, name);
	out_char(out, ':');
}

static void whole_number(struct out *out, int64_t v)
{
	bool exact = v >= -MAX_EXACT && v <= MAX_EXACT;

	if (!exact)
		out_char(out, '"');
	out_i64(out, v);
	if (!exact)
		out_char(out, '"');
}

static void write_value(struct out *out, const struct lp_column *c, uint32_t row)
{
	if (cell_missing(c, row))
		out_text(out, "null");
	else if (c->type == LP_F64)
		jsonw_f64(out, c->data.f64[row]);
	else if (c->type == LP_STR)
		jsonw_text(out, c->data.str[row]);
	else
		whole_number(out, cell_i64(c, row));
}

static void write_array(struct out *out, const struct view *v, const struct lp_column *c)
{
	out_char(out, '[');
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		if (i)
			out_char(out, ',');
		write_value(out, c, view_row(v, i));
	}
	out_char(out, ']');
}

/* ---- numbers that never fall ---- */

static bool never_falls(const struct view *v, const struct lp_column *c)
{
	int64_t last = 0;

	if (c->type != LP_I64 && c->type != LP_ROW)
		return false;
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		uint32_t row = view_row(v, i);

		if (cell_missing(c, row) || cell_i64(c, row) < last || cell_i64(c, row) > MAX_EXACT)
			return false;
		last = cell_i64(c, row);
	}
	return v->table->nrows > 2;
}

static void write_deltas(struct out *out, const struct view *v, const struct lp_column *c)
{
	int64_t last = 0;

	out_text(out, "{\"delta\":[");
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		int64_t now = cell_i64(c, view_row(v, i));

		if (i)
			out_char(out, ',');
		out_i64(out, now - last);
		last = now;
	}
	out_text(out, "]}");
}

/* ---- text that repeats ---- */

static void write_dictionary(struct out *out, const struct view *v, const struct lp_column *c,
			     const struct strings *words)
{
	out_text(out, "{\"dict\":[");
	for (uint32_t i = 0; i < words->n; i++) {
		if (i)
			out_char(out, ',');
		jsonw_str(out, strings_get(words, i));
	}
	out_text(out, "],\"index\":[");
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		const char *text = c->data.str[view_row(v, i)];

		if (i)
			out_char(out, ',');
		if (text)
			out_i64(out, strings_find(words, str_of(text)));
		else
			out_text(out, "null");
	}
	out_text(out, "]}");
}

static void write_text(struct out *out, const struct view *v, const struct lp_column *c)
{
	struct strings words = { 0 };

	for (uint32_t i = 0; i < v->table->nrows; i++) {
		const char *text = c->data.str[view_row(v, i)];

		if (text)
			strings_add(&words, text, strlen(text));
	}
	if (words.n < v->table->nrows / 2)
		write_dictionary(out, v, c, &words);
	else
		write_array(out, v, c);
	strings_free(&words);
}

/* ---- tables ---- */

static void write_column(struct out *out, const struct view *v, const struct lp_column *c)
{
	out_text(out, "{\"name\":");
	jsonw_text(out, c->name);
	out_text(out, ",\"title\":");
	jsonw_text(out, c->title);
	out_text(out, ",\"help\":");
	jsonw_text(out, c->help);
	out_print(out, ",\"type\":\"%s\",\"unit\":\"%s\",\"flags\":%u,\"data\":", types[c->type],
		  units[c->unit], c->flags);
	if (c->type == LP_STR)
		write_text(out, v, c);
	else if (never_falls(v, c))
		write_deltas(out, v, c);
	else
		write_array(out, v, c);
	out_char(out, '}');
}

/* What people see in place of a row's name; "" means not to show the row. */
static void write_labels(struct out *out, const struct view *v)
{
	if (!v->table->labels)
		return;
	out_text(out, ",\"labels\":[");
	for (uint32_t i = 0; i < v->table->nrows; i++) {
		const char *label = v->table->labels[view_row(v, i)];

		if (i)
			out_char(out, ',');
		if (label)
			jsonw_text(out, label);
		else
			out_text(out, "null");
	}
	out_char(out, ']');
}

static void write_table(struct out *out, const struct view *v)
{
	out_text(out, "{\"name\":");
	jsonw_text(out, v->table->name);
	out_print(out, ",\"rows\":%u,\"tree\":%s,\"detail\":%s", v->table->nrows,
		  v->table->parent ? "true" : "false", v->table->detail ? "true" : "false");
	write_labels(out, v);
	out_text(out, ",\"columns\":[");
	for (uint32_t c = 0; c < v->ncols; c++) {
		out_text(out, c ? ",\n" : "\n");
		write_column(out, v, &v->cols[c]);
	}
	out_text(out, "]}");
}

static void write_list(struct out *out, const char *name, const char *const *list)
{
	key(out, name);
	out_char(out, '[');
	for (uint32_t i = 0; list && list[i]; i++) {
		if (i)
			out_char(out, ',');
		jsonw_text(out, list[i]);
	}
	out_text(out, "],\n");
}

void html_data_write(const struct lp_answer *a, const struct views *v, const char *kind,
		     struct out *out)
{
	out_text(out, "{\"version\":1,\"kind\":");
	jsonw_text(out, kind);
	out_text(out, ",\n\"headline\":");
	jsonw_text(out, a->headline);
	out_text(out, ",\n");
	write_list(out, "doubts", a->doubts);
	write_list(out, "next", a->next);
	out_text(out, "\"tables\":[");
	for (uint32_t i = 0; i < v->n; i++) {
		out_text(out, i ? ",\n" : "\n");
		write_table(out, &v->at[i]);
	}
	out_text(out, "]}\n");
}
