/*
 * One sweep over the calls in time. For each stream it knows the last work enqueued so far;
 * a record remembers it, a wait takes what a record remembers, a synchronisation takes it of
 * its stream or of all. Work that has no launch was enqueued with the work before it on its
 * stream, or before the trace.
 *
 * A call waited if work it waits for ended while it ran; then it holds its thread from its
 * start to its end, and the end hangs on the work. If it did not wait, the work is still a
 * constraint: in a run with a faster host the call would have to wait.
 */
#include "analysis/critpath_input.h"

#include <string.h>

#define STREAMS_LOOKED_AT 64 /* by a wait that does not say for which stream */
#define WORK_LOOKED_AT    64 /* on a stream whose last work ends after the wait */

/* A wait that the next launch on a stream, or of a thread, has to take. */
struct pending {
	uint32_t source; /* op; NONE: some event, we do not know of what */
	uint32_t next;
	uint8_t flags;
};

struct sweep {
	struct path_source *s;
	uint32_t *last;      /* of each stream: the last op enqueued, or NONE */
	uint32_t *used;      /* of each stream: the number of the call that used it last */
	uint32_t *up, *down; /* streams, the last used first; `nstreams` is the head */
	uint32_t *run_end;   /* of each op: the last of those without a launch that follow it */
	uint32_t *stream_pending, *thread_pending;
	uint32_t *thread_op;     /* of each thread: its last launch's last work */
	uint32_t *device_synced; /* of each thread: the call by which it last waited for all */
	nsec *busy;              /* of each thread: until when a wait holds it */
	uint32_t npending;
	struct pending *pending;
	struct grown sources; /* ops the call in hand waits for */
};

static uint32_t *filled(struct path_source *s, size_t n)
{
	uint32_t *at = NEW(s->arena, n, uint32_t);

	for (size_t i = 0; i < n; i++)
		at[i] = NONE;
	return at;
}

/* ---- Launches ---- */

static void stream_use(struct sweep *w, uint32_t stream, uint32_t call)
{
	uint32_t head = w->s->gpu.nstreams;

	w->used[stream] = call;
	w->up[w->down[stream]] = w->up[stream];
	w->down[w->up[stream]] = w->down[stream];
	w->down[stream] = w->down[head];
	w->up[stream] = head;
	w->up[w->down[head]] = stream;
	w->down[head] = stream;
}

/* A wait stays in the list while only the stream it waits for goes on. */
static void take_pending(struct sweep *w, uint32_t *list, uint32_t op)
{
	struct path_source *s = w->s;
	const struct gpu_op *to = &s->gpu.op[op];

	while (*list != NONE) {
		const struct pending *p = &w->pending[*list];
		const struct gpu_op *from = p->source == NONE ? NULL : &s->gpu.op[p->source];
		if (from && from->stream == to->stream) {
			list = &w->pending[*list].next;
			continue;
		}
		s->told_to_wait[op] = s->told_to_wait[op] || p->flags;
		if (from && from->end <= to->start + CRITPATH_JITTER && from->start <= to->start)
			critpath_bind(s, op, op_track(s, p->source), MIN_OF(from->end, to->start),
				      EDGE_EVENT, p->flags);
		*list = p->next;
	}
}

static void launch(struct sweep *w, uint32_t call)
{
	struct path_source *s = w->s;
	const struct path_call *c = &s->calls.at[call];
	uint32_t first = c->first_op, last = c->first_op, stream = NONE;

	for (uint32_t i = c->first_op; i != NONE; i = s->gpu.op[i].sibling) {
		const struct gpu_op *op = &s->gpu.op[i];
		if (op->start < s->gpu.op[first].start)
			first = i;
		if (op->end > s->gpu.op[last].end)
			last = i;
		if (op->stream != stream) {
			stream = op->stream;
			stream_use(w, stream, call);
			take_pending(w, &w->stream_pending[stream], i);
		}
		if (w->last[stream] == NONE || w->last[stream] < w->run_end[i])
			w->last[stream] = w->run_end[i];
	}
	if (first != NONE) {
		take_pending(w, &w->thread_pending[c->thread], first);
		w->thread_op[c->thread] = last;
	}
}

