#include "base/json.h"
#include "base/jsontext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The tokens of a text: "[" "]" "{" "}", key=value, with depths. */
static const char *walk(const char *text)
{
	static char out[1000];
	struct json j = json_open(str_of(text));
	size_t n = 0;

	out[0] = '\0';
	while (json_next(&j))
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%u:%.*s%s%.*s", n ? " " : "",
				      j.depth, STR_ARGS(j.key), j.key.p ? "=" : "",
				      STR_ARGS(j.text));
	if (j.bad)
		snprintf(out + n, sizeof(out) - n, " bad");
	return out;
}

static void json_gives_tokens_with_keys_and_depths(void **unused)
{
	(void)unused;
	assert_string_equal(walk("[[2, -3.5e1], [], \"x\"]"),
			    "0:[ 1:[ 2:2 2:-3.5e1 1:] 1:[ 1:] 1:x 0:]");
	assert_string_equal(walk("{\"a\": {\"b\": null}, \"c\": [true]}"),
			    "0:{ 1:a={ 2:b=null 1:} 1:c=[ 2:true 1:] 0:}");
	assert_string_equal(walk("7"), "0:7");
	assert_string_equal(walk("\"a\\\"b\""), "0:a\\\"b");
	assert_string_equal(walk(""), "");
	assert_string_equal(walk("[1"), "0:[ 1:1 bad");
	assert_string_equal(walk("]"), " bad");
	assert_string_equal(walk("[\"x"), "0:[ bad");
}

static void json_skips_finds_and_converts(void **unused)
{
	(void)unused;
	const char *text = "{\"a\": [1, {\"x\": 5}], \"x\": 6, \"s\": \"q\\n\", \"x\": 7}";
	struct json j = json_open(str_of(text));
	struct arena a = { 0 };
	int64_t i;
	double d;

	assert_true(json_next(&j) && json_next(&j) && j.type == JSON_LIST);
	assert_true(str_eq(json_skip(&j), STR("[1, {\"x\": 5}]")));
	assert_true(json_next(&j) && str_eq(j.key, STR("x")) && json_i64(&j, &i) && i == 6);
	assert_true(json_f64(&j, &d) && d == 6.0);
	assert_true(str_eq(json_get(str_of(text), "x"), STR("7")));
	assert_true(str_eq(json_get(str_of(text), "s"), STR("\"q\\n\"")));
	assert_true(str_eq(json_get(str_of(text), "a"), STR("[1, {\"x\": 5}]")));
	assert_null(json_get(str_of(text), "none").p);
	assert_true(str_eq(json_string(&a, STR("q\\n")), STR("q\n")));
	arena_free(&a);
}

static void a_thousand_levels_are_no_trouble(void **unused)
{
	(void)unused;
	static char deep[20001];
	const char *p = deep;

	memset(deep, '[', 2000);
	memset(deep + 2000, ']', 2000);
	assert_int_equal(json_value_end(&p, deep + 4000), SCAN_OK);
	assert_ptr_equal(p, deep + 4000);
	memset(deep, '[', 20000);
	p = deep;
	assert_int_equal(json_value_end(&p, deep + 20000), SCAN_BAD);
}

static enum scan end_of(const char *text, size_t *n)
{
	const char *p = text;
	enum scan s = json_value_end(&p, text + strlen(text));

	*n = (size_t)(p - text);
	return s;
}

static void a_value_is_whole_cut_or_broken(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		enum scan scan;
		size_t n;
	} of[] = {
		{ "[1, 2] x", SCAN_OK, 6 },       { "{\"a\": {}},", SCAN_OK, 9 },
		{ "\"s\\\"\",", SCAN_OK, 5 },     { "12,", SCAN_OK, 2 },
		{ "[1, 2", SCAN_MORE, 0 },        { "12", SCAN_MORE, 0 },
		{ "\"abc", SCAN_MORE, 0 },        { "{\"a\"", SCAN_MORE, 0 },
		{ "[1 2]", SCAN_BAD, 0 },         { "{\"a\" 1}", SCAN_BAD, 0 },
		{ "{1: 2}", SCAN_BAD, 0 },        { "[}", SCAN_BAD, 0 },
		{ "{\"a\": ,}", SCAN_BAD, 0 },    { "[1,,2,]", SCAN_OK, 7 },
		{ "{,\"a\": 1,}", SCAN_OK, 10 },  { "{\"a\": 1 \"b\": 2}", SCAN_BAD, 0 },
		{ "[\"a\" \"b\"]", SCAN_BAD, 0 }, { "{\"a\": N/A}", SCAN_OK, 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		size_t n;

		assert_int_equal(end_of(of[i].text, &n), of[i].scan);
		if (of[i].scan == SCAN_OK)
			assert_int_equal(n, of[i].n);
	}
}

