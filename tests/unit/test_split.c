/* What brief and specification say of detection, each on a trace made for it. */
#include "analysis/split_table.h"
#include "base/textbuf.h"
#include "trace/model.h"
#include "trace/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct made {
	struct arena arena;
	struct textbuf text;
	struct trace *tr;
	struct split_result r;
	unsigned correlation;
};

static struct made *made;

static int begin(void **state)
{
	(void)state;
	made = calloc(1, sizeof(*made));
	made->text.arena = &made->arena;
	textbuf_print(&made->text, "[");
	return 0;
}

static int end(void **state)
{
	(void)state;
	trace_free(made->tr);
	arena_free(&made->arena);
	free(made);
	return 0;
}

static void event(const char *cat, const char *name, int pid, int tid, unsigned ts, unsigned dur,
		  const char *args)
{
	textbuf_print(
		&made->text,
		"%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%u,"
		"\"dur\":%u,\"args\":{%s}}\n",
		made->text.n > 1 ? "," : "", cat, name, pid, tid, ts, dur, args);
}

/* Launched at `at`, running from `start`. */
static void kernel(const char *name, int tid, unsigned at, unsigned start, unsigned dur)
{
	char args[64];

	snprintf(args, sizeof(args), "\"correlation\":%u,\"device\":0,\"stream\":7",
		 ++made->correlation);
	event("cuda_runtime", "cudaLaunchKernel", 1, tid, at, 1, args);
	event("kernel", name, 0, 7, start, dur, args);
}

static const struct root_set *split(void)
{
	textbuf_print(&made->text, "]");
	made->tr = trace_read_memory("made", made->text.p, made->text.n,
				     (struct read_options){ .threads = 1 }, NULL);
	assert_non_null(made->tr);
	model_build(made->tr);
	made->r = split_run(made->tr, (struct split_options){ NULL }, &made->arena);
	return &made->r.roots;
}

static void assert_share(double have, double want)
{
	assert_true(have > want - 1e-9 && have < want + 1e-9);
}

/* Eleven unknown steps with spans on the GPU and 24,069 kernels. */
static void the_manifest_of_the_brief(void **unused)
{
	(void)unused;
	unsigned kernels = 0;

	for (unsigned i = 0; i < 11; i++) {
		unsigned from = 10000 + 10000 * i, n = i < 10 ? 2188 : 2189;
		char name[32], id[32];

		snprintf(name, sizeof(name), "MyStep#%u", i + 5);
		snprintf(id, sizeof(id), "\"External id\":%u", 900000 + i);
		event("user_annotation", name, 1, 100, from, 9000, id);
		event("gpu_user_annotation", name, 0, 7, from + 2, 9000, id);
		for (unsigned k = 0; k < n; k++, kernels++)
			kernel("k", 100, from + 4 * k, from + 4 * k + 2, 2);
	}
	const struct root_set *r = split();
	assert_int_equal(kernels, 24069);
	assert_string_equal(r->method, "family:unknown_only");
	assert_string_equal(r->phase_confidence, "unknown");
	assert_string_equal(r->strategy, "projection");
	assert_int_equal(r->status, SPLIT_YES);
	assert_int_equal(r->n, 11);
	assert_true(str_eq(r->skeleton, STR("MyStep##")));
	assert_share(r->coverage_any, 1);
	assert_share(r->coverage_selected, 1);
	assert_int_equal(made->r.work.n, 24069);
}

/* 512 iterations; the patterns know 15 of them, which the frame around each encloses. */
static void a_run_is_widened_to_the_family_around_the_known(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 512; i++) {
		unsigned from = 1000 + 100 * i;
		char name[64];

		snprintf(name, sizeof(name), "scheduler.run_batch %u", i);
		event("user_annotation", name, 1, 100, from, 90, "");
		if (i % 34 == 3) {
			snprintf(name, sizeof(name), "execute_context_0(0)_generation_%u(%u)", i,
				 i);
			event("user_annotation", name, 1, 100, from + 5, 60, "");
		}
		kernel("k", 100, from + 10, from + 20, 50);
	}
	const struct root_set *r = split();
	assert_string_equal(r->method, "annotation:widened");
	assert_int_equal(r->n, 512);
	assert_int_equal(r->status, SPLIT_YES);
	assert_string_equal(r->phase_confidence, "low");
	assert_true(str_eq(r->root[3].name, STR("execute_context_0(0)_generation_3(3)")));
	assert_int_equal(r->root[3].step.generation_requests, 3);
	assert_true(str_eq(r->root[4].name, STR("scheduler.run_batch 4")));
}

static void detailed_names_leave_native_ones_alone(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 16; i++) {
		unsigned from = 1000 + 100 * i;

		event("user_annotation",
		      "execute_8_context_0(sq0sk0sqsq0sqsk0)_generation_8(sq8sk80sqsq8sqsk80)", 1,
		      100, from, 40, "");
		event("user_annotation",
		      i % 2 ? "step[DECODE bs=20]" : "step[EXTEND bs=2 toks=800]", 1, 100,
		      from + 45, 5, "");
		kernel("a", 100, from + 1, from + 10, 8);
		kernel("b", 100, from + 3, from + 20, 8);
	}
	const struct root_set *r = split();
	assert_string_equal(r->method, "annotation:detailed");
	assert_int_equal(r->n, 16);
	assert_int_equal(made->r.slices.at[7].gpu_events, 2);
	assert_int_equal(made->r.slices.at[7].gpu_sum, 16000);
}

