/*
 * Events that take or could take time in the window: those that have a piece in the graph, and
 * the calls that only waited. An event's slack is that of the node in which it ends; of GPU
 * work that was cut, the least of its nodes.
 */
#include "algo/sort.h"
#include "analysis/critpath.h"
#include "analysis/slack.h"
#include "base/map.h"

#include <string.h>

struct rows {
	uint32_t n;
	event_id *event;
	uint32_t *track;
	nsec *slack;
};

nsec critpath_event_slack(const struct critpath *c, uint32_t track, event_id e, const nsec *slack)
{
	const struct path_graph *g = c->graph;
	nsec least = NSEC_NONE;

	if (!g->track[track].gpu) {
		uint32_t node = slack_node_at(g, track, trace_end(c->tr, e) - c->tr->base);
		return node == NONE ? NSEC_NONE : slack[node];
	}
	for (uint32_t i = g->first[track]; i < g->first[track + 1]; i++) {
		nsec s = slack[g->order[i]];
		if (s != NSEC_NONE && (least == NSEC_NONE || s < least))
			least = s;
	}
	return least;
}

static void row_add(struct rows *r, const struct critpath *c, uint32_t track, event_id e,
		    const nsec *slack, bool *seen)
{
	const struct path_window *w = &c->view.window;
	nsec start = c->tr->ev.ts[e] - c->tr->base, end = trace_end(c->tr, e) - c->tr->base;

	if (seen[e] || end < w->start || start > w->end || (end == w->start && start < end))
		return;
	seen[e] = true;
	r->event[r->n] = e;
	r->track[r->n] = track;
	r->slack[r->n++] = critpath_event_slack(c, track, e, slack);
}

static struct rows event_rows(const struct critpath *c, const nsec *slack, struct arena *a)
{
	const struct path_graph *g = c->graph;
	size_t most = (size_t)g->npieces + g->dag.n;
	bool *seen = NEW(a, c->tr->ev.n, bool);
	struct rows r = { .event = NEW(a, most, event_id),
			  .track = NEW(a, most, uint32_t),
			  .slack = NEW(a, most, nsec) };

	for (uint32_t i = 0; i < g->npieces; i++)
		if (g->piece[i].event != NONE)
			row_add(&r, c, g->node[g->piece[i].node].track, g->piece[i].event, slack,
				seen);
	for (uint32_t i = 1; i < g->dag.n; i++)
		if (g->node[i].event != NONE)
			row_add(&r, c, g->node[i].track, g->node[i].event, slack, seen);
	return r;
}

struct sorted {
	const struct critpath *c;
	const struct rows *rows;
};

/* The least slack first, none last; then by start. */
static bool slack_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct sorted *s = ctx;
	nsec a = s->rows->slack[x], b = s->rows->slack[y];
	event_id e = s->rows->event[x], f = s->rows->event[y];

	if (a != b)
		return a != NSEC_NONE && (b == NSEC_NONE || a < b);
	if (s->c->tr->ev.ts[e] != s->c->tr->ev.ts[f])
		return s->c->tr->ev.ts[e] < s->c->tr->ev.ts[f];
	return e < f;
}

static void table_slack(struct critpath *c, struct rows r)
{
	struct arena scratch = { 0 };
	struct sorted by = { c, &r };
	uint32_t *order = NEW(&scratch, r.n, uint32_t);
	int64_t *id = NEW(c->arena, r.n, int64_t), *start = NEW(c->arena, r.n, int64_t);
	int64_t *dur = NEW(c->arena, r.n, int64_t), *left = NEW(c->arena, r.n, int64_t);
	int64_t *own = NEW(c->arena, r.n, int64_t);
	const char **name = NEW(c->arena, r.n, const char *);
	const char **lane = NEW(c->arena, r.n, const char *);
	const char **lanes = critpath_lane_names(c);

	for (uint32_t i = 0; i < r.n; i++)
		order[i] = i;
	sort_ids(order, r.n, NEW(&scratch, r.n, uint32_t), slack_before, &by);
	for (uint32_t i = 0; i < r.n; i++) {
		event_id e = r.event[order[i]];
		id[i] = e;
		start[i] = c->tr->ev.ts[e] - c->tr->base;
		dur[i] = c->tr->ev.dur[e];
		left[i] = r.slack[order[i]] == NSEC_NONE ? LP_NULL : r.slack[order[i]];
		own[i] = c->own[e];
		name[i] = critpath_name(c, e);
		lane[i] = lanes[c->graph->track[r.track[order[i]]].lane];
	}
	struct lp_table *t = answer_table(c->answer, "slack", r.n);
	t->detail = true;
	table_str(t, "name", "name", LP_NAME, name, "the event");
	table_str(t, "lane", "lane", LP_LESSER, lane, "its thread or stream");
	table_i64(t, "start_ns", "start", LP_NSEC, 0, start, "since the first event");
	table_i64(t, "dur_ns", "took", LP_NSEC, 0, dur, "length");
	table_i64(t, "slack_ns", "slack", LP_NSEC, 0, left,
		  "how much later it could end and nobody would notice; of the whole chain");
	table_i64(t, "on_path_ns", "on path", LP_NSEC, 0, own, "its own time on the path");
	table_i64(t, "event", "event", LP_PLAIN, LP_DETAIL, id, "its place in the file, from 0");
	arena_free(&scratch);
}

