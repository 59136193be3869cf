/*
 * Rounds of two passes, until one changes nothing: edges go that another outdoes, then chains
 * become edges. Both look at each edge once or twice, so a round is linear, and rounds are few.
 *
 * A way to the end is never shorter than its fixed time; so an edge that leads straight to the
 * end and does not scale goes if there is another way whose fixed time alone is as long.
 */
#include "analysis/replay.h"

#include "algo/sort.h"

#define ROUNDS_MAX 32
#define NEVER      (INT64_MIN / 2) /* does not lead to the end */

struct contraction {
	struct arena *a;
	struct replay_graph g;
	size_t *first; /* nnodes + 1: the edges out of a node */
	bool *gone;    /* of each edge */
	nsec *least;   /* of each node: fixed time from there to the end, at least */
};

static bool edge_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct replay_edge *e = ctx;

	return e[x].from != e[y].from ? e[x].from < e[y].from : e[x].to < e[y].to;
}

/* Edges by from, then to; parts stay where they are. */
static void sort_edges(struct contraction *c)
{
	struct replay_graph *g = &c->g;
	uint32_t n = (uint32_t)g->nedges, *id = NEW(c->a, n, uint32_t);
	struct replay_edge *sorted = NEW(c->a, n, struct replay_edge);

	for (uint32_t i = 0; i < n; i++)
		id[i] = i;
	sort_ids(id, n, NEW(c->a, n, uint32_t), edge_before, g->edge);
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = g->edge[id[i]];
	g->edge = sorted;
	c->first = NEW(c->a, (size_t)g->nnodes + 1, size_t);
	for (size_t i = 0; i < g->nedges; i++)
		c->first[sorted[i].from + 1]++;
	for (uint32_t v = 0; v < g->nnodes; v++)
		c->first[v + 1] += c->first[v];
	c->gone = NEW(c->a, g->nedges, bool);
}

static void find_least(struct contraction *c)
{
	struct replay_graph *g = &c->g;

	c->least = NEW(c->a, g->nnodes, nsec);
	for (uint32_t v = g->nnodes - 1; v-- > 0;) {
		c->least[v] = NEVER;
		for (size_t i = c->first[v]; i < c->first[v + 1]; i++) {
			nsec way = c->least[g->edge[i].to];
			if (way != NEVER)
				c->least[v] = MAX_OF(c->least[v], g->edge[i].fixed + way);
		}
	}
}

/* Has x as much of everything as y? Both go between the same nodes. */
static bool outdoes(const struct replay_graph *g, const struct replay_edge *x,
		    const struct replay_edge *y)
{
	size_t i = x->first;

	if (x->fixed < y->fixed)
		return false;
	for (size_t k = y->first; k < y->past; k++) {
		while (i < x->past && g->part[i].slot < g->part[k].slot)
			i++;
		if (i == x->past || g->part[i].slot != g->part[k].slot ||
		    g->part[i].time < g->part[k].time)
			return false;
	}
	return true;
}

#define NEIGHBOURS 16 /* so many of a crowd of parallel edges are compared with each */

static void drop_parallel(struct contraction *c, size_t i, size_t past)
{
	const struct replay_edge *e = c->g.edge;

	for (size_t k = i + 1; k < MIN_OF(past, i + NEIGHBOURS) && e[k].to == e[i].to; k++) {
		if (c->gone[k])
			continue;
		if (outdoes(&c->g, &e[i], &e[k]))
			c->gone[k] = true;
		else if (outdoes(&c->g, &e[k], &e[i])) {
			c->gone[i] = true;
			return;
		}
	}
}

/* The edge i is straight to the end and does not scale. Is another way out of its node as long? */
static bool is_outlasted(const struct contraction *c, size_t i)
{
	const struct replay_edge *e = c->g.edge;

	for (size_t k = c->first[e[i].from]; k < c->first[e[i].from + 1]; k++)
		if (e[k].to != e[i].to && !c->gone[k] &&
		    e[k].fixed + c->least[e[k].to] >= e[i].fixed)
			return true;
	return false;
}

