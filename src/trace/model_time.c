/*
 * Which times can be believed.
 *
 * Profilers leave 0 where a time was never set, and mix up clocks. Such an event
 * is far from all others, so we look at the starts from far away:
 *
 *	  .                                      ::::::::::::::
 *	  ts 0            more than an hour        the recording
 *
 * Starts are split wherever nothing happens for an hour; the part with the most events is
 * the recording, and what is more than an hour and 16 times its length away from it is invalid.
 * GPU work has a second witness, its launch: work that starts more than 100 ms
 * before its own launch, or at the very time 0, is invalid unless most of the
 * GPU work is so (then the clocks differ, and GPU times agree among themselves).
 */
#include "algo/sort.h"
#include "base/map.h"
#include "trace/model.h"

#define FAR        ((nsec)3600 * 1000000000)
#define CLOCK_SKEW ((nsec)100000000)
#define WRAPPED    ((nsec)4294967296 * 1000) /* -1 µs in 32 bits is just below it */

static void invalidate(struct trace *tr, event_id e, enum counter why)
{
	tr->ev.flags[e] |= EVENT_INVALID_TIME;
	model_count(tr, why, e);
}

/* Slices whose start is to be believed so far. */
static bool candidate(const struct trace *tr, event_id e)
{
	return trace_slice(tr, e) && !(tr->ev.flags[e] & EVENT_INVALID_TIME);
}

/* ---- Lengths that cannot be ---- */

static bool is_negative(nsec ts, nsec dur)
{
	nsec end;

	return dur < 0 || (dur < WRAPPED && dur >= WRAPPED - CLOCK_SKEW) ||
	       __builtin_add_overflow(ts, dur, &end);
}

static void check_lengths(struct trace *tr)
{
	for (event_id e = 0; e < tr->ev.n; e++) {
		nsec ts = tr->ev.ts[e], dur = tr->ev.dur[e];
		if (!trace_slice(tr, e))
			continue;
		if (ts == NSEC_NONE) {
			invalidate(tr, e, COUNT_INVALID_TIME);
		} else if (dur == NSEC_NONE && !(tr->ev.flags[e] & EVENT_UNCLOSED)) {
			tr->ev.flags[e] |= EVENT_UNCLOSED;
			model_count(tr, COUNT_MISSING_DUR, e);
			if (kind_is_on_gpu(tr->ev.kind[e]))
				tr->ev.flags[e] |= EVENT_INVALID_TIME;
		} else if (dur != NSEC_NONE && is_negative(ts, dur)) {
			invalidate(tr, e, COUNT_NEGATIVE_DUR);
		}
	}
}

/* ---- Starts far from all others ---- */

struct cluster {
	nsec start, end;
	uint32_t n;
};

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->ev.ts[a] < tr->ev.ts[b];
}

/* The part of the recording that holds the most events; of equal ones the last. */
static struct cluster largest_cluster(const struct trace *tr, const event_id *order, uint32_t n)
{
	struct cluster best = { 0 }, now = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		nsec ts = tr->ev.ts[order[i]], dur = tr->ev.dur[order[i]];
		nsec end = dur == NSEC_NONE ? ts : ts + dur;
		if (!now.n || ts - now.end > FAR)
			now = (struct cluster){ ts, end, 0 };
		now.end = MAX_OF(now.end, end);
		now.n++;
		if (now.n >= best.n)
			best = now;
	}
	return best;
}

static void drop_far_starts(struct trace *tr)
{
	struct arena scratch = { 0 };
	event_id *order = NEW(&scratch, tr->ev.n, event_id),
		 *spare = NEW(&scratch, tr->ev.n, event_id);
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++)
		if (candidate(tr, e))
			order[n++] = e;
	sort_ids(order, n, spare, starts_before, tr);
	struct cluster main = largest_cluster(tr, order, n);
	nsec far = MAX_OF(FAR, 16 * MIN_OF(main.end - main.start, INT64_MAX / 32));
	for (uint32_t i = 0; i < n; i++) {
		nsec ts = tr->ev.ts[order[i]];
		if (ts < main.start ? main.start - ts > far : ts > main.end && ts - main.end > far)
			invalidate(tr, order[i], COUNT_INVALID_TIME);
	}
	arena_free(&scratch);
}

