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

/* Twelve frames hold two steps each, of which the patterns know six: the frames are the iterations.
 */
static void an_enclosing_family_wins_over_the_steps_within(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 12; i++) {
		unsigned from = 1000 + 100 * i;
		char name[64];

		snprintf(name, sizeof(name), "scheduler.run_batch %u", i);
		event("user_annotation", name, 1, 100, from, 90, "");
		for (unsigned k = 0; k < 2; k++) {
			event("user_annotation", k == 0 && i % 2 ? "step[DECODE bs=4]" : "inner", 1,
			      100, from + 5 + 40 * k, 35, "");
			kernel("k", 100, from + 10 + 40 * k, from + 12 + 40 * k, 20);
		}
	}
	const struct root_set *r = split();
	assert_string_equal(r->method, "annotation:widened");
	assert_int_equal(r->n, 12);
	assert_int_equal(r->status, SPLIT_YES);
}

/* 110 us on the way, launched by another process: 640 of 750 us are explained. */
static void unexplained_work_degrades(void **unused)
{
	(void)unused;
	steps_with(16, 40, 0, 0);
	event("cuda_runtime", "cudaLaunchKernel", 2, 300, 1450, 1, "\"correlation\":7777");
	event("kernel", "stray", 0, 9, 1460, 110, "\"correlation\":7777,\"device\":0,\"stream\":9");
	const struct root_set *r = split();
	assert_string_equal(r->method, "family:unknown_only");
	assert_int_equal(r->audited_ns, 750000);
	assert_share(r->coverage_selected, 640.0 / 750);
	assert_int_equal(r->status, SPLIT_DEGRADED);
}

/*
 * Every twentieth of 200 iterations is marked: the tiles explain all, the spans hardly anything,
 * so the marks are passed over for the operators that repeat.
 */
static void tiles_alone_do_not_convince(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 200; i++) {
		unsigned from = 1000 + 100 * i;
		char name[32];

		if (i % 20 == 0) {
			snprintf(name, sizeof(name), "mark %u", i);
			event("user_annotation", name, 1, 100, from, 60, "");
		}
		event("cpu_op", "aten::mm", 1, 100, from + 1, 50, "");
		kernel("k", 100, from + 2, from + 10, 40);
	}
	const struct root_set *r = split();
	assert_string_equal(r->method, "generic:sibling_roots");
	assert_int_equal(r->n, 200);
	assert_int_equal(r->status, SPLIT_YES);
}

static void one_root_without_its_span_is_audited_by_launches(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 8; i++) {
		unsigned from = 1000 + 100 * i;
		char name[32], id[32];

		snprintf(name, sizeof(name), "step %u", i);
		snprintf(id, sizeof(id), "\"External id\":%u", 7000 + i);
		event("user_annotation", name, 1, 100, from, 60, id);
		if (i != 3)
			event("gpu_user_annotation", name, 0, 7, from + 10, 40, id);
		kernel("k", 100, from + 1, from + 10, 40);
	}
	const struct root_set *r = split();
	assert_string_equal(r->strategy, "correlation");
	assert_int_equal(r->audited_ns, 8 * 40000); /* the spans themselves are no work */
	assert_int_equal(r->status, SPLIT_YES);
}

/* forward and backward in turn below one frame: a period of two. */
static void a_training_loop_without_annotations(void **unused)
{
	(void)unused;
	event("python_function", "train.py(1): training_loop", 1, 100, 0, 4000, "");
	for (unsigned i = 0; i < 8; i++) {
		unsigned from = 100 + 400 * i;

		event("python_function", "train.py(2): iter_fwd", 1, 100, from, 150, "");
		kernel("fwd", 100, from + 10, from + 20, 60);
		event("python_function", "train.py(3): iter_bwd", 1, 100, from + 160, 150, "");
		kernel("bwd", 100, from + 170, from + 180, 90);
	}
	const struct root_set *r = split();
	assert_string_equal(r->method, "generic:branch_descent");
	assert_string_equal(r->branch_source, "period");
	assert_int_equal(r->period, 2);
	assert_int_equal(r->n, 8);
	assert_int_equal(made->r.slices.at[5].gpu_events, 2);
}

/* Before 100, iterations 850, after 50 of 1000: 85 % alone, all with what stands before and after.
 */
static void bookends_complete_a_loop(void **unused)
{
	(void)unused;
	event("python_function", "run.py(1): main", 1, 100, 0, 9000, "");
	event("python_function", "run.py(2): setup", 1, 100, 10, 90, "");
	kernel("setup", 100, 20, 30, 100);
	for (unsigned i = 0; i < 5; i++) {
		event("python_function", "run.py(3): step", 1, 100, 1000 + 1000 * i, 500, "");
		kernel("k", 100, 1010 + 1000 * i, 1020 + 1000 * i, 170);
	}
	event("python_function", "run.py(4): save", 1, 100, 8000, 500, "");
	kernel("save", 100, 8010, 8020, 50);
	const struct root_set *r = split();
	assert_int_equal(r->n, 5);
	assert_true(r->bookends);
	assert_share(r->branch_coverage, 0.85);
	assert_share(r->coverage_selected, 1);
	assert_int_equal(r->before_ns, 100000);
	assert_int_equal(r->after_ns, 50000);
	assert_int_equal(r->status, SPLIT_YES);
}

static void tiles_by_hand(void **unused)
{
	(void)unused;
	struct lane lanes[2] = { { .process = 0 }, { .process = 0 } };
	struct trace tr = { .lanes = { .n = 2, .at = lanes } };
	struct root touching[] = { { .start = 1000, .end = 1100 }, { .start = 2000, .end = 2100 } };
	struct root overlap[] = { { .start = 1000, .end = 1900 }, { .start = 1500, .end = 1600 } };
	struct root threads[] = { { .start = 1000, .end = 1100 },
				  { .start = 1500, .end = 1600, .lane = 1 } };
	struct root_set r = { .n = 2, .root = touching };
	struct arena a = { 0 };

	struct tiles t = split_tiles(&tr, &r, &a);
	assert_int_equal(t.at[0].end, 2000);
	assert_int_equal(t.at[1].end, 3000); /* as long as the median of the others */
	assert_int_equal(tiles_find(&t, 0, 0, 1999), 0);
	assert_int_equal(tiles_find(&t, 0, 1, 2000), 1); /* another thread goes by the same tiles */
	assert_int_equal(tiles_find(&t, 0, 0, 3000), NONE);
	r.root = overlap;
	t = split_tiles(&tr, &r, &a);
	assert_int_equal(t.noverlaps, 1);
	assert_int_equal(t.at[0].end, 1900);
	r.root = threads;
	t = split_tiles(&tr, &r, &a);
	assert_int_equal(t.at[0].end, 1100); /* single roots keep their spans */
	assert_int_equal(t.at[1].end, 1600);
	r.n = 1;
	r.root = touching;
	t = split_tiles(&tr, &r, &a);
	assert_int_equal(t.at[0].end, 1100);
	arena_free(&a);
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
		SPLIT_TEST(an_enclosing_family_wins_over_the_steps_within),
		SPLIT_TEST(unexplained_work_degrades),
		SPLIT_TEST(tiles_alone_do_not_convince),
		SPLIT_TEST(one_root_without_its_span_is_audited_by_launches),
		SPLIT_TEST(a_training_loop_without_annotations),
		SPLIT_TEST(bookends_complete_a_loop),
		cmocka_unit_test(tiles_by_hand),
		SPLIT_TEST(nothing_to_split),
		SPLIT_TEST(roots_on_two_threads_share_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
