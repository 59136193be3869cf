#include "prop.h"

#include "algo/longest.h"

#include <string.h>

enum { N = 12, M = N * (N - 1) / 2 };

struct graph {
	struct dag dag;
	uint32_t in[N + 1], src[M], dst[M], m;
	nsec lag[M], length[N], finish[N];
};

static void random_graph(struct graph *g)
{
	*g = (struct graph){ .dag.n = 1 + prop_below(N) };
	for (uint32_t v = 0; v < g->dag.n; v++) {
		g->in[v] = g->m;
		for (uint32_t u = 0; u < v; u++)
			if (prop_below(3) == 0) {
				g->src[g->m] = u;
				g->dst[g->m] = v;
				g->lag[g->m++] = prop_below(5);
			}
		g->length[v] = prop_below(10);
	}
	g->in[g->dag.n] = g->m;
	g->dag.in = g->in;
	g->dag.src = g->src;
	longest_forward(&g->dag, 0, g->dag.n, g->lag, g->length, g->finish);
}

/* By relaxing every edge n times over: no order is needed, so none can be wrong. */
static void relax(const struct graph *g, nsec *finish)
{
	for (uint32_t v = 0; v < g->dag.n; v++)
		finish[v] = g->length[v];
	for (uint32_t round = 0; round < g->dag.n; round++)
		for (uint32_t e = 0; e < g->m; e++) {
			nsec t = finish[g->src[e]] + g->lag[e] + g->length[g->dst[e]];
			finish[g->dst[e]] = MAX_OF(finish[g->dst[e]], t);
		}
}

static void forward_equals_relaxation(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(500); round++) {
		struct graph g;
		nsec finish[N];

		prop_start(round);
		random_graph(&g);
		relax(&g, finish);
		PROP_CHECK(round, !memcmp(finish, g.finish, g.dag.n * sizeof(nsec)));
	}
}

/* Are all in time when v takes `more` longer? */
static bool in_time(struct graph *g, uint32_t v, nsec more, const nsec *deadline)
{
	nsec finish[N];
	bool fine = true;

	g->length[v] += more;
	relax(g, finish);
	g->length[v] -= more;
	for (uint32_t w = 0; w < g->dag.n; w++)
		fine = fine && finish[w] <= deadline[w];
	return fine;
}

static void late_is_the_last_moment_that_nobody_notices(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		struct graph g;
		nsec deadline[N], late[N];

		prop_start(round);
		random_graph(&g);
		for (uint32_t v = 0; v < g.dag.n; v++)
			deadline[v] = prop_below(3) ? g.finish[v] + prop_below(9) : LONGEST_NEVER;
		memcpy(late, deadline, sizeof(late));
		longest_backward(&g.dag, 0, g.dag.n, g.lag, g.length, late);
		for (uint32_t v = 0; v < g.dag.n; v++) {
			nsec slack = late[v] - g.finish[v];
			if (late[v] == LONGEST_NEVER) {
				PROP_CHECK(round, in_time(&g, v, 1000, deadline));
				continue;
			}
			PROP_CHECK(round, slack >= 0 && in_time(&g, v, slack, deadline));
			PROP_CHECK(round, !in_time(&g, v, slack + 1, deadline));
		}
	}
}

/* The lowest of the ready nodes, looked for among all; n if there is none. */
static uint32_t lowest_ready(const struct graph *g, const bool *done)
{
	for (uint32_t v = 0; v < g->dag.n; v++) {
		bool ready = !done[v];
		for (uint32_t e = 0; e < g->m; e++)
			ready = ready && (g->dst[e] != v || done[g->src[e]]);
		if (ready)
			return v;
	}
	return g->dag.n;
}

static void order_takes_the_lowest_ready_node_and_finds_cycles(void **unused)
{
	(void)unused;
	struct arena a = { 0 };

	for (unsigned round = 0; round < PROP_ROUNDS(500); round++) {
		struct graph g;
		uint32_t order[N], name[N], n = 0;
		bool done[N] = { false };

		prop_start(round);
		random_graph(&g);
		for (uint32_t v = 0; v < g.dag.n; v++)
			name[v] = v;
		for (uint32_t v = g.dag.n; v > 1; v--) {
			uint32_t w = prop_below(v), swap = name[w];
			name[w] = name[v - 1];
			name[v - 1] = swap;
		}
		for (uint32_t e = 0; e < g.m; e++) {
			bool back = prop_below(20) == 0;
			uint32_t from = name[g.src[e]], to = name[g.dst[e]];
			g.src[e] = back ? to : from;
			g.dst[e] = back ? from : to;
		}
		bool whole = longest_order(g.dag.n, g.m, g.src, g.dst, order, &a);
		for (uint32_t v; (v = lowest_ready(&g, done)) < g.dag.n; done[v] = true)
			PROP_CHECK(round, order[n++] == v);
		PROP_CHECK(round, whole == (n == g.dag.n));
	}
	arena_free(&a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(forward_equals_relaxation),
		cmocka_unit_test(late_is_the_last_moment_that_nobody_notices),
		cmocka_unit_test(order_takes_the_lowest_ready_node_and_finds_cycles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
