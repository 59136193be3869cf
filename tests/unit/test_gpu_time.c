/* timeline and kernels on a few events whose sums are worked out by hand. */
#include "asked.h"
#include "maker.h"

static int64_t time_of(const struct lp_answer *a, const char *device, const char *what)
{
	const char *const *devices = asked_column(a, "timeline", "device")->data.str;
	const char *const *whats = asked_column(a, "timeline", "what")->data.str;

	for (uint32_t i = 0; i < asked_rows(a, "timeline"); i++)
		if (!strcmp(devices[i], device) && !strcmp(whats[i], what))
			return asked_i64(a, "timeline", "time_ns", i) / 1000;
	return 0;
}

static struct lp_answer *timeline(struct trace *tr, bool linked)
{
	struct lp_timeline_options o = { .linked = linked };

	return lp_timeline((struct lp_trace *)tr, o, NULL);
}

/*
 *	computation    [0,20)      [40,50)
 *	communication      [10,30)                  exposed 20..30
 *	copies                [25,45)               exposed 30..40
 *	idle                           [50,60)      an event without length at 60 ends the span
 */
static void exposed_is_what_nothing_better_hides(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_gpu(&m, "kernel", "gemm", 0, 20, 7, 0);
	make_gpu(&m, "gpu_memset", "Memset (Device)", 40, 10, 7, 0);
	make_gpu(&m, "kernel", "ncclDevKernel_AllReduce", 10, 20, 8, 0);
	make_gpu(&m, "gpu_memcpy", "Memcpy HtoD", 25, 20, 9, 0);
	make_gpu(&m, "kernel", "empty", 60, 0, 9, 0);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = timeline(tr, false);

	assert_int_equal(time_of(a, "0", "computation"), 30);
	assert_int_equal(time_of(a, "0", "exposed_communication"), 10);
	assert_int_equal(time_of(a, "0", "exposed_copies"), 10);
	assert_int_equal(time_of(a, "0", "busy"), 50);
	assert_int_equal(time_of(a, "0", "idle"), 10);
	assert_int_equal(time_of(a, "0", "total"), 60);
	assert_int_equal(time_of(a, "0", "communication_total"), 20);
	assert_int_equal(time_of(a, "0", "copies_total"), 20);
	assert_int_equal(asked_rows(a, "timeline"), 8);
	assert_null(lp_answer_table(a, "steps"));
	lp_answer_free(a);
	trace_free(tr);
}

static void devices_are_told_apart_and_pooled(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_event(&m, "kernel", "k", 0, 7, 0, 10, "\"device\": 0, \"stream\": 7");
	make_event(&m, "kernel", "k", 1, 7, 5, 10, "\"device\": 1, \"stream\": 7");
	make_event(&m, "kernel", "k", 1, 7, 25, 10, "\"device\": 1, \"stream\": 7");
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = timeline(tr, false);

	assert_int_equal(time_of(a, "0", "total"), 10);
	assert_int_equal(time_of(a, "0", "idle"), 0);
	assert_int_equal(time_of(a, "1", "busy"), 20);
	assert_int_equal(time_of(a, "1", "idle"), 10);
	assert_int_equal(time_of(a, "all", "busy"), 25);
	assert_int_equal(time_of(a, "all", "total"), 35);
	lp_answer_free(a);
	trace_free(tr);
}

