/*
 * The call tree of the original: events by start, equal starts as in the file, and a
 * stack per thread. An event that outlives the top of the stack by less than 1 us of
 * overlap goes below the next one; any other is left out, with all that it launched.
 * Times are compared as the doubles the original computes, so that its rounding decides
 * the same ties.
 */
#include "analysis/tracediff.h"

#include "algo/sort.h"
#include "analysis/diff_load.h"
#include "trace/link.h"

struct open_call {
	double end;
	uint32_t node;
	bool op; /* it or one below it on the stack is an operator */
};

struct tree_loader {
	struct diff_sides *d;
	struct diff_side *s;
	struct trace *tr;
	const struct links *l;
	uint32_t *first, *work; /* GPU events of each host event, in file order */
	uint32_t *cpu_root, ncpu_roots;
	struct open_call *stack;
	uint32_t depth;
	bool python;
	struct arena scratch;
};

/* Microseconds, rounded as the decimal text is. */
static double micros(nsec t)
{
	nsec exact = (nsec)1 << 53;

	return t > -exact && t < exact ? (double)t / 1000.0 : (double)((long double)t / 1000.0L);
}

static double end_of(const struct trace *tr, event_id e)
{
	return micros(tr->ev.ts[e]) + micros(tr->ev.dur[e]);
}

static enum diff_kind kind_of(const struct trace *tr, event_id e)
{
	struct str name = trace_name(tr, e);

	switch ((enum kind)tr->ev.kind[e]) {
	case KIND_CPU_OP:
		return DIFF_OP;
	case KIND_PYTHON:
		return DIFF_PYTHON;
	case KIND_COPY:
		return DIFF_COPY;
	case KIND_SET:
		return DIFF_SET;
	case KIND_RUNTIME:
		return str_eq(name, STR("cudaGraphLaunch")) || str_eq(name, STR("hipGraphLaunch"))
			       ? DIFF_GRAPH
			       : DIFF_CALL;
	default:
		return DIFF_KERNEL;
	}
}

static uint32_t add_node(struct tree_loader *o, uint32_t parent, event_id e)
{
	struct diff_side *s = o->s;
	uint32_t i = s->n++;
	struct str name = e == NONE ? STR("") : trace_name(o->tr, e);
	char number[16];

	s->kind[i] = (uint8_t)(e == NONE ? DIFF_TRACE : kind_of(o->tr, e));
	s->parent[i] = parent;
	s->event[i] = e;
	s->dims[i] = s->types[i] = NONE;
	s->ts[i] = e == NONE ? NSEC_NONE : o->tr->ev.ts[e];
	if (e != NONE && !name.n) {
		s->flags[i] |= DIFF_NAMELESS;
		name = (struct str){ number, (size_t)snprintf(number, sizeof(number), "%u", e) };
	}
	s->name[i] = diff_names_add(&o->d->names, name);
	return i;
}

static bool takes_part(const struct tree_loader *o, event_id e)
{
	enum kind k = o->tr->ev.kind[e];

	return (k == KIND_CPU_OP || k == KIND_RUNTIME || (k == KIND_PYTHON && o->python)) &&
	       trace_slice(o->tr, e) && o->tr->ev.ts[e] != NSEC_NONE &&
	       o->tr->ev.dur[e] != NSEC_NONE && o->tr->ev.lane[e] != NONE;
}

static bool lane_then_start(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	if (tr->ev.lane[a] != tr->ev.lane[b])
		return tr->ev.lane[a] < tr->ev.lane[b];
	return tr->ev.ts[a] < tr->ev.ts[b];
}

static void pop(struct tree_loader *o)
{
	const struct open_call *c = &o->stack[--o->depth];
	event_id e = o->s->event[c->node];

	for (uint32_t w = o->first[e]; w < o->first[e + 1]; w++)
		add_node(o, c->node, o->work[w]);
}

/* False: the event has no place in the tree. */
static bool make_room(struct tree_loader *o, event_id e)
{
	double ts = micros(o->tr->ev.ts[e]), end = end_of(o->tr, e);

	while (o->depth && o->stack[o->depth - 1].end <= ts)
		pop(o);
	if (!o->depth || end <= o->stack[o->depth - 1].end)
		return true;
	if (o->stack[o->depth - 1].end - ts >= 1.0 || o->depth < 2)
		return false;
	pop(o);
	return true;
}

static void push(struct tree_loader *o, event_id e)
{
	const struct open_call *top = o->depth ? &o->stack[o->depth - 1] : NULL;
	bool op = o->tr->ev.kind[e] == KIND_CPU_OP, above = top && top->op;
	uint32_t node = add_node(o, top ? top->node : 0, e);

	if (op && !above)
		o->cpu_root[o->ncpu_roots++] = node;
	o->stack[o->depth++] = (struct open_call){ end_of(o->tr, e), node, op || above };
}

static void nest(struct tree_loader *o)
{
	uint32_t n = 0, *order = NEW(&o->scratch, o->tr->ev.n, uint32_t);

	for (event_id e = 0; e < o->tr->ev.n; e++)
		if (takes_part(o, e))
			order[n++] = e;
	sort_ids(order, n, NEW(&o->scratch, n, uint32_t), lane_then_start, o->tr);
	o->stack = NEW(&o->scratch, n, struct open_call);
	o->cpu_root = NEW(&o->scratch, n, uint32_t);
	for (uint32_t i = 0; i < n; i++) {
		if (i && o->tr->ev.lane[order[i]] != o->tr->ev.lane[order[i - 1]])
			while (o->depth)
				pop(o);
		if (make_room(o, order[i]))
			push(o, order[i]);
	}
	while (o->depth)
		pop(o);
}

