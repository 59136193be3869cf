/*
 * Every slice that has a time is a bar. Slices are put by lane, sorted by start within it, given
 * depths, and put by shelf: two counting sorts with a comparing one in between.
 *
 * The path is lane 0. Rows that describe (annotations, rows of waits, the profiler's own spans) lie
 * on a lane of their own above that of the thread or stream which they describe.
 */
#include "algo/sort.h"
#include "analysis/critpath_call.h"
#include "analysis/picture.h"
#include "base/check.h"
#include "trace/tree.h"

struct maker {
	struct picture *p;
	const struct trace *tr;
	const struct tree *tree;
	struct arena scratch;
	struct call_names names;
	const nsec *own;           /* of each event: its time on the path */
	uint32_t *picture_lane[2]; /* of each lane: where its work and its descriptions go */
	uint32_t nevents;
	event_id *event; /* by picture lane, start */
	uint32_t *depth; /* of each of them */
};

/* ---- Lanes ---- */

static bool is_bar(const struct trace *tr, event_id e)
{
	return trace_slice(tr, e) && tr->ev.lane[e] != NONE && trace_timed(tr, e);
}

static bool describes(const struct maker *m, event_id e)
{
	enum kind k = m->tr->ev.kind[e];

	return !kind_is_gpu(k) && k != KIND_OVERHEAD && m->tree->node[e] == NONE;
}

/* Counts, at `past`, what will lie on each picture lane: the descriptions of lane l are 2l. */
static uint32_t *count_bars(const struct maker *m)
{
	uint32_t *n = NEW((struct arena *)&m->scratch, 2 * (size_t)m->tr->lanes.n, uint32_t);

	for (event_id e = 0; e < m->tr->ev.n; e++)
		if (is_bar(m->tr, e))
			n[2 * (size_t)m->tr->ev.lane[e] + !describes(m, e)]++;
	return n;
}

static void add_lane(struct maker *m, enum picture_kind kind, lane_id lane, uint32_t n)
{
	struct picture *p = m->p;

	p->lane[p->nlanes++] = (struct picture_lane){
		.kind = kind, .lane = lane, .first = m->nevents, .past = m->nevents
	};
	m->nevents += n;
}

/* The path, then the host's lanes and those of GPUs in the order of all tables. */
static void find_lanes(struct maker *m)
{
	struct picture *p = m->p;
	uint32_t n = m->tr->lanes.n, *rank = lanes_rank(m->tr, &m->scratch);
	uint32_t *bars = count_bars(m);
	lane_id *order = NEW(&m->scratch, n, lane_id);

	for (lane_id l = 0; l < n; l++)
		order[rank[l]] = l;
	p->lane = NEW(&p->arena, 2 * (size_t)n + 1, struct picture_lane);
	add_lane(m, PICTURE_PATH, NONE, 0);
	for (int gpu = 0; gpu < 2; gpu++)
		for (uint32_t i = 0; i < n; i++) {
			lane_id l = order[i];
			if (m->tr->lanes.at[l].gpu != gpu)
				continue;
			for (int work = 0; work < 2; work++) {
				uint32_t there = bars[2 * (size_t)l + (uint32_t)work];
				m->picture_lane[work][l] = p->nlanes;
				if (there)
					add_lane(m,
						 !work ? PICTURE_ANNOTATION
						 : gpu ? PICTURE_STREAM
						       : PICTURE_THREAD,
						 l, there);
			}
		}
}

/* ---- Order and depth ---- */

static bool bar_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct maker *m = ctx;
	const struct events *ev = &m->tr->ev;

	if (ev->ts[x] != ev->ts[y])
		return ev->ts[x] < ev->ts[y];
	if (ev->dur[x] != ev->dur[y])
		return ev->dur[x] > ev->dur[y];
	return m->tree->node[x] < m->tree->node[y];
}

static void put_by_lane(struct maker *m)
{
	for (event_id e = 0; e < m->tr->ev.n; e++) {
		if (!is_bar(m->tr, e))
			continue;
		uint32_t at = m->picture_lane[!describes(m, e)][m->tr->ev.lane[e]];
		m->event[m->p->lane[at].past++] = e;
	}
}

static nsec busy_time(const struct trace *tr, const event_id *e, uint32_t n)
{
	nsec busy = 0, until = INT64_MIN;

	for (uint32_t i = 0; i < n; i++) {
		nsec end = trace_end(tr, e[i]), start = MAX_OF(tr->ev.ts[e[i]], until);
		busy += MAX_OF(end - start, 0);
		until = MAX_OF(until, end);
	}
	return busy;
}

static void sort_lanes(struct maker *m)
{
	struct picture *p = m->p;
	uint32_t most = 0;

	for (uint32_t i = 0; i < p->nlanes; i++)
		most = MAX_OF(most, p->lane[i].past - p->lane[i].first);
	struct picture_depths d = picture_depths_new(p->tr, most, &m->scratch);
	uint32_t *spare = NEW(&m->scratch, most, uint32_t);
	for (uint32_t i = 1; i < p->nlanes; i++) {
		struct picture_lane *l = &p->lane[i];
		event_id *e = m->event + l->first;
		uint32_t n = l->past - l->first;

		sort_ids(e, n, spare, bar_before, m);
		l->depth = picture_depths_of(&d, e, n, m->depth + l->first);
		l->busy = busy_time(m->tr, e, n);
	}
	p->lane[0].depth = 1;
	p->lane[0].busy = p->window;
}

