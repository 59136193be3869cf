/*
 * The textbook's critical path: events with durations, an edge where one has to wait for
 * another, earliest start = the latest finish before, in Kahn's order; then back from the
 * last finish along predecessors whose finish is the earliest start.
 *
 * The events and edges are those of our graph, so none is missing (the thread's order, the
 * launch, the stream, events, waits and graphs). But time is only on events here: gaps weigh
 * nothing, and the sum is that of a chain, not the wall clock.
 */
#include "analysis/critpath.h"
#include "analysis/critpath_input.h"
#include "base/check.h"
#include "base/say.h"

enum textbook { BOOK_COMPUTE, BOOK_MEMORY, BOOK_COMM, BOOK_LAUNCH, BOOK_IDLE, BOOK_CLASSES };

static const struct {
	const char *name, *hint;
} classes[BOOK_CLASSES] = {
	[BOOK_COMPUTE] = { "compute", "fusion, mixed precision, larger batches" },
	[BOOK_MEMORY] = { "memory", "layout, pinned memory, asynchronous copies" },
	[BOOK_COMM] = { "communication", "overlap, buckets, placement" },
	[BOOK_LAUNCH] = { "launch_overhead", "CUDA graphs, fewer and larger operators" },
	[BOOK_IDLE] = { "idle", "the host is too slow: data loading, Python, waits" },
};

/* On a path of events the GPU idles while the host has the time. */
static enum textbook class_of(enum path_class c)
{
	switch (c) {
	case PATH_COMPUTE:
		return BOOK_COMPUTE;
	case PATH_MEMORY:
		return BOOK_MEMORY;
	case PATH_COMMUNICATION:
		return BOOK_COMM;
	case PATH_LAUNCH_API:
		return BOOK_LAUNCH;
	default:
		return BOOK_IDLE;
	}
}

struct longest {
	const struct path_graph *g;
	struct path_window window;
	nsec *length, *start; /* of each node */
	bool *on_path;
	nsec path; /* its length */
	nsec sum[BOOK_CLASSES];
	uint32_t rows;
};

static nsec inside(const struct longest *l, const struct path_piece *p)
{
	nsec t = MIN_OF(p->end, l->window.end) - MAX_OF(p->start, l->window.start);

	return MAX_OF(t, 0);
}

/* The edges once more, each with its target: what Kahn wants. */
static uint32_t *kahn_order(const struct path_graph *g, struct arena *a)
{
	uint32_t n = g->dag.n, m = g->dag.in[n];
	uint32_t *dst = NEW(a, m, uint32_t), *order = NEW(a, n, uint32_t);

	for (uint32_t v = 0; v < n; v++)
		for (uint32_t e = g->dag.in[v]; e < g->dag.in[v + 1]; e++)
			dst[e] = v;
	CHECK(longest_order(n, m, g->dag.src, dst, order, a) && "no cycle");
	return order;
}

static void earliest(struct longest *l, struct arena *a)
{
	const struct path_graph *g = l->g;
	uint32_t *order = kahn_order(g, a);

	l->length = NEW(a, g->dag.n, nsec);
	l->start = NEW(a, g->dag.n, nsec);
	for (uint32_t i = 0; i < g->npieces; i++)
		l->length[g->piece[i].node] += inside(l, &g->piece[i]);
	for (uint32_t i = 0; i < g->dag.n; i++) {
		uint32_t v = order[i];
		for (uint32_t e = g->dag.in[v]; e < g->dag.in[v + 1]; e++) {
			uint32_t u = g->dag.src[e];
			l->start[v] = MAX_OF(l->start[v], l->start[u] + l->length[u]);
		}
	}
}

/* Backward marking. Of predecessors that finish together the first counts. */
static void mark_path(struct longest *l, struct arena *a)
{
	const struct path_graph *g = l->g;
	uint32_t v = 0;

	for (uint32_t i = 1; i < g->dag.n; i++)
		if (l->start[i] + l->length[i] > l->start[v] + l->length[v])
			v = i;
	l->path = l->start[v] + l->length[v];
	l->on_path = NEW(a, g->dag.n, bool);
	while (l->on_path[v] = true, l->start[v] > 0) {
		uint32_t e = g->dag.in[v];
		while (l->start[g->dag.src[e]] + l->length[g->dag.src[e]] != l->start[v])
			e++;
		v = g->dag.src[e];
	}
	for (uint32_t i = 0; i < g->npieces; i++)
		if (l->on_path[g->piece[i].node] && inside(l, &g->piece[i])) {
			l->sum[class_of(g->piece[i].class)] += inside(l, &g->piece[i]);
			l->rows++;
		}
	nsec sum = 0;
	for (int c = 0; c < BOOK_CLASSES; c++)
		sum += l->sum[c];
	CHECK(sum == l->path && "durations on the path sum to its length");
}

