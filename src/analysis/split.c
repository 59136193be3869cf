#include "analysis/split_write.h"

#include "algo/sort.h"
#include "analysis/gpu_time.h"
#include "base/check.h"
#include "base/say.h"

static bool setup(struct trace *tr, const char *const *markers, unsigned n, struct split_result *r,
		  struct arena *a, struct lp_error *err)
{
	struct marker_set *set = n ? marker_set_new(markers, n, err) : NULL;

	if (n && !set)
		return false;
	*r = split_run(tr, (struct split_options){ set }, a);
	marker_set_free(set);
	return true;
}

static uint32_t count_unlinked(const struct split_result *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; r->slices.n && i < r->slices.n + 2; i++)
		n += r->slices.at[i].unlinked;
	return n;
}

static void say_found(struct lp_answer *ans, const struct split_result *r)
{
	struct arena *a = answer_arena(ans);
	const struct root_set *s = &r->roots;

	if (!s->n) {
		answer_headline(ans, "No iterations found: %s.",
				s->reason ? s->reason : "nothing repeats");
		return;
	}
	answer_headline(ans, "%s by %s: %s, covering %.1f %% of the %sGPU time.",
			say_many(a, s->n, "iteration", "iterations"), s->method,
			split_status_text(s->status), 100 * s->coverage_selected,
			s->strategy ? "audited " : "");
	if (s->status != SPLIT_YES)
		answer_doubt(ans, "the iterations explain less than %.0f %% of the GPU time%s",
			     100 * SPLIT_GATE,
			     s->span_share < SPLIT_MIN_SHARE
				     ? ", most of it outside their own spans"
				     : "");
	if (s->bookends)
		answer_doubt(ans, "%.1f %% without the work before and after the iterations",
			     100 * s->branch_coverage);
	uint32_t unlinked = count_unlinked(r), overlaps = r->slices.tiles.noverlaps;
	if (unlinked)
		answer_doubt(ans, "%s no launch: each is in the slice that holds its start",
			     say_many(a, unlinked, "GPU event has", "GPU events have"));
	if (overlaps)
		answer_doubt(ans, "%s the next one on its thread",
			     say_many(a, overlaps, "iteration overlaps", "iterations overlap"));
}

static void say_markers(struct lp_answer *ans, const struct split_result *r, unsigned markers)
{
	if (markers && strcmp(r->roots.method, "annotation:user") != 0)
		answer_doubt(ans, "--marker names no annotation, operator or frame that decides");
}

/* A load of another concurrency than the trace shows is another run's. */
static void say_load(struct lp_answer *ans, const struct split_result *r, struct lp_split_options o)
{
	int64_t peak = 0;

	for (uint32_t i = 0; i < r->roots.n; i++)
		peak = MAX_OF(peak, r->roots.root[i].step.context_requests +
					    r->roots.root[i].step.generation_requests);
	if (o.concurrency && r->roots.n && peak != o.concurrency)
		answer_doubt(ans, "--conc says %lld requests at a time, the names at most %lld",
			     (long long)o.concurrency, (long long)peak);
}

static void say_written(struct lp_answer *ans, const struct split_result *r, const struct units *u,
			struct lp_split_options o, const struct split_files *f)
{
	struct arena *a = answer_arena(ans);
	struct lp_table *t = ans->tables[0];
	const struct slice *pro = &r->slices.at[r->slices.n], *epi = pro + 1;

	if (u->all)
		table_footer(
			t,
			"retention %.1f: %s of %s GPU events, none twice; prologue %s, epilogue %s",
			r->work.n ? (double)f->gpu_events / r->work.n : 1.0,
			say_count(a, (int64_t)f->gpu_events), say_count(a, r->work.n),
			say_many(a, pro->gpu_events + (int64_t)pro->host_events, "event", "events"),
			say_many(a, epi->gpu_events + (int64_t)epi->host_events, "event",
				 "events"));
	if (o.out_dir && u->n && !f->aborted)
		table_footer(t, "%s: %s%s%s; split_manifest.json and execution_details beside",
			     o.out_dir, u->at[0].file, u->n > 1 ? " \xe2\x80\xa6 " : "",
			     u->n > 1 ? u->at[u->n - 1].file : "");
	else if (o.out_dir)
		table_footer(t, "%s: only split_manifest.json was written", o.out_dir);
}

