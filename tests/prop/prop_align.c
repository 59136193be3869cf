/* Laws of alignments on random lists, against tables filled cell by cell. */
#include "algo/align_step.h"

#include "prop.h"

#include <string.h>

#define N 400

static void fill(uint32_t *a, uint32_t n, uint32_t letters)
{
	for (uint32_t i = 0; i < n; i++)
		a[i] = prop_below(letters);
}

/* The most matches by trying every choice: no table, no cleverness. */
static uint32_t most(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
	if (!n || !m)
		return 0;
	uint32_t best = most(a + 1, n - 1, b, m), other = most(a, n, b + 1, m - 1);

	if (a[0] == b[0]) {
		uint32_t both = 1 + most(a + 1, n - 1, b + 1, m - 1);

		best = MAX_OF(best, both);
	}
	return MAX_OF(best, other);
}

/* The rule of align.c, cell by cell, on lists without absent names; a is the first list. */
static void by_rule(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t *partner)
{
	static uint32_t t[N + 1][N + 1];

	for (uint32_t i = n + 1; i-- > 0;)
		for (uint32_t j = m + 1; j-- > 0;) {
			if (i == n || j == m)
				t[i][j] = 0;
			else if (a[i] == b[j])
				t[i][j] = 1 + t[i + 1][j + 1];
			else
				t[i][j] = MAX_OF(t[i + 1][j], t[i][j + 1]);
		}
	memset(partner, 0xff, n * sizeof(*partner));
	for (uint32_t i = 0, j = 0; i < n && j < m;) {
		if (a[i] == b[j]) {
			partner[i] = j;
			i++, j++;
		} else if (t[i + 1][j] == t[i][j]) {
			i++;
		} else {
			j++;
		}
	}
}

/* The number of matches; NONE if it is no alignment. */
static uint32_t count_matches(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			      const uint32_t *partner)
{
	uint32_t matches = 0, next = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (partner[i] == NONE)
			continue;
		if (partner[i] < next || partner[i] >= m || a[i] != b[partner[i]])
			return NONE;
		next = partner[i] + 1;
		matches++;
	}
	return matches;
}

static void short_lists_lose_no_match(void **unused)
{
	(void)unused;
	struct arena s = { 0 };
	uint32_t a[7], b[7], partner[7];

	for (unsigned round = 0; round < PROP_ROUNDS(3000); round++) {
		prop_start(round);
		uint32_t n = prop_below(8), m = prop_below(8), letters = 1 + prop_below(4);

		fill(a, n, letters);
		fill(b, m, letters);
		uint32_t got = align_optimal(a, n, b, m, partner, &s);
		PROP_CHECK(round, got == most(a, n, b, m));
		PROP_CHECK(round, got == count_matches(a, n, b, m, partner));
	}
	arena_free(&s);
}

static void exchanging_the_lists_gives_the_mirror(void **unused)
{
	(void)unused;
	struct arena s = { 0 };
	uint32_t a[N], b[N], to_b[N], to_a[N];

	for (unsigned round = 0; round < PROP_ROUNDS(500); round++) {
		prop_start(round);
		uint32_t n = prop_below(40), m = prop_below(2) ? n : prop_below(40),
			 letters = 1 + prop_below(12);

		fill(a, n, letters);
		fill(b, m, letters);
		align_optimal(a, n, b, m, to_b, &s);
		align_optimal(b, m, a, n, to_a, &s);
		for (uint32_t i = 0; i < n; i++)
			PROP_CHECK(round, to_b[i] == NONE || to_a[to_b[i]] == i);
		for (uint32_t j = 0; j < m; j++)
			PROP_CHECK(round, to_a[j] == NONE || to_b[to_a[j]] == j);
	}
	arena_free(&s);
}

static void reverse(uint32_t *a, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		uint32_t t = a[i];

		a[i] = a[n - 1 - i];
		a[n - 1 - i] = t;
	}
}

/* Each engine, given reversed lists, finds the alignment of the rule. */
static void engine_follows_the_rule(bool near)
{
	struct arena s = { 0 };
	uint32_t a[N], b[N], want[N], got[N];

	for (unsigned round = 0; round < PROP_ROUNDS(60); round++) {
		prop_start(round);
		uint32_t n = 1 + prop_below(N), m = 1 + prop_below(N),
			 letters = 1 + prop_below(round < 30 ? 4 : 300);

		fill(a, n, letters);
		fill(b, m, letters);
		by_rule(a, n, b, m, want);
		reverse(a, n);
		reverse(b, m);
		memset(got, 0xff, sizeof(got));
		if (near)
			PROP_CHECK(round, align_near(a, n, b, m, got, &s));
		else
			align_bits(a, n, b, m, 301, got, &s);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t g = got[n - 1 - i];

			PROP_CHECK(round, (g == NONE ? NONE : m - 1 - g) == want[i]);
		}
	}
	arena_free(&s);
}

