/* Kinds, lanes, pairs of B and E, times that cannot be, and streams: on traces of a few lines. */
#include "maker.h"

#include "base/say.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define US 1000

/* The events of a file: `list` is what stands between the brackets. */
static struct trace *read_events(const char *list)
{
	struct maker m = maker_new();

	textbuf_add(&m.text, str_of(list));
	return maker_trace(&m);
}

static uint64_t count(const struct trace *tr, enum counter c)
{
	return tr->counters.n[c];
}

static void old_and_new_categories_are_one_kind(void **unused)
{
	(void)unused;
	static const struct {
		const char *category;
		enum kind kind;
	} rows[] = {
		{ "cpu_op", KIND_CPU_OP },
		{ "Operator", KIND_CPU_OP },
		{ "kernel", KIND_KERNEL },
		{ "Kernel", KIND_KERNEL },
		{ "gpu", KIND_KERNEL },
		{ "privateuse1_kernel", KIND_KERNEL },
		{ "nccl", KIND_COLLECTIVE },
		{ "gpu_memcpy", KIND_COPY },
		{ "Memcpy", KIND_COPY },
		{ "Memcpy_HtoD", KIND_COPY },
		{ "gpu_memset", KIND_SET },
		{ "cuda_runtime", KIND_RUNTIME },
		{ "Runtime", KIND_RUNTIME },
		{ "cuda_driver", KIND_RUNTIME },
		{ "mtia_runtime", KIND_RUNTIME },
		{ "privateuse1_runtime", KIND_RUNTIME },
		{ "python_function", KIND_PYTHON },
		{ "user_annotation", KIND_ANNOTATION },
		{ "gpu_user_annotation", KIND_GPU_ANNOTATION },
		{ "cuda_sync", KIND_SYNC },
		{ "xpu_sync", KIND_SYNC },
		{ "overhead", KIND_OVERHEAD },
		{ "Trace", KIND_OTHER },
		{ "ac2g", KIND_OTHER },
		{ "", KIND_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(kind_of_category(str_of(rows[i].category)), rows[i].kind);
}

static void phases_make_kinds_whatever_the_category(void **unused)
{
	(void)unused;
	assert_int_equal(kind_of_phase('s', KIND_OTHER, STR("ac2g")), KIND_FLOW);
	assert_int_equal(kind_of_phase('f', KIND_FLOW_FWDBWD, STR("x")), KIND_FLOW_FWDBWD);
	assert_int_equal(kind_of_phase('i', KIND_INSTANT, STR("[memory]")), KIND_MEMORY);
	assert_int_equal(kind_of_phase('i', KIND_INSTANT, STR("mark")), KIND_INSTANT);
	assert_int_equal(kind_of_phase('C', KIND_OTHER, STR("x")), KIND_COUNTER);
	assert_int_equal(kind_of_phase('b', KIND_CPU_OP, STR("x")), KIND_ASYNC);
	assert_int_equal(kind_of_phase('M', KIND_CPU_OP, STR("x")), KIND_META);
	assert_int_equal(kind_of_phase('B', KIND_CPU_OP, STR("x")), KIND_CPU_OP);
}

static void files_without_categories_are_told_by_their_processes(void **unused)
{
	(void)unused;
	struct str none = STR("");

	assert_int_equal(kind_of_process(STR("CUDA functions"), none, STR("mul")), KIND_KERNEL);
	assert_int_equal(kind_of_process(STR("CUDA functions"), none, STR("Memcpy HtoD")),
			 KIND_COPY);
	assert_int_equal(kind_of_process(STR("CPU functions"), none, STR("mul")), KIND_CPU_OP);
	assert_int_equal(kind_of_process(STR("/device:GPU:0"), STR("Stream #1"), STR("fusion")),
			 KIND_KERNEL);
	assert_int_equal(kind_of_process(STR("/device:GPU:0"), STR("XLA Ops"), STR("fusion")),
			 KIND_GPU_ANNOTATION);
	assert_int_equal(kind_of_process(STR("python"), none, STR("mul")), KIND_OTHER);
}

static void names_refine_kinds(void **unused)
{
	(void)unused;
	assert_true(name_is_collective(STR("ncclDevKernel_AllReduce")));
	assert_true(name_is_collective(STR("void vllm::cross_device_reduce_1stage<>()")));
	assert_true(name_is_collective(STR("void flashinfer::trtllm_allreduce_fusion<>()")));
	assert_true(name_is_collective(STR("one_shot_all_reduce_kernel")));
	assert_true(name_is_collective(STR("hcclAllGather")));
	assert_false(name_is_collective(STR("void at::native::reduce_kernel<512, 1>()")));
	assert_false(name_is_collective(STR("__amd_rocclr_copyBuffer")));
	assert_true(name_is_copy_kernel(STR("__amd_rocclr_copyBufferRectAligned.kd")));
	assert_true(name_is_copy_kernel(STR("__amd_rocclr_copyBuffer")));
	assert_false(name_is_copy_kernel(STR("__amd_rocclr_copyBuffers")));
	assert_false(name_is_copy_kernel(STR("__amd_rocclr_fillBufferAligned")));
}

#define KERNEL(ts, dur, args)                                                                       \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":\"stream 9\",\"ts\":" ts \
	",\"dur\":" dur ",\"args\":{" args "}},"

static const struct lane *lane_of(const struct trace *tr, event_id e)
{
	return &tr->lanes.at[tr->ev.lane[e]];
}

static void streams_come_from_arguments_or_from_the_thread(void **unused)
{
	(void)unused;
	struct trace *tr = read_events(
		KERNEL("0", "1", "\"device\":3,\"stream\":140234567890123457")
			KERNEL("1", "1", "\"device\":3,\"stream\":140234567890123456")
				KERNEL("2", "1", "\"stream\":\"0x10\"") KERNEL("3", "1", "") KERNEL(
					"4", "1", "\"device\":3,\"stream\":140234567890123457")
					KERNEL("5", "1", "\"stream\":4294967295"));

	assert_int_equal(lane_of(tr, 0)->device, 3);
	assert_true(lane_of(tr, 0)->stream == 140234567890123457);
	assert_int_equal(lane_of(tr, 0)->stream_index, 1);
	assert_int_equal(lane_of(tr, 1)->stream_index, 0);
	assert_int_equal(lane_of(tr, 2)->stream, 16);
	assert_int_equal(lane_of(tr, 3)->device, 0);
	assert_int_equal(lane_of(tr, 3)->stream, 9);
	assert_int_equal(tr->ev.lane[4], tr->ev.lane[0]);
	assert_int_equal(lane_of(tr, 5)->stream, -1);
	trace_free(tr);
}

#define BE(ph, name, ts) \
	"{\"ph\":\"" ph "\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts "},"

static void ends_close_what_was_opened_last_in_the_order_of_time(void **unused)
{
	(void)unused;
	struct trace *tr = read_events(BE("E", "b", "20") BE("B", "a", "0") BE("B", "b", "10") BE(
		"E", "other", "30") BE("E", "", "35") BE("B", "c", "50") BE("i", "last", "60"));

	assert_int_equal(tr->ev.dur[2], 10 * US);
	assert_int_equal(tr->ev.dur[1], 30 * US);
	assert_int_equal(tr->ev.dur[5], 10 * US); /* never closed: until the last moment */
	assert_true(tr->ev.flags[5] & EVENT_UNCLOSED);
	assert_int_equal(tr->ev.ph[1], 'X');
	assert_int_equal(count(tr, COUNT_NAME_MISMATCH), 1);
	assert_int_equal(count(tr, COUNT_UNMATCHED_END), 1);
	assert_int_equal(count(tr, COUNT_UNCLOSED), 1);
	assert_int_equal(tr->nslices, 3);
	assert_int_equal(tr->end - tr->start, 60 * US);
	trace_free(tr);
}

#define ASYNC(ph, cat, id, ts)                                                               \
	"{\"ph\":\"" ph "\",\"cat\":\"" cat "\",\"id\":\"" id "\",\"name\":\"n\",\"pid\":1," \
	"\"tid\":1,\"ts\":" ts "},"

static void async_spans_nest_by_category_and_id(void **unused)
{
	(void)unused;
	struct trace *tr = read_events(
		ASYNC("b", "req", "0x1", "0") ASYNC("b", "req", "0x1", "10")
			ASYNC("b", "other", "0x1", "7") ASYNC("e", "other", "0x1", "9")
				ASYNC("e", "req", "0x1", "40") ASYNC("e", "req", "0x1", "50")
					ASYNC("b", "req", "0x2", "5"));

	assert_int_equal(tr->ev.dur[0], 50 * US);
	assert_int_equal(tr->ev.dur[1], 30 * US);
	assert_int_equal(tr->ev.dur[2], 2 * US);
	assert_true(tr->ev.dur[6] == NSEC_NONE);
	assert_int_equal(count(tr, COUNT_ASYNC_UNFINISHED), 1);
	assert_int_equal(tr->nslices, 0);
	trace_free(tr);
}

static void a_time_never_set_is_out_of_all_sums(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 2e12, 100, NULL);
	make_launch(&m, 1, "launch", 2e12 + 10, 5, 1, NULL);
	make_gpu(&m, "kernel", "k", 0, 0, 7, 1);
	make_gpu(&m, "kernel", "k", 2e12 + 20, 30, 7, 2);
	struct trace *tr = maker_trace(&m);
	assert_false(trace_timed(tr, 2));
	assert_true(trace_timed(tr, 3));
	assert_int_equal(count(tr, COUNT_INVALID_TIME), 1);
	assert_int_equal(tr->end - tr->start, 100 * US);
	assert_int_equal(tr->ngpu, 2);
	assert_int_equal(tr->gpu[1], 2); /* last of its stream */
	trace_free(tr);
}

