/*
 * The nodes come cut (critpath_cut.c); what is left is numbers and edges.
 *
 * Numbers: by end, then start, host before GPU. An edge never goes against them but where two
 * instants of no length contradict each other; such a constraint is dropped.
 *
 * Edges stand in rows by target. The binding one of each node is chosen, and from the binding
 * ones the floors: the least time each kind of constraint ever took when it decided.
 */
#include "analysis/critpath_graph.h"

#include "algo/sort.h"
#include "analysis/critpath_cut.h"
#include "base/check.h"

#include <string.h>

struct builder {
	const struct path_input *in;
	struct path_graph *g;
	struct arena *scratch;
	uint32_t ndrafts;
	struct draft *draft;
	uint32_t *first;     /* of each track: its first draft */
	uint32_t *rank;      /* of each draft: its number */
	uint32_t *src, *dst; /* of each constraint: drafts; NONE: dropped */
};

/* ---- Numbers ---- */

static bool draft_before(const void *ctx, uint32_t i, uint32_t j)
{
	const struct builder *b = ctx;
	const struct draft *x = &b->draft[i], *y = &b->draft[j];

	if (x->end != y->end)
		return x->end < y->end;
	if (x->start != y->start)
		return x->start < y->start;
	bool gpu = b->in->track[x->track].gpu, other = b->in->track[y->track].gpu;
	return gpu != other ? !gpu : i < j;
}

static event_id draft_event(const struct path_input *in, const struct draft *d)
{
	const struct path_track *t = &in->track[d->track];

	if (t->gpu)
		return in->piece[t->first].event;
	return d->wait == NONE ? NONE : in->wait[d->wait].call;
}

