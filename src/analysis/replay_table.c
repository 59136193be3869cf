/*
 * What the page's sliders scale, and the graph it replays. A part scales by the factor of its
 * kernel if it has one of its own (not 1x), else by that of its class; so
 *
 *	--what-if 'kA=2x launch=1x cpu=4x ...'
 *
 * with the kernels that have a factor, then all classes in the order of the table, gives the same
 * window: of two assignments that fit, the first counts.
 */
#include "analysis/replay.h"

#include "analysis/whatif.h"
#include "base/check.h"
#include "base/say.h"

/* Sums in parts of a ns that a double still holds. */
#define WINDOW_MAX (((nsec)1 << 53) / WHATIF_PARTS)

struct tally {
	int64_t events;
	nsec time, on_path;
};

struct sliders {
	const struct critpath *c;
	struct replay_names names;
	uint32_t kernel_group[REPLAY_KERNELS + 1]; /* of its pieces */
	struct tally kernel[REPLAY_KERNELS + 1], group[REPLAY_GROUPS + 1];
	uint32_t row[REPLAY_GROUPS + 1]; /* of each group; NONE: nothing in it */
};

/* ---- What the sliders stand for ---- */

static void count_pieces(struct sliders *s, struct arena *scratch)
{
	const struct path_graph *g = s->c->graph;
	struct path_window w = s->c->view.window;
	bool *seen = NEW(scratch, s->c->tr->ev.n, bool);

	for (uint32_t i = 0; i < g->npieces; i++) {
		const struct path_piece *p = &g->piece[i];
		nsec own = MIN_OF(p->end, w.end) - MAX_OF(p->start, w.start);
		uint32_t kernel = replay_kernel(&s->names, s->c->tr, p->event);
		struct tally *group = &s->group[replay_group_of_own(p->class)];
		bool first = own > 0 && p->event != NONE && !seen[p->event];
		if (own <= 0)
			continue;
		if (p->event != NONE)
			seen[p->event] = true;
		group->time += own;
		group->events += first;
		s->kernel[kernel].time += own;
		s->kernel[kernel].events += first;
		s->kernel_group[kernel] = replay_group_of_own(p->class);
	}
}

/* Gaps that decided when something began. */
static void count_lags(struct sliders *s)
{
	const struct path_view *v = &s->c->view;

	for (uint32_t i = v->first; i < v->past; i++) {
		uint32_t e = v->g->node[i].binding;
		nsec inside = critpath_lag_inside(v, e);
		struct tally *group = &s->group[replay_group_of_edge(v->g, e)];
		group->time += inside;
		group->events += inside > 0;
	}
}

static void count_path(struct sliders *s)
{
	const struct path *path = &s->c->path;

	for (uint32_t i = 0; i < path->n; i++) {
		const struct path_segment *x = &path->at[i];
		bool own = critpath_own(x);
		uint32_t group = own ? replay_group_of_own(x->class) : REPLAY_GROUPS;
		uint32_t kernel = own ? replay_kernel(&s->names, s->c->tr, x->event) : 0;

		for (uint32_t k = 0; !own && k < REPLAY_GROUPS && group == REPLAY_GROUPS; k++)
			if (replay_group_classes(k) & 1u << x->class)
				group = k;
		s->group[group].on_path += x->end - x->start;
		s->kernel[kernel].on_path += x->end - x->start;
	}
}

static struct sliders sliders_of(const struct critpath *c, struct arena *scratch)
{
	struct sliders s = { .c = c };
	struct critpath_top top = critpath_top_names(c, true, scratch);

	s.names.n = MIN_OF(top.n, REPLAY_KERNELS);
	memcpy(s.names.name, top.name, s.names.n * sizeof(*top.name));
	count_pieces(&s, scratch);
	count_lags(&s);
	count_path(&s);
	for (uint32_t k = 0, row = s.names.n; k < REPLAY_GROUPS; k++)
		s.row[k] = s.group[k].time ? row++ : NONE;
	return s;
}

/* ---- Tables ---- */

struct class_columns {
	const char **target, **title;
	int64_t *kernel, *class, *events, *time, *on_path;
};

static void class_row(const struct class_columns *c, uint32_t row, const char *target,
		      const char *title, const struct tally *t)
{
	c->target[row] = target;
	c->title[row] = title;
	c->events[row] = t->events;
	c->time[row] = t->time;
	c->on_path[row] = t->on_path;
}

