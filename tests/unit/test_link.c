#include "maker.h"

#include "trace/link.h"
#include "trace/pair.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct trace *tr;
static const struct links *l;

static void connect(struct maker *m, enum link_style style)
{
	tr = maker_trace(m);
	l = trace_links(tr, style, TREE_FULL);
}

static event_id launch_of(event_id gpu)
{
	return l->launch[links_row(tr, l, gpu)];
}

static enum link_how how(event_id gpu)
{
	return (enum link_how)l->how[links_row(tr, l, gpu)];
}

/* Work launched in the subtree of event e. */
static uint32_t below(event_id e)
{
	node_id u = l->tree->node[e];

	return l->first[l->tree->end[u]] - l->first[u];
}

static void make_flow(struct maker *m, const char *ph, const char *cat, int id, int pid, int tid,
		      double ts)
{
	textbuf_print(&m->text,
		      "{\"ph\": \"%s\", \"cat\": \"%s\", \"name\": \"f\", \"id\": %d, \"pid\": %d, "
		      "\"tid\": %d, \"ts\": %.3f, \"bp\": \"e\"},\n",
		      ph, cat, id, pid, tid, ts);
}

static void the_innermost_call_of_a_correlation_launches(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "op", 0, 50, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 20, 5, NULL);
	make_event(&m, "cuda_driver", "cuLaunchKernel", 100, 1, 12, 10, "\"correlation\": 5");
	make_gpu(&m, "kernel", "k", 40, 10, 7, 5);
	make_gpu(&m, "kernel", "none", 60, 10, 7, 0);
	make_gpu(&m, "kernel", "none", 80, 10, 7, -1);
	connect(&m, LINK_BEST);
	assert_int_equal(launch_of(3), 2);
	assert_int_equal(how(3), LINK_CORRELATION);
	assert_int_equal(launch_of(4), NONE);
	assert_int_equal(launch_of(5), NONE);
	assert_int_equal(l->nlinked, 1);
	assert_int_equal(below(0), 1);
	assert_int_equal(tr->counters.n[COUNT_UNLINKED_GPU], 2);
	trace_free(tr);
}

static void one_graph_launch_has_all_its_work_by_start(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_launch(&m, 1, "cudaGraphLaunch", 0, 5, 9, NULL);
	make_gpu(&m, "kernel", "c", 30, 5, 7, 9);
	make_gpu(&m, "kernel", "a", 10, 5, 8, 9);
	make_gpu(&m, "kernel", "b", 20, 5, 7, 9);
	connect(&m, LINK_BEST);
	assert_int_equal(below(0), 3);
	assert_int_equal(l->gpu[l->below[0]], 2);
	assert_int_equal(l->gpu[l->below[1]], 3);
	assert_int_equal(l->gpu[l->below[2]], 1);
	trace_free(tr);
}

/* An id that is used again belongs to the last launch before the work. */
static void a_numbering_may_begin_anew(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_launch(&m, 1, "launch", 0, 5, 1, NULL);
	make_launch(&m, 1, "launch", 100, 5, 1, NULL);
	make_gpu(&m, "kernel", "k", 10, 5, 7, 1);
	make_gpu(&m, "kernel", "k", 110, 5, 7, 1);
	connect(&m, LINK_BEST);
	assert_int_equal(launch_of(2), 0);
	assert_int_equal(launch_of(3), 1);
	trace_free(tr);
}

static void make_rank(struct maker *m, int pid, int device, double at)
{
	char args[64];

	for (int i = 1; i <= 3; i++) {
		snprintf(args, sizeof(args), "\"correlation\": %d", i);
		make_event(m, "cuda_runtime", "launch", pid, pid, at + 20 * i, 5, args);
	}
	for (int i = 1; i <= 3; i++) {
		snprintf(args, sizeof(args), "\"correlation\": %d, \"stream\": 7", i);
		make_event(m, "kernel", "k", device, 7, at + 20 * i + 10, 5, args);
	}
}

/* Two ranks number their launches alike, at nearly the same times: the device tells them apart. */
static void ranks_in_one_file_are_never_crossed(void **unused)
{
	(void)unused;
	for (int variant = 0; variant < 3; variant++) {
		struct maker m = maker_new();
		int first = variant == 2 ? 1 : 0;

		make_rank(&m, 4000, first, 0);
		make_rank(&m, 5000, 1 - first, variant ? 2 : 1000);
		connect(&m, LINK_BEST);
		for (event_id i = 0; i < 3; i++) {
			assert_int_equal(launch_of(3 + i), i);
			assert_int_equal(launch_of(9 + i), 6 + i);
		}
		trace_free(tr);
	}
}

