/* The graph on arrays made by hand, the names of calls, and what --what-if understands. */
#include "analysis/critpath_call.h"
#include "analysis/critpath_walk.h"
#include "analysis/slack.h"
#include "analysis/whatif.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/*
 *	thread 0   [A 0-5|launch 5-10|A 10-20|B 20-25|launch 25-30|B 30-45) wait 45-205 [s 205-210]
 *[C 215-240] work 1                   [kA 15-115] work 2                                        [kB
 *120-200]
 */
enum { A, LAUNCH_A, KA, B, LAUNCH_B, KB, SYNC, S, C };

static const struct path_track tracks[] = { { 0, false, 0, 8 },
					    { 7, true, 8, 9 },
					    { 7, true, 9, 10 } };
static const struct path_piece pieces[] = {
	{ 0, 5, A, 0, PATH_CPU_OP },
	{ 5, 10, LAUNCH_A, 0, PATH_LAUNCH_API },
	{ 10, 20, A, 0, PATH_CPU_OP },
	{ 20, 25, B, 0, PATH_CPU_OP },
	{ 25, 30, LAUNCH_B, 0, PATH_LAUNCH_API },
	{ 30, 45, B, 0, PATH_CPU_OP },
	{ 205, 210, S, 0, PATH_CPU_OP },
	{ 215, 240, C, 0, PATH_CPU_OP },
	{ 15, 115, KA, 0, PATH_COMPUTE },
	{ 120, 200, KB, 0, PATH_COMPUTE },
};
static const struct path_wait waits[] = { { 0, SYNC, 45, 205, 0 } };
static const struct path_constraint constraints[] = {
	{ 0, 1, 10, 15, EDGE_LAUNCH, 0 },
	{ 0, 2, 30, 120, EDGE_LAUNCH, 0 },
	{ 1, 2, 115, 120, EDGE_STREAM, 0 },
	{ 2, 0, 200, 205, EDGE_WAIT, 0 },
};

static struct path_graph *two_kernels(struct arena *a)
{
	struct path_input in = { .start = 0,
				 .end = 240,
				 .ntracks = 3,
				 .npieces = 10,
				 .nwaits = 1,
				 .nconstraints = 4,
				 .track = tracks,
				 .piece = pieces,
				 .wait = waits,
				 .constraint = constraints };

	return critpath_graph_build(&in, a);
}

static void nodes_lie_between_the_instants_of_constraints(void **unused)
{
	(void)unused;
	static const nsec expected[][2] = { { 0, 0 },    { 0, 10 },    { 10, 30 },   { 30, 45 },
					    { 15, 115 }, { 120, 200 }, { 205, 210 }, { 215, 240 } };
	struct arena a = { 0 };
	struct path_graph *g = two_kernels(&a);

	assert_int_equal(g->dag.n, 8);
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(g->node[i].start, expected[i][0]);
		assert_int_equal(g->node[i].end, expected[i][1]);
	}
	assert_int_equal(g->floor[EDGE_LAUNCH], 5); /* kA's: kB's 90 did not bind */
	assert_int_equal(g->floor[EDGE_STREAM], 5);
	assert_int_equal(g->floor[EDGE_EVENT], 0);
	assert_int_equal(g->kind[g->node[5].binding], EDGE_STREAM);
	assert_int_equal(g->node[6].event, SYNC);
	arena_free(&a);
}

static void walk_writes_down_touching_segments(void **unused)
{
	(void)unused;
	static const struct {
		nsec start;
		enum path_class class;
		event_id event;
	} expected[] = { { 0, PATH_CPU_OP, A },
			 { 5, PATH_LAUNCH_API, LAUNCH_A },
			 { 10, PATH_LAUNCH_QUEUE, KA },
			 { 15, PATH_COMPUTE, KA },
			 { 115, PATH_GPU_GAP, KB },
			 { 120, PATH_COMPUTE, KB },
			 { 200, PATH_SYNC, SYNC },
			 { 205, PATH_CPU_OP, S },
			 { 210, PATH_IDLE_UNKNOWN, NONE },
			 { 215, PATH_CPU_OP, C } };
	struct arena a = { 0 };
	struct path_view v = critpath_view(two_kernels(&a), (struct path_window){ 0, 240, NONE });
	struct path p = critpath_walk(&v, &a);

	assert_int_equal(p.n, 10);
	for (uint32_t i = 0; i < p.n; i++) {
		assert_int_equal(p.at[i].start, expected[i].start);
		assert_int_equal(p.at[i].class, expected[i].class);
		assert_int_equal(p.at[i].event, expected[i].event);
	}
	assert_int_equal(p.class_ns[PATH_COMPUTE], 180);
	arena_free(&a);
}