/* ---- Waits ---- */

static void source_add(struct sweep *w, uint32_t op)
{
	if (op == NONE)
		return;
	if (w->sources.n == w->sources.room) {
		uint32_t *more = NEW(w->s->arena, 2 * w->sources.n + 64, uint32_t);
		if (w->sources.n)
			memcpy(more, w->sources.at, w->sources.n * sizeof(*more));
		w->sources.at = more;
		w->sources.room = 2 * w->sources.n + 64;
	}
	((uint32_t *)w->sources.at)[w->sources.n++] = op;
}

/* The last work on the stream of `op`, up to it, that ended by the end of the call. */
static uint32_t ended_by(const struct path_source *s, uint32_t op, const struct path_call *c)
{
	uint32_t first = s->gpu.stream[s->gpu.op[op].stream].first;

	for (int look = 0; look < WORK_LOOKED_AT; look++, op--) {
		if (s->gpu.op[op].end <= c->end + CRITPATH_JITTER)
			return op;
		if (op == first)
			break;
	}
	return NONE;
}

static bool ended_within(const struct path_source *s, uint32_t op, const struct path_call *c)
{
	const struct gpu_op *o = &s->gpu.op[op];

	return o->end > c->start && o->end <= c->end + CRITPATH_JITTER && o->start < c->end;
}

/*
 * The stream is not known: that of the work that ended last while the call ran; where nothing
 * did, that of the thread's last launch.
 */
static void sources_of_some_stream(struct sweep *w, const struct path_call *c)
{
	struct path_source *s = w->s;
	uint32_t best = NONE, looked = 0, head = s->gpu.nstreams;

	for (int exact = 1; exact >= 0 && best == NONE; exact--)
		for (uint32_t k = w->down[head]; k != head && looked < 2 * STREAMS_LOOKED_AT;
		     k = w->down[k], looked++) {
			uint32_t op = w->last[k];
			if (op != NONE && !exact)
				op = ended_by(s, op, c);
			if (op != NONE && ended_within(s, op, c) &&
			    (best == NONE || s->gpu.op[op].end > s->gpu.op[best].end))
				best = op;
		}
	source_add(w, best != NONE ? best : w->thread_op[c->thread]);
}

/* The last work of every stream used since the thread last waited for them all. */
static void sources_of_device(struct sweep *w, const struct path_call *c)
{
	struct path_source *s = w->s;
	uint32_t head = s->gpu.nstreams, since = w->device_synced[c->thread];

	for (uint32_t k = w->down[head]; k != head; k = w->down[k]) {
		if (since != NONE && w->used[k] != NONE && w->used[k] <= since)
			break;
		if (w->last[k] != NONE &&
		    (c->device < 0 || s->tr->lanes.at[s->gpu.stream[k].lane].device == c->device))
			source_add(w, ended_by(s, w->last[k], c));
	}
}

static void sources_of_copy(struct sweep *w, const struct path_call *c)
{
	struct path_source *s = w->s;
	struct str name = trace_name(s->tr, c->event);

	for (uint32_t i = c->first_op; i != NONE; i = s->gpu.op[i].sibling)
		if (!critpath_copy_is_async(name, trace_name(s->tr, s->gpu.op[i].event)))
			source_add(w, i);
}

/* An implicit wait that returned before work enqueued earlier was done waited for nothing. */
static bool free_waited(const struct sweep *w, const struct path_call *c)
{
	const struct path_source *s = w->s;
	uint32_t head = s->gpu.nstreams, looked = 0;

	for (uint32_t k = w->down[head]; k != head && looked < STREAMS_LOOKED_AT;
	     k = w->down[k], looked++)
		if (w->last[k] != NONE && s->gpu.op[w->last[k]].end > c->end + CRITPATH_JITTER)
			return false;
	return true;
}