static void number_nodes(struct builder *b)
{
	struct path_graph *g = b->g;
	uint32_t n = b->ndrafts, *by = NEW(b->scratch, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		by[i] = i;
	sort_ids(by, n, NEW(b->scratch, n, uint32_t), draft_before, b);
	b->rank = NEW(b->scratch, n, uint32_t);
	for (uint32_t i = 0; i < n; i++) {
		const struct draft *d = &b->draft[by[i]];
		b->rank[by[i]] = i + 1;
		g->node[i + 1] = (struct path_node){ .start = d->start,
						     .end = d->end,
						     .track = d->track,
						     .event = draft_event(b->in, d) };
	}
	g->node[0] = (struct path_node){
		.start = g->start, .end = g->start, .track = NONE, .event = NONE, .binding = NONE
	};
	memcpy(g->order, b->rank, n * sizeof(*b->rank));
	memcpy(g->first, b->first, (b->in->ntracks + 1) * sizeof(*b->first));
}

/* Gives each node its pieces, cutting those that reach into the next. */
static void cut_pieces_at_nodes(struct builder *b)
{
	const struct path_input *in = b->in;
	struct path_graph *g = b->g;

	for (uint32_t k = 0; k < in->ntracks; k++) {
		uint32_t p = in->track[k].first;

		for (uint32_t i = g->first[k]; i < g->first[k + 1]; i++) {
			struct path_node *v = &g->node[g->order[i]];
			nsec at = v->start;

			v->first = g->npieces;
			while (at < v->end) {
				CHECK(p < in->track[k].past);
				const struct path_piece *from = &in->piece[p];
				nsec end = MIN_OF(from->end, v->end);
				if (end > at) {
					g->piece[g->npieces++] =
						(struct path_piece){ at, end, from->event,
								     g->order[i], from->class };
					at = end;
				}
				p += end == from->end;
			}
			v->past = g->npieces;
		}
	}
}

/* ---- Edges ---- */

/* The last draft of a track that ends at or before t; NONE if there is none. */
static uint32_t draft_ending(const struct builder *b, uint32_t track, nsec t)
{
	uint32_t lo = b->first[track], hi = b->first[track + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (b->draft[mid].end <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > b->first[track] ? lo - 1 : NONE;
}

/* The first draft of a track that starts at t; NONE if none does. */
static uint32_t draft_starting(const struct builder *b, uint32_t track, nsec t)
{
	uint32_t lo = b->first[track], hi = b->first[track + 1], past = hi;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (b->draft[mid].start < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < past && b->draft[lo].start == t ? lo : NONE;
}

static void resolve_constraints(struct builder *b)
{
	const struct path_input *in = b->in;

	b->src = NEW(b->scratch, in->nconstraints, uint32_t);
	b->dst = NEW(b->scratch, in->nconstraints, uint32_t);
	for (uint32_t i = 0; i < in->nconstraints; i++) {
		const struct path_constraint *c = &in->constraint[i];
		uint32_t src = draft_ending(b, c->src, c->from);
		uint32_t dst = draft_starting(b, c->dst, c->to);
		bool holds = src != NONE && dst != NONE && b->rank[src] < b->rank[dst] &&
			     b->draft[src].end <= b->draft[dst].start;

		b->src[i] = holds ? src : NONE;
		b->dst[i] = holds ? dst : NONE;
	}
}

static void edge_put(struct path_graph *g, uint32_t *at, uint32_t dst, uint32_t src, int kind,
		     nsec lag, uint8_t flags)
{
	uint32_t e = at[dst]++;

	g->dag.src[e] = src;
	g->lag[e] = lag;
	g->kind[e] = (uint8_t)kind;
	g->flags[e] = flags;
}

/* How many edges go into each node, at its place + 1. */
static void count_edges(struct builder *b, uint32_t *in)
{
	for (uint32_t i = 0; i < b->ndrafts; i++)
		in[b->rank[i] + 1] += b->draft[i].kind != EDGE_KINDS;
	for (uint32_t i = 0; i < b->in->nconstraints; i++)
		if (b->dst[i] != NONE)
			in[b->rank[b->dst[i]] + 1]++;
	for (uint32_t v = 1; v < b->g->dag.n; v++)
		in[v + 1] += in[v + 1] == 0; /* nothing recorded before it */
	for (uint32_t v = 0; v < b->g->dag.n; v++)
		in[v + 1] += in[v];
}

/* For now a lag is only what limits it: INT64_MAX but for the own time of blocking calls. */
static void fill_edges(struct builder *b)
{
	struct path_graph *g = b->g;
	uint32_t *at = NEW(b->scratch, g->dag.n + 1, uint32_t);

	memcpy(at, g->dag.in, g->dag.n * sizeof(*at));
	for (uint32_t i = 0; i < b->ndrafts; i++) {
		const struct draft *d = &b->draft[i];
		bool begins = i == b->first[d->track];
		if (d->kind != EDGE_KINDS)
			edge_put(g, at, b->rank[i], begins ? 0 : b->rank[i - 1], d->kind,
				 d->kind == EDGE_OWN ? b->in->wait[d->wait].own : INT64_MAX, 0);
	}
	for (uint32_t i = 0; i < b->in->nconstraints; i++)
		if (b->dst[i] != NONE)
			edge_put(g, at, b->rank[b->dst[i]], b->rank[b->src[i]],
				 b->in->constraint[i].kind, INT64_MAX, b->in->constraint[i].flags);
	for (uint32_t v = 1; v < g->dag.n; v++)
		if (at[v] == g->dag.in[v])
			edge_put(g, at, v, 0, EDGE_UNTRACED, INT64_MAX, 0);
}

static nsec edge_gap(const struct path_graph *g, uint32_t dst, uint32_t e)
{
	return g->node[dst].start - g->node[g->dag.src[e]].end;
}

static void choose_binding(struct path_graph *g)
{
	for (int k = 0; k < EDGE_KINDS; k++)
		g->floor[k] = INT64_MAX;
	for (uint32_t v = 1; v < g->dag.n; v++) {
		uint32_t best = g->dag.in[v];

		for (uint32_t e = best + 1; e < g->dag.in[v + 1]; e++) {
			nsec gap = edge_gap(g, v, e), least = edge_gap(g, v, best);
			if (gap < least || (gap == least && g->kind[e] < g->kind[best]))
				best = e;
		}
		g->node[v].binding = best;
		nsec *floor = &g->floor[g->kind[best]];
		*floor = MIN_OF(*floor, edge_gap(g, v, best));
	}
	for (int k = 0; k < EDGE_KINDS; k++)
		if (g->floor[k] == INT64_MAX || k == EDGE_HOLE)
			g->floor[k] = 0;
}

static void set_lags(struct path_graph *g)
{
	for (uint32_t v = 1; v < g->dag.n; v++)
		for (uint32_t e = g->dag.in[v]; e < g->dag.in[v + 1]; e++) {
			nsec gap = edge_gap(g, v, e);
			nsec least = g->kind[e] == EDGE_OWN ? g->lag[e] : g->floor[g->kind[e]];
			g->lag[e] = e == g->node[v].binding ? gap : MIN_OF(gap, least);
		}
}

/* The graph says of every node what was measured: the one promise all else stands on. */
static void check_replay(const struct path_graph *g, struct arena *scratch)
{
	nsec *length = NEW(scratch, g->dag.n, nsec), *finish = NEW(scratch, g->dag.n, nsec);
	bool same = true;

	for (uint32_t v = 0; v < g->dag.n; v++)
		length[v] = g->node[v].end - g->node[v].start;
	finish[0] = g->start;
	longest_forward(&g->dag, 1, g->dag.n, g->lag, length, finish);
	for (uint32_t v = 0; v < g->dag.n; v++)
		same = same && finish[v] == g->node[v].end;
	CHECK(same && "replay == measured");
}

/* ---- All of it ---- */

static void new_nodes(struct builder *b, struct arena *a)
{
	struct path_graph *g = b->g;
	size_t n = b->ndrafts + (size_t)1, most = b->in->npieces + n;

	g->dag.n = (uint32_t)n;
	g->node = NEW(a, n, struct path_node);
	g->piece = NEW(a, most, struct path_piece);
	g->order = NEW(a, n, uint32_t);
	g->first = NEW(a, b->in->ntracks + 1, uint32_t);
	g->dag.in = NEW(a, n + 1, uint32_t);
	g->bytes = n * (sizeof(*g->node) + 2 * sizeof(uint32_t)) + most * sizeof(*g->piece) +
		   b->in->ntracks * sizeof(uint32_t);
}

static void new_edges(struct builder *b, struct arena *a)
{
	struct path_graph *g = b->g;
	size_t m = g->dag.in[g->dag.n];

	g->dag.src = NEW(a, m, uint32_t);
	g->lag = NEW(a, m, nsec);
	g->kind = NEW(a, m, uint8_t);
	g->flags = NEW(a, m, uint8_t);
	g->bytes += m * (sizeof(uint32_t) + sizeof(nsec) + 2);
}

struct path_graph *critpath_graph_build(const struct path_input *in, struct arena *a)
{
	struct arena scratch = { 0 };
	struct path_graph *g = NEW(a, 1, struct path_graph);
	struct drafts d = critpath_cut(in, &scratch);
	struct builder b = { .in = in,
			     .g = g,
			     .scratch = &scratch,
			     .ndrafts = d.n,
			     .draft = d.at,
			     .first = d.first };

	g->start = in->start;
	g->end = in->end;
	g->ntracks = in->ntracks;
	g->track = in->track;
	new_nodes(&b, a);
	number_nodes(&b);
	cut_pieces_at_nodes(&b);
	resolve_constraints(&b);
	count_edges(&b, g->dag.in);
	new_edges(&b, a);
	fill_edges(&b);
	choose_binding(g);
	set_lags(g);
	check_replay(g, &scratch);
	arena_free(&scratch);
	return g;
}

enum path_class critpath_edge_class(const struct path_graph *g, uint32_t e)
{
	static const uint8_t class_of[EDGE_KINDS] = {
		[EDGE_CHAIN] = PATH_IDLE_UNKNOWN, /* never takes time */
		[EDGE_STREAM] = PATH_GPU_GAP,
		[EDGE_EVENT] = PATH_SYNC,
		[EDGE_WAIT] = PATH_SYNC,
		[EDGE_GRAPH] = PATH_GPU_GAP,
		[EDGE_LAUNCH] = PATH_LAUNCH_QUEUE,
		[EDGE_HANDOFF] = PATH_IDLE_HANDOFF,
		[EDGE_HOLE] = PATH_IDLE_UNKNOWN,
		[EDGE_OWN] = PATH_SYNC,
		[EDGE_UNTRACED] = PATH_UNTRACED_GPU,
	};

	return g->flags[e] & EDGE_QUEUED ? PATH_UNTRACED_GPU : class_of[g->kind[e]];
}

uint32_t critpath_node_before(const struct path_graph *g, uint32_t track, nsec t)
{
	uint32_t lo = g->first[track], hi = g->first[track + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->node[g->order[mid]].end <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > g->first[track] ? g->order[lo - 1] : NONE;
}

uint64_t critpath_graph_edges(const struct path_graph *g)
{
	uint64_t inside = 0;

	for (uint32_t v = 1; v < g->dag.n; v++)
		if (g->node[v].past > g->node[v].first)
			inside += g->node[v].past - g->node[v].first - 1;
	return g->dag.in[g->dag.n] + inside;
}
