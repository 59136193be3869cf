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
#define MINE \
	"{\"mem_bw_gbps\": 100, \"max_achievable_tflops\": {\"matrix_bf16\": 10, \"vector_fp32\": 1}}"

static const struct arch *parse(const char *json, struct arena *a, struct lp_error *err)
{
	err->text[0] = 0;
	return arch_read_memory("mine.json", json, strlen(json), a, err);
}

static void the_roof_is_the_slower_of_two(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *arch = parse(MINE, &a, &err);
	struct op_cost c = { .flops = 1e9, .bytes = 1e6, .unit = UNIT_MATRIX, .precision = "bf16" };
	struct roofline r = arch_roofline(arch, &c);

	assert_true(r.known && r.compute_bound);
	assert_float_equal(r.ns, 1e5, 1e-6); /* 1e9 / 1e13 s */
	c.bytes = 1e8;
	r = arch_roofline(arch, &c);
	assert_true(r.known && !r.compute_bound);
	assert_float_equal(r.ns, 1e6, 1e-6); /* 1e8 / 1e11 s */
	arena_free(&a);
}

static void what_is_not_known_has_no_roof(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *arch = parse(MINE, &a, &err);
	struct op_cost c = { .flops = 1e9, .bytes = NAN, .unit = UNIT_MATRIX, .precision = "bf16" };

	assert_false(arch_roofline(arch, &c).known);
	c.bytes = 1;
	assert_true(arch_roofline(arch, &c).known);
	assert_false(arch_roofline(NULL, &c).known);
	c.precision = "fp8";
	assert_false(arch_roofline(arch, &c).known);
	c.unit = UNIT_VECTOR; /* works in fp32 then */
	assert_true(arch_roofline(arch, &c).known);
	c.precision = NULL;
	assert_false(arch_roofline(arch, &c).known);
	arena_free(&a);
}

static void the_peak_of_a_type_without_one(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *arch = parse("{\"mem_bw_gbps\": 1, \"max_achievable_tflops\": "
					"{\"matrix_tf32\": 8, \"matrix_fp16\": 16, "
					"\"vector_fp64\": 1, \"vector_fp32\": 2}}",
					&a, &err);

	assert_float_equal(arch_peak(arch, UNIT_MATRIX, "fp32"), 8, 0);
	assert_float_equal(arch_peak(arch, UNIT_MATRIX, "fp64"), 1, 0);
	assert_float_equal(arch_peak(arch, UNIT_MATRIX, "bf16"), 0, 0);
	assert_float_equal(arch_peak(arch, UNIT_MATRIX, "fp8"), 0, 0);
	assert_float_equal(arch_peak(arch, UNIT_VECTOR, "fp16"), 2, 0);
	assert_float_equal(arch_peak(arch, UNIT_VECTOR, "fp64"), 1, 0);
	assert_float_equal(arch_peak(arch, UNIT_NONE, "fp32"), 0, 0);
	arena_free(&a);
}

/* What is wrong, and the byte where it stands. */
static void a_file_is_checked(void **state)
{
	static const struct {
		const char *json, *says;
	} bad[] = {
		{ "", "mine.json: byte 0: expected an object: the text ends here" },
		{ "[]", "mine.json: byte 0: expected an object" },
		{ "{\"max_achievable_tflops\": {\"matrix_fp16\": 7.5}}",
		  "mine.json: mem_bw_gbps is missing: there is no roof without" },
		{ "{\"mem_bw_gbps\": 50}", "max_achievable_tflops with a peak in it is missing" },
		{ "{\"mem_bw_gbps\": 50, \"max_achievable_tflops\": {\"fp16\": 5}}",
		  "max_achievable_tflops with a peak in it is missing" },
		{ "{\"mem_bw_gbps\": 0}", "mine.json: byte 17: mem_bw_gbps is not above zero" },
		{ "{\"mem_bw_gbps\": \"fast\"}", "mine.json: byte 16: mem_bw_gbps is no number" },
		{ "{\"mem_bw_gbps\": 50, \"max_achievable_tflops\": {\"matrix_fp16\": -1}}",
		  "max_achievable_tflops: matrix_fp16 is not above zero" },
		{ "{\"mem_bw_gbps\": 50, \"max_achievable_tflops\": 7}",
		  "mine.json: byte 45: expected an object" },
		{ "{\"devices\": [\"A\", 5]}", "mine.json: byte 18: expected a string" },
		{ "{\"name\": \"A", "a string that never ends" },
		{ "{\"mem_bw_gbps\": 5, \"max_achievable_tflops\": {\"matrix_fp16\": 1}} x",
		  "something stands behind the object" },
	};
	struct arena a = { 0 };
	struct lp_error err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_null(parse(bad[i].json, &a, &err));
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: '%s', want '%s'", bad[i].json, err.text, bad[i].says);
	}
	arena_free(&a);
}