static bool event_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct links *l = ctx;

	return l->gpu[a] < l->gpu[b];
}

/* The GPU events of each host event: counted, summed up, dealt out in the order of the file. */
static void list_work(struct tree_loader *o)
{
	const struct links *l = o->l;
	uint32_t n = 0, *row = NEW(&o->scratch, l->n, uint32_t);

	for (uint32_t i = 0; i < l->n; i++)
		if (l->launch[i] != NONE)
			row[n++] = i;
	sort_ids(row, n, NEW(&o->scratch, n, uint32_t), event_before, l);
	o->first = NEW(&o->scratch, (size_t)o->tr->ev.n + 2, uint32_t);
	o->work = NEW(&o->scratch, n, uint32_t);
	for (uint32_t i = 0; i < n; i++)
		o->first[l->launch[row[i]] + 2]++;
	for (event_id e = 0; e < o->tr->ev.n; e++)
		o->first[e + 2] += o->first[e + 1];
	for (uint32_t i = 0; i < n; i++)
		o->work[o->first[l->launch[row[i]] + 1]++] = l->gpu[row[i]];
}

static void make_arrays(struct tree_loader *o)
{
	struct diff_side *s = o->s;
	struct arena *a = &o->d->arena;
	uint32_t n = 1 + o->l->nlinked;

	for (event_id e = 0; e < o->tr->ev.n; e++)
		n += takes_part(o, e);
	diff_side_room(s, a, n);
	s->ts = NEW(a, n, nsec);
}

static void set_ends(struct diff_side *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		s->end[i] = i + 1;
	for (uint32_t i = s->n; i-- > 1;)
		s->end[s->parent[i]] = MAX_OF(s->end[s->parent[i]], s->end[i]);
}

/* Roots stand by start over all threads, equal starts as in the file. */
static bool root_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct diff_side *s = ctx;

	return s->ts[a] != s->ts[b] ? s->ts[a] < s->ts[b] : s->event[a] < s->event[b];
}

static struct tree_loader load_side(struct diff_sides *d, int k, struct trace *tr,
				    struct tracediff_options opt)
{
	struct tree_loader o = { .d = d, .s = &d->side[k], .tr = tr, .python = opt.python };

	o.l = trace_launches(tr, LINK_TRACELENS);
	o.s->tr = tr;
	o.s->from = INT64_MIN;
	o.s->to = INT64_MAX;
	make_arrays(&o);
	list_work(&o);
	add_node(&o, NONE, NONE);
	nest(&o);
	set_ends(o.s);
	diff_load_shapes(d, k);
	sort_ids(o.cpu_root, o.ncpu_roots, NEW(&o.scratch, o.ncpu_roots, uint32_t), root_before,
		 o.s);
	return o;
}

void tracediff_load(struct diff_sides *d, struct tracediff_side t[2], struct trace *before,
		    struct trace *after, struct tracediff_options o)
{
	struct tree_loader l[2];

	d->names.style = DIFF_TRACELENS;
	l[0] = load_side(d, 0, before, o);
	l[1] = load_side(d, 1, after, o);
	diff_sides_finish(d);
	for (int k = 0; k < 2; k++) {
		t[k] = tracediff_roots(&d->side[k], l[k].cpu_root, l[k].ncpu_roots, o.compat_roots,
				       &d->arena);
		arena_free(&l[k].scratch);
	}
}

/* ---- Roots ---- */

/* The only child, if the walk down from a root steps onto it. */
static uint32_t step_down(const struct diff_side *s, uint32_t i)
{
	uint32_t c = diff_first(s, i);

	if (c >= s->end[i] || s->end[c] != s->end[i])
		return NONE;
	return s->kind[c] == DIFF_OP || s->kind[c] == DIFF_CALL ? NONE : c;
}

static uint32_t top_of(const struct diff_side *s, uint32_t i)
{
	while (s->parent[i])
		i = s->parent[i];
	return i;
}

struct tracediff_side tracediff_roots(struct diff_side *s, const uint32_t *cpu_root, uint32_t n,
				      bool compat, struct arena *a)
{
	struct tracediff_side t = { .s = s };
	uint8_t *seen = NEW(a, s->n, uint8_t); /* of each top: how often, up to 2 */

	t.root = NEW(a, 2 * (size_t)n, uint32_t);
	t.top = NEW(a, n, uint32_t);
	t.lifted = NEW(a, n, uint32_t);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t top = top_of(s, cpu_root[i]), end = top;

		for (uint32_t next; (next = step_down(s, end)) != NONE;)
			end = next;
		if (seen[top] < 2)
			seen[top]++;
		else
			continue;
		if (seen[top] == 1) {
			t.root[t.nroots++] = end;
			if (end == top)
				continue;
			t.top[t.nlifted] = top;
			t.lifted[t.nlifted++] = end;
		} else if (compat && end != top) {
			t.root[t.nroots++] = top;
		}
	}
	return t;
}
