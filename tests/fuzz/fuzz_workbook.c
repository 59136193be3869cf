/*
 * fuzz_workbook.c - any bytes as a report: an Excel workbook if they begin as a zip archive,
 * else a CSV file, of kernels or of operators by its first byte.
 *
 * Beside not crashing, laws: a report compared with itself has all its rows in both, and no
 * figure differs.
 */
#include "analysis/compare/compare.h"
#include "base/check.h"
#include "workbook/workbook_csv.h"
#include "workbook/workbook_xlsx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool read_report(struct workbook *b, const uint8_t *data, size_t n)
{
	struct lp_error err;

	if (n > 2 && !memcmp(data, "PK", 2))
		return workbook_xlsx_memory(b, "fuzz", data, n, &err);
	return workbook_csv(b, input_memory(data, n), "fuzz",
			    n && data[0] == 'n' ? "ops_unique_args" : "kernel_summary", &err);
}

static bool ends_with(const char *text, const char *end)
{
	return str_ends(str_of(text), str_of(end));
}

static void check_same(const struct lp_answer *a)
{
	CHECK(strstr(a->headline, "say the same"));
	for (uint32_t i = 0; i < a->ntables; i++)
		if (ends_with(a->tables[i]->name, "_only_baseline_b") ||
		    ends_with(a->tables[i]->name, "_only_variant_b"))
			CHECK(!a->tables[i]->nrows);
}

static void check_rows(const struct compare *c)
{
	for (uint32_t i = 0; i < c->a->ntables; i++) {
		const struct grid *g = workbook_sheet(&c->side[0].book, c->a->tables[i]->name);

		CHECK(!g || g->nrows == c->a->tables[i]->nrows);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const paths[] = { "a", "b" };
	struct compare c = { 0 };
	struct lp_error err;

	compare_begin(&c, paths, 2);
	CHECK(compare_name_sides(&c, NULL, 0, &err));
	if (read_report(&c.side[0].book, data, n) && read_report(&c.side[1].book, data, n) &&
	    compare_run(&c, &err)) {
		check_same(c.a);
		check_rows(&c);
	}
	compare_end(&c);
	lp_answer_free(c.a);
	return 0;
}
