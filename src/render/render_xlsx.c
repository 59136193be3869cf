/*
 * One sheet per table and a last one, "notes", with the sentence, the doubts, what each
 * column holds and what did not fit. Values are raw, as in CSV; number formats only
 * group digits.
 *
 * Excel's limits: 1,048,576 rows (further ones go on in another sheet), 16,384 columns
 * (further ones are left out and counted), 32,767 characters in a cell (the rest is cut and
 * counted), 31 in the name of a sheet, and integers to 2^53 (larger ones become text).
 *
 * The library writes files only, so the workbook is made under a temporary name and
 * copied. The same answer gives the same bytes: the date of creation is fixed.
 */
#include "render/render.h"

#include "base/decimal.h"
#include "base/utf8.h"
#include "render/xlsx_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ROWS    1048575 /* below the head */
#define MAX_COLUMNS 16384
#define MAX_TEXT    32767 /* UTF-16 units */
#define MAX_NAME    31    /* likewise */
#define MAX_SHEET   (4 * MAX_NAME + 1)
#define MAX_INTEGER (INT64_C(1) << 53)
#define SAMPLE      200       /* rows looked at for the widths of columns */
#define CREATED     315532800 /* 1980-01-01, where the calendar of zip files begins */

struct book {
	struct xlsx_writer x;
	lxw_workbook *workbook;
	lxw_format *head;
	lxw_format *integer, *grouped, *tenth; /* "0", "#,##0", "0.0" */
	struct arena arena;                    /* of one cell */
	uint64_t cut;                          /* cells */
	uint64_t lost;                         /* columns */
};

/* ---- cells ---- */

static bool is_escape(const char *p)
{
	return p[0] == '_' && p[1] == 'x' && strspn(p + 2, "0123456789abcdefABCDEF") == 4 &&
	       p[6] == '_';
}

/* As as_xml() writes it: the library leaves out a cell that is too long in that form. */
static size_t units_of(const char *p, uint32_t c)
{
	return is_escape(p) ? strlen("_x005F") + 1 : c > 0xffff ? 2 : 1;
}

/* Longest head of valid UTF-8 that is no longer than `most` UTF-16 units. */
static size_t fit_units(struct str s, size_t most)
{
	size_t at = 0, units = 0;

	while (at < s.n) {
		size_t next = at;
		units += units_of(s.p + at, utf8_next(s, &next));
		if (units > most)
			break;
		at = next;
	}
	return at;
}

/* The same for a cell; one unit less if an ellipsis is to follow. */
static size_t fitting(struct str s)
{
	size_t n = fit_units(s, MAX_TEXT);

	return n < s.n ? fit_units(s, MAX_TEXT - 1) : n;
}

/* U+FFFE and U+FFFF are UTF-8, but not XML; and "_x0041_" would be read as an escaped A. */
static char *as_xml(struct arena *a, const char *text)
{
	char *out = arena_alloc(a, 2 * strlen(text) + 8), *end = out;

	for (const char *p = text; *p; p++) {
		if (is_escape(p))
			end = stpcpy(end, "_x005F");
		*end++ = *p;
		if (end - out >= 3 && !memcmp(end - 3, "\xef\xbf", 2) && (end[-1] & 0xfe) == 0xbe)
			end[-1] = '\xbd';
	}
	return out;
}

static void write_text(struct book *b, lxw_worksheet *sheet, uint32_t row, uint16_t col,
		       const char *text, lxw_format *format)
{
	struct arena_mark m = arena_mark(&b->arena);
	struct str line = str_of(utf8_safe(&b->arena, str_of(text), UTF8_LINE));
	size_t n = fitting(line);
	char *cell = arena_print(&b->arena, "%.*s%s", (int)n, line.p, n < line.n ? "…" : "");

	b->cut += n < line.n;
	b->x.worksheet_write_string(sheet, row, col, as_xml(&b->arena, cell), format);
	arena_rewind(&b->arena, m);
}

static void write_integer(const struct book *b, lxw_worksheet *sheet, uint32_t row, uint16_t col,
			  int64_t v, lxw_format *format)
{
	char text[DECIMAL_MAX];

	if (v >= -MAX_INTEGER && v <= MAX_INTEGER) {
		b->x.worksheet_write_number(sheet, row, col, (double)v, format);
		return;
	}
	decimal_i64(text, v);
	b->x.worksheet_write_string(sheet, row, col, text, NULL);
}

