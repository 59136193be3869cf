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

#define SECOND     ((nsec)1000000000)
#define FAR        (3600 * SECOND)
#define CLOCK_SKEW (SECOND / 10)
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

/* ---- One look at all times ---- */

static void widen(struct range *r, nsec start, nsec end)
{
	r->start = MIN_OF(r->start, start);
	r->end = MAX_OF(r->end, end);
}

static const struct range nothing = { INT64_MAX, INT64_MIN };

void model_limit(struct trace *tr, event_id e)
{
	nsec ts = tr->ev.ts[e];

	if (UNLIKELY((ts > FARTHEST || ts < -FARTHEST) && ts != NSEC_NONE)) {
		tr->ev.ts[e] = NSEC_NONE;
		if (!trace_slice(tr, e))
			model_count(tr, COUNT_INVALID_TIME, e);
	}
}

static bool is_negative(nsec dur)
{
	return dur < 0 || (dur < WRAPPED && dur >= WRAPPED - SECOND);
}

/* GPU work may be as long: if it swallows later work it is clipped, else caught afterwards. */
static bool is_endless(const struct trace *tr, event_id e)
{
	return tr->ev.dur[e] > (kind_is_gpu(tr->ev.kind[e]) ? FARTHEST : LONGEST);
}

/* Flags a slice whose own numbers cannot be. */
static void check_length(struct trace *tr, event_id e)
{
	nsec dur = tr->ev.dur[e];

	if (tr->ev.ts[e] == NSEC_NONE) {
		invalidate(tr, e, COUNT_INVALID_TIME);
	} else if (dur == NSEC_NONE) {
		if (!(tr->ev.flags[e] & EVENT_UNCLOSED))
			model_count(tr, COUNT_MISSING_DUR, e);
		tr->ev.flags[e] |= EVENT_UNCLOSED;
		if (kind_is_on_gpu(tr->ev.kind[e])) /* a guess would be taken for work */
			tr->ev.flags[e] |= EVENT_INVALID_TIME;
	} else if (is_negative(dur)) {
		invalidate(tr, e, COUNT_NEGATIVE_DUR);
	} else if (is_endless(tr, e)) {
		invalidate(tr, e, COUNT_INVALID_TIME);
	}
}

/* Adds an event to the ranges, if its times are to be believed. */
static void survey_event(struct survey *s, const struct trace *tr, event_id e)
{
	enum kind k = tr->ev.kind[e];
	nsec ts = tr->ev.ts[e], end = ts;
	bool slice = trace_slice(tr, e);

	if (k >= KIND_FLOW && (k <= KIND_FLOW_FWDBWD || k == KIND_META))
		return;
	if (ts == NSEC_NONE || (tr->ev.flags[e] & EVENT_INVALID_TIME))
		return;
	if (tr->ev.dur[e] != NSEC_NONE && (slice || tr->ev.ph[e] == 'b' || tr->ev.ph[e] == 'S'))
		end += tr->ev.dur[e];
	s->last = MAX_OF(s->last, end);
	if (!slice)
		return;
	widen(&s->starts, ts, ts);
	if (kind_is_host(k))
		s->host = MIN_OF(s->host, ts);
	widen(&s->all, ts, end);
	if (kind_is_host(k) || kind_is_gpu(k))
		widen(&s->work, ts, end);
}

static struct survey survey_new(void)
{
	return (struct survey){ nothing, nothing, nothing, INT64_MAX, INT64_MIN, false };
}

static struct survey survey_all(struct trace *tr, bool check)
{
	struct survey s = survey_new();

