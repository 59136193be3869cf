#include "trace/read.h"

#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct trace *read_text(const char *text, struct lp_error *err)
{
	return trace_read_memory("t.json", text, strlen(text), (struct read_options){ 0 }, err);
}

static struct trace *must_read(const char *text)
{
	struct lp_error err = { "" };
	struct trace *tr = read_text(text, &err);

	if (!tr)
		print_error("%s\n", err.text);
	assert_non_null(tr);
	return tr;
}

/* All of one event's arguments: "key=text ...", types by a letter. */
static const char *args_of(const struct trace *tr, event_id e)
{
	static char out[2000];
	struct arg a;
	size_t n = 0;

	out[0] = '\0';
	for (uint32_t i = 0; arg_at(tr, e, i, &a); i++)
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%.*s=%c%.*s", n ? " " : "",
				      STR_ARGS(strings_get(&tr->args.keys, a.key)),
				      "iwstTFN"[a.type], STR_ARGS(arg_text(tr, e, a.key)));
	return out;
}

static const char *string_at(const struct trace *tr, string_id id)
{
	return id == NONE ? "-" : strings_get(&tr->strings, id).p;
}

static void an_event_fills_all_columns(void **unused)
{
	(void)unused;
	const char *text =
		"{\"schemaVersion\": 1, \"traceEvents\": [\n"
		"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 7, "
		"\"tid\": \"main\", \"ts\": 1711111111111111.123, \"dur\": 0.5, \"args\": "
		"{\"External id\": 5, \"Input Dims\": [[2,3], []], \"big\": -5, \"u\": "
		"\"x\", \"f\": 0.25, \"t\": true, \"n\": null, \"o\": {\"a\":1}}},\n"
		"{\"ph\": \"X\", \"name\": \"b\", \"pid\": 7, \"tid\": 8, \"ts\": 3, "
		"\"dur\": 4}\n], \"traceName\": \"x.json\"}";
	struct trace *tr = must_read(text);

	assert_int_equal(tr->ev.n, 2);
	assert_true(tr->ev.ts[0] == 1711111111111111123 && tr->ev.dur[0] == 500);
	assert_true(str_eq(trace_name(tr, 0), STR("aten::mm")));
	assert_true(str_eq(strings_get(&tr->cats, tr->ev.cat[0]), STR("cpu_op")));
	assert_int_equal(tr->ev.ph[0], 'X');
	assert_int_equal(tr->ev.flags[0], 0);
	assert_string_equal(args_of(tr, 0), "External id=i5 Input Dims=t[[2, 3], []] big=w-5 u=sx "
					    "f=t0.25 t=Ttrue n=Nnull o=t{\"a\": 1}");
	assert_int_equal(tr->ev.cat[1], UINT16_MAX);
	assert_string_equal(args_of(tr, 1), "");
	assert_int_equal(tr->lanes.n, 2);
	assert_string_equal(string_at(tr, tr->lanes.at[tr->ev.lane[0]].pid), "7");
	assert_string_equal(string_at(tr, tr->lanes.at[tr->ev.lane[0]].tid), "main");
	assert_string_equal(string_at(tr, tr->lanes.at[tr->ev.lane[1]].tid), "8");
	assert_int_equal(trace_place(tr, 0), strchr(text, '\n') + 1 - text);
	assert_int_equal(text[trace_place(tr, 1)], '{');
	assert_true(str_eq(trace_meta(tr, "schemaVersion"), STR("1")));
	assert_true(str_eq(trace_meta(tr, "traceName"), STR("\"x.json\"")));
	assert_null(trace_meta(tr, "traceEvents").p);
	assert_int_equal(tr->source.size, strlen(text));
	for (int i = 0; i < COUNTERS; i++)
		assert_int_equal(tr->counters.n[i], 0);
	trace_free(tr);
}

