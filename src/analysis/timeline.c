/*
 * GPU events come grouped by process and device, so each device is a run of the list.
 * A step has the work that was launched in it, on whatever thread and whenever it ran;
 * work without a launch is in no step.
 */
#include "analysis/doubt.h"
#include "analysis/gpu_time.h"
#include "analysis/gpu_window.h"
#include "base/say.h"
#include "base/table.h"
#include "trace/step.h"

#include <inttypes.h>
#include <math.h>

enum what {
	COMPUTATION,
	EXPOSED_COMMUNICATION,
	EXPOSED_COPIES,
	IDLE,
	TOTAL,
	BUSY,
	COMMUNICATION,
	COPIES,
	WHATS
};

/* `label` is what text shows, where some rows are left out when they are zero. */
static const struct {
	const char *name, *label;
	bool zero_shown;
} whats[WHATS] = {
	[COMPUTATION] = { "computation", "computation", true },
	[EXPOSED_COMMUNICATION] = { "exposed_communication", "exposed communication", true },
	[EXPOSED_COPIES] = { "exposed_copies", "exposed copies", true },
	[IDLE] = { "idle", "idle", true },
	[TOTAL] = { "total", "= GPU span", true },
	[BUSY] = { "busy", "of it busy", true },
	[COMMUNICATION] = { "communication_total", "communication in all", false },
	[COPIES] = { "copies_total", "copies in all", false },
};

static nsec time_of(const struct gpu_time *t, enum what w)
{
	const nsec times[WHATS] = {
		[COMPUTATION] = t->computation,
		[EXPOSED_COMMUNICATION] = t->exposed_communication,
		[EXPOSED_COPIES] = t->exposed_copies,
		[IDLE] = t->idle,
		[TOTAL] = t->total,
		[BUSY] = t->busy,
		[COMMUNICATION] = t->communication,
		[COPIES] = t->copies,
	};

	return times[w];
}

struct timeline {
	struct trace *tr;
	const struct links *l;
	struct arena scratch;
	event_id *gpu; /* under analysis: by process, device, stream, start */
	event_id *launch;
	uint32_t n;
	uint32_t ndevices;
	uint32_t *first; /* ndevices + 1: of each device in gpu[] */
	struct gpu_window window;
	struct lp_answer *a;
	struct arena *arena; /* of the answer */
};

static const struct lane *lane_of(const struct timeline *t, event_id e)
{
	return &t->tr->lanes.at[t->tr->ev.lane[e]];
}

static bool same_device(const struct timeline *t, event_id a, event_id b)
{
	return lane_of(t, a)->process == lane_of(t, b)->process &&
	       lane_of(t, a)->device == lane_of(t, b)->device;
}

static void select_work(struct timeline *t, bool linked)
{
	t->gpu = NEW(&t->scratch, t->l->n, event_id);
	t->launch = NEW(&t->scratch, t->l->n, event_id);
	t->first = NEW(&t->scratch, (size_t)t->l->n + 1, uint32_t);
	for (uint32_t i = 0; i < t->l->n; i++) {
		event_id e = t->l->gpu[i];

		if (!gpu_window_has(&t->window, i) || (linked && t->l->launch[i] == NONE))
			continue;
		if (!t->n || !same_device(t, t->gpu[t->n - 1], e))
			t->first[t->ndevices++] = t->n;
		t->launch[t->n] = t->l->launch[i];
		t->gpu[t->n++] = e;
	}
	t->first[t->ndevices] = t->n;
}

/* "0"; "4711:0" where several processes have a device of that number. */
static const char *device_label(const struct timeline *t, uint32_t device)
{
	const struct lane *lane = lane_of(t, t->gpu[t->first[device]]);

	for (uint32_t i = 0; i < t->ndevices; i++) {
		if (i != device && lane_of(t, t->gpu[t->first[i]])->device == lane->device &&
		    lane->pid != NONE)
			return arena_print(t->arena, "%s:%" PRId64,
					   strings_get(&t->tr->strings, lane->pid).p, lane->device);
	}
	return arena_print(t->arena, "%" PRId64, lane->device);
}

/* The rows of one device, from row `at` on. */
struct block {
	const char **device, **what, **label;
	int64_t *time;
	double *percent;
};

static void fill_block(struct block *b, uint32_t at, const char *device, const struct gpu_time *t)
{
	for (enum what w = 0; w < WHATS; w++) {
		uint32_t row = at + w;

		b->device[row] = device;
		b->what[row] = whats[w].name;
		b->time[row] = time_of(t, w);
		b->label[row] = whats[w].zero_shown || b->time[row] ? whats[w].label : "";
		b->percent[row] = t->total ? 100.0 * (double)b->time[row] / (double)t->total : NAN;
	}
}

