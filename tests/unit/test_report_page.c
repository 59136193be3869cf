/* The tables of a report that are for the page: small traces of which all is known. */
#include "longpole.h"
#include "maker.h"

#include "asked.h"

static struct lp_answer *report(struct trace *tr, bool page)
{
	struct lp_error err;
	struct lp_answer *a = lp_report((struct lp_trace *)tr,
					(struct lp_report_options){ .page = page }, &err);

	assert_non_null(a);
	return a;
}

/* op 0-50, in it a launch 10-15, its kernel 30-90, a wait for it 50-95. */
static struct trace *one_kernel(void)
{
	struct maker m = maker_new();

	make_op(&m, 1, "aten::mm", 0, 50, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 77, NULL);
	make_gpu(&m, "kernel", "gemm", 30, 60, 7, 77);
	make_launch(&m, 1, "cudaDeviceSynchronize", 50, 45, 0, NULL);
	make_gpu(&m, "gpu_memset", "Memset", 92, 1, 7, 0);
	return maker_trace(&m);
}

static void only_a_page_has_them(void **unused)
{
	(void)unused;
	static const char *const names[] = { "picture",        "picture_lanes", "picture_events",
					     "replay_classes", "replay_nodes",  "replay_edges",
					     "replay_parts",   "stacks" };
	struct trace *tr = one_kernel();
	struct lp_answer *with = report(tr, true), *without = report(tr, false);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_non_null(lp_answer_table(with, names[i]));
		assert_null(lp_answer_table(without, names[i]));
	}
	lp_answer_free(with);
	lp_answer_free(without);
	trace_free(tr);
}

static void bars_lie_on_lanes_by_depth(void **unused)
{
	(void)unused;
	static const struct {
		int64_t lane, depth, start, dur, launch;
		const char *name, *class;
	} expected[] = {
		{ 1, 0, 0, 50000, LP_NULL, "aten::mm", "cpu_op" },
		{ 1, 0, 50000, 45000, LP_NULL, "cudaDeviceSynchronize", "sync" },
		{ 1, 1, 10000, 5000, LP_NULL, "cudaLaunchKernel", "launch_api" },
		{ 2, 0, 30000, 60000, 2, "gemm", "compute" },
		{ 2, 0, 92000, 1000, LP_NULL, "Memset", "memory" },
	};
	struct trace *tr = one_kernel();
	struct lp_answer *a = report(tr, true);
	uint32_t first = asked_rows(a, "path"), n = ARRAY_SIZE(expected);
	const char *t = "picture_events";

	assert_int_equal(asked_rows(a, t), first + n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(asked_i64(a, t, "lane", first + i), expected[i].lane);
		assert_int_equal(asked_i64(a, t, "depth", first + i), expected[i].depth);
		assert_int_equal(asked_i64(a, t, "start_ns", first + i), expected[i].start);
		assert_int_equal(asked_i64(a, t, "dur_ns", first + i), expected[i].dur);
		assert_int_equal(asked_i64(a, t, "launch", first + i),
				 expected[i].launch == LP_NULL ? LP_NULL
							       : first + expected[i].launch);
		assert_string_equal(asked_str(a, t, "name", first + i), expected[i].name);
		assert_string_equal(asked_str(a, t, "class", first + i), expected[i].class);
	}
	lp_answer_free(a);
	trace_free(tr);
}

static void stacks_have_three_times(void **unused)
{
	(void)unused;
	static const struct {
		const char *name;
		int64_t cpu, gpu, wait;
	} expected[] = {
		{ "aten::mm", 45000, 0, 0 },
		{ "cudaLaunchKernel", 5000, 60000, 0 },
		{ "cudaDeviceSynchronize", 45000, 0, 45000 },
		{ "(no launch in the trace)", 0, 1000, 0 },
	};
	struct trace *tr = one_kernel();
	struct lp_answer *a = report(tr, true);

	assert_int_equal(asked_rows(a, "stacks"), 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_string_equal(asked_str(a, "stacks", "name", i), expected[i].name);
		assert_int_equal(asked_i64(a, "stacks", "cpu_self_ns", i), expected[i].cpu);
		assert_int_equal(asked_i64(a, "stacks", "gpu_self_ns", i), expected[i].gpu);
		assert_int_equal(asked_i64(a, "stacks", "wait_self_ns", i), expected[i].wait);
	}
	assert_int_equal(lp_answer_table(a, "stacks")->parent[1], 0);
	assert_int_equal(lp_answer_table(a, "stacks")->parent[2], NONE);
	lp_answer_free(a);
	trace_free(tr);
}

/* 70,000 functions of 1 ns each below one of a second, and one of 100 µs. */
static void many_small_functions_are_folded(void **unused)
{
	(void)unused;
	struct maker m = maker_new();
	char name[32];

	make_op(&m, 1, "long", 0, 1e6, NULL);
	for (int i = 0; i < 70000; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		make_op(&m, 1, name, 10 + i, 0.001, NULL);
	}
	make_op(&m, 1, "g", 100000, 100, NULL);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = report(tr, true);

	assert_int_equal(asked_rows(a, "stacks"), 3);
	assert_string_equal(asked_str(a, "stacks", "name", 1), "g");
	assert_string_equal(asked_str(a, "stacks", "name", 2),
			    "(70000 more, each below 0.0000002 %)");
	assert_int_equal(asked_i64(a, "stacks", "cpu_self_ns", 2), 70000);
	assert_int_equal(asked_i64(a, "stacks", "count", 2), 70000);
	assert_int_equal(lp_answer_table(a, "stacks")->parent[2], 0);
	lp_answer_free(a);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_page_has_them),
		cmocka_unit_test(bars_lie_on_lanes_by_depth),
		cmocka_unit_test(stacks_have_three_times),
		cmocka_unit_test(many_small_functions_are_folded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