static void find_sources(struct sweep *w, const struct path_call *c)
{
	struct path_source *s = w->s;
	uint32_t source = c->record == NONE ? NONE : s->calls.at[c->record].source;

	w->sources.n = 0;
	switch (c->role) {
	case CALL_STREAM_SYNC:
		if (!c->says_stream)
			sources_of_some_stream(w, c);
		else if (c->stream != NONE && w->last[c->stream] != NONE)
			source_add(w, ended_by(s, w->last[c->stream], c));
		break;
	case CALL_DEVICE_SYNC:
		sources_of_device(w, c);
		break;
	case CALL_FREE:
		if (free_waited(w, c))
			sources_of_device(w, c);
		break;
	case CALL_EVENT_SYNC:
		source_add(w, source);
		break;
	case CALL_QUERY:
		if (c->polls)
			source_add(w, source);
		break;
	case CALL_COPY:
		sources_of_copy(w, c);
		break;
	default:
		break;
	}
}

static bool row_says_it_all(const struct path_call *c)
{
	return c->has_row && (c->role != CALL_EVENT_SYNC || !c->assumed);
}

/* The end of the call hangs on each of its sources that had ended by then. */
static void wait_for_sources(struct sweep *w, uint32_t call)
{
	struct path_source *s = w->s;
	struct path_call *c = &s->calls.at[call];
	bool explicit = c->role != CALL_COPY && c->role != CALL_FREE;
	uint8_t flags = row_says_it_all(c) || c->role == CALL_COPY ? 0 : EDGE_INFERRED;

	if (c->start < w->busy[c->thread] || c->start == c->end)
		return;
	find_sources(w, c);
	for (uint32_t i = 0; i < w->sources.n; i++)
		c->waited = c->waited || ended_within(s, ((uint32_t *)w->sources.at)[i], c);
	for (uint32_t i = 0; i < w->sources.n; i++) {
		uint32_t op = ((uint32_t *)w->sources.at)[i];
		nsec end = s->gpu.op[op].end;
		bool binds = ended_within(s, op, c) || end <= c->start;
		if (binds && (c->waited || explicit))
			critpath_add(s, (struct path_constraint){ op_track(s, op), c->thread,
								  MIN_OF(end, c->end), c->end,
								  EDGE_WAIT, flags });
	}
	if (c->waited) {
		w->busy[c->thread] = c->end;
		s->inferred += flags != 0;
	}
	if (c->role == CALL_DEVICE_SYNC)
		w->device_synced[c->thread] = call;
}

/* ---- Events ---- */

static void record(struct sweep *w, struct path_call *c)
{
	c->source = c->stream != NONE ? w->last[c->stream] : w->thread_op[c->thread];
}

static bool same_stream(const struct path_source *s, uint32_t x, uint32_t y)
{
	return x == y || (x != NONE && y != NONE && s->gpu.op[x].stream == s->gpu.op[y].stream);
}

static void stream_wait(struct sweep *w, const struct path_call *c)
{
	uint32_t source = c->record == NONE ? NONE : w->s->calls.at[c->record].source;
	uint32_t *list = c->stream != NONE ? &w->stream_pending[c->stream]
					   : &w->thread_pending[c->thread];
	bool inferred = !c->has_row || c->assumed;

	if ((source == NONE && !inferred) || (c->says_stream && c->stream == NONE))
		return;
	w->s->inferred += inferred && source != NONE;
	/* Later work of a stream covers earlier: a list has at most one entry per stream. */
	for (uint32_t p = *list; p != NONE; p = w->pending[p].next)
		if (same_stream(w->s, w->pending[p].source, source)) {
			w->pending[p].source = source;
			return;
		}
	w->pending[w->npending] = (struct pending){ source, *list, inferred ? EDGE_INFERRED : 0 };
	*list = w->npending++;
}

/* ---- The sweep ---- */

/* Work without a launch at the head of a stream was there before all calls. */
static void start_streams(struct sweep *w)
{
	const struct gpu *g = &w->s->gpu;

	for (uint32_t i = g->nops; i-- > 0;) {
		bool follows = i + 1 < g->stream[g->op[i].stream].past && g->op[i + 1].call == NONE;
		w->run_end[i] = follows ? w->run_end[i + 1] : i;
	}
	for (uint32_t k = 0; k <= g->nstreams; k++) {
		w->up[k] = k ? k - 1 : g->nstreams;
		w->down[k] = k < g->nstreams ? k + 1 : 0;
		if (k < g->nstreams && g->op[g->stream[k].first].call == NONE)
			w->last[k] = w->run_end[g->stream[k].first];
	}
}

