#include "maker.h"

#include "trace/step.h"
#include "trace/window.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define US 1000

static struct trace *tr;

static int setup(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 1000, 1000, NULL);
	make_event(&m, "user_annotation", "ProfilerStep#8", 100, 1, 1500, 400, NULL);
	make_event(&m, "user_annotation", "ProfilerStep#7", 100, 1, 1100, 300, NULL);
	make_event(&m, "gpu_user_annotation", "ProfilerStep#7", 0, 7, 1200, 300, NULL);
	make_event(&m, "user_annotation", "forward", 100, 1, 1600, 50, NULL);
	make_event(&m, "user_annotation", "forward", 100, 1, 1200, 60, NULL);
	make_event(&m, "user_annotation", "a:1", 100, 1, 1300, 10, NULL);
	tr = maker_trace(&m);
	return 0;
}

static int teardown(void **unused)
{
	(void)unused;
	trace_free(tr);
	return 0;
}

static void expect(const char *text, nsec start_us, nsec end_us)
{
	struct lp_error err;
	struct window w;

	assert_true(trace_window(tr, text, &w, &err));
	assert_int_equal(w.start, start_us * US);
	assert_int_equal(w.end, end_us * US);
}

static void refuse(const char *text, const char *why)
{
	struct lp_error err;
	struct window w;

	assert_false(trace_window(tr, text, &w, &err));
	assert_non_null(strstr(err.text, why));
}

static void steps_are_the_host_annotations_by_start(void **unused)
{
	(void)unused;
	const struct steps *s = trace_steps(tr);

	assert_int_equal(s->n, 2);
	assert_int_equal(s->event[0], 2);
	assert_int_equal(s->number[0], 7);
	assert_int_equal(s->number[1], 8);
}

static void windows_are_steps_times_or_annotations(void **unused)
{
	(void)unused;
	expect(NULL, 1000, 2000);
	expect("", 1000, 2000);
	expect("step:8", 1500, 1900);
	expect("100us..0.25ms", 1100, 1250);
	expect("..0.0005s", 1000, 1500);
	expect("999000ns..", 1999, 2000);
	expect("forward", 1200, 1260);
	expect("forward:1", 1600, 1650);
	expect("a:1", 1300, 1310);
}

static void what_is_no_window_is_refused_in_a_sentence(void **unused)
{
	(void)unused;
	refuse("step:9", "there is no step 9; the first is 7, the last 8");
	refuse("backward", "no window 'backward'");
	refuse("forward:2", "no window 'forward:2'");
	refuse("3ms..2ms", "is empty");
	refuse("1..2", "no window '1..2'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_the_host_annotations_by_start),
		cmocka_unit_test(windows_are_steps_times_or_annotations),
		cmocka_unit_test(what_is_no_window_is_refused_in_a_sentence),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
