/* The options of the report in TraceLens's form, on small traces worked out by hand. */
#include "asked.h"
#include "maker.h"

#include "longpole.h"

#include <math.h>
#include <unistd.h>

/* A launch and its work, tied by a flow, as TraceLens wants them; both at their times in us. */
static void make_work(struct maker *m, int id, double launch, const char *kernel, double ts,
		      double dur, int stream)
{
	make_launch(m, 1, "cudaLaunchKernel", launch, 1, id, NULL);
	make_gpu(m, "kernel", kernel, ts, dur, stream, id);
	textbuf_print(
		&m->text,
		"{\"ph\": \"s\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": %d, \"pid\": 100, "
		"\"tid\": 1, \"ts\": %.3f},\n"
		"{\"ph\": \"f\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": %d, \"pid\": 0, "
		"\"tid\": %d, \"ts\": %.3f},\n",
		id, launch, id, stream, ts);
}

static struct lp_answer *ask(struct trace *tr, struct lp_report_options o)
{
	struct lp_error err;

	o.style = LP_STYLE_TRACELENS;
	struct lp_answer *a = lp_report((struct lp_trace *)tr, o, &err);
	assert_non_null(a);
	return a;
}

static uint32_t row_of(const struct lp_answer *a, const char *table, const char *column,
		       const char *text)
{
	for (uint32_t i = 0; i < asked_rows(a, table); i++) {
		const char *cell = asked_str(a, table, column, i);
		if (cell && !strcmp(cell, text))
			return i;
	}
	fail_msg("no row %s in %s", text, table);
	return 0;
}

static bool has_column(const struct lp_answer *a, const char *table, const char *name)
{
	const struct lp_table *t = lp_answer_table(a, table);

	for (uint32_t i = 0; t && i < t->ncols; i++)
		if (!strcmp(t->cols[i].name, name))
			return true;
	return false;
}

/* ---- gpu_timeline ---- */

/*
 *	us  10  20 22  30      50  60  64  70
 *	    ##k1## #k2#        #k3#    #k4#    k4: its launch is not in the trace
 */
static struct trace *four_kernels(void)
{
	struct maker m = maker_new();

	make_op(&m, 1, "aten::x", 0, 9, NULL);
	make_work(&m, 1, 1, "k1", 10, 10, 7);
	make_work(&m, 2, 3, "k2", 22, 8, 7);
	make_work(&m, 3, 5, "k3", 50, 10, 7);
	make_gpu(&m, "kernel", "k4", 64, 6, 7, 99);
	return maker_trace(&m);
}

static double line(const struct lp_answer *a, const char *type)
{
	return asked_f64(a, "gpu_timeline", "time ms", row_of(a, "gpu_timeline", "type", type));
}

static void assert_timeline(struct lp_report_options o, double total_us, double busy_us,
			    double micro_us, double macro_us)
{
	struct trace *tr = four_kernels();
	struct lp_answer *a = ask(tr, o);

	assert_float_equal(line(a, "total_time"), total_us / 1000, 1e-9);
	assert_float_equal(line(a, "busy_time"), busy_us / 1000, 1e-9);
	if (o.micro_idle_ns) {
		assert_int_equal(asked_rows(a, "gpu_timeline"), 9);
		assert_float_equal(line(a, "micro_idle_time"), micro_us / 1000, 1e-9);
		assert_float_equal(line(a, "macro_idle_time"), macro_us / 1000, 1e-9);
	} else {
		assert_int_equal(asked_rows(a, "gpu_timeline"), 8);
		assert_float_equal(line(a, "idle_time"), (micro_us + macro_us) / 1000, 1e-9);
	}
	lp_answer_free(a);
	trace_free(tr);
}

static void short_gaps_are_told_apart(void **state)
{
	assert_timeline((struct lp_report_options){ 0 }, 50, 28, 2, 20);
	assert_timeline((struct lp_report_options){ .micro_idle_ns = 5000 }, 50, 28, 2, 20);
	/* a gap as long as the limit is a long one */
	assert_timeline((struct lp_report_options){ .micro_idle_ns = 2000 }, 50, 28, 0, 22);
	assert_timeline((struct lp_report_options){ .micro_idle_ns = 2001 }, 50, 28, 2, 20);
}

