/* Peaks, holders and odd totals of small courses of memory, worked out by hand. */
#include "asked.h"
#include "maker.h"

/* A change of `bytes` at `ts` us that leaves `total`; addr 0: the trace does not say. */
static void make_change(struct maker *m, int tid, double ts, int bytes, int total, int addr,
			int device)
{
	textbuf_print(
		&m->text,
		"{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": "
		"\"[memory]\", \"pid\": 100, \"tid\": %d, \"ts\": %.3f, \"args\": {\"Bytes\": %d, "
		"\"Total Allocated\": %d, \"Total Reserved\": %d, \"Device Type\": 1, "
		"\"Device Id\": %d",
		tid, ts, bytes, total, 2 * total, device);
	if (addr)
		textbuf_print(&m->text, ", \"Addr\": %d", addr);
	textbuf_add(&m->text, STR("}},\n"));
}

static struct lp_answer *ask(struct trace *tr)
{
	struct lp_error err;
	struct lp_answer *a = lp_memory((struct lp_trace *)tr, &err);

	assert_non_null(a);
	return a;
}

static int64_t of_op(const struct lp_answer *a, const char *op, const char *column)
{
	for (uint32_t i = 0; i < asked_rows(a, "memory_ops"); i++) {
		const char *name = asked_str(a, "memory_ops", "op", i);
		if (name && !strcmp(name, op))
			return asked_i64(a, "memory_ops", column, i);
	}
	fail_msg("no operator %s", op);
	return 0;
}

/* 100 are there; +40 (f), +60 (g), -40 by nobody, -30 of what was there, +10 (g). */
static void the_peak_is_held_by_who_allocated_it(void **state)
{
	struct maker m = maker_new();

	make_python(&m, 1, "main", 0, 100);
	make_op(&m, 1, "f", 10, 10, NULL);
	make_change(&m, 1, 12, 40, 140, 1, 0);
	make_op(&m, 1, "g", 30, 20, NULL);
	make_change(&m, 1, 32, 60, 200, 2, 0);
	make_change(&m, 1, 60, -40, 160, 1, 0);
	make_change(&m, 1, 70, -30, 130, 9, 0);
	make_op(&m, 1, "g", 80, 5, NULL);
	make_change(&m, 1, 81, 10, 140, 1, 0);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr);

	assert_int_equal(asked_rows(a, "memory_peak"), 1);
	assert_string_equal(asked_str(a, "memory_peak", "device", 0), "GPU 0");
	assert_int_equal(asked_i64(a, "memory_peak", "peak_bytes", 0), 200);
	assert_int_equal(asked_i64(a, "memory_peak", "peak_ns", 0), 32000);
	assert_string_equal(asked_str(a, "memory_peak", "op", 0), "g");
	assert_string_equal(asked_str(a, "memory_peak", "stack", 0), "main > g");
	assert_int_equal(asked_i64(a, "memory_peak", "rest_bytes", 0), 100);
	assert_int_equal(asked_i64(a, "memory_peak", "start_bytes", 0), 100);
	assert_int_equal(asked_i64(a, "memory_peak", "end_bytes", 0), 140);
	assert_int_equal(asked_i64(a, "memory_peak", "allocated_bytes", 0), 110);
	assert_int_equal(asked_i64(a, "memory_peak", "freed_bytes", 0), 70);
	assert_int_equal(asked_i64(a, "memory_peak", "reserved_peak_bytes", 0), 400);
	assert_int_equal(asked_i64(a, "memory_peak", "odd_changes", 0), 0);
	assert_int_equal(of_op(a, "f", "at_peak_bytes"), 40);
	assert_int_equal(of_op(a, "g", "at_peak_bytes"), 60);
	assert_int_equal(of_op(a, "g", "allocated_bytes"), 70);
	assert_int_equal(of_op(a, "g", "largest_bytes"), 60);
	assert_int_equal(of_op(a, "main", "frees"), 2);
	assert_int_equal(of_op(a, "main", "net_bytes"), -70);
	assert_null(a->doubts ? a->doubts[0] : NULL);
	lp_answer_free(a);
	trace_free(tr);
}

/* What is freed before the peak is not held: f's block goes, its address comes again as g's. */
static void an_address_comes_again(void **state)
{
	struct maker m = maker_new();

	make_op(&m, 1, "f", 10, 10, NULL);
	make_change(&m, 1, 12, 50, 50, 1, 0);
	make_change(&m, 1, 14, -50, 0, 1, 0);
	make_op(&m, 1, "g", 30, 20, NULL);
	make_change(&m, 1, 32, 80, 80, 1, 0);
	make_change(&m, 1, 34, 80, 160, 2, 0);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr);

	assert_int_equal(of_op(a, "f", "at_peak_bytes"), 0);
	assert_int_equal(of_op(a, "g", "at_peak_bytes"), 160);
	assert_int_equal(asked_i64(a, "memory_peak", "rest_bytes", 0), 0);
	lp_answer_free(a);
	trace_free(tr);
}

/* A change is missing, a block is never seen to go, one has no address: it still adds up. */
static void odd_totals_are_counted(void **state)
{
	struct maker m = maker_new();

	make_op(&m, 1, "f", 10, 10, NULL);
	make_change(&m, 1, 11, 10, 10, 1, 0);
	make_change(&m, 1, 12, 10, 520, 1, 0); /* 500 more than that */
	make_change(&m, 1, 13, 5, 525, 0, 0);
	make_change(&m, 1, 14, -7, 518, 1, 0); /* of a block of 10 */
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr);

	assert_int_equal(asked_i64(a, "memory_peak", "odd_changes", 0), 1);
	assert_int_equal(asked_i64(a, "memory_peak", "peak_bytes", 0), 525);
	assert_int_equal(of_op(a, "f", "at_peak_bytes"), 10);
	assert_int_equal(asked_i64(a, "memory_peak", "rest_bytes", 0), 515);
	assert_non_null(strstr(a->doubts[0], "1 change"));
	lp_answer_free(a);
	trace_free(tr);
}

static void devices_stand_apart(void **state)
{
	struct maker m = maker_new();

	make_op(&m, 1, "f", 10, 10, NULL);
	make_change(&m, 1, 13, 7, 7, 1, 1);
	make_change(&m, 2, 12, 40, 40, 1, 0); /* another thread; in no operator */
	make_change(&m, 1, 11, 3, 3, 1, 3);
	struct trace *tr = maker_trace(&m);
	struct lp_answer *a = ask(tr);

	assert_int_equal(asked_rows(a, "memory_peak"), 3);
	assert_string_equal(asked_str(a, "memory_peak", "device", 0), "GPU 0");
	assert_string_equal(asked_str(a, "memory_peak", "device", 1), "GPU 1");
	assert_string_equal(asked_str(a, "memory_peak", "device", 2), "GPU 3");
	assert_null(asked_str(a, "memory_peak", "op", 0));
	assert_null(asked_str(a, "memory_peak", "stack", 0));
	assert_int_equal(asked_rows(a, "memory"), 3);
	assert_int_equal(asked_i64(a, "memory", "bytes", 0), 40);
	lp_answer_free(a);
	trace_free(tr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_is_held_by_who_allocated_it),
		cmocka_unit_test(an_address_comes_again),
		cmocka_unit_test(odd_totals_are_counted),
		cmocka_unit_test(devices_stand_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
