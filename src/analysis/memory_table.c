/* The answer about memory: the peak of each device, its operators, and every change. */
#include "analysis/doubt.h"
#include "analysis/memory.h"
#include "base/say.h"

struct answering {
	struct trace *tr;
	struct lp_answer *ans;
	struct arena *a; /* of the answer */
	const struct memory *m;
};

static const char *text_of(const struct answering *x, string_id s)
{
	return s == NONE ? NULL : strings_get(&x->tr->strings, s).p;
}

static int64_t *numbers(const struct answering *x, uint32_t n)
{
	return NEW(x->a, (size_t)n + 1, int64_t);
}

static const char **texts(const struct answering *x, uint32_t n)
{
	return NEW(x->a, (size_t)n + 1, const char *);
}

static void add_peaks(struct answering *x)
{
	const struct memory *m = x->m;
	uint32_t n = m->ndevices;
	struct lp_table *t = answer_table(x->ans, "memory_peak", n);
	const char **device = texts(x, n), **op = texts(x, n), **stack = texts(x, n);
	int64_t *peak = numbers(x, n), *at = numbers(x, n), *bytes = numbers(x, n),
		*rest = numbers(x, n), *start = numbers(x, n), *end = numbers(x, n),
		*allocated = numbers(x, n), *freed = numbers(x, n), *reserved = numbers(x, n),
		*changes = numbers(x, n), *odd = numbers(x, n);

	for (uint32_t i = 0; i < n; i++) {
		const struct memory_device *d = &m->device[i];
		const struct memory_change *c = &m->change[d->peak];

		device[i] = d->name;
		peak[i] = c->total;
		at[i] = x->tr->ev.ts[c->event] - x->tr->base;
		op[i] = text_of(x, c->op);
		stack[i] = memory_stack(x->a, x->tr, c->node);
		bytes[i] = c->bytes;
		rest[i] = d->rest;
		start[i] = d->start;
		end[i] = m->change[d->first + d->n - 1].total;
		allocated[i] = d->allocated;
		freed[i] = d->freed;
		reserved[i] = d->reserved_peak;
		changes[i] = d->n;
		odd[i] = d->odd;
	}
	t->whole = true;
	table_str(t, "device", "device", 0, device, "whose memory");
	table_i64(t, "peak_bytes", "peak", LP_BYTES, 0, peak, "most that was allocated at once");
	table_i64(t, "peak_ns", "at", LP_NSEC, 0, at, "when it was first reached");
	table_str(t, "op", "in", LP_NAME, op, "the operator, else the call, that reached it");
	table_i64(t, "bytes", "with", LP_BYTES, LP_LESSER, bytes, "the allocation that reached it");
	table_i64(t, "rest_bytes", "from before", LP_BYTES, LP_LESSER, rest,
		  "of the peak: allocated before the trace, or by whom is not known");
	table_i64(t, "start_bytes", "start", LP_BYTES, 0, start, "before the first change");
	table_i64(t, "end_bytes", "end", LP_BYTES, 0, end, "after the last one");
	table_i64(t, "allocated_bytes", "allocated", LP_BYTES, LP_DETAIL, allocated,
		  "sum of what was allocated");
	table_i64(t, "freed_bytes", "freed", LP_BYTES, LP_DETAIL, freed, "sum of what was freed");
	table_i64(t, "reserved_peak_bytes", "reserved", LP_BYTES, LP_LESSER, reserved,
		  "most that the allocator had taken from the device");
	table_i64(t, "changes", "changes", LP_COUNT, LP_LESSER, changes,
		  "allocations and frees in the trace");
	table_i64(t, "odd_changes", "odd", LP_COUNT, LP_DETAIL, odd,
		  "changes that do not fit the total before them");
	table_str(t, "stack", "stack", LP_DETAIL, stack, "the calls at the peak, from the root");
}

