#include "trace/write_slices.h"

#include "base/gzset.h"
#include "trace/raw.h"

#include <inttypes.h>
#include <stdio.h>

#define BUDGET ((size_t)64 << 20) /* bytes of buffers for all slices */

struct writer {
	const struct trace *tr;
	const struct slice_plan *plan;
	struct gzset *out;
	uint32_t *file; /* slice -> file; NONE: not written */
	bool *begun;    /* an event stands in the slice */
	struct slices_written done;
};

static void put(struct writer *w, uint32_t slice, struct str s)
{
	gzset_write(w->out, w->file[slice], s.p, s.n);
}

/* The root keys of the input, in its order, then the list. */
static void put_head(struct writer *w, uint32_t slice)
{
	const struct trace *tr = w->tr;

	put(w, slice, STR("{\n"));
	for (uint32_t i = 0; i < tr->nmeta; i++) {
		put(w, slice, STR("  \""));
		put(w, slice, tr->meta[i].key);
		put(w, slice, STR("\": "));
		put(w, slice, tr->meta[i].json);
		put(w, slice, STR(",\n"));
	}
	put(w, slice, STR("  \"traceEvents\": ["));
}

static bool wanted(const struct writer *w, uint32_t slice)
{
	return slice < w->plan->n && w->file[slice] != NONE;
}

static void put_event(struct writer *w, uint32_t slice, struct str text)
{
	put(w, slice, w->begun[slice] ? STR(",\n") : STR("\n"));
	put(w, slice, text);
	w->begun[slice] = true;
}

/* Microseconds, exact: as many decimals as there are nanoseconds. */
static size_t print_us(char *out, size_t cap, nsec t)
{
	uint64_t ns = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;

	return (size_t)snprintf(out, cap, "%s%" PRIu64 ".%03" PRIu64, t < 0 ? "-" : "", ns / 1000,
				ns % 1000);
}

/* The event with another ts and dur; what it had is kept beside its other fields. */
static void put_clipped(struct writer *w, uint32_t slice, struct str text, nsec start, nsec end)
{
	struct str ts, dur, first, second;
	char a[40], b[40];

	if (!raw_field(text, "ts", &ts) || !raw_field(text, "dur", &dur)) {
		put_event(w, slice, text);
		return;
	}
	bool ts_first = ts.p < dur.p;
	struct str new_ts = { a, print_us(a, sizeof(a), start) };
	struct str new_dur = { b, print_us(b, sizeof(b), end - start) };

	first = ts_first ? ts : dur;
	second = ts_first ? dur : ts;
	put_event(w, slice, (struct str){ text.p, (size_t)(first.p - text.p) });
	put(w, slice, ts_first ? new_ts : new_dur);
	put(w, slice, (struct str){ first.p + first.n, (size_t)(second.p - first.p) - first.n });
	put(w, slice, ts_first ? new_dur : new_ts);
	const char *rest = second.p + second.n, *close = text.p + text.n - 1;
	put(w, slice, (struct str){ rest, (size_t)(close - rest) });
	put(w, slice, STR(", \"longpole_clipped\": {\"ts\": "));
	put(w, slice, ts);
	put(w, slice, STR(", \"dur\": "));
	put(w, slice, dur);
	put(w, slice, STR("}}"));
}

/* A frame encloses work; it can be cut where a call or a kernel cannot. */
static bool is_frame(const struct trace *tr, struct raw_event e)
{
	enum kind k = tr->ev.kind[e.id];
	struct str ph;

	return (k == KIND_CPU_OP || k == KIND_PYTHON || k == KIND_ANNOTATION || k == KIND_OTHER) &&
	       trace_timed(tr, e.id) && raw_field(e.text, "ph", &ph) && str_eq(ph, STR("\"X\""));
}

/* First place in the order whose slice starts after t. */
static uint32_t first_after(const struct slice_plan *plan, nsec t)
{
	uint32_t lo = 0, hi = plan->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (plan->start[plan->order[mid]] <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void put_frame(struct writer *w, uint32_t own, struct raw_event e)
{
	const struct slice_plan *plan = w->plan;
	nsec start = w->tr->ev.ts[e.id], end = trace_end(w->tr, e.id);
	lane_id lane = w->tr->ev.lane[e.id];

	if (wanted(w, own)) {
		put_clipped(w, own, e.text, start, plan->end[own]);
		w->done.clipped++;
	}
	for (uint32_t k = first_after(plan, start); k < plan->n; k++) {
		uint32_t slice = plan->order[k];
		nsec from = plan->start[slice], to = MIN_OF(end, plan->end[slice]);

		if (from >= end)
			break;
		if (slice == own || !wanted(w, slice) || from >= to ||
		    plan->find(plan->ctx, lane, from) != slice)
			continue;
		put_clipped(w, slice, e.text, from, to);
		w->done.copies++;
	}
}

static void put_one(struct writer *w, struct raw_event e)
{
	uint32_t slice = w->plan->of[e.id];

	if (slice == SLICE_ALL) {
		for (uint32_t i = 0; i < w->plan->n; i++)
			if (wanted(w, i))
				put_event(w, i, e.text);
	} else if ((!wanted(w, slice) || trace_end(w->tr, e.id) > w->plan->end[slice]) &&
		   is_frame(w->tr, e)) {
		put_frame(w, slice, e);
	} else if (wanted(w, slice)) {
		put_event(w, slice, e.text);
	}
	w->done.events++;
}

/* Only slices with a path become files. */
static struct gzset *open_files(struct writer *w, struct arena *a)
{
	const struct slice_plan *plan = w->plan;
	const char **path = NEW(a, plan->n, const char *);
	uint32_t n = 0;

	w->file = NEW(a, plan->n, uint32_t);
	w->begun = NEW(a, plan->n, bool);
	for (uint32_t i = 0; i < plan->n; i++) {
		w->file[i] = plan->path[i] ? n : NONE;
		if (plan->path[i])
			path[n++] = plan->path[i];
	}
	return gzset_open(path, n, BUDGET, plan->threads);
}

bool write_slices(const struct trace *tr, const struct slice_plan *plan,
		  struct slices_written *done, struct lp_error *err)
{
	struct writer w = { .tr = tr, .plan = plan };
	struct raw *raw = raw_open(tr, err);
	struct arena scratch = { 0 };
	struct raw_event e;

	if (!raw)
		return false;
	w.out = open_files(&w, &scratch);
	for (uint32_t i = 0; i < plan->n; i++)
		if (wanted(&w, i))
			put_head(&w, i);
	while (raw_next(raw, &e))
		if (plan->of[e.id] != SLICE_NONE)
			put_one(&w, e);
	for (uint32_t i = 0; i < plan->n; i++)
		if (wanted(&w, i))
			put(&w, i, STR("\n  ]\n}\n"));
	bool whole = !raw_short(raw);
	bool ok = gzset_close(w.out, whole, err);
	if (ok && !whole)
		ok = error_set(err, "%s: changed while it was read: events are missing",
			       tr->source.path);
	raw_close(raw);
	arena_free(&scratch);
	*done = w.done;
	return ok;
}
