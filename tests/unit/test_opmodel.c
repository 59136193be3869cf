/*
 * Costs worked out by hand from the arguments of operators as traces have them. Where the
 * original counts otherwise, both numbers stand here.
 */
#include "analysis/opmodel/names.h"
#include "analysis/opmodel/opcost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define BF16   "\"c10::BFloat16\""
#define MIB(x) ((x)*1048576.0)

struct sample {
	const char *op, *dims, *types, *concrete;
	double flops, bytes;
	bool original, backward;
};

static const struct sample samples[] = {
	/* 2 M N K; (M K + K N + M N) 2 */
	{ "aten::mm", "[[8944, 1024], [1024, 2816]]", "[" BF16 ", " BF16 "]", "[\"\", \"\"]",
	  51581550592, MIB(71.0078125), false, false },
	/* a bias adds M N operations and N numbers */
	{ "aten::addmm", "[[1024], [8944, 1024], [1024, 1024], [], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]", "[]", 18766086144,
	  MIB(36.939453125), false, false },
	{ "aten::bmm", "[[1, 32, 1], [1, 1, 559]]", "[\"float\", \"float\"]", "[]", 35776,
	  4 * (32 + 559 + 32 * 559), false, false },
	/* mixed types: the weight is of 4 bytes; the original takes the first type for all */
	{ "aten::mm", "[[2, 3], [3, 5]]", "[" BF16 ", \"float\"]", "[]", 60, 12 + 60 + 20, false,
	  false },
	{ "aten::mm", "[[2, 3], [3, 5]]", "[" BF16 ", \"float\"]", "[]", 60, 12 + 30 + 20, true,
	  false },
	/* causal: half of 2 B H N N (d + d) */
	{ "aten::_scaled_dot_product_flash_attention",
	  "[[16, 16, 559, 64], [16, 16, 559, 64], [16, 16, 559, 64], [], [], [], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\"]",
	  "[\"\", \"\", \"\", \"0.\", \"True\", \"False\", \"0.125\"]", 10239377408, MIB(69.875),
	  false, false },
	/* one query against a cache of 8: nothing is masked but its own future, half a score */
	{ "aten::_scaled_dot_product_flash_attention",
	  "[[1, 1, 1, 4], [1, 1, 8, 4], [1, 1, 8, 4], [], [], [], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", \"\", \"\", \"\", \"\"]",
	  "[\"\", \"\", \"\", \"0.\", \"True\", \"False\", \"\"]", 2 * 8 * 8 * (1 - 1.0 / 16),
	  2 * (8 + 64), false, false },
	/* what is added is a whole matrix of 4 bytes per number, or one number; the original: N */
	{ "aten::baddbmm", "[[2, 3, 5], [2, 3, 4], [2, 4, 5], [], []]",
	  "[\"float\", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]",
	  "[\"\", \"\", \"\", \"1\", \"1\"]", 2 * 3 * 5 * (2 * 4 + 1), 2 * (24 + 40 + 30) + 4 * 30,
	  false, false },
	{ "aten::baddbmm", "[[2, 3, 5], [2, 3, 4], [2, 4, 5], [], []]",
	  "[\"float\", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]",
	  "[\"\", \"\", \"\", \"1\", \"1\"]", 2 * 3 * 5 * (2 * 4 + 1),
	  2 * (24 + 40 + 30) + 2 * 2 * 5, true, false },
	{ "aten::addmm", "[[], [3, 4], [4, 5], [], []]",
	  "[\"float\", \"float\", \"float\", \"Scalar\", \"Scalar\"]", "[]", 3 * 5 * (2 * 4 + 1),
	  4 * (1 + 12 + 20 + 15), false, false },
	/* beta = 0: what is added is not read */
	{ "aten::baddbmm", "[[1, 1, 5], [2, 3, 4], [2, 4, 5], [], []]",
	  "[\"float\", \"float\", \"float\", \"Scalar\", \"Scalar\"]",
	  "[\"\", \"\", \"\", \"0.\", \"0.125\"]", 2 * 3 * 5 * 2 * 4, 4 * (24 + 40 + 30), false,
	  false },
	/* the larger of two tensors, of each pair; and of all in one */
	{ "aten::max", "[[4, 8], [8]]", "[\"float\", \"float\"]", "[\"\", \"\"]", 32,
	  4 * (32 + 8 + 32), false, false },
	{ "aten::min", "[[4, 8], []]", "[\"long int\", \"long int\"]", "[\"\", \"\"]", 32,
	  8 * (32 + 1 + 32), false, false },
	{ "aten::max", "[[4, 8], [8]]", "[\"float\", \"float\"]", "[\"\", \"\"]", 32, 4 * (32 + 1),
	  true, false },
	{ "aten::max", "[[4, 8]]", "[\"float\"]", "[\"\"]", 32, 4 * (32 + 1), false, false },
	{ "aten::convolution",
	  "[[1, 3, 1008, 1008], [1024, 3, 14, 14], [], [], [], [], [], [], []]",
	  "[" BF16 ", " BF16 ", \"\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\", "
	  "\"ScalarList\", \"Scalar\"]",
	  "[\"\", \"\", \"\", \"[14, 14]\", \"[0, 0]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]",
	  6242697216, MIB(17.08740234375), false, false },
	/* x (1,1,3,3), w (1,1,2,2), bias: out 2x2; 4 outputs of 4 products and a bias */
	{ "aten::convolution", "[[1, 1, 3, 3], [1, 1, 2, 2], [1], [], [], [], [], [], []]",
	  "[\"float\", \"float\", \"float\", \"\", \"\", \"\", \"\", \"\", \"\"]",
	  "[\"\", \"\", \"\", \"[1]\", \"[0]\", \"[1]\", \"False\", \"[0]\", \"1\"]", 2 * 4 * 4 + 4,
	  4 * (9 + 4 + 4 + 1), false, false },
	{ "aten::convolution", "[[1, 1, 3, 3], [1, 1, 2, 2], [1], [], [], [], [], [], []]",
	  "[\"float\", \"float\", \"float\", \"\", \"\", \"\", \"\", \"\", \"\"]",
	  "[\"\", \"\", \"\", \"[1]\", \"[0]\", \"[1]\", \"False\", \"[0]\", \"1\"]", 2 * 4 * 4,
	  4 * (9 + 4 + 4), true, false },
	/* transposed, two groups: 2 input planes of 2x2 to 4 planes of 3x3 */
	{ "aten::convolution", "[[1, 2, 2, 2], [2, 2, 2, 2], [], [], [], [], [], [], []]",
	  "[\"float\", \"float\", \"\", \"\", \"\", \"\", \"\", \"\", \"\"]",
	  "[\"\", \"\", \"\", \"[1, 1]\", \"[0, 0]\", \"[1, 1]\", \"True\", \"[0, 0]\", \"2\"]",
	  2 * 8 * 8, 4 * (8 + 16 + 36), false, false },
	{ "aten::convolution_backward",
	  "[[10, 64, 56, 56], [10, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], [], [], [], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\"]",
	  "[\"\", \"\", \"\", \"[0]\", \"[1, 1]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\", "
	  "\"[True, True, False]\"]",
	  4624220160, MIB(15.453125), false, false },
	{ "aten::copy_", "[[16, 16, 559, 64], [16, 16, 559, 64], []]",
	  "[" BF16 ", " BF16 ", \"Scalar\"]", "[\"\", \"\", \"False\"]", 9158656, MIB(34.9375),
	  false, false },
	{ "aten::mul", "[[16, 559, 1024], [16, 559, 1]]", "[\"float\", \"float\"]", "[\"\", \"\"]",
	  9158656, MIB(69.90911865234375), false, false },
	/* over the last dimension 16 * 559 results stay; the original sees one */
	{ "aten::mean", "[[16, 559, 1024], [], [], []]",
	  "[\"float\", \"ScalarList\", \"Scalar\", \"\"]", "[\"\", \"[-1]\", \"True\", \"\"]",
	  9158656, 4.0 * (9158656 + 8944), false, false },
	{ "aten::mean", "[[16, 559, 1024], [], [], []]",
	  "[\"float\", \"ScalarList\", \"Scalar\", \"\"]", "[\"\", \"[-1]\", \"True\", \"\"]",
	  9158656, MIB(34.937503814697266), true, false },
	{ "aten::cumsum", "[[15], [], []]", "[\"int\", \"Scalar\", \"\"]", "[\"\", \"0\", \"\"]",
	  15, 120, false, false },
	{ "aten::layer_norm", "[[1, 5185, 1024], [], [1024], [1024], [], []]",
	  "[" BF16 ", \"ScalarList\", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]",
	  "[\"\", \"[1024]\", \"\", \"\", \"1e-05\", \"True\"]", 26553344, MIB(20.265625), false,
	  false },
	{ "aten::native_batch_norm_backward",
	  "[[10, 64, 112, 112], [10, 64, 112, 112], [64], [64], [64], [64], [64], [], [], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", " BF16 ", " BF16 ", \"float\", \"float\", \"Scalar\", "
	  "\"Scalar\", \"ScalarList\"]",
	  "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"True\", \"1e-05\", \"[True, True, True]\"]",
	  72253440, MIB(45.93798828125), false, false },
	/* evaluation: "False" is not true, and weights that are not there are not read */
	{ "aten::batch_norm", "[[2, 4, 8], [], [], [4], [4], [], [], [], []]",
	  "[\"float\", \"\", \"\", \"float\", \"float\", \"\", \"\", \"\", \"\"]",
	  "[\"\", \"\", \"\", \"\", \"\", \"False\", \"\", \"\", \"\"]", 6 * 4 + 2 * 64,
	  4 * (128 + 2 * 4), false, false },
	{ "aten::_fused_rms_norm", "[[8, 16, 32, 32], [], [32, 32], []]",
	  "[\"float\", \"ScalarList\", \"float\", \"\"]", "[\"\", \"[32, 32]\", \"\", \"\"]",
	  524544, MIB(1.00390625), false, false },
	{ "aten::upsample_nearest1d", "[[1, 768, 8], [], []]", "[" BF16 ", \"ScalarList\", \"\"]",
	  "[\"\", \"[128]\", \"\"]", 98304, MIB(0.19921875), false, false },
	{ "sgl_kernel::silu_and_mul", "[[15360, 12288], [15360, 24576]]", "[" BF16 ", " BF16 "]",
	  "[\"\", \"\"]", 943718400, MIB(1080.0), false, false },
	{ "aiter::rmsnorm", "[[491520, 128], [491520, 128], [128], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", \"Scalar\"]", "[\"\", \"\", \"\", \"1e-06\"]", 252641280,
	  MIB(240.000244140625), false, false },
	{ "aiter::add_rmsnorm",
	  "[[15360, 4096], [15360, 4096], [15360, 4096], [15360, 4096], [4096], []]",
	  "[" BF16 ", " BF16 ", " BF16 ", " BF16 ", " BF16 ", \"Scalar\"]", "[]", 314603520,
	  MIB(480.0078125), false, false },
	{ "sgl_kernel::rotary_embedding",
	  "[[15360], [15360, 4096], [15360, 1024], [], [41216, 128], []]",
	  "[\"long int\", " BF16 ", " BF16 ", \"Scalar\", " BF16 ", \"Scalar\"]", "[]", 235929600,
	  MIB(300.0), false, false },
	{ "sglang::store_cache",
	  "[[15360, 1024], [15360, 1024], [835874, 1024], [835874, 1024], [15360]]",
	  "[" BF16 ", " BF16 ", " BF16 ", " BF16 ", \"long int\"]", "[]", 0, MIB(120.0), false,
	  false },
	/* 5 + 7 pairs, 4 heads, 16 and 8 wide: 2 * 12 * 4 * 24; 2 * 3 * 4 * 16 bf16, 12 * 8 fp32 */
	{ "aiter::pa_sparse_prefill_opus_fwd", "[[3, 4, 16], [100, 8], [5], [], [], [7]]",
	  "[" BF16 ", \"float\"]", "[]", 2304, 2 * 384 + 4 * 96, false, false },
};

