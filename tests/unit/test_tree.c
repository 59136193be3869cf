#include "maker.h"

#include "trace/tree.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define US 1000

static struct trace *tr;
static const struct tree *t;
static nsec self[16];

static void grow(struct maker *m)
{
	tr = maker_trace(m);
	t = trace_tree(tr, TREE_FULL);
	tree_self(tr, t, self);
}

/* The parent of event e, as an event. */
static event_id above(event_id e)
{
	node_id p = t->parent[t->node[e]];

	return p == NONE ? NONE : t->event[p];
}

static nsec self_us(event_id e)
{
	return self[t->node[e]] / US;
}

/*	a [--------------------)    d [--) other thread
 *	b   [----)[---) c           the end of b is the start of c: siblings
 */
static void events_nest_by_time_within_a_thread(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "c", 40, 10, NULL);
	make_op(&m, 1, "b", 10, 30, NULL);
	make_op(&m, 1, "a", 0, 100, NULL);
	make_op(&m, 2, "d", 20, 5, NULL);
	grow(&m);
	assert_int_equal(above(2), NONE);
	assert_int_equal(above(1), 2);
	assert_int_equal(above(0), 2);
	assert_int_equal(above(3), NONE);
	assert_int_equal(self_us(2), 60);
	assert_true(tree_under(t, t->node[0], t->node[2]));
	assert_false(tree_under(t, t->node[3], t->node[2]));
	trace_free(tr);
}

static void the_longer_of_two_that_start_together_is_the_parent(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "child", 0, 10, NULL);
	make_op(&m, 1, "parent", 0, 20, NULL);
	make_op(&m, 1, "twin", 30, 5, NULL);
	make_op(&m, 1, "twin's child", 30, 5, NULL);
	make_op(&m, 1, "called", 50, 5, "\"External id\": 8");
	make_op(&m, 1, "caller", 50, 5, "\"External id\": 7");
	grow(&m);
	assert_int_equal(above(0), 1);
	assert_int_equal(above(3), 2); /* equal: in the order of the file */
	assert_int_equal(above(4), 5); /* ... after that of their ids */
	trace_free(tr);
}

static void an_end_one_nanosecond_late_is_rounding(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "outer", 0, 10, NULL);
	make_op(&m, 1, "inner", 5, 5.001, NULL);
	make_op(&m, 1, "next", 10, 3, NULL);
	grow(&m);
	assert_int_equal(above(1), 0);
	assert_int_equal(above(2), NONE);
	assert_int_equal(tr->counters.n[COUNT_PARTIAL_OVERLAP], 0);
	trace_free(tr);
}

/*	p [----------------)
 *	c         [-----------)        nobody holds c: below p, to its own end
 *	g                   [-)        in c, after p
 */
static void what_outlives_all_stays_open_to_its_end(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "p", 0, 100, NULL);
	make_op(&m, 1, "c", 50, 70, NULL);
	make_op(&m, 1, "g", 110, 5, NULL);
	make_op(&m, 1, "s", 130, 10, NULL);
	grow(&m);
	assert_int_equal(above(1), 0);
	assert_int_equal(above(2), 1);
	assert_int_equal(above(3), NONE);
	assert_int_equal(self_us(0), 50);
	assert_int_equal(self_us(1), 65);
	assert_int_equal(self_us(2), 5);
	assert_int_equal(tr->counters.n[COUNT_PARTIAL_OVERLAP], 1);
	trace_free(tr);
}

/*	p [--------------------)
 *	c    [------)                  stops at 30, where d begins
 *	d         [-------)            p holds it
 */
static void what_outlives_one_goes_to_the_next_that_holds_it(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "p", 0, 100, NULL);
	make_op(&m, 1, "c", 10, 30, NULL);
	make_op(&m, 1, "d", 30, 40, NULL);
	grow(&m);
	assert_int_equal(above(2), 0);
	assert_int_equal(self_us(1), 20);
	assert_int_equal(self_us(0), 40);
	assert_int_equal(tree_stop(tr, t, t->node[1]), 30 * US);
	trace_free(tr);
}

