#include "prop.h"

#include "algo/sort.h"

enum { N = 700 };

static uint32_t compared;

static bool smaller(const void *ctx, uint32_t a, uint32_t b)
{
	const uint8_t *key = ctx;

	compared++;
	return key[a] < key[b];
}

/* Stable means: by key, and equal keys by the place they had. */
static void sort_is_stable_and_loses_nothing(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		uint8_t key[N];
		uint32_t id[N], spare[N];
		prop_start(round);
		uint32_t n = prop_below(N + 1), kinds = 1 + prop_below(256);

		for (uint32_t i = 0; i < n; i++) {
			bool jump = !i || prop_below(1 + round % 20) == 0;
			key[i] = (uint8_t)(jump ? prop_below(kinds) : key[i - 1] + round % 3 - 1);
			id[i] = i;
		}
		sort_ids(id, n, spare, smaller, key);
		for (uint32_t i = 1; i < n; i++)
			PROP_CHECK(round,
				   key[id[i - 1]] < key[id[i]] ||
					   (key[id[i - 1]] == key[id[i]] && id[i - 1] < id[i]));
		for (uint32_t i = 0, sum = 0; i <= n; i++)
			PROP_CHECK(round, i < n ? (sum += id[i], true) : sum == n * (n - 1) / 2);
	}
}

static void sort_of_sorted_rows_compares_each_once(void **unused)
{
	(void)unused;
	uint8_t key[N];
	uint32_t id[N], spare[N];

	for (uint32_t i = 0; i < N; i++) {
		key[i] = (uint8_t)(i / 4);
		id[i] = i;
	}
	compared = 0;
	sort_ids(id, N, spare, smaller, key);
	assert_in_range(compared, N - 1, N);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sort_is_stable_and_loses_nothing),
		cmocka_unit_test(sort_of_sorted_rows_compares_each_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
