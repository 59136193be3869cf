/*
 * The machine runs one action at a time, of the thread that is furthest behind; what a launch
 * puts on a stream runs from then on by itself, so its start and end are known at once.
 *
 * Each thread's time is a list of spans without a gap between them: its own time, waits, and
 * holes in which it had to be handed something. The path goes back through these lists.
 */
#include "paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US      ((nsec)1000)
#define QUEUE   (5 * US) /* from the end of a launch call to the start of its work */
#define GAP     (2 * US) /* between two pieces of work on a stream */
#define EVENT   (3 * US) /* from the end of work to what waits for it on another stream */
#define RETURN  (4 * US) /* from the end of work to the return of the call that waits */
#define OWN     (9 * US) /* of a call that need not wait: longer than a return, on purpose */
#define CALL    (1 * US) /* record, wait */
#define LAUNCH  (3 * US)
#define HANDOFF (7 * US)

#define NOBODY  UINT32_MAX
#define ACTIONS 40
#define STREAMS (2 * PATHS_THREADS) /* two of each thread */

const char *const paths_class_names[PATHS_CLASSES] = {
	[PATHS_COMPUTE] = "compute",
	[PATHS_LAUNCH_API] = "launch_api",
	[PATHS_LAUNCH_QUEUE] = "launch_queue",
	[PATHS_GPU_GAP] = "gpu_gap",
	[PATHS_SYNC] = "sync",
	[PATHS_CPU_OP] = "cpu_op",
	[PATHS_RUNTIME_OTHER] = "runtime_other",
	[PATHS_HANDOFF] = "idle_handoff",
};

enum act { ACT_RUN, ACT_LAUNCH, ACT_RECORD_WAIT, ACT_STREAM_SYNC, ACT_AWAIT };

struct action {
	enum act act;
	bool top;        /* begins a new top-level operator */
	unsigned name;   /* of the kernel or the operator */
	unsigned stream; /* 0 or 1: of the thread's own */
	nsec time;
	unsigned thread; /* ACT_AWAIT: the thread whose operator has to end */
	unsigned count;  /* ACT_AWAIT: and how many of its operators have ended by then */
};

struct paths {
	bool rocm;
	uint64_t jitter; /* 0: none; else a seed */
	unsigned nthreads;
	unsigned n[PATHS_THREADS];
	struct action at[PATHS_THREADS][ACTIONS];
};

/* ---- Making a program ---- */

struct dice {
	uint64_t state;
};

static uint32_t roll(struct dice *d, uint32_t n)
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (uint32_t)((z ^ (z >> 31)) % n);
}

static nsec roll_time(struct dice *d, unsigned least, unsigned most)
{
	return (nsec)(least + roll(d, most - least)) * US + roll(d, 1000);
}

static void add(struct paths *p, unsigned thread, struct action a)
{
	if (p->n[thread] < ACTIONS)
		p->at[thread][p->n[thread]++] = a;
}

static void make_thread(struct paths *p, struct dice *d, unsigned thread)
{
	unsigned n = 6 + roll(d, 16);

	/* A call that waits for nothing: so the trace says what that costs. */
	add(p, thread, (struct action){ ACT_STREAM_SYNC, true, 0, 0, 0, 0, 0 });
	for (unsigned i = 0; i < n; i++) {
		unsigned stream = roll(d, 3) == 0, name = roll(d, PATHS_NAMES);
		add(p, thread,
		    (struct action){ ACT_RUN, roll(d, 4) == 0, name, 0, roll_time(d, 2, 40), 0,
				     0 });
		switch (roll(d, 8)) {
		case 0:
			add(p, thread,
			    (struct action){ ACT_STREAM_SYNC, false, 0, stream, 0, 0, 0 });
			break;
		case 1:
			add(p, thread,
			    (struct action){ ACT_RECORD_WAIT, false, 0, stream, 0, 0, 0 });
			/* fallthrough */
		default:
			add(p, thread,
			    (struct action){ ACT_LAUNCH, false, roll(d, PATHS_NAMES), stream,
					     roll_time(d, 5, 120), 0, 0 });
		}
	}
}