struct lp_answer *lp_split(struct lp_trace *pub, struct lp_split_options o, struct lp_error *err)
{
	struct trace *tr = (struct trace *)pub;
	struct lp_answer *ans = answer_new();
	struct arena *a = answer_arena(ans);
	struct split_result r;
	struct split_files files = { 0 };
	struct units units;

	if (!setup(tr, o.markers, o.nmarkers, &r, a, err) || !split_units(&r, o, a, &units, err))
		goto failed;
	bool yes = r.roots.status == SPLIT_YES ||
		   (r.roots.status == SPLIT_DEGRADED && o.allow_degraded && r.roots.n);
	files.aborted = !yes;
	ans->no = !yes;
	if (o.out_dir ? !split_write(&r, &units, o, &files, err) : false)
		goto failed;
	if (!o.out_dir)
		for (uint32_t k = 0; k < units.n; k++)
			for (uint32_t i = units.at[k].first; i < units.at[k].end; i++)
				files.gpu_events += r.slices.at[i].gpu_events;
	CHECK(!units.all || files.aborted || files.gpu_events == r.work.n);
	say_found(ans, &r);
	say_markers(ans, &r, o.nmarkers);
	say_load(ans, &r, o);
	split_table_slices(ans, &r);
	if (r.roots.n)
		say_written(ans, &r, &units, o, &files);
	split_table_summary(ans, &r);
	split_table_patterns(ans, &r);
	if (r.roots.n)
		split_table_steady(ans, &r, o.steady_steps ? o.steady_steps : 32);
	if (!yes && r.roots.n && r.roots.status == SPLIT_DEGRADED)
		answer_next(ans, "write the slices all the same",
			    "longpole split %s -o DIR --allow-degraded",
			    say_path(answer_arena(ans), tr->source.path));
	return ans;
failed:
	lp_answer_free(ans);
	return NULL;
}

/* ---- steps ---- */

struct step_figures {
	int64_t *number, *start, *dur, *gpu_start, *gpu_dur, *compute, *comm, *copies, *busy, *idle;
	int64_t *launches, *gpu_events, *pattern, *batch, *outlier;
	const char **name;
};

static bool by_slice(const void *ctx, uint32_t a, uint32_t b)
{
	const struct split_result *r = ctx;
	const uint32_t *of = r->slices.of;

	return of[r->work.links->gpu[a]] < of[r->work.links->gpu[b]];
}

static int64_t **all_figures(struct step_figures *f)
{
	return &f->number;
}

static struct step_figures new_figures(uint32_t n, struct arena *a)
{
	struct step_figures f = { 0 };

	for (size_t i = 0; i < sizeof(f) / sizeof(int64_t *) - 1; i++)
		all_figures(&f)[i] = NEW(a, (size_t)n + 1, int64_t);
	f.name = NEW(a, (size_t)n + 1, const char *);
	return f;
}

/* GPU figures of iteration i, whose GPU events are e[0..n). */
static void fill_gpu(struct step_figures *f, uint32_t i, const struct split_result *r,
		     const event_id *e, uint32_t n)
{
	const struct trace *tr = r->work.tr;
	struct gpu_time g = gpu_time_of(tr, e, n, INT64_MIN, INT64_MAX);

	f->gpu_start[i] = g.timed ? g.start - tr->base : LP_NULL;
	f->gpu_dur[i] = g.timed ? g.total : LP_NULL;
	f->compute[i] = g.computation;
	f->comm[i] = g.exposed_communication;
	f->copies[i] = g.exposed_copies;
	f->busy[i] = g.busy;
	f->idle[i] = g.timed ? g.idle : LP_NULL;
	f->gpu_events[i] = n;
}