static void add_ops(struct answering *x)
{
	const struct memory *m = x->m;
	uint32_t n = m->nops;
	struct lp_table *t = answer_table(x->ans, "memory_ops", n);
	const char **device = texts(x, n), **op = texts(x, n);
	int64_t *allocations = numbers(x, n), *allocated = numbers(x, n), *largest = numbers(x, n),
		*frees = numbers(x, n), *freed = numbers(x, n), *net = numbers(x, n),
		*at_peak = numbers(x, n);

	for (uint32_t i = 0; i < n; i++) {
		const struct memory_op *o = &m->op[i];

		device[i] = m->device[o->device].name;
		op[i] = text_of(x, o->op);
		allocations[i] = o->allocations;
		allocated[i] = o->allocated;
		largest[i] = o->largest;
		frees[i] = o->frees;
		freed[i] = o->freed;
		net[i] = o->allocated - o->freed;
		at_peak[i] = o->at_peak;
	}
	table_str(t, "device", "device", LP_GROUP, device, "whose memory");
	table_str(t, "op", "operator", LP_NAME, op, "the operator, else the call, that runs then");
	table_i64(t, "allocations", "count", LP_COUNT, LP_SUM, allocations, "allocations");
	table_i64(t, "allocated_bytes", "allocated", LP_BYTES, LP_SUM, allocated, "their sum");
	table_i64(t, "largest_bytes", "largest", LP_BYTES, 0, largest, "the largest of them");
	table_i64(t, "at_peak_bytes", "at the peak", LP_BYTES, LP_SUM, at_peak,
		  "of the device's peak: what it had allocated");
	table_i64(t, "frees", "frees", LP_COUNT, LP_SUM | LP_LESSER, frees, "times it freed some");
	table_i64(t, "freed_bytes", "freed", LP_BYTES, LP_SUM | LP_LESSER, freed, "their sum");
	table_i64(t, "net_bytes", "net", LP_BYTES, LP_SUM | LP_LESSER, net, "allocated less freed");
}

static void add_changes(struct answering *x)
{
	const struct memory *m = x->m;
	uint32_t n = m->n;
	struct lp_table *t = answer_table(x->ans, "memory", n);
	const char **device = texts(x, n), **op = texts(x, n);
	int64_t *time = numbers(x, n), *total = numbers(x, n), *reserved = numbers(x, n),
		*bytes = numbers(x, n);

	for (uint32_t d = 0; d < m->ndevices; d++)
		for (uint32_t i = m->device[d].first; i < m->device[d].first + m->device[d].n; i++)
			device[i] = m->device[d].name;
	for (uint32_t i = 0; i < n; i++) {
		const struct memory_change *c = &m->change[i];

		time[i] = x->tr->ev.ts[c->event] - x->tr->base;
		total[i] = c->total;
		reserved[i] = c->reserved;
		bytes[i] = c->bytes;
		op[i] = text_of(x, c->op);
	}
	t->detail = true;
	table_i64(t, "time_ns", "at", LP_NSEC, 0, time, "since the first event");
	table_str(t, "device", "device", 0, device, "whose memory");
	table_i64(t, "allocated_bytes", "allocated", LP_BYTES, 0, total, "after the change");
	table_i64(t, "reserved_bytes", "reserved", LP_BYTES, 0, reserved,
		  "what the allocator had taken from the device");
	table_i64(t, "bytes", "change", LP_BYTES, LP_DELTA, bytes, "allocated, or freed: below 0");
	table_str(t, "op", "operator", LP_NAME, op, "the operator, else the call, that runs then");
}

static void say_peak(struct answering *x)
{
	const struct memory *m = x->m;
	const struct memory_device *most = NULL;

	for (uint32_t d = 0; d < m->ndevices; d++)
		if (!most || m->change[m->device[d].peak].total > m->change[most->peak].total)
			most = &m->device[d];
	if (!most) {
		answer_headline(x->ans,
				"No memory events: it was recorded without profile_memory.");
		return;
	}
	const struct memory_change *c = &m->change[most->peak];
	const char *op = text_of(x, c->op);
	answer_headline(x->ans,
			"%s holds at most %s, at %s%s%s; %s of it not allocated in the trace.",
			most->name, say_bytes(x->a, c->total),
			say_time(x->a, x->tr->ev.ts[c->event] - x->tr->base), op ? " in " : "",
			op ? op : "", say_bytes(x->a, most->rest));
}

static void doubt(struct answering *x)
{
	int64_t odd = 0;

	for (uint32_t d = 0; d < x->m->ndevices; d++)
		odd += x->m->device[d].odd;
	if (odd)
		answer_doubt(x->ans,
			     "%s not fit the total before: events are missing, and what "
			     "operators hold may be wrong",
			     say_many(x->a, odd, "change of memory does", "changes of memory do"));
	if (x->m->skipped)
		answer_doubt(
			x->ans, "%s no size, total, device or time; left out",
			say_many(x->a, x->m->skipped, "memory event has", "memory events have"));
	doubt_reading(x->ans, x->tr);
}

struct lp_answer *lp_memory(struct lp_trace *pub, struct lp_error *err)
{
	struct answering x = { .tr = (struct trace *)pub, .ans = answer_new() };

	(void)err;
	x.a = answer_arena(x.ans);
	/* names of devices are shown, so they live as long as the answer */
	struct memory m = memory_read(x.a, x.tr);
	x.m = &m;
	say_peak(&x);
	add_peaks(&x);
	add_ops(&x);
	add_changes(&x);
	doubt(&x);
	if (m.n)
		answer_next(x.ans, "every change", "longpole memory %s --table memory",
			    say_path(x.a, x.tr->source.path));
	return x.ans;
}