static void walk_through_a_window_is_cut_at_both_ends(void **unused)
{
	(void)unused;
	struct arena a = { 0 };
	struct path_graph *g = two_kernels(&a);
	struct path_view v = critpath_view(g, (struct path_window){ 60, 150, NONE });
	struct path p = critpath_walk(&v, &a);

	/* At 150 the thread waits and kB still runs: the last work that ended is kA. */
	assert_int_equal(p.n, 2);
	assert_int_equal(p.at[0].event, KA);
	assert_int_equal(p.at[0].start, 60);
	assert_int_equal(p.at[1].why, WHY_WAITING);
	assert_int_equal(p.at[1].end - p.at[1].start, 35);
	v = critpath_view(g, (struct path_window){ 300, 400, NONE });
	p = critpath_walk(&v, &a);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.class_ns[PATH_IDLE_UNKNOWN], 100);
	arena_free(&a);
}

static void slack_is_of_the_chain(void **unused)
{
	(void)unused;
	/* The second launch may end at 110 (then its queue takes 5), the thread come to 205. */
	static const nsec expected[] = { 0, 0, 85, 160, 0, 0, 0, 0 };
	struct arena a = { 0 };
	struct path_view v = critpath_view(two_kernels(&a), (struct path_window){ 0, 240, NONE });
	nsec *slack = slack_of_nodes(&v, &a);

	for (uint32_t i = 1; i < 8; i++)
		assert_int_equal(slack[i], expected[i]);
	arena_free(&a);
}

static void edges_of_one_time_are_chosen_by_kind(void **unused)
{
	(void)unused;
	/* Launch and stream come to the work at 10: the stream counts. */
	static const struct path_track t[] = { { 0, false, 0, 1 },
					       { 1, true, 1, 2 },
					       { 1, true, 2, 3 } };
	static const struct path_piece p[] = { { 0, 10, 0, 0, PATH_CPU_OP },
					       { 0, 10, 1, 0, PATH_COMPUTE },
					       { 12, 20, 2, 0, PATH_COMPUTE } };
	static const struct path_constraint c[] = { { 0, 2, 10, 12, EDGE_LAUNCH, 0 },
						    { 1, 2, 10, 12, EDGE_STREAM, 0 } };
	struct path_input in = { .start = 0,
				 .end = 20,
				 .ntracks = 3,
				 .npieces = 3,
				 .nconstraints = 2,
				 .track = t,
				 .piece = p,
				 .constraint = c };
	struct arena a = { 0 };
	struct path_graph *g = critpath_graph_build(&in, &a);

	assert_int_equal(g->kind[g->node[3].binding], EDGE_STREAM);
	assert_int_equal(g->kind[g->node[2].binding], EDGE_UNTRACED);
	arena_free(&a);
}

static void work_is_cut_where_its_successor_starts(void **unused)
{
	(void)unused;
	static const struct path_track t[] = { { 1, true, 0, 1 }, { 1, true, 1, 2 } };
	static const struct path_piece p[] = { { 0, 50, 0, 0, PATH_COMPUTE },
					       { 40, 90, 1, 0, PATH_COMPUTE } };
	static const struct path_constraint c[] = { { 0, 1, 40, 40, EDGE_STREAM, 0 } };
	struct path_input in = { .start = 0,
				 .end = 90,
				 .ntracks = 2,
				 .npieces = 2,
				 .nconstraints = 1,
				 .track = t,
				 .piece = p,
				 .constraint = c };
	struct arena a = { 0 };
	struct path_graph *g = critpath_graph_build(&in, &a);

	assert_int_equal(g->dag.n, 4);
	assert_int_equal(g->node[1].end, 40);
	assert_int_equal(g->node[2].end, 50); /* the tail */
	assert_int_equal(g->node[3].start, 40);
	assert_int_equal(g->dag.src[g->node[3].binding], 1);
	arena_free(&a);
}

/* ---- Names ---- */