static void keys_of_others_are_named(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *arch =
		parse("{\"name\": \"mine\", \"memory_gb\": [1, {}], \"mem_bw_gbps\": 5e1, "
		      "\"max_achievable_tflops\": {\"matrix_fp17\": 1, \"matrix_fp16\": 7.5}}",
		      &a, &err);

	assert_non_null(arch);
	assert_string_equal(arch->name, "mine");
	assert_string_equal(arch->ignored, "'memory_gb', 'max_achievable_tflops.matrix_fp17'");
	assert_float_equal(arch->gbps, 50, 0);
	assert_float_equal(arch_peak(arch, UNIT_MATRIX, "fp16"), 7.5, 0);
	arena_free(&a);
}

static void files_and_names_are_chosen(void **state)
{
	char path[] = "/tmp/test_arch-XXXXXX";
	struct arena a = { 0 };
	struct lp_error err;
	const struct arch *out;
	int fd = mkstemp(path);

	assert_true(write(fd, MINE, strlen(MINE)) == (ssize_t)strlen(MINE));
	close(fd);
	assert_true(arch_choose(NULL, path, &a, &out, &err));
	assert_float_equal(out->gbps, 100, 0);
	unlink(path);
	assert_false(arch_choose(NULL, path, &a, &out, &err));
	assert_non_null(strstr(err.text, path));
	assert_true(arch_choose(NULL, "h100-sxm", &a, &out, &err));
	assert_float_equal(out->gbps, 3350, 0);
	assert_false(arch_choose(NULL, "H999", &a, &out, &err));
	assert_non_null(strstr(err.text, "H999"));
	arena_free(&a);
}

static void devices_are_told_by_name(void **state)
{
	static const char *const devices[][2] = {
		{ "NVIDIA H100 80GB HBM3", "H100-SXM" },
		{ "NVIDIA H100 PCIe", "H100-PCIe" },
		{ "NVIDIA H100 NVL", "H100-NVL" },
		{ "NVIDIA L4", "L4" },
		{ "NVIDIA L40S", "L40S" },
		{ "NVIDIA L400", NULL },
		{ "NVIDIA GB200", "GB200" },
		{ "NVIDIA B200", "B200" },
		{ "Tesla V100-SXM2-16GB", "V100-SXM" },
		{ "NVIDIA A100-SXM4-40GB", "A100-40GB-SXM" },
		{ "AMD Instinct MI300X", "MI300X" },
		{ "NVIDIA A100 80GB PCIe", "A100-80GB-PCIe" },
		{ "AMD Instinct MI250X/MI250", "MI250X" },
		{ "AMD Radeon Graphics", NULL },
		{ "Intel(R) Data Center GPU Max 1550", "Max-1550" },
		{ "", NULL },
	};
	struct arena a = { 0 };
	const struct arch **known = arch_known(&a);

	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		const struct arch *arch = arch_of_device(known, str_of(devices[i][0]));

		if (!devices[i][1])
			assert_null(arch);
		else
			assert_string_equal(arch ? arch->name : "none", devices[i][1]);
	}
	arena_free(&a);
}

/* Names differ; matrix units are not slower than vector units; smaller types not slower. */
static void what_is_known_makes_sense(void **state)
{
	struct arena a = { 0 };
	const struct arch **known = arch_known(&a);

	for (uint32_t i = 0; known[i]; i++) {
		const struct arch *x = known[i];
		double fp16 = arch_peak(x, UNIT_MATRIX, "fp16"),
		       fp8 = arch_peak(x, UNIT_MATRIX, "fp8");

		for (uint32_t k = 0; k < i; k++)
			assert_string_not_equal(x->name, known[k]->name);
		assert_true(x->ndevices > 0);
		assert_string_not_equal(x->source, "");
		assert_true(x->gbps >= 300 && x->gbps <= 10000);
		assert_true(!fp16 || fp16 >= arch_peak(x, UNIT_VECTOR, "fp32"));
		assert_true(!fp8 || fp8 >= fp16);
		assert_true(arch_peak(x, UNIT_MATRIX, "fp32") >= arch_peak(x, UNIT_VECTOR, "fp32"));
		assert_ptr_equal(arch_of_device(known, str_of(x->device[0])), x);
	}
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
		cmocka_unit_test(the_peak_of_a_type_without_one),
		cmocka_unit_test(a_file_is_checked),
		cmocka_unit_test(keys_of_others_are_named),
		cmocka_unit_test(files_and_names_are_chosen),
		cmocka_unit_test(devices_are_told_by_name),
		cmocka_unit_test(what_is_known_makes_sense),
		cmocka_unit_test(lists_as_python_prints_them),
		cmocka_unit_test(figures_leave_out_what_is_missing),
		cmocka_unit_test(groups_are_numbered_by_first_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