static void a_start_at_zero_is_wrong_where_the_launch_is_later(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 100, NULL);
	make_launch(&m, 1, "launch", 10, 5, 1, NULL);
	make_gpu(&m, "kernel", "k", 0, 0, 7, 1); /* before its launch */
	make_gpu(&m, "kernel", "k", 0, 5, 7, 0); /* nothing speaks against it */
	struct trace *tr = maker_trace(&m);
	assert_false(trace_timed(tr, 2));
	assert_true(trace_timed(tr, 3));
	trace_free(tr);
}

static void a_clock_that_is_off_as_a_whole_is_believed(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	for (int i = 0; i < 4; i++) {
		make_launch(&m, 1, "launch", 1e7 + i * 10, 5, i + 1, NULL);
		make_gpu(&m, "kernel", "k", 1e6 + i * 10, 5, 7, i + 1);
	}
	struct trace *tr = maker_trace(&m);
	assert_int_equal(count(tr, COUNT_INVALID_TIME), 0);
	trace_free(tr);
}

static void lengths_that_cannot_be_count_nothing(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "whole", 0, 50, NULL);
	make_op(&m, 1, "negative", 10, -5, NULL);
	make_op(&m, 1, "wrapped", 20, 4294967291.0, NULL);
	make_op(&m, 1, "wrapped in 64 bits", 30, 18446744073709551.0, NULL);
	struct trace *tr = maker_trace(&m);
	assert_int_equal(count(tr, COUNT_NEGATIVE_DUR), 3);
	assert_int_equal(count(tr, COUNT_MISSING_DUR), 0);
	assert_int_equal(tr->end - tr->start, 50 * US);
	trace_free(tr);
}