/* A step has the work it launched, also what runs after its end; unlinked work is in none. */
static void steps_have_the_work_launched_in_them(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_event(&m, "user_annotation", "ProfilerStep#3", 100, 1, 0, 100, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 1, NULL);
	make_launch(&m, 2, "cudaLaunchKernel", 90, 5, 2, NULL);
	make_event(&m, "user_annotation", "ProfilerStep#4", 100, 1, 100, 100, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 100, 5, 3, NULL);
	make_gpu(&m, "kernel", "early", 0, 5, 7, 0);
	make_gpu(&m, "kernel", "a", 20, 10, 7, 1);
	make_gpu(&m, "kernel", "b", 140, 20, 7, 2);
	make_gpu(&m, "kernel", "c", 170, 30, 7, 3);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = timeline(tr, false);

	assert_int_equal(asked_rows(a, "steps"), 2);
	assert_string_equal(asked_str(a, "steps", "step", 0), "ProfilerStep#3");
	assert_int_equal(asked_i64(a, "steps", "gpu_events", 0), 2);
	assert_int_equal(asked_i64(a, "steps", "gpu_start_ns", 0), 20000);
	assert_int_equal(asked_i64(a, "steps", "gpu_time_ns", 0), 140000);
	assert_int_equal(asked_i64(a, "steps", "busy_ns", 0), 30000);
	assert_int_equal(asked_i64(a, "steps", "idle_ns", 0), 110000);
	assert_int_equal(asked_i64(a, "steps", "gpu_events", 1), 1);
	assert_int_equal(asked_i64(a, "steps", "computation_ns", 1), 30000);
	lp_answer_free(a);
	trace_free(tr);
}

static struct trace *two_steps(void)
{
	struct maker m = maker_new();

	make_event(&m, "user_annotation", "ProfilerStep#3", 100, 1, 0, 100, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 1, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 90, 5, 2, NULL);
	make_event(&m, "user_annotation", "ProfilerStep#4", 100, 1, 100, 100, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 100, 5, 3, NULL);
	make_gpu(&m, "kernel", "a", 20, 10, 7, 1);
	make_gpu(&m, "kernel", "b", 140, 20, 7, 2);
	make_gpu(&m, "kernel", "c", 170, 30, 7, 3);
	make_gpu(&m, "kernel", "queued", 0, 5, 7, 0);
	return maker_trace(&m);
}

static int64_t sum(const struct lp_answer *a, const char *table, const char *name)
{
	const struct lp_column *c = asked_column(a, table, name);
	int64_t total = 0;

	for (uint32_t i = 0; i < asked_rows(a, table); i++)
		total += c->data.i64[i];
	return total;
}

/* Busy time by timeline, kernels and ops, which must agree: the kernels do not overlap. */
static void assert_window(struct trace *tr, const char *window, int events, int us)
{
	struct lp_trace *t = (struct lp_trace *)tr;
	struct lp_timeline_options to = { .window = window };
	struct lp_answer *a = lp_timeline(t, to, NULL);

	assert_int_equal(time_of(a, "0", "busy"), us);
	lp_answer_free(a);
	a = lp_kernels(t, (struct lp_kernels_options){ .window = window }, NULL);
	assert_int_equal(sum(a, "kernels", "count"), events);
	assert_int_equal(sum(a, "kernels", "total_ns"), 1000 * us);
	lp_answer_free(a);
	a = lp_ops(t, (struct lp_ops_options){ .window = window }, NULL);
	assert_int_equal(sum(a, "ops", "kernels"), events);
	assert_int_equal(sum(a, "ops", "kernel_time_ns"), 1000 * us);
	lp_answer_free(a);
}

static void a_step_has_what_it_launched_and_a_time_what_ran_in_it(void **unused)
{
	(void)unused;
	struct trace *tr = two_steps();
	struct lp_timeline_options nowhere = { .window = "step:9" };
	struct lp_error err;

	assert_window(tr, NULL, 4, 65);
	assert_window(tr, "step:3", 2,
		      30); /* a and b, which runs after the step; nothing launched queued */
	assert_window(tr, "step:4", 1, 30);
	assert_window(tr, "25us..150us", 2, 15); /* the second half of a, the first of b */
	assert_window(tr, "200us..300us", 0, 0);
	assert_null(lp_timeline((struct lp_trace *)tr, nowhere, &err));
	assert_non_null(strstr(err.text, "step 9"));
	trace_free(tr);
}

