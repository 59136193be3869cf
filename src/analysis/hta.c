#include "analysis/critpath.h"
#include "analysis/hta.h"
#include "base/error.h"
#include "base/say.h"

#include <string.h>

enum bound {
	BOUND_CPU,
	BOUND_COMPUTE,
	BOUND_COMM,
	BOUND_GAPS,
	BOUND_LAUNCH,
	BOUND_LOADING,
	BOUNDS
};

static const char *const bound_names[BOUNDS] = { "cpu_bound",
						 "gpu_compute_bound",
						 "gpu_communication_bound",
						 "gpu_kernel_kernel_overhead",
						 "gpu_kernel_launch_overhead",
						 "data_loading" };

static const char *const type_names[HTA_TYPES] = {
	[HTA_SPAN] = "OPERATOR_KERNEL",
	[HTA_DEPENDENCY] = "DEPENDENCY",
	[HTA_LAUNCH_DELAY] = "KERNEL_LAUNCH_DELAY",
	[HTA_KERNEL_DELAY] = "KERNEL_KERNEL_DELAY",
	[HTA_SYNC] = "SYNC_DEPENDENCY",
};

/* BOUNDS: nothing, an edge without weight. */
static enum bound bound_of(const struct hta *h, const struct hta_edge *e)
{
	if (e->type == HTA_KERNEL_DELAY)
		return BOUND_GAPS;
	if (e->type == HTA_LAUNCH_DELAY)
		return BOUND_LAUNCH;
	if (e->type != HTA_SPAN || e->owner < 0)
		return BOUNDS;
	uint32_t row = h->row_of[e->owner];
	struct str name = hta_name(h, row);
	if (h->row[row].stream < 0)
		return str_contains(name, STR("DataLoader")) ? BOUND_LOADING : BOUND_CPU;
	return hta_is_collective(name) ? BOUND_COMM : BOUND_COMPUTE;
}

/* "iteration:1" is the second ProfilerStep; "NAME:1" the second that holds NAME. */
static bool split_window(const char *window, struct arena *a, const char **annotation,
			 int64_t *instance)
{
	const char *colon = window ? strrchr(window, ':') : NULL;

	*annotation = window ? window : "";
	*instance = 0;
	if (!window || strstr(window, ".."))
		return !window;
	if (colon && str_i64(str_of(colon + 1), instance))
		*annotation = arena_text(a, window, (size_t)(colon - window));
	if (!strcmp(*annotation, "iteration"))
		*annotation = "ProfilerStep";
	else if (!strcmp(*annotation, "step")) {
		*annotation = arena_print(a, "ProfilerStep#%lld", (long long)*instance);
		*instance = 0;
	}
	return true;
}

static usec path_length(const struct hta *h)
{
	usec sum = 0;

	for (uint32_t i = 0; i < h->npath; i++)
		sum += h->edge[h->path[i]].weight;
	return sum;
}

static void table_bounds(struct critpath *c, const struct hta *h)
{
	const char **name = NEW(c->arena, BOUNDS, const char *);
	int64_t *time = NEW(c->arena, BOUNDS, int64_t), sum[BOUNDS + 1] = { 0 };
	double *percent = NEW(c->arena, BOUNDS, double);
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->npath; i++)
		sum[bound_of(h, &h->edge[h->path[i]])] += 1000 * h->edge[h->path[i]].weight;
	for (int b = 0; b < BOUNDS; b++) {
		if (!sum[b])
			continue;
		name[n] = bound_names[b];
		time[n] = sum[b];
		percent[n++] = 100.0 * (double)sum[b] / (1000.0 * (double)path_length(h));
	}
	struct lp_table *t = answer_table(c->answer, "path_summary", n);
	t->total = "path";
	table_str(t, "class", "bound by", 0, name, "as HTA calls it");
	table_i64(t, "time_ns", "", LP_NSEC, LP_SUM, time, "weights on the path");
	table_f64(t, "percent", "%", LP_PERCENT, LP_SUM | LP_BAR, percent, "of the path");
}

static void table_edges(struct critpath *c, const struct hta *h)
{
	int64_t *count = NEW(c->arena, HTA_TYPES, int64_t),
		*sum = NEW(c->arena, HTA_TYPES, int64_t);
	int64_t *on = NEW(c->arena, HTA_TYPES, int64_t),
		*on_sum = NEW(c->arena, HTA_TYPES, int64_t);

	for (uint32_t i = 0; i < h->nedges; i++) {
		count[h->edge[i].type]++;
		sum[h->edge[i].type] += 1000 * h->edge[i].weight;
	}
	for (uint32_t i = 0; i < h->npath; i++) {
		on[h->edge[h->path[i]].type]++;
		on_sum[h->edge[h->path[i]].type] += 1000 * h->edge[h->path[i]].weight;
	}
	struct lp_table *t = answer_table(c->answer, "hta_edges", HTA_TYPES);
	table_str(t, "type", "type", 0, type_names, "of edges");
	table_i64(t, "edges", "edges", LP_COUNT, LP_SUM, count, "in the graph");
	table_i64(t, "weight_ns", "weight", LP_NSEC, LP_SUM, sum, "of all of them");
	table_i64(t, "path_edges", "on path", LP_COUNT, LP_SUM, on, "on the path");
	table_i64(t, "path_weight_ns", "weight", LP_NSEC, LP_SUM | LP_SAME, on_sum, "of those");
}