/* ---- Shelves and bars ---- */

static void make_shelves(struct picture *p)
{
	for (uint32_t i = 0; i < p->nlanes; i++) {
		p->lane[i].shelf = p->nshelves;
		p->nshelves += p->lane[i].depth;
	}
	p->lane_of = NEW(&p->arena, p->nshelves, uint32_t);
	for (uint32_t i = 0; i < p->nlanes; i++)
		for (uint32_t k = 0; k < p->lane[i].depth; k++)
			p->lane_of[p->lane[i].shelf + k] = i;
}

static struct picture_bar event_bar(struct maker *m, event_id e)
{
	nsec start = m->tr->ev.ts[e] - m->tr->base, dur = m->tr->ev.dur[e];
	bool loads = m->own[e] && m->tr->ev.kind[e] == KIND_ANNOTATION;

	return (struct picture_bar){
		.start = start,
		.end = start + dur,
		.busy = dur,
		.on_path = m->own[e],
		.longest = e,
		.count = 1,
		.class = describes(m, e) && !loads ? PICTURE_DESCRIBES
						   : (uint8_t)critpath_event_class(&m->names, e)
	};
}

static struct picture_bar segment_bar(const struct path *path, uint32_t i)
{
	const struct path_segment *s = &path->at[i];
	nsec dur = s->end - s->start;

	return (struct picture_bar){ .start = s->start,
				     .end = s->end,
				     .busy = dur,
				     .on_path = dur,
				     .longest = i,
				     .count = 1,
				     .class = s->class };
}

/* Fills first[] with the place of each shelf among the bars. */
static void count_shelves(struct maker *m, uint32_t *first)
{
	struct picture *p = m->p;

	first[1] = p->path.n;
	for (uint32_t i = 1; i < p->nlanes; i++)
		for (uint32_t k = p->lane[i].first; k < p->lane[i].past; k++)
			first[p->lane[i].shelf + m->depth[k] + 1]++;
	for (uint32_t s = 0; s < p->nshelves; s++)
		first[s + 1] += first[s];
}

static void fill_level(struct maker *m, struct picture_level *l)
{
	struct picture *p = m->p;
	uint32_t *at = NEW(&m->scratch, p->nshelves, uint32_t);

	memcpy(at, l->first, p->nshelves * sizeof(*at));
	for (uint32_t i = 0; i < p->path.n; i++)
		l->bar[at[0]++] = segment_bar(&p->path, i);
	for (uint32_t i = 1; i < p->nlanes; i++)
		for (uint32_t k = p->lane[i].first; k < p->lane[i].past; k++) {
			uint32_t row = at[p->lane[i].shelf + m->depth[k]]++;
			l->bar[row] = event_bar(m, m->event[k]);
			p->bar_of[m->event[k]] = row;
		}
	for (uint32_t i = 0; i < l->n; i++)
		l->bar[i].first = i;
}

/* The path is there twice: in its own lane, and in the events whose time it is. */
static void check_path(const struct picture *p)
{
	const struct picture_level *l = &p->level[0];
	nsec path = 0, nobody = 0, events = 0;

	for (uint32_t i = 0; i < p->path.n; i++) {
		const struct path_segment *s = &p->path.at[i];
		path += s->end - s->start;
		nobody += s->event == NONE || !critpath_own(s) ? s->end - s->start : 0;
	}
	for (uint32_t i = l->first[1]; i < l->n; i++)
		events += l->bar[i].on_path;
	CHECK(path == p->window && "the path lane is the window");
	CHECK(events + nobody == p->window && "events on the path + gaps == window");
}

void picture_make(struct picture *p, const struct critpath *c)
{
	struct picture_level *l = &p->level[0];
	struct maker m = { .p = p, .tr = c->tr, .own = c->own };

	p->tr = c->tr;
	p->window = c->view.window.end - c->view.window.start;
	p->path = c->path;
	p->path.at = NEW(&p->arena, c->path.n, struct path_segment);
	if (c->path.n)
		memcpy(p->path.at, c->path.at, c->path.n * sizeof(*c->path.at));
	p->links = trace_launches(p->tr, LINK_BEST);
	m.tree = trace_tree(p->tr, TREE_FULL);
	m.names = critpath_call_names(p->tr, &m.scratch);
	for (int work = 0; work < 2; work++)
		m.picture_lane[work] = NEW(&m.scratch, p->tr->lanes.n, uint32_t);
	find_lanes(&m);
	m.event = NEW(&m.scratch, m.nevents, event_id);
	m.depth = NEW(&m.scratch, m.nevents, uint32_t);
	put_by_lane(&m);
	sort_lanes(&m);
	make_shelves(p);
	l->n = m.nevents + p->path.n;
	l->bar = NEW(&p->arena, (size_t)l->n + 1, struct picture_bar);
	l->first = NEW(&p->arena, (size_t)p->nshelves + 1, uint32_t);
	p->bar_of = NEW(&p->arena, p->tr->ev.n, uint32_t);
	memset(p->bar_of, 0xff, p->tr->ev.n * sizeof(*p->bar_of));
	count_shelves(&m, l->first);
	fill_level(&m, l);
	check_path(p);
	arena_free(&m.scratch);
}
