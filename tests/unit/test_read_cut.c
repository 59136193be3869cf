/*
 * Real traces cut anywhere keep all their whole events, gz or plain; and however they are
 * read, the result is the same. Skipped where the traces are not at hand.
 */
#include "digest.h"

#include "base/column.h"
#include "base/input.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#define CUTS 200

static const char *const traces[] = {
	"tracelens/torch_compile_triton/trace.json.gz",
	"public/HazyResearch__zoology__trace.json.gz",
	"hta/critical_path/alexnet/benchmark_result_2869224_1695835535_trace.json.gz",
};

static char folder[4096];

static bool path_of(const char *name, char path[8192])
{
	snprintf(path, 8192, "%s/%s", folder, name);
	return !access(path, R_OK);
}

/* All bytes that `in` gives. */
static size_t slurp(struct input *in, struct column *text)
{
	size_t n = 0, got;

	do {
		column_reserve(text, n + (1 << 20) + PADDING);
		got = input_read(in, (char *)text->at + n, 1 << 20);
		n += got;
	} while (got);
	input_close(in);
	return n;
}

static struct trace *read_of(const void *p, size_t n)
{
	struct lp_error err = { "" };

	return trace_read_memory("cut", p, n, (struct read_options){ 0 }, &err);
}

/* Rows of a that b has too, from the first on. */
static bool same_row(const struct trace *a, const struct trace *b, event_id e)
{
	return a->ev.ts[e] == b->ev.ts[e] && a->ev.dur[e] == b->ev.dur[e] &&
	       a->ev.name[e] == b->ev.name[e] && a->ev.lane[e] == b->ev.lane[e] &&
	       trace_place(a, e) == trace_place(b, e) && a->ev.args[e] == b->ev.args[e];
}

/* Events whose last byte lies before n, by the places of those that follow. */
static void check_cut(const struct trace *whole, const struct trace *part, size_t n)
{
	event_id e = 0;

	while (e + 1 < whole->ev.n && trace_place(whole, e + 1) <= n)
		e++;
	/* The event that begins last before the cut may be whole or not. */
	assert_true(part->ev.n == e || part->ev.n == e + 1);
	for (event_id i = 0; i < part->ev.n; i += 1 + part->ev.n / 50)
		assert_true(same_row(whole, part, i));
}

static void cut_text_keeps_its_whole_events(void **unused)
{
	(void)unused;
	char path[8192];

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		struct column text = { 0 };

		if (!path_of(traces[i], path))
			skip();
		size_t n = slurp(input_open(path, NULL), &text);
		struct trace *whole = read_of(text.at, n);
		size_t first = trace_place(whole, 0) + 1;
		for (size_t k = 0; k < CUTS; k++) {
			size_t at = first + (n - first) * k / CUTS;
			struct trace *part = read_of(text.at, at);

			assert_non_null(part);
			check_cut(whole, part, at);
			trace_free(part);
		}
		trace_free(whole);
		column_free(&text);
	}
}

static void cut_gzip_keeps_what_inflates(void **unused)
{
	(void)unused;
	char path[8192];

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		struct column packed = { 0 };

		if (!path_of(traces[i], path))
			skip();
		FILE *f = fopen(path, "rb");
		column_reserve(&packed, 1 << 22);
		size_t n = fread(packed.at, 1, 1 << 22, f);
		fclose(f);
		struct trace *whole = read_of(packed.at, n);
		for (size_t k = 1; k < CUTS; k++) {
			struct trace *part = read_of(packed.at, n * k / CUTS);

			if (!part)
				continue; /* nothing but the root was there */
			assert_int_equal(part->counters.n[COUNT_GZIP_TRUNCATED], 1);
			check_cut(whole, part, part->source.size);
			trace_free(part);
		}
		trace_free(whole);
		column_free(&packed);
	}
}

static void threads_chunks_and_gzip_change_nothing(void **unused)
{
	(void)unused;
	static const struct read_options ways[] = {
		{ .careful = true, .threads = 1 },
		{ .threads = 1 },
		{ .threads = 2 },
		{ .threads = 4, .chunk = 10000 },
		{ .threads = 3, .chunk = 777 },
		{ .simd = 1, .threads = 2, .chunk = 70000 },
	};
	char path[8192];

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		struct column text = { 0 };

		if (!path_of(traces[i], path))
			skip();
		size_t n = slurp(input_open(path, NULL), &text);
		struct trace *tr = read_of(text.at, n);
		uint64_t want = digest_trace(tr);
		trace_free(tr);
		for (size_t k = 0; k < ARRAY_SIZE(ways); k++) {
			struct lp_error err;

			tr = trace_read(path, ways[k], &err);
			assert_non_null(tr);
			assert_true(digest_trace(tr) == want);
			trace_free(tr);
		}
		column_free(&text);
	}
}

static unsigned seen;

/* Every file is read, or refused in one sentence that begins with its path. */
static int try_file(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)where;
	struct lp_error err = { "" };
	struct trace *tr = type == FTW_F ? trace_read(path, (struct read_options){ 0 }, &err)
					 : NULL;

	if (type != FTW_F)
		return 0;
	seen++;
	if (!tr && (strncmp(err.text, path, strlen(path)) || strchr(err.text, '\n')))
		fail_msg("%s: '%s'", path, err.text);
	trace_free(tr);
	return 0;
}

static void every_file_is_read_or_refused(void **unused)
{
	(void)unused;
	assert_int_equal(nftw(folder, try_file, 16, FTW_PHYS), 0);
	assert_true(seen > 100);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_text_keeps_its_whole_events),
		cmocka_unit_test(cut_gzip_keeps_what_inflates),
		cmocka_unit_test(threads_chunks_and_gzip_change_nothing),
		cmocka_unit_test(every_file_is_read_or_refused),
	};
	snprintf(folder, sizeof(folder), "%s", argc > 1 ? argv[1] : "../shared/traces");
	if (access(folder, R_OK)) {
		printf("skipped: no %s\n", folder);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