/* ---- by name ---- */

struct names {
	struct map index;
	uint32_t n;
	string_id *name;
	int64_t *on_path, *count, *slack;
};

static struct names sum_names(const struct critpath *c, const struct rows *r, struct arena *a)
{
	struct names s = { .index = map_new(a, r->n),
			   .name = NEW(a, r->n, string_id),
			   .on_path = NEW(a, r->n, int64_t),
			   .count = NEW(a, r->n, int64_t),
			   .slack = NEW(a, r->n, int64_t) };

	for (uint32_t i = 0; i < r->n; i++) {
		string_id name = c->tr->ev.name[r->event[i]];
		uint32_t *at = map_at(&s.index, name);

		if (*at == NONE) {
			*at = s.n++;
			s.name[*at] = name;
			s.slack[*at] = LP_NULL;
		}
		s.on_path[*at] += c->own[r->event[i]];
		s.count[*at] += c->own[r->event[i]] > 0;
		if (r->slack[i] != NSEC_NONE &&
		    (s.slack[*at] == LP_NULL || r->slack[i] < s.slack[*at]))
			s.slack[*at] = r->slack[i];
	}
	return s;
}

/* The most time on the path first; then the least slack, then as first seen. */
static bool name_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct names *s = ctx;

	if (s->on_path[x] != s->on_path[y])
		return s->on_path[x] > s->on_path[y];
	return s->slack[x] != LP_NULL && (s->slack[y] == LP_NULL || s->slack[x] < s->slack[y]);
}

static void table_names(struct critpath *c, struct rows r)
{
	struct arena scratch = { 0 };
	struct names s = sum_names(c, &r, &scratch);
	uint32_t *order = NEW(&scratch, s.n, uint32_t);
	const char **name = NEW(c->arena, s.n, const char *);
	int64_t *on_path = NEW(c->arena, s.n, int64_t), *count = NEW(c->arena, s.n, int64_t);
	int64_t *left = NEW(c->arena, s.n, int64_t);

	for (uint32_t i = 0; i < s.n; i++)
		order[i] = i;
	sort_ids(order, s.n, NEW(&scratch, s.n, uint32_t), name_before, &s);
	for (uint32_t i = 0; i < s.n; i++) {
		name[i] = s.name[order[i]] == NONE
				  ? "-"
				  : strings_get(&c->tr->strings, s.name[order[i]]).p;
		on_path[i] = s.on_path[order[i]];
		count[i] = s.count[order[i]];
		left[i] = s.slack[order[i]];
	}
	struct lp_table *t = answer_table(c->answer, "path_events", s.n);
	t->detail = true;
	table_str(t, "name", "name", LP_NAME, name, "events of this name");
	table_i64(t, "on_path_ns", "on path", LP_NSEC, LP_SUM, on_path,
		  "own time on the path; gaps and waits count under their classes");
	table_i64(t, "count", "count", LP_COUNT, LP_SUM, count, "events with time on the path");
	table_i64(t, "slack_ns", "slack", LP_NSEC, 0, left, "the least of all its events");
	arena_free(&scratch);
}

void critpath_table_events(struct critpath *c, const nsec *slack)
{
	struct arena scratch = { 0 };
	struct rows r = event_rows(c, slack, &scratch);

	table_names(c, r);
	table_slack(c, r);
	arena_free(&scratch);
}