static void work_without_a_launch_counts_if_asked(void **state)
{
	assert_timeline((struct lp_report_options){ .unlinked = true }, 60, 34, 6, 20);
	assert_timeline((struct lp_report_options){ .unlinked = true, .micro_idle_ns = 5000 }, 60,
			34, 6, 20);
}

/* ---- lines of ops_unique_args ---- */

/* An operator three times: in modules A_0, A_1 and B_0; the second time with two kernels. */
static struct trace *three_calls(void)
{
	struct maker m = maker_new();

	make_python(&m, 1, "nn.Module: A_0", 0, 20);
	make_op(&m, 1, "lib::f", 5, 10, NULL);
	make_work(&m, 1, 6, "k", 100, 3, 7);
	make_python(&m, 1, "nn.Module: A_1", 20, 20);
	make_op(&m, 1, "lib::f", 25, 10, NULL);
	make_work(&m, 2, 26, "k", 110, 5, 7);
	make_work(&m, 3, 28, "k", 120, 5, 7);
	make_python(&m, 1, "nn.Module: B_0", 40, 20);
	make_op(&m, 1, "lib::f", 45, 10, NULL);
	make_work(&m, 4, 46, "k", 130, 2, 7);
	return maker_trace(&m);
}

static void lines_differ_as_asked(void **state)
{
	struct trace *tr = three_calls();
	struct lp_answer *a = ask(tr, (struct lp_report_options){ 0 });

	assert_int_equal(asked_rows(a, "ops_unique_args"), 1);
	assert_int_equal(asked_i64(a, "ops_unique_args", "operation_count", 0), 3);
	assert_false(has_column(a, "ops_unique_args", "num_kernels"));
	assert_false(has_column(a, "ops_unique_args", "parent_module"));
	assert_false(has_column(a, "ops_unique_args", "first_occurrence_time"));
	lp_answer_free(a);

	a = ask(tr, (struct lp_report_options){ .num_kernels = true, .first_occurrence = true });
	assert_int_equal(asked_rows(a, "ops_unique_args"), 2); /* 10 us with two, 3 + 2 with one */
	assert_int_equal(asked_i64(a, "ops_unique_args", "num_kernels", 0), 2);
	assert_float_equal(asked_f64(a, "ops_unique_args", "first_occurrence_time", 0), 20, 1e-9);
	assert_int_equal(asked_i64(a, "ops_unique_args", "num_kernels", 1), 1);
	assert_int_equal(asked_i64(a, "ops_unique_args", "operation_count", 1), 2);
	assert_float_equal(asked_f64(a, "ops_unique_args", "first_occurrence_time", 1), 0, 1e-9);
	lp_answer_free(a);
	trace_free(tr);
}

static void modules_are_classes(void **state)
{
	static const char *const sheets[] = { "ops_unique_args", "ops_summary",
					      "ops_summary_by_category" };
	struct trace *tr = three_calls();
	struct lp_answer *a = ask(tr, (struct lp_report_options){ .modules = true });

	for (size_t i = 0; i < ARRAY_SIZE(sheets); i++) {
		assert_int_equal(asked_rows(a, sheets[i]), 2);
		assert_string_equal(asked_str(a, sheets[i], "parent_module", 0), "nn.Module: A");
		assert_string_equal(asked_str(a, sheets[i], "parent_module", 1), "nn.Module: B");
	}
	assert_int_equal(asked_i64(a, "ops_summary", "Count", 0), 2);
	assert_string_equal(asked_str(a, "ops_unique_args", "call_stack", 0),
			    "['lib::f', 'nn.Module: A_0']");
	lp_answer_free(a);
	trace_free(tr);
}

/* ---- overlap ---- */

/*
 *	us       0       50      99.5 100     150     200
 *	stream 7 ########kA##########
 *	       9         ###########kB################
 *	      11                 ####kD#######
 */
static struct trace *three_streams(void)
{
	struct maker m = maker_new();

	make_op(&m, 1, "lib::a", 0, 5, NULL);
	make_work(&m, 1, 1, "kA", 100, 100, 7);
	make_op(&m, 1, "lib::b", 10, 5, NULL);
	make_work(&m, 2, 11, "kB", 150, 150, 9);
	make_op(&m, 1, "lib::d", 20, 5, NULL);
	make_work(&m, 3, 21, "kD", 199.5, 50.5, 11);
	return maker_trace(&m);
}