static void steps_with(unsigned n, unsigned gpu, unsigned stray_at, unsigned stray)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned from = 1000 + 100 * i;
		char name[32];

		snprintf(name, sizeof(name), "step %u", i);
		event("user_annotation", name, 1, 100, from, 60, "");
		kernel("k", 100, from + 1, from + 10, gpu);
	}
	if (stray)
		kernel("stray", 300, stray_at, stray_at + 1, stray);
}

/* A stray kernel before the first span belongs to no iteration and is not held against them. */
static void work_before_and_after_the_spans_is_set_apart(void **unused)
{
	(void)unused;
	steps_with(16, 40, 10, 500);
	const struct root_set *r = split();
	assert_int_equal(r->status, SPLIT_YES);
	assert_share(r->coverage_selected, 1);
	assert_int_equal(r->audited_ns, 640000);
	assert_int_equal(r->apart_ns, 500000);
}

static void work_in_the_gaps_counts_for_the_tiles_only(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 10; i++) {
		unsigned from = 1000 + 200 * i;
		char name[32];

		snprintf(name, sizeof(name), "step %u", i);
		event("user_annotation", name, 1, 100, from, 60, "");
		kernel("in", 100, from + 1, from + 10, 90);
		kernel("gap", 100, from + 100, from + 110, 10);
	}
	kernel("in", 100, 2801, 3100, 90); /* so that the last gap is within the bounds */
	const struct root_set *r = split();
	assert_int_equal(r->status, SPLIT_YES);
	assert_true(r->coverage_spans < r->coverage_selected);
	assert_share(r->coverage_selected, 1);
}

static void grades_at_their_thresholds(void **unused)
{
	(void)unused;
	assert_int_equal(split_grade(1, 1, true), SPLIT_YES);
	assert_int_equal(split_grade(0.95, 0.5, true), SPLIT_YES);
	assert_int_equal(split_grade(0.95 - 1e-6, 1, true), SPLIT_DEGRADED);
	assert_int_equal(split_grade(0.95, 0.49, true), SPLIT_DEGRADED);
	assert_int_equal(split_grade(1, 1, false), SPLIT_DEGRADED);
	assert_int_equal(split_grade(0.75, 1, true), SPLIT_DEGRADED);
	assert_int_equal(split_grade(0.75 - 1e-6, 1, true), SPLIT_NO);
	assert_int_equal(split_grade(0, 0, true), SPLIT_NO);
}

/* main > poll (8 tiny frames), then train > 6 steps: the poll comes first and must not win. */
static void a_loop_of_no_consequence_does_not_stop_the_descent(void **unused)
{
	(void)unused;
	event("python_function", "main.py(1): main", 1, 100, 0, 5000, "");
	event("python_function", "clip.py(2): poll", 1, 100, 10, 200, "");
	for (unsigned k = 0; k < 8; k++) {
		event("python_function", "clip.py(3): norm", 1, 100, 12 + 20 * k, 18, "");
		kernel("norm", 100, 14 + 20 * k, 16 + 20 * k, 1);
	}
	event("python_function", "train.py(4): train", 1, 100, 300, 4000, "");
	for (unsigned i = 0; i < 6; i++) {
		event("python_function", "train.py(9): step", 1, 100, 310 + 500 * i, 400, "");
		kernel("gemm", 100, 320 + 500 * i, 400 + 500 * i, 100);
	}
	const struct root_set *r = split();
	assert_string_equal(r->method, "generic:branch_descent");
	assert_int_equal(r->n, 6);
	assert_int_equal(r->status, SPLIT_YES);
	assert_true(r->branch_coverage > 0.98);
	assert_true(str_eq(r->root[0].name, STR("train.py(9): step")));
}

static void nothing_to_split(void **unused)
{
	(void)unused;
	event("cpu_op", "loop", 1, 100, 0, 100, "");
	const struct root_set *r = split();
	assert_int_equal(r->status, SPLIT_NO);
	assert_string_equal(r->method, "none");
	assert_string_equal(r->reason, "no GPU work in the trace");
	assert_int_equal(r->n, 0);
}

/* Roots on two threads: tiles are per thread, no event is in two slices. */
static void roots_on_two_threads_share_nothing(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 8; i++) {
		int tid = i % 2 ? 200 : 100;
		unsigned from = 1000 + 50 * i;
		char name[32];

		snprintf(name, sizeof(name), "step %u", i);
		event("user_annotation", name, 1, tid, from, 90, "");
		kernel("k", tid, from + 10, from + 30, 20);
	}
	const struct root_set *r = split();
	assert_int_equal(r->n, 8);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(made->r.slices.at[i].gpu_events, 1);
}

#define SPLIT_TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		SPLIT_TEST(the_manifest_of_the_brief),
		SPLIT_TEST(a_run_is_widened_to_the_family_around_the_known),
		SPLIT_TEST(detailed_names_leave_native_ones_alone),
		SPLIT_TEST(work_before_and_after_the_spans_is_set_apart),
		SPLIT_TEST(work_in_the_gaps_counts_for_the_tiles_only),
		cmocka_unit_test(grades_at_their_thresholds),
		SPLIT_TEST(a_loop_of_no_consequence_does_not_stop_the_descent),
		SPLIT_TEST(nothing_to_split),
		SPLIT_TEST(roots_on_two_threads_share_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