/* No sum may overflow, whatever stands in the file. */
static void numbers_too_large_to_calculate_with_are_none(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "fine", 0, 50, NULL);
	make_op(&m, 1, "far", 5e15, 1, NULL);      /* 158 years */
	make_op(&m, 1, "endless", 10, 2e12, NULL); /* 23 days */
	make_gpu(&m, "kernel", "endless", 10, 2e12, 7, 0);
	make_gpu(&m, "kernel", "endless, clipped", 10, 2e12, 8, 0);
	make_gpu(&m, "kernel", "k", 30, 10, 8, 0);
	struct trace *tr = maker_trace(&m);
	assert_true(tr->ev.ts[1] == NSEC_NONE);
	for (event_id e = 1; e < 4; e++)
		assert_false(trace_timed(tr, e));
	assert_int_equal(tr->ev.dur[4], 20 * US);
	assert_int_equal(count(tr, COUNT_INVALID_TIME), 3);
	assert_int_equal(tr->end - tr->start, 50 * US);
	trace_free(tr);
}

static void work_outside_the_recording_is_counted_only(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_event(&m, "Trace", "PyTorch Profiler (0)", 9, 9, 1000, 100, NULL);
	make_gpu(&m, "kernel", "before", 500, 10, 7, 0);
	make_gpu(&m, "kernel", "across", 995, 10, 7, 0);
	make_gpu(&m, "kernel", "in", 1050, 10, 7, 0);
	make_gpu(&m, "kernel", "late", 1090, 20, 7, 0);
	struct trace *tr = maker_trace(&m);
	assert_false(trace_timed(tr, 1));
	assert_true(trace_timed(tr, 2) && trace_timed(tr, 3) && trace_timed(tr, 4));
	assert_int_equal(count(tr, COUNT_OUTSIDE_WINDOW), 1);
	assert_int_equal(tr->start, 995 * US);
	assert_int_equal(tr->end, 1110 * US);
	trace_free(tr);
}

