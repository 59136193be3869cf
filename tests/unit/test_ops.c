/* The operator table on small trees whose rows are worked out by hand. */
#include "asked.h"
#include "maker.h"

#include "analysis/ops.h"
#include "base/table.h"

#include <math.h>

/* ---- Asking a table ---- */

static const struct lp_column *column(const struct lp_answer *a, const char *name)
{
	return asked_column(a, "ops", name);
}

static uint32_t nrows(const struct lp_answer *a)
{
	return asked_rows(a, "ops");
}

static uint32_t row(const struct lp_answer *a, const char *name)
{
	const char *const *names = column(a, "name")->data.str;

	for (uint32_t i = 0; i < nrows(a); i++)
		if (!strcmp(names[i], name))
			return i;
	fail_msg("no row %s", name);
	return NONE;
}

static int64_t number(const struct lp_answer *a, const char *name, const char *col)
{
	return column(a, col)->data.i64[row(a, name)];
}

static double fraction(const struct lp_answer *a, const char *name, const char *col)
{
	return column(a, col)->data.f64[row(a, name)];
}

static const char *string(const struct lp_answer *a, const char *name, const char *col)
{
	return column(a, col)->data.str[row(a, name)];
}

static void assert_row(const struct lp_answer *a, const char *name, int kernels, int us)
{
	assert_int_equal(number(a, name, "kernels"), kernels);
	assert_int_equal(number(a, name, "kernel_time_ns"), 1000 * us);
}

/* ---- The brief's tree: A launches kernel_A itself and has the operators B and C ---- */

static struct trace *tree_of_brief(bool python)
{
	struct maker m = maker_new();

	if (python)
		make_python(&m, 1, "app/run.py(1): main", 0, 200);
	make_op(&m, 1, "cpu_op_A", 10, 100, "\"Input Dims\": [[8, 8]]");
	if (python)
		make_python(&m, 1, "app/run.py(2): b", 11, 20);
	make_op(&m, 1, "cpu_op_B", 12, 10, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 13, 5, 1, NULL);
	make_op(&m, 1, "cpu_op_C", 40, 10, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 41, 5, 2, NULL);
	if (python)
		make_python(&m, 1, "app/run.py(3): own", 60, 20);
	make_launch(&m, 1, "cudaLaunchKernel", 61, 5, 3, NULL);
	make_gpu(&m, "kernel", "kernel_B", 100, 10, 7, 1);
	make_gpu(&m, "kernel", "kernel_C", 120, 20, 7, 2);
	make_gpu(&m, "kernel", "kernel_A", 150, 30, 7, 3);
	return maker_trace(&m);
}

/* ctx: the letters of the operators with a model. */
static bool letter_has_model(void *ctx, struct str name)
{
	return str_starts(name, STR("cpu_op_")) && strchr(ctx, name.p[name.n - 1]);
}

static struct lp_answer *ops_with_models(struct trace *tr, const char *letters,
					 enum tree_style tree)
{
	char buf[8];
	struct ops_hooks hooks = { tree, letter_has_model, strcpy(buf, letters) };
	struct lp_answer *a = ops_answer(tr, (struct lp_ops_options){ 0 }, hooks, NULL);

	assert_non_null(a);
	return a;
}

static void the_matrix_of_models(void **unused)
{
	(void)unused;
	static const char *const models[] = { "A", "AB", "AC", "ABC", "BC", "B", "C", "" };
	struct trace *tr = tree_of_brief(false);

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		struct lp_answer *a = ops_with_models(tr, models[i], TREE_FULL);

		if (models[i][0] == 'A') {
			assert_int_equal(nrows(a), 1);
			assert_row(a, "cpu_op_A", 3, 60);
			assert_false(number(a, "cpu_op_A", "synthetic"));
		} else {
			assert_int_equal(nrows(a), 3);
			assert_row(a, "cpu_op_B", 1, 10);
			assert_row(a, "cpu_op_C", 1, 20);
			assert_row(a, "cpu_op_A->kernel_A (Synthetic Op)", 1, 30);
			assert_true(number(a, "cpu_op_A->kernel_A (Synthetic Op)", "synthetic"));
			assert_false(number(a, "cpu_op_B", "synthetic"));
		}
		lp_answer_free(a);
	}
	trace_free(tr);
}

