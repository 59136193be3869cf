/* Fixtures of spec split 11, by hand. */
#include "analysis/split_steady.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void assert_range(struct range r, uint32_t first, uint32_t end)
{
	assert_int_equal(r.first, first);
	assert_int_equal(r.end, end);
}

static void a_region_begins_where_the_peak_is_reached(void **unused)
{
	(void)unused;
	int64_t requests[34];
	struct range out[40];

	for (int i = 0; i < 34; i++)
		requests[i] = i < 4 ? 2 : 20;
	assert_int_equal(steady_regions(requests, 34, 32, out), 1);
	assert_range(out[0], 4, 34);
}

static void without_a_region_the_middle_is_taken(void **unused)
{
	(void)unused;
	int64_t requests[10];
	struct range out[10];

	for (int i = 0; i < 10; i++)
		requests[i] = i % 2 ? 2 : 20;
	assert_int_equal(steady_regions(requests, 10, 12, out), 1);
	assert_range(out[0], 4, 6);
}

static void serving_windows_by_phase(void **unused)
{
	(void)unused;
	struct step_info step[20];
	struct arena a = { 0 };

	/* 20 iterations of 10 requests; iterations 8 and 9 also prefill */
	for (int i = 0; i < 20; i++)
		step[i] = (struct step_info){ .generation_requests = i == 8 || i == 9 ? 8 : 10,
					      .context_requests = i == 8 || i == 9 ? 2 : 0 };
	struct steady_windows s = steady_serving(step, 20, 4, NULL, &a);
	assert_range(s.region, 0, 20);
	assert_true(s.prefill_share == 0.1);
	assert_range(s.decode, 10, 14); /* 10..19 is the longer run without prefill */
	assert_range(s.prefill, 8, 10);
	assert_range(s.mixed, 6, 10); /* the only windows with a prefill: stride 2 */
	arena_free(&a);
}

static void a_load_tells_the_share_of_prefills(void **unused)
{
	(void)unused;
	struct step_info step[64];
	struct steady_load load = { 8, 256, 1.5 }; /* a ratio is at most 1 */
	struct arena a = { 0 };

	assert_true(steady_ideal_share(&load) == 2.0 * 8 / (256 * 2));
	load.range_ratio = -1;
	assert_true(steady_ideal_share(&load) == 2.0 * 8 / 256);
	assert_true(steady_ideal_share(&(struct steady_load){ 8, 0, 0 }) == 0);
	assert_true(steady_ideal_share(NULL) == 0);
	for (int i = 0; i < 64; i++)
		step[i] = (struct step_info){ .generation_requests = 8 };
	/* one prefill in 16 iterations is asked for: a window of 4 grows to 16 */
	struct steady_windows s = steady_serving(step, 64, 4, &load, &a);
	assert_int_equal(s.mixed.end - s.mixed.first, 16);
	assert_int_equal(s.prefill.end - s.prefill.first, 0); /* all decode: nothing of that kind */
	assert_int_equal(s.decode.end - s.decode.first, 16);
	arena_free(&a);
}

static void two_lengths_in_turn_give_the_least_varying_window(void **unused)
{
	(void)unused;
	nsec length[] = { 10, 1000, 10, 1000, 10, 1000 };
	struct range r = steady_by_length(length, 6, 4);

	assert_int_equal(r.end - r.first, 4);
}

static void lengths_give_the_calmest_window(void **unused)
{
	(void)unused;
	nsec length[] = { 3100, 3050, 5200, 3080, 3070, 3090, 3060, 3075, 3085, 4900 };
	nsec equal[] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };

	assert_range(steady_by_length(length, 10, 4), 4, 8);
	struct range two = steady_by_length(equal, 10, 2);
	assert_int_equal(two.end - two.first, 2);
	assert_range(steady_by_length(equal, 0, 4), 0, 0);
}

static void a_change_point_takes_warm_up_and_end_off(void **unused)
{
	(void)unused;
	/* lengths and kernel counts of 12 iterations: 3 of warm-up, one hiccup at 7, a last short
	 * one */
	int64_t v[] = { 90, 60, 30, 10, 10, 11, 10, 25, 10, 10, 10, 3,
			50, 50, 40, 20, 20, 20, 20, 20, 20, 20, 20, 5 };
	struct arena a = { 0 };

	assert_range(steady_by_change(v, 2, 12, &a), 3, 11);
	int64_t wild[] = { 1, 100, 3, 1000 };
	struct range none = steady_by_change(wild, 1, 3, &a);
	assert_int_equal(none.end - none.first, 0);
	arena_free(&a);
}

static void sizes_tell_prefills_from_decodes(void **unused)
{
	(void)unused;
	int64_t size[] = { 900, 32, 32, 32, 32, 32, 900 }, all[] = { 900, 900, 900, 900, 900 };
	int64_t strays[] = { 1, 2, 30, 32, 900, 32, 0 }, none[] = { 0, 0 };
	bool prefill[8];
	struct arena a = { 0 };

	assert_true(steady_label_batches(size, 7, 64, prefill, &a));
	assert_true(prefill[0] && !prefill[1] && prefill[6]);
	struct steady_windows s = steady_batches(size, prefill, 7, 3, &a);
	assert_range(s.region, 0, 7); /* the prefills beside the decodes belong to it */
	assert_range(s.decode, 1, 4);
	assert_range(s.mixed, 0, 3); /* a window with a prefill is preferred */

	assert_true(steady_label_batches(all, 5, 64, prefill, &a));
	assert_range(steady_batches(all, prefill, 5, 3, &a).region, 0, 3);
	assert_int_equal(steady_batches(all, prefill, 5, 3, &a).decode.end, 0);

	/* without a limit the largest jump is it: 32 to 900, not the one of the strays 2 to 30 */
	assert_true(steady_label_batches(strays, 7, 0, prefill, &a));
	assert_true(!prefill[2] && !prefill[3] && prefill[4] && !prefill[6]);
	assert_false(steady_label_batches(none, 2, 0, prefill, &a));
	assert_range(steady_batches(none, prefill, 0, 3, &a).region, 0, 0);
	arena_free(&a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_region_begins_where_the_peak_is_reached),
		cmocka_unit_test(without_a_region_the_middle_is_taken),
		cmocka_unit_test(serving_windows_by_phase),
		cmocka_unit_test(sizes_tell_prefills_from_decodes),
		cmocka_unit_test(a_load_tells_the_share_of_prefills),
		cmocka_unit_test(two_lengths_in_turn_give_the_least_varying_window),
		cmocka_unit_test(lengths_give_the_calmest_window),
		cmocka_unit_test(a_change_point_takes_warm_up_and_end_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
