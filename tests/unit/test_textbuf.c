#include "base/textbuf.h"

#include <setjmp.h>

#include <cmocka.h>

static void grows_and_starts_again_after_keep(void **unused)
{
	struct arena a = { 0 };
	struct textbuf b = { .arena = &a };

	assert_string_equal(textbuf_keep(&b, &a), "");
	for (int i = 0; i < 1000; i++)
		textbuf_print(&b, "%d,", i % 10);
	const char *text = textbuf_keep(&b, &a);
	assert_int_equal(strlen(text), 2000);
	assert_memory_equal(text + 1980, "0,1,2,3,4,5,6,7,8,9,", 20);
	textbuf_add(&b, STR("again"));
	assert_string_equal(textbuf_keep(&b, &a), "again");
	arena_free(&a);
}

static void json_escapes_what_json_must(void **unused)
{
	struct arena a = { 0 };
	struct textbuf b = { .arena = &a };

	textbuf_json(&b, STR("a\"b\\c\n\x01µ"));
	textbuf_json(&b, STR(""));
	assert_string_equal(textbuf_keep(&b, &a), "\"a\\\"b\\\\c\\u000a\\u0001µ\"\"\"");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_starts_again_after_keep),
		cmocka_unit_test(json_escapes_what_json_must),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