static void a_synthetic_row_has_the_shapes_and_stack_of_its_operator(void **unused)
{
	(void)unused;
	const char *name = "cpu_op_A->kernel_A (Synthetic Op)";
	struct trace *tr = tree_of_brief(true);
	struct lp_answer *a = ops_with_models(tr, "", TREE_FULL);

	assert_string_equal(string(a, name, "input_dims"), "[[8, 8]]");
	assert_string_equal(string(a, name, "call_stack"),
			    "app/run.py(1): main;cpu_op_A;app/run.py(3): own");
	assert_string_equal(string(a, "cpu_op_B", "call_stack"),
			    "app/run.py(1): main;cpu_op_A;app/run.py(2): b;cpu_op_B");
	assert_null(string(a, "cpu_op_B", "input_dims"));
	lp_answer_free(a);
	trace_free(tr);
}

static void python_frames_change_no_row(void **unused)
{
	(void)unused;
	static const char *const models[] = { "A", "B", "" };
	struct trace *tr = tree_of_brief(true);

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		struct lp_answer *with = ops_with_models(tr, models[i], TREE_FULL);
		struct lp_answer *without = ops_with_models(tr, models[i], TREE_NO_PYTHON);

		assert_int_equal(nrows(with), nrows(without));
		for (uint32_t r = 0; r < nrows(with); r++) {
			const char *name = column(with, "name")->data.str[r];

			assert_string_equal(name, column(without, "name")->data.str[r]);
			assert_int_equal(number(with, name, "kernel_time_ns"),
					 number(without, name, "kernel_time_ns"));
		}
		lp_answer_free(with);
		lp_answer_free(without);
	}
	trace_free(tr);
}

/* ---- The brief's other tree, and a launch that nothing stands above ---- */

static void orphans_take_the_args_and_stack_of_their_launch(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_python(&m, 1, "app/run.py(7): py_func_A", 0, 50);
	make_launch(&m, 1, "hipLaunchKernel", 10, 5, 1, "\"Input Dims\": [[3]]");
	make_launch(&m, 1, "cudaLaunchKernel", 100, 5, 2, NULL);
	make_gpu(&m, "kernel", "kernel_A", 200, 40, 7, 1);
	make_gpu(&m, "kernel", "kernel_P", 300, 50, 7, 2);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 2);
	assert_row(a, "hipLaunchKernel->kernel_A (Synthetic Op)", 1, 40);
	assert_row(a, "cudaLaunchKernel->kernel_P (Synthetic Op)", 1, 50);
	assert_string_equal(string(a, "hipLaunchKernel->kernel_A (Synthetic Op)", "input_dims"),
			    "[[3]]");
	assert_string_equal(string(a, "hipLaunchKernel->kernel_A (Synthetic Op)", "call_stack"),
			    "app/run.py(7): py_func_A");
	assert_string_equal(string(a, "cudaLaunchKernel->kernel_P (Synthetic Op)", "call_stack"),
			    "");
	assert_int_equal(number(a, "hipLaunchKernel->kernel_A (Synthetic Op)", "cpu_time_ns"),
			 5000);
	lp_answer_free(a);
	trace_free(tr);
}

static void a_graph_is_one_leaf_below_an_operator_and_single_rows_below_none(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "replay", 0, 50, NULL);
	make_launch(&m, 1, "cudaGraphLaunch", 10, 5, 1, NULL);
	make_launch(&m, 1, "cudaGraphLaunch", 100, 6, 2, NULL);
	for (int i = 0; i < 3; i++)
		make_gpu(&m, "kernel", "k", 200 + 10 * i, 10, 7, 1);
	for (int i = 0; i < 3; i++)
		make_gpu(&m, "kernel", i ? "k" : "first", 300 + 10 * i, 10, 7, 2);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 3);
	assert_row(a, "replay", 3, 30);
	assert_row(a, "cudaGraphLaunch->first (Synthetic Op)", 1, 10);
	assert_row(a, "cudaGraphLaunch->k (Synthetic Op)", 2, 20);
	assert_int_equal(number(a, "cudaGraphLaunch->k (Synthetic Op)", "count"), 2);
	/* The launch's host time is counted once, with its first kernel. */
	assert_int_equal(number(a, "cudaGraphLaunch->first (Synthetic Op)", "cpu_time_ns"), 6000);
	assert_int_equal(number(a, "cudaGraphLaunch->k (Synthetic Op)", "cpu_time_ns"), 0);
	lp_answer_free(a);
	trace_free(tr);
}