static void check_starts(struct trace *tr)
{
	nsec first = INT64_MAX, last = INT64_MIN;

	for (event_id e = 0; e < tr->ev.n; e++)
		if (candidate(tr, e)) {
			first = MIN_OF(first, tr->ev.ts[e]);
			last = MAX_OF(last, tr->ev.ts[e]);
		}
	nsec range;
	if (first < last && (__builtin_sub_overflow(last, first, &range) || range > FAR))
		drop_far_starts(tr);
}

/* ---- GPU work against its launch ---- */

/* First start of the host; INT64_MAX without one. */
static nsec host_start(const struct trace *tr)
{
	nsec first = INT64_MAX;

	for (event_id e = 0; e < tr->ev.n; e++)
		if (kind_is_host(tr->ev.kind[e]) && candidate(tr, e))
			first = MIN_OF(first, tr->ev.ts[e]);
	return first;
}

/* The earliest host call of each correlation: of several ranks' the one that accuses least. */
static struct map map_launches(const struct trace *tr, struct arena *scratch)
{
	uint32_t n = 0;
	int64_t id;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += tr->ev.kind[e] == KIND_RUNTIME;
	struct map launches = map_new(scratch, n);
	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.kind[e] != KIND_RUNTIME || !candidate(tr, e) ||
		    !arg_i64(tr, e, KEY_CORRELATION, &id) || id <= 0)
			continue;
		uint32_t *at = map_at(&launches, (uint64_t)id);
		if (*at == NONE || tr->ev.ts[e] < tr->ev.ts[*at])
			*at = e;
	}
	return launches;
}

static bool contradicts_launch(const struct trace *tr, event_id e, const struct map *launches,
			       nsec first)
{
	nsec ts = tr->ev.ts[e];
	int64_t id = 0;
	event_id launch = NONE;

	if (arg_i64(tr, e, KEY_CORRELATION, &id) && id > 0)
		launch = map_get(launches, (uint64_t)id);
	if (launch == NONE)
		return ts == 0 && first > CLOCK_SKEW;
	return tr->ev.ts[launch] - ts > (ts ? CLOCK_SKEW : 0);
}

/* Only GPU work that starts at 0 or well before the host is looked at: most often there is none. */
static void check_gpu_starts(struct trace *tr)
{
	nsec first = host_start(tr);
	uint32_t ngpu = 0, nodd = 0, nbad = 0;

	if (first == INT64_MAX)
		return;
	for (event_id e = 0; e < tr->ev.n; e++)
		if (kind_is_gpu(tr->ev.kind[e]) && candidate(tr, e)) {
			ngpu++;
			nodd += !tr->ev.ts[e] || first - tr->ev.ts[e] > CLOCK_SKEW;
		}
	if (!nodd)
		return;
	struct arena scratch = { 0 };
	struct map launches = map_launches(tr, &scratch);
	event_id *bad = NEW(&scratch, nodd, event_id);
	for (event_id e = 0; e < tr->ev.n; e++)
		if (kind_is_gpu(tr->ev.kind[e]) && candidate(tr, e) &&
		    (!tr->ev.ts[e] || first - tr->ev.ts[e] > CLOCK_SKEW) &&
		    contradicts_launch(tr, e, &launches, first))
			bad[nbad++] = e;
	for (uint32_t i = 0; i < nbad; i++)
		if (nbad <= ngpu / 2 || !tr->ev.ts[bad[i]])
			invalidate(tr, bad[i], COUNT_INVALID_TIME);
	arena_free(&scratch);
}

/* ---- The profiled window ---- */

struct range {
	nsec start, end;
	bool known;
};

static void widen(struct range *w, nsec start, nsec end)
{
	w->start = w->known ? MIN_OF(w->start, start) : start;
	w->end = w->known ? MAX_OF(w->end, end) : end;
	w->known = true;
}

