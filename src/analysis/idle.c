/*
 * Why a GPU had nothing to do: for each gap, what the thread did meanwhile that then
 * launched the work which ended the gap.
 *
 *	GPU      [ work ]                    [ work ]
 *	                 |<----- gap ------->|
 *	thread   ...[ piece a ][ piece b ][launch]
 *	             a |  b    |  launch | queue  : the gap is cut at their borders, and adds up
 *
 * Pieces of threads, holes and waits are those of the critical path's graph, so a stretch
 * has the same class here as there. Work whose launch is not in the trace explains nothing.
 */
#include "algo/sort.h"
#include "algo/spans.h"
#include "analysis/critpath.h"
#include "analysis/critpath_input.h"
#include "base/check.h"
#include "base/map.h"
#include "base/say.h"
#include "trace/link.h"

#include <math.h>

struct cause {
	uint32_t class; /* enum path_class */
	string_id name; /* NONE: "-" */
	nsec idle, longest, example;
	int64_t gaps;
	uint32_t last_gap; /* so that a gap counts once per cause */
};

struct idle {
	struct trace *tr;
	const struct path_graph *g;
	const struct links *links;
	struct arena *a;
	uint32_t *track_of; /* of each lane of the host; NONE */
	struct map seen;    /* class and name -> cause */
	uint32_t n, cap;
	struct cause *cause;
	uint32_t gap; /* number of the current one */
	nsec gap_start;
	nsec total, explained;
	uint32_t ngaps;
	int64_t *gap_at, *gap_len; /* of all gaps */
	const char **gap_ends;     /* name of the work that ended it */
};

static struct cause *cause_of(struct idle *x, enum path_class class, string_id name)
{
	uint32_t *at = map_at(&x->seen, (uint64_t) class << 32 | name);

	if (*at == NONE) {
		if (x->n == x->cap) {
			struct cause *more = NEW(x->a, 2 * (size_t)x->cap + 16, struct cause);

			if (x->n)
				memcpy(more, x->cause, x->n * sizeof(*more));
			x->cause = more;
			x->cap = 2 * x->cap + 16;
		}
		*at = x->n++;
		x->cause[*at] = (struct cause){
			.class = class, .name = name, .example = x->gap_start, .last_gap = NONE
		};
	}
	return &x->cause[*at];
}

static void blame(struct idle *x, enum path_class class, event_id e, nsec from, nsec to)
{
	if (to <= from)
		return;
	struct cause *c = cause_of(x, class, e == NONE ? NONE : x->tr->ev.name[e]);

	c->idle += to - from;
	if (to - from > c->longest) {
		c->longest = to - from;
		c->example = x->gap_start;
	}
	c->gaps += c->last_gap != x->gap;
	c->last_gap = x->gap;
	x->explained += to - from;
}

