/*
 * One pass over the pieces finds, for up to 64 assignments at once, how much own time each
 * has in each node; then each scenario shortens its nodes, walks the graph once, and puts
 * the nodes back. The graph is small (what nothing hangs on is no node of its own), so
 * hundreds of scenarios take milliseconds.
 *
 * The bound of a scenario is what it takes off the path itself: the chain that was the
 * longest is still there, only shorter, so the window cannot end before it does.
 */
#include "analysis/whatif.h"

#include "base/check.h"
#include "base/map.h"

#include <string.h>

#define BATCH WHATIF_TOGETHER

struct share {
	uint32_t node;
	nsec own;
};

struct shares {
	uint32_t n, room;
	struct share *at;
	nsec on_path;
};

struct run {
	struct whatif *w;
	const struct trace *tr;
	const struct path_view *v;
	struct arena *arena;
	uint32_t past; /* nodes from here on decide nothing */
	const nsec *deadline;
	bool *on_path;         /* of each node */
	nsec *length, *finish; /* of each node */
	nsec *lag, *slower;    /* of each edge: as it is; room to change it */
	struct shares share[BATCH];
};

/* What a time of t becomes, rounded up: never more is gained than the ratio says. */
static nsec sped_up(nsec t, struct whatif_speed s)
{
	if (s.free || t <= 0)
		return s.free ? 0 : t;
	return (nsec)(((__int128)t * s.den + s.num - 1) / s.num);
}

/* ---- Who has how much in which node ---- */

static void share_add(struct shares *s, uint32_t node, nsec own, bool on_path, struct arena *a)
{
	s->on_path += on_path ? own : 0;
	if (s->n && s->at[s->n - 1].node == node) {
		s->at[s->n - 1].own += own;
		return;
	}
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		struct share *more = NEW(a, s->room, struct share);
		if (s->n)
			memcpy(more, s->at, s->n * sizeof(*more));
		s->at = more;
	}
	s->at[s->n++] = (struct share){ node, own };
}

/* Which of the batch want a name, and which a class. */
struct wanted {
	struct map index;
	uint64_t *by_name;
	uint64_t by_class[PATH_CLASSES];
};

static struct wanted wanted_of(const struct run *r, uint32_t first, uint32_t past)
{
	struct wanted want = { 0 };
	uint32_t names = 0, n = 0;

	for (uint32_t i = first; i < past; i++)
		names += r->w->target[i].nids;
	want.index = map_new(r->arena, names);
	want.by_name = NEW(r->arena, names, uint64_t);
	for (uint32_t i = first; i < past; i++) {
		const struct whatif_target *t = &r->w->target[i];
		for (uint32_t k = 0; k < t->nids; k++) {
			uint32_t *at = map_at(&want.index, t->id[k]);
			if (*at == NONE)
				*at = n++;
			want.by_name[*at] |= 1ull << (i - first);
		}
		for (int c = 0; c < PATH_CLASSES; c++)
			if (t->classes & (1u << c) ||
			    (c == PATH_SYNC && t->classes & WHATIF_OWN_SYNC))
				want.by_class[c] |= 1ull << (i - first);
	}
	return want;
}

static void share_pieces(struct run *r, uint32_t first, uint32_t past)
{
	const struct path_graph *g = r->v->g;
	struct path_window win = r->v->window;
	struct wanted want = wanted_of(r, first, past);

	for (uint32_t i = 0; i < g->npieces; i++) {
		const struct path_piece *p = &g->piece[i];
		nsec own = MIN_OF(p->end, win.end) - MAX_OF(p->start, win.start);
		string_id name = p->event == NONE ? NONE : r->tr->ev.name[p->event];
		uint32_t at = name == NONE ? NONE : map_get(&want.index, name), scenario = NONE;
		uint64_t mask = want.by_class[p->class] | (at == NONE ? 0 : want.by_name[at]);

		for (; own > 0 && mask; mask &= mask - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(mask);
			const struct whatif_target *t = &r->w->target[first + bit];
			if (t->scenario != scenario)
				share_add(&r->share[bit], p->node, own, r->on_path[p->node],
					  r->arena);
			scenario = t->scenario;
		}
	}
}

/* ---- One scenario ---- */

/* The part of an edge's lag that lies inside the window. */
static nsec lag_inside(const struct run *r, uint32_t e)
{
	const struct path_graph *g = r->v->g;
	nsec from = g->node[g->dag.src[e]].end, end = from + r->lag[e];

	return MAX_OF(end - MAX_OF(from, r->v->window.start), 0);
}