/* A frame whose return was lost claims to run for ever; its caller's end is its own. */
static void a_python_frame_does_not_outlive_its_caller(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_event(&m, "python_function", "main", 100, 1, 0, 1000, "\"Python id\": 1");
	make_event(&m, "python_function", "enter", 100, 1, 10, 90,
		   "\"Python id\": 2, \"Python parent id\": 1");
	make_event(&m, "python_function", "next", 100, 1, 20, 980,
		   "\"Python id\": 3, \"Python parent id\": 2");
	make_event(&m, "python_function", "later", 100, 1, 200, 50,
		   "\"Python id\": 4, \"Python parent id\": 1");
	grow(&m);
	assert_int_equal(above(2), 1);
	assert_int_equal(above(3), 0);
	trace_free(tr);
}

static void what_was_never_closed_ends_with_what_it_began_in(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 100, NULL);
	textbuf_add(&m.text, STR("{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"open\", "
				 "\"pid\": 100, \"tid\": 1, \"ts\": 50},\n"));
	make_op(&m, 1, "later", 200, 50, NULL);
	grow(&m);
	assert_int_equal(above(1), 0);
	assert_int_equal(above(2), NONE);
	assert_int_equal(tr->ev.dur[1], 200 * US); /* in tables: to the end of the trace */
	assert_int_equal(tr->counters.n[COUNT_MISSING_DUR], 1);
	assert_int_equal(tr->counters.n[COUNT_PARTIAL_OVERLAP], 0);
	trace_free(tr);
}

static void the_tree_without_python_is_as_if_it_was_not_recorded(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 50, NULL);
	make_python(&m, 1, "frame", 10, 30);
	make_launch(&m, 1, "launch", 20, 5, 1, NULL);
	make_event(&m, "user_annotation", "step", 100, 1, 0, 60, NULL);
	grow(&m);
	assert_int_equal(above(2), 1);
	assert_int_equal(t->node[3], NONE);
	t = trace_tree(tr, TREE_NO_PYTHON);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->node[1], NONE);
	assert_int_equal(above(2), 0);
	trace_free(tr);
}

static void slices_of_other_programs_have_trees_too(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_event(&m, "v8", "outer", 100, 1, 0, 50, NULL);
	make_event(&m, "", "inner", 100, 1, 10, 30, NULL);
	grow(&m);
	assert_int_equal(above(1), 0);
	trace_free(tr);
}

static void the_innermost_node_at_a_moment_is_found(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "a", 10, 50, NULL);
	make_op(&m, 1, "b", 20, 10, NULL);
	grow(&m);
	lane_id lane = tr->ev.lane[0];
	assert_int_equal(tree_at(tr, t, lane, 5 * US), NONE);
	assert_int_equal(tree_at(tr, t, lane, 10 * US), t->node[0]);
	assert_int_equal(tree_at(tr, t, lane, 20 * US), t->node[1]);
	assert_int_equal(tree_at(tr, t, lane, 30 * US), t->node[0]);
	assert_int_equal(tree_at(tr, t, lane, 60 * US), NONE);
	trace_free(tr);
}

/* Deeper than any C stack: nothing recurses. */
static void a_tree_may_be_a_hundred_thousand_deep(void **unused)
{
	(void)unused;
	struct maker m = maker_new();
	enum { DEEP = 100000 };

	for (int i = 0; i < DEEP; i++)
		make_op(&m, 1, "f", i, 2 * DEEP - 2 * i, NULL);
	tr = maker_trace(&m);
	t = trace_tree(tr, TREE_FULL);
	assert_int_equal(t->n, DEEP);
	assert_int_equal(t->parent[DEEP - 1], DEEP - 2);
	assert_int_equal(t->end[0], DEEP);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_nest_by_time_within_a_thread),
		cmocka_unit_test(the_longer_of_two_that_start_together_is_the_parent),
		cmocka_unit_test(an_end_one_nanosecond_late_is_rounding),
		cmocka_unit_test(what_outlives_all_stays_open_to_its_end),
		cmocka_unit_test(what_outlives_one_goes_to_the_next_that_holds_it),
		cmocka_unit_test(a_python_frame_does_not_outlive_its_caller),
		cmocka_unit_test(what_was_never_closed_ends_with_what_it_began_in),
		cmocka_unit_test(the_tree_without_python_is_as_if_it_was_not_recorded),
		cmocka_unit_test(slices_of_other_programs_have_trees_too),
		cmocka_unit_test(the_innermost_node_at_a_moment_is_found),
		cmocka_unit_test(a_tree_may_be_a_hundred_thousand_deep),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
