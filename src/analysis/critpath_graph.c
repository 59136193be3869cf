/*
 * In three passes.
 *
 * 1. Cuts. Every track names the instants where its runs start and stop, every constraint the
 *    two it joins. Sorted by track and time they are read once, left to right: what lies
 *    between two of them is a node. START (work waits for something here) comes before END
 *    (something waits for the work before here), and both at one instant leave a node of no
 *    length between them: what waits for the thread at t also waits for what the thread
 *    waited for at t.
 * 2. Numbers: by end, then start, host before GPU. An edge never goes against them but where
 *    two instants of no length contradict each other; such a constraint is dropped.
 * 3. Edges in rows by target, the binding one of each node, and from the binding ones the
 *    floors: the least time each kind of constraint ever took when it decided.
 */
#include "analysis/critpath_graph.h"

#include "algo/sort.h"
#include "base/check.h"

#include <string.h>

enum cut_what { CUT_START, CUT_END, CUT_STOP };

struct cut {
	nsec at;
	uint32_t track;
	uint32_t wait; /* of a STOP: the wait that begins here; NONE: a hole, or the end */
	uint8_t what;
};

/* A node while it has no number yet: how it hangs on the one before it on its track. */
struct draft {
	nsec start, end;
	uint32_t track;
	uint32_t wait; /* the wait before it, or NONE */
	uint8_t kind;  /* EDGE_CHAIN, EDGE_HOLE or EDGE_OWN; EDGE_KINDS: it begins a track */
};

struct builder {
	const struct path_input *in;
	struct path_graph *g;
	struct arena *scratch;
	uint32_t ncuts, ndrafts;
	struct cut *cut;
	struct draft *draft;
	uint32_t *first;     /* of each track: its first draft */
	uint32_t *rank;      /* of each draft: its number */
	uint32_t *src, *dst; /* of each constraint: drafts; NONE: dropped */
};

/* ---- 1. Cuts ---- */

static void cut_add(struct builder *b, uint32_t track, nsec at, enum cut_what what, uint32_t wait)
{
	b->cut[b->ncuts++] = (struct cut){ at, track, wait, (uint8_t)what };
}

static void cut_pieces(struct builder *b, uint32_t k)
{
	const struct path_track *t = &b->in->track[k];
	const struct path_piece *p = b->in->piece;

	for (uint32_t i = t->first; i < t->past; i++) {
		if (i == t->first || p[i - 1].end < p[i].start)
			cut_add(b, k, p[i].start, CUT_START, NONE);
		if (i + 1 == t->past || p[i].end < p[i + 1].start)
			cut_add(b, k, p[i].end, CUT_STOP, NONE);
	}
}

static void cut_waits(struct builder *b)
{
	const struct path_input *in = b->in;
	uint32_t p = 0;

	for (uint32_t w = 0; w < in->nwaits; w++) {
		const struct path_wait *wait = &in->wait[w], *next = wait + 1;
		const struct path_track *t = &in->track[wait->track];
		bool touches = w + 1 < in->nwaits && next->track == wait->track &&
			       next->start == wait->end;

		for (p = MAX_OF(p, t->first); p < t->past && in->piece[p].start < wait->end;)
			p++;
		touches = touches || (p < t->past && in->piece[p].start == wait->end);
		cut_add(b, wait->track, wait->start, CUT_STOP, w);
		cut_add(b, wait->track, wait->end, CUT_START, NONE);
		if (!touches)
			cut_add(b, wait->track, wait->end, CUT_STOP, NONE);
	}
}

static void cut_constraints(struct builder *b)
{
	for (uint32_t i = 0; i < b->in->nconstraints; i++) {
		const struct path_constraint *c = &b->in->constraint[i];
		const struct path_track *src = &b->in->track[c->src], *dst = &b->in->track[c->dst];

		if (!src->gpu || c->from < b->in->piece[src->first].end)
			cut_add(b, c->src, c->from, CUT_END, NONE);
		if (!dst->gpu)
			cut_add(b, c->dst, c->to, CUT_START, NONE);
	}
}

