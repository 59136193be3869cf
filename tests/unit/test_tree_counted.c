/* Profiles that are kept as counts (counted.h) are what they would be sorted, at every width of a
 * column. */
#include "tree_print.h"

#include "base/narrow.h"

static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)((state >> 33) % n);
}

static void narrow_columns_hold_every_number(void **unused)
{
	static const uint32_t most[] = { 10, 254, 255, 300, 65534, 65535, 70000, UINT32_MAX };
	uint32_t want[20000], n = ARRAY_SIZE(want);

	for (size_t m = 0; m < ARRAY_SIZE(most); m++)
		for (uint32_t often = 1; often <= 1000; often *= 10) {
			struct narrow c = { 0 };

			for (uint32_t i = 0; i < n; i++) /* one of `often` is large, or none */
				want[i] = below(often) ? below(8) : below(most[m]) + 1;
			narrow_push(&c, want, n / 2, 0);
			for (uint32_t i = n / 2; i < n; i++)
				want[i] -= 1; /* 0 becomes the largest, and 0 again in the column */
			narrow_push(&c, want + n / 2, n - n / 2, 1);
			for (uint32_t i = 0; i < n; i += 7) {
				want[i] = below(most[m]);
				narrow_set(&c, i, want[i] + (i >= n / 2));
			}
			for (uint32_t i = 0; i < n; i++)
				assert_int_equal(narrow_get(&c, i), want[i] + (i >= n / 2));
			narrow_free(&c);
		}
}

static void list(FILE *out, const char *key, uint32_t n, const uint32_t *v)
{
	fprintf(out, "\"%s\":[", key);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%s%u", i ? "," : "", v ? v[i] : i);
	fputc(']', out);
}

static char *make(uint32_t nfuncs, uint32_t nstacks, uint32_t nsamples, uint32_t times)
{
	uint32_t *frame = calloc(nstacks, sizeof(*frame)), *back = calloc(nstacks, sizeof(*back));
	uint32_t *stack = calloc(nsamples + times, sizeof(*stack));
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t s = 0; s < nstacks; s++) {
		frame[s] = nstacks < nfuncs ? below(nfuncs) : s < nfuncs ? s : below(nfuncs);
		back[s] = s && below(10) ? 1 + below(s < 5 || !below(20) ? s : 5) : 0;
	}
	for (uint32_t i = 0; i < nsamples; i++)
		stack[i] = below(nstacks);
	for (uint32_t i = 0; i < times; i++)
		stack[nsamples + i] = nstacks / 2;
	fputs("{\"meta\":{\"interval\":1},\"shared\":{\"stackTable\":{", out);
	list(out, "frame", nstacks, frame);
	fputc(',', out);
	list(out, "prefixOffset", nstacks, back);
	fputs("},\"frameTable\":{", out);
	list(out, "func", nfuncs, NULL);
	fputs("},\"funcTable\":{", out);
	list(out, "name", nfuncs, NULL);
	fputs("},\"stringArray\":[", out);
	for (uint32_t f = 0; f < nfuncs; f++)
		fprintf(out, "%s\"f%u\"", f ? "," : "", f);
	fputs("]},\"threads\":[{\"samples\":{", out);
	list(out, "stack", nsamples + times, stack);
	fputs("}}]}", out);
	fclose(out);
	free(frame);
	free(back);
	free(stack);
	return text;
}

static struct lp_profile *open_as(const char *text, bool sums)
{
	struct lp_profile *h = calloc(1, sizeof(*h));

	h->p = profile_from(text, strlen(text), (struct profile_options){ .sums = sums });
	assert_int_equal(h->p->counted.nthreads, sums);
	return h;
}

static char *answer(struct lp_tree *t, struct lp_tree_show s, enum lp_format f,
		    struct lp_write_options o)
{
	struct lp_error err;
	struct lp_answer *a = lp_tree_answer(t, s, &err);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(a->tables[0]->more != NULL, s.runs);
	assert_true(lp_write(a, f, o, out, &err));
	fclose(out);
	lp_answer_free(a);
	return text;
}

static void assert_same(char *a, char *b)
{
	assert_string_equal(a, b);
	free(a);
	free(b);
}

/* The same answers; then, node by node, the same tree. */
static void check(const char *text, struct lp_tree_show s)
{
	struct lp_profile *counted = open_as(text, true), *sorted = open_as(text, false);
	struct lp_tree *a = open_tree(counted, (struct lp_tree_options){ .invert = true });
	struct lp_tree *b = open_tree(sorted, (struct lp_tree_options){ .invert = true });
	struct lp_tree *c = open_tree(counted, (struct lp_tree_options){ .invert = true });
	struct lp_write_options o = { 0 };
	struct lp_tree_show runs = s, whole = s;
	struct lp_node x[64], y[64];

	runs.runs = true;
	assert_same(answer(a, runs, LP_CSV, o), answer(b, whole, LP_CSV, o));
	assert_same(answer(a, whole, LP_CSV, o), answer(b, runs, LP_CSV, o));
	assert_same(answer(a, runs, LP_JSON, o), answer(b, whole, LP_JSON, o));
	o.sort = "name";
	assert_same(answer(a, runs, LP_CSV, o), answer(b, whole, LP_CSV, o));
	assert_true(counted->p->counted.nthreads);
	uint32_t n = lp_tree_roots(a, x, 64);

	assert_int_equal(n, lp_tree_roots(b, y, 64));
	assert_memory_equal(x, y, MIN_OF(n, 64u) * sizeof(*x));
	assert_false(counted->p->counted.nthreads);
	o.sort = NULL;
	assert_same(answer(c, runs, LP_CSV, o), answer(b, whole, LP_CSV, o));
	lp_tree_close(a);
	lp_tree_close(b);
	lp_tree_close(c);
	lp_profile_close(counted);
	lp_profile_close(sorted);
}

static void counted_is_sorted(void **unused)
{
	for (uint32_t i = 0; i < 20; i++) {
		char *text = make(20 + i, 300, 2000, 0);

		check(text, (struct lp_tree_show){ .roots = i % 5 ? 1 + i : 0,
						   .depth = 1 + i % 7,
						   .min_percent = i % 3,
						   .plain = true });
		free(text);
	}
}

static void counts_and_functions_of_every_width(void **unused)
{
	static const uint32_t times[] = { 254, 255, 256, 511, 65535, 70000 };
	char *text;

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		text = make(300, 400, 0, times[i]);
		check(text, (struct lp_tree_show){ .roots = 8, .depth = 4, .plain = true });
		free(text);
	}
	text = make(70000, 80000, 100000, 10);
	check(text, (struct lp_tree_show){ .roots = 20, .depth = 6, .plain = true });
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(narrow_columns_hold_every_number),
		cmocka_unit_test(counted_is_sorted),
		cmocka_unit_test(counts_and_functions_of_every_width),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