static void bits_follow_the_rule(void **unused)
{
	(void)unused;
	engine_follows_the_rule(false);
}

static void near_follows_the_rule(void **unused)
{
	(void)unused;
	engine_follows_the_rule(true);
}

/* Long enough that columns are kept apart and computed again on the way back. */
static void long_lists_agree_between_engines(void **unused)
{
	(void)unused;
	enum { LONG = 6000 };
	static uint32_t a[LONG], b[LONG], near[LONG], bits[LONG];
	struct arena s = { 0 };
	uint32_t m = 0;

	prop_start(0);
	fill(a, LONG, 50);
	for (uint32_t i = 0; i < LONG; i++)
		if (prop_below(20))
			b[m++] = prop_below(30) ? a[i] : prop_below(50);
	memset(near, 0xff, sizeof(near));
	memset(bits, 0xff, sizeof(bits));
	assert_true(align_near(a, LONG, b, m, near, &s));
	align_bits(a, LONG, b, m, 50, bits, &s);
	assert_memory_equal(near, bits, sizeof(near));
	arena_free(&s);
}

static void chain_is_best_if_no_name_repeats(void **unused)
{
	(void)unused;
	struct arena s = { 0 };
	uint32_t a[N], b[N], want[N], got[N];

	for (unsigned round = 0; round < PROP_ROUNDS(40); round++) {
		prop_start(round);
		uint32_t n = 1 + prop_below(N);

		for (uint32_t i = 0; i < n; i++) {
			uint32_t j = prop_below(i + 1);

			a[i] = i;
			b[i] = b[j];
			b[j] = i;
		}
		by_rule(a, n, b, n, want);
		memset(got, 0xff, sizeof(got));
		align_chain(a, n, b, n, n, got, &s);
		PROP_CHECK(round,
			   count_matches(a, n, b, n, got) == count_matches(a, n, b, n, want));
	}
	arena_free(&s);
}

/* The original's table and way back, written as the text of its rules has it. */
static uint32_t original(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			 struct align_op *ops)
{
	static uint32_t t[N + 1][N + 1];
	uint32_t i = n, j = m, k = 0;

	for (uint32_t x = 0; x <= n; x++)
		for (uint32_t y = 0; y <= m; y++) {
			if (!x || !y) {
				t[x][y] = x + y;
				continue;
			}
			uint32_t change = t[x - 1][y - 1] + (a[x - 1] != b[y - 1]);
			uint32_t gap = 1 + MIN_OF(t[x - 1][y], t[x][y - 1]);
			t[x][y] = MIN_OF(change, gap);
		}
	while (i || j) {
		if (i && j && a[i - 1] == b[j - 1])
			ops[k++] = (struct align_op){ --i, --j };
		else if (i && (!j || t[i][j] == t[i - 1][j] + 1))
			ops[k++] = (struct align_op){ --i, NONE };
		else
			ops[k++] = (struct align_op){ NONE, --j };
	}
	return k;
}

static void tracelens_is_reproduced_step_by_step(void **unused)
{
	(void)unused;
	struct arena s = { 0 };
	static struct align_op want[2 * N], got[2 * N];
	uint32_t a[N], b[N];

	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		prop_start(round);
		uint32_t top = round < 250 ? 12 : N, n = prop_below(top), m = prop_below(top);
		uint32_t letters = 1 + prop_below(round % 2 ? 5 : 150);

		fill(a, n, letters);
		fill(b, m, letters);
		uint32_t nwant = original(a, n, b, m, want);
		PROP_CHECK(round, align_tracelens(a, n, b, m, got, &s) == nwant);
		for (uint32_t i = 0; i < nwant; i++) {
			struct align_op w = want[nwant - 1 - i];

			PROP_CHECK(round, got[i].a == w.a && got[i].b == w.b);
		}
	}
	arena_free(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_lists_lose_no_match),
		cmocka_unit_test(exchanging_the_lists_gives_the_mirror),
		cmocka_unit_test(bits_follow_the_rule),
		cmocka_unit_test(near_follows_the_rule),
		cmocka_unit_test(long_lists_agree_between_engines),
		cmocka_unit_test(chain_is_best_if_no_name_repeats),
		cmocka_unit_test(tracelens_is_reproduced_step_by_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
