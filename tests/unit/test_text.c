/* Bytes on their way out: UTF-8, decimals, JSON. */
#include "base/decimal.h"
#include "base/jsonw.h"
#include "base/utf8.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena a;

static void utf8_is_decoded_without_trust(void **unused)
{
	(void)unused;
	static const struct {
		const char *bytes;
		uint32_t first;
		size_t length;
	} cases[] = {
		{ "a", 'a', 1 },
		{ "\xc3\xa9", 0xe9, 2 },
		{ "\xe4\xb8\xad", 0x4e2d, 3 },
		{ "\xf0\x9f\x98\x80", 0x1f600, 4 },
		{ "\xf4\x8f\xbf\xbf", 0x10ffff, 4 },
		{ "\xf4\x90\x80\x80", UTF8_BAD, 1 },
		{ "\xc0\x80", UTF8_BAD, 1 },
		{ "\xe0\x80\x80", UTF8_BAD, 1 },
		{ "\xed\xa0\x80", UTF8_BAD, 1 },
		{ "\xe4\xb8", UTF8_BAD, 1 },
		{ "\x80", UTF8_BAD, 1 },
		{ "\xe4", UTF8_BAD, 1 },
		{ "\xff", UTF8_BAD, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t at = 0;
		assert_int_equal(utf8_next(str_of(cases[i].bytes), &at), cases[i].first);
		assert_int_equal(at, cases[i].length);
	}
}

static void columns_count_wide_and_combining_characters(void **unused)
{
	(void)unused;
	assert_int_equal(utf8_columns("abc"), 3);
	assert_int_equal(utf8_columns("e\xcc\x81"), 1);
	assert_int_equal(utf8_columns("中文"), 4);
	assert_int_equal(utf8_columns("😀"), 2);
	assert_int_equal(utf8_columns("µ›…█├"), 5);
	assert_int_equal(utf8_head("中文", 3), 3);
	assert_int_equal(utf8_tail("中文", 3), 3);
	assert_int_equal(utf8_head("e\xcc\x81x", 1), 3);
	assert_int_equal(utf8_tail("xe\xcc\x81", 1), 3);
	assert_int_equal(utf8_tail("abc", 5), 3);
}

static void safe_text_cannot_move_the_cursor_or_turn_the_line(void **unused)
{
	(void)unused;
	struct str evil = STR("a\n\t\x1b[2J\x7f\xc2\x9b\xe2\x80\xae\xff\xe2\x80\xa8é");

	assert_string_equal(utf8_safe(&a, evil, UTF8_TERMINAL),
			    "a\\n\\t\\x1b[2J\\x7f\\x9b\\u202e\xef\xbf\xbd\\u2028é");
	assert_string_equal(utf8_safe(&a, evil, UTF8_ASCII),
			    "a\\n\\t\\x1b[2J\\x7f\\x9b\\u202e?\\u2028\\u00e9");
	assert_string_equal(utf8_safe(&a, evil, UTF8_LINE),
			    "a\\n\\t\\x1b[2J\\x7f\\x9b\xe2\x80\xae\xef\xbf\xbd\\u2028é");
}

static void fixed_point_has_separators_and_signs(void **unused)
{
	(void)unused;
	static const struct {
		int64_t v;
		unsigned decimals;
		bool sign;
		const char *text;
	} cases[] = {
		{ 0, 0, false, "0" },
		{ 0, 3, true, "0.000" },
		{ 7, 3, false, "0.007" },
		{ -7, 3, false, "-0.007" },
		{ 1234567, 3, true, "+1,234.567" },
		{ 999, 0, false, "999" },
		{ 1000, 0, false, "1,000" },
		{ -123456789, 0, false, "-123,456,789" },
		{ INT64_MIN, 0, false, "-9,223,372,036,854,775,808" },
		{ INT64_MAX, 3, false, "9,223,372,036,854,775.807" },
	};
	char text[DECIMAL_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned n = decimal_fixed(text, cases[i].v, cases[i].decimals, cases[i].sign);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(n, strlen(text));
	}
	assert_int_equal(decimal_divide(1499, 1000), 1);
	assert_int_equal(decimal_divide(1500, 1000), 2);
	assert_int_equal(decimal_divide(-1500, 1000), -2);
	assert_int_equal(decimal_divide(INT64_MAX, 1000), 9223372036854776);
	assert_int_equal(decimal_divide(INT64_MIN, 1), INT64_MIN);
}

static void doubles_are_the_shortest_that_read_back(void **unused)
{
	(void)unused;
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0, "0.0" },
		{ -0.0, "-0.0" },
		{ 100, "100.0" },
		{ 0.1, "0.1" },
		{ 51.20979041915466, "51.20979041915466" },
		{ 1e15, "1e+15" },
		{ 123456789012345678.0, "1.2345678901234568e+17" },
		{ 1e300, "1e+300" },
		{ 5e-324, "4.94065645841247e-324" },
		{ 1.0 / 3, "0.3333333333333333" },
	};
	char text[DECIMAL_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		decimal_f64(text, cases[i].v);
		assert_string_equal(text, cases[i].text);
	}
	uint64_t seed = 1;
	for (int i = 0; i < 20000; i++) {
		double v;

		seed = seed * 6364136223846793005 + 1442695040888963407;
		memcpy(&v, &seed, sizeof(v));
		if (!isfinite(v))
			continue;
		decimal_f64(text, v);
		assert_true(strtod(text, NULL) == v);
	}
}

static void json_strings_are_valid_whatever_the_bytes(void **unused)
{
	(void)unused;
	char *text;
	size_t n;
	struct out o = { .file = open_memstream(&text, &n) };

	jsonw_str(&o, STR("a\"\\\b\f\n\r\t\v\x01\x7f/\xff\xe2\x80\xa8\xf0\x9f\x98\x80é\0z"));
	jsonw_f64(&o, NAN);
	jsonw_f64(&o, 0.5);
	jsonw_text(&o, NULL);
	out_flush(&o);
	fclose(o.file);
	assert_string_equal(
		text,
		"\"a\\\"\\\\\\b\\f\\n\\r\\t\\u000b\\u0001\\u007f/\xef\xbf\xbd\\u2028😀é\\u0000z\""
		"null0.5null");
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_is_decoded_without_trust),
		cmocka_unit_test(columns_count_wide_and_combining_characters),
		cmocka_unit_test(safe_text_cannot_move_the_cursor_or_turn_the_line),
		cmocka_unit_test(fixed_point_has_separators_and_signs),
		cmocka_unit_test(doubles_are_the_shortest_that_read_back),
		cmocka_unit_test(json_strings_are_valid_whatever_the_bytes),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_free(&a);
	return failed;
}
