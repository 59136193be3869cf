/* Reports from files: what CSV text and cells say, however they are written. */
#include "analysis/compare/compare_cell.h"
#include "base/table.h"
#include "workbook/workbook_csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* The sheet as "head|head;cell|-", rows ended by ";", "-" where there is nothing; or the error. */
static const char *read_csv(const char *text, size_t n)
{
	static char out[1000];
	struct workbook b = { 0 };
	struct lp_error err;
	size_t len = 0;

	out[0] = 0;
	if (!workbook_csv(&b, input_memory(text, n), "a.csv", "a", &err)) {
		snprintf(out, sizeof(out), "%s", err.text);
		workbook_free(&b);
		return out;
	}
	const struct grid *g = workbook_sheet(&b, "a");
	for (uint32_t i = 0; i < g->ncols; i++)
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s", i ? "|" : "",
					g->head[i]);
	for (uint32_t r = 0; r < g->nrows; r++)
		for (uint32_t i = 0; i < g->ncols; i++) {
			const char *cell = grid_cell(g, r, i);
			len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s", i ? "|" : ";",
						cell ? cell : "-");
		}
	if (g->nameless)
		len += (size_t)snprintf(out + len, sizeof(out) - len, " nameless %u", g->nameless);
	if (g->twice)
		snprintf(out + len, sizeof(out) - len, " twice %s", g->twice);
	workbook_free(&b);
	return out;
}

#define READS(text, want) assert_string_equal(read_csv(text, sizeof(text) - 1), want)

static void lines_end_as_they_like(void **unused)
{
	READS("a,b\n1,2\n", "a|b;1|2");
	READS("a,b\r\n1,2\r\n", "a|b;1|2");
	READS("a,b\r\n1,2", "a|b;1|2");
	READS("\xef\xbb\xbf"
	      "a,b\n1,2\n",
	      "a|b;1|2");
	READS("a,b\n1\r2,3\r", "a|b;1\r2|3");
}

static void quotes_hold_anything(void **unused)
{
	READS("a,b\n\"1,2\",\"x \"\"y\"\"\"\n", "a|b;1,2|x \"y\"");
	READS("a,b\n\"two\nlines\",2\n3,4\n", "a|b;two\nlines|2;3|4");
	READS("\"a\",b\n\"\",2\n", "a|b;-|2");
	READS("a,b\n1 \"inch\",2\n", "a|b;1 \"inch\"|2");
	READS("a\n\"1\"2\n", "a;12");
	READS("a\n\n\"1\n2", "a.csv: line 3: the quote that opens here is never closed");
}

static void rows_may_be_short_long_or_blank(void **unused)
{
	READS("a,b\n1\n\n,\n,2\n", "a|b;1|-;-|2");
	READS("a,b\n1,2,3,4\n", "a|b;1|2 nameless 2");
	READS("a,,b\n1,2,3\n", "a|b;1|3 nameless 1");
	READS("a,a,b\n1,2,3\n", "a|b;1|3 nameless 1 twice a");
	READS("", "");
	READS("\n\n", "");
	READS("a,b", "a|b");
}

static void what_is_no_text_is_refused(void **unused)
{
	READS("a,b\n1,\0002\n", "a.csv: byte 6: a zero byte: this is no CSV text");
	READS("a\n\"\0\"\n", "a.csv: byte 3: a zero byte: this is no CSV text");
}

static void a_grid_is_bounded(void **unused)
{
	size_t n = 40000;
	char *text = malloc(n + 1);

	memset(text, ',', n);
	text[n] = 'x';
	assert_string_equal(read_csv(text, n + 1), "a.csv: line 1: more than 16,384 columns");
	free(text);

	/* 16,384 columns by 4,000 rows of one cell each: a small file, a large table. */
	struct grid_texts texts = { 0 };
	struct grid_maker m = { .texts = &texts };
	struct arena a = { 0 };
	struct grid g = { 0 };
	char name[16];
	for (uint32_t row = 0; row < 4000; row++) {
		grid_row(&m);
		for (uint32_t col = 0; col < (row ? 1 : GRID_COLUMNS); col++) {
			snprintf(name, sizeof(name), "c%u", col);
			assert_true(grid_put(&m, col, str_of(name)));
		}
	}
	assert_false(grid_finish(&m, &a, &g));
	assert_string_equal(m.fault, "more than 33,554,432 cells");
	arena_free(&a);
	strings_free(&texts.s);
}

