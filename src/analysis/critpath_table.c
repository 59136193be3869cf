#include "algo/sort.h"
#include "analysis/critpath.h"
#include "analysis/slack.h"

#include <string.h>

#define NEW_COLUMN(c, n, T) NEW((c)->arena, (n), T)

const char *critpath_name(const struct critpath *c, event_id e)
{
	return e == NONE || c->tr->ev.name[e] == NONE
		       ? "-"
		       : strings_get(&c->tr->strings, c->tr->ev.name[e]).p;
}

static nsec window_length(const struct critpath *c)
{
	return c->view.window.end - c->view.window.start;
}

static double share(nsec part, nsec whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

const char **critpath_lane_names(const struct critpath *c)
{
	const char **name = NEW_COLUMN(c, c->tr->lanes.n, const char *);

	for (lane_id l = 0; l < c->tr->lanes.n; l++)
		name[l] = critpath_lane_name(c->arena, c->tr, l);
	return name;
}

/* ---- path_summary, window ---- */

struct by_class {
	uint32_t n;
	uint32_t class[PATH_CLASSES];
};

static bool class_before(const void *ctx, uint32_t x, uint32_t y)
{
	const nsec *ns = ctx;

	return ns[x] > ns[y];
}

void critpath_table_summary(struct critpath *c)
{
	uint32_t by[PATH_CLASSES], spare[PATH_CLASSES], n = 0;

	for (uint32_t k = 0; k < PATH_CLASSES; k++)
		if (c->path.class_ns[k])
			by[n++] = k;
	sort_ids(by, n, spare, class_before, c->path.class_ns);

	const char **class = NEW_COLUMN(c, n, const char *),
		   **hint = NEW_COLUMN(c, n, const char *);
	const char **label = NEW_COLUMN(c, n, const char *);
	int64_t *time = NEW_COLUMN(c, n, int64_t), *most = NEW_COLUMN(c, n, int64_t);
	double *percent = NEW_COLUMN(c, n, double);
	for (uint32_t i = 0; i < n; i++) {
		class[i] = path_class_texts[by[i]].name;
		hint[i] = path_class_texts[by[i]].hint;
		time[i] = c->path.class_ns[by[i]];
		percent[i] = share(time[i], window_length(c));
		most[i] = i == 0;
	}
	if (n)
		label[0] = arena_print(c->arena, "%s *", class[0]);
	struct lp_table *t = answer_table(c->answer, "path_summary", n);
	t->labels = label;
	t->total = "window";
	table_str(t, "class", "class", 0, class, "what the time is; * is the main bottleneck");
	table_i64(t, "time_ns", "", LP_NSEC, LP_SUM, time, "time on the critical path");
	table_f64(t, "percent", "%", LP_PERCENT, LP_SUM | LP_BAR, percent, "of the window");
	table_str(t, "hint", "what usually helps", LP_LESSER, hint, "what usually helps");
	table_bool(t, "bottleneck", "bottleneck", LP_DETAIL, most, "the largest class");
}

void critpath_table_window(struct critpath *c, const char *model)
{
	struct path_window w = c->view.window;
	struct lp_table *t = answer_table(c->answer, "window", 1);
	int64_t *v = NEW_COLUMN(c, 5, int64_t);
	const char **text = NEW_COLUMN(c, 2, const char *);

	t->detail = true;
	v[0] = w.start;
	v[1] = w.end;
	v[2] = w.end - w.start;
	v[3] = c->path.n;
	v[4] = c->inferred;
	text[0] = c->window_name ? arena_text(c->arena, c->window_name, strlen(c->window_name))
				 : "whole trace";
	text[1] = model;
	table_str(t, "window", "window", 0, &text[0], "as asked");
	table_i64(t, "start_ns", "start", LP_NSEC, 0, &v[0], "since the first event");
	table_i64(t, "end_ns", "end", LP_NSEC, 0, &v[1], "since the first event");
	table_i64(t, "window_ns", "took", LP_NSEC, 0, &v[2], "what the segments add up to");
	table_i64(t, "segments", "segments", LP_COUNT, 0, &v[3], "of the path");
	table_i64(t, "inferred_waits", "inferred waits", LP_COUNT, 0, &v[4],
		  "waits that are rebuilt from the calls");
	table_str(t, "model", "model", 0, &text[1], "walk, hta or longest");
}

/* ---- path ---- */

#define PICTURE 40

/* Where in the window a segment lies: at least one block. */
static const char *segment_picture(const struct critpath *c, const struct path_segment *s)
{
	nsec length = window_length(c), start = s->start - c->view.window.start;
	unsigned from = (unsigned)(start * PICTURE / length);
	unsigned to = (unsigned)((s->end - c->view.window.start) * PICTURE / length);
	char *text = arena_alloc(c->arena, from + 3 * (size_t)(MAX_OF(to, from + 1) - from) + 1);

	memset(text, ' ', from);
	for (unsigned i = from, at = from; i < MAX_OF(to, from + 1); i++, at += 3)
		memcpy(text + at, "█", 3);
	return text;
}

void critpath_table_path(struct critpath *c)
{
	uint32_t n = c->path.n;
	int64_t *start = NEW_COLUMN(c, n, int64_t), *took = NEW_COLUMN(c, n, int64_t);
	int64_t *inferred = NEW_COLUMN(c, n, int64_t);
	const char **class = NEW_COLUMN(c, n, const char *),
		   **lane = NEW_COLUMN(c, n, const char *);
	const char **name = NEW_COLUMN(c, n, const char *), **why = NEW_COLUMN(c, n, const char *);
	const char **picture = NEW_COLUMN(c, n, const char *), **lanes = critpath_lane_names(c);

	for (uint32_t i = 0; i < n; i++) {
		const struct path_segment *s = &c->path.at[i];
		start[i] = s->start;
		took[i] = s->end - s->start;
		class[i] = path_class_texts[s->class].name;
		lane[i] = s->lane == NONE ? NULL : lanes[s->lane];
		name[i] = critpath_name(c, s->event);
		why[i] = critpath_why(s);
		inferred[i] = s->inferred;
		picture[i] = segment_picture(c, s);
	}
	struct lp_table *t = answer_table(c->answer, "path", n);
	t->whole = t->detail = true;
	t->total = "window";
	table_i64(t, "start_ns", "start", LP_NSEC, 0, start, "since the first event");
	table_i64(t, "dur_ns", "took", LP_NSEC, LP_SUM | LP_BARE, took, "length");
	table_str(t, "class", "class", 0, class, "what the time is");
	table_str(t, "lane", "lane", LP_LESSER, lane, "the thread or stream whose time it is");
	table_str(t, "name", "name", LP_NAME, name, "the event, or what waited in a gap");
	table_str(t, "why", "why", LP_LESSER, why, "the constraint that was binding");
	table_bool(t, "inferred", "inferred", LP_DETAIL, inferred,
		   "the constraint is rebuilt, the trace does not say so");
	table_str(t, "picture", "where in the window", LP_PICTURE | LP_LESSER, picture,
		  "where in the window");
}

/* ---- path_lanes ---- */

struct lane_rows {
	uint32_t n;
	uint32_t *row;   /* of each lane; NONE: it has none */
	uint32_t *order; /* lanes, by time on the path */
	nsec *path_ns;   /* of each lane */
	nsec *cells;     /* of each lane: PICTURE cells of path, then as many of work */
};

static void add_cells(const struct critpath *c, nsec *cell, nsec start, nsec end)
{
	nsec from = c->view.window.start, length = window_length(c);

	start = MAX_OF(start, from) - from;
	end = MIN_OF(end, c->view.window.end) - from;
	while (start < end) {
		nsec k = (nsec)((__int128)start * PICTURE / length),
		     next = (nsec)(((__int128)(k + 1) * length + PICTURE - 1) / PICTURE);
		next = MIN_OF(MAX_OF(next, start + 1), end);
		cell[MIN_OF(k, PICTURE - 1)] += next - start;
		start = next;
	}
}

static const char *lane_picture(const struct critpath *c, const nsec *cell)
{
	nsec half = MAX_OF(window_length(c) / PICTURE / 2, 1);
	char *text = arena_alloc(c->arena, 3 * PICTURE + 1);
	size_t at = 0;

	for (int i = 0; i < PICTURE; i++) {
		const char *mark = cell[i] >= half ? "█" : cell[PICTURE + i] >= half ? "░" : " ";
		memcpy(text + at, mark, strlen(mark));
		at += strlen(mark);
	}
	return text;
}

static bool lane_before(const void *ctx, uint32_t x, uint32_t y)
{
	const nsec *ns = ctx;

	return ns[x] > ns[y];
}

/* Lanes of the graph by their time on the path; busy cells from the pieces. */
static struct lane_rows lane_rows(struct critpath *c, struct arena *a)
{
	uint32_t nlanes = c->tr->lanes.n;
	struct lane_rows r = { .order = NEW(a, nlanes, uint32_t),
			       .path_ns = NEW(a, nlanes, nsec),
			       .cells = NEW(a, nlanes * (size_t)PICTURE * 2, nsec) };
	bool *there = NEW(a, nlanes, bool);

	for (uint32_t i = 0; i < c->path.n; i++) {
		const struct path_segment *s = &c->path.at[i];
		if (s->lane == NONE)
			continue;
		r.path_ns[s->lane] += s->end - s->start;
		add_cells(c, &r.cells[s->lane * (size_t)PICTURE * 2], s->start, s->end);
	}
	for (uint32_t i = 0; i < c->graph->npieces; i++) {
		const struct path_piece *p = &c->graph->piece[i];
		lane_id lane = c->graph->track[c->graph->node[p->node].track].lane;
		there[lane] = true;
		add_cells(c, &r.cells[lane * (size_t)PICTURE * 2 + PICTURE], p->start, p->end);
	}
	for (lane_id l = 0; l < nlanes; l++)
		if (there[l] || r.path_ns[l])
			r.order[r.n++] = l;
	sort_ids(r.order, r.n, NEW(a, r.n, uint32_t), lane_before, r.path_ns);
	return r;
}

void critpath_table_lanes(struct critpath *c)
{
	struct arena scratch = { 0 };
	struct lane_rows r = lane_rows(c, &scratch);
	const char **lane = NEW_COLUMN(c, r.n, const char *);
	const char **picture = NEW_COLUMN(c, r.n, const char *);
	int64_t *time = NEW_COLUMN(c, r.n, int64_t);
	double *percent = NEW_COLUMN(c, r.n, double);

	for (uint32_t i = 0; i < r.n; i++) {
		lane_id l = r.order[i];
		lane[i] = critpath_lane_name(c->arena, c->tr, l);
		time[i] = r.path_ns[l];
		percent[i] = share(time[i], window_length(c));
		picture[i] = window_length(c) ? lane_picture(c, &r.cells[l * (size_t)PICTURE * 2])
					      : NULL;
	}
	struct lp_table *t = answer_table(c->answer, "path_lanes", r.n);
	t->total = "window";
	table_str(t, "lane", "lane", 0, lane, "a thread or a stream");
	table_i64(t, "path_ns", "on path", LP_NSEC, LP_SUM, time, "how long the path is on it");
	table_f64(t, "percent", "%", LP_PERCENT, LP_SUM, percent, "of the window");
	table_str(t, "picture", "the path █ and other work ░ over the window",
		  LP_PICTURE | LP_LESSER, picture, "the path and other work over the window");
	arena_free(&scratch);
}
