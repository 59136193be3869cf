#include "base/shortname.h"

#include <setjmp.h>

#include <cmocka.h>

static struct arena a;

static const char *bare(const char *name)
{
	return shortname(&a, name, 1000, UTF8_TERMINAL);
}

static void cxx_loses_what_readers_skip(void **unused)
{
	(void)unused;
	assert_string_equal(
		bare("void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, float>"
		     "(float*, int)"),
		"at::native::cunn_SoftMaxForward<…>");
	assert_string_equal(bare("ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"),
			    "ncclDevKernel_Generic_1");
	assert_string_equal(bare("a::b<c<d>, (e)0>::f<g>()"), "a::b<…>::f<g>");
	assert_string_equal(bare("f<(x->y)>::operator()"), "f<…>::operator()");
	assert_string_equal(bare("std::operator<<int>"), "std::operator<<int>");
	assert_string_equal(bare("<function f at 0x7f12ab34cd>"), "<function f at 0x…>");
}

static void what_is_not_cxx_stays(void **unused)
{
	(void)unused;
	static const char *const names[] = {
		"Memcpy HtoD (Pinned -> Device)",
		"execute_context_0(0)_generation_1(1)",
		"torch/nn/modules/module.py(1747): _call_impl",
		"<built-in function zoom_shift>",
		"foo.py(12): <lambda>",
		"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
		"nn.Module: Foo_0",
		"a < b",
		"f<unclosed",
		")",
		"<",
		"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(bare(names[i]), names[i]);
}

static void long_names_lose_their_middle(void **unused)
{
	(void)unused;
	assert_string_equal(shortname(&a, "abcdefghijklmnop", 9, UTF8_TERMINAL), "abcd…mnop");
	assert_string_equal(shortname(&a, "abcdefghijklmnop", 9, UTF8_ASCII), "abc...nop");
	assert_string_equal(shortname(&a, "中文字符中文字符", 9, UTF8_TERMINAL), "中文…字符");
}

static void names_that_differ_look_different(void **unused)
{
	(void)unused;
	const char *names[] = { "void k<cutlass_80_256x128_tn_align1>(int)",
				"void k<cutlass_80_128x128_nn_align1>(int)",
				"void k<cutlass_80_256x128_tn_align1>(int)",
				NULL,
				"void other<float>(int)",
				"f at 0x12345678",
				"f at 0x87654321",
				"a\nb",
				"a\\nb" };
	const char *shown[ARRAY_SIZE(names)];

	shortname_all(&a, names, shown, ARRAY_SIZE(names), UTF8_TERMINAL);
	assert_string_equal(shown[0], "k<cutlass_80_256x128_tn_align1>");
	assert_string_equal(shown[1], "k<cutlass_80_128x128_nn_align1>");
	assert_string_equal(shown[2], shown[0]);
	assert_null(shown[3]);
	assert_string_equal(shown[4], "other<…>");
	assert_string_equal(shown[5], "f at 0x12345678");
	assert_string_equal(shown[7], "a\\nb");
	assert_string_equal(shown[8], "a\\nb#2");
	shortname_fit(&a, shown, shown, ARRAY_SIZE(names), 16, UTF8_TERMINAL);
	assert_string_equal(shown[0], "k<cutlass_80_25…");
	assert_string_equal(shown[2], shown[0]);
}

static void a_cut_shows_where_names_differ(void **unused)
{
	(void)unused;
	const char *names[] = { "a_long_common_head_tile_256x128_and_a_common_tail",
				"a_long_common_head_tile_128x128_and_a_common_tail", "b" };
	const char *shown[ARRAY_SIZE(names)];

	shortname_fit(&a, names, shown, ARRAY_SIZE(names), 20, UTF8_TERMINAL);
	assert_string_equal(shown[0], "a_long…_tile_256x12…");
	assert_string_equal(shown[1], "a_long…_tile_128x12…");
	assert_string_equal(shown[2], "b");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cxx_loses_what_readers_skip),
		cmocka_unit_test(what_is_not_cxx_stays),
		cmocka_unit_test(long_names_lose_their_middle),
		cmocka_unit_test(names_that_differ_look_different),
		cmocka_unit_test(a_cut_shows_where_names_differ),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_free(&a);
	return failed;
}
