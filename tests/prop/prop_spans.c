/* The twin of every operation is a row of marks, one per nanosecond. */
#include "prop.h"

#include "algo/spans.h"

enum { T = 100 };

static void mark(bool *on, const struct span *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (nsec t = at[i].start; t < at[i].end; t++)
			on[t] = true;
}

static size_t random_spans(struct span *at, size_t cap)
{
	size_t n = prop_below((uint32_t)cap + 1);

	for (size_t i = 0; i < n; i++) {
		at[i].start = prop_below(T);
		at[i].end = at[i].start + (nsec)prop_below((uint32_t)(T - at[i].start)) / 4;
	}
	return n;
}

static bool is_set_of(struct spans s, const bool *on)
{
	bool mine[T] = { 0 };
	nsec sum = 0;

	mark(mine, s.at, s.n);
	for (int t = 0; t < T; t++) {
		if (mine[t] != on[t])
			return false;
		sum += on[t];
	}
	for (size_t i = 0; i < s.n; i++)
		if (s.at[i].start >= s.at[i].end || (i && s.at[i].start <= s.at[i - 1].end))
			return false;
	return spans_length(s) == sum;
}

static void spans_are_what_their_marks_say(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(2000); round++) {
		struct span x[12], y[12];
		bool on_x[T] = { 0 }, on_y[T] = { 0 }, both[T], only[T], within[T];
		struct arena a = { 0 };
		prop_start(round);
		size_t nx = random_spans(x, 12), ny = random_spans(y, 12);
		nsec from = prop_below(T), to = prop_below(T);

		mark(on_x, x, nx);
		mark(on_y, y, ny);
		for (int t = 0; t < T; t++) {
			both[t] = on_x[t] && on_y[t];
			only[t] = on_x[t] && !on_y[t];
			within[t] = on_x[t] && t >= from && t < to;
		}
		struct spans sx = spans_union(&a, x, nx), sy = spans_union(&a, y, ny);
		PROP_CHECK(round, is_set_of(sx, on_x));
		PROP_CHECK(round, is_set_of(spans_subtract(&a, sx, sy), only));
		PROP_CHECK(round, is_set_of(spans_intersect(&a, sx, sy), both));
		PROP_CHECK(round, is_set_of(spans_within(&a, sx, from, to), within));
		arena_free(&a);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_what_their_marks_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