/* The first thread lets the others begin, one after another, and waits for their end. */
static void make_handovers(struct paths *p, struct dice *d)
{
	for (unsigned t = 1; t < p->nthreads; t++) {
		struct action *a = p->at[t];
		memmove(a + 1, a, (ACTIONS - 1) * sizeof(*a));
		p->n[t] = p->n[t] < ACTIONS ? p->n[t] + 1 : ACTIONS;
		a[0] = (struct action){ ACT_AWAIT, false, 0, 0, 0, 0, 1 + roll(d, 2) };
	}
}

struct paths *paths_make(uint64_t seed, bool rocm, struct arena *a)
{
	struct dice d = { seed * 0x2545f4914f6cdd1d + 11 };
	struct paths *p = NEW(a, 1, struct paths);

	p->rocm = rocm;
	p->jitter = seed % 4 == 3 ? seed : 0;
	p->nthreads = rocm ? 1 : 1 + roll(&d, PATHS_THREADS); /* without rows all streams wait */
	for (unsigned t = 0; t < p->nthreads; t++)
		make_thread(p, &d, t);
	make_handovers(p, &d);
	return p;
}

/* ---- Running it ---- */

enum why { BY_LAUNCH, BY_STREAM, BY_EVENT, WHYS };

struct work {
	char name[24];
	unsigned thread, stream;
	nsec launched; /* end of the call */
	nsec start, end;
	enum why why;
	uint32_t source; /* BY_STREAM, BY_EVENT: the work before it */
	uint32_t call;   /* correlation */
};

struct span {
	nsec start, end;
	char name[24];
	enum paths_class class;
	uint32_t waits; /* a wait for this work; NOBODY: own time */
	bool hole;
	uint32_t call;   /* correlation of a runtime call, or 0 */
	uint32_t record; /* ACT_RECORD_WAIT's wait: the correlation of the record */
	unsigned stream; /* of a wait */
	bool opens;      /* with it a top-level operator begins */
};

struct machine {
	const struct paths *p;
	const struct paths_change *change;
	struct arena *arena;
	unsigned next[PATHS_THREADS]; /* action */
	nsec now[PATHS_THREADS];
	unsigned nspans[PATHS_THREADS], ntops[PATHS_THREADS];
	struct span *span[PATHS_THREADS];
	nsec top_end[PATHS_THREADS][ACTIONS + 1];
	bool open[PATHS_THREADS]; /* a top-level operator runs */
	uint32_t nworks, last[STREAMS], pending[STREAMS], ncalls;
	struct work *work;
	bool bound[WHYS + 1], used[WHYS + 1], told;
};

static nsec changed(const struct machine *m, const char *name, nsec t)
{
	const struct paths_change *c = m->change;

	if (!c || !c->name || strcmp(c->name, name) != 0)
		return t;
	return (t * c->num + c->den - 1) / c->den;
}

static struct span *spend(struct machine *m, unsigned t, const char *name, enum paths_class class,
			  nsec time)
{
	struct span *s = &m->span[t][m->nspans[t]++];

	*s = (struct span){ m->now[t], m->now[t] + time, "", class, NOBODY, false, 0, 0, 0, false };
	snprintf(s->name, sizeof(s->name), "%s", name);
	m->now[t] += time;
	return s;
}

static const char *call_name(const struct machine *m, const char *cuda, const char *hip)
{
	return m->p->rocm ? hip : cuda;
}

static void close_top(struct machine *m, unsigned t)
{
	if (m->open[t])
		m->top_end[t][m->ntops[t]++] = m->now[t];
	m->open[t] = false;
}

/* A latency, up to twice as long if it jitters; in every run the same for the same action. */
static nsec latency(const struct machine *m, nsec least, unsigned t)
{
	struct dice d = { m->p->jitter ^ ((uint64_t)(t * ACTIONS + m->next[t]) << 32) ^
			  (uint64_t)least };

	return m->p->jitter ? least + roll(&d, (uint32_t)least) : least;
}

