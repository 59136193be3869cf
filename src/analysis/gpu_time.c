/* One list of intervals per class, made a set each; the rest is set algebra. */
#include "analysis/gpu_time.h"

#include "algo/spans.h"
#include "base/check.h"

#define CLASSES (GPU_COPY + 1)

struct classed {
	struct span *at[CLASSES];
	size_t n[CLASSES];
};

static void add_event(struct gpu_time *t, struct classed *c, const struct trace *tr, event_id e,
		      nsec from, nsec to)
{
	if (!trace_timed(tr, e) || tr->ev.ts[e] >= to || trace_end(tr, e) < from ||
	    (trace_end(tr, e) == from && tr->ev.dur[e]))
		return;
	enum gpu_class class = gpu_class(tr, e);
	struct span s = { MAX_OF(tr->ev.ts[e], from), MIN_OF(trace_end(tr, e), to) };

	/* An event without length opens and closes the stretch, too, though it is no work. */
	t->start = t->timed ? MIN_OF(t->start, s.start) : s.start;
	t->end = t->timed ? MAX_OF(t->end, s.end) : s.end;
	t->timed++;
	c->at[class][c->n[class]++] = s;
}

static void sum_up(struct gpu_time *t, const struct classed *c, struct arena *a)
{
	struct spans compute = spans_union(a, c->at[GPU_COMPUTE], c->n[GPU_COMPUTE]);
	struct spans comm = spans_union(a, c->at[GPU_COMM], c->n[GPU_COMM]);
	struct spans copy = spans_union(a, c->at[GPU_COPY], c->n[GPU_COPY]);
	struct spans open_copy = spans_subtract(a, spans_subtract(a, copy, compute), comm);

	t->computation = spans_length(compute);
	t->communication = spans_length(comm);
	t->copies = spans_length(copy);
	t->exposed_communication = spans_length(spans_subtract(a, comm, compute));
	t->exposed_copies = spans_length(open_copy);
	t->total = t->end - t->start;
}

/* Apart from the classes, so that their sum can be checked against it. */
static nsec busy_time(const struct classed *c, uint32_t timed, struct arena *a)
{
	struct span *all = NEW(a, timed, struct span);
	size_t n = 0;

	for (int class = 0; class < CLASSES; class ++) {
		if (c->n[class])
			memcpy(all + n, c->at[class], c->n[class] * sizeof(*all));
		n += c->n[class];
	}
	return spans_length(spans_union(a, all, n));
}

struct gpu_time gpu_time_of(const struct trace *tr, const event_id *e, uint32_t n, nsec from,
			    nsec to)
{
	struct gpu_time t = { .n = n };
	struct classed c = { 0 };
	struct arena scratch = { 0 };

	for (int class = 0; class < CLASSES; class ++)
		c.at[class] = NEW(&scratch, n, struct span);
	for (uint32_t i = 0; i < n; i++)
		add_event(&t, &c, tr, e[i], from, to);
	sum_up(&t, &c, &scratch);
	t.busy = busy_time(&c, t.timed, &scratch);
	t.idle = t.total - t.busy;
	CHECK(t.computation + t.exposed_communication + t.exposed_copies + t.idle == t.total);
	arena_free(&scratch);
	return t;
}