static void table_classes(struct critpath *c, const struct longest *l)
{
	const char **name = NEW(c->arena, BOOK_CLASSES, const char *);
	const char **hint = NEW(c->arena, BOOK_CLASSES, const char *);
	int64_t *time = NEW(c->arena, BOOK_CLASSES, int64_t);
	double *percent = NEW(c->arena, BOOK_CLASSES, double);

	for (int k = 0; k < BOOK_CLASSES; k++) {
		name[k] = classes[k].name;
		hint[k] = classes[k].hint;
		time[k] = l->sum[k];
		percent[k] = l->path ? 100.0 * (double)l->sum[k] / (double)l->path : 0;
	}
	struct lp_table *t = answer_table(c->answer, "path_summary", BOOK_CLASSES);
	t->total = "path";
	table_str(t, "class", "class", 0, name, "the textbook's five");
	table_i64(t, "time_ns", "", LP_NSEC, LP_SUM, time, "durations on the path");
	table_f64(t, "percent", "%", LP_PERCENT, LP_SUM | LP_BAR, percent, "of the path");
	table_str(t, "hint", "what usually helps", LP_LESSER, hint, "what usually helps");
}

static void table_window(struct critpath *c, const struct longest *l)
{
	int64_t *v = NEW(c->arena, 6, int64_t);
	const char **text = NEW(c->arena, 2, const char *);
	struct lp_table *t = answer_table(c->answer, "window", 1);

	v[0] = l->window.start;
	v[1] = l->window.end;
	v[2] = l->window.end - l->window.start;
	v[3] = l->path;
	v[4] = l->g->dag.n;
	v[5] = l->g->dag.in[l->g->dag.n];
	text[0] = c->window_name ? c->window_name : "whole trace";
	text[1] = "longest";
	t->detail = true;
	table_str(t, "window", "window", 0, &text[0], "as asked");
	table_i64(t, "start_ns", "start", LP_NSEC, 0, &v[0], "since the first event");
	table_i64(t, "end_ns", "end", LP_NSEC, 0, &v[1], "since the first event");
	table_i64(t, "window_ns", "took", LP_NSEC, 0, &v[2], "wall clock");
	table_i64(t, "path_ns", "path", LP_NSEC, 0, &v[3], "durations along the longest chain");
	table_i64(t, "nodes", "nodes", LP_COUNT, 0, &v[4], "of the graph");
	table_i64(t, "edges", "edges", LP_COUNT, 0, &v[5], "of the graph");
	table_str(t, "model", "model", 0, &text[1], "walk, hta or longest");
}

static void table_path(struct critpath *c, const struct longest *l)
{
	const struct path_graph *g = l->g;
	int64_t *start = NEW(c->arena, l->rows, int64_t), *dur = NEW(c->arena, l->rows, int64_t);
	int64_t *est = NEW(c->arena, l->rows, int64_t);
	const char **class = NEW(c->arena, l->rows, const char *);
	const char **name = NEW(c->arena, l->rows, const char *);
	const char **lane = NEW(c->arena, l->rows, const char *), **lanes = critpath_lane_names(c);
	uint32_t n = 0;

	for (uint32_t v = 1; v < g->dag.n; v++) {
		nsec at = l->start[v];
		for (uint32_t i = g->node[v].first; l->on_path[v] && i < g->node[v].past; i++) {
			const struct path_piece *p = &g->piece[i];
			if (!inside(l, p))
				continue;
			start[n] = MAX_OF(p->start, l->window.start);
			dur[n] = inside(l, p);
			est[n] = at;
			class[n] = classes[class_of(p->class)].name;
			lane[n] = lanes[g->track[g->node[v].track].lane];
			name[n++] = critpath_name(c, p->event);
			at += inside(l, p);
		}
	}
	struct lp_table *t = answer_table(c->answer, "path", l->rows);
	t->whole = t->detail = true;
	t->total = "path";
	table_i64(t, "start_ns", "start", LP_NSEC, 0, start, "as measured, since the first event");
	table_i64(t, "dur_ns", "took", LP_NSEC, LP_SUM | LP_BARE, dur, "length");
	table_str(t, "class", "class", 0, class, "the textbook's five");
	table_str(t, "lane", "lane", LP_LESSER, lane, "the thread or stream");
	table_str(t, "name", "name", LP_NAME, name, "the event");
	table_i64(t, "earliest_ns", "earliest", LP_NSEC, LP_LESSER, est,
		  "earliest start in a world without gaps");
}

bool critpath_longest(struct critpath *c, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct longest l = { .g = critpath_of_trace(c->tr, &scratch, &c->inferred) };
	bool fine = critpath_window(c->tr, c->window_name, l.g, &l.window, err);

	if (fine) {
		earliest(&l, &scratch);
		mark_path(&l, &scratch);
		table_classes(c, &l);
		table_window(c, &l);
		table_path(c, &l);
		answer_headline(c->answer,
				"The longest chain of events adds up to %s of the %s; gaps weigh "
				"nothing in this model.",
				say_time(c->arena, l.path),
				say_time(c->arena, l.window.end - l.window.start));
	}
	arena_free(&scratch);
	return fine;
}
