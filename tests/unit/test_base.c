#include "base/intern.h"
#include "base/map.h"
#include "base/table.h"

#include <setjmp.h>

#include <cmocka.h>

static void arena_gives_zeroed_memory_after_a_rewind(void **unused)
{
	(void)unused;
	struct arena a = { 0 };
	arena_alloc(&a, 100);
	struct arena_mark m = arena_mark(&a);
	unsigned char *p = arena_alloc(&a, 1000);

	memset(p, 0xaa, 1000);
	arena_rewind(&a, m);
	unsigned char *q = arena_alloc(&a, 2000);
	for (int i = 0; i < 2000; i++)
		assert_int_equal(q[i], 0);
	arena_free(&a);
}

static void strings_get_ids_in_order_of_first_appearance(void **unused)
{
	(void)unused;
	struct strings s = { 0 };
	char text[16];

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			int n = snprintf(text, sizeof(text), "s%u", i);
			assert_int_equal(strings_add(&s, text, (size_t)n), i);
		}
	assert_int_equal(s.n, 5000);
	assert_true(str_eq(strings_get(&s, 77), STR("s77")));
	assert_int_equal(strings_find(&s, STR("nope")), NONE);
	strings_free(&s);
}

static void map_finds_what_was_put(void **unused)
{
	(void)unused;
	struct arena a = { 0 };
	struct map m = map_new(&a, 1000);

	for (uint64_t k = 0; k < 1000; k++)
		*map_at(&m, k << 32) = (uint32_t)k;
	for (uint64_t k = 0; k < 1000; k++)
		assert_int_equal(map_get(&m, k << 32), k);
	assert_int_equal(map_get(&m, 1), NONE);
	arena_free(&a);
}

static void integers_are_read_whole_or_not_at_all(void **unused)
{
	(void)unused;
	int64_t v;

	assert_true(str_i64(STR("-9223372036854775808"), &v) && v == INT64_MIN);
	assert_true(str_i64(STR("9223372036854775807"), &v) && v == INT64_MAX);
	assert_false(str_i64(STR("9223372036854775808"), &v));
	assert_false(str_i64(STR("12a"), &v));
	assert_false(str_i64(STR("-"), &v));
	assert_false(str_i64(STR(""), &v));
}

static void answer_keeps_tables_columns_and_lines(void **unused)
{
	(void)unused;
	static const int64_t data[] = { 1, 2 };
	struct lp_answer *a = answer_new();

	for (int i = 0; i < 9; i++) {
		struct lp_table *t = answer_table(a, i == 8 ? "last" : "t", 2);
		for (int c = 0; c < 9; c++)
			table_i64(t, c == 8 ? "x" : "y", NULL, LP_COUNT, 0, data, "");
		assert_int_equal(t->ncols, 9);
		assert_string_equal(t->cols[8].name, "x");
		table_footer(t, "%d", i);
		table_footer(t, "two");
		assert_string_equal(t->footer[1], "two");
		assert_null(t->footer[2]);
	}
	assert_int_equal(a->ntables, 9);
	assert_ptr_equal(lp_answer_table(a, "last"), a->tables[8]);
	assert_null(lp_answer_table(a, "nope"));
	answer_next(a, "why", "ncu %d", 1);
	assert_string_equal(a->next[0], "ncu 1\twhy");
	lp_answer_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_gives_zeroed_memory_after_a_rewind),
		cmocka_unit_test(strings_get_ids_in_order_of_first_appearance),
		cmocka_unit_test(map_finds_what_was_put),
		cmocka_unit_test(integers_are_read_whole_or_not_at_all),
		cmocka_unit_test(answer_keeps_tables_columns_and_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