static lxw_format *format_of(const struct book *b, const struct lp_column *c)
{
	if (c->type == LP_STR || c->type == LP_BOOL)
		return NULL;
	if (c->unit == LP_PERCENT || (c->unit == LP_NSEC && c->type == LP_F64))
		return b->tenth;
	if (c->type == LP_F64)
		return NULL;
	return c->unit == LP_PLAIN ? b->integer : b->grouped;
}

static void write_cell(struct book *b, lxw_worksheet *sheet, uint32_t at, uint16_t col,
		       const struct lp_column *c, uint32_t row)
{
	if (cell_missing(c, row))
		return;
	switch (c->type) {
	case LP_I64:
	case LP_ROW:
		write_integer(b, sheet, at, col, cell_i64(c, row), format_of(b, c));
		break;
	case LP_F64:
		b->x.worksheet_write_number(sheet, at, col, c->data.f64[row], format_of(b, c));
		break;
	case LP_BOOL:
		b->x.worksheet_write_boolean(sheet, at, col, c->data.i64[row] != 0, NULL);
		break;
	case LP_STR:
		write_text(b, sheet, at, col, c->data.str[row], NULL);
		break;
	}
}

/* ---- sheets ---- */

static double width_of(const struct view *v, const struct lp_column *c)
{
	size_t most = strlen(c->name) + 3; /* and the button of the filter */

	for (uint32_t i = 0; i < v->table->nrows && i < SAMPLE; i++) {
		uint32_t row = view_row(v, i);
		if (c->type == LP_STR && !cell_missing(c, row))
			most = MAX_OF(most, strlen(c->data.str[row]));
	}
	return (double)MIN_OF(MAX_OF(most, (size_t)10), (size_t)60);
}

/* The head of `name` that leaves room for `tail`, without what Excel allows in no name. */
static void name_sheet(char *to, const char *name, const char *tail)
{
	size_t n = fit_units(str_of(name), MAX_NAME - strlen(tail));

	snprintf(to, MAX_SHEET, "%.*s%s", (int)n, name, tail);
	for (char *p = to; *p; p++)
		if (strchr("[]:*?/\\", *p) || (*p == '\'' && (p == to || !p[1])))
			*p = '_';
}

/* Names that are one in their first 31 characters, or but for case, get a number. */
static lxw_worksheet *add_sheet(struct book *b, const char *name, uint32_t part)
{
	struct arena_mark m = arena_mark(&b->arena);
	char full[MAX_SHEET], tail[16] = "";

	if (part)
		snprintf(tail, sizeof(tail), " (%u)", part + 1);
	name = utf8_safe(&b->arena, str_of(name), UTF8_LINE);
	name_sheet(full, name, tail);
	for (uint32_t k = 2; b->x.workbook_validate_sheet_name(b->workbook, full) ==
			     LXW_ERROR_SHEETNAME_ALREADY_USED;
	     k++) {
		snprintf(tail, sizeof(tail), "~%u", k);
		name_sheet(full, name, tail);
	}
	arena_rewind(&b->arena, m);
	return b->x.workbook_add_worksheet(b->workbook, full);
}

static void write_sheet(struct book *b, const struct view *v, uint32_t part)
{
	uint32_t first = part * MAX_ROWS, n = MIN_OF(v->table->nrows - first, (uint32_t)MAX_ROWS);
	uint16_t ncols = (uint16_t)MIN_OF(v->ncols, (uint32_t)MAX_COLUMNS);
	lxw_worksheet *sheet = add_sheet(b, v->table->name, part);

	b->lost += part ? 0 : v->ncols - ncols;
	for (uint16_t c = 0; c < ncols; c++) {
		b->x.worksheet_set_column(sheet, c, c, width_of(v, &v->cols[c]), NULL);
		write_text(b, sheet, 0, c, v->cols[c].name, b->head);
	}
	b->x.worksheet_freeze_panes(sheet, 1, 0);
	if (ncols)
		b->x.worksheet_autofilter(sheet, 0, 0, n, (lxw_col_t)(ncols - 1));
	for (uint32_t i = 0; i < n; i++)
		for (uint16_t c = 0; c < ncols; c++)
			write_cell(b, sheet, i + 1, c, &v->cols[c], view_row(v, first + i));
}

