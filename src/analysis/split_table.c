#include "analysis/split_table.h"

#include "analysis/split_steady.h"

#include <math.h>

struct split_result split_run(struct trace *tr, struct split_options o, struct arena *a)
{
	struct split_result r = { .work = split_work_of(tr, a) };

	r.roots = split_detect(tr, o, a);
	if (r.roots.n) {
		r.slices = split_slices(&r.work, &r.roots, a);
		r.patterns = split_patterns(&r.slices, a);
	}
	return r;
}

const char *split_phase_text(const struct root *root)
{
	return root->phase_read ? step_phase_name(step_phase_of(&root->step)) : "-";
}

const char *split_status_text(enum split_status s)
{
	static const char *const text[] = { "splittable", "not splittable", "degraded" };

	return text[s];
}

/* Rows: the iterations, then prologue and epilogue where they hold anything. */
struct rows {
	const struct split_result *r;
	struct arena *a;
	uint32_t n;
	uint32_t *slice;
};

static struct rows rows_of(const struct split_result *r, struct arena *a)
{
	struct rows rows = { r, a, 0, NEW(a, (size_t)r->slices.n + 2, uint32_t) };

	for (uint32_t i = 0; r->slices.n && i < r->slices.n + 2; i++)
		if (i < r->slices.n || r->slices.at[i].gpu_events || r->slices.at[i].host_events)
			rows.slice[rows.n++] = i;
	return rows;
}

static const char *slice_name(const struct rows *x, uint32_t i)
{
	const struct split_result *r = x->r;

	if (i >= r->slices.n)
		return i == r->slices.n ? "prologue" : "epilogue";
	return arena_text(x->a, r->roots.root[i].name.p, r->roots.root[i].name.n);
}

typedef int64_t slice_figure(const struct split_result *r, uint32_t slice);

static int64_t fig_start(const struct split_result *r, uint32_t i)
{
	return r->slices.at[i].start - r->work.tr->base;
}

static int64_t fig_dur(const struct split_result *r, uint32_t i)
{
	return MAX_OF(r->slices.at[i].end - r->slices.at[i].start, 0);
}

static int64_t fig_host(const struct split_result *r, uint32_t i)
{
	return r->slices.at[i].host_events;
}

static int64_t fig_gpu(const struct split_result *r, uint32_t i)
{
	return r->slices.at[i].gpu_events;
}

static int64_t fig_unlinked(const struct split_result *r, uint32_t i)
{
	return r->slices.at[i].unlinked;
}

static int64_t fig_sum(const struct split_result *r, uint32_t i)
{
	return r->slices.at[i].gpu_sum;
}

static int64_t fig_busy(const struct split_result *r, uint32_t i)
{
	return r->slices.at[i].gpu_busy;
}

static int64_t fig_span(const struct split_result *r, uint32_t i)
{
	const struct slice *s = &r->slices.at[i];

	return s->gpu_first == NSEC_NONE ? LP_NULL : s->gpu_last - s->gpu_first;
}

static const struct step_info *step_of(const struct split_result *r, uint32_t i)
{
	return i < r->slices.n && r->roots.root[i].phase_read ? &r->roots.root[i].step : NULL;
}

static int64_t fig_context(const struct split_result *r, uint32_t i)
{
	const struct step_info *s = step_of(r, i);

	return s ? s->context_requests : LP_NULL;
}

static int64_t fig_generation(const struct split_result *r, uint32_t i)
{
	const struct step_info *s = step_of(r, i);

	return s ? s->generation_requests : LP_NULL;
}

static int64_t fig_batch(const struct split_result *r, uint32_t i)
{
	const struct step_info *s = step_of(r, i);

	return s ? s->batch_size : LP_NULL;
}

static int64_t fig_pattern(const struct split_result *r, uint32_t i)
{
	return i < r->slices.n ? r->patterns.of[i] : LP_NULL;
}

static int64_t fig_number(const struct split_result *r, uint32_t i)
{
	return i < r->slices.n ? i : LP_NULL;
}

struct figure {
	const char *name, *title;
	enum lp_unit unit;
	unsigned flags;
	slice_figure *of;
	const char *help;
};

static const int64_t *column(const struct rows *x, slice_figure *of)
{
	int64_t *v = NEW(x->a, (size_t)x->n + 1, int64_t);

	for (uint32_t k = 0; k < x->n; k++)
		v[k] = of(x->r, x->slice[k]);
	return v;
}

static void add_figures(struct lp_table *t, const struct rows *x, const struct figure *f, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_i64(t, f[i].name, f[i].title, f[i].unit, f[i].flags, column(x, f[i].of),
			  f[i].help);
}

