/* What gzout writes, zlib and input.h read back. */
#include "base/gzout.h"
#include "base/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = 3 << 20 };

/* Text like ours: events that differ in name and numbers. */
static char *example(void)
{
	static const char *const names[] = { "aten::mm", "aten::add_", "aten::copy_", "aten::t" };
	char *text = malloc(SIZE + 256);
	uint32_t x = 1;

	for (size_t at = 0; at < SIZE;) {
		x = x * 1664525 + 1013904223;
		at += (size_t)sprintf(
			text + at,
			"{\"ph\": \"X\", \"name\": \"%s\", \"ts\": %u.%03u, \"dur\": %u},\n",
			names[x >> 30], (unsigned)at, x >> 12 & 511, x >> 8 & 63);
	}
	return text;
}

/* Writes the first n bytes in pieces of `piece`; gives the size of the file at `path`. */
static long write_file(const char *path, const char *text, size_t n, size_t piece,
		       enum gzout_level level)
{
	FILE *f = fopen(path, "wb");
	struct gzout *g = gzout_open(f, path, level);
	long size;

	for (size_t at = 0; at < n; at += piece)
		gzout_write(g, text + at, MIN_OF(piece, n - at));
	assert_true(gzout_close(g, NULL));
	size = ftell(f);
	assert_int_equal(fclose(f), 0);
	return size;
}

static void assert_reads_back(const char *path, const char *text, size_t n, bool gzip)
{
	struct input *in = input_open(path, NULL);
	char *got = malloc(n + 1);

	assert_non_null(in);
	assert_int_equal(input_read(in, got, n + 1), n);
	assert_memory_equal(got, text, n);

	struct input_state s = input_state(in);

	assert_int_equal(s.gzip, gzip);
	assert_false(s.truncated || s.bad_crc || s.trailing);
	input_close(in);
	free(got);
}

static void every_level_comes_back_whole(void **unused)
{
	(void)unused;
	char path[] = "/tmp/gzout.XXXXXX", *text = example();
	static const size_t sizes[] = { 0, 1, 100000, 256 << 10, (256 << 10) + 1, SIZE };

	close(mkstemp(path));
	for (unsigned level = GZOUT_PLAIN; level <= GZOUT_SMALL; level++)
		for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
			write_file(path, text, sizes[i], 777777, level);
			assert_reads_back(path, text, sizes[i], level != GZOUT_PLAIN);
		}
	unlink(path);
	free(text);
}

static void smaller_levels_are_smaller(void **unused)
{
	(void)unused;
	char path[] = "/tmp/gzout.XXXXXX", *text = example();

	close(mkstemp(path));

	long plain = write_file(path, text, SIZE, SIZE, GZOUT_PLAIN);
	long fast = write_file(path, text, SIZE, SIZE, GZOUT_FAST);
	long small = write_file(path, text, SIZE, SIZE, GZOUT_SMALL);

	assert_int_equal(plain, SIZE);
	assert_true(fast < plain / 2);
	assert_true(small <= fast);
	unlink(path);
	free(text);
}

/* The pieces in which text arrives leave no trace in the file. */
static void pieces_do_not_matter(void **unused)
{
	(void)unused;
	char path[2][20] = { "/tmp/gzout.XXXXXX", "/tmp/gzout.XXXXXX" }, *text = example();
	char *bytes[2];
	long size[2];

	for (int i = 0; i < 2; i++) {
		close(mkstemp(path[i]));
		size[i] = write_file(path[i], text, SIZE, i ? 13 : SIZE, GZOUT_SMALL);
		bytes[i] = malloc((size_t)size[i]);

		FILE *f = fopen(path[i], "rb");

		assert_int_equal(fread(bytes[i], 1, (size_t)size[i], f), size[i]);
		fclose(f);
		unlink(path[i]);
	}
	assert_int_equal(size[0], size[1]);
	assert_memory_equal(bytes[0], bytes[1], (size_t)size[0]);
	free(bytes[0]);
	free(bytes[1]);
	free(text);
}

static void a_full_disk_is_told_at_the_end(void **unused)
{
	(void)unused;
	FILE *f = fopen("/dev/full", "wb");
	char *text = example();
	struct lp_error err;

	if (!f)
		skip();

	struct gzout *g = gzout_open(f, "out.gz", GZOUT_FAST);

	gzout_write(g, text, SIZE);
	assert_false(gzout_close(g, &err));
	assert_string_equal(err.text, "out.gz: cannot write: No space left on device");
	fclose(f);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_level_comes_back_whole),
		cmocka_unit_test(smaller_levels_are_smaller),
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(a_full_disk_is_told_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