static void assert_overlap(const struct lp_answer *a, const char *op, const char *names,
			   const char *details, double fraction)
{
	const char *sheet = "ops_unique_args_kl_overlap";
	uint32_t i = row_of(a, sheet, "name", op);

	assert_string_equal(asked_str(a, sheet, "overlapping_kernel_names", i), names);
	assert_string_equal(asked_str(a, sheet, "overlapping_kernels_details_summary", i), details);
	assert_float_equal(asked_f64(a, sheet, "overlap_pct_mean", i), fraction, 1e-9);
}

static void overlap_is_of_other_streams_for_a_microsecond(void **state)
{
	struct trace *tr = three_streams();
	struct lp_answer *a = ask(tr, (struct lp_report_options){ .overlap = true });

	/* kA and kD share half a microsecond only */
	assert_overlap(
		a, "lib::a", "['kB']",
		"[{'name': 'kB', 'mean_duration_us': 150.0, 'stream': 9, 'overlap_pct': 0.5}]",
		0.5);
	/* 50 of kA, 50.5 of kD, together 100 of 150 */
	assert_overlap(
		a, "lib::b", "['kA', 'kD']",
		"[{'name': 'kA', 'mean_duration_us': 100.0, 'stream': 7, 'overlap_pct': 0.33}, "
		"{'name': 'kD', 'mean_duration_us': 50.5, 'stream': 11, 'overlap_pct': 0.34}]",
		0.67);
	assert_overlap(
		a, "lib::d", "['kB']",
		"[{'name': 'kB', 'mean_duration_us': 150.0, 'stream': 9, 'overlap_pct': 1.0}]", 1);
	lp_answer_free(a);
	a = ask(tr, (struct lp_report_options){ 0 });
	assert_null(lp_answer_table(a, "ops_unique_args_kl_overlap"));
	lp_answer_free(a);
	trace_free(tr);
}

static void work_of_one_operator_does_not_overlap_itself(void **state)
{
	struct maker m = maker_new();

	make_op(&m, 1, "lib::a", 0, 5, NULL);
	make_work(&m, 1, 1, "kA", 100, 100, 7);
	make_work(&m, 2, 3, "kB", 100, 100, 9);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr, (struct lp_report_options){ .overlap = true });

	assert_int_equal(asked_rows(a, "ops_unique_args_kl_overlap"), 1);
	assert_null(asked_str(a, "ops_unique_args_kl_overlap", "overlapping_kernel_names", 0));
	assert_true(isnan(asked_f64(a, "ops_unique_args_kl_overlap", "overlap_pct_mean", 0)));
	lp_answer_free(a);
	trace_free(tr);
}

/* ---- call stacks ---- */

/*
 *	main > Linear > linear > aten::linear > aten::addmm > k1
 *	                                      > k3
 *	     > lib::f > k5
 *	              > f_impl > k4
 */
static struct trace *stacks(void)
{
	struct maker m = maker_new();

	make_python(&m, 1, "app/train.py(3): main", 0, 100);
	make_python(&m, 1, "nn.Module: Linear_0", 1, 50);
	make_python(&m, 1, "torch/nn/modules/linear.py(5): forward", 2, 48);
	make_op(&m, 1, "aten::linear", 3, 40, NULL);
	make_op(&m, 1, "aten::addmm", 5, 10,
		"\"Input Dims\": [[4], [4, 4], [4, 4]], \"Input type\": [\"float\", \"float\", "
		"\"float\"]");
	make_work(&m, 1, 6, "k1", 200, 10, 7);
	make_work(&m, 2, 20, "k3", 220, 10, 7);
	make_op(&m, 1, "lib::f", 60, 30, NULL);
	make_work(&m, 3, 61, "k_5", 240, 5, 7);
	make_python(&m, 1, "lib/f.py(9): f_impl", 70, 10);
	make_work(&m, 4, 72, "k_4", 260, 10, 7);
	return maker_trace(&m);
}

static void assert_stack(const struct lp_answer *a, const char *name, const char *entry,
			 const char *stack)
{
	uint32_t i = row_of(a, "unified_perf_summary", "name", name);

	assert_string_equal(asked_str(a, "unified_perf_summary", "entry_point", i), entry);
	assert_string_equal(asked_str(a, "unified_perf_summary", "call_stack_full", i), stack);
}