	for (event_id e = 0; e < tr->ev.n; e++) {
		if (check)
			model_limit(tr, e);
		if (check && trace_slice(tr, e))
			check_length(tr, e);
		survey_event(&s, tr, e);
		s.open |= (tr->ev.flags[e] & EVENT_UNCLOSED) != 0;
	}
	return s;
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

/* Hours are rare: most often nothing is looked at twice. */
static void check_starts(struct trace *tr, const struct survey *s)
{
	nsec range;

	if (s->starts.start < s->starts.end &&
	    (__builtin_sub_overflow(s->starts.end, s->starts.start, &range) || range > FAR))
		drop_far_starts(tr);
}

/* ---- GPU work against its launch ---- */

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

static bool is_odd(const struct trace *tr, event_id e, nsec first)
{
	return candidate(tr, e) && (!tr->ev.ts[e] || first - tr->ev.ts[e] > CLOCK_SKEW);
}

/* Only GPU work that starts at 0 or well before the host is looked at: most often there is none. */
static void check_gpu_starts(struct trace *tr, nsec first)
{
	uint32_t nodd = 0, nbad = 0;

	if (first == INT64_MAX)
		return;
	for (uint32_t i = 0; i < tr->ngpu; i++)
		nodd += is_odd(tr, tr->gpu[i], first);
	if (!nodd)
		return;
	struct arena scratch = { 0 };
	struct map launches = map_launches(tr, &scratch);
	event_id *bad = NEW(&scratch, nodd, event_id);
	for (uint32_t i = 0; i < tr->ngpu; i++)
		if (is_odd(tr, tr->gpu[i], first) &&
		    contradicts_launch(tr, tr->gpu[i], &launches, first))
			bad[nbad++] = tr->gpu[i];
	for (uint32_t i = 0; i < nbad; i++)
		if (nbad <= tr->ngpu / 2 || !tr->ev.ts[bad[i]])
			invalidate(tr, bad[i], COUNT_INVALID_TIME);
	arena_free(&scratch);
}

/* ---- The profiled window ---- */

/* What the profiler says of itself: its spans of category Trace, and the end of recording. */
static struct range recorded_window(const struct trace *tr)
{
	string_id cat = strings_find(&tr->cats, STR("Trace"));
	string_id end = strings_find(&tr->strings, STR("Record Window End"));
	struct range r = nothing;

	for (event_id e = 0; cat != NONE && e < tr->ev.n; e++) {
		if (tr->ev.cat[e] == cat && candidate(tr, e) && trace_timed(tr, e))
			widen(&r, tr->ev.ts[e], trace_end(tr, e));
		else if (tr->ev.kind[e] == KIND_INSTANT && tr->ev.name[e] == end && end != NONE &&
			 tr->ev.ts[e] != NSEC_NONE)
			r.end = MAX_OF(r.end, tr->ev.ts[e]);
	}
	return r;
}

static bool is_outside(const struct trace *tr, event_id e, const struct range *r)
{
	return candidate(tr, e) && trace_timed(tr, e) &&
	       (trace_end(tr, e) < r->start || tr->ev.ts[e] > r->end);
}

/* GPU work that ended before the recording began, or began after it ended. */
static void check_recorded_window(struct trace *tr)
{
	struct range r = recorded_window(tr);
	uint32_t nout = 0;

	if (r.start > r.end || r.start == INT64_MAX)
		return;
	for (uint32_t i = 0; i < tr->ngpu; i++)
		nout += is_outside(tr, tr->gpu[i], &r);
	for (uint32_t i = 0; nout && nout <= tr->ngpu / 2 && i < tr->ngpu; i++)
		if (is_outside(tr, tr->gpu[i], &r))
			invalidate(tr, tr->gpu[i], COUNT_OUTSIDE_WINDOW);
}

/* ---- Ends ---- */

static void close_open_ends(struct trace *tr, nsec last)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if ((tr->ev.flags[e] & EVENT_UNCLOSED) && trace_slice(tr, e) &&
		    tr->ev.ts[e] != NSEC_NONE)
			tr->ev.dur[e] = tr->ev.flags[e] & EVENT_INVALID_TIME
						? 0
						: MAX_OF(0, last - tr->ev.ts[e]);
}

void model_times(struct trace *tr, struct survey *s)
{
	uint64_t invalid = tr->counters.n[COUNT_INVALID_TIME];

	*s = survey_all(tr, true);
	check_starts(tr, s);
	if (tr->counters.n[COUNT_INVALID_TIME] != invalid)
		*s = survey_all(tr, false);
	check_gpu_starts(tr, s->host);
	check_recorded_window(tr);
}

/* The first look holds unless a time was repaired or dropped since. */
static bool still_holds(const struct trace *tr, const struct survey *s)
{
	return !s->open && !tr->nclipped && !tr->counters.n[COUNT_INVALID_TIME] &&
	       !tr->counters.n[COUNT_OUTSIDE_WINDOW];
}

void model_window(struct trace *tr, struct survey *s)
{
	if (!still_holds(tr, s)) {
		struct survey closed = survey_all(tr, false);
		close_open_ends(tr, closed.last == INT64_MIN ? 0 : closed.last);
		*s = survey_all(tr, false);
	}
	const struct range *work = s->work.start <= s->work.end ? &s->work : &s->all;
	tr->last = s->last == INT64_MIN ? 0 : s->last;
	tr->base = s->all.start <= s->all.end ? s->all.start : 0;
	tr->start = work->start <= work->end ? work->start : tr->base;
	tr->end = work->start <= work->end ? work->end : tr->base;
}