/* The rule of the path: the source that ended last; at once: stream, event, launch. */
static void bind(struct machine *m, struct work *w, uint32_t stream, uint32_t event)
{
	const nsec takes[WHYS] = { [BY_LAUNCH] = latency(m, QUEUE, w->thread),
				   [BY_STREAM] = latency(m, GAP, w->thread),
				   [BY_EVENT] = latency(m, EVENT, w->thread) };
	const struct work *before = stream == NOBODY ? NULL : &m->work[stream];
	const struct work *source = event == NOBODY ? NULL : &m->work[event];
	nsec last = w->launched;

	w->start = w->launched + takes[BY_LAUNCH];
	if (before && before->end + takes[BY_STREAM] > w->start)
		w->start = before->end + takes[BY_STREAM];
	if (source && source->end + takes[BY_EVENT] > w->start)
		w->start = source->end + takes[BY_EVENT];
	w->why = BY_LAUNCH;
	if (source && source->end >= last) {
		w->why = BY_EVENT;
		w->source = event;
		last = source->end;
	}
	if (before && before->end >= last) {
		w->why = BY_STREAM;
		w->source = stream;
		last = before->end;
	}
	m->used[BY_LAUNCH] = true;
	m->used[BY_STREAM] = m->used[BY_STREAM] || before;
	m->used[BY_EVENT] = m->used[BY_EVENT] || source;
	m->bound[w->why] = true;
	m->told = m->told && w->start - last == takes[w->why];
}

static void act_launch(struct machine *m, unsigned t, const struct action *a)
{
	unsigned stream = 2 * t + a->stream;
	struct work *w = &m->work[m->nworks];
	char name[24];

	snprintf(name, sizeof(name), "k%u", a->name);
	struct span *s = spend(m, t, call_name(m, "cudaLaunchKernel", "hipLaunchKernel"),
			       PATHS_LAUNCH_API, LAUNCH);
	s->call = ++m->ncalls;
	*w = (struct work){ "", t, stream, m->now[t], 0, 0, BY_LAUNCH, NOBODY, s->call };
	memcpy(w->name, name, sizeof(name));
	bind(m, w, m->last[stream], m->pending[stream]);
	nsec time = changed(m, name, a->time);
	if (m->change && !m->change->name && m->change->op == m->nworks)
		time += m->change->longer;
	w->end = w->start + time;
	m->pending[stream] = NOBODY;
	m->last[stream] = m->nworks++;
}

/* Records what the thread has put on its other stream, and lets this stream wait for it. */
static void act_record_wait(struct machine *m, unsigned t, const struct action *a)
{
	unsigned from = 2 * t + !a->stream, to = 2 * t + a->stream;
	uint32_t source = m->last[from];

	/* Without rows a record is of the thread's last launch: make it so. */
	for (uint32_t i = m->nworks; source != NOBODY && i-- > source + 1;)
		if (m->work[i].thread == t)
			source = NOBODY;
	if (source == NOBODY)
		return;
	struct span *s = spend(m, t, call_name(m, "cudaEventRecord", "hipEventRecord"),
			       PATHS_RUNTIME_OTHER, CALL);
	s->call = ++m->ncalls;
	s->stream = from;
	uint32_t record = s->call;
	s = spend(m, t, call_name(m, "cudaStreamWaitEvent", "hipStreamWaitEvent"),
		  PATHS_RUNTIME_OTHER, CALL);
	s->call = ++m->ncalls;
	s->record = record;
	s->stream = to;
	m->pending[to] = source;
}

static void act_stream_sync(struct machine *m, unsigned t, const struct action *a)
{
	uint32_t work = m->last[2 * t + a->stream], other = m->last[2 * t + !a->stream];
	if (m->p->rocm && other != NOBODY &&
	    (work == NOBODY || m->work[other].end > m->work[work].end))
		work = other;
	nsec now = m->now[t], end = now + OWN, returns = latency(m, RETURN, t);
	bool waits = work != NOBODY && m->work[work].end > now;

	if (waits && m->work[work].end + returns > end)
		end = m->work[work].end + returns;
	struct span *s = spend(m, t, call_name(m, "cudaStreamSynchronize", "hipDeviceSynchronize"),
			       PATHS_SYNC, end - now);
	s->call = ++m->ncalls;
	s->stream = 2 * t + a->stream;
	s->waits = waits ? work : NOBODY;
	m->used[WHYS] = m->used[WHYS] || work != NOBODY;
	m->bound[WHYS] = m->bound[WHYS] || waits;
	m->told = m->told && (!waits || end - m->work[work].end == returns);
}

/* False if the other thread is not that far yet. */
static bool act_await(struct machine *m, unsigned t, const struct action *a)
{
	unsigned done = m->next[a->thread] >= m->p->n[a->thread];

	if (m->ntops[a->thread] < a->count && !done)
		return false;
	unsigned k = m->ntops[a->thread] < a->count ? m->ntops[a->thread] : a->count;
	nsec until = (k ? m->top_end[a->thread][k - 1] : 0) + HANDOFF;
	if (until > m->now[t])
		spend(m, t, "-", PATHS_HANDOFF, until - m->now[t])->hole = true;
	return true;
}

