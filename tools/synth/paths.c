/*
 * The machine runs one action at a time, of the thread that is furthest behind; what a launch
 * puts on a stream runs from then on by itself, so its start and end are known at once.
 *
 * Each thread's time is a list of spans without a gap between them: its own time, waits, and
 * holes in which it had to be handed something.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>

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

bool machine_handed_over(const struct machine *m, unsigned thread, nsec from, nsec to, nsec *at,
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
			if (s->hole && (!machine_handed_over(m, t, s->start ? s->start : -1, s->end,
							     &at, &by) ||
					at + HANDOFF != s->end))
				return false;
		}
	return true;
}

struct machine machine_run(const struct paths *p, const struct paths_change *change,
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
