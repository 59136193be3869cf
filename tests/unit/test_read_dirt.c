/*
 * Every kind of dirt in its smallest form: what is counted, how often, where first, and
 * what is left of the events.
 */
#include "trace/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define A "{\"ph\":\"X\",\"name\":\"a\"}"
#define B "{\"ph\":\"X\",\"name\":\"b\"}"

struct dirt {
	const char *text;
	enum counter what;
	uint64_t n, byte;
	const char *names; /* of the events with a name, one letter each */
};

static const struct dirt dirts[] = {
	/* ends */
	{ "{\"traceEvents\":[" A, COUNT_TRUNCATED, 1, 37, "a" },
	{ "{\"traceEvents\":[" A ",", COUNT_TRUNCATED, 1, 37, "a" },
	{ "{\"traceEvents\":[" A ",{\"ph\":\"X\",\"dur\":1", COUNT_TRUNCATED, 1, 37, "a" },
	{ "{\"traceEvents\":[" A ",{\"ph\":\"X\",\"na", COUNT_TRUNCATED, 1, 37, "a" },
	{ "{\"traceEvents\":[" A "]", COUNT_TRUNCATED, 1, 38, "a" },
	{ "{\"traceEvents\":[" A "],\"x\":[1,", COUNT_TRUNCATED, 1, 38, "a" },
	{ "[" A ",{\"ph\":", COUNT_TRUNCATED, 1, 22, "a" },
	{ "[" A, COUNT_UNCLOSED_ARRAY, 1, 22, "a" },
	{ "[" A ",\n", COUNT_UNCLOSED_ARRAY, 1, 22, "a" },
	{ "[" A "] junk", COUNT_TRAILING_TEXT, 1, 24, "a" },
	{ "{\"traceEvents\":[" A "]}{\"traceEvents\":[" B "]}", COUNT_TRAILING_TEXT, 1, 39, "a" },
	/* commas */
	{ "[," A "]", COUNT_EXTRA_COMMA, 1, 1, "a" },
	{ "[" A ",]", COUNT_EXTRA_COMMA, 1, 22, "a" },
	{ "[" A ",, ," B "]", COUNT_EXTRA_COMMA, 2, 23, "ab" },
	{ "[{\"ph\":\"X\",,\"name\":\"a\",}]", COUNT_EXTRA_COMMA, 2, 11, "a" },
	{ "[{\"name\":\"a\",\"args\":{,\"x\":[1,],}}]", COUNT_EXTRA_COMMA, 3, 21, "a" },
	{ "{,\"x\":1,,\"traceEvents\":[" A "],}", COUNT_EXTRA_COMMA, 3, 1, "a" },
	{ "[" A B "]", COUNT_MISSING_COMMA, 1, 22, "ab" },
	{ "[" A "\n" B "," A "]", COUNT_MISSING_COMMA, 1, 23, "aba" },
	{ "[" A ", // x\n" B ", // x\n" A "]", COUNT_SYNTAX, 2, 24, "aba" },
	/* values */
	{ "[{\"name\":\"a\",\"args\":{\"x\":NaN,\"y\":-inf,\"z\":Infinity}}]",
	  COUNT_NON_FINITE_NUMBER, 3, 25, "a" },
	{ "[{\"name\":\"a\",\"args\":{\"x\":[1,nan]}}]", COUNT_NON_FINITE_NUMBER, 1, 28, "a" },
	{ "[{\"name\":\"a\",\"ts\":NaN}]", COUNT_NON_FINITE_NUMBER, 1, 18, "a" },
	{ "[{\"name\":\"a\",\"dur\":N/A,\"pid\":undefined}]", COUNT_BARE_TOKEN, 2, 19, "a" },
	{ "[{\"name\":\"a\",\"ts\":+1,\"args\":{\"x\":01,\"y\":.5}}]", COUNT_ODD_NUMBER, 3, 18,
	  "a" },
	{ "[{\"name\":\"a\",\"ts\":\"abc\"}]", COUNT_BAD_NUMBER, 1, 19, "a" },
	{ "[{\"name\":\"a\",\"ts\":null,\"dur\":[1]}]", COUNT_BAD_NUMBER, 2, 18, "a" },
	{ "[{\"name\":\"a\",\"ts\":1e300}]", COUNT_BAD_NUMBER, 1, 18, "a" },
	{ "[{\"name\":\"a\",\"args\":{\"x\":99999999999999999999}}]", COUNT_NUMBER_RANGE, 1, 25,
	  "a" },
	/* strings */
	{ "[{\"name\":\"a\",\"args\":{\"x\":\"\\q\\w\",\"y\":[\"\\q\"]}}]", COUNT_BAD_ESCAPE, 3, 26,
	  "a" },
	{ "[{\"name\":\"a\",\"cat\":\"\xff\xff\"},{\"name\":\"b\",\"cat\":\"\xff\xff\"}]",
	  COUNT_BAD_UTF8, 2, 20, "ab" },
	{ "[{\"name\":\"a\",\"args\":{\"\xfe\":1}}]", COUNT_BAD_UTF8, 1, 22, "a" },
	{ "[{\"name\":\"a\",\"x\":\"\\ud800\"}]", COUNT_LONE_SURROGATE, 1, 18, "a" },
	{ "[{\"name\":\"a\",\"x\":\"1\n2\t\"}]", COUNT_CONTROL_CHAR, 1, 19, "a" },
	{ "[{\"name\":\"a\"\"b\",\"ph\":\"X\"}," B "]", COUNT_UNESCAPED_QUOTE, 1, 11, "ab" },
	{ "[{\"ph\":\"X\",\"name\":\"a(\"q\", \"r\": 1)\",\"pid\":1}," B "]", COUNT_UNESCAPED_QUOTE,
	  1, 21, "ab" },
	{ "[{\"ph\":\"X\",\"name\":\"a\",\"args\":{\"s\":\"f(\"q\")\"}}," B "]",
	  COUNT_UNESCAPED_QUOTE, 1, 37, "ab" },
	/* events */
	{ "[" A ",{},null," B "]", COUNT_EMPTY_EVENT, 2, 23, "ab" },
	{ "[" A ",5,\"x\",[1],true," B "]", COUNT_NOT_AN_EVENT, 4, 23, "ab" },
	{ "[" A ",{\"ph\":\"X\",name\":\"q\"}," B "]", COUNT_SYNTAX, 1, 33, "ab" },
	{ "[" A ",{\"ph\":\"X\" \"name\":\"q\"}," B "]", COUNT_SYNTAX, 1, 33, "ab" },
	{ "[" A ",{\"ph\":\"X\",\"name\":}," B "]", COUNT_SYNTAX, 1, 40, "ab" },
	{ "[" A ",{\"ph\":\"X\",\"name\":\"q\"," B "," A "]", COUNT_SYNTAX, 1, 44, "aba" },
	{ "[" A ",{\"args\":{\"x\":[1}}," B "]", COUNT_SYNTAX, 1, 38, "ab" },
	{ "[" A "," A "}," B "]", COUNT_SYNTAX, 1, 44, "aab" },
	{ "[" A ",oops," B "]", COUNT_SYNTAX, 1, 23, "ab" },
	{ "[{\"ph\":x y,\"name\":\"q\"}," A "]", COUNT_SYNTAX, 1, 9, "a" },
	{ "[" A ",{\"ph\":\"X\",a b},{\"ph\":\"X\",c d}," B "]", COUNT_SYNTAX, 2, 33, "ab" },
	{ "[" A ",{\"ph\":\"X\",\"args\":{\"l\":[{\"name\":\"q\"}],z}}," B "]", COUNT_SYNTAX, 1, 60,
	  "ab" },
	{ "{\"traceEvents\":[" A ",{\"ph\":\"X\",z}],\"k\":1}", COUNT_SYNTAX, 1, 48, "a" },
	{ "{\"traceEvents\":[" A ",{\"ph\":\"X\",z}]}", COUNT_SYNTAX, 1, 48, "a" },
	{ "{\"x\":[1 2],\"traceEvents\":[" A "]}", COUNT_SYNTAX, 1, 1, "a" },
	{ "{\"traceEvents\":[" A "],\"x\":1 \"y\":2}", COUNT_MISSING_COMMA, 1, 45, "a" },
	{ "{\"traceEvents\":[" A "],\"x\":[1 2]}", COUNT_SYNTAX, 1, 39, "a" },
	{ "{\"traceEvents\":[" A "],\"traceEvents\":[" B "]}", COUNT_TWO_LISTS, 1, 53, "ab" },
};

