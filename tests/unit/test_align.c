#include "algo/align.h"

#include <setjmp.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Letters as names: the alignment of two words. "." stands for a place without a partner. */
static const char *aligned(const char *a, const char *b)
{
	static char out[64];
	struct arena s = { 0 };
	uint32_t x[64] = { 0 }, y[64] = { 0 }, partner[64], n = (uint32_t)strlen(a),
		 m = (uint32_t)strlen(b);

	for (uint32_t i = 0; i < n; i++)
		x[i] = (uint32_t)a[i];
	for (uint32_t j = 0; j < m; j++)
		y[j] = (uint32_t)b[j];
	align_optimal(x, n, y, m, partner, &s);
	for (uint32_t i = 0; i < n; i++)
		out[i] = partner[i] == NONE ? '.' : (char)('0' + partner[i]);
	out[n] = 0;
	arena_free(&s);
	return out;
}

static void the_rule_decides_between_equals(void **unused)
{
	(void)unused;
	assert_string_equal(aligned("abc", "abc"), "012");
	assert_string_equal(aligned("adc", "cb"), "..0"); /* where the original finds nothing */
	assert_string_equal(aligned("aa", "aaa"), "01");  /* the last one is new */
	assert_string_equal(aligned("xab", "ab"), ".01");
	assert_string_equal(aligned("ab", "ba"), ".0"); /* the front of the smaller list goes */
	assert_string_equal(aligned("ba", "ab"), "1."); /* ... and so it is the mirror */
	assert_string_equal(aligned("bsbl", "dbsb"), "123."); /* the brief's attention block */
	assert_string_equal(aligned("bsbl", "bsdb"), "013.");
	assert_string_equal(aligned("", "abc"), "");
	assert_string_equal(aligned("abc", ""), "...");
	assert_string_equal(aligned("abc", "xyz"), "...");
}

static void the_original_loses_a_match(void **unused)
{
	(void)unused;
	struct arena s = { 0 };
	struct align_op ops[8];
	uint32_t adc[] = { 'a', 'd', 'c' }, cb[] = { 'c', 'b' }, ab[] = { 'a', 'b' };
	uint32_t ac[] = { 'a', 'c' };

	assert_int_equal(align_tracelens(adc, 3, cb, 2, ops, &s), 5);
	for (int i = 0; i < 5; i++)
		assert_true(ops[i].a == NONE || ops[i].b == NONE);
	assert_int_equal(align_tracelens(ab, 2, ac, 2, ops, &s), 3);
	assert_true(ops[0].a == 0 && ops[0].b == 0);
	arena_free(&s);
}

#define LONG 100000

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 100,000 children with few changes take milliseconds; with none in order, they still end. */
static void long_lists(void **unused)
{
	(void)unused;
	struct arena s = { 0 };
	uint32_t *a = malloc(4 * LONG), *b = malloc(4 * LONG), *partner = malloc(4 * LONG);

	for (uint32_t i = 0; i < LONG; i++) {
		a[i] = i % 977;
		b[i] = i % 5000 == 17 ? 5000 + i : a[i];
	}
	double start = cpu_s();
	assert_int_equal(align_optimal(a, LONG, b, LONG, partner, &s), LONG - LONG / 5000);
	assert_true(cpu_s() - start < 0.2);

	for (uint32_t i = 0; i < LONG; i++) /* one name against its double list */
		a[i] = b[i] = 3;
	assert_int_equal(align_optimal(a, LONG / 2, b, LONG, partner, &s), LONG / 2);
	for (uint32_t i = 0; i < LONG; i++) /* nothing in common */
		b[i] = i + 10;
	assert_int_equal(align_optimal(a, LONG, b, LONG, partner, &s), 0);
	for (uint32_t i = 0; i < LONG; i++) /* all distinct, turned round */
		a[i] = LONG - 1 - i + 10;
	assert_int_equal(align_optimal(a, LONG, b, LONG, partner, &s), 1);
	free(a);
	free(b);
	free(partner);
	arena_free(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_decides_between_equals),
		cmocka_unit_test(the_original_loses_a_match),
		cmocka_unit_test(long_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