static void drop_edges(struct contraction *c)
{
	struct replay_graph *g = &c->g;

	for (uint32_t v = 0; v < g->nnodes; v++) {
		size_t past = c->first[v + 1];
		for (size_t i = c->first[v]; i < past; i++)
			c->gone[i] = c->least[g->edge[i].to] == NEVER;
		for (size_t i = c->first[v]; i < past; i++) {
			const struct replay_edge *e = &g->edge[i];
			if (!c->gone[i])
				drop_parallel(c, i, past);
			if (!c->gone[i] && e->to == g->nnodes - 1 && e->first == e->past)
				c->gone[i] = is_outlasted(c, i);
		}
	}
}

/* ---- Chains ---- */

struct degrees {
	uint32_t *in, *out;
};

static struct degrees count_degrees(const struct contraction *c)
{
	struct degrees d = { NEW(c->a, c->g.nnodes, uint32_t), NEW(c->a, c->g.nnodes, uint32_t) };

	for (size_t i = 0; i < c->g.nedges; i++)
		if (!c->gone[i]) {
			d.out[c->g.edge[i].from]++;
			d.in[c->g.edge[i].to]++;
		}
	return d;
}

static void add_parts(struct replay_builder *b, const struct replay_graph *g,
		      const struct replay_edge *e)
{
	b->fixed += e->fixed;
	for (size_t i = e->first; i < e->past; i++)
		b->sum[g->part[i].slot] += g->part[i].time;
}

static const struct replay_edge *only_way(const struct contraction *c, uint32_t v)
{
	size_t i = c->first[v];

	while (c->gone[i])
		i++;
	return &c->g.edge[i];
}

/* From the start of an edge to the next node that stays. */
static void follow(struct replay_builder *b, const struct contraction *c, const uint32_t *number,
		   const struct replay_edge *e)
{
	uint32_t from = number[e->from];

	add_parts(b, &c->g, e);
	while (number[e->to] == NONE) {
		e = only_way(c, e->to);
		add_parts(b, &c->g, e);
	}
	replay_edge_add(b, from, number[e->to]);
}

static struct replay_graph join_chains(const struct contraction *c)
{
	const struct replay_graph *g = &c->g;
	struct degrees d = count_degrees(c);
	struct replay_builder b = { .a = c->a };
	uint32_t *number = NEW(c->a, g->nnodes, uint32_t), last = g->nnodes - 1;

	for (uint32_t v = 0; v <= last; v++) {
		bool stays = !v || v == last || (d.in[v] && (d.in[v] > 1 || d.out[v] > 1));
		number[v] = stays ? b.g.nnodes++ : NONE;
	}
	for (size_t i = 0; i < g->nedges; i++)
		if (!c->gone[i] && number[g->edge[i].from] != NONE)
			follow(&b, c, number, &g->edge[i]);
	return b.g;
}

struct replay_graph replay_contract(struct replay_graph g, struct arena *a)
{
	for (int round = 0; round < ROUNDS_MAX; round++) {
		struct contraction c = { .a = a, .g = g };
		size_t before = g.nedges;

		sort_edges(&c);
		find_least(&c);
		drop_edges(&c);
		g = join_chains(&c);
		if (g.nedges == before)
			break;
	}
	return g;
}

nsec *replay_measured(const struct replay_graph *g, struct arena *a)
{
	nsec *at = NEW(a, g->nnodes, nsec);

	for (uint32_t v = 1; v < g->nnodes; v++)
		at[v] = INT64_MIN;
	for (size_t i = 0; i < g->nedges; i++) {
		const struct replay_edge *e = &g->edge[i];
		nsec t = at[e->from] + e->fixed;
		for (size_t k = e->first; k < e->past; k++)
			t += g->part[k].time;
		at[e->to] = MAX_OF(at[e->to], t);
	}
	return at;
}
