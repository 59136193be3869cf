/*
 * Host events go by their start and thread; GPU work goes by its launch, whatever thread
 * that was on, and by its own start only if the trace has no launch; the end of a flow or
 * of an async span goes with its beginning. What no tile holds (a thread that is busy
 * between two overlapping iterations) goes with the iteration that began last.
 */
#include "analysis/split_slice.h"

#include "algo/sort.h"
#include "algo/spans.h"
#include "base/check.h"
#include "base/hash.h"

struct assigner {
	const struct split_work *w;
	const struct root_set *r;
	struct slices *s;
	nsec first, last;  /* start of the first tile, end of the last to end */
	struct map begins; /* of flows and async spans: id -> slice */
};

/* The iteration that began last before t: roots are sorted by start. */
static uint32_t begun_before(const struct root_set *r, nsec t)
{
	uint32_t lo = 0, hi = r->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (r->root[mid].start <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : 0;
}

static uint32_t slice_at(const struct assigner *x, uint32_t process, lane_id lane, nsec t)
{
	uint32_t root = tiles_find(&x->s->tiles, process, lane, t);

	if (root != NONE)
		return root;
	if (t < x->first)
		return x->s->n;
	if (t >= x->last)
		return x->s->n + 1;
	return begun_before(x->r, t);
}

static uint32_t slice_of_gpu(const struct assigner *x, uint32_t i)
{
	const struct trace *tr = x->w->tr;
	event_id launch = x->w->links->launch[i];

	if (x->r->on_gpu)
		return slice_at(x, 0, NONE, x->w->start[i]);
	if (launch != NONE)
		return slice_at(x, x->w->process[i], tr->ev.lane[launch], x->w->launch[i]);
	return slice_at(x, NONE, NONE, x->w->start[i]);
}

static bool is_begin(uint8_t ph)
{
	return ph == 's' || ph == 'b' || ph == 'S';
}

static bool is_tail(uint8_t ph)
{
	return ph == 'f' || ph == 't' || ph == 'e' || ph == 'n' || ph == 'F' || ph == 'T';
}

/* What ties the parts of a flow or async span; 0 without an id. */
static uint64_t span_key(const struct trace *tr, event_id e)
{
	struct str id = arg_text(tr, e, KEY_ID);

	return id.p ? hash_bytes(id.p, id.n) ^ hash_u64(tr->ev.cat[e]) : 0;
}

/* An E that closed a B lies in the row of the B: it goes where the slice it ends is. */
static uint64_t end_key(lane_id lane, nsec end)
{
	return hash_mix(hash_u64(lane + 1), hash_u64((uint64_t)end));
}

static uint32_t slice_of_host(const struct assigner *x, event_id e)
{
	const struct trace *tr = x->w->tr;
	lane_id lane = tr->ev.lane[e];
	bool gpu = lane != NONE && tr->lanes.at[lane].gpu;
	uint32_t process = x->r->on_gpu          ? 0
			   : gpu || lane == NONE ? NONE
						 : tr->lanes.at[lane].process;

	if (tr->ev.ph[e] == 'M' || tr->ev.kind[e] == KIND_META)
		return SLICE_ALL;
	if (tr->ev.ts[e] == NSEC_NONE)
		return x->s->n;
	if (is_tail(tr->ev.ph[e])) {
		uint32_t with = map_get(&x->begins, span_key(tr, e));
		if (with != NONE)
			return with;
	}
	if (tr->ev.flags[e] & EVENT_PAIRED) {
		uint32_t with = map_get(&x->begins, end_key(lane, tr->ev.ts[e]));
		if (with != NONE)
			return with;
	}
	return slice_at(x, process, gpu ? NONE : lane, tr->ev.ts[e]);
}

/* Beginnings first, so that ends find them wherever they stand in the file. */
static void assign_all(struct assigner *x, struct arena *a)
{
	const struct trace *tr = x->w->tr;
	uint32_t nbegins = 0;
	bool pairs = false;

	for (event_id e = 0; e < tr->ev.n; e++) {
		nbegins += is_begin(tr->ev.ph[e]);
		pairs = pairs || tr->ev.flags[e] & EVENT_PAIRED;
	}
	x->begins = map_new(a, nbegins + (pairs ? (size_t)tr->ev.n : 0));
	for (int tails = 0; tails < 2; tails++)
		for (event_id e = 0; e < tr->ev.n; e++) {
			bool tail = is_tail(tr->ev.ph[e]) || tr->ev.flags[e] & EVENT_PAIRED;
			uint32_t gpu = links_row(tr, x->w->links, e);

			if (tail != tails)
				continue;
			if (tr->ev.flags[e] & EVENT_DROPPED) {
				x->s->of[e] = SLICE_NONE;
				continue;
			}
			x->s->of[e] = gpu != NONE ? slice_of_gpu(x, gpu) : slice_of_host(x, e);
			if (is_begin(tr->ev.ph[e]))
				*map_at(&x->begins, span_key(tr, e)) = x->s->of[e];
			else if (pairs && tr->ev.ph[e] == 'X' && gpu == NONE)
				*map_at(&x->begins,
					end_key(tr->ev.lane[e], trace_end(tr, e))) = x->s->of[e];
		}
}

struct launch_order {
	const struct split_work *w;
	const uint32_t *of;
};

/* By slice, then launch (work without one by its start), then start. */
static bool launched_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct launch_order *o = ctx;
	const struct split_work *w = o->w;
	uint32_t sa = o->of[w->links->gpu[a]], sb = o->of[w->links->gpu[b]];
	nsec la = w->launch[a] != NSEC_NONE ? w->launch[a] : w->start[a];
	nsec lb = w->launch[b] != NSEC_NONE ? w->launch[b] : w->start[b];

	if (sa != sb)
		return sa < sb;
	return la != lb ? la < lb : w->start[a] < w->start[b];
}

