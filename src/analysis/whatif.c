/*
 * One pass over the pieces finds, for up to 64 assignments at once, how much own time each
 * has in each node; then each scenario shortens its nodes, walks the graph once, and puts
 * the nodes back. The graph is small (what nothing hangs on is no node of its own), so
 * hundreds of scenarios take milliseconds.
 *
 * The bound of a scenario is what it takes off the path itself: the chain that was the
 * longest is still there, only shorter, so the window cannot end before it does.
 *
 * Times are counted in parts of a ns, 120 of them, so that what becomes 1.25, 1.5, 2, 3, 4, 5, 6
 * or 8 times faster is exact and sums are too, whichever way they are added up (replay.h does it
 * another way); other speeds are rounded up to a part. Only the window is rounded, up to a ns.
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
	bool *on_path;            /* of each node */
	int64_t parts;            /* of a ns; the times that follow are in them */
	int64_t *length, *finish; /* of each node */
	int64_t *lag, *slower;    /* of each edge: as it is; room to change it */
	struct shares share[BATCH];
};

/* What a time of t ns becomes, in parts, rounded up: never more is gained than the ratio says. */
static int64_t sped_up(const struct run *r, nsec t, struct whatif_speed s)
{
	if (s.free || t <= 0)
		return s.free ? 0 : t * r->parts;
	return (int64_t)(((__int128)t * r->parts * s.den + s.num - 1) / s.num);
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

bool whatif_wants_lag(uint32_t classes, const struct path_graph *g, uint32_t e)
{
	enum path_class c = critpath_edge_class(g, e);

	if (c == PATH_UNTRACED_GPU)
		return false;
	return classes & 1u << c || (g->kind[e] == EDGE_OWN && classes & WHATIF_OWN_SYNC);
}

/* Gaps of the target's classes; returns what they lose on the path, adds what they had. */
static int64_t change_lags(struct run *r, const struct whatif_target *t, uint32_t taken,
			   nsec *on_path)
{
	const struct path_graph *g = r->v->g;
	int64_t saved = 0;

	for (uint32_t v = r->v->first; v < r->past; v++)
		for (uint32_t e = g->dag.in[v]; e < g->dag.in[v + 1]; e++) {
			nsec inside = critpath_lag_inside(r->v, e);
			bool on = e == g->node[v].binding && r->on_path[v];

			if (!inside || !whatif_wants_lag(t->classes, g, e) ||
			    whatif_wants_lag(taken, g, e))
				continue;
			int64_t less = inside * r->parts - sped_up(r, inside, t->speed);
			r->slower[e] = r->lag[e] - less;
			saved += on ? less : 0;
			*on_path += on ? inside : 0;
		}
	return saved;
}

/* In parts. */
static int64_t window_of(struct run *r, const int64_t *lag)
{
	const struct path_view *v = r->v;
	int64_t start = v->window.start * r->parts, end = start;

	if (v->anchor < v->first)
		return (v->window.end - v->window.start) * r->parts;
	longest_forward(&v->g->dag, v->first, r->past, lag, r->length, r->finish);
	for (uint32_t i = v->first; i < r->past; i++)
		if (r->deadline[i] != LONGEST_NEVER) {
			nsec rest = v->window.end - r->deadline[i];
			end = MAX_OF(end, r->finish[i] + rest * r->parts);
		}
	return end - start;
}

static void change_lengths(struct run *r, const struct whatif_target *t, const struct shares *s,
			   int64_t *saved)
{
	for (uint32_t k = 0; k < s->n; k++) {
		int64_t less = s->at[k].own * r->parts - sped_up(r, s->at[k].own, t->speed);
		r->length[s->at[k].node] -= less;
		*saved += r->on_path[s->at[k].node] ? less : 0;
	}
}

static void restore_lengths(struct run *r, const struct shares *s)
{
	for (uint32_t k = 0; k < s->n; k++) {
		const struct path_node *n = &r->v->g->node[s->at[k].node];
		r->length[s->at[k].node] = (n->end - n->start) * r->parts;
	}
}

/* Rounded down: a window goes up to the next ns. */
static nsec whole_ns(const struct run *r, int64_t parts)
{
	return parts / r->parts - (parts % r->parts < 0);
}

static void run_scenario(struct run *r, struct whatif_scenario *s, uint32_t batch)
{
	const struct path_graph *g = r->v->g;
	const int64_t *lag = r->lag;
	int64_t whole = (r->v->window.end - r->v->window.start) * r->parts, bound = 0;
	uint32_t taken = 0; /* classes whose lags are changed already */
	bool faster = true;

	s->on_path = 0;
	for (uint32_t i = s->first; i < s->past; i++) {
		const struct whatif_target *t = &r->w->target[i];
		change_lengths(r, t, &r->share[i - batch], &bound);
		s->on_path += r->share[i - batch].on_path;
		faster = faster && (t->speed.free || t->speed.num >= t->speed.den);
		if (!t->classes)
			continue;
		if (lag != r->slower)
			memcpy(r->slower, r->lag, g->dag.in[g->dag.n] * sizeof(*lag));
		lag = r->slower;
		bound += change_lags(r, t, taken, &s->on_path);
		taken |= t->classes;
	}
	int64_t gain = whole - window_of(r, lag);
	CHECK(!faster || (gain >= 0 && gain <= bound && "0 <= gain <= bound"));
	s->gain = whole_ns(r, gain);
	s->window = r->v->window.end - r->v->window.start - s->gain;
	s->bound = whole_ns(r, bound);
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

/* As many as all times have room for, were all of them as slow as the slowest target becomes. */
static int64_t choose_parts(const struct run *r)
{
	int64_t slowest = 1;

	for (uint32_t i = 0; i < r->w->ntargets; i++) {
		struct whatif_speed s = r->w->target[i].speed;
		if (!s.free)
			slowest = MAX_OF(slowest, s.den / s.num + 1);
	}
	nsec longest = MAX_OF(r->v->g->end, r->v->window.end) -
		       MIN_OF(MIN_OF(r->v->g->start, r->v->window.start), 0);
	bool fits = longest < INT64_MAX / 4 / WHATIF_PARTS / slowest;
	return fits ? WHATIF_PARTS : 1;
}

static void start_run(struct run *r)
{
	const struct path_graph *g = r->v->g;
	uint32_t n = g->dag.n, m = g->dag.in[n];

	r->parts = choose_parts(r);
	r->deadline = critpath_deadlines(r->v, r->arena);
	r->on_path = NEW(r->arena, n, bool);
	r->length = NEW(r->arena, n, int64_t);
	r->finish = NEW(r->arena, n, int64_t);
	r->lag = NEW(r->arena, m, int64_t);
	r->slower = NEW(r->arena, m, int64_t);
	r->past = r->v->first;
	for (uint32_t i = 0; i < n; i++) {
		r->length[i] = (g->node[i].end - g->node[i].start) * r->parts;
		r->finish[i] = g->node[i].end * r->parts;
		if (r->deadline[i] != LONGEST_NEVER)
			r->past = i + 1;
	}
	for (uint32_t e = 0; e < m; e++)
		r->lag[e] = g->lag[e] * r->parts;
	mark_path(r);
	CHECK(window_of(r, r->lag) == (r->v->window.end - r->v->window.start) * r->parts &&
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
