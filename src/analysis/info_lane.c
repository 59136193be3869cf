#include "analysis/info.h"

#include "trace/tree.h"

#include <inttypes.h>

static void count_events(const struct trace *tr, int64_t *events)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if (trace_slice(tr, e) && tr->ev.lane[e] != NONE)
			events[tr->ev.lane[e]]++;
}

/* trace.gpu is sorted, so a running end makes the union. */
static void add_gpu_busy(const struct trace *tr, nsec *busy)
{
	nsec end = INT64_MIN;

	for (uint32_t i = 0; i < tr->ngpu; i++) {
		event_id e = tr->gpu[i];
		if (!i || tr->ev.lane[tr->gpu[i - 1]] != tr->ev.lane[e])
			end = INT64_MIN;
		if (!trace_timed(tr, e))
			continue;
		nsec start = MAX_OF(tr->ev.ts[e], end);
		busy[tr->ev.lane[e]] += MAX_OF(0, trace_end(tr, e) - start);
		end = MAX_OF(end, trace_end(tr, e));
	}
}

/* Devices, streams, threads and processes with work: lanes of one device stand together. */
static void count_parties(const struct trace *tr, struct info_lanes *l, const bool *works,
			  struct arena *a)
{
	const struct lane *gpu = NULL, *host = NULL;

	l->device = NEW(a, l->n, int64_t);
	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *at = &tr->lanes.at[l->lane[i]];
		if (at->gpu && works[l->lane[i]]) {
			l->nstreams++;
			if (!gpu || gpu->process != at->process || gpu->device != at->device)
				l->device[l->ndevices++] = at->device;
			gpu = at;
		} else if (!at->gpu && works[l->lane[i]]) {
			l->nthreads++;
			l->nprocesses += !host || host->process != at->process;
			host = at;
		}
	}
}

/* Lanes that hold more than profiler's own rows: GPU work, host events, slices of any other kind.
 */
static bool *find_works(const struct trace *tr, struct arena *a)
{
	bool *works = NEW(a, tr->lanes.n, bool);
	string_id own = strings_find(&tr->cats, STR("Trace"));

	for (event_id e = 0; e < tr->ev.n; e++) {
		enum kind k = tr->ev.kind[e];
		if (tr->ev.lane[e] != NONE && trace_slice(tr, e) && k != KIND_GPU_ANNOTATION &&
		    k != KIND_SYNC && k != KIND_OVERHEAD && (own == NONE || tr->ev.cat[e] != own))
			works[tr->ev.lane[e]] = true;
	}
	return works;
}

struct info_lanes info_lanes(struct trace *tr, struct arena *a)
{
	struct arena scratch = { 0 };
	uint32_t n = tr->lanes.n, *rank = lanes_rank(tr, &scratch);
	lane_id *order = NEW(&scratch, n, lane_id);
	int64_t *events = NEW(&scratch, n, int64_t);
	nsec *busy = NEW(&scratch, n, nsec);
	bool *works = find_works(tr, &scratch);
	struct info_lanes l = {
		0, NEW(a, n, lane_id), NEW(a, n, int64_t), NEW(a, n, int64_t), 0, 0, 0, 0, NULL
	};

	for (lane_id i = 0; i < n; i++)
		order[rank[i]] = i;
	count_events(tr, events);
	tree_survey(tr, busy);
	add_gpu_busy(tr, busy);
	for (int gpu = 0; gpu < 2; gpu++)
		for (uint32_t i = 0; i < n; i++) {
			if (!works[order[i]] || tr->lanes.at[order[i]].gpu != gpu)
				continue;
			l.lane[l.n] = order[i];
			l.events[l.n] = events[order[i]];
			l.busy[l.n++] = busy[order[i]];
		}
	count_parties(tr, &l, works, a);
	arena_free(&scratch);
	return l;
}

static const char *text_of(const struct trace *tr, string_id id)
{
	return id == NONE ? NULL : strings_get(&tr->strings, id).p;
}

static const char *lane_text(struct arena *a, const struct trace *tr, const struct lane *l,
			     bool several)
{
	const char *pid = text_of(tr, l->pid), *tid = text_of(tr, l->tid);
	const char *name = text_of(tr, l->process_name);

	if (l->gpu && l->stream_known)
		return arena_print(a, "gpu %" PRId64 " stream %" PRId64, l->device, l->stream);
	if (l->gpu)
		return arena_print(a, "gpu %" PRId64 " %s", l->device, tid ? tid : "");
	if (several && pid && tid && strcmp(pid, tid))
		tid = arena_print(a, "%s/%s", pid, tid);
	return arena_print(a, name ? "cpu %s (%s)" : "cpu %s", tid ? tid : "", name);
}

void info_add_lanes(struct lp_answer *answer, const struct trace *tr, const struct info_lanes *l)
{
	struct arena *a = answer_arena(answer);
	struct lp_table *t = answer_table(answer, "lanes", l->n);
	const char **name = NEW(a, l->n, const char *), **pid = NEW(a, l->n, const char *);
	const char **tid = NEW(a, l->n, const char *), **thread = NEW(a, l->n, const char *);
	int64_t *gpu = NEW(a, l->n, int64_t), *device = NEW(a, l->n, int64_t);
	int64_t *stream = NEW(a, l->n, int64_t);

	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *at = &tr->lanes.at[l->lane[i]];
		name[i] = lane_text(a, tr, at, l->nprocesses > 1);
		pid[i] = text_of(tr, at->pid);
		tid[i] = text_of(tr, at->tid);
		thread[i] = text_of(tr, at->thread_name);
		gpu[i] = at->gpu;
		device[i] = at->gpu ? at->device : LP_NULL;
		stream[i] = at->gpu && at->stream_known ? at->stream : LP_NULL;
	}
	t->total = "lanes";
	table_str(t, "lane", "lane", 0, name, "a thread of the host or a stream of a device");
	table_i64(t, "events", "events", LP_COUNT, LP_SUM, l->events, "complete events on it");
	table_i64(t, "busy_ns", "busy", LP_NSEC, 0, l->busy, "time in which any of them runs");
	table_bool(t, "gpu", "GPU", LP_DETAIL, gpu, "a stream");
	table_str(t, "pid", "pid", LP_DETAIL, pid, "process as in the file");
	table_str(t, "tid", "tid", LP_DETAIL, tid, "thread as in the file");
	table_str(t, "thread_name", "thread", LP_DETAIL, thread, "its name in the file");
	table_i64(t, "device", "device", LP_PLAIN, LP_DETAIL, device, "number of the device");
	table_i64(t, "stream", "stream", LP_PLAIN, LP_DETAIL, stream, "handle of the stream");
}