static void table_classes(struct lp_answer *answer, const struct sliders *s)
{
	struct arena *a = answer_arena(answer);
	uint32_t most = s->names.n + REPLAY_GROUPS, n = s->names.n;
	struct class_columns c = { NEW(a, most, const char *), NEW(a, most, const char *),
				   NEW(a, most, int64_t),      NEW(a, most, int64_t),
				   NEW(a, most, int64_t),      NEW(a, most, int64_t),
				   NEW(a, most, int64_t) };

	for (uint32_t k = 0; k < s->names.n; k++) {
		const char *name = strings_get(&s->c->tr->strings, s->names.name[k]).p;
		uint32_t group = s->kernel_group[k + 1];
		class_row(&c, k, name, name, &s->kernel[k + 1]);
		c.kernel[k] = true;
		c.class[k] = s->row[group] == NONE ? LP_NULL : s->row[group];
	}
	for (uint32_t k = 0; k < REPLAY_GROUPS; k++)
		if (s->row[k] != NONE) {
			class_row(&c, n, replay_groups[k].target, replay_groups[k].title,
				  &s->group[k]);
			c.class[n++] = LP_NULL;
		}
	struct lp_table *t = answer_table(answer, "replay_classes", n);
	t->detail = true;
	table_str(t, "target", "target", LP_NAME, c.target, "as --what-if takes it");
	table_str(t, "title", "what if", LP_NAME, c.title, "for people");
	table_bool(t, "kernel", "kernel", 0, c.kernel, "one kernel; else a class");
	table_i64(t, "class", "class", LP_PLAIN, 0, c.class, "row of a kernel's class");
	table_i64(t, "events", "events", LP_COUNT, 0, c.events,
		  "events with own time, and gaps that decided when something began");
	table_i64(t, "time_ns", "time", LP_NSEC, 0, c.time, "of all of them in the window");
	table_i64(t, "on_path_ns", "on path", LP_NSEC, 0, c.on_path, "on the critical path");
}

static void table_nodes(struct lp_answer *answer, const struct replay_graph *g, const nsec *at)
{
	int64_t *time = NEW(answer_arena(answer), g->nnodes, int64_t);
	struct lp_table *t = answer_table(answer, "replay_nodes", g->nnodes);

	memcpy(time, at, g->nnodes * sizeof(*at));
	t->detail = true;
	table_i64(t, "time_ns", "time", LP_NSEC, 0, time,
		  "when it is reached, from the start of the window, with all at 1x");
}

static void table_edges(struct lp_answer *answer, const struct replay_graph *g)
{
	struct arena *a = answer_arena(answer);
	size_t n = g->nedges;
	int64_t *from = NEW(a, n, int64_t), *to = NEW(a, n, int64_t), *fixed = NEW(a, n, int64_t);
	struct lp_table *t = answer_table(answer, "replay_edges", (uint32_t)n);

	for (size_t i = 0; i < n; i++) {
		from[i] = g->edge[i].from;
		to[i] = g->edge[i].to;
		fixed[i] = g->edge[i].fixed;
	}
	t->detail = true;
	table_i64(t, "from", "from", LP_PLAIN, 0, from, "row of replay_nodes; rising");
	table_i64(t, "to", "to", LP_PLAIN, 0, to, "row of replay_nodes, a later one");
	table_i64(t, "fixed_ns", "fixed", LP_NSEC, 0, fixed, "what no slider scales");
}

static void table_parts(struct lp_answer *answer, const struct replay_graph *g,
			const struct sliders *s)
{
	struct arena *a = answer_arena(answer);
	size_t n = g->nparts;
	int64_t *edge = NEW(a, n, int64_t), *kernel = NEW(a, n, int64_t);
	int64_t *class = NEW(a, n, int64_t), *time = NEW(a, n, int64_t);
	struct lp_table *t = answer_table(answer, "replay_parts", (uint32_t)n);

	for (size_t i = 0; i < g->nedges; i++)
		for (size_t k = g->edge[i].first; k < g->edge[i].past; k++) {
			uint32_t by = g->part[k].slot / REPLAY_GROUPS;
			edge[k] = (int64_t)i;
			kernel[k] = by ? by - 1 : LP_NULL;
			class[k] = s->row[g->part[k].slot % REPLAY_GROUPS];
			time[k] = g->part[k].time;
		}
	t->detail = true;
	table_i64(t, "edge", "edge", LP_PLAIN, 0, edge, "row of replay_edges; rising");
	table_i64(t, "kernel", "kernel", LP_PLAIN, 0, kernel,
		  "row of replay_classes whose factor counts, if it is not 1x");
	table_i64(t, "class", "class", LP_PLAIN, 0, class,
		  "row of replay_classes whose factor counts else");
	table_i64(t, "time_ns", "time", LP_NSEC, 0, time, "to be divided by the factor");
}

void replay_tables(struct critpath *c)
{
	struct arena scratch = { 0 };
	nsec window = c->view.window.end - c->view.window.start;
	struct sliders s = sliders_of(c, &scratch);
	struct replay_graph g = replay_contract(replay_draft(c, &s.names, &scratch), &scratch);
	nsec *at = replay_measured(&g, &scratch);

	CHECK(at[g.nnodes - 1] == window && "the contracted graph replays the window");
	if (g.nedges > REPLAY_EDGES_MAX)
		answer_doubt(c->answer,
			     "no what-if sliders in the page: their graph has %s, more than %d",
			     say_many(c->arena, g.nedges, "edge", "edges"), REPLAY_EDGES_MAX);
	else if (window > WINDOW_MAX)
		answer_doubt(c->answer,
			     "no what-if sliders in the page: the window of %s is too "
			     "long for exact sums there",
			     say_time(c->arena, window));
	else {
		table_classes(c->answer, &s);
		table_nodes(c->answer, &g, at);
		table_edges(c->answer, &g);
		table_parts(c->answer, &g, &s);
	}
	arena_free(&scratch);
}
