#include "algo/spans.h"
#include "analysis/job.h"
#include "base/say.h"
#include "base/table.h"

#include <inttypes.h>

struct facts {
	bool read;
	int64_t events, gpu_events, busy;
};

struct info_job {
	struct job job;
	struct facts *facts; /* by row */
	struct lp_answer *a;
	struct arena *arena;
	uint32_t nranks, nassigned, ncaptures, nskipped;
	int64_t ntotal; /* ranks there should be */
};

/* The union of the work of every device, summed over devices. */
static nsec busy_of(const struct trace *tr)
{
	struct arena scratch = { 0 };
	struct span *at = NEW(&scratch, tr->ngpu, struct span);
	nsec sum = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < tr->ngpu; i++) {
		const struct lane *l = &tr->lanes.at[tr->ev.lane[tr->gpu[i]]];
		const struct lane *before = i ? &tr->lanes.at[tr->ev.lane[tr->gpu[i - 1]]] : l;
		if (before->process != l->process || before->device != l->device) {
			sum += spans_length(spans_union(&scratch, at, n));
			n = 0;
		}
		if (trace_timed(tr, tr->gpu[i]))
			at[n++] = (struct span){ tr->ev.ts[tr->gpu[i]], trace_end(tr, tr->gpu[i]) };
	}
	sum += spans_length(spans_union(&scratch, at, n));
	arena_free(&scratch);
	return sum;
}

static void read_file(struct info_job *i, struct job_file *f, struct lp_open_options o)
{
	struct lp_error err;
	struct lp_trace *opened = lp_open(f->path, o, &err);
	const struct trace *tr = (const struct trace *)opened;

	if (!opened) {
		job_note_failure(&i->job, f, err.text);
		return;
	}
	job_note_trace(&i->job, f, tr);
	i->facts[f->row] = (struct facts){
		.read = true,
		.events = tr->ev.n,
		.gpu_events = tr->ngpu,
		.busy = busy_of(tr),
	};
	lp_close(opened);
}

/* ---- Doubts ---- */

static void doubt_assigned(struct info_job *i)
{
	const struct job_file *f = i->job.at;

	while (i->nassigned && !f->assigned)
		f++;
	if (i->nassigned == 1)
		answer_doubt(i->a,
			     "rank %" PRId64
			     " is assigned to %s: neither the file nor its name says its rank",
			     f->rank, f->name);
	else if (i->nassigned)
		answer_doubt(i->a,
			     "%u ranks are assigned, %" PRId64
			     " to %s first: neither the files nor their names say their ranks",
			     i->nassigned, f->rank, f->name);
}

static void doubt_twice(struct info_job *i)
{
	for (uint32_t k = 1; k < i->nranks; k++) {
		const struct job_file *f = &i->job.at[k];
		if (f->rank == f[-1].rank)
			answer_doubt(i->a, "rank %" PRId64 " is there twice: %s and %s", f->rank,
				     f[-1].name, f->name);
	}
}

/* "1, 3..5" */
static void doubt_missing(struct info_job *i)
{
	const char *list = "";
	int64_t next = 0, missing = 0;

	for (uint32_t k = 0; k <= i->nranks; k++) {
		int64_t rank = k < i->nranks ? i->job.at[k].rank : i->ntotal;
		if (rank > next) {
			missing += rank - next;
			list = arena_print(i->arena,
					   rank - next > 1 ? "%s%s%" PRId64 "..%" PRId64
							   : "%s%s%" PRId64,
					   list, *list ? ", " : "", next, rank - 1);
		}
		next = MAX_OF(next, rank + 1);
	}
	if (missing)
		answer_doubt(i->a, "%s missing: %s",
			     say_many(i->arena, missing, "rank is", "ranks are"), list);
}

/* ---- The answer ---- */

static void count_files(struct info_job *i)
{
	int64_t highest = -1;

	for (uint32_t k = 0; k < i->job.n; k++) {
		const struct job_file *f = &i->job.at[k];
		i->nranks += f->part == JOB_RANK;
		i->nassigned += f->assigned;
		i->ncaptures += f->part == JOB_CAPTURE;
		i->nskipped += f->part == JOB_SKIPPED;
		highest = MAX_OF(highest, f->rank);
	}
	i->ntotal = MAX_OF(i->job.size, highest + 1);
}

