/*
 * Each node of the graph is two here, where it starts and where it ends: what leads to it meets in
 * the one, what it takes lies between, and what hangs on it begins in the other. What was
 * before the window is when it was, so it is part of the way from the start.
 */
#include "analysis/replay.h"

#include "analysis/whatif.h"

const struct replay_group replay_groups[REPLAY_GROUPS] = {
	{ "compute", "Compute kernels" },
	{ "comm", "Communication" },
	{ "copies", "Copies and fills" },
	{ "launch", "Launches: calls and queue" },
	{ "cpu", "Host code" },
	{ "gpu_gap", "Gaps between kernels" },
	{ "sync", "Waits that return" },
	{ "idle_handoff", "Hand-overs between threads" },
	{ "idle_unknown", "Unrecorded host time" },
};

uint32_t replay_group_classes(uint32_t group)
{
	return whatif_classes(str_of(replay_groups[group].target));
}

uint32_t replay_group_of_own(enum path_class c)
{
	uint32_t k = 0, bits = 1u << c | (c == PATH_SYNC ? WHATIF_OWN_SYNC : 0);

	while (k < REPLAY_GROUPS && !(replay_group_classes(k) & bits))
		k++;
	return k;
}

uint32_t replay_group_of_edge(const struct path_graph *g, uint32_t edge)
{
	uint32_t k = 0;

	while (k < REPLAY_GROUPS && !whatif_wants_lag(replay_group_classes(k), g, edge))
		k++;
	return k;
}

uint32_t replay_kernel(const struct replay_names *names, const struct trace *tr, event_id e)
{
	string_id name = e == NONE ? NONE : tr->ev.name[e];

	for (uint32_t k = 0; name != NONE && k < names->n; k++)
		if (names->name[k] == name)
			return k + 1;
	return 0;
}

/* ---- Edges ---- */

static void *grown(struct arena *a, const void *at, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return (void *)(uintptr_t)at;
	*room = 2 * *room + 256;
	void *more = arena_array(a, *room, size);
	if (n)
		memcpy(more, at, n * size);
	return more;
}

void replay_edge_add(struct replay_builder *b, uint32_t from, uint32_t to)
{
	struct replay_graph *g = &b->g;
	size_t first = g->nparts;

	for (uint32_t s = 0; s < REPLAY_SLOTS; s++) {
		if (!b->sum[s])
			continue;
		g->part = grown(b->a, g->part, g->nparts, &b->room_parts, sizeof(*g->part));
		g->part[g->nparts++] = (struct replay_part){ b->sum[s], s };
		b->sum[s] = 0;
	}
	g->edge = grown(b->a, g->edge, g->nedges, &b->room_edges, sizeof(*g->edge));
	g->edge[g->nedges++] = (struct replay_edge){ from, to, b->fixed, first, g->nparts };
	b->fixed = 0;
}

struct draft_maker {
	const struct critpath *c;
	const struct replay_names *names;
	struct replay_builder b;
	uint32_t past;              /* nodes from here on decide nothing */
	uint32_t own[PATH_CLASSES]; /* the groups of own times */
};

static uint32_t start_of(const struct draft_maker *m, uint32_t node)
{
	return 1 + 2 * (node - m->c->view.first);
}

static uint32_t end_of(const struct draft_maker *m, uint32_t node)
{
	return node < m->c->view.first ? 0 : start_of(m, node) + 1;
}

static void add_length(struct draft_maker *m, uint32_t node)
{
	const struct path_view *view = &m->c->view;
	const struct path_node *v = &view->g->node[node];

	m->b.fixed = v->end - v->start;
	for (uint32_t i = v->first; i < v->past; i++) {
		const struct path_piece *p = &view->g->piece[i];
		nsec own = MIN_OF(p->end, view->window.end) - MAX_OF(p->start, view->window.start);
		uint32_t kernel = replay_kernel(m->names, m->c->tr, p->event);
		uint32_t group = m->own[p->class];
		if (own <= 0 || group == REPLAY_GROUPS)
			continue;
		m->b.sum[kernel * REPLAY_GROUPS + group] += own;
		m->b.fixed -= own;
	}
	replay_edge_add(&m->b, start_of(m, node), end_of(m, node));
}

static void add_lag(struct draft_maker *m, uint32_t node, uint32_t e)
{
	const struct path_view *view = &m->c->view;
	const struct path_graph *g = view->g;
	uint32_t src = g->dag.src[e], group = replay_group_of_edge(g, e);
	nsec inside = group == REPLAY_GROUPS ? 0 : critpath_lag_inside(view, e);

	m->b.fixed = g->lag[e] - inside;
	if (inside)
		m->b.sum[group] += inside;
	if (src < view->first)
		m->b.fixed += g->node[src].end - view->window.start;
	replay_edge_add(&m->b, end_of(m, src), start_of(m, node));
}

static void add_all(struct draft_maker *m, const nsec *deadline)
{
	const struct path_view *v = &m->c->view;
	const struct dag *dag = &v->g->dag;

	for (uint32_t i = v->first; i < m->past; i++) {
		for (uint32_t e = dag->in[i]; e < dag->in[i + 1]; e++)
			add_lag(m, i, e);
		add_length(m, i);
		m->b.fixed = v->window.end - deadline[i];
		if (deadline[i] != LONGEST_NEVER)
			replay_edge_add(&m->b, end_of(m, i), m->b.g.nnodes - 1);
		m->b.fixed = 0;
	}
}

struct replay_graph replay_draft(const struct critpath *c, const struct replay_names *names,
				 struct arena *a)
{
	const struct path_view *v = &c->view;
	struct draft_maker m = { .c = c, .names = names, .b = { .a = a }, .past = v->first };
	const nsec *deadline = critpath_deadlines(v, a);
	bool ends = v->anchor >= v->first;

	for (enum path_class k = 0; k < PATH_CLASSES; k++)
		m.own[k] = replay_group_of_own(k);
	for (uint32_t i = v->first; ends && i < v->g->dag.n; i++)
		if (deadline[i] != LONGEST_NEVER)
			m.past = i + 1;
	m.b.g.nnodes = 2 * (m.past - v->first) + 2;
	m.b.fixed = ends ? 0 : v->window.end - v->window.start;
	replay_edge_add(&m.b, 0, m.b.g.nnodes - 1);
	add_all(&m, deadline);
	return m.b.g;
}