static void add_timeline(struct timeline *t, const struct gpu_time *all)
{
	uint32_t nblocks = t->ndevices + (t->ndevices > 1), n = nblocks * WHATS;
	struct block b = { NEW(t->arena, n, const char *), NEW(t->arena, n, const char *),
			   NEW(t->arena, n, const char *), NEW(t->arena, n, int64_t),
			   NEW(t->arena, n, double) };
	struct lp_table *table = answer_table(t->a, "timeline", n);

	for (uint32_t i = 0; i < t->ndevices; i++) {
		struct gpu_time g = gpu_time_of(t->tr, t->gpu + t->first[i],
						t->first[i + 1] - t->first[i], t->window.from,
						t->window.to);
		fill_block(&b, i * WHATS, device_label(t, i), &g);
	}
	if (t->ndevices > 1)
		fill_block(&b, t->ndevices * WHATS, "all", all);
	table->whole = true;
	table->labels = b.label;
	table_str(table, "device", "device", LP_GROUP, b.device,
		  "number of the device; all: all devices taken as one");
	table_str(table, "what", "", 0, b.what,
		  "computation + exposed_communication + exposed_copies + idle = total");
	table_i64(table, "time_ns", "", LP_NSEC, 0, b.time, "length of the union of its events");
	table_f64(table, "percent", "", LP_PERCENT, LP_BAR, b.percent, "of total");
}

/* ---- Steps ---- */