static const char *clause(struct info_job *i, int64_t n, const char *one, const char *more)
{
	return n == 1 ? arena_print(i->arena, ", one %s", one)
	       : n    ? arena_print(i->arena, ", %" PRId64 " %s", n, more)
		      : "";
}

static void say_headline(struct info_job *i)
{
	int64_t distinct = 0;

	for (uint32_t k = 0; k < i->nranks; k++)
		distinct += !k || i->job.at[k].rank != i->job.at[k - 1].rank;
	const char *more = arena_print(
		i->arena, "%s%s%s",
		clause(i, i->nassigned, "number is assigned", "numbers are assigned"),
		clause(i, i->ncaptures, "capture is set apart", "captures are set apart"),
		clause(i, i->nskipped, "file is skipped", "files are skipped"));
	answer_headline(i->a, "%" PRId64 " of %" PRId64 " ranks %s here%s%s.", distinct, i->ntotal,
			distinct == 1 ? "is" : "are", *more ? ";" : "", *more ? more + 1 : "");
}

static void add_table(struct info_job *i)
{
	uint32_t n = i->job.n;
	struct lp_table *t = answer_table(i->a, "ranks", n);
	const char **file = NEW(i->arena, n, const char *), **from = NEW(i->arena, n, const char *);
	const char **part = NEW(i->arena, n, const char *);
	int64_t *rank = NEW(i->arena, n, int64_t), *events = NEW(i->arena, n, int64_t);
	int64_t *gpu = NEW(i->arena, n, int64_t), *busy = NEW(i->arena, n, int64_t);
	int64_t all_events = 0, all_busy = 0;
	static const char *const parts[] = { "rank", "capture", "skipped" };

	for (uint32_t k = 0; k < n; k++) {
		const struct job_file *f = &i->job.at[k];
		const struct facts *facts = &i->facts[f->row];
		file[k] = f->name;
		from[k] = f->from;
		part[k] = parts[f->part];
		rank[k] = f->rank < 0 ? LP_NULL : f->rank;
		events[k] = facts->read ? facts->events : LP_NULL;
		gpu[k] = facts->read ? facts->gpu_events : LP_NULL;
		busy[k] = facts->read ? facts->busy : LP_NULL;
		all_events += f->part == JOB_RANK ? facts->events : 0;
		all_busy += f->part == JOB_RANK ? facts->busy : 0;
	}
	t->whole = true;
	table_str(t, "file", "file", LP_NAME, file, "name of the file");
	table_i64(t, "rank", "rank", LP_PLAIN, 0, rank, "number of the rank; none for captures");
	table_str(t, "from", "from", 0, from, "how the rank is known, or why there is none");
	table_i64(t, "events", "events", LP_COUNT, 0, events, "events in the file");
	table_i64(t, "gpu_busy_ns", "GPU", LP_NSEC, 0, busy,
		  "time in which a device works, summed over devices");
	table_i64(t, "gpu_events", "GPU events", LP_COUNT, LP_DETAIL, gpu,
		  "kernels, copies and sets");
	table_str(t, "part", "part", LP_DETAIL, part, "rank, capture or skipped");
	table_footer(t, "%s: %s, %s of GPU work", say_many(i->arena, i->nranks, "rank", "ranks"),
		     say_many(i->arena, all_events, "event", "events"),
		     say_time(i->arena, all_busy));
}

struct lp_answer *lp_info_job(const char *const *paths, unsigned n, struct lp_open_options o,
			      struct lp_error *err)
{
	struct info_job i = { .a = answer_new() };

	i.arena = i.job.arena = answer_arena(i.a);
	if (!job_list(&i.job, paths, n, err)) {
		lp_answer_free(i.a);
		return NULL;
	}
	i.facts = NEW(i.arena, i.job.n, struct facts);
	for (uint32_t k = 0; k < i.job.n; k++)
		read_file(&i, &i.job.at[k], o);
	job_settle(&i.job);
	count_files(&i);
	if (!i.nranks && !i.ncaptures) {
		error_set(err, "%s: no trace among %u files", paths[0], i.job.n);
		lp_answer_free(i.a);
		return NULL;
	}
	say_headline(&i);
	doubt_twice(&i);
	doubt_missing(&i);
	doubt_assigned(&i);
	add_table(&i);
	if (i.nranks)
		answer_next(i.a, "one rank", "longpole info %s", i.job.at[0].path);
	return i.a;
}
