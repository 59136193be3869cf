/* However a text is read, the result is the same: on random traces, whole and damaged. */
#include "../unit/digest.h"
#include "base/simd.h"

#include "prop.h"

#define TEXT_MAX 60000

static char text[TEXT_MAX + 4096];
static size_t n;

static void put(const char *s)
{
	size_t k = strlen(s);

	if (n + k < TEXT_MAX) {
		memcpy(text + n, s, k);
		n += k;
	}
}

static const char *one_of(const char *const *list, size_t count)
{
	return list[prop_below((uint32_t)count)];
}

#define ONE_OF(...)                                  \
	one_of((const char *const[]){ __VA_ARGS__ }, \
	       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* Blanks between tokens, of one flavour in a whole text. */
static const char *after_comma, *after_colon, *between;

static void put_key(const char *key, bool first)
{
	if (!first) {
		put(",");
		put(prop_below(50) ? after_comma : " \n\t ");
	}
	put("\"");
	put(key);
	put("\":");
	put(after_colon);
}

static void put_number(void)
{
	char s[64];

	snprintf(s, sizeof(s), "%llu", (unsigned long long)(prop_next() >> prop_below(64)));
	if (!prop_below(3))
		put("-");
	put(s);
	if (!prop_below(2)) {
		snprintf(s, sizeof(s), ".%03u", prop_below(1000));
		put(s);
		put(prop_below(4) ? "" : ONE_OF("5", "49", "50", "9999999"));
	}
}

/* Some exporters put times in quotes. */
static void put_time(void)
{
	bool quoted = !prop_below(4);

	put(quoted ? "\"" : "");
	put_number();
	put(quoted ? "\"" : "");
}

static void put_string(void)
{
	char s[64];

	put("\"");
	if (!prop_below(12))
		put(ONE_OF("a\\nb", "\\u0061", "\\q", "\\ud800", "\xff", "\x01", "\\\\", "\\\"",
			   "a name that is longer than thirty-two bytes, to be sure of it"));
	snprintf(s, sizeof(s), "s%u", prop_below(60));
	put(s);
	put("\"");
}

static void put_value(void)
{
	switch (prop_below(12)) {
	case 0:
		put(ONE_OF("true", "false", "null", "[]", "{}", "[[1, 2], []]", "[ 1,\n2 ]",
			   "{\"a\": [\"]\", \"}\"]}"));
		break;
	case 1:
		put(ONE_OF("1e5", "01", "NaN", "N/A", "-inf", "123456789012345678901234",
			   "9223372036854775808", "0.0000000001", "[1,,2,]", "[NaN]"));
		break;
	case 2:
	case 3:
		put_string();
		break;
	default:
		put_number();
	}
}

static void put_args(void)
{
	put("{");
	for (uint32_t i = 0, k = prop_below(5); i < k; i++) {
		put_key(ONE_OF("External id", "correlation", "Input Dims", "stream", "device",
			       "a key that is longer than thirty-two bytes, too", "k\\u0061"),
			!i);
		put_value();
	}
	put("}");
}

static void put_field(const char *key, bool first)
{
	put_key(key, first);
	if (!strcmp(key, "args") && prop_below(30))
		put_args();
	else if (!strcmp(key, "ph"))
		put(prop_below(20) ? ONE_OF("\"X\"", "\"X\"", "\"M\"", "\"s\"")
				   : ONE_OF("1", "\"\"", "null"));
	else if ((!strcmp(key, "ts") || !strcmp(key, "dur")) && prop_below(20))
		put_time();
	else if ((!strcmp(key, "name") || !strcmp(key, "cat")) && prop_below(20))
		put_string();
	else if ((!strcmp(key, "pid") || !strcmp(key, "tid")) && prop_below(20))
		put(ONE_OF("1", "2", "\"main\"", "77"));
	else
		put_value();
}

static void put_event(void)
{
	static const char *const keys[] = { "ph",  "cat",  "name", "pid", "tid",  "ts",
					    "dur", "args", "id",   "bp",  "other" };
	bool first = true;

	put("{");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (prop_below(i < 8 ? 20 : 2) && (first || prop_below(60))) {
			put_field(keys[i], first);
			first = false;
		}
	put("}");
}

static void put_trace(void)
{
	bool object = prop_below(2);

	after_comma = ONE_OF("", " ", "\n    ");
	after_colon = ONE_OF("", " ");
	between = ONE_OF("", " ", "\n  ", "\n");
	n = 0;
	put(object ? "{\"schemaVersion\": 1, \"traceEvents\": [" : "[");
	for (uint32_t i = 0, k = prop_below(60); i < k; i++) {
		put(i ? "," : "");
		put(between);
		put_event();
	}
	put(object ? "], \"traceName\": \"x\"}" : "]");
}

/* Cuts, drops, doubles or overwrites a few bytes somewhere. */
static void damage(void)
{
	size_t at = prop_below((uint32_t)n), most = prop_below(30), k = MIN_OF(n - at, most);

	switch (prop_below(5)) {
	case 0:
		n = at;
		break;
	case 1:
		memmove(text + at, text + at + k, n - at - k);
		n -= k;
		break;
	case 2:
		memmove(text + at + k, text + at, n - at);
		n += k;
		break;
	default:
		text[at] = "\"\"\\{}[],: x0\n"[prop_below(13)];
	}
}

static uint64_t digest_as(struct read_options o, struct lp_error *err)
{
	struct trace *tr = trace_read_memory("t", text, n, o, err);
	uint64_t h = tr ? digest_trace(tr) : 0;

	trace_free(tr);
	return h;
}

static void all_ways_to_read_agree(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(400); round++) {
		struct lp_error want = { "" }, got = { "" };

		prop_start(round);
		put_trace();
		for (uint32_t k = prop_below(4); k && n; k--)
			damage();
		uint64_t h = digest_as((struct read_options){ .careful = true, .threads = 1 },
				       &want);
		for (unsigned i = 0; i < 4; i++) {
			struct read_options o = { .threads = 1 + prop_below(3),
						  .chunk = i ? 1 + prop_below(1u << (3 * i)) : 0,
						  .careful = i == 2 };

			o.simd = simd_index((enum simd_level)i) ? (int)i + 1 : 0;
			PROP_CHECK(round, digest_as(o, &got) == h);
			PROP_CHECK(round, !strcmp(got.text, want.text));
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways_to_read_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