void split_table_slices(struct lp_answer *ans, const struct split_result *r)
{
	static const struct figure number[] = {
		{ "slice", "slice", LP_PLAIN, 0, fig_number, "number of the iteration, from 0" },
	};
	static const struct figure rest[] = {
		{ "start_ns", "host", LP_NSEC, 0, fig_start, "start of its stretch of time" },
		{ "dur_ns", "took", LP_NSEC, 0, fig_dur, "length of its stretch of time" },
		{ "host_events", "host events", LP_COUNT, LP_SUM, fig_host,
		  "events but GPU work and metadata" },
		{ "gpu_events", "GPU", LP_COUNT, LP_SUM, fig_gpu, "kernels, copies and sets" },
		{ "unlinked", "no launch", LP_COUNT, LP_SUM | LP_LESSER, fig_unlinked,
		  "GPU events without a launch in the trace, placed by their start" },
		{ "gpu_sum_ns", "sum", LP_NSEC, LP_SUM, fig_sum,
		  "sum of the lengths of its GPU events" },
		{ "gpu_busy_ns", "busy", LP_NSEC, LP_DETAIL, fig_busy, "union of its GPU events" },
		{ "gpu_span_ns", "GPU span", LP_NSEC, LP_DETAIL, fig_span,
		  "from its first GPU start to its last GPU end" },
		{ "context_requests", "context", LP_COUNT, LP_DETAIL, fig_context,
		  "requests in prefill, as its name says" },
		{ "generation_requests", "generation", LP_COUNT, LP_DETAIL, fig_generation,
		  "requests in decode, as its name says" },
		{ "batch_size", "batch", LP_COUNT, LP_DETAIL, fig_batch,
		  "tokens, as its name says" },
		{ "pattern", "pattern", LP_PLAIN, LP_LESSER, fig_pattern,
		  "row of table patterns: iterations with the same kernels" },
	};
	struct arena *a = answer_arena(ans);
	struct rows x = rows_of(r, a);
	struct lp_table *t = answer_table(ans, "slices", x.n);
	const char **name = NEW(a, (size_t)x.n + 1, const char *);
	const char **phase = NEW(a, (size_t)x.n + 1, const char *);

	for (uint32_t k = 0; k < x.n; k++) {
		name[k] = slice_name(&x, x.slice[k]);
		phase[k] = x.slice[k] < r->slices.n && r->roots.root[x.slice[k]].phase_read
				   ? split_phase_text(&r->roots.root[x.slice[k]])
				   : NULL;
	}
	add_figures(t, &x, number, ARRAY_SIZE(number));
	table_str(t, "name", "name", LP_NAME, name, "name of the iteration");
	add_figures(t, &x, rest, ARRAY_SIZE(rest));
	table_str(t, "phase", "phase", LP_DETAIL, phase,
		  "prefill, mixed, decode or idle, if its name says");
}

struct key_values {
	struct arena *a;
	uint32_t n;
	const char *key[40], *value[40];
};

static void add(struct key_values *kv, const char *key, const char *value)
{
	if (!value)
		return;
	kv->key[kv->n] = key;
	kv->value[kv->n++] = value;
}

static void add_share(struct key_values *kv, const char *key, double v)
{
	if (!isnan(v))
		add(kv, key, arena_print(kv->a, "%.4f", v));
}

static void add_count(struct key_values *kv, const char *key, int64_t v)
{
	add(kv, key, arena_print(kv->a, "%lld", (long long)v));
}

void split_table_summary(struct lp_answer *ans, const struct split_result *r)
{
	struct key_values kv = { .a = answer_arena(ans) };
	const struct root_set *s = &r->roots;

	add(&kv, "status", split_status_text(s->status));
	add(&kv, "method", s->method);
	add(&kv, "phase_confidence", s->phase_confidence);
	add_count(&kv, "n_roots", s->n);
	add(&kv, "attribution_strategy", s->strategy);
	add_share(&kv, "coverage_any_annotation", s->coverage_any);
	add_share(&kv, "coverage_selected_roots", s->coverage_selected);
	add_share(&kv, "coverage_root_spans_only", s->coverage_spans);
	add_share(&kv, "root_span_share", s->span_share);
	add_share(&kv, "branch_coverage", s->branch_coverage);
	add(&kv, "branch_source", s->branch_source);
	if (s->period)
		add_count(&kv, "period", s->period);
	if (s->skeleton.p)
		add(&kv, "root_family_skeleton", arena_text(kv.a, s->skeleton.p, s->skeleton.n));
	if (s->n)
		add_count(&kv, "n_overlapping_roots", r->slices.tiles.noverlaps);
	add_count(&kv, "audited_gpu_ns", s->audited_ns);
	add_count(&kv, "set_apart_gpu_ns", s->apart_ns);
	add(&kv, "reason", s->reason);
	struct lp_table *t = answer_table(ans, "split", kv.n);
	const char **key = NEW(kv.a, kv.n, const char *), **value = NEW(kv.a, kv.n, const char *);
	memcpy(key, kv.key, kv.n * sizeof(*key));
	memcpy(value, kv.value, kv.n * sizeof(*value));
	table_str(t, "what", "found", 0, key, "a figure of the manifest");
	table_str(t, "value", "value", LP_NAME, value, "its value");
}