static void cells_are_numbers_or_not(void **unused)
{
	static const struct {
		const char *text;
		enum compare_cell type;
		double value;
	} cells[] = {
		{ NULL, CELL_NONE, NAN },
		{ "", CELL_NONE, NAN },
		{ "nan", CELL_NONE, NAN },
		{ "NaN", CELL_NONE, NAN },
		{ "None", CELL_NONE, NAN },
		{ "-inf", CELL_ENDLESS, NAN },
		{ "Infinity", CELL_ENDLESS, NAN },
		{ "96", CELL_WHOLE, 96 },
		{ "-3", CELL_WHOLE, -3 },
		{ "96.0", CELL_REAL, 96 },
		{ " 1.5 ", CELL_REAL, 1.5 },
		{ "1.5E1", CELL_REAL, 15 },
		{ ".5", CELL_REAL, 0.5 },
		{ "9007199254740993", CELL_REAL, 9007199254740992.0 },
		{ "1e999", CELL_ENDLESS, INFINITY },
		{ "1,234", CELL_WORDS, NAN },
		{ "0x10", CELL_WORDS, NAN },
		{ "1e", CELL_WORDS, NAN },
		{ "-", CELL_WORDS, NAN },
		{ "12 ms", CELL_WORDS, NAN },
		{ "nanny", CELL_WORDS, NAN },
		{ "True", CELL_WORDS, NAN },
	};
	double v;

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		assert_int_equal(compare_cell(cells[i].text, &v), cells[i].type);
		assert_true(isnan(cells[i].value) ? isnan(v) : v == cells[i].value);
	}
}

static void rounding_is_no_difference(void **unused)
{
	assert_true(compare_difference(0.1 + 0.2, 0.3) == 0);
	assert_true(compare_difference(1.0 / 3, 0.3333333333333333) == 0);
	assert_true(compare_difference(1e17 / 3, 33333333333333330.0) == 0);
	assert_true(compare_difference(0.3, 0.300000000000001) > 0);
	assert_true(compare_difference(2.5, 0) == -2.5);
	assert_true(compare_difference(9007199254740991.0, 9007199254740992.0) == 1);
	assert_true(isnan(compare_difference(NAN, 1.5)));
}

/* ---- workbooks of ours ---- */

#if defined(HAVE_XLSX) && defined(HAVE_XLSX_READ)
#define EXCEL_ROWS 1048575u /* below the head */

static const int64_t *numbers(struct arena *a, uint32_t n)
{
	int64_t *at = NEW(a, n, int64_t);

	for (uint32_t i = 0; i < n; i++)
		at[i] = i;
	return at;
}

static void has_rows(const struct workbook *b, const char *sheet, uint32_t n, const char *last)
{
	const struct grid *g = workbook_sheet(b, sheet);

	assert_non_null(g);
	assert_int_equal(g->nrows, n);
	assert_string_equal(grid_cell(g, n - 1, 0), last);
}

/* Names that agree in 31 characters, one of them in two sheets; another ends in what none may. */
static void what_excel_has_no_room_for(void **unused)
{
	static const char *const names[] = { "unified_perf_summary_only_baseline_a",
					     "unified_perf_summary_only_baseline_b",
					     "unified_perf_summary_only_base'_", "x'" };
	struct lp_answer *a = answer_new();
	struct workbook b = { 0 };
	struct lp_error err = { "" };
	char path[] = "/tmp/longpole-test-XXXXXX";
	FILE *out = fdopen(mkstemp(path), "w");

	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t n = i == 1 ? EXCEL_ROWS + 3 : i + 1;
		struct lp_table *t = answer_table(a, names[i], n);

		table_i64(t, "n", "n", LP_PLAIN, 0, numbers(answer_arena(a), n), "a number");
	}
	assert_true(lp_write(a, LP_XLSX, (struct lp_write_options){ 0 }, out, &err));
	fclose(out);
	assert_int_equal(workbook_read(&b, path, &err), WORKBOOK_READ);
	has_rows(&b, "unified_perf_summary_only_basel", 1, "0");
	has_rows(&b, "unified_perf_summary_only_bas~2", EXCEL_ROWS, "1048574");
	has_rows(&b, "unified_perf_summary_only_b (2)", 3, "1048577");
	has_rows(&b, "unified_perf_summary_only_base_", 3, "2");
	has_rows(&b, "x_", 4, "3");
	unlink(path);
	workbook_free(&b);
	lp_answer_free(a);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_as_they_like),
		cmocka_unit_test(quotes_hold_anything),
		cmocka_unit_test(rows_may_be_short_long_or_blank),
		cmocka_unit_test(what_is_no_text_is_refused),
		cmocka_unit_test(a_grid_is_bounded),
		cmocka_unit_test(cells_are_numbers_or_not),
		cmocka_unit_test(rounding_is_no_difference),
#if defined(HAVE_XLSX) && defined(HAVE_XLSX_READ)
		cmocka_unit_test(what_excel_has_no_room_for),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
