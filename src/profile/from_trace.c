/*
 * Nodes of the call tree are in preorder, thread by thread, so a node's stack is its parent's
 * and its own function. Self time is what no child covers:
 *
 *	parent   |-----[ child ]---[ child ]----|
 *	self     |=====         ===         ====|     three pieces, if a window may cut them
 *
 * GPU work goes to the stack of its launch; what has none, to a thread of its own.
 */
#include "profile/from_trace.h"

#include "trace/link.h"
#include "trace/tree.h"
#include "base/alloc.h"

#include <stdlib.h>

struct maker {
	struct trace *tr;
	const struct tree *t;
	struct trace_stacks o;
	struct profile *p;
	struct arena scratch;
	func_id *func;   /* by string_id; NONE: not asked for yet */
	stack_id *stack; /* by node */
};

/* ---- Names ---- */

static struct str cut_address(struct maker *m, struct str s)
{
	static const char at[] = " at 0x";
	const char *from = memmem(s.p, s.n, at, sizeof(at) - 1), *p;

	if (!from)
		return s;
	for (p = from + sizeof(at) - 1;
	     p < s.p + s.n && strchr("0123456789abcdefABCDEF", *p) && *p;)
		p++;
	size_t head = (size_t)(from - s.p), tail = (size_t)(s.p + s.n - p);
	char *text = arena_alloc(&m->scratch, head + tail + 1);

	memcpy(text, s.p, head);
	memcpy(text + head, p, tail);
	return (struct str){ text, head + tail };
}

/* "nn.Module: Linear_12" is a Linear. */
static struct str cut_instance(struct str s)
{
	size_t n = s.n;

	if (!str_starts(s, STR("nn.Module: ")))
		return s;
	while (n && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
		n--;
	if (n < s.n && n && s.p[n - 1] == '_')
		s.n = n - 1;
	return s;
}

/* Calls that return when the GPU is done: cudaStreamSynchronize, hipMemcpyWithStream ... */
static bool waits(struct str name)
{
	static const char *const blocking[] = { "cudaMemcpy", "hipMemcpy", "hipMemcpyWithStream" };

	if (!str_starts(name, STR("cu")) && !str_starts(name, STR("hip")))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(blocking); i++)
		if (str_eq(name, str_of(blocking[i])))
			return true;
	return str_contains(name, STR("Synchronize"));
}

static func_id function_of(struct maker *m, event_id e)
{
	string_id name = m->tr->ev.name[e];

	if (name == NONE)
		return profile_function(m->p, STR("(no name)"));
	if (m->func[name] != NONE)
		return m->func[name];
	struct str s = cut_address(m, strings_get(&m->tr->strings, name));

	if (!m->o.instances)
		s = cut_instance(s);
	m->func[name] = profile_function(m->p, s);
	if (m->o.weight == TRACE_CPU && m->tr->ev.kind[e] == KIND_RUNTIME && waits(s))
		m->p->functions.at[m->func[name]].flags |= FUNCTION_WAIT;
	return m->func[name];
}

/* ---- Stacks and threads ---- */

static void make_stacks(struct maker *m)
{
	for (node_id i = 0; i < m->t->n; i++) {
		node_id up = m->t->parent[i];

		m->stack[i] = stacks_add(&m->p->stacks, up == NONE ? NONE : m->stack[up],
					 function_of(m, m->t->event[i]));
	}
}

static const char *text_of(const struct trace *tr, string_id s)
{
	return s == NONE ? "" : strings_get(&tr->strings, s).p;
}

static void begin_thread(struct maker *m, lane_id l)
{
	const struct lane *x = &m->tr->lanes.at[l];
	struct profile_thread *t = profile_thread(m->p, text_of(m->tr, x->thread_name),
						  text_of(m->tr, x->process_name),
						  text_of(m->tr, x->pid), text_of(m->tr, x->tid));

	if (m->o.weight == TRACE_CALLS)
		profile_unit(m->p, PROFILE_SAMPLES, "calls");
	else
		profile_unit(m->p, PROFILE_NS, "ns");
	for (node_id i = m->t->lane_begin[l]; i < m->t->lane_end[l] && !t->leads; i++)
		t->leads = m->tr->ev.kind[m->t->event[i]] != KIND_PYTHON;
}

static void add(struct maker *m, stack_id stack, nsec time, int64_t weight, uint32_t count)
{
	profile_sample(m->p, (struct sample){ stack, time, weight, count });
}

/* ---- CPU time and calls ---- */

static void add_calls(struct maker *m, lane_id l)
{
	for (node_id i = m->t->lane_begin[l]; i < m->t->lane_end[l]; i++)
		add(m, m->stack[i], m->tr->ev.ts[m->t->event[i]], 1, 1);
}

/* In one piece each: no times, so that nobody cuts it. */
static void add_self_sums(struct maker *m, lane_id l, const nsec *self)
{
	for (node_id i = m->t->lane_begin[l]; i < m->t->lane_end[l]; i++)
		add(m, m->stack[i], NSEC_NONE, self[i], 1);
}