static bool cut_before(const void *ctx, uint32_t i, uint32_t j)
{
	const struct cut *cut = ctx, *x = &cut[i], *y = &cut[j];

	if (x->track != y->track)
		return x->track < y->track;
	return x->at != y->at ? x->at < y->at : x->what < y->what;
}

static uint32_t *cut_order(struct builder *b)
{
	uint32_t *order = NEW(b->scratch, b->ncuts, uint32_t);
	uint32_t *spare = NEW(b->scratch, b->ncuts, uint32_t);

	for (uint32_t i = 0; i < b->ncuts; i++)
		order[i] = i;
	sort_ids(order, b->ncuts, spare, cut_before, b->cut);
	return order;
}

/* One track as its cuts are read. */
struct reading {
	nsec open;     /* where the open node starts; NSEC_NONE in a hole or a wait */
	bool waits;    /* something waits at `open`: it is a node even without length */
	uint32_t wait; /* in a wait: which */
};

static void draft_add(struct builder *b, struct reading *r, uint32_t track, nsec start, nsec end)
{
	uint32_t before = b->ndrafts;
	struct draft *d = &b->draft[b->ndrafts++];

	*d = (struct draft){ start, end, track, r->wait, EDGE_HOLE };
	if (before == b->first[track])
		d->kind = b->in->track[track].gpu ? EDGE_KINDS : EDGE_HOLE;
	else if (b->draft[before - 1].end == start)
		d->kind = EDGE_CHAIN;
	else if (r->wait != NONE)
		d->kind = EDGE_OWN;
	r->wait = NONE;
}

/* Does the track's last node so far end at `at`? */
static bool draft_ends(const struct builder *b, uint32_t track, nsec at)
{
	return b->ndrafts > b->first[track] && b->draft[b->ndrafts - 1].end == at;
}

static void read_open(struct builder *b, struct reading *r, const struct cut *c)
{
	if (c->at > r->open || (r->waits && c->what != CUT_START)) {
		draft_add(b, r, c->track, r->open, c->at);
		r->waits = false;
	}
	r->waits = r->waits || c->what == CUT_START;
	r->open = c->what == CUT_STOP ? NSEC_NONE : c->at;
	if (c->what == CUT_STOP)
		r->wait = c->wait;
}

static void read_closed(struct builder *b, struct reading *r, const struct cut *c)
{
	if (r->wait != NONE && c->at < b->in->wait[r->wait].end)
		return; /* inside a wait nothing can be told apart */
	if (c->what == CUT_START) {
		r->open = c->at;
		r->waits = true;
		return;
	}
	if (!draft_ends(b, c->track, c->at))
		draft_add(b, r, c->track, c->at, c->at);
	if (c->what == CUT_STOP)
		r->wait = c->wait;
}

static void draft_nodes(struct builder *b)
{
	const struct path_input *in = b->in;
	uint32_t *order = cut_order(b), i = 0;

	b->draft = NEW(b->scratch, b->ncuts + 1, struct draft);
	b->first = NEW(b->scratch, in->ntracks + 1, uint32_t);
	for (uint32_t k = 0; k < in->ntracks; k++) {
		struct reading r = { NSEC_NONE, false, NONE };

		b->first[k] = b->ndrafts;
		for (; i < b->ncuts && b->cut[order[i]].track == k; i++) {
			const struct cut *c = &b->cut[order[i]];
			if (r.open == NSEC_NONE)
				read_closed(b, &r, c);
			else
				read_open(b, &r, c);
		}
	}
	b->first[in->ntracks] = b->ndrafts;
}

static void cut_all(struct builder *b)
{
	const struct path_input *in = b->in;
	size_t most = 2 * (size_t)in->npieces + 3 * (size_t)in->nwaits +
		      2 * (size_t)in->nconstraints;

	b->cut = NEW(b->scratch, most, struct cut);
	for (uint32_t k = 0; k < in->ntracks; k++)
		cut_pieces(b, k);
	cut_waits(b);
	cut_constraints(b);
}

/* ---- 2. Numbers ---- */

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

/* ---- 3. Edges ---- */

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
	struct builder b = { .in = in, .g = g, .scratch = &scratch };

	g->start = in->start;
	g->end = in->end;
	g->ntracks = in->ntracks;
	g->track = in->track;
	cut_all(&b);
	draft_nodes(&b);
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