static void arguments_are_found_by_key(void **unused)
{
	(void)unused;
	struct trace *tr = must_read(
		"[{\"ph\":\"X\",\"id\":77,\"bp\":\"e\",\"args\":{\"stream\":7,\"stream\":\"9\","
		"\"correlation\":18446744073709551615,\"device\":-1,\"x y\":4294967296}}]");
	int64_t v;
	struct arg a;

	assert_true(arg_i64(tr, 0, KEY_STREAM, &v) && v == 9); /* the last, digits in a string */
	assert_false(arg_i64(tr, 0, KEY_CORRELATION, &v));
	assert_true(str_eq(arg_text(tr, 0, KEY_CORRELATION), STR("18446744073709551615")));
	assert_true(arg_i64(tr, 0, KEY_DEVICE, &v) && v == -1);
	assert_true(arg_i64(tr, 0, KEY_ID, &v) && v == 77);
	assert_true(str_eq(arg_text(tr, 0, KEY_BIND_POINT), STR("e")));
	assert_true(arg_i64(tr, 0, arg_key_id(tr, STR("x y")), &v) && v == 4294967296);
	assert_int_equal(arg_key_id(tr, STR("nope")), UINT16_MAX);
	assert_false(arg_find(tr, 0, KEY_EXTERNAL_ID, &a));
	assert_null(arg_text(tr, 0, KEY_EXTERNAL_ID).p);
	trace_free(tr);
}

/* A length that is not given: unknown for X and B, nothing for points in time. */
static void missing_fields_are_missing(void **unused)
{
	(void)unused;
	struct trace *tr = must_read(
		"[{\"ph\":\"X\",\"ts\":1},{\"ph\":\"B\",\"ts\":1},{\"ph\":\"i\","
		"\"ts\":1},{\"name\":\"q\",\"dur\":2},{\"ph\":\"XYZ\",\"pid\":null}]");

	assert_true(tr->ev.dur[0] == NSEC_NONE && tr->ev.dur[1] == NSEC_NONE);
	assert_true(tr->ev.dur[2] == 0 && tr->ev.dur[3] == 2000);
	assert_true(tr->ev.ts[3] == NSEC_NONE && tr->ev.ph[3] == 0 && tr->ev.name[0] == NONE);
	assert_int_equal(tr->ev.ph[4], 'X');
	assert_int_equal(tr->lanes.n, 1);
	assert_int_equal(tr->lanes.at[0].pid, NONE);
	trace_free(tr);
}

static void spellings_of_one_string_meet(void **unused)
{
	(void)unused;
	struct trace *tr = must_read(
		"[{\"name\":\"a\"},{\"name\":\"\\u0061\"},{\"name\":\"\\\\\"},"
		"{\"n\\u0061me\":\"a\"},{\"args\":{\"d\":[1,2]}},{\"args\":{\"d\":[ 1,\n2 "
		"]}},{\"args\":{\"\\u0064\":[1, 2]}},{\"name\":\"[1, 2]\"}]");

	assert_int_equal(tr->ev.name[0], tr->ev.name[1]);
	assert_int_equal(tr->ev.name[0], tr->ev.name[3]);
	assert_true(str_eq(trace_name(tr, 2), STR("\\")));
	for (event_id e = 5; e < 7; e++)
		assert_string_equal(args_of(tr, e), "d=t[1, 2]");
	assert_int_equal(tr->strings.n, 3);
	trace_free(tr);
}

static void roots_of_all_kinds(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		uint32_t events, meta;
	} of[] = {
		{ "[]", 0, 0 },
		{ "{}", 0, 0 },
		{ "{\"traceEvents\":null}", 0, 0 },
		{ "\xef\xbb\xbf [ {\"ph\":\"X\"} ] \r\n", 1, 0 },
		{ "{\"a\":\"traceEvents\",\"b\":{\"traceEvents\":[{\"ph\":\"X\"}]},\"traceEvents\":[]}",
		  0, 2 },
		{ "{\"a\":\"\\\"traceEvents\\\": [\",\"traceEvents\":[{\"ph\":\"X\"}],\"z\":[1]}",
		  1, 2 },
		{ "{\"traceEvents\":[{\"ph\":\"X\"}],\"q\":5,\"q\":6}", 1, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		struct trace *tr = must_read(of[i].text);

		assert_int_equal(tr->ev.n, of[i].events);
		assert_int_equal(tr->nmeta, of[i].meta);
		assert_int_equal(tr->counters.n[COUNT_NO_EVENTS], !of[i].events);
		if (i == 6)
			assert_true(str_eq(trace_meta(tr, "q"), STR("6")));
		trace_free(tr);
	}
}

