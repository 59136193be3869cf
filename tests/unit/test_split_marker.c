/* The shapes of spec split 1, each name read by hand. */
#include "analysis/split_marker.h"

#include "longpole.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct step_info read_name(const char *name)
{
	return marker_read(str_of(name), NULL);
}

static void vllm_names_give_requests_and_sums(void **unused)
{
	(void)unused;
	struct step_info d = read_name(
		"execute_258_context_1(sq256sk256sqsq65536sqsk65536)_generation_"
		"2(sq2sk700sqsq2sqsk700)");
	assert_int_equal(d.tier, MARKER_DETAILED);
	assert_true(d.has_sqsk);
	assert_int_equal(d.batch_size, 258);
	assert_int_equal(d.context_requests, 1);
	assert_int_equal(d.generation_requests, 2);
	assert_int_equal(d.c_sqsq, 65536);
	assert_int_equal(d.g_sk, 700);
	assert_int_equal(step_phase_of(&d), PHASE_MIXED);

	struct step_info n = read_name("execute_context_3(100)_generation_2(50)");
	assert_int_equal(n.tier, MARKER_NATIVE);
	assert_int_equal(n.context_sum, 100);
	assert_int_equal(n.generation_sum, 50);
	assert_int_equal(n.batch_size, 150);
}

static void sglang_names_in_both_tiers(void **unused)
{
	(void)unused;
	struct step_info e = read_name("step[EXTEND bs=2 toks=800]");
	assert_int_equal(e.tier, MARKER_NATIVE);
	assert_int_equal(e.context_requests, 2);
	assert_int_equal(e.context_sum, 800);
	assert_int_equal(e.batch_size, 800);
	assert_int_equal(step_phase_of(&e), PHASE_PREFILL);

	struct step_info d = read_name("step[decode bs=20]");
	assert_int_equal(d.generation_requests, 20);
	assert_int_equal(d.generation_sum, 20);
	assert_int_equal(d.batch_size, 20);

	struct step_info m = read_name("step[MIXED bs=3 toks=11 c=1 g=2 c_sq=9 c_sk=9 c_sqsq=81 "
				       "c_sqsk=81 g_sq=2 g_sk=40 g_sqsq=2 g_sqsk=40]");
	assert_int_equal(m.tier, MARKER_DETAILED);
	assert_int_equal(m.context_requests, 1);
	assert_int_equal(m.generation_requests, 2);
	assert_int_equal(m.batch_size, 11);
	assert_int_equal(m.g_sqsk, 40);

	struct step_info i = read_name("step[IDLE]");
	assert_int_equal(i.tier, MARKER_NATIVE);
	assert_int_equal(step_phase_of(&i), PHASE_IDLE);
}

static void atom_names_with_lists_and_slashes(void **unused)
{
	(void)unused;
	struct step_info p =
		read_name("prefill[bs=2 tok=768 ctx=[512, 256]...+3 sqsq=9 sqsk=8 sk=7]");
	assert_int_equal(p.tier, MARKER_DETAILED);
	assert_true(p.has_sqsk);
	assert_int_equal(p.context_requests, 2);
	assert_int_equal(p.context_sum, 768);
	assert_int_equal(p.c_sk, 7);

	struct step_info d = read_name("decode[bs=117/128 tok=234 d=1 p=0 spec=2 tbo]");
	assert_int_equal(d.tier, MARKER_NATIVE);
	assert_int_equal(d.generation_requests, 117);
	assert_int_equal(d.batch_size, 234);
}

static void other_names_are_one_decode_like_step(void **unused)
{
	(void)unused;
	static const char *const names[] = { "",
					     "aten::matmul",
					     "step",
					     "step[",
					     "step[DECODES bs=1]",
					     "execute_context_(1)_generation_2(2)",
					     "capture_4_decode",
					     "prefill bs=2",
					     "execute_diffusion_1_512" };

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		struct step_info s = read_name(names[i]);

		assert_int_equal(s.tier, MARKER_NONE);
		assert_int_equal(s.batch_size, 1);
		assert_int_equal(step_phase_of(&s), PHASE_DECODE);
	}
	assert_int_equal(read_name("ProfilerStep#42").tier, MARKER_PROFILER_STEP);
	struct step_info big = read_name("execute_context_99999999999999999999(1)_generation_2(2)");
	assert_true(big.context_requests > 0);
}

static void a_skeleton_has_no_digits(void **unused)
{
	(void)unused;
	struct arena a = { 0 };

	assert_true(str_eq(marker_skeleton(&a, STR("ProfilerStep#12")), STR("ProfilerStep##")));
	assert_true(str_eq(marker_skeleton(&a, STR("execute_1_context_3(sq8sk8)")),
			   STR("execute_#_context_#(sq#sk#)")));
	assert_true(str_eq(marker_skeleton(&a, STR("")), STR("")));
	arena_free(&a);
}

static void users_add_patterns(void **unused)
{
	(void)unused;
	struct lp_error err = { "" };
	const char *good[] = { "^train_iter [0-9]+$" }, *bad[] = { "(" };
	struct marker_set *m = marker_set_new(good, 1, &err);

	assert_int_equal(marker_read(STR("train_iter 7"), m).tier, MARKER_USER);
	assert_int_equal(marker_read(STR("train_iter x"), m).tier, MARKER_NONE);
	marker_set_free(m);
	assert_null(marker_set_new(bad, 1, &err));
	assert_non_null(strstr(err.text, "--marker '('"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(vllm_names_give_requests_and_sums),
		cmocka_unit_test(sglang_names_in_both_tiers),
		cmocka_unit_test(atom_names_with_lists_and_slashes),
		cmocka_unit_test(other_names_are_one_decode_like_step),
		cmocka_unit_test(a_skeleton_has_no_digits),
		cmocka_unit_test(users_add_patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
