#include "analysis/split_window.h"

#include "analysis/split_table.h"

static bool by_iteration(struct trace *tr, int64_t n, struct window *out, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct split_result r = split_run(tr, (struct split_options){ NULL }, &scratch);
	bool found = n >= 0 && n < r.slices.n;

	if (found)
		*out = (struct window){ .start = r.slices.at[n].start,
					.end = r.slices.at[n].end,
					.by_times = r.roots.on_gpu };
	else
		error_set(err, "%s: there is no iteration %lld: %u were found (longpole steps)",
			  tr->source.path, (long long)n, r.slices.n);
	arena_free(&scratch);
	return found;
}

bool split_window(struct trace *tr, const char *text, struct window *out, struct lp_error *err)
{
	struct str s = str_of(text ? text : ""), prefix = STR("iteration:");
	int64_t n;

	if (str_starts(s, prefix) && str_i64((struct str){ s.p + prefix.n, s.n - prefix.n }, &n))
		return by_iteration(tr, n, out, err);
	return trace_window(tr, text, out, err);
}
