/* One test per GPU event, on its launch or on itself. */
#include "analysis/gpu_window.h"

#include "analysis/split_window.h"

static bool starts_in(const struct trace *tr, event_id e, const struct window *w)
{
	return trace_timed(tr, e) && tr->ev.ts[e] >= w->start && tr->ev.ts[e] < w->end;
}

/* An event without length is in where it lies. */
static bool runs_in(const struct trace *tr, event_id e, const struct window *w)
{
	return trace_timed(tr, e) && tr->ev.ts[e] < w->end &&
	       (trace_end(tr, e) > w->start || tr->ev.ts[e] == w->start);
}

bool gpu_window(struct arena *a, struct trace *tr, const struct links *l, lp_window text,
		struct gpu_window *out, struct lp_error *err)
{
	struct window w;

	if (!split_window(tr, text, &w, err))
		return false;
	*out = (struct gpu_window){ .n = l->n, .from = INT64_MIN, .to = INT64_MAX };
	if (w.whole)
		return true;
	bool *in = NEW(a, l->n, bool);

	out->n = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		event_id by = l->nlinked ? l->launch[i] : l->gpu[i];
		in[i] = w.by_times ? runs_in(tr, l->gpu[i], &w)
				   : by != NONE && starts_in(tr, by, &w);
		out->n += in[i];
	}
	if (w.by_times) {
		out->from = w.start;
		out->to = w.end;
	}
	out->in = in;
	out->launched = !w.by_times && l->nlinked;
	return true;
}