static void fill_host(struct step_figures *f, const struct split_result *r, struct arena *a)
{
	for (uint32_t i = 0; i < r->slices.n; i++) {
		const struct root *root = &r->roots.root[i];

		f->number[i] = i;
		f->start[i] = root->start - r->work.tr->base;
		f->dur[i] = root->end - root->start;
		f->gpu_start[i] = f->gpu_dur[i] = f->idle[i] = LP_NULL;
		f->pattern[i] = r->patterns.of[i];
		f->batch[i] = root->phase_read ? root->step.batch_size : LP_NULL;
		f->name[i] = arena_text(a, root->name.p, root->name.n);
	}
	for (uint32_t i = 0; i < r->work.n; i++) {
		uint32_t slice = r->slices.of[r->work.links->gpu[i]];

		if (slice < r->slices.n)
			f->launches[slice] += r->work.links->launch[i] != NONE;
	}
}

static bool less(const void *ctx, uint32_t a, uint32_t b)
{
	const int64_t *v = ctx;

	return v[a] < v[b];
}

/* An iteration that takes half as long again, or half as long, as the median one. */
static void mark_outliers(struct step_figures *f, uint32_t n, struct arena *a)
{
	uint32_t *id = NEW(a, (size_t)n + 1, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		id[i] = i;
	sort_ids(id, n, NEW(a, (size_t)n + 1, uint32_t), less, f->dur);
	int64_t median = n ? f->dur[id[n / 2]] : 0;
	for (uint32_t i = 0; i < n; i++)
		f->outlier[i] = 2 * f->dur[i] > 3 * median || 2 * f->dur[i] < median;
}

/*
 * Work without a launch was mostly queued before the recording: its start says nothing of
 * the step that it belongs to. Only where nothing has a launch, starts are all there is.
 */
static bool belongs_to_a_step(const struct split_result *r, uint32_t i)
{
	const struct links *l = r->work.links;

	return r->roots.on_gpu || !l->nlinked || l->launch[i] != NONE;
}

static struct step_figures figures_of(const struct split_result *r, struct arena *a)
{
	struct step_figures f = new_figures(r->slices.n, a);
	uint32_t n = r->work.n, *id = NEW(a, (size_t)n + 1, uint32_t);
	event_id *e = NEW(a, (size_t)n + 1, event_id);

	if (!r->slices.n)
		return f;
	fill_host(&f, r, a);
	n = 0;
	for (uint32_t i = 0; i < r->work.n; i++)
		if (belongs_to_a_step(r, i))
			id[n++] = i;
	sort_ids(id, n, NEW(a, (size_t)n + 1, uint32_t), by_slice, r);
	for (uint32_t i = 0; i < n; i++)
		e[i] = r->work.links->gpu[id[i]];
	for (uint32_t i = 0, end; i < n; i = end) {
		uint32_t slice = r->slices.of[e[i]];

		for (end = i; end < n && r->slices.of[e[end]] == slice; end++)
			;
		if (slice < r->slices.n)
			fill_gpu(&f, slice, r, e + i, end - i);
	}
	mark_outliers(&f, r->slices.n, a);
	return f;
}

static void add_steps(struct lp_table *t, const struct step_figures *f)
{
	const unsigned mean = LP_MEAN | LP_SAME;

	t->total = "mean";
	table_i64(t, "iteration", "no", LP_PLAIN, LP_DETAIL, f->number, "number, from 0");
	table_str(t, "step", "step", LP_NAME, f->name, "name of the iteration");
	table_i64(t, "host_start_ns", "host", LP_NSEC, 0, f->start, "start on the host");
	table_i64(t, "host_dur_ns", "took", LP_NSEC, mean | LP_BARE, f->dur, "length on the host");
	table_i64(t, "gpu_start_ns", "GPU", LP_NSEC, LP_SAME, f->gpu_start,
		  "start of its first GPU event");
	table_i64(t, "gpu_dur_ns", "took", LP_NSEC, mean | LP_BARE, f->gpu_dur,
		  "from its first GPU start to its last GPU end");
	table_i64(t, "computation_ns", "compute", LP_NSEC, mean | LP_BARE, f->compute,
		  "computation, union");
	table_i64(t, "exposed_communication_ns", "comm", LP_NSEC, mean | LP_BARE, f->comm,
		  "communication that no computation hides");
	table_i64(t, "exposed_copies_ns", "copies", LP_NSEC, mean | LP_BARE, f->copies,
		  "copies that nothing hides");
	table_i64(t, "idle_ns", "idle", LP_NSEC, mean | LP_BARE, f->idle, "GPU span less busy");
	table_i64(t, "busy_ns", "busy", LP_NSEC, LP_DETAIL, f->busy, "union of its GPU events");
	table_i64(t, "launches", "launches", LP_COUNT, LP_MEAN | LP_LESSER, f->launches,
		  "GPU events with a launch in the trace");
	table_i64(t, "gpu_events", "GPU events", LP_COUNT, LP_DETAIL, f->gpu_events,
		  "kernels, copies and sets");
	table_i64(t, "batch_size", "batch", LP_COUNT, LP_DETAIL, f->batch,
		  "tokens, as its name says");
	table_i64(t, "pattern", "pattern", LP_PLAIN, LP_DETAIL, f->pattern,
		  "iterations with equal numbers run the same kernels");
	table_bool(t, "outlier", "outlier", LP_DETAIL, f->outlier,
		   "takes half as long again as the median, or half as long");
}

static void say_steps(struct lp_answer *ans, const struct split_result *r,
		      const struct step_figures *f)
{
	uint32_t n = r->slices.n, outliers = 0, timed = 0;
	int64_t dur = 0, gpu = 0, comm = 0, idle = 0, ahead = INT64_MAX, most_ahead = INT64_MIN;

	for (uint32_t i = 0; i < n; i++) {
		dur += f->dur[i];
		outliers += f->outlier[i] != 0;
		if (f->gpu_dur[i] == LP_NULL)
			continue;
		timed++;
		gpu += f->gpu_dur[i];
		comm += f->comm[i];
		idle += f->idle[i];
		ahead = MIN_OF(ahead, f->gpu_start[i] - f->start[i]);
		most_ahead = MAX_OF(most_ahead, f->gpu_start[i] - f->start[i]);
	}
	struct arena *a = answer_arena(ans);
	const char *steps = say_many(a, n, "step", "steps");
	if (timed && gpu)
		answer_headline(
			ans,
			"%s of %s on the GPU, %s of it exposed communication and %s idle; the GPU "
			"starts %s to %s after the host.",
			steps, say_time(a, gpu / timed), say_percent(a, comm, gpu),
			say_percent(a, idle, gpu), say_time(a, ahead), say_time(a, most_ahead));
	else
		answer_headline(ans, "%s of %s on the host.", steps, say_time(a, n ? dur / n : 0));
	if (outliers)
		answer_doubt(ans, "%u step%s far from the median length (column outlier)", outliers,
			     outliers == 1 ? " is" : "s are");
}

struct lp_answer *lp_steps(struct lp_trace *pub, struct lp_steps_options o, struct lp_error *err)
{
	struct trace *tr = (struct trace *)pub;
	struct lp_answer *ans = answer_new();
	struct arena *a = answer_arena(ans);
	struct split_result r;

	if (!setup(tr, o.markers, o.nmarkers, &r, a, err)) {
		lp_answer_free(ans);
		return NULL;
	}
	struct step_figures f = figures_of(&r, a);
	if (!r.roots.n)
		say_found(ans, &r);
	else
		say_steps(ans, &r, &f);
	say_markers(ans, &r, o.nmarkers);
	uint32_t apart = 0;
	for (uint32_t i = 0; r.slices.n && i < r.work.n; i++)
		apart += !belongs_to_a_step(&r, i) ||
			 r.slices.of[r.work.links->gpu[i]] >= r.slices.n;
	if (apart)
		answer_doubt(
			ans,
			"%u GPU event%s to no step: launched before, after or not in the trace",
			apart, apart == 1 ? " belongs" : "s belong");
	if (r.roots.n && r.roots.status != SPLIT_YES)
		answer_doubt(ans, "found by %s, covering only %.1f %% of the GPU time",
			     r.roots.method, 100 * r.roots.coverage_selected);
	add_steps(answer_table(ans, "steps", r.slices.n), &f);
	return ans;
}