void split_table_patterns(struct lp_answer *ans, const struct split_result *r)
{
	struct arena *a = answer_arena(ans);
	uint32_t n = r->patterns.n;
	struct lp_table *t = answer_table(ans, "patterns", n);
	int64_t *id = NEW(a, (size_t)n + 1, int64_t), *count = NEW(a, (size_t)n + 1, int64_t);
	int64_t *example = NEW(a, (size_t)n + 1, int64_t), *first = NEW(a, (size_t)n + 1, int64_t);
	int64_t *gpu = NEW(a, (size_t)n + 1, int64_t), *sum = NEW(a, (size_t)n + 1, int64_t);
	const char **phase = NEW(a, (size_t)n + 1, const char *);

	for (uint32_t k = 0; k < n; k++) {
		id[k] = k;
		count[k] = r->patterns.count[k];
		example[k] = r->patterns.representative[k];
		first[k] = r->patterns.first[k];
		gpu[k] = r->slices.at[example[k]].gpu_events;
		phase[k] = split_phase_text(&r->roots.root[example[k]]);
	}
	for (uint32_t i = 0; i < r->slices.n; i++)
		sum[r->patterns.of[i]] += r->slices.at[i].gpu_sum;
	table_i64(t, "pattern", "pattern", LP_PLAIN, 0, id, "number, by first appearance");
	table_i64(t, "count", "iterations", LP_COUNT, LP_SUM, count,
		  "iterations with these kernels");
	table_i64(t, "first_slice", "first", LP_PLAIN, 0, first, "the first of them");
	table_i64(t, "representative_slice", "typical", LP_PLAIN, 0, example,
		  "the one of median GPU time");
	table_i64(t, "gpu_events", "GPU events", LP_COUNT, 0, gpu,
		  "kernels, copies and sets of one");
	table_i64(t, "gpu_sum_ns", "GPU", LP_NSEC, LP_SUM, sum, "GPU time of all of them");
	table_str(t, "phase", "phase", 0, phase,
		  "prefill, mixed, decode or idle, if its name says");
}

/* Which iterations are steady, by every method that applies. */
void split_table_steady(struct lp_answer *ans, const struct split_result *r, uint32_t wanted)
{
	struct arena *a = answer_arena(ans);
	uint32_t n = r->slices.n;
	nsec *length = NEW(a, n, nsec);
	int64_t *value = NEW(a, (size_t)3 * n, int64_t);
	struct range range[2];
	static const char *const method[] = { "length", "change_point" };
	static const char *const why[] = {
		"least mean length among windows that vary by less than 15 %",
		"longest run that keeps its length, GPU time and kernel count",
	};

	for (uint32_t i = 0; i < n; i++) {
		length[i] = r->roots.root[i].end - r->roots.root[i].start;
		value[i] = length[i];
		value[n + i] = r->slices.at[i].gpu_busy;
		value[2 * (size_t)n + i] = r->slices.at[i].gpu_events;
	}
	range[0] = steady_by_length(length, n, wanted);
	range[1] = steady_by_change(value, 3, n, a);
	uint32_t rows = range[1].end > range[1].first ? 2 : 1;
	struct lp_table *t = answer_table(ans, "steady", rows);
	int64_t *first = NEW(a, 2, int64_t), *end = NEW(a, 2, int64_t), *mean = NEW(a, 2, int64_t);
	double *variation = NEW(a, 2, double);
	for (uint32_t k = 0; k < rows; k++) {
		nsec sum = 0;

		for (uint32_t i = range[k].first; i < range[k].end; i++)
			sum += length[i];
		first[k] = range[k].first;
		end[k] = range[k].end;
		mean[k] = sum / MAX_OF(end[k] - first[k], 1);
		variation[k] = 100 * steady_variation(length, range[k]);
	}
	table_str(t, "method", "steady by", 0, method, "how the window was chosen");
	table_i64(t, "first_slice", "from", LP_PLAIN, 0, first, "first iteration");
	table_i64(t, "end_slice", "to", LP_PLAIN, 0, end, "one past the last iteration");
	table_i64(t, "mean_ns", "mean", LP_NSEC, 0, mean, "mean length");
	table_f64(t, "variation_percent", "variation", LP_PERCENT, 0, variation,
		  "deviation over mean of the lengths");
	table_str(t, "why", "why", LP_LESSER, why, "what the method looks for");
}