static void work_without_a_launch_has_rows_of_its_own(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 50, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 1, NULL);
	make_gpu(&m, "kernel", "k", 100, 10, 7, 1);
	make_gpu(&m, "kernel", "k", 120, 20, 7, 99);
	make_gpu(&m, "gpu_memset", "Memset (Device)", 150, 1, 7, 98);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 3);
	assert_row(a, "op", 1, 10);
	assert_row(a, "k", 1, 20);
	assert_row(a, "Memset (Device)", 1, 1);
	assert_string_equal(string(a, "k", "category"), "unlinked");
	assert_null(string(a, "k", "call_stack"));
	assert_string_equal(string(a, "k", "example_lane"), "gpu 0 stream 7");
	assert_non_null(strstr(lp_answer_table(a, "ops")->footer[0], "3 = 2 kernels + 1 set"));
	lp_answer_free(a);
	trace_free(tr);
}

/* ---- Communication ---- */

static struct trace *leaf_with_both(void)
{
	struct maker m = maker_new();

	make_op(&m, 1, "mixed", 0, 50, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 1, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 20, 5, 2, NULL);
	make_op(&m, 1, "nccl:all_reduce", 60, 20, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 65, 5, 3, NULL);
	make_gpu(&m, "kernel", "ncclDevKernel_AllReduce", 100, 10, 7, 1);
	make_gpu(&m, "kernel", "pack", 120, 20, 7, 2);
	make_gpu(&m, "kernel", "ncclDevKernel_AllReduce", 150, 30, 7, 3);
	return maker_trace(&m);
}

static void communication_is_owned_like_all_else(void **unused)
{
	(void)unused;
	struct trace *tr = leaf_with_both();
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 2);
	assert_row(a, "mixed", 2, 30);
	assert_row(a, "nccl:all_reduce", 1, 30);
	assert_string_equal(string(a, "nccl:all_reduce", "category"), "communication");
	lp_answer_free(a);
	trace_free(tr);
}

static void a_mixed_leaf_loses_its_communication_only(void **unused)
{
	(void)unused;
	struct trace *tr = leaf_with_both();
	struct lp_answer *a = lp_ops((struct lp_trace *)tr,
				     (struct lp_ops_options){ .no_comm = true }, NULL);

	assert_int_equal(nrows(a), 1);
	assert_row(a, "mixed->pack (Synthetic Op)", 1, 20);
	lp_answer_free(a);
	trace_free(tr);
}

/* ---- Models ---- */

static void a_synthetic_row_never_has_a_model(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	/* Named as Inductor's kernels are, but without the arguments that tell its size. */
	make_op(&m, 1, "triton_poi_fused_0", 0, 100, NULL);
	make_op(&m, 1, "inner", 10, 20, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 12, 5, 1, NULL);
	make_launch(&m, 1, "cuLaunchKernel", 50, 5, 2, NULL);
	make_op(&m, 1, "aten::mm", 200, 100, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 210, 5, 3, NULL);
	for (int i = 1; i <= 3; i++)
		make_gpu(&m, "kernel", "k", 300 + 10 * i, 10, 7, i);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 3);
	assert_false(number(a, "triton_poi_fused_0->k (Synthetic Op)", "has_model"));
	assert_string_equal(string(a, "triton_poi_fused_0->k (Synthetic Op)", "category"),
			    "triton");
	assert_false(number(a, "inner", "has_model"));
	assert_true(number(a, "aten::mm", "has_model"));
	assert_string_equal(string(a, "aten::mm", "category"), "GEMM");
	lp_answer_free(a);
	trace_free(tr);
}