static void write_loss(struct book *b, lxw_worksheet *sheet, uint32_t row, uint64_t n,
		       const char *what)
{
	write_text(b, sheet, row, 0,
		   arena_print(&b->arena, "%llu %s; CSV and JSON have them whole.",
			       (unsigned long long)n, what),
		   NULL);
}

static void write_notes(struct book *b, const struct lp_answer *a, const struct views *v)
{
	lxw_worksheet *sheet = add_sheet(b, "notes", 0);
	uint32_t row = 0;

	b->x.worksheet_set_column(sheet, 0, 1, 24, NULL);
	b->x.worksheet_set_column(sheet, 2, 2, 80, NULL);
	if (a->headline)
		write_text(b, sheet, row++, 0, a->headline, b->head);
	for (uint32_t i = 0; a->doubts && a->doubts[i]; i++)
		write_text(b, sheet, row++, 0, a->doubts[i], NULL);
	if (b->cut)
		write_loss(b, sheet, row++, b->cut,
			   "texts were longer than 32,767 characters and are cut");
	if (b->lost)
		write_loss(b, sheet, row++, b->lost,
			   "columns were beyond the 16,384 of a sheet and are left out");
	row++;
	for (uint32_t i = 0; i < v->n; i++)
		for (uint32_t c = 0; c < v->at[i].ncols; c++, row++) {
			write_text(b, sheet, row, 0, v->at[i].table->name, NULL);
			write_text(b, sheet, row, 1, v->at[i].cols[c].name, NULL);
			write_text(b, sheet, row, 2, v->at[i].cols[c].help, NULL);
		}
}

static lxw_format *numbers(struct book *b, const char *pattern)
{
	lxw_format *f = b->x.workbook_add_format(b->workbook);

	b->x.format_set_num_format(f, pattern);
	return f;
}

/* ---- the workbook ---- */

static bool write_book(const char *path, const struct lp_answer *a, const struct views *v,
		       struct lp_error *err)
{
	lxw_workbook_options options = { .constant_memory = LXW_TRUE, .use_zip64 = LXW_TRUE };
	lxw_doc_properties properties = { .title = (char *)"longpole", .created = CREATED };
	struct book b = { 0 };

	if (!xlsx_writer_load(&b.x, err))
		return false;
	b.workbook = b.x.workbook_new_opt(path, &options);
	if (!b.workbook)
		return error_set(err, "cannot begin a workbook");
	b.x.workbook_set_properties(b.workbook, &properties);
	b.head = b.x.workbook_add_format(b.workbook);
	b.x.format_set_bold(b.head);
	b.integer = numbers(&b, "0");
	b.grouped = numbers(&b, "#,##0");
	b.tenth = numbers(&b, "#,##0.0");
	for (uint32_t i = 0; i < v->n; i++) {
		write_sheet(&b, &v->at[i], 0);
		for (uint32_t part = 1;
		     part <= (v->at[i].table->nrows - 1) / MAX_ROWS && v->at[i].table->nrows;
		     part++)
			write_sheet(&b, &v->at[i], part);
	}
	write_notes(&b, a, v);
	lxw_error e = b.x.workbook_close(b.workbook);
	arena_free(&b.arena);
	return !e || error_set(err, "cannot write the workbook: %s", b.x.lxw_strerror(e));
}

static bool copy(const char *path, FILE *to, struct lp_error *err)
{
	FILE *from = fopen(path, "r");
	char buf[1 << 15];
	size_t n;

	if (!from)
		return error_set(err, "%s: cannot open: %m", path);
	while ((n = fread(buf, 1, sizeof(buf), from)))
		fwrite(buf, 1, n, to);
	bool whole = !ferror(from) || error_set(err, "%s: cannot read: %m", path);
	fclose(from);
	return whole;
}

bool xlsx_write(const struct lp_answer *a, const struct views *v, FILE *file, struct lp_error *err)
{
	const char *tmp = getenv("TMPDIR");
	char path[256];

	snprintf(path, sizeof(path), "%.200s/longpole-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	int fd = mkstemp(path);
	if (fd < 0)
		return error_set(err, "%s: cannot create: %m", path);
	close(fd);
	bool done = write_book(path, a, v, err) && copy(path, file, err);
	unlink(path);
	return done;
}