static void work_that_outlasts_later_work_is_clipped(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_gpu(&m, "kernel", "a", 0, 3400000, 7, 0);
	make_gpu(&m, "kernel", "b", 15, 20, 7, 0);
	make_gpu(&m, "kernel", "c", 40, 10, 7, 0);
	struct trace *tr = maker_trace(&m);
	assert_int_equal(tr->ev.dur[0], 15 * US);
	assert_int_equal(trace_raw_dur(tr, 0), (nsec)3400000 * US);
	assert_int_equal(trace_raw_dur(tr, 1), 20 * US);
	assert_true(tr->ev.flags[0] & EVENT_CLIPPED);
	assert_int_equal(count(tr, COUNT_IMPOSSIBLE_DUR), 1);
	assert_int_equal(count(tr, COUNT_SAME_STREAM_OVERLAP), 0);
	assert_int_equal(tr->end, 50 * US);
	trace_free(tr);
}

static void dependent_launches_and_branches_of_a_graph_may_overlap(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_gpu(&m, "kernel", "primary", 0, 15, 7, 1);
	make_gpu(&m, "kernel", "secondary", 10, 15, 7, 2);
	make_gpu(&m, "kernel", "branch", 50, 40, 7, 3);
	make_gpu(&m, "kernel", "branch", 55, 10, 7, 3);
	struct trace *tr = maker_trace(&m);
	assert_int_equal(count(tr, COUNT_IMPOSSIBLE_DUR), 0);
	assert_int_equal(count(tr, COUNT_SAME_STREAM_OVERLAP), 2);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_and_new_categories_are_one_kind),
		cmocka_unit_test(phases_make_kinds_whatever_the_category),
		cmocka_unit_test(files_without_categories_are_told_by_their_processes),
		cmocka_unit_test(names_refine_kinds),
		cmocka_unit_test(streams_come_from_arguments_or_from_the_thread),
		cmocka_unit_test(ends_close_what_was_opened_last_in_the_order_of_time),
		cmocka_unit_test(async_spans_nest_by_category_and_id),
		cmocka_unit_test(a_time_never_set_is_out_of_all_sums),
		cmocka_unit_test(a_start_at_zero_is_wrong_where_the_launch_is_later),
		cmocka_unit_test(a_clock_that_is_off_as_a_whole_is_believed),
		cmocka_unit_test(lengths_that_cannot_be_count_nothing),
		cmocka_unit_test(numbers_too_large_to_calculate_with_are_none),
		cmocka_unit_test(work_outside_the_recording_is_counted_only),
		cmocka_unit_test(work_that_outlasts_later_work_is_clipped),
		cmocka_unit_test(dependent_launches_and_branches_of_a_graph_may_overlap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