static void the_sole_backward_operator_takes_the_category_of_its_forward(void **unused)
{
	(void)unused;
	struct maker m = maker_new();
	const char *wrapper = "autograd::engine::evaluate_function: ConvolutionBackward0";

	make_op(&m, 1, "aten::convolution", 0, 50, "\"Sequence number\": 5");
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 1, NULL);
	make_op(&m, 2, wrapper, 100, 50, "\"Sequence number\": 5, \"Fwd thread id\": 1");
	make_op(&m, 2, "ConvolutionBackward0", 101, 40, NULL);
	make_launch(&m, 2, "cudaLaunchKernel", 110, 5, 2, NULL);
	/* The same names without a forward operator. */
	make_op(&m, 2, wrapper, 200, 50, NULL);
	make_op(&m, 2, "ConvolutionBackward1", 201, 40, NULL);
	make_launch(&m, 2, "cudaLaunchKernel", 210, 5, 3, NULL);
	for (int i = 1; i <= 3; i++)
		make_gpu(&m, "kernel", "conv", 300 + 10 * i, 10, 7, i);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_string_equal(string(a, "ConvolutionBackward0", "category"), "CONV_bwd");
	assert_true(number(a, "ConvolutionBackward0", "has_model"));
	assert_string_equal(string(a, "ConvolutionBackward1", "category"), "other");
	assert_false(number(a, "ConvolutionBackward1", "has_model"));
	lp_answer_free(a);
	trace_free(tr);
}

/* ---- Grouping and figures ---- */

static struct trace *three_products(void)
{
	struct maker m = maker_new();
	static const double dur[] = { 10, 20, 60 };

	for (int i = 0; i < 3; i++) {
		make_python(&m, 1, i ? "nn.Module: Linear_1" : "nn.Module: Linear_0", 100 * i, 60);
		make_op(&m, 1, "aten::mm", 100 * i + 1, 50,
			i < 2 ? "\"Input Dims\": [[1]]" : "\"Input Dims\": [[2]]");
		make_launch(&m, 1, "cudaLaunchKernel", 100 * i + 10, 5, i + 1, NULL);
		make_gpu(&m, "kernel", "gemm", 400 + 100 * i, dur[i], 7, i + 1);
	}
	/* Two overlapping kernels of one occurrence: 30 us of time, 25 us busy. */
	make_op(&m, 1, "pair", 300, 50, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 310, 5, 8, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 320, 5, 9, NULL);
	make_gpu(&m, "kernel", "x", 800, 20, 7, 8);
	make_gpu(&m, "kernel", "y", 815, 10, 8, 9);
	return maker_trace(&m);
}

static void rows_of_equal_arguments_are_one(void **unused)
{
	(void)unused;
	struct trace *tr = three_products();
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 3); /* 60: [[2]], 30: [[1]] twice, 25: pair */
	assert_string_equal(column(a, "input_dims")->data.str[0], "[[2]]");
	assert_string_equal(column(a, "input_dims")->data.str[1], "[[1]]");
	assert_int_equal(column(a, "count")->data.i64[1], 2);
	assert_int_equal(column(a, "kernel_time_ns")->data.i64[1], 30000);
	assert_row(a, "pair", 2, 25);
	assert_int_equal(column(a, "example_start_ns")->data.i64[1], 1000);
	assert_float_equal(column(a, "cumulative_percent")->data.f64[2], 100, 1e-9);
	assert_string_equal(string(a, "pair", "kernel_details"),
			    "[{\"name\":\"x\",\"device\":0,\"stream\":7,\"count\":1,"
			    "\"total_ns\":20000,\"min_ns\":20000,\"max_ns\":20000},"
			    "{\"name\":\"y\",\"device\":0,\"stream\":8,\"count\":1,"
			    "\"total_ns\":10000,\"min_ns\":10000,\"max_ns\":10000}]");
	lp_answer_free(a);
	trace_free(tr);
}