static void act_run(struct machine *m, unsigned t, const struct action *a)
{
	char name[24];

	snprintf(name, sizeof(name), "op%u", a->name);
	spend(m, t, name, PATHS_CPU_OP, changed(m, name, a->time));
}

static bool step(struct machine *m, unsigned t)
{
	const struct action *a = &m->p->at[t][m->next[t]];
	unsigned first = m->nspans[t];

	if (a->act == ACT_AWAIT) {
		if (!act_await(m, t, a))
			return false;
		m->next[t]++;
		return true;
	}
	if (a->top || !m->open[t])
		close_top(m, t);
	bool opens = !m->open[t];
	m->open[t] = true;
	switch (a->act) {
	case ACT_LAUNCH:
		act_launch(m, t, a);
		break;
	case ACT_RECORD_WAIT:
		act_record_wait(m, t, a);
		break;
	case ACT_STREAM_SYNC:
		act_stream_sync(m, t, a);
		break;
	default:
		act_run(m, t, a);
	}
	if (m->nspans[t] > first)
		m->span[t][first].opens = opens;
	if (++m->next[t] == m->p->n[t])
		close_top(m, t);
	return true;
}

static void run_all(struct machine *m)
{
	for (bool moved = true; moved;) {
		bool tried[PATHS_THREADS] = { false };
		moved = false;
		while (!moved) {
			unsigned best = NOBODY;
			for (unsigned t = 0; t < m->p->nthreads; t++)
				if (!tried[t] && m->next[t] < m->p->n[t] &&
				    (best == NOBODY || m->now[t] < m->now[best]))
					best = t;
			if (best == NOBODY)
				return;
			tried[best] = true;
			moved = step(m, best);
		}
	}
}

/* The last top-level end of another thread in (from, to]; false if there is none. */
static bool handed_over(const struct machine *m, unsigned thread, nsec from, nsec to, nsec *at,
			unsigned *by)
{
	bool found = false;

	for (unsigned t = 0; t < m->p->nthreads; t++)
		for (unsigned i = 0; t != thread && i < m->ntops[t]; i++) {
			nsec end = m->top_end[t][i];
			if (end > from && end <= to && (!found || end > *at)) {
				found = true;
				*at = end;
				*by = t;
			}
		}
	return found;
}

/* Was every hole ended by the thread that the rule takes for it? */
static bool holes_are_told(const struct machine *m)
{
	nsec at = 0;
	unsigned by;

	for (unsigned t = 0; t < m->p->nthreads; t++)
		for (unsigned i = 0; i < m->nspans[t]; i++) {
			const struct span *s = &m->span[t][i];
			if (s->hole &&
			    (!handed_over(m, t, s->start ? s->start : -1, s->end, &at, &by) ||
			     at + HANDOFF != s->end))
				return false;
		}
	return true;
}

static struct machine machine_run(const struct paths *p, const struct paths_change *change,
				  struct arena *a)
{
	struct machine m = { .p = p, .change = change, .arena = a, .told = true };

	for (unsigned t = 0; t < p->nthreads; t++)
		m.span[t] = NEW(a, 2 * ACTIONS, struct span);
	m.work = NEW(a, PATHS_THREADS * ACTIONS, struct work);
	for (unsigned s = 0; s < STREAMS; s++)
		m.last[s] = m.pending[s] = NOBODY;
	run_all(&m);
	m.told = m.told && holes_are_told(&m);
	return m;
}

/* ---- What decided it ---- */

struct walk {
	const struct machine *m;
	nsec t;
	uint32_t work;   /* on this work, at its end; or */
	unsigned thread; /* on this thread */
	struct paths_run *run;
};

static void segment(struct walk *w, nsec start, enum paths_class class, const char *name)
{
	struct paths_segment *s = &w->run->segment[w->run->nsegments];

	if (start >= w->t)
		return;
	*s = (struct paths_segment){ start, w->t, class, "" };
	snprintf(s->name, sizeof(s->name), "%s", name);
	w->run->nsegments++;
	w->t = start;
}

