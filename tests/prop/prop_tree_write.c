/* What is written for other viewers reads back as what it was: every format, random profiles. */
#include "../unit/tree_print.h"
#include "prop.h"

#include <unistd.h>

/* Names that have to be escaped somewhere, among plain ones. */
static const char *const names[] = { "main",         "a b",       "f(int, char*)",
				     "\"quoted\\\"", "tab\there", "\303\251t\303\251",
				     "12",           "x 3",       "<lambda>",
				     "{}[],:" };

static char *random_profile(unsigned places)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned i = 0, n = 1 + prop_below(20); i < n; i++) {
		for (unsigned d = 0, depth = 1 + prop_below(6); d < depth; d++)
			fprintf(out, "%s%s", d ? ";" : "", names[prop_below(ARRAY_SIZE(names))]);
		fprintf(out, " %u", 1 + prop_below(1000));
		if (places)
			fprintf(out, ".%0*u", (int)places, prop_below(1000));
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static struct lp_profile *handle(struct profile *p)
{
	struct lp_profile *h = calloc(1, sizeof(*h));

	h->p = p;
	return h;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a profile, sorted: functions are numbered as they come, so order may differ. */
static char *lines(const struct profile *p)
{
	char *text = profile_lines(p, 0), *out = calloc(strlen(text) + 2, 1), *at[64];
	size_t n = 0;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		at[n++] = line;
	qsort(at, n, sizeof(*at), compare_lines);
	for (size_t i = 0; i < n; i++)
		strcat(strcat(out, at[i]), "\n");
	free(text);
	return out;
}

static void goes_through(struct profile *p, enum lp_profile_format f, const char *suffix)
{
	char path[64] = "/tmp/prop_tree_write_XXXXXX";
	int fd = mkstemp(path);
	struct lp_profile *h = handle(p), *back;
	struct lp_error err = { 0 };
	struct lp_tree *t;

	assert_true(fd >= 0);
	close(fd);
	unlink(path);
	strcat(path, suffix);
	t = lp_tree_open(h, (struct lp_tree_options){ 0 }, &err);
	assert_non_null(t);
	if (!lp_tree_write(t, f, path, &err))
		fail_msg("%s", err.text);
	back = lp_profile_open(path, (struct lp_profile_options){ .sums = prop_below(2) }, &err);
	unlink(path);
	if (!back)
		fail_msg("%s", err.text);
	char *want = lines(p), *got = lines(back->p);

	assert_string_equal(got, want);
	assert_int_equal(back->p->threads[0].unit, p->threads[0].unit);
	free(want);
	free(got);
	lp_tree_close(t);
	lp_profile_close(back);
	free(h);
}

static void everything_comes_back(void **unused)
{
	PROP_LAW(60)
	{
		char *text = random_profile(round % 3 == 0 ? 3 : 0);
		struct profile *p = profile_from(text, strlen(text), (struct profile_options){ 0 });

		p->threads[0].unit = p->threads[0].places ? PROFILE_SAMPLES : round % 3;
		if (p->threads[0].unit == PROFILE_SAMPLES)
			goes_through(p, LP_COLLAPSED, round & 1 ? "" : ".gz");
		goes_through(p, LP_SPEEDSCOPE, round & 1 ? ".gz" : "");
		goes_through(p, LP_FIREFOX, round & 2 ? ".gz" : "");
		profile_free(p);
		free(text);
	}
}

/* Weights of both signs: speedscope has none, and says so. */
static void signs_come_back_where_they_can(void **unused)
{
	static const char text[] = "a;b 3 5\na;c 7 1\n";
	struct profile *p = profile_from(text, sizeof(text) - 1, (struct profile_options){ 0 });
	struct lp_profile *h = handle(p);
	struct lp_error err = { 0 };
	struct lp_tree *t = lp_tree_open(h, (struct lp_tree_options){ 0 }, &err);

	goes_through(p, LP_COLLAPSED, "");
	goes_through(p, LP_FIREFOX, "");
	assert_false(lp_tree_write(t, LP_SPEEDSCOPE, "/dev/null", &err));
	assert_non_null(strstr(err.text, "negative"));
	lp_tree_close(t);
	lp_profile_close(h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(everything_comes_back, prop_tell),
		cmocka_unit_test_teardown(signs_come_back_where_they_can, prop_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
