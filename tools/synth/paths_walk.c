/*
 * The path goes back through the spans of threads and the work of streams, by the plainest
 * means: every step looks for its span among all.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>

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
	if (s->hole &&
	    machine_handed_over(m, w->thread, s->start ? s->start : -1, s->end, &at, &by)) {
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