static uint32_t step_at(const struct timeline *t, const struct steps *s, nsec time)
{
	uint32_t lo = 0, hi = s->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (t->tr->ev.ts[s->event[mid]] <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && time < trace_end(t->tr, s->event[lo - 1]) ? lo - 1 : NONE;
}

/* GPU events step by step: returns them, and in first[] (s->n + 1) where each step begins. */
static event_id *sort_by_step(struct timeline *t, const struct steps *s, uint32_t *first)
{
	uint32_t *step = NEW(&t->scratch, t->n, uint32_t);
	event_id *sorted = NEW(&t->scratch, t->n, event_id);
	uint32_t *next = NEW(&t->scratch, (size_t)s->n + 1, uint32_t);

	for (uint32_t i = 0; i < t->n; i++) {
		step[i] = t->launch[i] == NONE || !trace_timed(t->tr, t->launch[i])
				  ? NONE
				  : step_at(t, s, t->tr->ev.ts[t->launch[i]]);
		if (step[i] != NONE)
			first[step[i] + 1]++;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		first[i + 1] += first[i];
		next[i] = first[i];
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (step[i] != NONE)
			sorted[next[step[i]]++] = t->gpu[i];
	return sorted;
}

enum step_column {
	STEP_HOST,
	STEP_HOST_TIME,
	STEP_GPU,
	STEP_GPU_TIME,
	STEP_COMPUTATION,
	STEP_COMMUNICATION,
	STEP_COPIES,
	STEP_IDLE,
	STEP_BUSY,
	STEP_EVENTS,
	STEP_COLUMNS
};

static const struct {
	const char *name, *title;
	enum lp_unit unit;
	unsigned flags;
	const char *help;
} step_columns[STEP_COLUMNS] = {
	{ "host_start_ns", "host", LP_NSEC, 0, "start of the step on the host" },
	{ "host_time_ns", "took", LP_NSEC, LP_MEAN | LP_SAME | LP_BARE, "its length on the host" },
	{ "gpu_start_ns", "GPU", LP_NSEC, LP_SAME, "start of the first work launched in it" },
	{ "gpu_time_ns", "took", LP_NSEC, LP_MEAN | LP_SAME | LP_BARE,
	  "from there to the end of the last work launched in it" },
	{ "computation_ns", "compute", LP_NSEC, LP_MEAN | LP_SAME | LP_BARE,
	  "union of its computation" },
	{ "exposed_communication_ns", "comm", LP_NSEC, LP_MEAN | LP_SAME | LP_BARE,
	  "communication outside of its computation" },
	{ "exposed_copies_ns", "copies", LP_NSEC, LP_MEAN | LP_SAME | LP_BARE,
	  "copies outside of both" },
	{ "idle_ns", "idle", LP_NSEC, LP_MEAN | LP_SAME | LP_BARE, "the rest of its GPU time" },
	{ "busy_ns", "busy", LP_NSEC, LP_DETAIL | LP_MEAN, "GPU time less idle" },
	{ "gpu_events", "launches", LP_COUNT, LP_MEAN | LP_LESSER,
	  "kernels, copies and sets launched in it" },
};

static void fill_step(struct timeline *t, int64_t **col, uint32_t row, event_id step,
		      const struct gpu_time *g)
{
	col[STEP_HOST][row] = t->tr->ev.ts[step] - t->tr->base;
	col[STEP_HOST_TIME][row] = t->tr->ev.dur[step];
	col[STEP_GPU][row] = g->timed ? g->start - t->tr->base : LP_NULL;
	col[STEP_GPU_TIME][row] = g->total;
	col[STEP_COMPUTATION][row] = g->computation;
	col[STEP_COMMUNICATION][row] = g->exposed_communication;
	col[STEP_COPIES][row] = g->exposed_copies;
	col[STEP_IDLE][row] = g->idle;
	col[STEP_BUSY][row] = g->busy;
	col[STEP_EVENTS][row] = g->n;
}

static void add_steps(struct timeline *t, const struct steps *s)
{
	const char **name = NEW(t->arena, s->n, const char *);
	int64_t *col[STEP_COLUMNS];
	uint32_t *first = NEW(&t->scratch, (size_t)s->n + 1, uint32_t);
	event_id *gpu = sort_by_step(t, s, first);
	struct lp_table *table = answer_table(t->a, "steps", s->n);

	for (int c = 0; c < STEP_COLUMNS; c++)
		col[c] = NEW(t->arena, s->n, int64_t);
	for (uint32_t i = 0; i < s->n; i++) {
		struct gpu_time g = gpu_time_of(t->tr, gpu + first[i], first[i + 1] - first[i],
						t->window.from, t->window.to);
		name[i] = trace_name(t->tr, s->event[i]).p;
		fill_step(t, col, i, s->event[i], &g);
	}
	table->total = "mean";
	table_str(table, "step", "step", LP_NAME, name, "the step's annotation");
	for (int c = 0; c < STEP_COLUMNS; c++)
		table_i64(table, step_columns[c].name, step_columns[c].title, step_columns[c].unit,
			  step_columns[c].flags, col[c], step_columns[c].help);
}

/* The largest of what the GPU could do without, if it is worth a word. */
static void say_headline(struct timeline *t, const struct gpu_time *all)
{
	const char *total = say_time(t->arena, all->total);
	nsec waste = MAX_OF(MAX_OF(all->idle, all->exposed_communication), all->exposed_copies);
	const char *share = say_percent(t->arena, waste, all->total);

	if (!t->n)
		answer_headline(t->a, "No GPU work in this %s.", t->window.in ? "window" : "trace");
	else if (waste < all->total / 10)
		answer_headline(t->a, "The GPU computes for %s of its %s.",
				say_percent(t->arena, all->computation, all->total), total);
	else if (waste == all->idle)
		answer_headline(t->a, "The GPU idles %s of its %s.", share, total);
	else
		answer_headline(t->a, "%s of the %s of GPU time is %s that nothing hides.", share,
				total, waste == all->exposed_copies ? "copying" : "communication");
}

struct lp_answer *lp_timeline(struct lp_trace *trace, struct lp_timeline_options o,
			      struct lp_error *err)
{
	struct timeline t = { .tr = (struct trace *)trace };

	t.l = trace_links(t.tr, o.linked ? LINK_TRACELENS : LINK_BEST, TREE_NO_PYTHON);
	if (!gpu_window(&t.scratch, t.tr, t.l, o.window, &t.window, err)) {
		arena_free(&t.scratch);
		return NULL;
	}
	t.a = answer_new();
	t.arena = answer_arena(t.a);
	select_work(&t, o.linked);
	struct gpu_time all = gpu_time_of(t.tr, t.gpu, t.n, t.window.from, t.window.to);
	const struct steps *steps = trace_steps(t.tr);
	const char *path = say_path(t.arena, t.tr->source.path);

	say_headline(&t, &all);
	doubt_reading(t.a, t.tr);
	doubt_window(t.a, t.tr, t.window.from, t.window.to);
	doubt_idle(t.a, t.tr);
	doubt_unlinked(t.a, t.tr, t.l,
		       o.linked || t.window.launched ? "left out here"
						     : "--linked leaves them out");
	doubt_times(t.a, t.tr, t.l);
	add_timeline(&t, &all);
	if (steps->n && t.n && !t.window.in)
		add_steps(&t, steps);
	answer_next(t.a, "which operators own it", "longpole ops %s", path);
	answer_next(t.a, "what decides the wall clock", "longpole critical-path %s", path);
	arena_free(&t.scratch);
	return t.a;
}
