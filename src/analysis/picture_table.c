/*
 * Bars as rows. A bar of level 0 is found in a coarser level by searching for the last row that
 * begins with it or before; that is how a launch becomes a row.
 */
#include "algo/sort.h"
#include "analysis/picture.h"

#include <inttypes.h>

struct rows {
	struct lp_answer *answer;
	struct arena *a;
	const struct picture *p;
	struct picture_cut cut;
	uint32_t *at; /* of each shelf: the row of its first bar in the cut */
};

static const char *text_of(const struct trace *tr, string_id id)
{
	return id == NONE ? NULL : strings_get(&tr->strings, id).p;
}

static const char *process_name(const struct rows *r, const struct lane *l)
{
	const char *pid = text_of(r->p->tr, l->pid), *name = text_of(r->p->tr, l->process_name);

	if (!pid || !name)
		return pid ? pid : name;
	return arena_print(r->a, "%s (%s)", pid, name);
}

static void table_lanes(const struct rows *r)
{
	static const char *const kinds[] = { "path", "thread", "stream", "annotation" };
	const struct picture *p = r->p;
	uint32_t n = p->nlanes;
	const char **name = NEW(r->a, n, const char *), **process = NEW(r->a, n, const char *);
	const char **thread = NEW(r->a, n, const char *), **kind = NEW(r->a, n, const char *);
	int64_t *id = NEW(r->a, n, int64_t), *device = NEW(r->a, n, int64_t);
	int64_t *depth = NEW(r->a, n, int64_t), *events = NEW(r->a, n, int64_t);
	int64_t *busy = NEW(r->a, n, int64_t);

	for (uint32_t i = 0; i < n; i++) {
		const struct picture_lane *l = &p->lane[i];
		const struct lane *of = l->lane == NONE ? NULL : &p->tr->lanes.at[l->lane];
		id[i] = i;
		name[i] = of ? critpath_lane_name(r->a, p->tr, l->lane) : "critical path";
		process[i] = of ? process_name(r, of) : NULL;
		thread[i] = of ? text_of(p->tr, of->thread_name) : NULL;
		kind[i] = kinds[l->kind];
		device[i] = of && of->gpu ? of->device : LP_NULL;
		depth[i] = l->depth;
		events[i] = i ? l->past - l->first : p->path.n;
		busy[i] = l->busy;
	}
	struct lp_table *t = answer_table(r->answer, "picture_lanes", n);
	t->detail = true;
	table_i64(t, "lane", "lane", LP_PLAIN, 0, id, "number of the lane in picture_events");
	table_str(t, "name", "name", 0, name, "the thread or stream, as in the table path");
	table_str(t, "process", "process", 0, process, "its process as in the file");
	table_str(t, "thread_name", "thread", 0, thread, "its name in the file");
	table_str(t, "kind", "kind", 0, kind,
		  "path, thread, stream, or annotation: rows that only describe one of these");
	table_i64(t, "device", "device", LP_PLAIN, 0, device, "number of a stream's device");
	table_i64(t, "depth", "depth", LP_COUNT, 0, depth, "rows that its nesting needs");
	table_i64(t, "events", "events", LP_COUNT, LP_SUM, events, "all that lie on it");
	table_i64(t, "busy_ns", "busy", LP_NSEC, 0, busy, "time in which any of them runs");
}

/* The row in which a bar of level 0 is; LP_NULL if none of the cut has it. */
static int64_t row_of(const struct rows *r, uint32_t bar)
{
	const uint32_t *exact = r->p->level[0].first;
	uint32_t lo = 0, hi = r->p->nshelves;

	while (hi - lo > 1) { /* the last shelf that begins with it or before */
		uint32_t mid = lo + (hi - lo) / 2;
		if (exact[mid] <= bar)
			lo = mid;
		else
			hi = mid;
	}
	uint32_t shelf = lo, from = r->cut.from[shelf], past = r->cut.to[shelf];
	lo = from;
	hi = past;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (r->cut.l->bar[mid].first <= bar)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == from || bar >= r->cut.l->bar[lo - 1].first + r->cut.l->bar[lo - 1].count)
		return LP_NULL;
	return (int64_t)r->at[shelf] + (lo - 1 - from);
}

static int64_t launch_row(const struct rows *r, const struct picture_bar *b)
{
	const struct trace *tr = r->p->tr;

	if (b->count > 1 || !kind_is_gpu(tr->ev.kind[b->longest]))
		return LP_NULL;
	uint32_t link = links_row(tr, r->p->links, b->longest);
	event_id launch = link == NONE ? NONE : r->p->links->launch[link];
	uint32_t bar = launch == NONE ? NONE : r->p->bar_of[launch];
	return bar == NONE ? LP_NULL : row_of(r, bar);
}