/* What the profiler says of itself: its spans of category Trace, and the end of recording. */
static struct range recorded_window(const struct trace *tr)
{
	string_id cat = strings_find(&tr->cats, STR("Trace"));
	string_id end = strings_find(&tr->strings, STR("Record Window End"));
	struct range w = { 0 };

	for (event_id e = 0; cat != NONE && e < tr->ev.n; e++) {
		if (tr->ev.cat[e] == cat && candidate(tr, e) && trace_timed(tr, e))
			widen(&w, tr->ev.ts[e], trace_end(tr, e));
		else if (end != NONE && tr->ev.name[e] == end && w.known &&
			 tr->ev.ts[e] != NSEC_NONE)
			w.end = MAX_OF(w.end, tr->ev.ts[e]);
	}
	return w;
}

/* GPU work that ended before the recording began, or began after it ended. */
static void check_recorded_window(struct trace *tr)
{
	struct range w = recorded_window(tr);
	uint32_t ngpu = 0, nout = 0;

	for (int apply = 0; w.known && apply < 2; apply++)
		for (event_id e = 0; e < tr->ev.n; e++) {
			if (!kind_is_gpu(tr->ev.kind[e]) || !candidate(tr, e) ||
			    !trace_timed(tr, e))
				continue;
			bool out = trace_end(tr, e) < w.start || tr->ev.ts[e] > w.end;
			if (!apply) {
				ngpu++;
				nout += out;
			} else if (out && nout <= ngpu / 2) {
				invalidate(tr, e, COUNT_OUTSIDE_WINDOW);
			}
		}
}

/* ---- Ends ---- */

/* The last moment of the trace; instants count, metadata and flows do not. */
static nsec last_moment(const struct trace *tr)
{
	nsec last = INT64_MIN;

	for (event_id e = 0; e < tr->ev.n; e++) {
		enum kind k = tr->ev.kind[e];
		if (k == KIND_META || k == KIND_FLOW || k == KIND_FLOW_FWDBWD ||
		    tr->ev.ts[e] == NSEC_NONE || (tr->ev.flags[e] & EVENT_INVALID_TIME))
			continue;
		nsec end = trace_timed(tr, e) ? trace_end(tr, e) : tr->ev.ts[e];
		last = MAX_OF(last, end);
	}
	return last == INT64_MIN ? 0 : last;
}

static void close_open_ends(struct trace *tr)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if ((tr->ev.flags[e] & EVENT_UNCLOSED) && trace_slice(tr, e) &&
		    tr->ev.ts[e] != NSEC_NONE)
			tr->ev.dur[e] = tr->ev.flags[e] & EVENT_INVALID_TIME
						? 0
						: MAX_OF(0, tr->last - tr->ev.ts[e]);
}

/* Spans from the first start to the last end of all events that `counts` says. */
static struct range span_of(const struct trace *tr, bool (*counts)(enum kind))
{
	struct range w = { 0 };

	for (event_id e = 0; e < tr->ev.n; e++)
		if (counts(tr->ev.kind[e]) && trace_slice(tr, e) && trace_timed(tr, e))
			widen(&w, tr->ev.ts[e], trace_end(tr, e));
	return w;
}

static bool is_work(enum kind k)
{
	return kind_is_host(k) || kind_is_gpu(k);
}

static bool is_any(enum kind k)
{
	return true;
}

void model_times(struct trace *tr)
{
	check_lengths(tr);
	check_starts(tr);
	check_gpu_starts(tr);
	check_recorded_window(tr);
}

void model_window(struct trace *tr)
{
	tr->last = last_moment(tr);
	close_open_ends(tr);
	struct range all = span_of(tr, is_any), work = span_of(tr, is_work);
	if (!work.known)
		work = all;
	tr->base = all.known ? all.start : 0;
	tr->start = work.known ? work.start : tr->base;
	tr->end = work.known ? work.end : tr->base;
}
