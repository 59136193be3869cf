/*
 * The audit asks how much of the GPU time the iterations explain. Its base is the work
 * launched in the trace within the bounds of the spans' own work; the rest is set apart.
 *
 *	bounds            |---------------------------|
 *	GPU work      x   a  a  b  a  a  b   c  a  a      y     x, y: set apart
 *	root spans        [====]   [====]       [====]          a: in the spans
 *	tiles             [-------][-----------][------]        b: launched in the tiles
 *
 * Where every root has spans on the GPU of its own, these bound and count too.
 */
#include "analysis/split_note.h"

static bool in_spans(struct spans s, nsec at)
{
	size_t lo = 0, hi = s.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s.at[mid].start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && at < s.at[lo - 1].end;
}

struct audit_base {
	nsec from, to; /* bounds of the spans' own GPU work */
};

static struct spans gpu_spans_of(const struct notes *notes, const uint32_t *row, uint32_t n,
				 struct arena *a)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < n; i++)
		total += notes->gpu_to[row[i]] - notes->gpu_from[row[i]];
	struct span *all = NEW(a, (size_t)total + 1, struct span);
	total = 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = notes->gpu_from[row[i]]; k < notes->gpu_to[row[i]]; k++)
			all[total++] = notes->gpu_span[k];
	return spans_union(a, all, total);
}

static bool all_projected(const struct notes *notes, const uint32_t *row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (notes->gpu_from[row[i]] == notes->gpu_to[row[i]])
			return false;
	return n > 0;
}

static uint32_t process_of(const struct trace *tr, event_id e)
{
	return tr->lanes.at[tr->ev.lane[e]].process;
}

/* Per process: the spans of the notes in row[0 .. n), or of the first n of all. */
static struct spans *host_spans_of(const struct trace *tr, const struct notes *notes,
				   const uint32_t *row, uint32_t n, struct arena *a)
{
	uint32_t np = tr->lanes.nprocesses;
	struct spans *of = NEW(a, (size_t)np + 1, struct spans);
	uint32_t *first = NEW(a, (size_t)np + 2, uint32_t);
	struct span *all = NEW(a, (size_t)n + 1, struct span);

	for (uint32_t i = 0; i < n; i++)
		first[process_of(tr, notes->event[row ? row[i] : i]) + 1]++;
	for (uint32_t p = 0; p < np; p++)
		first[p + 1] += first[p];
	for (uint32_t i = 0; i < n; i++) {
		event_id e = notes->event[row ? row[i] : i];
		uint32_t p = process_of(tr, e);

		all[first[p] + of[p].n++] = (struct span){ tr->ev.ts[e], trace_end(tr, e) };
	}
	for (uint32_t p = 0; p < np; p++)
		of[p] = spans_union(a, all + first[p], of[p].n);
	return of;
}

static bool launched_in(const struct split_work *w, uint32_t i, const struct spans *host)
{
	return w->launch[i] != NSEC_NONE && in_spans(host[w->process[i]], w->launch[i]);
}

/* The stretch of GPU time that the work of the spans takes, from first start to last start. */
static struct audit_base base_of(const struct split_work *w, const struct spans *host,
				 struct spans gpu)
{
	struct audit_base b = { INT64_MAX, INT64_MIN };

	if (gpu.n)
		return (struct audit_base){ gpu.at[0].start, gpu.at[gpu.n - 1].end };
	for (uint32_t i = 0; i < w->n; i++)
		if (launched_in(w, i, host)) {
			b.from = MIN_OF(b.from, w->start[i]);
			b.to = MAX_OF(b.to, w->start[i]);
		}
	return b;
}

static double ratio(nsec part, nsec whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

void split_audit(const struct split_work *w, const struct notes *notes, const uint32_t *row,
		 struct root_set *r, struct arena *a)
{
	bool projected = all_projected(notes, row, r->n);
	struct spans gpu = { 0 };
	struct spans *host = host_spans_of(w->tr, notes, row, r->n, a);
	struct spans *any = host_spans_of(w->tr, notes, NULL, notes->n, a);
	struct tiles tiles = split_tiles(w->tr, r, a);
	nsec base = 0, spans = 0, selected = 0, by_any = 0;

	if (projected)
		gpu = gpu_spans_of(notes, row, r->n, a);
	struct audit_base b = base_of(w, host, gpu);
	for (uint32_t i = 0; i < w->n; i++) {
		if (w->launch[i] == NSEC_NONE || w->start[i] < b.from || w->start[i] > b.to) {
			r->apart_ns += w->dur[i];
			continue;
		}
		bool span = in_spans(gpu, w->start[i]) || launched_in(w, i, host);
		bool tile = tiles_find(&tiles, w->process[i], w->tr->ev.lane[w->links->launch[i]],
				       w->launch[i]) != NONE;
		base += w->dur[i];
		spans += span ? w->dur[i] : 0;
		selected += span || tile ? w->dur[i] : 0;
		by_any += span || launched_in(w, i, any) ? w->dur[i] : 0;
	}
	r->strategy = projected ? "projection" : "correlation";
	r->audited_ns = base;
	r->coverage_any = ratio(by_any, base);
	r->coverage_selected = ratio(selected, base);
	r->coverage_spans = ratio(spans, base);
	r->span_share = r->coverage_selected > 0 ? r->coverage_spans / r->coverage_selected : 0;
}