static void back_through_work(struct walk *w)
{
	const struct work *k = &w->m->work[w->work];

	segment(w, k->start, PATHS_COMPUTE, k->name);
	if (k->why == BY_LAUNCH) {
		segment(w, k->launched, PATHS_LAUNCH_QUEUE, k->name);
		w->thread = k->thread;
		w->work = NOBODY;
	} else {
		segment(w, w->m->work[k->source].end,
			k->why == BY_STREAM ? PATHS_GPU_GAP : PATHS_SYNC, k->name);
		w->work = k->source;
	}
}

static bool back_through_thread(struct walk *w)
{
	const struct machine *m = w->m;
	unsigned i = 0;

	while (i < m->nspans[w->thread] && m->span[w->thread][i].end < w->t)
		i++;
	if (i == m->nspans[w->thread])
		return false;
	const struct span *s = &m->span[w->thread][i];
	nsec at = 0;
	unsigned by = 0;
	if (s->hole && handed_over(m, w->thread, s->start ? s->start : -1, s->end, &at, &by)) {
		segment(w, at, PATHS_HANDOFF, "-");
		w->thread = by;
	} else if (s->waits != NOBODY) {
		segment(w, m->work[s->waits].end, PATHS_SYNC, s->name);
		w->work = s->waits;
	} else {
		segment(w, s->start, s->class, s->name);
	}
	return true;
}

static void find_path(struct walk *w)
{
	const struct machine *m = w->m;

	w->work = NOBODY;
	for (unsigned t = 0; t < m->p->nthreads; t++)
		if (m->now[t] > w->t) {
			w->t = m->now[t];
			w->thread = t;
		}
	for (uint32_t i = 0; i < m->nworks; i++)
		if (m->work[i].end >= w->t) {
			w->t = m->work[i].end;
			w->work = i;
		}
	w->run->window = w->t;
	while (w->t > 0) {
		if (w->work != NOBODY)
			back_through_work(w);
		else if (!back_through_thread(w))
			break;
	}
}

/* Neighbours of one event are one segment; the list is turned to rise. */
static void finish_path(struct paths_run *run)
{
	struct paths_segment *s = run->segment;

	for (uint32_t i = 0, j = run->nsegments; i + 1 < j; i++) {
		struct paths_segment swap = s[i];
		s[i] = s[--j];
		s[j] = swap;
	}
}

struct paths_run paths_run(const struct paths *p, const struct paths_change *change,
			   struct arena *a)
{
	struct machine m = machine_run(p, change, a);
	struct paths_run run = { .nops = m.nworks,
				 .op = NEW(a, m.nworks, struct paths_op),
				 .segment = NEW(a, 8 * PATHS_THREADS * ACTIONS,
						struct paths_segment),
				 .told = m.told,
				 .exact = m.told && !p->jitter };
	struct walk w = { .m = &m, .run = &run };

	for (int k = 0; k <= WHYS; k++)
		run.exact = run.exact && (!m.used[k] || m.bound[k]);

	for (uint32_t i = 0; i < m.nworks; i++) {
		memcpy(run.op[i].name, m.work[i].name, sizeof(run.op[i].name));
		run.op[i].start = m.work[i].start;
		run.op[i].end = m.work[i].end;
	}
	find_path(&w);
	finish_path(&run);
	return run;
}

/* ---- As a trace ---- */

static void put_event(struct textbuf *b, const char *cat, const char *name, unsigned pid,
		      unsigned tid, nsec start, nsec end, const char *args)
{
	textbuf_print(
		b,
		"%s\n{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %u, \"tid\": "
		"%u, \"ts\": %" PRId64 ".%03d, \"dur\": %" PRId64 ".%03d, \"args\": {%s}}",
		b->p[b->n - 1] == '[' ? "" : ",", cat, name, pid, tid, start / US,
		(int)(start % US), (end - start) / US, (int)((end - start) % US), args);
}