/* The first piece of the track that ends after t. */
static uint32_t piece_after(const struct path_graph *g, const struct path_track *t, nsec at)
{
	uint32_t lo = t->first, hi = t->past;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (g->piece[mid].end <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Between two pieces: a wait if the later one begins as it returns, else nothing is known. */
static void blame_hole(struct idle *x, uint32_t next, const struct path_track *t, nsec from,
		       nsec to)
{
	event_id wait = next < t->past ? x->g->node[x->g->piece[next].node].event : NONE;

	blame(x, wait == NONE ? PATH_IDLE_UNKNOWN : PATH_SYNC, wait, from, to);
}

/* What the thread did in [from, to). */
static void blame_thread(struct idle *x, uint32_t track, nsec from, nsec to)
{
	const struct path_track *t = &x->g->track[track];

	for (uint32_t p = piece_after(x->g, t, from); from < to; p++) {
		nsec start = p < t->past ? x->g->piece[p].start : INT64_MAX;

		blame_hole(x, p, t, from, MIN_OF(start, to));
		from = MAX_OF(from, MIN_OF(start, to));
		if (p >= t->past || from >= to)
			return;
		nsec end = MIN_OF(x->g->piece[p].end, to);
		blame(x, x->g->piece[p].class, x->g->piece[p].event, from, end);
		from = end;
	}
}

/* The gap [from, to), relative times, ended by GPU event g. */
static void blame_gap(struct idle *x, nsec from, nsec to, event_id g)
{
	event_id launch = x->links->launch[links_row(x->tr, x->links, g)];
	uint32_t track = launch == NONE ? NONE : x->track_of[x->tr->ev.lane[launch]];

	x->gap = x->ngaps;
	x->gap_start = from;
	x->gap_at[x->ngaps] = from;
	x->gap_len[x->ngaps] = to - from;
	x->gap_ends[x->ngaps++] = trace_name(x->tr, g).p;
	x->total += to - from;
	if (track == NONE) {
		blame(x, PATH_UNTRACED_GPU, g, from, to);
		return;
	}
	nsec launched = trace_end(x->tr, launch) - x->tr->base;
	nsec cut = MIN_OF(MAX_OF(launched, from), to);
	blame_thread(x, track, from, cut);
	blame(x, PATH_LAUNCH_QUEUE, g, cut, to);
}

/* ---- gaps ---- */

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->ev.ts[a] < tr->ev.ts[b];
}

/* The GPU events of one device are the rows [from, to) of the links. */
static void blame_device(struct idle *x, uint32_t from, uint32_t to)
{
	const struct trace *tr = x->tr;
	struct arena scratch = { 0 };
	event_id *id = NEW(&scratch, to - from, event_id);
	uint32_t n = 0;
	nsec busy_to = NSEC_NONE;

	for (uint32_t i = from; i < to; i++)
		if (trace_timed(tr, x->links->gpu[i]))
			id[n++] = x->links->gpu[i];
	sort_ids(id, n, NEW(&scratch, (size_t)n + 1, uint32_t), starts_before, tr);
	for (uint32_t i = 0; i < n; i++) {
		nsec start = tr->ev.ts[id[i]];

		if (busy_to != NSEC_NONE && start > busy_to)
			blame_gap(x, busy_to - tr->base, start - tr->base, id[i]);
		busy_to = busy_to == NSEC_NONE ? trace_end(tr, id[i])
					       : MAX_OF(busy_to, trace_end(tr, id[i]));
	}
	arena_free(&scratch);
}

static bool same_device(const struct trace *tr, event_id a, event_id b)
{
	const struct lane *x = &tr->lanes.at[tr->ev.lane[a]], *y = &tr->lanes.at[tr->ev.lane[b]];

	return x->process == y->process && x->device == y->device;
}

static void find_tracks(struct idle *x)
{
	x->track_of = NEW(x->a, (size_t)x->tr->lanes.n + 1, uint32_t);
	for (lane_id l = 0; l < x->tr->lanes.n; l++)
		x->track_of[l] = NONE;
	for (uint32_t t = 0; t < x->g->ntracks; t++)
		if (!x->g->track[t].gpu)
			x->track_of[x->g->track[t].lane] = t;
}

static void blame_all(struct idle *x)
{
	const struct links *l = x->links;

	x->seen = map_new(x->a, (size_t)x->tr->strings.n * 2 + 64);
	x->gap_at = NEW(x->a, (size_t)l->n + 1, int64_t);
	x->gap_len = NEW(x->a, (size_t)l->n + 1, int64_t);
	x->gap_ends = NEW(x->a, (size_t)l->n + 1, const char *);
	find_tracks(x);
	for (uint32_t i = 0, end; i < l->n; i = end) {
		for (end = i + 1; end < l->n && same_device(x->tr, l->gpu[i], l->gpu[end]); end++)
			;
		blame_device(x, i, end);
	}
	CHECK(x->explained == x->total); /* every ns of every gap has one cause */
}

/* ---- tables ---- */

static bool longer(const void *ctx, uint32_t a, uint32_t b)
{
	const struct cause *c = ctx;

	return c[a].idle > c[b].idle;
}

static const char *cause_name(const struct idle *x, const struct cause *c)
{
	return c->name == NONE ? "-" : strings_get(&x->tr->strings, c->name).p;
}

static void add_causes(struct lp_answer *ans, const struct idle *x, const uint32_t *order)
{
	struct arena *a = answer_arena(ans);
	struct lp_table *t = answer_table(ans, "idle_causes", x->n);
	const char **class = NEW(a, (size_t)x->n + 1, const char *),
		   **name = NEW(a, (size_t)x->n + 1, const char *);
	int64_t *idle = NEW(a, (size_t)x->n + 1, int64_t),
		*gaps = NEW(a, (size_t)x->n + 1, int64_t);
	int64_t *longest = NEW(a, (size_t)x->n + 1, int64_t),
		*example = NEW(a, (size_t)x->n + 1, int64_t);
	double *percent = NEW(a, (size_t)x->n + 1, double);

	for (uint32_t k = 0; k < x->n; k++) {
		const struct cause *c = &x->cause[order[k]];

		class[k] = path_class_texts[c->class].name;
		name[k] = cause_name(x, c);
		idle[k] = c->idle;
		gaps[k] = c->gaps;
		longest[k] = c->longest;
		example[k] = c->example;
		percent[k] = 100.0 * (double)c->idle / (double)x->total;
	}
	t->total = "idle time";
	table_str(t, "cause", "the host was in", 0, class,
		  "class of what the launching thread did");
	table_str(t, "name", "name", LP_NAME, name, "the operator, frame or call");
	table_i64(t, "idle_ns", "idle", LP_NSEC, LP_SUM, idle, "GPU idle time it explains");
	table_f64(t, "percent", "%", LP_PERCENT, LP_SUM | LP_BAR, percent, "of all idle time");
	table_i64(t, "gaps", "gaps", LP_COUNT, 0, gaps, "gaps it has a part in");
	table_i64(t, "longest_ns", "longest", LP_NSEC, LP_LESSER, longest,
		  "its longest part of one gap");
	table_i64(t, "example_start_ns", "example", LP_NSEC, LP_DETAIL, example,
		  "start of the gap with that part");
}

static bool longer_gap(const void *ctx, uint32_t a, uint32_t b)
{
	const int64_t *len = ctx;

	return len[a] > len[b];
}

static void add_gaps(struct lp_answer *ans, const struct idle *x)
{
	struct arena *a = answer_arena(ans);
	uint32_t *id = NEW(a, (size_t)x->ngaps + 1, uint32_t);
	int64_t *start = NEW(a, (size_t)x->ngaps + 1, int64_t),
		*len = NEW(a, (size_t)x->ngaps + 1, int64_t);
	const char **ends = NEW(a, (size_t)x->ngaps + 1, const char *);
	struct lp_table *t = answer_table(ans, "idle_gaps", x->ngaps);

	for (uint32_t i = 0; i < x->ngaps; i++)
		id[i] = i;
	sort_ids(id, x->ngaps, NEW(a, (size_t)x->ngaps + 1, uint32_t), longer_gap, x->gap_len);
	for (uint32_t i = 0; i < x->ngaps; i++) {
		start[i] = x->gap_at[id[i]];
		len[i] = x->gap_len[id[i]];
		ends[i] = x->gap_ends[id[i]];
	}
	t->total = "idle time";
	table_i64(t, "start_ns", "gap at", LP_NSEC, 0, start, "since the first event");
	table_i64(t, "dur_ns", "took", LP_NSEC, LP_SUM, len, "length of the gap");
	table_str(t, "ended_by", "ended by", LP_NAME, ends, "the work that ended it");
}

struct lp_answer *lp_idle(struct lp_trace *pub, struct lp_error *err)
{
	struct trace *tr = (struct trace *)pub;
	struct lp_answer *ans = answer_new();
	struct arena *a = answer_arena(ans), scratch = { 0 };
	struct idle x = { .tr = tr, .a = &scratch };

	(void)err;
	x.links = trace_links(tr, LINK_BEST, TREE_FULL);
	x.g = critpath_of_trace(tr, &scratch, &(uint32_t){ 0 });
	blame_all(&x);
	uint32_t *order = NEW(a, (size_t)x.n + 1, uint32_t);
	for (uint32_t i = 0; i < x.n; i++)
		order[i] = i;
	sort_ids(order, x.n, NEW(a, (size_t)x.n + 1, uint32_t), longer, x.cause);
	if (x.n) {
		const struct cause *c = &x.cause[order[0]];

		answer_headline(ans, "The GPU idles %s in %s; in %s of it the host was in %s%s%s.",
				say_time(a, x.total), say_many(a, x.ngaps, "gap", "gaps"),
				say_percent(a, c->idle, x.total), path_class_texts[c->class].name,
				c->name == NONE ? "" : ": ",
				c->name == NONE ? "" : cause_name(&x, c));
	} else {
		answer_headline(
			ans, x.links->n ? "The GPU is never idle between its first and last work."
					: "No GPU work in the trace.");
	}
	add_causes(ans, &x, order);
	add_gaps(ans, &x);
	arena_free(&scratch);
	return ans;
}
