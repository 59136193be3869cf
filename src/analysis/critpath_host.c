/*
 * Rows are counted by lane, put in place, and sorted within each thread: by start, the
 * longer first, a data loader's span before what begins with it.
 */
#include "algo/sort.h"
#include "analysis/critpath_input.h"

/* Which of our kinds an event of a thread is; KINDS if none. */
static enum kind host_kind(const struct path_source *s, event_id e, bool bare)
{
	const struct trace *tr = s->tr;
	enum kind k = tr->ev.kind[e];

	if (tr->ev.lane[e] == NONE || !trace_slice(tr, e) || !trace_timed(tr, e) ||
	    tr->lanes.at[tr->ev.lane[e]].gpu)
		return KINDS;
	if (kind_is_host(k) || k == KIND_OVERHEAD || (bare && k == KIND_OTHER))
		return k;
	return k == KIND_ANNOTATION && critpath_is_loader(trace_name(tr, e)) ? k : KINDS;
}

/* Bit per lane: it has work of its own (1), Python frames only (2), other slices only (4). */
static uint8_t *lane_marks(const struct path_source *s, bool bare)
{
	const struct trace *tr = s->tr;
	uint8_t *mark = NEW(s->arena, tr->lanes.n, uint8_t);

	for (event_id e = 0; e < tr->ev.n; e++) {
		enum kind k = host_kind(s, e, bare);
		if (k == KIND_CPU_OP || k == KIND_RUNTIME)
			mark[tr->ev.lane[e]] |= 1;
		else if (k == KIND_PYTHON)
			mark[tr->ev.lane[e]] |= 2;
		else if (k == KIND_OTHER)
			mark[tr->ev.lane[e]] |= 4;
	}
	return mark;
}

static void find_threads(struct path_source *s, bool bare)
{
	const struct trace *tr = s->tr;
	struct host *h = &s->host;
	uint8_t *mark = lane_marks(s, bare), all = 0, want;

	for (lane_id l = 0; l < tr->lanes.n; l++)
		all |= mark[l];
	want = all & 1 ? 1 : all & 2 ? 2 : 4;
	h->thread = NEW(s->arena, tr->lanes.n, struct host_thread);
	h->thread_of = NEW(s->arena, tr->lanes.n, uint32_t);
	for (lane_id l = 0; l < tr->lanes.n; l++) {
		h->thread_of[l] = NONE;
		if (mark[l] & want) {
			h->thread_of[l] = h->nthreads;
			h->thread[h->nthreads++] = (struct host_thread){ l, tr->lanes.at[l].process,
									 0, 0 };
		}
	}
}

/* The profiler writes its overhead under process -1: the thread's number tells whose time it was.
 */
static void adopt_overhead(struct path_source *s)
{
	const struct trace *tr = s->tr;
	struct host *h = &s->host;

	for (event_id e = 0; tr->nkind[KIND_OVERHEAD] && e < tr->ev.n; e++) {
		lane_id l = tr->ev.lane[e];
		if (tr->ev.kind[e] != KIND_OVERHEAD || l == NONE || h->thread_of[l] != NONE)
			continue;
		for (uint32_t k = 0; k < h->nthreads; k++)
			if (tr->lanes.at[h->thread[k].lane].tid == tr->lanes.at[l].tid)
				h->thread_of[l] = k;
	}
}

static bool row_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct events *ev = ctx;

	if (ev->ts[x] != ev->ts[y])
		return ev->ts[x] < ev->ts[y];
	if (ev->dur[x] != ev->dur[y])
		return ev->dur[x] > ev->dur[y];
	return ev->kind[x] == KIND_ANNOTATION && ev->kind[y] != KIND_ANNOTATION;
}

static uint32_t thread_of_event(const struct path_source *s, event_id e, bool bare)
{
	return host_kind(s, e, bare) == KINDS ? NONE : s->host.thread_of[s->tr->ev.lane[e]];
}

static void place_rows(struct path_source *s, bool bare)
{
	const struct trace *tr = s->tr;
	struct host *h = &s->host;
	uint32_t most = 0;

	for (event_id e = 0; e < tr->ev.n; e++) {
		uint32_t k = thread_of_event(s, e, bare);
		if (k != NONE)
			h->thread[k].past++;
	}
	for (uint32_t k = 0; k < h->nthreads; k++) {
		uint32_t n = h->thread[k].past;
		h->thread[k].first = h->thread[k].past = h->nrows;
		h->nrows += n;
		most = MAX_OF(most, n);
	}
	h->row = NEW(s->arena, h->nrows, event_id);
	for (event_id e = 0; e < tr->ev.n; e++) {
		uint32_t k = thread_of_event(s, e, bare);
		if (k != NONE)
			h->row[h->thread[k].past++] = e;
	}
	uint32_t *spare = NEW(s->arena, most, uint32_t);
	for (uint32_t k = 0; k < h->nthreads; k++)
		sort_ids(h->row + h->thread[k].first, h->thread[k].past - h->thread[k].first, spare,
			 row_before, &tr->ev);
}

void critpath_host(struct path_source *s)
{
	const uint32_t *n = s->tr->nkind;
	bool bare = !n[KIND_CPU_OP] && !n[KIND_RUNTIME] && !n[KIND_PYTHON];

	find_threads(s, bare);
	adopt_overhead(s);
	place_rows(s, bare);
}
