/* The list of operators: found by halving, so the test asks for its ends and its odd entries. */
#include "analysis/opmodel/names.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct opmodel *find(const char *name)
{
	return opmodel_find(str_of(name));
}

static void listed_operators_have_model_and_category(void **unused)
{
	(void)unused;
	assert_string_equal(find("aten::mm")->model, "aten_mm");
	assert_string_equal(op_category_name(find("aten::mm")->category), "GEMM");
	assert_string_equal(op_category_name(find("aten::convolution")->backward), "CONV_bwd");
	assert_int_equal(find("aten::sum")->family, FAM_REDUCE);
	assert_non_null(find("ConvBiasReLU_"));
	assert_non_null(find("vllm::unified_attention_with_output"));
	assert_null(find("aten::m"));
	assert_null(find("aten::mmm"));
	assert_null(find(""));
}

static void some_have_a_category_and_no_model(void **unused)
{
	(void)unused;
	assert_null(find("aten::miopen_convolution")->model);
	assert_int_equal(find("aten::miopen_convolution")->category, CAT_CONV_FWD);
	/* Listed twice: the model is the one, the category the other. */
	assert_non_null(find("aiter::fused_dynamic_mxfp4_quant_moe_sort_hip")->model);
	assert_int_equal(find("aiter::fused_dynamic_mxfp4_quant_moe_sort_hip")->category,
			 CAT_MOE_AUX);
}

static void entries_have_numbers(void **unused)
{
	(void)unused;
	static const char *const names[] = { "aten::mm", "triton_poi_x",
					     "vllm::rocm_unquantized_gemm", "ConvBiasReLU_" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_ptr_equal(opmodel_numbered(opmodel_number(find(names[i]))), find(names[i]));
	assert_int_equal(opmodel_number(find("no such operator")), 0);
	assert_null(opmodel_numbered(0));
}

static void generated_kernels_match_by_prefix(void **unused)
{
	(void)unused;
	assert_int_equal(find("triton_poi_fused_add_0")->category, CAT_TRITON);
	assert_non_null(find("triton_red_x")->model);
	assert_non_null(find("triton_per_x")->model);
	assert_null(find("triton_tem_fused_mm_1"));
}

static void single_kernels_of_an_operator_are_listed_by_both_names(void **unused)
{
	(void)unused;
	struct str op = STR("aiter::v4_attention_with_output");

	assert_true(opmodel_has_synthetic(op));
	assert_int_equal(opmodel_find_synthetic(op, STR("_swa_write_kernel"))->category,
			 CAT_INFERENCE_ATTENTION);
	assert_null(opmodel_find_synthetic(op, STR("_swa_write")));
	assert_false(opmodel_has_synthetic(STR("aiter::v4_attention")));
	assert_false(opmodel_has_synthetic(STR("aten::mm")));
}

static void backward_passes_are_known_for_four_families(void **unused)
{
	(void)unused;
	assert_true(opmodel_has_backward(find("aten::convolution")));
	assert_true(opmodel_has_backward(find("FlashAttnFunc")));
	assert_true(opmodel_has_backward(find("MambaSplitConv1dScanCombinedFn")));
	assert_true(opmodel_has_backward(find("MoEDispatch")));
	assert_false(opmodel_has_backward(find("aten::layer_norm")));
	assert_false(opmodel_has_backward(find("aten::mm")));
	assert_false(opmodel_has_backward(find("DaoAILab::_causal_conv1d_fwd_cpp")));
	assert_false(opmodel_has_backward(find("aten::miopen_convolution")));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(listed_operators_have_model_and_category),
		cmocka_unit_test(some_have_a_category_and_no_model),
		cmocka_unit_test(entries_have_numbers),
		cmocka_unit_test(generated_kernels_match_by_prefix),
		cmocka_unit_test(single_kernels_of_an_operator_are_listed_by_both_names),
		cmocka_unit_test(backward_passes_are_known_for_four_families),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