/* When the last of each node's subtree stops. */
static nsec *last_stops(struct maker *m)
{
	nsec *last = NEW(&m->scratch, m->t->n, nsec);

	for (node_id i = m->t->n; i-- > 0;) {
		node_id up = m->t->parent[i];

		last[i] = MAX_OF(last[i], tree_stop(m->tr, m->t, i));
		if (up != NONE)
			last[up] = MAX_OF(last[up], last[i]);
	}
	return last;
}

static void add_piece(struct maker *m, node_id i, nsec from, nsec to)
{
	if (to > from)
		add(m, m->stack[i], from, to - from, 0);
}

/* Piece by piece, and the call itself as a sample of no weight at its start. */
static void add_self_pieces(struct maker *m, lane_id l, const nsec *last, nsec *from)
{
	for (node_id i = m->t->lane_begin[l]; i < m->t->lane_end[l]; i++) {
		node_id up = m->t->parent[i];

		from[i] = m->tr->ev.ts[m->t->event[i]];
		add(m, m->stack[i], from[i], 0, 1);
		if (up == NONE)
			continue;
		add_piece(m, up, from[up], MIN_OF(from[i], tree_stop(m->tr, m->t, up)));
		from[up] = MAX_OF(from[up], last[i]);
	}
	for (node_id i = m->t->lane_begin[l]; i < m->t->lane_end[l]; i++)
		add_piece(m, i, from[i], tree_stop(m->tr, m->t, i));
}

static void add_host(struct maker *m)
{
	nsec *times = NEW(&m->scratch, m->t->n, nsec); /* self times, or where self time goes on */
	nsec *last = m->o.sums ? NULL : last_stops(m);

	if (m->o.sums)
		tree_self(m->tr, m->t, times);
	for (lane_id l = 0; l < m->tr->lanes.n; l++) {
		if (m->t->lane_begin[l] == m->t->lane_end[l])
			continue;
		begin_thread(m, l);
		if (m->o.weight == TRACE_CALLS)
			add_calls(m, l);
		else if (m->o.sums)
			add_self_sums(m, l, times);
		else
			add_self_pieces(m, l, last, times);
	}
}

/* ---- GPU time ---- */

/* `by`: the event whose windows it belongs to, its launch; NONE. */
static void add_work(struct maker *m, event_id gpu, event_id by, stack_id stack)
{
	nsec dur = trace_timed(m->tr, gpu) ? m->tr->ev.dur[gpu] : 0;
	nsec ts = trace_timed(m->tr, gpu) ? m->tr->ev.ts[gpu] : NSEC_NONE;

	if (m->o.kernels)
		stack = stacks_add(&m->p->stacks, stack, function_of(m, gpu));
	m->p->origin[m->p->samples.n] = by != NONE && trace_timed(m->tr, by) ? m->tr->ev.ts[by]
									     : NSEC_NONE;
	add(m, stack, m->o.sums ? NSEC_NONE : ts, dur, 1);
}

static void add_unlinked(struct maker *m, const struct links *l)
{
	func_id none = profile_function(m->p, STR("(no launch in the trace)"));
	stack_id stack = stacks_add(&m->p->stacks, NONE, none);

	profile_thread(m->p, "(no launch in the trace)", NULL, NULL, NULL);
	profile_unit(m->p, PROFILE_NS, "ns");
	for (uint32_t i = 0; i < l->n; i++)
		if (l->launch[i] == NONE || m->t->node[l->launch[i]] == NONE)
			add_work(m, l->gpu[i], l->nlinked ? NONE : l->gpu[i], stack);
}

/* below[] lists the work by launching node, and nodes are thread by thread. */
static void add_gpu(struct maker *m)
{
	const struct links *l = trace_links(m->tr, LINK_BEST, TREE_FULL);
	uint32_t added = 0;

	m->p->origin = alloc_checked(malloc(MAX_OF(l->n, 1) * sizeof(*m->p->origin)));
	for (lane_id lane = 0; lane < m->tr->lanes.n; lane++) {
		if (m->t->lane_begin[lane] == m->t->lane_end[lane])
			continue;
		begin_thread(m, lane);
		for (node_id i = m->t->lane_begin[lane]; i < m->t->lane_end[lane]; i++)
			for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++, added++)
				add_work(m, l->gpu[l->below[k]], l->launch[l->below[k]],
					 m->stack[i]);
	}
	if (added < l->n)
		add_unlinked(m, l);
	m->p->together = true;
}

struct profile *profile_from_trace(struct trace *tr, struct trace_stacks o, struct lp_error *err)
{
	struct maker m = { .tr = tr, .t = trace_tree(tr, TREE_FULL), .o = o };

	m.p = profile_new(tr->source.path, "trace");
	m.p->spans = o.weight != TRACE_CALLS;
	m.func = NEW(&m.scratch, tr->strings.n, func_id);
	m.stack = NEW(&m.scratch, m.t->n, stack_id);
	memset(m.func, 0xff, tr->strings.n * sizeof(*m.func));
	make_stacks(&m);
	if (o.weight == TRACE_GPU)
		add_gpu(&m);
	else
		add_host(&m);
	arena_free(&m.scratch);
	return profile_finish(m.p, err);
}
