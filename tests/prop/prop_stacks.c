/* Stacks that were put into the columns as they came are those that were added one by one. */
#include "profile/stacks.h"
#include "prop.h"

#include <string.h>

/* Rows over few functions, so that many are equal, callers before callees. */
static struct stacks raw_rows(uint32_t nfuncs)
{
	uint32_t n = prop_below(60);
	struct stacks st = { .n = n, .cap = n };
	uint32_t roots = 1 + prop_below(5);

	st.prefix = malloc((n + 1) * sizeof(*st.prefix));
	st.func = malloc((n + 1) * sizeof(*st.func));
	for (uint32_t s = 0; s < n; s++) {
		st.prefix[s] = s < roots ? NONE : prop_below(s);
		st.func[s] = prop_below(nfuncs);
	}
	return st;
}

/* Preorder, siblings ascending, ranges of what is below. */
static bool canonical(const struct stacks *st)
{
	for (stack_id s = 0; s < st->n; s++) {
		stack_id up = st->prefix[s], right = st->end[s];

		if (right <= s || right > st->n || (up != NONE && up >= s))
			return false;
		if (s + 1 < right && st->prefix[s + 1] != s)
			return false;
		if (right < st->n && st->prefix[right] == up && st->func[right] <= st->func[s])
			return false;
		if (up != NONE && right > st->end[up])
			return false;
	}
	return true;
}

static bool same(const struct stacks *a, const struct stacks *b)
{
	size_t size = a->n * sizeof(*a->prefix);

	return a->n == b->n && !memcmp(a->prefix, b->prefix, size) &&
	       !memcmp(a->func, b->func, size) && !memcmp(a->end, b->end, size);
}

static void columns_sort_as_rows_added_one_by_one(void **unused)
{
	for (unsigned round = 0; round < PROP_ROUNDS(2000); round++) {
		prop_start(round);
		uint32_t nfuncs = 1 + prop_below(6);
		struct stacks raw = raw_rows(nfuncs), added = { 0 };
		uint32_t n = raw.n;
		stack_id *row = malloc((n + 1) * sizeof(*row));

		for (uint32_t s = 0; s < n; s++)
			row[s] = stacks_add(&added,
					    raw.prefix[s] == NONE ? NONE : row[raw.prefix[s]],
					    raw.func[s]);
		stack_id *raw_place = stacks_sort(&raw, nfuncs);
		stack_id *added_place = stacks_sort(&added, nfuncs);

		PROP_CHECK(round, canonical(&raw));
		PROP_CHECK(round, same(&raw, &added));
		for (uint32_t s = 0; s < n; s++)
			PROP_CHECK(round, raw_place[s] == added_place[row[s]]);
		free(row);
		free(raw_place);
		free(added_place);
		stacks_free(&raw);
		stacks_free(&added);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_sort_as_rows_added_one_by_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
