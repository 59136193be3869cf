#include "base/simd.h"

#include "prop.h"

#include <string.h>

#define MAX 3000

static char text[MAX + 64];
static uint32_t want[MAX + 64], got[MAX + 64];

/* The rule, byte by byte. */
static uint32_t by_the_rule(const char *p, uint32_t n, uint32_t *ix)
{
	bool in_string = false, escaped = false;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool quote = p[i] == '"' && !escaped;

		if (quote || (!in_string && p[i] && strchr("{}[]", p[i])))
			ix[k++] = i;
		in_string ^= quote;
		escaped = p[i] == '\\' && !escaped;
	}
	return k;
}

/* Mostly the bytes that matter; runs of backslashes, which are what can go wrong. */
static uint32_t random_text(void)
{
	static const char bytes[] = "\"\"\"{}[]\\\\\\\\ab:, [{";
	uint32_t n = prop_below(MAX);

	for (uint32_t i = 0; i < n; i++)
		text[i] = prop_below(20) ? bytes[prop_below(sizeof(bytes) - 1)] : (char)prop_next();
	if (!prop_below(3)) {
		uint32_t run = n ? prop_below(n) : 0;
		memset(text, '\\', MIN_OF(run, 200));
	}
	memset(text + n, prop_below(2) ? '"' : 0, 64);
	return n;
}

static void every_variant_finds_what_the_rule_finds(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(2000); round++) {
		prop_start(round);
		uint32_t n = random_text(), k = by_the_rule(text, n, want);

		for (enum simd_level level = 0; level < SIMD_LEVELS; level++) {
			simd_index_fn *index = simd_index(level);

			if (!index)
				continue;
			PROP_CHECK(round, index(text, n, got) == k);
			PROP_CHECK(round, !memcmp(got, want, k * sizeof(*got)));
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_variant_finds_what_the_rule_finds),
	};
	print_message("best here: %s\n", simd_name(simd_best()));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