/* Ranks of two machines both have a device 0: the first to launch is the first to run. */
static void ranks_that_share_a_device_are_dealt_out(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_rank(&m, 4000, 0, 0);
	make_rank(&m, 5000, 0, 2);
	connect(&m, LINK_BEST);
	for (event_id i = 0; i < 3; i++) {
		assert_int_equal(launch_of(3 + i), i);
		assert_int_equal(launch_of(9 + i), 6 + i);
	}
	trace_free(tr);
}

static void a_kernel_before_its_launch_is_counted(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_launch(&m, 1, "launch", 10, 5, 1, NULL);
	make_gpu(&m, "kernel", "k", 8, 5, 7, 1);
	connect(&m, LINK_BEST);
	assert_int_equal(launch_of(1), 0);
	assert_int_equal(tr->counters.n[COUNT_KERNEL_BEFORE_LAUNCH], 1);
	trace_free(tr);
}

static void arrows_link_where_there_is_no_correlation(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "outer", 0, 50, NULL);
	make_op(&m, 1, "inner", 10, 20, NULL);
	make_gpu(&m, "kernel", "k", 60, 10, 7, 0);
	make_flow(&m, "s", "cpu_to_cuda", 3, 100, 1, 15);
	make_flow(&m, "f", "cpu_to_cuda", 3, 0, 7, 60);
	make_flow(&m, "f", "cpu_to_cuda", 4, 0, 7, 60);
	connect(&m, LINK_BEST);
	assert_int_equal(launch_of(2), 1);
	assert_int_equal(how(2), LINK_FLOW);
	assert_int_equal(tr->counters.n[COUNT_FLOW_UNPAIRED], 1);
	trace_free(tr);
}

static void external_ids_link_where_there_is_nothing_else(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "aten::add", 0, 50, "\"External id\": 8");
	make_event(&m, "kernel", "k", 2, 0, 60, 10, "\"External id\": 8");
	make_event(&m, "kernel", "k", 2, 0, 80, 10, "\"external id\": 8");
	make_event(&m, "kernel", "k", 2, 0, 95, 10, "\"External id\": 0");
	connect(&m, LINK_BEST);
	assert_int_equal(launch_of(1), 0);
	assert_int_equal(how(1), LINK_EXTERNAL_ID);
	assert_int_equal(launch_of(2), 0);
	assert_int_equal(launch_of(3), NONE);
	trace_free(tr);
}

static void tracelens_needs_both_ends_of_a_flow(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_launch(&m, 1, "cudaLaunchKernel", 0, 5, 1, NULL);
	make_launch(&m, 1, "cudaLaunchKernel", 10, 5, 2, NULL);
	make_launch(&m, 1, "cudaGraphLaunch", 20, 5, 3, NULL);
	make_gpu(&m, "kernel", "whole", 30, 5, 7, 1);
	make_gpu(&m, "kernel", "no start", 40, 5, 7, 2);
	make_gpu(&m, "kernel", "graph", 50, 5, 7, 3);
	make_gpu(&m, "kernel", "graph", 60, 5, 7, 3);
	make_flow(&m, "s", "ac2g", 1, 100, 1, 0);
	make_flow(&m, "f", "ac2g", 1, 0, 7, 30);
	make_flow(&m, "f", "ac2g", 2, 0, 7, 40);
	connect(&m, LINK_TRACELENS);
	assert_int_equal(launch_of(3), 0);
	assert_int_equal(launch_of(4), NONE);
	assert_int_equal(launch_of(5), 2);
	assert_int_equal(launch_of(6), 2);
	assert_int_equal(trace_links(tr, LINK_BEST, TREE_FULL)->nlinked, 4);
	trace_free(tr);
}

static void make_replay(struct maker *m, int correlation, double at, int kernels, const char *args)
{
	char text[128];

	make_launch(m, 1, "hipGraphLaunch", at, 5, correlation, NULL);
	for (int i = 0; i < kernels; i++) {
		snprintf(text, sizeof(text), "\"stream\": 7, \"correlation\": %d%s%s", correlation,
			 *args ? ", " : "", args);
		make_event(m, "kernel", i ? "gelu" : "gemm", 0, 7, at + 10 + 10 * i, 5, text);
	}
}

