/* The page as a file: how tables travel in it, and that no name becomes markup. */
#include "base/base64.h"
#include "base/table.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

/* ---- taking a page apart ---- */

static char *write_page(const struct lp_answer *a, size_t *n)
{
	char *page;
	struct lp_error err = { "" };
	FILE *out = open_memstream(&page, n);

	assert_true(lp_write(a, LP_HTML, (struct lp_write_options){ 0 }, out, &err));
	fclose(out);
	return page;
}

static int digit(char c)
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 26
	       : c >= '0' && c <= '9' ? c - '0' + 52
	       : c == '+'             ? 62
	       : c == '/'             ? 63
				      : -1;
}

/* Returns how many bytes; `out` has room for n * 3 / 4. */
static size_t base64_read(const char *text, size_t n, unsigned char *out)
{
	size_t done = 0;
	uint32_t bits = 0;
	unsigned have = 0;

	for (size_t i = 0; i < n && text[i] != '='; i++) {
		assert_int_not_equal(digit(text[i]), -1);
		bits = bits << 6 | (uint32_t)digit(text[i]);
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[done++] = (unsigned char)(bits >> have);
		}
	}
	return done;
}

static char *gunzip(unsigned char *bytes, size_t n)
{
	size_t room = 1 << 20;
	char *text = malloc(room);
	z_stream z = { .next_in = bytes,
		       .avail_in = (unsigned)n,
		       .next_out = (unsigned char *)text,
		       .avail_out = (unsigned)room - 1 };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	text[z.total_out] = '\0';
	inflateEnd(&z);
	return text;
}

/* The JSON in a page. */
static char *unpack(const char *page)
{
	static const char open[] = "<script id=\"data\" type=\"application/octet-stream;base64\">";
	const char *from = strstr(page, open);

	assert_non_null(from);
	from += sizeof(open) - 1;
	size_t n = (size_t)(strstr(from, "</script>") - from);
	unsigned char *bytes = malloc(n);
	char *json = gunzip(bytes, base64_read(from, n, bytes));

	free(bytes);
	return json;
}

static void assert_data(struct lp_answer *a, const char *want)
{
	size_t n;
	char *page = write_page(a, &n), *json = unpack(page);

	assert_string_equal(json, want);
	free(json);
	free(page);
	lp_answer_free(a);
}

/* ---- base64 ---- */

