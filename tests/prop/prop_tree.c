/*
 * Random threads of events, nested and crossing. The twin of nesting is a search for the
 * shortest event that holds another; the twin of self times is a row of marks per ns.
 */
#include "prop.h"

#include "../unit/maker.h"
#include "trace/link.h"
#include "trace/tree.h"

enum { N = 40, T = 200, LANES = 2 };

struct slice {
	int lane, start, len, python;
};

/* `nested`: within an earlier one, so that many do not cross. */
static uint32_t random_slices(struct slice *s, uint32_t most, bool nested)
{
	uint32_t n = 1 + prop_below(most);

	for (uint32_t i = 0; i < n; i++) {
		struct slice *in = i && prop_below(4) ? &s[prop_below(i)] : NULL;
		int from = in ? in->start : 0, room = in ? in->len : T - 1;
		s[i].lane = in ? in->lane : (int)prop_below(LANES);
		s[i].start = from + (int)prop_below((uint32_t)room + 1);
		s[i].len =
			(int)prop_below((uint32_t)(nested ? from + room - s[i].start : T / 2) + 1);
		s[i].python = prop_below(3) == 0;
		if (s[i].start + s[i].len > T)
			s[i].len = T - s[i].start;
	}
	return n;
}

/* 1 µs a unit, so that the tolerance for rounding plays no part. */
static struct trace *trace_of(const struct slice *s, const uint32_t *order, uint32_t n)
{
	struct maker m = maker_new();

	for (uint32_t k = 0; k < n; k++) {
		const struct slice *x = &s[order[k]];
		char name[16];
		snprintf(name, sizeof(name), "e%u", order[k]);
		make_event(&m, x->python ? "python_function" : "cpu_op", name, 1, x->lane, x->start,
			   x->len, NULL);
	}
	return maker_trace(&m);
}

static void in_order(uint32_t *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
}

static bool crosses(const struct slice *a, const struct slice *b)
{
	return a->lane == b->lane && a->start < b->start && b->start < a->start + a->len &&
	       a->start + a->len < b->start + b->len;
}

static bool any_crossing(const struct slice *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++)
			if (crosses(&s[i], &s[k]))
				return true;
	return false;
}

/* Is a above b in the order of pushing: earlier, longer, a frame, before it in the file? */
static bool pushed_first(const struct slice *s, uint32_t a, uint32_t b)
{
	if (s[a].start != s[b].start)
		return s[a].start < s[b].start;
	if (s[a].len != s[b].len)
		return s[a].len > s[b].len;
	return s[a].python != s[b].python ? s[a].python : a < b;
}

static uint32_t parent_by_search(const struct slice *s, uint32_t n, uint32_t i)
{
	uint32_t best = NONE;

	for (uint32_t k = 0; k < n; k++) {
		if (k == i || s[k].lane != s[i].lane || !pushed_first(s, k, i) ||
		    s[i].start >= s[k].start + s[k].len)
			continue;
		if (best == NONE || pushed_first(s, best, k))
			best = k;
	}
	return best;
}

static void the_parent_is_the_shortest_that_holds_it(void **unused)
{
	(void)unused;
	unsigned tried = 0;

	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		struct slice s[N];
		uint32_t order[N];
		prop_start(round);
		uint32_t n = random_slices(s, 8, true);

		if (any_crossing(s, n))
			continue;
		tried++;
		in_order(order, n);
		struct trace *tr = trace_of(s, order, n);
		const struct tree *t = trace_tree(tr, TREE_FULL);
		for (event_id e = 0; e < n; e++) {
			node_id p = t->parent[t->node[e]];
			PROP_CHECK(round,
				   (p == NONE ? NONE : t->event[p]) == parent_by_search(s, n, e));
		}
		PROP_CHECK(round, tr->counters.n[COUNT_PARTIAL_OVERLAP] == 0);
		trace_free(tr);
	}
	assert_true(tried >= PROP_ROUNDS(300) / 4);
}