static void check_names(const struct trace *tr, const char *names)
{
	size_t k = 0;

	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.flags[e] & EVENT_DROPPED) {
			assert_int_equal(tr->ev.lane[e], NONE);
			continue;
		}
		assert_true(names[k]);
		assert_int_equal(trace_name(tr, e).p[0], names[k]);
		k++;
	}
	assert_int_equal(names[k], '\0');
}

static void check_counts(const struct trace *tr, const struct dirt *d)
{
	for (enum counter i = 0; i < COUNTERS; i++)
		if (i != d->what && tr->counters.n[i] && counter_texts[i].severity != SEVERITY_NOTE)
			fail_msg("%s: %s is counted too", d->text, counter_texts[i].name);
	if (tr->counters.n[d->what] != d->n || tr->counters.first_byte[d->what] != d->byte)
		fail_msg("%s: %s %d at %d", d->text, counter_texts[d->what].name,
			 (int)tr->counters.n[d->what], (int)tr->counters.first_byte[d->what]);
}

static void dirt_is_counted_and_the_rest_is_kept(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(dirts); i++) {
		const struct dirt *d = &dirts[i];

		/* The smallest chunks and the largest: where they end does not matter. */
		for (size_t chunk = 1; chunk <= 4096; chunk *= 8) {
			struct read_options o = { .chunk = chunk, .threads = 1 + chunk % 3 };
			struct lp_error err = { "" };
			struct trace *tr = trace_read_memory("t", d->text, strlen(d->text), o,
							     &err);

			if (!tr)
				fail_msg("%s: %s", d->text, err.text);
			check_counts(tr, d);
			check_names(tr, d->names);
			trace_free(tr);
		}
	}
}

