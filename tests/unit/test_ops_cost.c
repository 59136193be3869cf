/* Peaks and the roof by hand; texts and figures as Python has them. */
#include "analysis/arch.h"
#include "analysis/pyrepr.h"
#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tlstat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
/* cmocka needs the headers above first */
#include <cmocka.h>

/* 10 TFLOP/s and 100 GB/s meet at 100 operations per byte. */
static const struct arch arch = { .gbps = 100,
				  .peak = { { "matrix_bf16", 10 }, { "vector_fp32", 1 } } };

static void the_roof_is_the_slower_of_two(void **state)
{
	struct op_cost c = { .flops = 1e9, .bytes = 1e6, .unit = UNIT_MATRIX, .precision = "bf16" };
	struct roofline r = arch_roofline(&arch, &c);

	assert_true(r.known && r.compute_bound);
	assert_float_equal(r.ns, 1e5, 1e-6); /* 1e9 / 1e13 s */
	c.bytes = 1e8;
	r = arch_roofline(&arch, &c);
	assert_true(r.known && !r.compute_bound);
	assert_float_equal(r.ns, 1e6, 1e-6); /* 1e8 / 1e11 s */
}

static void what_is_not_known_has_no_roof(void **state)
{
	struct op_cost c = { .flops = 1e9, .bytes = NAN, .unit = UNIT_MATRIX, .precision = "bf16" };

	assert_false(arch_roofline(&arch, &c).known);
	c.bytes = 1;
	assert_true(arch_roofline(&arch, &c).known);
	assert_false(arch_roofline(NULL, &c).known);
	c.precision = "fp8";
	assert_false(arch_roofline(&arch, &c).known);
	c.unit = UNIT_VECTOR; /* works in fp32 then */
	assert_true(arch_roofline(&arch, &c).known);
	c.precision = NULL;
	assert_false(arch_roofline(&arch, &c).known);
}

static const struct arch *choose(const char *json, struct arena *a, struct lp_error *err)
{
	char path[] = "/tmp/test_arch-XXXXXX";
	const struct arch *out = NULL;
	int fd = mkstemp(path);

	assert_true(write(fd, json, strlen(json)) == (ssize_t)strlen(json));
	close(fd);
	if (!arch_choose(NULL, path, a, &out, err))
		out = NULL;
	unlink(path);
	return out;
}

static void a_file_is_checked(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *out = choose("{\"mem_bw_gbps\": 50, \"max_achievable_tflops\": "
					"{\"matrix_fp16\": 7.5}}",
					&a, &err);

	assert_non_null(out);
	assert_float_equal(out->gbps, 50, 0);
	assert_float_equal(arch_peak(out, UNIT_MATRIX, "fp16"), 7.5, 0);
	assert_null(choose("{\"max_achievable_tflops\": {\"matrix_fp16\": 7.5}}", &a, &err));
	assert_non_null(strstr(err.text, "mem_bw_gbps"));
	assert_null(
		choose("{\"mem_bw_gbps\": 50, \"max_achievable_tflops\": {\"matrix_fp16\": -1}}",
		       &a, &err));
	assert_non_null(strstr(err.text, "matrix_fp16"));
	assert_null(choose("nonsense", &a, &err));
	arena_free(&a);
}

static void names_are_known(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *out;

	assert_true(arch_choose(NULL, "H100-SXM", &a, &out, &err));
	assert_float_equal(out->gbps, 3350, 0);
	assert_false(arch_choose(NULL, "H999", &a, &out, &err));
	assert_non_null(strstr(err.text, "H999"));
	arena_free(&a);
}

static void lists_as_python_prints_them(void **state)
{
	struct arena a = { 0 };
	struct str json = STR("[[2, 3], [4], [], \"it's\", null, true, 1e-05]");

	assert_string_equal(pyrepr(&a, json, PYREPR_TUPLES),
			    "((2, 3), (4,), (), \"it's\", None, True, 1e-05)");
	assert_string_equal(pyrepr(&a, json, PYREPR_LISTS),
			    "[[2, 3], [4], [], \"it's\", None, True, 1e-05]");
	arena_free(&a);
}

static void figures_leave_out_what_is_missing(void **state)
{
	double v[] = { 4, NAN, 1, 2, NAN, 9 }, spare[6];
	struct tlstat s = tlstat_of(v, 6, spare);

	assert_int_equal(s.n, 4);
	assert_float_equal(s.v[TLSTAT_SUM], 16, 0);
	assert_float_equal(s.v[TLSTAT_MEAN], 4, 0);
	assert_float_equal(s.v[TLSTAT_MEDIAN], 3, 0);
	assert_float_equal(s.v[TLSTAT_STD], sqrt(38.0 / 3), 1e-12);
	assert_true(isnan(tlstat_of(v + 1, 1, spare).v[TLSTAT_MEAN]));
}

static void groups_are_numbered_by_first_row(void **state)
{
	const uint32_t key[] = { 7, 1, 5, 5, 7, 1, 7, 2 };
	struct arena a = { 0 };
	struct tlgroups g = tlgroup_by(&a, key, 2, 4);
	const double value[] = { 1, 3, 3 };
	const int64_t tie[] = { 0, 9, 4 };

	assert_int_equal(g.n, 3);
	assert_int_equal(g.first[1], 2);
	assert_int_equal(g.row[0], 0);
	assert_int_equal(g.row[1], 2);
	assert_int_equal(g.row[g.first[2]], 3);
	uint32_t *order = tlgroup_order(&a, 3, value, tie);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 1);
	assert_int_equal(order[2], 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_roof_is_the_slower_of_two),
		cmocka_unit_test(what_is_not_known_has_no_roof),
		cmocka_unit_test(a_file_is_checked),
		cmocka_unit_test(names_are_known),
		cmocka_unit_test(lists_as_python_prints_them),
		cmocka_unit_test(figures_leave_out_what_is_missing),
		cmocka_unit_test(groups_are_numbered_by_first_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