static bool cost_of(const struct sample *s, struct op_cost *cost, const char **why, struct arena *a)
{
	const struct opmodel *m = opmodel_find(str_of(s->op));
	struct op_call call = { .a = a, .name = str_of(s->op), .original = s->original };

	assert_non_null(m);
	op_formula *f = s->backward ? opcost_backward(m->model) : opcost_forward(m->model);
	assert_non_null(f);
	call.args = op_args_read(str_of(s->dims), str_of(s->types), STR("[]"), str_of(s->concrete),
				 a);
	bool ok = opcost_run(f, &call, cost);
	*why = call.why;
	return ok;
}

static void costs_worked_out_by_hand(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		struct arena a = { 0 };
		struct op_cost cost;
		const char *why;

		if (!cost_of(s, &cost, &why, &a))
			fail_msg("%s: %s", s->op, why);
		if (cost.flops != s->flops || cost.bytes != s->bytes)
			fail_msg("%s (%zu): %.0f flops, %.0f bytes; want %.0f and %.0f", s->op, i,
				 cost.flops, cost.bytes, s->flops, s->bytes);
		arena_free(&a);
	}
}

static void nonsense_has_no_cost_and_a_reason(void **unused)
{
	(void)unused;
	static const struct sample bad[] = {
		{ "aten::mm", "[]", "[]", "[]", 0, 0, false, false },
		{ "aten::mm", "[[2, 3], [4, 5]]", "[]", "[]", 0, 0, false, false },
		{ "aten::mm", "[[2, -3], [-3, 5]]", "[]", "[]", 0, 0, false, false },
		{ "aten::addmm", "[[4], [2, 3], [3, 5]]", "[]", "[]", 0, 0, false, false },
		{ "aten::baddbmm", "[[1, 2, 2, 5], [2, 2, 3], [2, 3, 5]]", "[]", "[]", 0, 0, false,
		  false },
		{ "aten::add", "[[2, -3], [2, -3]]", "[]", "[]", 0, 0, true, false },
		{ "aten::add", "[[4294967296, 4194304], [1]]", "[]", "[]", 0, 0, true, false },
		{ "aten::bmm", "[[2, 3], [3, 5]]", "[]", "[]", 0, 0, false, false },
		{ "aten::add", "[[2, 3], [4, 3]]", "[]", "[]", 0, 0, false, false },
		{ "aten::add", "[[[2], [3]], [4, 3]]", "[]", "[]", 0, 0, false, false },
		{ "aten::convolution", "[[1, 3, 8, 8], [4, 3, 3]]", "[]", "[]", 0, 0, false,
		  false },
		{ "aten::layer_norm", "[[2, 3]]", "[\"float\"]", "[]", 0, 0, false, false },
		{ "aten::_scaled_dot_product_flash_attention",
		  "[[1, 2, 3, 4], [1, 2, 3, 5], [1, 2, 3, 4]]", "[]", "[]", 0, 0, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct arena a = { 0 };
		struct op_cost cost;
		const char *why = NULL;

		assert_false(cost_of(&bad[i], &cost, &why, &a));
		assert_non_null(why);
		arena_free(&a);
	}
}

/* Without a type the operations are known, the bytes are not. */
static void unknown_types_leave_bytes_unknown(void **unused)
{
	(void)unused;
	struct arena a = { 0 };
	struct op_cost cost;
	const char *why;
	struct sample s = {
		"aten::mm", "[[2, 3], [3, 5]]", "[\"bool\", \"bool\"]", "[]", 0, 0, false, false
	};

	assert_true(cost_of(&s, &cost, &why, &a));
	assert_true(cost.flops == 60);
	assert_true(isnan(cost.bytes));
	assert_null(cost.precision);
	arena_free(&a);
}

static void parameters_read_as_python_writes_them(void **unused)
{
	(void)unused;
	struct arena a = { 0 };
	struct op_cost cost;
	const char *why;

	assert_true(cost_of(&samples[5], &cost, &why, &a));
	assert_string_equal(cost.param[0].name, "B");
	assert_string_equal(cost.param[0].text, "16");
	assert_string_equal(cost.param[7].name, "dropout");
	assert_string_equal(cost.param[7].text, "0.0");
	assert_string_equal(cost.param[8].text, "True");
	assert_string_equal(cost.param[10].text, "('c10::BFloat16', 'c10::BFloat16')");
	assert_string_equal(cost.precision, "bf16");
	arena_free(&a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs_worked_out_by_hand),
		cmocka_unit_test(nonsense_has_no_cost_and_a_reason),
		cmocka_unit_test(unknown_types_leave_bytes_unknown),
		cmocka_unit_test(parameters_read_as_python_writes_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
