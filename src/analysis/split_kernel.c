/*
 * Step 4: nothing on the host repeats (or there is no host), but the stream plays the
 * same kernels again and again. The busiest stream gives the sequence; its repeating
 * pattern gives the iterations. Where each of them is launched after the one before,
 * they are stretches of host time like all others; else stretches of GPU time.
 */
#include "algo/period.h"
#include "analysis/split.h"

/* Rows [from, to) of the links that are the stream with the most GPU time. */
static void busiest_stream(const struct split_work *w, uint32_t *from, uint32_t *to)
{
	const struct trace *tr = w->tr;
	nsec most = -1;

	*from = *to = 0;
	for (uint32_t i = 0, end; i < w->n; i = end) {
		nsec sum = 0;

		for (end = i;
		     end < w->n && tr->ev.lane[w->links->gpu[end]] == tr->ev.lane[w->links->gpu[i]];
		     end++)
			sum += w->dur[end];
		if (sum > most) {
			most = sum;
			*from = i;
			*to = end;
		}
	}
}

static bool timed(const struct split_work *w, uint32_t i)
{
	return trace_timed(w->tr, w->links->gpu[i]);
}

/* Host time from the launch of the first to the end of the launch of the last; false if out of
 * order. */
static bool on_host(const struct split_work *w, const uint32_t *row, const uint32_t *begin,
		    const uint32_t *end, struct root_set *r)
{
	const struct trace *tr = w->tr;
	nsec last = INT64_MIN;

	for (uint32_t i = 0; i < r->n; i++) {
		event_id first = w->links->launch[row[begin[i]]];
		event_id final = w->links->launch[row[end[i] - 1]];

		if (first == NONE || final == NONE || tr->ev.ts[first] <= last ||
		    tr->ev.lane[first] != tr->ev.lane[w->links->launch[row[begin[0]]]])
			return false;
		last = tr->ev.ts[final];
		r->root[i].start = tr->ev.ts[first];
		r->root[i].end = trace_end(tr, final);
		r->root[i].lane = tr->ev.lane[first];
		r->root[i].event = first;
	}
	return true;
}

static void on_gpu(const struct split_work *w, const uint32_t *row, const uint32_t *begin,
		   const uint32_t *end, struct root_set *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		r->root[i].start = w->start[row[begin[i]]];
		r->root[i].end = trace_end(w->tr, w->links->gpu[row[end[i] - 1]]);
		r->root[i].lane = NONE;
		r->root[i].event = w->links->gpu[row[begin[i]]];
	}
	r->on_gpu = true;
}

/* GPU time inside the tiles: by launch, or by start where roots are stretches of GPU time. */
static void measure(const struct split_work *w, struct root_set *r, struct arena *a)
{
	struct tiles tiles = split_tiles(w->tr, r, a);
	nsec inside = 0;

	for (uint32_t i = 0; i < w->n; i++) {
		bool launched = w->launch[i] != NSEC_NONE && !r->on_gpu;
		nsec at = launched ? w->launch[i] : w->start[i];
		lane_id lane = launched ? w->tr->ev.lane[w->links->launch[i]] : NONE;
		uint32_t process = launched ? w->process[i] : r->on_gpu ? 0 : NONE;

		if (timed(w, i) && tiles_find(&tiles, process, lane, at) != NONE)
			inside += w->dur[i];
	}
	r->audited_ns = w->total;
	r->coverage_selected = (double)inside / (double)w->total;
	r->status = split_grade(r->coverage_selected, 1, r->n >= SPLIT_MIN_ROOTS);
}

bool split_by_kernels(const struct split_work *w, struct arena *a, struct root_set *out)
{
	uint32_t from, to, n = 0;

	*out = root_set_none(NULL);
	busiest_stream(w, &from, &to);
	uint32_t *row = NEW(a, (size_t)(to - from) + 1, uint32_t);
	uint32_t *name = NEW(a, (size_t)(to - from) + 1, uint32_t);
	uint32_t *begin = NEW(a, (size_t)(to - from) + 1, uint32_t);
	uint32_t *end = NEW(a, (size_t)(to - from) + 1, uint32_t);
	bool *light = NEW(a, (size_t)(to - from) + 1, bool);
	struct map dense = map_new(a, to - from);
	uint32_t nnames = 0;

	for (uint32_t i = from; i < to; i++) {
		if (!timed(w, i))
			continue;
		uint32_t *id = map_at(&dense, w->tr->ev.name[w->links->gpu[i]]);
		if (*id == NONE)
			*id = nnames++;
		row[n] = i;
		name[n++] = *id;
	}
	struct period p = period_find(name, n, nnames, a);
	if (p.length < 2) /* one kernel over and over is no iteration */
		return false;
	out->n = period_blocks(name, light, n, p, begin, end);
	if (out->n < 3) {
		out->n = 0;
		return false;
	}
	out->method = "generic:kernel_period";
	out->period = p.length;
	out->root = NEW(a, out->n, struct root);
	for (uint32_t i = 0; i < out->n; i++) {
		out->root[i].name = trace_name(w->tr, w->links->gpu[row[begin[i]]]);
		out->root[i].step = marker_read(STR(""), NULL);
	}
	if (!on_host(w, row, begin, end, out))
		on_gpu(w, row, begin, end, out);
	measure(w, out, a);
	return true;
}
