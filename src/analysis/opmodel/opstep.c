#include "analysis/opmodel/opstep.h"

#include "algo/sort.h"

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->ev.ts[a] < tr->ev.ts[b];
}

struct opsteps opsteps_list(struct arena *a, const struct trace *tr)
{
	uint32_t cap = tr->nkind[KIND_ANNOTATION] + tr->nkind[KIND_GPU_ANNOTATION];
	struct opsteps s = { 0, NEW(a, cap, event_id), NEW(a, cap, nsec) };

	for (event_id e = 0; e < tr->ev.n && s.n < cap; e++)
		if ((tr->ev.kind[e] == KIND_ANNOTATION || tr->ev.kind[e] == KIND_GPU_ANNOTATION) &&
		    trace_slice(tr, e) && trace_timed(tr, e))
			s.at[s.n++] = e;
	sort_ids(s.at, s.n, NEW(a, cap, uint32_t), starts_before, tr);
	for (uint32_t i = 0; i < s.n; i++) {
		nsec end = trace_end(tr, s.at[i]);
		s.latest[i] = i ? MAX_OF(s.latest[i - 1], end) : end;
	}
	return s;
}

event_id opsteps_around(const struct opsteps *s, const struct trace *tr, event_id e)
{
	uint32_t lo = 0, hi = s->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (s->latest[mid] > trace_end(tr, e))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo < s->n && tr->ev.ts[s->at[lo]] <= tr->ev.ts[e] ? s->at[lo] : NONE;
}
