#include "base/gzset.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

/* Inflates one member and demands that nothing follows it. */
static size_t read_back(const char *path, char *out, size_t cap)
{
	gzFile f = gzopen(path, "rb");
	int n = gzread(f, out, (unsigned)cap);

	assert_true(n >= 0);
	assert_int_equal(gzclose(f), Z_OK);
	return (size_t)n;
}

static void many_files_in_turn_come_back_whole(void **unused)
{
	(void)unused;
	enum { FILES = 300 };
	char dir[] = "/tmp/gzset.XXXXXX", *path[FILES], *want, *got = malloc(1 << 20);
	size_t used = 0;

	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < FILES; i++)
		assert_true(asprintf(&path[i], "%s/%03d.gz", dir, i) > 0);
	for (unsigned threads = 1; threads <= 3; threads += 2) {
		struct lp_error err;
		struct gzset *g = gzset_open((const char *const *)path, FILES, 1 << 20, threads);

		for (int round = 0; round < 400; round++)
			for (int i = 0; i < FILES; i++) {
				char line[64];
				int n = snprintf(line, sizeof(line), "file %d round %d\n", i,
						 round * i);
				gzset_write(g, (uint32_t)i, line, (size_t)n);
			}
		assert_true(gzset_close(g, true, &err));
		for (int i = 0; i < FILES; i += 37) {
			size_t n = read_back(path[i], got, 1 << 20);

			want = malloc(1 << 20);
			used = 0;
			for (int round = 0; round < 400; round++)
				used += (size_t)sprintf(want + used, "file %d round %d\n", i,
							round * i);
			assert_int_equal(n, used);
			assert_memory_equal(got, want, n);
			free(want);
		}
	}
	for (int i = 0; i < FILES; i++) {
		unlink(path[i]);
		free(path[i]);
	}
	assert_int_equal(rmdir(dir), 0); /* no *.part is left */
	free(got);
}

static void a_folder_that_is_not_there_is_an_error(void **unused)
{
	(void)unused;
	struct lp_error err = { "" };
	const char *path[] = { "/nonexistent/x.gz" };
	struct gzset *g = gzset_open(path, 1, 1 << 16, 2);

	gzset_write(g, 0, "abc", 3);
	assert_false(gzset_close(g, true, &err));
	assert_non_null(strstr(err.text, "/nonexistent/x.gz: cannot write: No such file"));
}

static void what_is_not_kept_leaves_nothing(void **unused)
{
	(void)unused;
	char dir[] = "/tmp/gzset.XXXXXX", path[64];
	const char *paths[] = { path };

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/x.gz", dir);
	struct gzset *g = gzset_open(paths, 1, 1 << 16, 2);
	for (int i = 0; i < 100000; i++)
		gzset_write(g, 0, "0123456789", 10);
	assert_true(gzset_close(g, false, NULL));
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_files_in_turn_come_back_whole),
		cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
		cmocka_unit_test(what_is_not_kept_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
