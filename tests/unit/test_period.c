#include "algo/period.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct period find(const char *names)
{
	struct arena a = { 0 };
	uint32_t n = (uint32_t)strlen(names), id[256];

	for (uint32_t i = 0; i < n; i++)
		id[i] = (uint32_t)(names[i] - 'a');
	struct period p = period_find(id, n, 26, &a);
	arena_free(&a);
	return p;
}

static void patterns_by_hand(void **unused)
{
	(void)unused;
	struct period p = find("sababab"); /* setup, then a b three times */
	assert_int_equal(p.length, 2);
	assert_int_equal(p.start, 1);
	assert_int_equal(p.repeats, 3);
	assert_int_equal(find("abcd").length, 0);
	assert_int_equal(find("abab").length, 0); /* twice is no pattern */
	assert_int_equal(find("abababababababababababab").length, 2);
	assert_int_equal(find("sxxxxxsxxxxxsxxxxxsxxxxx").length, 6);
	assert_int_equal(find("aaaa").length, 1);
	assert_int_equal(find("pdsdspdsdspdsdspdsds").length,
			 5); /* draft/score twice an iteration */
	assert_int_equal(find("").length, 0);
}

static void blocks_skip_what_carries_no_work(void **unused)
{
	(void)unused;
	/* x is an intruder without work, y one with work, which ends the search */
	const char *names = "abcabxcabcyabc";
	uint32_t id[16], begin[16], end[16], n = (uint32_t)strlen(names);
	bool light[16];

	for (uint32_t i = 0; i < n; i++) {
		id[i] = (uint32_t)(names[i] - 'a');
		light[i] = names[i] == 'x';
	}
	struct period p = { 3, 0, 3 };
	assert_int_equal(period_blocks(id, light, n, p, begin, end), 3);
	assert_int_equal(begin[1], 3);
	assert_int_equal(end[1], 7);
	assert_int_equal(begin[2], 7);
	assert_int_equal(end[2], 10);
}

/* Every period is tried by definition, the anchor's gaps only: the twin. */
static struct period brute(const uint32_t *id, uint32_t n, uint32_t nnames)
{
	uint32_t count[8] = { 0 }, anchor = NONE;
	struct period best = { 0 };

	for (uint32_t i = 0; i < n; i++)
		count[id[i]]++;
	for (uint32_t k = 0; k < nnames; k++)
		if (count[k] >= 3 && (anchor == NONE || count[k] < count[anchor]))
			anchor = k;
	for (uint32_t p = 1; 3 * p <= n; p++) {
		bool gap = false;
		for (uint32_t i = 0; i + p < n; i++) {
			bool next = id[i] == anchor && id[i + p] == anchor;
			for (uint32_t k = i + 1; k < i + p; k++)
				next = next && id[k] != anchor;
			gap = gap || next;
		}
		uint32_t longest = 0, first = 0;
		for (uint32_t start = 0; gap && start + p < n; start++) {
			uint32_t run = 0;
			while (start + run + p < n && id[start + run] == id[start + run + p])
				run++;
			if (run > longest) {
				longest = run;
				first = start;
			}
		}
		uint32_t repeats = (longest + p) / p;
		if (!gap || repeats < 3 || 2 * repeats * p <= n)
			continue;
		uint32_t c = (2000 * repeats * p + n) / (2 * n);
		uint32_t b = best.length ? (2000 * best.repeats * best.length + n) / (2 * n) : 0;
		bool multiple = best.length && p % best.length == 0;
		if (c > b + (multiple ? 50 : 0))
			best = (struct period){ p, first, repeats };
	}
	return best;
}

static void equals_brute_force_on_random_lists(void **unused)
{
	(void)unused;
	const char *env = getenv("PROP_ROUNDS");
	unsigned rounds = env ? (unsigned)atoi(env) * 10 : 2000, seed = 1;
	struct arena a = { 0 };
	unsigned found = 0;

	for (unsigned r = 0; r < rounds; r++) {
		uint32_t id[40], n = 1 + r % 40, p = 1 + r % 7;
		for (uint32_t i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			id[i] = i < p || seed >> 28 == 0 ? seed >> 16 & 3 : id[i - p];
		}
		struct period got = period_find(id, n, 4, &a), want = brute(id, n, 4);
		if (got.length != want.length || got.repeats != want.repeats ||
		    got.start != want.start)
			fail_msg("round %u: got %u+%ux%u, want %u+%ux%u", r, got.start, got.length,
				 got.repeats, want.start, want.length, want.repeats);
		found += got.length > 0;
	}
	assert_true(found > rounds / 4);
	arena_free(&a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_by_hand),
		cmocka_unit_test(blocks_skip_what_carries_no_work),
		cmocka_unit_test(equals_brute_force_on_random_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
