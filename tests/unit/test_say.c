#include "base/say.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct arena a;

static void counts_are_grouped_by_thousands(void **unused)
{
	assert_string_equal(say_count(&a, 0), "0");
	assert_string_equal(say_count(&a, 999), "999");
	assert_string_equal(say_count(&a, 1000), "1,000");
	assert_string_equal(say_count(&a, -1234567), "-1,234,567");
	assert_string_equal(say_count(&a, INT64_MIN), "-9,223,372,036,854,775,808");
	assert_string_equal(say_many(&a, 1, "kernel", "kernels"), "1 kernel");
	assert_string_equal(say_many(&a, 2076, "kernel", "kernels"), "2,076 kernels");
}

static void times_take_the_largest_unit_that_fits(void **unused)
{
	assert_string_equal(say_time(&a, 0), "0 ns");
	assert_string_equal(say_time(&a, 999), "999 ns");
	assert_string_equal(say_time(&a, 1000), "1.000 µs");
	assert_string_equal(say_time(&a, 27768000), "27.768 ms");
	assert_string_equal(say_time(&a, 1078288379), "1.078 s");
	assert_string_equal(say_time(&a, -1999999999), "-2.000 s");
	assert_string_equal(say_time(&a, 3600000000000), "3,600.000 s");
	assert_string_equal(say_bytes(&a, 1023), "1023 bytes");
	assert_string_equal(say_bytes(&a, 3 << 29), "1.500 GiB");
}

static void a_percentage_of_nothing_is_not_a_number(void **unused)
{
	assert_string_equal(say_percent(&a, 474, 1000), "47.4 %");
	assert_string_equal(say_percent(&a, 0, 0), "n/a");
}

static void a_path_is_quoted_where_a_shell_would_take_it_apart(void **unused)
{
	assert_string_equal(say_path(&a, "dir/t-1.json.gz"), "dir/t-1.json.gz");
	assert_string_equal(say_path(&a, ""), "''");
	assert_string_equal(say_path(&a, "a b$(c).json"), "'a b$(c).json'");
	assert_string_equal(say_path(&a, "it's"), "'it'\\''s'");
}

static void dims_are_lists_or_tuples(void **unused)
{
	assert_string_equal(say_dims(&a, "[[16, 64], [], [64]]"), "16,64  64");
	assert_string_equal(say_dims(&a, "((16, 64), (), (64,))"), "16,64  64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_grouped_by_thousands),
		cmocka_unit_test(times_take_the_largest_unit_that_fits),
		cmocka_unit_test(a_path_is_quoted_where_a_shell_would_take_it_apart),
		cmocka_unit_test(a_percentage_of_nothing_is_not_a_number),
		cmocka_unit_test(dims_are_lists_or_tuples),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_free(&a);
	return failed;
}