static uint64_t partial_replays(int a, int b, int c, const char *args_of_c)
{
	struct maker m = maker_new();

	make_replay(&m, 1, 0, a, "\"graph id\": 2");
	make_replay(&m, 2, 100, b, "\"graph id\": 2");
	make_replay(&m, 3, 200, c, args_of_c);
	connect(&m, LINK_BEST);
	uint64_t n = tr->counters.n[COUNT_GRAPH_INCOMPLETE];
	trace_free(tr);
	return n;
}

static void a_replay_with_less_than_the_others_is_partial(void **unused)
{
	(void)unused;
	assert_int_equal(partial_replays(4, 4, 4, "\"graph id\": 2"), 0);
	assert_int_equal(partial_replays(4, 3, 4, "\"graph id\": 2"), 1);
	assert_int_equal(partial_replays(1, 3, 4, "\"graph id\": 2"), 2);
	assert_int_equal(partial_replays(4, 4, 3, "\"graph id\": 5"), 0);
	assert_int_equal(partial_replays(4, 4, 3, "\"graph node id\": 8589934593"), 1);
}

/* ---- Forward and backward ---- */

static void backward_finds_forward_by_number(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "aten::linear", 0, 40, "\"Sequence number\": 5");
	make_op(&m, 1, "aten::addmm", 10, 20, "\"Sequence number\": 5");
	make_op(&m, 2, "autograd::engine::evaluate_function: AddmmBackward0", 100, 50,
		"\"Sequence number\": 5, \"Fwd thread id\": 1");
	make_op(&m, 2, "AddmmBackward0", 105, 40, "\"Sequence number\": 5, \"Fwd thread id\": 1");
	make_op(&m, 2, "autograd::engine::evaluate_function: AddmmBackward0", 200, 50,
		"\"Sequence number\": 5, \"Fwd thread id\": 1");
	tr = maker_trace(&m);
	const struct pairs *p = trace_pairs(tr);
	assert_int_equal(p->forward[2], 1);
	assert_int_equal(p->backward[1], 2);
	assert_int_equal(p->backward[0], NONE);
	assert_int_equal(p->forward[3], NONE);
	assert_int_equal(tr->counters.n[COUNT_DOUBLE_BACKWARD], 1);
	trace_free(tr);
}

static void backward_may_run_on_the_thread_of_the_forward(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "Gemm", 0, 40, "\"Sequence number\": 5");
	make_op(&m, 1, "autograd::engine::evaluate_function: GemmBackward", 100, 50,
		"\"Sequence number\": 5");
	make_op(&m, 1, "GemmBackward", 105, 40, "\"Sequence number\": 5");
	tr = maker_trace(&m);
	const struct pairs *p = trace_pairs(tr);
	assert_int_equal(p->forward[1], 0);
	assert_int_equal(p->n, 1);
	assert_int_equal(tr->counters.n[COUNT_DOUBLE_BACKWARD], 0);
	trace_free(tr);
}

static void an_arrow_tells_threads_with_equal_numbers_apart(void **unused)
{
	(void)unused;
	struct maker m = maker_new();

	make_op(&m, 1, "mul", 0, 10, "\"Sequence number\": 5");
	make_op(&m, 2, "add", 5, 10, "\"Sequence number\": 5");
	make_op(&m, 3, "autograd::engine::evaluate_function: MulBackward", 100, 50,
		"\"Sequence number\": 5");
	make_flow(&m, "s", "fwdbwd", 1, 100, 1, 2);
	make_flow(&m, "f", "fwdbwd", 1, 100, 3, 105);
	tr = maker_trace(&m);
	assert_int_equal(trace_pairs(tr)->forward[2], 0);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_call_of_a_correlation_launches),
		cmocka_unit_test(one_graph_launch_has_all_its_work_by_start),
		cmocka_unit_test(a_numbering_may_begin_anew),
		cmocka_unit_test(ranks_in_one_file_are_never_crossed),
		cmocka_unit_test(ranks_that_share_a_device_are_dealt_out),
		cmocka_unit_test(a_kernel_before_its_launch_is_counted),
		cmocka_unit_test(arrows_link_where_there_is_no_correlation),
		cmocka_unit_test(external_ids_link_where_there_is_nothing_else),
		cmocka_unit_test(tracelens_needs_both_ends_of_a_flow),
		cmocka_unit_test(a_replay_with_less_than_the_others_is_partial),
		cmocka_unit_test(backward_finds_forward_by_number),
		cmocka_unit_test(backward_may_run_on_the_thread_of_the_forward),
		cmocka_unit_test(an_arrow_tells_threads_with_equal_numbers_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