/* Gaps of the target's classes; returns what they lose on the path, adds what they had. */
static nsec change_lags(struct run *r, const struct whatif_target *t, uint32_t classes,
			nsec *on_path)
{
	const struct path_graph *g = r->v->g;
	nsec saved = 0;

	for (uint32_t v = r->v->first; v < r->past; v++)
		for (uint32_t e = g->dag.in[v]; e < g->dag.in[v + 1]; e++) {
			enum path_class c = critpath_edge_class(g, e);
			nsec inside = lag_inside(r, e);
			bool on = e == g->node[v].binding && r->on_path[v];
			bool wanted = classes & 1u << c ||
				      (g->kind[e] == EDGE_OWN && classes & WHATIF_OWN_SYNC);

			if (!wanted || c == PATH_UNTRACED_GPU || !inside)
				continue;
			nsec less = inside - sped_up(inside, t->speed);
			r->slower[e] = r->lag[e] - less;
			saved += on ? less : 0;
			*on_path += on ? inside : 0;
		}
	return saved;
}

static nsec window_of(struct run *r, const nsec *lag)
{
	const struct path_view *v = r->v;
	nsec end = v->window.start;

	if (v->anchor < v->first)
		return v->window.end - v->window.start;
	longest_forward(&v->g->dag, v->first, r->past, lag, r->length, r->finish);
	for (uint32_t i = v->first; i < r->past; i++)
		if (r->deadline[i] != LONGEST_NEVER) {
			nsec at = r->finish[i] + (v->window.end - r->deadline[i]);
			end = MAX_OF(end, at);
		}
	return end - v->window.start;
}

static void change_lengths(struct run *r, const struct whatif_target *t, const struct shares *s,
			   nsec *saved)
{
	for (uint32_t k = 0; k < s->n; k++) {
		nsec less = s->at[k].own - sped_up(s->at[k].own, t->speed);
		r->length[s->at[k].node] -= less;
		*saved += r->on_path[s->at[k].node] ? less : 0;
	}
}

static void restore_lengths(struct run *r, const struct shares *s)
{
	for (uint32_t k = 0; k < s->n; k++) {
		const struct path_node *n = &r->v->g->node[s->at[k].node];
		r->length[s->at[k].node] = n->end - n->start;
	}
}

static void run_scenario(struct run *r, struct whatif_scenario *s, uint32_t batch)
{
	const struct path_graph *g = r->v->g;
	const nsec *lag = r->lag;
	uint32_t taken = 0; /* classes whose lags are changed already */
	bool faster = true;

	s->bound = s->on_path = 0;
	for (uint32_t i = s->first; i < s->past; i++) {
		const struct whatif_target *t = &r->w->target[i];
		change_lengths(r, t, &r->share[i - batch], &s->bound);
		s->on_path += r->share[i - batch].on_path;
		faster = faster && (t->speed.free || t->speed.num >= t->speed.den);
		if (!t->classes)
			continue;
		if (lag != r->slower)
			memcpy(r->slower, r->lag, g->dag.in[g->dag.n] * sizeof(*lag));
		lag = r->slower;
		s->bound += change_lags(r, t, t->classes & ~taken, &s->on_path);
		taken |= t->classes;
	}
	s->window = window_of(r, lag);
	s->gain = r->v->window.end - r->v->window.start - s->window;
	CHECK(!faster || (s->gain >= 0 && s->gain <= s->bound && "0 <= gain <= bound"));
	for (uint32_t i = s->first; i < s->past; i++)
		restore_lengths(r, &r->share[i - batch]);
}

/* ---- All of them ---- */

static void mark_path(struct run *r)
{
	const struct path_graph *g = r->v->g;

	for (uint32_t i = r->v->anchor; i && g->node[i].end > r->v->window.start;
	     i = g->dag.src[g->node[i].binding])
		r->on_path[i] = true;
}

static void start_run(struct run *r)
{
	const struct path_graph *g = r->v->g;
	uint32_t n = g->dag.n;

	r->deadline = critpath_deadlines(r->v, r->arena);
	r->on_path = NEW(r->arena, n, bool);
	r->length = NEW(r->arena, n, nsec);
	r->finish = NEW(r->arena, n, nsec);
	r->lag = g->lag;
	r->slower = NEW(r->arena, g->dag.in[n], nsec);
	r->past = r->v->first;
	for (uint32_t i = 0; i < n; i++) {
		r->length[i] = g->node[i].end - g->node[i].start;
		r->finish[i] = g->node[i].end;
		if (r->deadline[i] != LONGEST_NEVER)
			r->past = i + 1;
	}
	mark_path(r);
	CHECK(window_of(r, r->lag) == r->v->window.end - r->v->window.start &&
	      "nothing changed, nothing gained");
}

void whatif_run(struct whatif *w, const struct trace *tr, const struct path_view *v,
		struct arena *scratch)
{
	struct run r = { .w = w, .tr = tr, .v = v, .arena = scratch };

	start_run(&r);
	for (uint32_t s = 0, past; s < w->nscenarios; s = past) {
		struct arena_mark mark = arena_mark(scratch);
		uint32_t first = w->scenario[s].first;

		for (past = s + 1; past < w->nscenarios && w->scenario[past].past - first <= BATCH;)
			past++;
		memset(r.share, 0, sizeof(r.share));
		share_pieces(&r, first, w->scenario[past - 1].past);
		for (uint32_t i = s; i < past; i++)
			run_scenario(&r, &w->scenario[i], first);
		arena_rewind(scratch, mark);
	}
}