static void what_is_no_trace_is_named(void **unused)
{
	(void)unused;
	static const struct {
		const char *text, *says;
		size_t n;
	} of[] = {
		{ "", "empty", 0 },
		{ " \n\t", "blanks", 0 },
		{ "PK\3\4....", "zip", 0 },
		{ "SQLite format 3\0....", "SQLite", 20 },
		{ "\x7f"
		  "ELF..",
		  "ELF", 0 },
		{ "\x89PNG\r\n", "PNG", 0 },
		{ "\x28\xb5\x2f\xfd..", "zstd", 0 },
		{ "BZh9", "bzip2", 0 },
		{ "\xfd"
		  "7zXZ\0",
		  "xz", 6 },
		{ "\xff\xfe{\0", "UTF-16", 4 },
		{ "<!DOCTYPE html><html>", "HTML", 0 },
		{ "\n\x05\x12\x03"
		  "abc",
		  "binary", 0 },
		{ "hello", "not JSON", 0 },
		{ "{\"resourceSpans\":[]}", "OpenTelemetry", 0 },
		{ "{\"profiles\":[],\"shared\":{}}", "speedscope", 0 },
		{ "{\"nodes\":[],\"schema\":\"1\"}", "execution trace", 0 },
		{ "{\"nodes\":[],\"samples\":[]}", "CPU profile", 0 },
		{ "{\"meta\":{},\"threads\":[]}", "Firefox", 0 },
		{ "{\"a\":1}", "no traceEvents", 0 },
		{ "{\"a\":1,", "cut off", 0 },
		{ "{\"traceEvents\":{}}", "not a list", 0 },
		{ "{\"traceEvents\":\"x\"}", "not a list", 0 },
		{ "{a}", "not JSON", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		struct lp_error err = { "" };
		size_t n = of[i].n ? of[i].n : strlen(of[i].text);

		assert_null(
			trace_read_memory("t", of[i].text, n, (struct read_options){ 0 }, &err));
		if (!strstr(err.text, of[i].says))
			print_error("want '%s', got '%s'\n", of[i].says, err.text);
		assert_non_null(strstr(err.text, of[i].says));
		assert_memory_equal(err.text, "t: ", i < 20 ? 3 : 2);
	}
}

static void tar_is_told_from_its_middle(void **unused)
{
	(void)unused;
	char tar[600] = "trace.json";
	struct lp_error err;

	memcpy(tar + 257, "ustar", 5);
	assert_null(trace_read_memory("t", tar, sizeof(tar), (struct read_options){ 0 }, &err));
	assert_non_null(strstr(err.text, "tar archive"));
}

static void strict_names_the_first_oddity_by_line_and_byte(void **unused)
{
	(void)unused;
	const char *text = "[{\"ph\":\"X\"},\n {\"ph\":\"X\", \"ts\": nope},\n{\"ph\":\"X\",}]";
	struct read_options strict = { .strict = true };
	struct lp_error err;

	assert_null(trace_read_memory("t", text, strlen(text), strict, &err));
	assert_non_null(strstr(err.text, "t: line 2, byte 31: BARE_TOKEN"));
	/* Notes are no reason to stop. */
	struct trace *tr = trace_read_memory("t", "[{\"ph\":\"X\"}", 11, strict, &err);
	assert_non_null(tr);
	assert_int_equal(tr->counters.n[COUNT_UNCLOSED_ARRAY], 1);
	trace_free(tr);
}

static void lines_of_bytes(void **unused)
{
	(void)unused;
	struct trace *tr = must_read("[\n{\"ph\":\"X\"},\n\n{\"ph\":\"X\"}]");
	uint64_t byte[] = { 0, 1, 2, trace_place(tr, 1), 1000 }, line[5];

	assert_true(trace_lines(tr, byte, line, 5));
	assert_int_equal(line[0], 1);
	assert_int_equal(line[1], 1);
	assert_int_equal(line[2], 2);
	assert_int_equal(line[3], 4);
	assert_int_equal(line[4], 4);
	trace_free(tr);
}

/* More rows than a block, and a place and arguments that count from its base. */
static void many_events_keep_places_and_arguments(void **unused)
{
	(void)unused;
	enum { N = 150000 };
	char *text = malloc(N * 64 + 2);
	size_t n = 0;

	text[n++] = '[';
	for (int i = 0; i < N; i++)
		n += (size_t)sprintf(text + n, "%s{\"ph\":\"X\",\"ts\":%d,\"args\":{\"i\":%d}}",
				     i ? "," : "", i, i);
	text[n++] = ']';
	struct lp_error err;
	struct trace *tr = trace_read_memory("t", text, n, (struct read_options){ 0 }, &err);
	assert_non_null(tr);
	assert_int_equal(tr->ev.n, N);
	uint16_t key = arg_key_id(tr, STR("i"));
	for (event_id e = 0; e < N; e += 97) {
		int64_t v;

		assert_true(arg_i64(tr, e, key, &v) && v == e);
		assert_memory_equal(text + trace_place(tr, e), "{\"ph\"", 5);
		assert_int_equal(strtol(text + trace_place(tr, e) + 15, NULL, 10), e);
	}
	trace_free(tr);
	free(text);
}

/* Keys and categories beyond what their small ids can name. */
static void too_many_keys_and_categories_share(void **unused)
{
	(void)unused;
	enum { N = 70000 };
	char *text = malloc(N * 48 + 2);
	size_t n = 0;

	text[n++] = '[';
	for (int i = 0; i < N; i++)
		n += (size_t)sprintf(text + n, "%s{\"cat\":\"c%d\",\"args\":{\"k%d\":%d}}",
				     i ? "," : "", i, i, i);
	text[n++] = ']';
	struct lp_error err;
	struct trace *tr = trace_read_memory("t", text, n, (struct read_options){ 0 }, &err);
	assert_non_null(tr);
	assert_int_equal(tr->ev.n, N);
	assert_int_equal(tr->cats.n, UINT16_MAX);
	assert_int_equal(tr->ev.cat[N - 1], UINT16_MAX);
	struct arg a;
	assert_true(arg_at(tr, N - 1, 0, &a) && a.key == ARG_KEY_MAX && a.value == N - 1);
	assert_true(tr->counters.n[COUNT_ARG_KEYS_MANY] > 0);
	assert_true(tr->counters.n[COUNT_CATEGORIES_MANY] > 0);
	trace_free(tr);
	free(text);
}

/* The fast reader must not run past the window of its index, whatever stands there. */
static void an_event_may_be_longer_than_any_window(void **unused)
{
	(void)unused;
	enum { N = 200000 };
	char *text = malloc(N * 12 + 100);
	size_t n = (size_t)sprintf(text, "[{\"ph\":\"X\",\"args\":{\"a\":1");

	for (int i = 1; i < N; i++)
		n += (size_t)sprintf(text + n, ",\"a\":%d", i);
	n += (size_t)sprintf(text + n, "}},{\"ph\":\"X\",\"name\":\"b\"},{\"name\":\"");
	memset(text + n, 'x', N);
	n += N;
	n += (size_t)sprintf(text + n, "\"}]");
	for (int careful = 0; careful < 2; careful++) {
		struct read_options o = { .careful = careful, .threads = 2 };
		struct lp_error err;
		struct trace *tr = trace_read_memory("t", text, n, o, &err);

		assert_non_null(tr);
		assert_int_equal(tr->ev.n, 3);
		assert_int_equal(tr->args.n, N);
		assert_true(str_eq(trace_name(tr, 1), STR("b")));
		assert_int_equal(trace_name(tr, 2).n, N);
		trace_free(tr);
	}
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_fills_all_columns),
		cmocka_unit_test(arguments_are_found_by_key),
		cmocka_unit_test(missing_fields_are_missing),
		cmocka_unit_test(spellings_of_one_string_meet),
		cmocka_unit_test(roots_of_all_kinds),
		cmocka_unit_test(what_is_no_trace_is_named),
		cmocka_unit_test(tar_is_told_from_its_middle),
		cmocka_unit_test(strict_names_the_first_oddity_by_line_and_byte),
		cmocka_unit_test(lines_of_bytes),
		cmocka_unit_test(many_events_keep_places_and_arguments),
		cmocka_unit_test(an_event_may_be_longer_than_any_window),
		cmocka_unit_test(too_many_keys_and_categories_share),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