static nsec union_by_marks(const struct slice *s, uint32_t n, bool python)
{
	bool on[LANES][T + 1] = { { 0 } };
	nsec sum = 0;

	for (uint32_t i = 0; i < n; i++)
		for (int k = s[i].start; (python || !s[i].python) && k < s[i].start + s[i].len; k++)
			on[s[i].lane][k] = true;
	for (int lane = 0; lane < LANES; lane++)
		for (int k = 0; k < T; k++)
			sum += on[lane][k];
	return sum * 1000;
}

static void check_laws(unsigned round, const struct trace *tr, const struct tree *t, nsec all)
{
	nsec self[N], sum = 0;

	tree_self(tr, t, self);
	for (node_id i = 0; i < t->n; i++) {
		node_id p = t->parent[i];
		PROP_CHECK(round, t->node[t->event[i]] == i);
		PROP_CHECK(round, t->end[i] > i && t->end[i] <= t->n);
		PROP_CHECK(round, p == NONE || (p < i && t->end[i] <= t->end[p]));
		PROP_CHECK(round, p == NONE || tr->ev.ts[t->event[p]] <= tr->ev.ts[t->event[i]]);
		PROP_CHECK(round, p == NONE || tr->ev.ts[t->event[i]] < trace_end(tr, t->event[p]));
		PROP_CHECK(round, self[i] >= 0);
		PROP_CHECK(round, tree_stop(tr, t, i) <= trace_end(tr, t->event[i]));
		sum += self[i];
	}
	PROP_CHECK(round, sum == all);
}

static void self_times_add_up_to_the_time_anything_runs(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(400); round++) {
		struct slice s[N];
		uint32_t order[N];
		nsec busy[16] = { 0 }, sum = 0;
		prop_start(round);
		uint32_t n = random_slices(s, N, false);

		in_order(order, n);
		struct trace *tr = trace_of(s, order, n);
		tree_survey(tr, busy);
		for (lane_id l = 0; l < tr->lanes.n; l++)
			sum += busy[l];
		uint64_t overlaps = tr->counters.n[COUNT_PARTIAL_OVERLAP];
		PROP_CHECK(round, sum == union_by_marks(s, n, true));
		PROP_CHECK(round, (overlaps > 0) == any_crossing(s, n));
		check_laws(round, tr, trace_tree(tr, TREE_FULL), union_by_marks(s, n, true));
		check_laws(round, tr, trace_tree(tr, TREE_NO_PYTHON), union_by_marks(s, n, false));
		PROP_CHECK(round, tr->counters.n[COUNT_PARTIAL_OVERLAP] == overlaps);
		trace_free(tr);
	}
}

/* Events of equal lane, start and length keep their order, so only others are shuffled. */
static bool all_differ(const struct slice *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (s[i].lane == s[k].lane && s[i].start == s[k].start &&
			    s[i].len == s[k].len)
				return false;
	return true;
}

static void the_tree_does_not_depend_on_the_order_of_the_file(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		struct slice s[N];
		uint32_t order[N];
		prop_start(round);
		uint32_t n = random_slices(s, N, round % 2);

		if (!all_differ(s, n))
			continue;
		in_order(order, n);
		struct trace *a = trace_of(s, order, n);
		for (uint32_t i = n; i-- > 1;) {
			uint32_t k = prop_below(i + 1), swap = order[i];
			order[i] = order[k];
			order[k] = swap;
		}
		struct trace *b = trace_of(s, order, n);
		const struct tree *x = trace_tree(a, TREE_FULL), *y = trace_tree(b, TREE_FULL);
		for (node_id i = 0; i < x->n; i++) {
			PROP_CHECK(round, x->event[i] == order[y->event[i]]);
			PROP_CHECK(round, x->parent[i] == y->parent[i]);
		}
		PROP_CHECK(round, a->start == b->start && a->end == b->end);
		trace_free(a);
		trace_free(b);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parent_is_the_shortest_that_holds_it),
		cmocka_unit_test(self_times_add_up_to_the_time_anything_runs),
		cmocka_unit_test(the_tree_does_not_depend_on_the_order_of_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