/* What the damaged string says is recovered whole. */
static void unescaped_quotes_are_recovered(void **unused)
{
	(void)unused;
	static const char text[] =
		"[{\"ph\":\"X\",\"name\":\"{\"device\": \"cpu\", \"x\": \"f\"}(12): run\", \"pid\": 1, "
		"\"args\": {\"s\": \"f(\"q\") and \"r\"\", \"t\": 5}}]";
	struct lp_error err;
	struct trace *tr = trace_read_memory("t", text, strlen(text), (struct read_options){ 0 },
					     &err);

	assert_non_null(tr);
	assert_int_equal(tr->ev.n, 1);
	assert_int_equal(tr->counters.n[COUNT_UNESCAPED_QUOTE], 2);
	assert_true(str_eq(trace_name(tr, 0), STR("{\"device\": \"cpu\", \"x\": \"f\"}(12): run")));
	assert_true(str_eq(arg_text(tr, 0, arg_key_id(tr, STR("s"))), STR("f(\"q\") and \"r\"")));
	int64_t t;
	assert_true(arg_i64(tr, 0, arg_key_id(tr, STR("t")), &t) && t == 5);
	trace_free(tr);
}

/* Nested deeper than any stack; hostile starts of events that never end. */
static void bombs_do_not_take_long(void **unused)
{
	(void)unused;
	enum { N = 300000 };
	static char text[8 * N + 64];
	struct lp_error err;

	memcpy(text, "[{\"args\":{\"x\":", 14);
	memset(text + 14, '[', N);
	struct trace *tr = trace_read_memory("t", text, N + 14, (struct read_options){ 0 }, &err);
	assert_non_null(tr);
	assert_int_equal(tr->ev.n, 0);
	trace_free(tr);

	size_t n = 1;
	text[0] = '[';
	while (n < N)
		n += (size_t)sprintf(text + n, "{\"ph\":[{},");
	text[n++] = '@';
	tr = trace_read_memory("t", text, n, (struct read_options){ 0 }, &err);
	assert_non_null(tr);
	trace_free(tr);

	n = 1;
	while (n < N)
		n += (size_t)sprintf(text + n, "{\"ph\":\"\"a,\"\"},");
	tr = trace_read_memory("t", text, n, (struct read_options){ 0 }, &err);
	assert_non_null(tr);
	trace_free(tr);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(dirt_is_counted_and_the_rest_is_kept),
		cmocka_unit_test(unescaped_quotes_are_recovered),
		cmocka_unit_test(bombs_do_not_take_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