static void stacks_go_from_the_root_to_the_kernel(void **state)
{
	struct trace *tr = stacks();
	struct lp_answer *a = ask(tr, (struct lp_report_options){ .call_stack = true });

	assert_stack(
		a, "aten::addmm", "torch/nn/modules/linear.py(5): forward",
		"['app/train.py(3): main', 'nn.Module: Linear', "
		"'torch/nn/modules/linear.py(5): forward', 'aten::linear', 'aten::addmm', 'k1']");
	assert_stack(a, "aten::linear->k3 (Synthetic Op)", "torch/nn/modules/linear.py(5): forward",
		     "['app/train.py(3): main', 'nn.Module: Linear', "
		     "'torch/nn/modules/linear.py(5): forward', 'aten::linear', 'k3']");
	/* two kernels, the shorter one first; Python below the operator has its name */
	assert_stack(
		a, "lib::f", "lib/f.py(9): f_impl",
		"['app/train.py(3): main', 'lib::f', ['k_5'], ['lib/f.py(9): f_impl', 'k_4']]");
	lp_answer_free(a);
	trace_free(tr);
}

static void wrappers_are_no_entry(void **state)
{
	struct maker m = maker_new();

	make_python(&m, 1, "app/train.py(3): main", 0, 100);
	make_python(&m, 1, "torch/_ops.py(1): __call__", 1, 90);
	make_python(&m, 1, "lib/deco.py(1): wrapper", 2, 80);
	make_op(&m, 1, "lib::f", 10, 10, NULL);
	make_work(&m, 1, 11, "k", 200, 10, 7);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr, (struct lp_report_options){ .call_stack = true });

	assert_string_equal(asked_str(a, "unified_perf_summary", "entry_point", 0),
			    "app/train.py(3): main");
	lp_answer_free(a);
	a = ask(tr, (struct lp_report_options){ 0 });
	assert_false(has_column(a, "unified_perf_summary", "entry_point"));
	lp_answer_free(a);
	trace_free(tr);
}

/* ---- roofline ---- */

/* 64 x 64 x 64 in fp32: 524288 operations and 49152 bytes, in 10 us. */
static struct trace *one_product(void)
{
	struct maker m = maker_new();

	make_op(&m, 1, "aten::mm", 0, 5,
		"\"Input Dims\": [[64, 64], [64, 64]], \"Input type\": [\"float\", \"float\"], "
		"\"Input Strides\": [[64, 1], [64, 1]], \"Concrete Inputs\": [\"\", \"\"]");
	make_work(&m, 1, 1, "gemm", 100, 10, 7);
	return maker_trace(&m);
}

static void roofline_is_of_the_architecture_given(void **state)
{
	static const char json[] = "{\"name\": \"x\", \"mem_bw_gbps\": 100, "
				   "\"max_achievable_tflops\": {\"matrix_fp32\": 1}}";
	static const char *const sheets[] = { "unified_perf_summary", "GEMM" };
	char path[] = "/tmp/test_tlreport-XXXXXX";
	int fd = mkstemp(path);
	struct trace *tr = one_product();

	assert_true(write(fd, json, strlen(json)) == (ssize_t)strlen(json));
	close(fd);
	struct lp_answer *a = ask(tr, (struct lp_report_options){ .arch = path });
	unlink(path);
	for (size_t i = 0; i < ARRAY_SIZE(sheets); i++) {
		assert_string_equal(
			asked_str(a, sheets[i], i ? "Roofline Bound_first" : "Roofline Bound", 0),
			"COMPUTE_BOUND"); /* 0.491520 us for the bytes */
		assert_float_equal(asked_f64(a, sheets[i], "Roofline Time (µs)_first", 0), 0.524288,
				   1e-9);
		assert_float_equal(asked_f64(a, sheets[i], "Pct Roofline_mean", 0), 5.24288, 1e-9);
	}
	lp_answer_free(a);
	a = ask(tr, (struct lp_report_options){ 0 });
	assert_false(has_column(a, "unified_perf_summary", "Roofline Bound"));
	lp_answer_free(a);
	struct lp_error err;
	assert_null(lp_report(
		(struct lp_trace *)tr,
		(struct lp_report_options){ .style = LP_STYLE_TRACELENS, .arch = "no such" },
		&err));
	assert_non_null(strstr(err.text, "no such"));
	trace_free(tr);
}

