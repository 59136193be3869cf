#include "base/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#define TEXT_N 100000

static unsigned char text[TEXT_N];

static int make_text(void **unused)
{
	(void)unused;
	uint32_t seed = 7;

	for (int i = 0; i < TEXT_N; i++) {
		seed = seed * 1103515245 + 12345;
		text[i] = (unsigned char)("{\"ph\": 0123456789,}\n"[seed >> 16 & 15] ^
					  (seed >> 28 & 1));
	}
	return 0;
}

struct bytes {
	unsigned char p[4 * TEXT_N];
	size_t n;
};

/* One gzip member of text[from .. to), with all the optional fields in its header if `full`. */
static void add_member(struct bytes *out, size_t from, size_t to, bool full)
{
	unsigned char extra[] = "abcdefgh", name[] = "name", comment[] = "comment";
	gz_header h = {
		.extra = extra, .extra_len = 8, .name = name, .comment = comment, .hcrc = 1
	};
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	if (full)
		deflateSetHeader(&z, &h);
	z.next_in = text + from;
	z.avail_in = (uInt)(to - from);
	z.next_out = out->p + out->n;
	z.avail_out = (uInt)(sizeof(out->p) - out->n);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	out->n = sizeof(out->p) - z.avail_out;
	deflateEnd(&z);
}

static struct bytes *whole_gzip(void)
{
	static struct bytes b;

	b.n = 0;
	add_member(&b, 0, TEXT_N, false);
	return &b;
}

/* Reads all in pieces of `step`; the number of bytes, which are a beginning of text[]. */
static size_t read_all(struct input *in, size_t step, struct input_state *state)
{
	static unsigned char got[2 * TEXT_N];
	size_t n = 0, k;

	while ((k = input_read(in, got + n, step))) {
		n += k;
		if (k < step)
			break;
	}
	*state = input_state(in);
	input_close(in);
	assert_true(n <= TEXT_N);
	assert_memory_equal(got, text, n);
	return n;
}

static void plain_and_gzip_give_the_same_in_steps_of_any_size(void **unused)
{
	(void)unused;
	static const size_t steps[] = { 1, 7, 4096, TEXT_N, 2 * TEXT_N };
	struct bytes *gz = whole_gzip();
	struct input_state s;

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		assert_int_equal(read_all(input_memory(text, TEXT_N), steps[i], &s), TEXT_N);
		assert_false(s.gzip);
		assert_int_equal(read_all(input_memory(gz->p, gz->n), steps[i], &s), TEXT_N);
		assert_true(s.gzip && !s.truncated && !s.bad_crc && !s.trailing);
		assert_int_equal(s.size, TEXT_N);
		assert_int_equal(s.packed_size, gz->n);
	}
}

static void members_follow_each_other_and_zeros_may_come_last(void **unused)
{
	(void)unused;
	static struct bytes gz;
	struct input_state s;

	gz.n = 0;
	for (size_t i = 0; i < 100; i++)
		add_member(&gz, i * 1000, (i + 1) * 1000, i % 2);
	memset(gz.p + gz.n, 0, 512);
	assert_int_equal(read_all(input_memory(gz.p, gz.n + 512), 999, &s), TEXT_N);
	assert_true(!s.truncated && !s.bad_crc && !s.trailing);
	memcpy(gz.p + gz.n + 512, "junk", 4);
	assert_int_equal(read_all(input_memory(gz.p, gz.n + 516), 999, &s), TEXT_N);
	assert_true(s.trailing);
}

static void a_gzip_file_cut_anywhere_gives_what_it_has(void **unused)
{
	(void)unused;
	struct bytes *gz = whole_gzip();
	size_t before = 0;
	struct input_state s;

	for (size_t n = 2; n < gz->n; n += gz->n / 200) {
		size_t got = read_all(input_memory(gz->p, n), 1000, &s);

		assert_true(s.truncated);
		assert_true(got >= before);
		before = got;
	}
	assert_true(before > TEXT_N * 9 / 10);
}

static void a_wrong_checksum_is_told_and_loses_nothing(void **unused)
{
	(void)unused;
	struct bytes *gz = whole_gzip();
	struct input_state s;

	gz->p[gz->n - 8] ^= 1;
	assert_int_equal(read_all(input_memory(gz->p, gz->n), 1000, &s), TEXT_N);
	assert_true(s.bad_crc && !s.truncated);
	gz->p[gz->n - 8] ^= 1;
	gz->p[gz->n - 1] ^= 1; /* the length */
	assert_int_equal(read_all(input_memory(gz->p, gz->n), 1000, &s), TEXT_N);
	assert_true(s.bad_crc);
}

/* Whatever the bytes are, it ends, and no more is claimed than is there. */
static void broken_streams_end(void **unused)
{
	(void)unused;
	struct bytes *gz = whole_gzip();
	uint32_t seed = 3;

	for (int round = 0; round < 300; round++) {
		static unsigned char out[4 * TEXT_N];
		seed = seed * 1103515245 + 12345;
		size_t at = 10 + (seed >> 8) % (gz->n - 10);
		unsigned char was = gz->p[at];

		gz->p[at] ^= (unsigned char)(1u << (seed & 7));
		struct input *in = input_memory(gz->p, gz->n);
		size_t n = input_read(in, out, sizeof(out));
		struct input_state s = input_state(in);
		assert_true(s.truncated || s.bad_crc || s.trailing ||
			    (n == TEXT_N && !memcmp(out, text, n)));
		input_close(in);
		gz->p[at] = was;
	}
}

static void files_and_pipes_and_what_is_neither(void **unused)
{
	(void)unused;
	char path[] = "/tmp/test_input_XXXXXX";
	int fd = mkstemp(path);
	struct lp_error err;
	struct input_state s;
	struct bytes *gz = whole_gzip();

	assert_true(fd >= 0 && write(fd, gz->p, gz->n) == (ssize_t)gz->n);
	close(fd);
	assert_int_equal(read_all(input_open(path, &err), 5000, &s), TEXT_N);
	assert_int_equal(s.packed_size, gz->n);
	unlink(path);
	assert_null(input_open(path, &err));
	assert_non_null(strstr(err.text, "No such file"));
	assert_null(input_open("/tmp", &err));
	assert_non_null(strstr(err.text, "folder"));
	assert_int_equal(read_all(input_memory("", 0), 10, &s), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_and_gzip_give_the_same_in_steps_of_any_size),
		cmocka_unit_test(members_follow_each_other_and_zeros_may_come_last),
		cmocka_unit_test(a_gzip_file_cut_anywhere_gives_what_it_has),
		cmocka_unit_test(a_wrong_checksum_is_told_and_loses_nothing),
		cmocka_unit_test(broken_streams_end),
		cmocka_unit_test(files_and_pipes_and_what_is_neither),
	};
	return cmocka_run_group_tests(tests, make_text, NULL);
}