static void table_window(struct critpath *c, const struct hta *h)
{
	int64_t *v = NEW(c->arena, 6, int64_t);
	const char **text = NEW(c->arena, 2, const char *);
	struct lp_table *t = answer_table(c->answer, "window", 1);

	for (uint32_t i = 0; i < h->nedges; i++)
		v[5] += h->edge[i].weight <= -1;
	v[0] = 1000 * h->start;
	v[1] = 1000 * h->finish;
	v[2] = 1000 * path_length(h);
	v[3] = h->nlinked;
	v[4] = h->nedges;
	text[0] = c->window_name ? c->window_name : "whole trace";
	text[1] = "hta";
	t->detail = true;
	table_str(t, "window", "window", 0, &text[0], "as asked");
	table_i64(t, "start_ns", "start", LP_NSEC, 0, &v[0], "since its first event");
	table_i64(t, "end_ns", "end", LP_NSEC, 0, &v[1], "since its first event");
	table_i64(t, "path_ns", "path", LP_NSEC, 0, &v[2], "what the path adds up to");
	table_i64(t, "nodes", "nodes", LP_COUNT, 0, &v[3], "that have an edge");
	table_i64(t, "edges", "edges", LP_COUNT, 0, &v[4], "of the graph");
	table_i64(t, "negative_edges", "negative", LP_COUNT, 0, &v[5],
		  "their weight counts as 0 for the path, as it is in sums");
	table_str(t, "model", "model", 0, &text[1], "walk, hta or longest");
}

static void table_path(struct critpath *c, const struct hta *h)
{
	uint32_t n = h->npath;
	int64_t *start = NEW(c->arena, n, int64_t), *dur = NEW(c->arena, n, int64_t);
	const char **class = NEW(c->arena, n, const char *),
		   **lane = NEW(c->arena, n, const char *);
	const char **name = NEW(c->arena, n, const char *), **why = NEW(c->arena, n, const char *);

	for (uint32_t i = 0; i < n; i++) {
		const struct hta_edge *e = &h->edge[h->path[i]];
		uint32_t row = e->owner >= 0 ? h->row_of[e->owner] : h->node[e->to].row;
		enum bound b = bound_of(h, e);
		start[i] = 1000 * h->node[e->from].ts;
		dur[i] = 1000 * e->weight;
		class[i] = b == BOUNDS ? NULL : bound_names[b];
		lane[i] = critpath_lane_name(c->arena, h->tr, h->tr->ev.lane[h->row[row].event]);
		name[i] = critpath_name(c, h->row[row].event);
		why[i] = type_names[e->type];
	}
	struct lp_table *t = answer_table(c->answer, "path", n);
	t->whole = t->detail = true;
	t->total = "path";
	table_i64(t, "start_ns", "start", LP_NSEC, 0, start, "of the edge, since the first event");
	table_i64(t, "dur_ns", "weight", LP_NSEC, LP_SUM | LP_BARE, dur, "weight of the edge");
	table_str(t, "class", "bound by", 0, class, "as HTA calls it");
	table_str(t, "lane", "lane", LP_LESSER, lane, "of the event");
	table_str(t, "name", "name", LP_NAME, name, "the event it is attributed to");
	table_str(t, "why", "type", LP_LESSER, why, "of the edge");
}

bool critpath_hta(struct critpath *c, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct hta h = { .tr = c->tr, .arena = &scratch };
	const char *annotation;
	int64_t instance;
	bool fine = split_window(c->window_name, &scratch, &annotation, &instance) ||
		    error_set(err, "window '%s': HTA's model knows annotations only",
			      c->window_name);

	fine = fine && hta_rows(&h, annotation, instance, err);
	if (fine) {
		hta_nodes(&h);
		hta_lock(&h);
		hta_stacks(&h);
		hta_kernels(&h);
		hta_longest(&h);
		table_bounds(c, &h);
		table_edges(c, &h);
		table_window(c, &h);
		table_path(c, &h);
		answer_headline(c->answer,
				"HTA's longest path weighs %s; its window of %s is longer.",
				say_time(c->arena, 1000 * path_length(&h)),
				say_time(c->arena, 1000 * (h.finish - h.start)));
		answer_doubt(c->answer, "HTA's model, faults included: time between operators "
					"and after the last one weighs nothing");
	}
	arena_free(&scratch);
	return fine;
}