/* A top-level operator is one event; its own time is what its calls and operators leave. */
static void put_thread(const struct machine *m, unsigned t, struct textbuf *b)
{
	char args[200];

	for (unsigned i = 0; i < m->nspans[t]; i++) {
		const struct span *s = &m->span[t][i];
		snprintf(args, sizeof(args), "\"correlation\": %u", s->call);
		if (s->hole)
			continue;
		if (s->class == PATHS_CPU_OP)
			put_event(b, "cpu_op", s->name, 100, 100 + t, s->start, s->end, "");
		else
			put_event(b, "cuda_runtime", s->name, 100, 100 + t, s->start, s->end, args);
		if (m->p->rocm)
			continue;
		int n = snprintf(args, sizeof(args),
				 "\"stream\": %u, \"correlation\": %u, \"device\": 0",
				 7 + s->stream, s->call);
		if (s->class == PATHS_SYNC)
			put_event(b, "cuda_sync", "Stream Sync", 0, 7 + s->stream, s->start, s->end,
				  args);
		snprintf(args + n, sizeof(args) - (size_t)n,
			 ", \"wait_on_stream\": %u, \"wait_on_cuda_event_record_corr_id\": %u",
			 7 + (s->stream ^ 1), s->record);
		if (s->record)
			put_event(b, "cuda_sync", "Stream Wait Event", 0, 7 + s->stream, s->start,
				  s->end, args);
	}
}

/* Around the spans of each top-level operator, one event that has no time of its own. */
static void put_tops(const struct machine *m, unsigned t, struct textbuf *b)
{
	unsigned top = 0;

	for (unsigned i = 0; i < m->nspans[t]; i++)
		if (m->span[t][i].opens) {
			put_event(b, "cpu_op", "top", 100, 100 + t, m->span[t][i].start,
				  m->top_end[t][top], "");
			top++;
		}
}

void paths_trace(const struct paths *p, struct textbuf *out)
{
	struct arena scratch = { 0 };
	struct machine m = machine_run(p, NULL, &scratch);
	char args[80];

	textbuf_print(out, "{\"traceEvents\": [");
	for (unsigned t = 0; t < p->nthreads; t++) {
		put_tops(&m, t, out);
		put_thread(&m, t, out);
	}
	for (uint32_t i = 0; i < m.nworks; i++) {
		const struct work *w = &m.work[i];
		snprintf(args, sizeof(args), "\"stream\": %u, \"correlation\": %u, \"device\": 0",
			 7 + w->stream, w->call);
		put_event(out, "kernel", w->name, 0, 7 + w->stream, w->start, w->end, args);
	}
	textbuf_print(out, "\n]}\n");
	arena_free(&scratch);
}

/* ---- For people ---- */

static void write_known(const struct paths *p, FILE *f, struct arena *a)
{
	struct paths_run run = paths_run(p, NULL, a);

	fprintf(f, "{\"window_ns\": %" PRId64 ", \"exact\": %s,\n\"path\": [", run.window,
		run.exact ? "true" : "false");
	for (uint32_t i = 0; i < run.nsegments; i++)
		fprintf(f,
			"%s\n  {\"start_ns\": %" PRId64 ", \"dur_ns\": %" PRId64
			", \"class\": \"%s\", \"name\": \"%s\"}",
			i ? "," : "", run.segment[i].start,
			run.segment[i].end - run.segment[i].start,
			paths_class_names[run.segment[i].class], run.segment[i].name);
	fprintf(f, "],\n\"what_if\": [");
	for (unsigned i = 0; i < PATHS_NAMES; i++) {
		char name[24];
		snprintf(name, sizeof(name), "k%u", i);
		struct paths_change change = { name, 1, 2, 0, 0 };
		fprintf(f,
			"%s\n  {\"target\": \"%s\", \"factor\": \"2x\", \"window_ns\": %" PRId64
			"}",
			i ? "," : "", name, paths_run(p, &change, a).window);
	}
	fprintf(f, "]}\n");
}

static bool write_file(const char *path, struct str text)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(text.p, 1, text.n, f) == text.n;

	if (f)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "synth: %s: cannot write\n", path);
	return ok;
}

bool paths_write(uint64_t seed, bool rocm, const char *path)
{
	struct arena a = { 0 };
	struct paths *p = paths_make(seed, rocm, &a);
	struct textbuf text = { .arena = &a };
	size_t n = strlen(path), stem = n > 5 && !strcmp(path + n - 5, ".json") ? n - 5 : n;
	char *known_path = arena_print(&a, "%.*s.known.json", (int)stem, path), *known = NULL;
	size_t size = 0;

	paths_trace(p, &text);
	FILE *f = open_memstream(&known, &size);
	if (!f)
		abort();
	write_known(p, f, &a);
	fclose(f);
	bool ok = write_file(path, (struct str){ text.p, text.n }) &&
		  write_file(known_path, (struct str){ known, size });
	free(known);
	arena_free(&a);
	return ok;
}