static void tidy_is_one_line_as_python_writes_it(void **unused)
{
	(void)unused;
	char out[200];
	struct faults f = { 0 };
	struct str raw = STR("[ [1,2] ,\n\t{\"a\":NaN,\"b\" : N/A ,} , [, 3,,4,]]");
	size_t n = json_tidy(raw, out, &f);

	assert_true(
		str_eq((struct str){ out, n }, STR("[[1, 2], {\"a\": NaN, \"b\": N/A}, [3, 4]]")));
	assert_int_equal(f.n[FAULT_EXTRA_COMMA], 4);
	assert_int_equal(f.at[FAULT_EXTRA_COMMA], 30);
	assert_int_equal(f.n[FAULT_NON_FINITE], 1);
	assert_int_equal(f.at[FAULT_NON_FINITE], 16);
	assert_int_equal(f.n[FAULT_BARE_TOKEN], 1);
	n = json_tidy((struct str){ out, n }, out + 100, NULL);
	assert_memory_equal(out, out + 100, n);
}

static void check_unescape(const char *raw, const char *says, enum fault fault, uint32_t n,
			   uint32_t at)
{
	char out[200];
	struct faults f = { 0 };
	size_t k = json_unescape(str_of(raw), out, &f, 0);

	assert_int_equal(k, strlen(says));
	assert_memory_equal(out, says, k);
	assert_int_equal(f.any, n > 0);
	assert_int_equal(f.n[fault], n);
	if (n)
		assert_int_equal(f.at[fault], at);
}

static void strings_say_what_they_say(void **unused)
{
	(void)unused;
	check_unescape("a\\n\\t\\\\\\/\\\"b", "a\n\t\\/\"b", FAULT_BAD_ESCAPE, 0, 0);
	check_unescape("\\u0061\\u00e9\\u2713\\ud83d\\ude80", "aé✓🚀", FAULT_BAD_ESCAPE, 0, 0);
	check_unescape("D:\\work\\user", "D:\\work\\user", FAULT_BAD_ESCAPE, 2, 2);
	check_unescape("x\\u12", "x\\u12", FAULT_BAD_ESCAPE, 1, 1);
	check_unescape("x\\", "x\\", FAULT_BAD_ESCAPE, 1, 1);
	check_unescape("\\ud800x", "\xed\xa0\x80x", FAULT_LONE_SURROGATE, 1, 0);
	check_unescape("\\udc00\\ud800", "\xed\xb0\x80\xed\xa0\x80", FAULT_LONE_SURROGATE, 2, 0);
	check_unescape("\\u0000", "\\u0000", FAULT_BAD_ESCAPE, 0, 0);
	check_unescape("a\xff\xfe", "a\xff\xfe", FAULT_BAD_UTF8, 1, 1);
	check_unescape("\xc0\x80", "\xc0\x80", FAULT_BAD_UTF8, 1, 0);
	check_unescape("ok\xe2\x9c", "ok\xe2\x9c", FAULT_BAD_UTF8, 1, 2);
	check_unescape("\xed\xa0\x80", "\xed\xa0\x80", FAULT_BAD_UTF8, 1, 0);
	check_unescape("\xf4\x90\x80\x80", "\xf4\x90\x80\x80", FAULT_BAD_UTF8, 1, 0);
	check_unescape("a\nb\n", "a\nb\n", FAULT_CONTROL_CHAR, 1, 1);
}

static void words_are_told_apart(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		enum word word;
	} of[] = {
		{ "0", WORD_NUMBER },          { "-12.5e+3", WORD_NUMBER },
		{ "1E5", WORD_NUMBER },        { "01", WORD_ODD_NUMBER },
		{ "+1", WORD_ODD_NUMBER },     { ".5", WORD_ODD_NUMBER },
		{ "5.", WORD_ODD_NUMBER },     { "-", WORD_BARE },
		{ "1e", WORD_BARE },           { "0x7f", WORD_BARE },
		{ "N/A", WORD_BARE },          { "undefined", WORD_BARE },
		{ "nan", WORD_NON_FINITE },    { "-Infinity", WORD_NON_FINITE },
		{ "inf", WORD_NON_FINITE },    { "-nan(ind)", WORD_NON_FINITE },
		{ "1.#INF", WORD_NON_FINITE }, { "True", WORD_BARE },
		{ "true", WORD_TRUE },         { "null", WORD_NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++)
		assert_int_equal(json_word(str_of(of[i].text)), of[i].word);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_gives_tokens_with_keys_and_depths),
		cmocka_unit_test(json_skips_finds_and_converts),
		cmocka_unit_test(a_thousand_levels_are_no_trouble),
		cmocka_unit_test(a_value_is_whole_cut_or_broken),
		cmocka_unit_test(tidy_is_one_line_as_python_writes_it),
		cmocka_unit_test(strings_say_what_they_say),
		cmocka_unit_test(words_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