static void a_trace_without_gpu_work_has_no_time_to_divide(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 10, NULL);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = timeline(tr, false);

	assert_int_equal(asked_rows(a, "timeline"), 0);
	assert_string_equal(a->headline, "No GPU work in this trace.");
	lp_answer_free(a);
	a = lp_kernels((struct lp_trace *)tr, (struct lp_kernels_options){ 0 }, NULL);
	assert_int_equal(asked_rows(a, "kernels"), 0);
	lp_answer_free(a);
	trace_free(tr);
}

/* aten::mm is modelled and owns what its child launches; the child is the innermost operator. */
static void a_kernel_line_has_owner_and_innermost_operator(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "aten::mm", 0, 100, NULL);
	make_op(&m, 1, "inner", 10, 50, NULL);
	for (int i = 1; i <= 3; i++)
		make_launch(&m, 1, "cudaLaunchKernel", 10 * i + 5, 2, i, NULL);
	make_gpu(&m, "kernel", "gemm", 100, 10, 7, 1);
	make_gpu(&m, "kernel", "gemm", 120, 40, 7, 2);
	make_gpu(&m, "kernel", "gemm", 170, 20, 7, 3);
	make_gpu(&m, "kernel", "gemm", 200, 30, 7, 0);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_kernels((struct lp_trace *)tr, (struct lp_kernels_options){ 0 },
					 NULL);

	assert_int_equal(asked_rows(a, "kernels"), 2);
	assert_string_equal(asked_str(a, "kernels", "owner", 0), "aten::mm");
	assert_string_equal(asked_str(a, "kernels", "innermost_op", 0), "inner");
	assert_int_equal(asked_i64(a, "kernels", "count", 0), 3);
	assert_int_equal(asked_i64(a, "kernels", "total_ns", 0), 70000);
	assert_int_equal(asked_i64(a, "kernels", "min_ns", 0), 10000);
	assert_int_equal(asked_i64(a, "kernels", "max_ns", 0), 40000);
	assert_float_equal(asked_f64(a, "kernels", "median_ns", 0), 20000, 1e-9);
	assert_float_equal(asked_f64(a, "kernels", "percent", 0), 70, 1e-9);
	assert_string_equal(asked_str(a, "kernels", "owner", 1), "unlinked");
	assert_null(asked_str(a, "kernels", "innermost_op", 1));
	lp_answer_free(a);
	trace_free(tr);
}

/* A start of 0 beside an epoch of 2021 is no time: the event counts, its length does not. */
static void an_invalid_time_counts_but_adds_none(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "conv", 1615207264500000, 100, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 1615207264500010, 5, 1, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 1615207264500020, 5, 2, NULL);
	make_gpu(&m, "kernel", "k", 1615207264500050, 10, 7, 1);
	make_gpu(&m, "kernel", "k", 0, 0, 7, 2);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = lp_kernels((struct lp_trace *)tr, (struct lp_kernels_options){ 0 },
					 NULL);

	assert_int_equal(asked_rows(a, "kernels"), 1);
	assert_int_equal(asked_i64(a, "kernels", "count", 0), 2);
	assert_int_equal(asked_i64(a, "kernels", "total_ns", 0), 10000);
	assert_float_equal(asked_f64(a, "kernels", "mean_ns", 0), 10000, 1e-9);
	assert_int_equal(asked_i64(a, "kernels", "min_ns", 0), 10000);
	lp_answer_free(a);
	a = timeline(tr, false);
	assert_int_equal(time_of(a, "0", "total"), 10);
	lp_answer_free(a);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(exposed_is_what_nothing_better_hides),
		cmocka_unit_test(devices_are_told_apart_and_pooled),
		cmocka_unit_test(steps_have_the_work_launched_in_them),
		cmocka_unit_test(a_step_has_what_it_launched_and_a_time_what_ran_in_it),
		cmocka_unit_test(a_trace_without_gpu_work_has_no_time_to_divide),
		cmocka_unit_test(a_kernel_line_has_owner_and_innermost_operator),
		cmocka_unit_test(an_invalid_time_counts_but_adds_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