/* ---- short kernels, collectives ---- */

/* Kernels of 1, 2, 3 and 20 us, each of an operator with all arguments. */
static struct trace *short_ones(void)
{
	static const int us[] = { 1, 2, 3, 20 };
	struct maker m = maker_new();

	for (int i = 0; i < 4; i++) {
		char op[32];
		snprintf(op, sizeof(op), "lib::f%d", us[i]);
		make_op(&m, 1, op, 10 * i, 5,
			"\"Input Dims\": [[1]], \"Input Strides\": [[1]], \"Concrete Inputs\": [\"\"]");
		make_work(&m, i + 1, 10 * i + 1, "k", 100 + 30 * i, us[i], 7);
	}
	return maker_trace(&m);
}

static int64_t count_short(struct lp_report_options o, uint32_t bins, const int64_t *bin,
			   uint32_t lines)
{
	struct trace *tr = short_ones();
	struct lp_answer *a = ask(tr, o);
	int64_t sum = 0;

	assert_int_equal(asked_rows(a, "short_kernel_histogram"), bins);
	for (uint32_t i = 0; i < bins; i++) {
		int64_t n = asked_i64(a, "short_kernel_histogram", "count", i);
		if (bin)
			assert_int_equal(n, bin[i]);
		sum += n;
	}
	assert_int_equal(asked_rows(a, "short_kernels_summary"), lines);
	lp_answer_free(a);
	trace_free(tr);
	return sum;
}

static void short_is_what_is_asked(void **state)
{
	static const int64_t halves[] = { 1, 2 }; /* [1, 2) and [2, 3] */

	assert_int_equal(count_short((struct lp_report_options){ 0 }, 100, NULL, 3), 3);
	assert_int_equal(
		count_short((struct lp_report_options){ .short_kernel_ns = 2000 }, 100, NULL, 1),
		1); /* strictly below */
	assert_int_equal(count_short((struct lp_report_options){ .short_bins = 2, .short_top = 1 },
				     2, halves, 1),
			 3);
}

static void collectives_can_be_left_out(void **state)
{
	struct maker m = maker_new();

	make_op(&m, 1, "aten::x", 0, 9, NULL);
	make_work(&m, 1, 1, "k1", 10, 10, 7);
	make_event(
		&m, "kernel", "ncclDevKernel_AllReduce_Sum_f32", 0, 9, 30, 10,
		"\"device\": 0, \"stream\": 9, \"correlation\": 5, \"Process Group Name\": \"0\", "
		"\"Process Group Ranks\": \"[0, 1]\", \"Collective name\": \"allreduce\", "
		"\"Group size\": 2, \"dtype\": \"Float\", \"In msg nelems\": 262144, "
		"\"Out msg nelems\": 262144, \"In split size\": \"[]\", \"Out split size\": \"[]\"");
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr, (struct lp_report_options){ 0 });

	assert_int_equal(asked_rows(a, "coll_analysis"), 1);
	assert_float_equal(asked_f64(a, "coll_analysis", "In msg size (MB)_first", 0), 1, 1e-12);
	lp_answer_free(a);
	a = ask(tr, (struct lp_report_options){ .no_collectives = true });
	assert_null(lp_answer_table(a, "coll_analysis"));
	lp_answer_free(a);
	trace_free(tr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_gaps_are_told_apart),
		cmocka_unit_test(work_without_a_launch_counts_if_asked),
		cmocka_unit_test(lines_differ_as_asked),
		cmocka_unit_test(modules_are_classes),
		cmocka_unit_test(overlap_is_of_other_streams_for_a_microsecond),
		cmocka_unit_test(work_of_one_operator_does_not_overlap_itself),
		cmocka_unit_test(stacks_go_from_the_root_to_the_kernel),
		cmocka_unit_test(wrappers_are_no_entry),
		cmocka_unit_test(roofline_is_of_the_architecture_given),
		cmocka_unit_test(short_is_what_is_asked),
		cmocka_unit_test(collectives_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