/* Sums over the GPU events id[from..to) of one slice. */
static void sum_gpu(const struct split_work *w, const uint32_t *id, uint32_t from, uint32_t to,
		    struct slice *s, struct arena *a)
{
	struct arena_mark mark = arena_mark(a);
	struct span *span = NEW(a, (size_t)(to - from) + 1, struct span);
	uint32_t n = 0;

	for (uint32_t k = from; k < to; k++) {
		uint32_t i = id[k];
		event_id g = w->links->gpu[i];

		s->gpu_events++;
		s->unlinked += w->links->launch[i] == NONE;
		s->gpu_sum += w->dur[i];
		s->signature = hash_mix(s->signature ^ hash_u64(w->tr->ev.name[g]),
					0x9e3779b97f4a7c15);
		if (!trace_timed(w->tr, g))
			continue;
		span[n++] = (struct span){ w->start[i], w->start[i] + w->dur[i] };
		if (s->gpu_first == NSEC_NONE || w->start[i] < s->gpu_first)
			s->gpu_first = w->start[i];
		if (s->gpu_last == NSEC_NONE || w->start[i] + w->dur[i] > s->gpu_last)
			s->gpu_last = w->start[i] + w->dur[i];
	}
	s->gpu_busy = spans_length(spans_union(a, span, n));
	arena_rewind(a, mark);
}

static void sum_slices(const struct split_work *w, struct slices *s, struct arena *a)
{
	uint32_t *id = NEW(a, (size_t)w->n + 1, uint32_t);
	struct launch_order order = { w, s->of };

	for (uint32_t i = 0; i < w->n; i++)
		id[i] = i;
	sort_ids(id, w->n, NEW(a, (size_t)w->n + 1, uint32_t), launched_before, &order);
	for (uint32_t i = 0, end; i < w->n; i = end) {
		uint32_t slice = s->of[w->links->gpu[id[i]]];

		for (end = i; end < w->n && s->of[w->links->gpu[id[end]]] == slice; end++)
			;
		if (slice < s->n + 2)
			sum_gpu(w, id, i, end, &s->at[slice], a);
	}
	for (event_id e = 0; e < w->tr->ev.n; e++)
		if (s->of[e] < s->n + 2 && links_row(w->tr, w->links, e) == NONE)
			s->at[s->of[e]].host_events++;
}

struct slices split_slices(const struct split_work *w, const struct root_set *r, struct arena *a)
{
	struct slices s = { .n = r->n,
			    .at = NEW(a, (size_t)r->n + 2, struct slice),
			    .of = NEW(a, (size_t)w->tr->ev.n + 1, uint32_t),
			    .tiles = split_tiles(w->tr, r, a) };
	struct assigner x = { w, r, &s, INT64_MAX, INT64_MIN, { 0 } };

	for (uint32_t i = 0; i < s.n + 2; i++)
		s.at[i].gpu_first = s.at[i].gpu_last = NSEC_NONE;
	for (uint32_t i = 0; i < s.tiles.n; i++) {
		const struct tile *t = &s.tiles.at[i];

		s.at[t->root].start = t->start;
		s.at[t->root].end = t->end;
		x.first = MIN_OF(x.first, t->start);
		x.last = MAX_OF(x.last, t->end);
	}
	s.at[s.n] = (struct slice){
		.start = w->tr->start, .end = x.first, .gpu_first = NSEC_NONE, .gpu_last = NSEC_NONE
	};
	s.at[s.n + 1] = (struct slice){
		.start = x.last, .end = w->tr->end, .gpu_first = NSEC_NONE, .gpu_last = NSEC_NONE
	};
	assign_all(&x, a);
	sum_slices(w, &s, a);
	uint64_t gpu = 0;
	for (uint32_t i = 0; i < s.n + 2; i++)
		gpu += s.at[i].gpu_events;
	CHECK(gpu == w->n); /* every GPU event in exactly one slice */
	return s;
}