static const char *bar_name(const struct picture *p, uint32_t lane, const struct picture_bar *b)
{
	event_id e = lane ? b->longest : p->path.at[b->longest].event;

	return e == NONE ? NULL : text_of(p->tr, p->tr->ev.name[e]);
}

struct columns {
	int64_t *lane, *start, *dur, *depth, *on_path, *count, *gaps, *launch;
	const char **name, **class;
};

static void fill_row(const struct rows *r, const struct columns *c, uint32_t row, uint32_t shelf,
		     const struct picture_bar *b)
{
	uint32_t lane = r->p->lane_of[shelf];

	c->lane[row] = lane;
	c->start[row] = b->start;
	c->dur[row] = b->end - b->start;
	c->depth[row] = shelf - r->p->lane[lane].shelf;
	c->name[row] = bar_name(r->p, lane, b);
	c->class[row] = b->class == PICTURE_DESCRIBES ? "annotation"
						      : path_class_texts[b->class].name;
	c->on_path[row] = b->on_path;
	c->count[row] = b->count;
	c->gaps[row] = b->end - b->start - b->busy;
	c->launch[row] = lane ? launch_row(r, b) : LP_NULL;
}

static void table_events(const struct rows *r)
{
	uint32_t n = r->cut.n;
	struct columns c = {
		NEW(r->a, n, int64_t),      NEW(r->a, n, int64_t), NEW(r->a, n, int64_t),
		NEW(r->a, n, int64_t),      NEW(r->a, n, int64_t), NEW(r->a, n, int64_t),
		NEW(r->a, n, int64_t),      NEW(r->a, n, int64_t), NEW(r->a, n, const char *),
		NEW(r->a, n, const char *),
	};

	for (uint32_t s = 0; s < r->p->nshelves; s++)
		for (uint32_t i = r->cut.from[s]; i < r->cut.to[s]; i++)
			fill_row(r, &c, r->at[s] + i - r->cut.from[s], s, &r->cut.l->bar[i]);
	struct lp_table *t = answer_table(r->answer, "picture_events", n);
	t->detail = true;
	table_i64(t, "lane", "lane", LP_PLAIN, 0, c.lane, "row of picture_lanes");
	table_i64(t, "start_ns", "start", LP_NSEC, 0, c.start, "since the first event");
	table_i64(t, "dur_ns", "took", LP_NSEC, 0, c.dur,
		  "length; of a block from its first start to its last end");
	table_i64(t, "depth", "depth", LP_PLAIN, 0, c.depth, "row of the lane, from 0");
	table_str(t, "name", "name", LP_NAME, c.name, "the event; of a block the longest of them");
	table_str(t, "class", "class", 0, c.class,
		  "what its time is, as in path_summary; annotation: it only describes");
	table_i64(t, "on_path_ns", "on path", LP_NSEC, LP_SUM, c.on_path,
		  "its own time on the critical path");
	table_i64(t, "count", "events", LP_COUNT, LP_SUM, c.count, "events it stands for");
	table_i64(t, "gaps_ns", "gaps", LP_NSEC, 0, c.gaps,
		  "dur_ns less the lengths of its events; negative where these overlap");
	table_i64(t, "launch", "launch", LP_PLAIN, 0, c.launch,
		  "row of picture_events that launched it");
}

static void table_picture(const struct rows *r)
{
	int64_t *v = NEW(r->a, 3, int64_t);
	struct lp_table *t = answer_table(r->answer, "picture", 1);

	v[0] = picture_grain(r->cut.level);
	v[1] = r->p->level[0].n;
	v[2] = r->p->window;
	t->detail = true;
	table_i64(t, "grain_ns", "grain", LP_NSEC, 0, &v[0],
		  "neighbours shorter than this are one block; 0: every event has its row");
	table_i64(t, "events", "events", LP_COUNT, 0, &v[1], "of the whole picture");
	table_i64(t, "window_ns", "window", LP_NSEC, 0, &v[2], "what the path lane adds up to");
}

void picture_tables(struct lp_answer *answer, const struct picture *p, struct picture_cut cut)
{
	struct rows r = { answer, answer_arena(answer), p, cut, NULL };

	r.at = NEW(r.a, p->nshelves, uint32_t);
	for (uint32_t s = 0, row = 0; s < p->nshelves; s++) {
		r.at[s] = row;
		row += cut.to[s] - cut.from[s];
	}
	table_picture(&r);
	table_lanes(&r);
	table_events(&r);
}