static void sweep_calls(struct sweep *w)
{
	for (uint32_t i = 0; i < w->s->calls.n; i++) {
		struct path_call *c = &w->s->calls.at[i];

		if (c->first_op != NONE)
			launch(w, i);
		if (c->role == CALL_RECORD)
			record(w, c);
		else if (c->role == CALL_STREAM_WAIT)
			stream_wait(w, c);
		else if (c->role != CALL_LAUNCH)
			wait_for_sources(w, i);
	}
}

/* The shortest call of each name that did not wait. */
static void find_own_times(struct path_source *s)
{
	s->own = NEW(s->arena, s->tr->strings.n, nsec);
	for (uint32_t i = 0; i < s->tr->strings.n; i++)
		s->own[i] = NSEC_NONE;
	for (uint32_t i = 0; i < s->calls.n; i++) {
		const struct path_call *c = &s->calls.at[i];
		string_id name = s->tr->ev.name[c->event];
		nsec took = s->tr->ev.dur[c->event];
		if (name != NONE && !c->waited &&
		    (s->own[name] == NSEC_NONE || took < s->own[name]))
			s->own[name] = took;
	}
}

nsec critpath_own_time(const struct path_source *s, event_id call)
{
	string_id name = s->tr->ev.name[call];

	return name == NONE ? 0 : MAX_OF(s->own[name], 0);
}

nsec critpath_enqueued(const struct path_source *s, const struct path_call *c)
{
	nsec at = c->start + critpath_own_time(s, c->event);

	if (c->first_op == NONE)
		return c->start;
	for (uint32_t k = c->first_op; k != NONE; k = s->gpu.op[k].sibling)
		at = MIN_OF(at, s->gpu.op[k].start);
	return MAX_OF(c->start, at);
}

/* By thread, as the graph wants them. */
static void list_waits(struct path_source *s)
{
	uint32_t *at = NEW(s->arena, s->host.nthreads + (size_t)1, uint32_t);

	for (uint32_t i = 0; i < s->calls.n; i++)
		s->nwaits += s->calls.at[i].waited;
	s->wait = NEW(s->arena, s->nwaits, struct path_wait);
	for (uint32_t i = 0; i < s->calls.n; i++)
		at[s->calls.at[i].thread + 1] += s->calls.at[i].waited;
	for (uint32_t k = 0; k < s->host.nthreads; k++)
		at[k + 1] += at[k];
	for (uint32_t i = 0; i < s->calls.n; i++) {
		const struct path_call *c = &s->calls.at[i];
		nsec enqueued = critpath_enqueued(s, c);
		nsec own = critpath_own_time(s, c->event) - (enqueued - c->start);
		if (c->waited)
			s->wait[at[c->thread]++] = (struct path_wait){ c->thread, c->event,
								       enqueued, c->end, own };
	}
}

void critpath_sync(struct path_source *s)
{
	uint32_t streams = s->gpu.nstreams, threads = s->host.nthreads;
	struct sweep w = { .s = s,
			   .last = filled(s, streams),
			   .used = filled(s, streams),
			   .up = filled(s, streams + (size_t)1),
			   .down = filled(s, streams + (size_t)1),
			   .run_end = filled(s, s->gpu.nops),
			   .stream_pending = filled(s, streams),
			   .thread_pending = filled(s, threads),
			   .thread_op = filled(s, threads),
			   .device_synced = filled(s, threads),
			   .busy = NEW(s->arena, threads, nsec),
			   .pending = NEW(s->arena, s->calls.n, struct pending) };

	for (uint32_t k = 0; k < threads; k++)
		w.busy[k] = INT64_MIN;
	start_streams(&w);
	sweep_calls(&w);
	find_own_times(s);
	list_waits(s);
}