static void calls_are_told_by_name(void **unused)
{
	(void)unused;
	static const struct {
		const char *name;
		enum call_role role;
	} expected[] = {
		{ "cudaLaunchKernel", CALL_LAUNCH },
		{ "cuLaunchKernelEx", CALL_LAUNCH },
		{ "hipExtModuleLaunchKernel", CALL_LAUNCH },
		{ "hipGraphLaunch", CALL_LAUNCH },
		{ "cudaMemsetAsync", CALL_LAUNCH },
		{ "cudaMemset", CALL_COPY },
		{ "cudaMemcpyAsync", CALL_COPY },
		{ "hipMemcpyWithStream", CALL_COPY },
		{ "cuMemcpyDtoH_v2", CALL_COPY },
		{ "cudaDeviceSynchronize", CALL_DEVICE_SYNC },
		{ "cuCtxSynchronize", CALL_DEVICE_SYNC },
		{ "hipStreamSynchronize", CALL_STREAM_SYNC },
		{ "cudaEventSynchronize", CALL_EVENT_SYNC },
		{ "hipEventQuery", CALL_QUERY },
		{ "cudaStreamQuery", CALL_QUERY },
		{ "cudaEventRecordWithFlags", CALL_RECORD },
		{ "cudaStreamWaitEvent", CALL_STREAM_WAIT },
		{ "cudaFree", CALL_FREE },
		{ "hipHostFree", CALL_FREE },
		{ "cuMemFree_v2", CALL_FREE },
		{ "cudaFreeAsync", CALL_OTHER },
		{ "cudaMalloc", CALL_OTHER },
		{ "cudaFuncSetAttribute", CALL_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(critpath_role_of(str_of(expected[i].name)), expected[i].role);
}

static void copies_wait_unless_their_name_says_no(void **unused)
{
	(void)unused;
	struct str call = STR("cudaMemcpyAsync");

	assert_true(critpath_copy_is_async(call, STR("Memcpy DtoH (Device -> Pinned)")));
	assert_true(critpath_copy_is_async(call, STR("Memcpy DtoD (Device -> Device)")));
	assert_false(critpath_copy_is_async(call, STR("Memcpy DtoH (Device -> Pageable)")));
	assert_false(critpath_copy_is_async(call, STR("CopyDeviceToHost")));
	assert_false(
		critpath_copy_is_async(STR("cudaMemcpy"), STR("Memcpy DtoH (Device -> Pinned)")));
}

static void speeds_are_ratios(void **unused)
{
	(void)unused;
	static const char *const wrong[] = { "",   "x",   "2",      "-1x",         "1e3x",
					     "0x", "2xx", "1.2.3x", "1234567890x", "fast" };
	struct whatif_speed s;

	assert_true(whatif_speed_parse(STR("2x"), &s));
	assert_true(!s.free && s.num == 2 && s.den == 1);
	assert_true(whatif_speed_parse(STR("1.25x"), &s));
	assert_true(s.num == 125 && s.den == 100);
	assert_true(whatif_speed_parse(STR("0"), &s) && s.free);
	assert_true(whatif_speed_parse(STR("inf"), &s) && s.free);
	assert_true(whatif_speed_parse(STR("overlapped"), &s) && s.free);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(whatif_speed_parse(str_of(wrong[i]), &s));
}

static void groups_are_sets_of_classes(void **unused)
{
	(void)unused;
	assert_int_equal(whatif_classes(STR("compute")), 1u << PATH_COMPUTE);
	assert_int_equal(whatif_classes(STR("launch")),
			 1u << PATH_LAUNCH_API | 1u << PATH_LAUNCH_QUEUE);
	assert_int_equal(whatif_classes(STR("gpu")),
			 1u << PATH_COMPUTE | 1u << PATH_MEMORY | 1u << PATH_COMMUNICATION);
	assert_int_equal(whatif_classes(STR("kA")), 0);
	for (int c = 0; c < PATH_CLASSES; c++)
		assert_int_equal(path_class_find(str_of(path_class_texts[c].name)), c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_lie_between_the_instants_of_constraints),
		cmocka_unit_test(walk_writes_down_touching_segments),
		cmocka_unit_test(walk_through_a_window_is_cut_at_both_ends),
		cmocka_unit_test(slack_is_of_the_chain),
		cmocka_unit_test(edges_of_one_time_are_chosen_by_kind),
		cmocka_unit_test(work_is_cut_where_its_successor_starts),
		cmocka_unit_test(calls_are_told_by_name),
		cmocka_unit_test(copies_wait_unless_their_name_says_no),
		cmocka_unit_test(speeds_are_ratios),
		cmocka_unit_test(groups_are_sets_of_classes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