static void base64_of_any_length_in_any_pieces(void **unused)
{
	(void)unused;
	/* RFC 4648, section 10 */
	static const char *const want[] = { "",         "Zg==",     "Zm8=",    "Zm9v",
					    "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };

	for (size_t n = 0; n < 7; n++) {
		for (size_t first = 0; first <= n; first++) {
			char *text;
			size_t size;
			FILE *out = open_memstream(&text, &size), *in = base64_open(out);

			fwrite("foobar", 1, first, in);
			fflush(in);
			fwrite(&"foobar"[first], 1, n - first, in);
			assert_int_equal(fclose(in), 0);
			fclose(out);
			assert_string_equal(text, want[n]);
			free(text);
		}
	}
}

/* ---- columns ---- */

static void every_type_and_what_is_missing(void **unused)
{
	(void)unused;
	static const char *const name[] = { "a", NULL, "\"\\\n<", "\xff" };
	static const int64_t ns[] = { 3, LP_NULL, -1, (INT64_C(1) << 53) + 1 };
	static const double percent[] = { 0.1, NAN, INFINITY, 1e300 };
	static const int64_t flag[] = { 1, 0, LP_NULL, 1 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 4);

	answer_headline(a, "One.");
	answer_doubt(a, "perhaps");
	table_str(t, "name", "Name", LP_NAME, name, "what it is");
	table_i64(t, "time_ns", NULL, LP_NSEC, LP_SUM, ns, "");
	table_f64(t, "percent", "", LP_PERCENT, 0, percent, "");
	table_bool(t, "flag", NULL, LP_DETAIL, flag, "");
	assert_data(
		a,
		"{\"version\":1,\"kind\":\"answer\",\n\"headline\":\"One.\",\n\"doubts\":[\"perhaps\"],\n\"next\":[],\n"
		"\"tables\":[\n{\"name\":\"t\",\"rows\":4,\"tree\":false,\"detail\":false,\"columns\":[\n"
		"{\"name\":\"name\",\"title\":\"Name\",\"help\":\"what it is\",\"type\":\"str\",\"unit\":\"plain\",\"flags\":16,"
		"\"data\":[\"a\",null,\"\\\"\\\\\\n<\",\"\xef\xbf\xbd\"]},\n"
		"{\"name\":\"time_ns\",\"title\":null,\"help\":\"\",\"type\":\"i64\",\"unit\":\"nsec\",\"flags\":1,"
		"\"data\":[3,null,-1,\"9007199254740993\"]},\n"
		"{\"name\":\"percent\",\"title\":\"\",\"help\":\"\",\"type\":\"f64\",\"unit\":\"percent\",\"flags\":0,"
		"\"data\":[0.1,null,null,1e+300]},\n"
		"{\"name\":\"flag\",\"title\":null,\"help\":\"\",\"type\":\"bool\",\"unit\":\"plain\",\"flags\":2,"
		"\"data\":[1,0,null,1]}]}]}\n");
}

/* The data of the one column of a table, up to its end. */
static void assert_column(struct lp_answer *a, const char *want)
{
	size_t n;
	char *page = write_page(a, &n), *json = unpack(page), *data = strstr(json, "\"data\":") + 7;

	*strstr(data, "}]}]}") = '\0';
	assert_string_equal(data, want);
	free(json);
	free(page);
	lp_answer_free(a);
}

static struct lp_answer *numbers(const int64_t *v, uint32_t n)
{
	struct lp_answer *a = answer_new();

	table_i64(answer_table(a, "t", n), "n", NULL, LP_COUNT, 0, v, "");
	return a;
}

static void numbers_that_never_fall_travel_as_steps(void **unused)
{
	(void)unused;
	assert_column(numbers((int64_t[]){ 5, 5, 9 }, 3), "{\"delta\":[5,0,4]}");
	assert_column(numbers((int64_t[]){ 5, 9 }, 2), "[5,9]");
	assert_column(numbers((int64_t[]){ 5, 4, 9 }, 3), "[5,4,9]");
	assert_column(numbers((int64_t[]){ -5, 4, 9 }, 3), "[-5,4,9]");
	assert_column(numbers((int64_t[]){ 5, LP_NULL, 9 }, 3), "[5,null,9]");
	assert_column(numbers((int64_t[]){ 5, 6, INT64_C(1) << 53 }, 3),
		      "{\"delta\":[5,1,9007199254740986]}");
	assert_column(numbers((int64_t[]){ 5, 6, (INT64_C(1) << 53) + 1 }, 3),
		      "[5,6,\"9007199254740993\"]");
}

static void text_that_repeats_travels_once(void **unused)
{
	(void)unused;
	static const char *const name[] = { "b", "a", NULL, "b", "b", "a" };
	struct lp_answer *a = answer_new();

	table_str(answer_table(a, "t", 6), "s", NULL, 0, name, "");
	assert_column(a, "{\"dict\":[\"b\",\"a\"],\"index\":[0,1,null,0,0,1]}");
	a = answer_new();
	table_str(answer_table(a, "t", 3), "s", NULL, 0, name, "");
	assert_column(a, "[\"b\",\"a\",null]");
}

static void a_tree_says_so_and_rows_may_have_labels(void **unused)
{
	(void)unused;
	static const char *const name[] = { "root", "leaf" }, *const label[] = { NULL, "" };
	static const uint32_t parent[] = { UINT32_MAX, 0 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 2);

	t->parent = parent;
	t->labels = label;
	table_str(t, "name", NULL, LP_TREE, name, "");
	size_t n;
	char *page = write_page(a, &n), *json = unpack(page);

	assert_non_null(
		strstr(json, "\"rows\":2,\"tree\":true,\"detail\":false,\"labels\":[null,\"\"],"));
	assert_non_null(strstr(json, "\"name\":\"parent\",\"title\":"));
	assert_non_null(strstr(json, "\"type\":\"row\""));
	assert_non_null(strstr(json, "\"data\":[null,0]}"));
	free(json);
	free(page);
	lp_answer_free(a);
}

/* ---- the page around them ---- */

static unsigned occurrences(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static struct lp_answer *hostile(void)
{
	static const char *const name[] = { "</script><script>alert(1)</script>",
					    "<img src=x onerror=alert(1)>",
					    "\"'&amp;\x01\xff\xc2\x9b", "</title></style><!--" };
	struct lp_answer *a = answer_new();

	answer_headline(a, "</title><script>alert(2)</script>");
	answer_doubt(a, "<b>");
	table_str(answer_table(a, "t", 4), "name", "<i>", LP_NAME, name, "");
	return a;
}

static void no_name_is_markup(void **unused)
{
	(void)unused;
	size_t n;
	struct lp_answer *a = hostile();
	char *page = write_page(a, &n);

	/* The theme, the data in two parts and the program: all the scripts there are. */
	assert_int_equal(occurrences(page, "<script"), 4);
	assert_int_equal(occurrences(page, "</script"), 4);
	assert_non_null(strstr(page, "\"headline\":\"\\u003c/title>\\u003cscript>alert(2)"));
	assert_int_equal(occurrences(page, "</title"), 1);
	assert_int_equal(occurrences(page, "</style"), 1);
	assert_null(strstr(page, "<img"));
	assert_null(strstr(page, "<b>"));
	assert_null(strstr(page, "<i>"));
	assert_non_null(strstr(page, "&lt;img src=x onerror=alert(1)&gt;"));
	assert_non_null(strstr(page, "&quot;'&amp;amp;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
	assert_non_null(strstr(page, "<title>longpole: &lt;/title&gt;"));
	free(page);
	lp_answer_free(a);
}

static void the_same_answer_is_the_same_page(void **unused)
{
	(void)unused;
	size_t n, m;
	struct lp_answer *a = hostile(), *b = hostile();
	char *first = write_page(a, &n), *second = write_page(b, &m);

	assert_int_equal(n, m);
	assert_memory_equal(first, second, n);
	free(first);
	free(second);
	lp_answer_free(a);
	lp_answer_free(b);
}

static void an_answer_without_tables_is_a_page(void **unused)
{
	(void)unused;
	assert_data(
		answer_new(),
		"{\"version\":1,\"kind\":\"answer\",\n\"headline\":null,\n\"doubts\":[],\n\"next\":[],\n\"tables\":[]}\n");
}

static void a_full_disk_is_an_error(void **unused)
{
	(void)unused;
	FILE *out = fopen("/dev/full", "w");
	struct lp_error err = { "" };
	struct lp_answer *a = hostile();

	if (!out)
		skip();
	setvbuf(out, NULL, _IONBF, 0);
	assert_false(lp_write(a, LP_HTML, (struct lp_write_options){ 0 }, out, &err));
	assert_non_null(strstr(err.text, "cannot write"));
	fclose(out);
	lp_answer_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(base64_of_any_length_in_any_pieces),
		cmocka_unit_test(every_type_and_what_is_missing),
		cmocka_unit_test(numbers_that_never_fall_travel_as_steps),
		cmocka_unit_test(text_that_repeats_travels_once),
		cmocka_unit_test(a_tree_says_so_and_rows_may_have_labels),
		cmocka_unit_test(no_name_is_markup),
		cmocka_unit_test(the_same_answer_is_the_same_page),
		cmocka_unit_test(an_answer_without_tables_is_a_page),
		cmocka_unit_test(a_full_disk_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
