/*
 * Both passes are relaxations in an order that is known to be topological, so each
 * edge is looked at once. Kahn's order keeps the ready nodes in a binary heap: a set
 * would do, but the lowest number first makes the order the same on every run.
 */
#include "algo/longest.h"

void longest_forward(const struct dag *g, uint32_t from, uint32_t to, const nsec *lag,
		     const nsec *length, nsec *finish)
{
	for (uint32_t v = from; v < to; v++) {
		nsec start = g->in[v] == g->in[v + 1] ? 0 : INT64_MIN;

		for (uint32_t e = g->in[v]; e < g->in[v + 1]; e++) {
			nsec t = finish[g->src[e]] + lag[e];
			start = MAX_OF(start, t);
		}
		finish[v] = start + length[v];
	}
}

void longest_backward(const struct dag *g, uint32_t from, uint32_t to, const nsec *lag,
		      const nsec *length, nsec *late)
{
	for (uint32_t v = to; v-- > from;) {
		if (late[v] == LONGEST_NEVER)
			continue;
		for (uint32_t e = g->in[v]; e < g->in[v + 1]; e++) {
			nsec t = late[v] - length[v] - lag[e];
			nsec *before = &late[g->src[e]];
			*before = MIN_OF(*before, t);
		}
	}
}

struct ready {
	uint32_t n;
	uint32_t *at; /* a heap: at[i] is below at[2i + 1] and at[2i + 2] */
};

static void ready_push(struct ready *r, uint32_t v)
{
	uint32_t i = r->n++;

	for (; i && r->at[(i - 1) / 2] > v; i = (i - 1) / 2)
		r->at[i] = r->at[(i - 1) / 2];
	r->at[i] = v;
}

static uint32_t ready_pop(struct ready *r)
{
	uint32_t lowest = r->at[0], v = r->at[--r->n], i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;
		if (child + 1 < r->n && r->at[child + 1] < r->at[child])
			child++;
		if (child >= r->n || r->at[child] >= v)
			break;
		r->at[i] = r->at[child];
		i = child;
	}
	r->at[i] = v;
	return lowest;
}

/* The edges out of v are edge[first[v] .. first[v + 1]). */
static uint32_t *edges_out(uint32_t n, uint32_t m, const uint32_t *src, uint32_t *edge,
			   struct arena *scratch)
{
	uint32_t *first = NEW(scratch, (size_t)n + 2, uint32_t) + 1;

	for (uint32_t e = 0; e < m; e++)
		first[src[e]]++;
	for (uint32_t v = 0, sum = 0; v < n; v++) {
		uint32_t here = first[v];
		first[v] = sum;
		sum += here;
	}
	for (uint32_t e = 0; e < m; e++)
		edge[first[src[e]]++] = e;
	return first - 1; /* each start has moved to its end: one place on, they are starts again */
}

bool longest_order(uint32_t n, uint32_t m, const uint32_t *src, const uint32_t *dst,
		   uint32_t *order, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	uint32_t *edge = NEW(scratch, m, uint32_t), *missing = NEW(scratch, n, uint32_t);
	uint32_t *first = edges_out(n, m, src, edge, scratch), done = 0;
	struct ready r = { 0, NEW(scratch, n, uint32_t) };

	for (uint32_t e = 0; e < m; e++)
		missing[dst[e]]++;
	for (uint32_t v = 0; v < n; v++)
		if (!missing[v])
			ready_push(&r, v);
	while (r.n) {
		uint32_t v = ready_pop(&r);
		order[done++] = v;
		for (uint32_t i = first[v]; i < first[v + 1]; i++)
			if (!--missing[dst[edge[i]]])
				ready_push(&r, dst[edge[i]]);
	}
	arena_rewind(scratch, mark);
	return done == n;
}