static void by_name_category_module_and_row(void **unused)
{
	(void)unused;
	struct trace *tr = three_products();
	struct lp_ops_options o = { .by = LP_BY_NAME };
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, o, NULL);

	assert_int_equal(nrows(a), 2);
	assert_row(a, "aten::mm", 3, 90);
	assert_int_equal(number(a, "aten::mm", "kernel_time_min_ns"), 10000);
	assert_int_equal(number(a, "aten::mm", "kernel_time_max_ns"), 60000);
	assert_float_equal(fraction(a, "aten::mm", "kernel_time_mean_ns"), 30000, 1e-9);
	assert_float_equal(fraction(a, "aten::mm", "kernel_time_median_ns"), 20000, 1e-9);
	/* ((10-30)^2 + (20-30)^2 + (60-30)^2) / 2 = 700 */
	assert_float_equal(fraction(a, "aten::mm", "kernel_time_std_ns"), 1000 * sqrt(700), 1e-6);
	assert_true(isnan(fraction(a, "pair", "kernel_time_std_ns")));
	assert_int_equal(number(a, "aten::mm", "cpu_time_ns"), 150000);
	lp_answer_free(a);

	o.by = LP_BY_CATEGORY;
	a = lp_ops((struct lp_trace *)tr, o, NULL);
	assert_int_equal(nrows(a), 2);
	assert_string_equal(column(a, "category")->data.str[0], "GEMM");
	assert_string_equal(column(a, "category")->data.str[1], "other");
	lp_answer_free(a);

	o.by = LP_BY_MODULE;
	a = lp_ops((struct lp_trace *)tr, o, NULL);
	assert_int_equal(nrows(a), 2);
	assert_string_equal(column(a, "module")->data.str[0], "nn.Module: Linear");
	assert_int_equal(column(a, "count")->data.i64[0], 3);
	assert_null(column(a, "module")->data.str[1]);
	lp_answer_free(a);

	a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ .rows = true }, NULL);
	assert_int_equal(nrows(a), 4);
	assert_int_equal(column(a, "kernel_time_ns")->data.i64[0], 60000);
	assert_int_equal(column(a, "kernel_time_ns")->data.i64[3], 10000);
	lp_answer_free(a);
	trace_free(tr);
}

static void a_backward_operator_belongs_to_the_module_of_its_forward(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_python(&m, 1, "nn.Module: Conv2d_3", 0, 60);
	make_op(&m, 1, "aten::conv2d", 1, 50, "\"Sequence number\": 5");
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 1, NULL);
	make_op(&m, 2, "autograd::engine::evaluate_function: ConvolutionBackward0", 100, 50,
		"\"Sequence number\": 5, \"Fwd thread id\": 1");
	make_launch(&m, 2, "cudaLaunchKernel", 110, 5, 2, NULL);
	make_gpu(&m, "kernel", "k", 200, 10, 7, 1);
	make_gpu(&m, "kernel", "k", 220, 20, 7, 2);
	struct trace *tr = maker_trace(&m);
	struct lp_ops_options o = { .by = LP_BY_MODULE };
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, o, NULL);

	assert_int_equal(nrows(a), 1);
	assert_string_equal(column(a, "module")->data.str[0], "nn.Module: Conv2d");
	assert_int_equal(column(a, "kernel_time_ns")->data.i64[0], 30000);
	lp_answer_free(a);
	trace_free(tr);
}

static void a_trace_without_gpu_work_is_an_empty_table(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 50, NULL);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_ops((struct lp_trace *)tr, (struct lp_ops_options){ 0 }, NULL);

	assert_int_equal(nrows(a), 0);
	assert_string_equal(a->headline, "No GPU work in this trace.");
	lp_answer_free(a);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_matrix_of_models),
		cmocka_unit_test(a_synthetic_row_has_the_shapes_and_stack_of_its_operator),
		cmocka_unit_test(python_frames_change_no_row),
		cmocka_unit_test(orphans_take_the_args_and_stack_of_their_launch),
		cmocka_unit_test(a_graph_is_one_leaf_below_an_operator_and_single_rows_below_none),
		cmocka_unit_test(work_without_a_launch_has_rows_of_its_own),
		cmocka_unit_test(communication_is_owned_like_all_else),
		cmocka_unit_test(a_mixed_leaf_loses_its_communication_only),
		cmocka_unit_test(a_synthetic_row_never_has_a_model),
		cmocka_unit_test(the_sole_backward_operator_takes_the_category_of_its_forward),
		cmocka_unit_test(rows_of_equal_arguments_are_one),
		cmocka_unit_test(by_name_category_module_and_row),
		cmocka_unit_test(a_backward_operator_belongs_to_the_module_of_its_forward),
		cmocka_unit_test(a_trace_without_gpu_work_is_an_empty_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
