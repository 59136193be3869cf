/*
 * The walk goes back in time. At a node it writes down the node's pieces, then the gap to
 * the source of the binding edge, and goes on there:
 *
 *	[ source ..... ]   gap   [ piece | piece | piece ]
 *	                <--------  <------------------- t
 *
 * Each step ends where the one before began, so nothing is left out and nothing counts
 * twice; at the start of the window the last step is cut.
 */
#include "analysis/critpath_walk.h"

#include "base/check.h"

/* ---- The window's end ---- */

/* The track's last node that starts before t; NONE if none does. */
static uint32_t started_by(const struct path_graph *g, uint32_t track, nsec t)
{
	uint32_t lo = g->first[track], hi = g->first[track + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->node[g->order[mid]].start < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > g->first[track] ? lo - 1 : NONE;
}

/* How a thread stands at the end of the window. */
enum standing { STANDS_IDLE, STANDS_BUSY, STANDS_WAITING };

struct stand {
	enum standing how;
	uint32_t track;
	uint32_t node;  /* the last that starts before the end */
	event_id waits; /* the call it waits in */
};

static struct stand thread_stands(const struct path_graph *g, uint32_t track, nsec t)
{
	uint32_t i = started_by(g, track, t);

	if (i == NONE)
		return (struct stand){ STANDS_IDLE, track, 0, NONE };
	struct stand s = { STANDS_IDLE, track, g->order[i], NONE };
	const struct path_node *next = &g->node[g->order[i + 1]];
	if (g->node[s.node].end >= t)
		s.how = STANDS_BUSY;
	else if (i + 1 < g->first[track + 1] && next->event != NONE) {
		s.how = next->start == t ? STANDS_BUSY : STANDS_WAITING;
		s.node = next->start == t ? g->order[i + 1] : s.node;
		s.waits = next->event;
	}
	return s;
}

/* A busy thread rather than a waiting one; the window's own thread, then the first. */
static struct stand best_stand(const struct path_view *v)
{
	const struct path_graph *g = v->g;
	struct stand best = { STANDS_IDLE, NONE, 0, NONE };

	for (uint32_t k = 0; k < g->ntracks && !g->track[k].gpu; k++) {
		struct stand s = thread_stands(g, k, v->window.end);
		if (s.how != STANDS_IDLE && g->track[k].lane == v->window.lane)
			return s;
		if (s.how != STANDS_IDLE && (best.how == STANDS_IDLE ||
					     (s.how == STANDS_BUSY && best.how == STANDS_WAITING)))
			best = s;
	}
	return best;
}

/* The number of the first node that ends after t. */
static uint32_t first_after(const struct path_graph *g, nsec t)
{
	uint32_t lo = 0, hi = g->dag.n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->node[mid].end <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static nsec track_end(const struct path_graph *g, uint32_t track)
{
	return g->node[g->order[g->first[track + 1] - 1]].end;
}

static bool finishes(const struct path_view *v, uint32_t node)
{
	const struct path_graph *g = v->g;
	uint32_t track = g->node[node].track;

	return track == NONE || !g->track[track].gpu || track_end(g, track) <= v->window.end;
}

/*
 * The last finisher that ended by the end of the window, not before `since`: GPU work first, if
 * `gpu` only that; 0 if there is none.
 */
static uint32_t last_finisher(const struct path_view *v, bool gpu, nsec since)
{
	const struct path_graph *g = v->g;
	uint32_t best = 0;

	for (uint32_t i = v->past; i-- > 1 && g->node[i].end >= since;) {
		bool is_gpu = g->track[g->node[i].track].gpu;
		if (!finishes(v, i) || (gpu && !is_gpu))
			continue;
		if (!best || (is_gpu && !g->track[g->node[best].track].gpu))
			best = i;
		since = g->node[best].end;
	}
	return best;
}

/* Whose time the tail is: the window's own thread, else the first there is. */
static lane_id tail_lane(const struct path_view *v)
{
	const struct path_graph *g = v->g;

	if (v->window.lane != NONE || !g->ntracks)
		return v->window.lane;
	return g->track[0].gpu && v->anchor ? g->track[g->node[v->anchor].track].lane
					    : g->track[0].lane;
}

struct path_view critpath_view(const struct path_graph *g, struct path_window w)
{
	struct path_view v = { .g = g, .window = w, .waiting = NONE };

	v.first = MAX_OF(first_after(g, w.start), 1u); /* the beginning itself never moves */
	v.past = first_after(g, w.end);
	struct stand s = best_stand(&v);
	uint32_t gpu = last_finisher(&v, true,
				     s.how == STANDS_WAITING ? g->node[s.node].end : w.end);
	if (gpu && g->node[gpu].end == w.end)
		v.anchor = gpu;
	else if (s.how == STANDS_BUSY)
		v.anchor = s.node;
	else if (s.how == STANDS_WAITING)
		v.anchor = g->node[gpu].end > g->node[s.node].end ? gpu : s.node;
	else
		v.anchor = last_finisher(&v, false, g->start);
	v.tail = MAX_OF(w.end - g->node[v.anchor].end, 0);
	v.tail_lane = tail_lane(&v);
	if (s.how == STANDS_WAITING && v.tail) {
		v.waiting = s.waits;
		v.tail_lane = g->track[s.track].lane;
	}
	return v;
}

nsec *critpath_deadlines(const struct path_view *v, struct arena *a)
{
	const struct path_graph *g = v->g;
	nsec end = v->window.end, *deadline = NEW(a, g->dag.n, nsec);

	for (uint32_t i = 0; i < g->dag.n; i++)
		deadline[i] = i >= v->first && i < v->past && finishes(v, i) ? end : LONGEST_NEVER;
	for (uint32_t k = 0; k < g->ntracks && !g->track[k].gpu; k++) {
		uint32_t i = started_by(g, k, end);
		if (i != NONE && g->node[g->order[i]].end > end)
			deadline[g->order[i]] = g->node[g->order[i]].end;
	}
	if (v->tail)
		deadline[v->anchor] = end - v->tail;
	else if (g->node[v->anchor].end > end)
		deadline[v->anchor] = g->node[v->anchor].end;
	return deadline;
}

nsec critpath_lag_inside(const struct path_view *v, uint32_t edge)
{
	nsec from = v->g->node[v->g->dag.src[edge]].end, end = from + v->g->lag[edge];

	return MAX_OF(end - MAX_OF(from, v->window.start), 0);
}

/* ---- The walk ---- */

struct walk {
	const struct path_view *v;
	struct path *path; /* backwards until the end */
	nsec t;
};

/* From `start`, or the beginning of the window, to where the walk stands. */
static void step(struct walk *w, nsec start, struct path_segment s)
{
	struct path *p = w->path;
	struct path_segment *after = p->n ? &p->at[p->n - 1] : NULL;

	s.start = MAX_OF(start, w->v->window.start);
	s.end = w->t;
	if (s.start >= s.end)
		return;
	w->t = s.start;
	p->class_ns[s.class] += s.end - s.start;
	if (after && after->event == s.event && after->class == s.class && after->why == s.why &&
	    after->lane == s.lane && after->inferred == s.inferred)
		after->start = s.start;
	else
		p->at[p->n++] = s;
}

static lane_id lane_of(const struct path_graph *g, uint32_t track)
{
	return track == NONE ? NONE : g->track[track].lane;
}

static void step_through(struct walk *w, uint32_t node)
{
	const struct path_graph *g = w->v->g;
	const struct path_node *v = &g->node[node];

	for (uint32_t i = v->past; i-- > v->first && w->t > w->v->window.start;) {
		const struct path_piece *p = &g->piece[i];
		struct path_segment s = { .event = p->event, .class = p->class };

		s.lane = lane_of(g, v->track);
		s.why = p->event == NONE ? EDGE_HOLE : g->track[v->track].gpu ? WHY_OWN : WHY_HOST;
		if (p->start < w->t)
			step(w, p->start, s);
	}
}

static void step_across(struct walk *w, uint32_t node)
{
	const struct path_graph *g = w->v->g;
	const struct path_node *v = &g->node[node];
	uint32_t e = v->binding;
	enum path_class class = critpath_edge_class(g, e);
	bool idle = class == PATH_IDLE_HANDOFF || class == PATH_IDLE_UNKNOWN;

	step(w, g->node[g->dag.src[e]].end,
	     (struct path_segment){ .event = idle ? NONE : v->event,
				    .lane = lane_of(g, v->track),
				    .class = (uint8_t) class,
				    .why = g->kind[e] == EDGE_OWN ? WHY_HOST : g->kind[e],
				    .inferred = g->flags[e] & EDGE_INFERRED });
}

static void turn_round(struct path *p)
{
	for (uint32_t i = 0, j = p->n; i + 1 < j; i++) {
		struct path_segment swap = p->at[i];
		p->at[i] = p->at[--j];
		p->at[j] = swap;
	}
}

static void check_path(const struct path *p, struct path_window w)
{
	nsec sum = 0, at = w.start;
	bool joined = true;

	for (int c = 0; c < PATH_CLASSES; c++)
		sum += p->class_ns[c];
	for (uint32_t i = 0; i < p->n; i++) {
		joined = joined && p->at[i].start == at && p->at[i].end > at;
		at = p->at[i].end;
	}
	CHECK(joined && at == w.end && "segments touch");
	CHECK(sum == w.end - w.start && "segments sum to the window");
}

/* No more segments than this are on the path. */
static size_t path_room(const struct path_view *v)
{
	const struct path_graph *g = v->g;
	size_t room = 2;

	for (uint32_t i = v->anchor; i && g->node[i].end > v->window.start;
	     i = g->dag.src[g->node[i].binding])
		room += g->node[i].past - g->node[i].first + 1;
	return room;
}

struct path critpath_walk(const struct path_view *v, struct arena *a)
{
	const struct path_graph *g = v->g;
	struct path p = { .at = NEW(a, path_room(v), struct path_segment) };
	struct walk w = { v, &p, v->window.end };
	struct path_segment idle = {
		.event = NONE, .lane = v->tail_lane, .class = PATH_IDLE_UNKNOWN, .why = EDGE_HOLE
	};
	struct path_segment waits = {
		.event = v->waiting, .lane = v->tail_lane, .class = PATH_SYNC, .why = WHY_WAITING
	};
	uint32_t node = v->anchor;

	step(&w, g->node[node].end, v->waiting == NONE ? idle : waits);
	while (node && w.t > v->window.start) {
		step_through(&w, node);
		step_across(&w, node);
		node = g->dag.src[g->node[node].binding];
	}
	step(&w, v->window.start, idle);
	turn_round(&p);
	check_path(&p, v->window);
	return p;
}

const char *critpath_why(const struct path_segment *s)
{
	static const char *const why[] = {
		[EDGE_CHAIN] = "host time",
		[EDGE_STREAM] = "stream order",
		[EDGE_EVENT] = "event wait",
		[EDGE_WAIT] = "wait returns",
		[EDGE_GRAPH] = "graph order, inferred",
		[EDGE_LAUNCH] = "launch",
		[EDGE_HANDOFF] = "hand-off, inferred from time",
		[EDGE_HOLE] = "no host event",
		[EDGE_UNTRACED] = "nothing recorded before it",
		[WHY_OWN] = "own time",
		[WHY_HOST] = "host time",
		[WHY_WAITING] = "still waits",
	};

	if (s->inferred && s->why == EDGE_EVENT)
		return "event wait, inferred";
	if (s->class == PATH_UNTRACED_GPU)
		return why[EDGE_UNTRACED];
	return why[s->why];
}
