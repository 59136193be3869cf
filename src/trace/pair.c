/*
 * Autograd numbers the operators that will need a backward pass, per thread, and the
 * backward wrapper carries the number of its forward operator. Operators that call others
 * before the number is taken show it too, so of several with one number the one that
 * started last is the forward operator; what runs inside the wrapper is part of it.
 *
 *	thread 1   [ linear 5 [ addmm 5 ]]                     addmm <-> evaluate_function
 *	thread 2                              [ evaluate_function: ... 5 [ AddmmBackward 5 ]]
 *
 * If forward operators of several threads have the number, the arrow drawn by the
 * recording (fwdbwd) decides, else the one that started last.
 */
#include "trace/pair.h"

#include "algo/sort.h"
#include "base/map.h"
#include "trace/derive.h"
#include "trace/model.h"

struct numbered {
	struct trace *tr;
	uint32_t n;
	event_id *event; /* by number, process, start */
	int64_t *number;
	bool *wraps;
	struct pairs *out;
	uint32_t narrows;
	event_id *arrow; /* ends of fwdbwd flows, by lane and time */
	struct map tail; /* flow id -> its start */
};

static uint32_t process_of(const struct trace *tr, event_id e)
{
	return tr->lanes.at[tr->ev.lane[e]].process;
}

static bool is_wrapper(struct str name)
{
	return str_starts(name, STR("autograd::engine::evaluate_function"));
}

static bool is_backward_op(struct str name)
{
	return str_contains(name, STR("Backward"));
}

/* ---- The numbered operators ---- */

static bool numbered_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct numbered *s = ctx;
	event_id x = s->event[a], y = s->event[b];

	if (s->number[a] != s->number[b])
		return s->number[a] < s->number[b];
	uint32_t p = process_of(s->tr, x), q = process_of(s->tr, y);
	if (p != q)
		return p < q;
	nsec s0 = s->tr->ev.ts[x], s1 = s->tr->ev.ts[y];
	return s0 != s1 ? s0 < s1 : s->tr->ev.dur[x] > s->tr->ev.dur[y];
}

static bool has_number(const struct trace *tr, event_id e, int64_t *number)
{
	return tr->ev.kind[e] == KIND_CPU_OP && trace_slice(tr, e) && trace_timed(tr, e) &&
	       tr->ev.lane[e] != NONE && arg_i64(tr, e, KEY_SEQUENCE, number) && *number >= 0;
}

static void list_numbered(struct numbered *s, struct arena *a)
{
	struct trace *tr = s->tr;
	uint32_t cap = tr->nkind[KIND_CPU_OP];
	event_id *event = NEW(a, cap, event_id);
	int64_t *number = NEW(a, cap, int64_t);
	uint32_t *order = NEW(a, cap, uint32_t);

	for (event_id e = 0; e < tr->ev.n; e++)
		if (has_number(tr, e, &number[s->n])) {
			event[s->n] = e;
			order[s->n] = s->n;
			if (++s->n == cap)
				break;
		}
	s->event = event;
	s->number = number;
	sort_ids(order, s->n, NEW(a, s->n, uint32_t), numbered_before, s);
	s->event = NEW(a, s->n, event_id);
	s->number = NEW(a, s->n, int64_t);
	for (uint32_t i = 0; i < s->n; i++) {
		s->event[i] = event[order[i]];
		s->number[i] = number[order[i]];
	}
}

/* Marks the wrappers; recordings without them have their backward operators instead. */
static void mark_wrappers(struct numbered *s, struct arena *a)
{
	bool any = false;

	s->wraps = NEW(a, s->n, bool);
	for (uint32_t i = 0; i < s->n; i++)
		any |= s->wraps[i] = is_wrapper(trace_name(s->tr, s->event[i]));
	for (uint32_t i = 0; !any && i < s->n; i++)
		s->wraps[i] = is_backward_op(trace_name(s->tr, s->event[i]));
}

/* ---- Arrows ---- */

static bool arrow_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	if (tr->ev.lane[a] != tr->ev.lane[b])
		return tr->ev.lane[a] < tr->ev.lane[b];
	return tr->ev.ts[a] < tr->ev.ts[b];
}

static void list_arrows(struct numbered *s, struct arena *a)
{
	struct trace *tr = s->tr;
	uint32_t n = tr->nkind[KIND_FLOW_FWDBWD];
	int64_t id;

	s->tail = map_new(a, n);
	s->arrow = NEW(a, n, event_id);
	for (event_id e = 0; n && e < tr->ev.n; e++) {
		if (tr->ev.kind[e] != KIND_FLOW_FWDBWD || tr->ev.lane[e] == NONE ||
		    tr->ev.ts[e] == NSEC_NONE || !arg_i64(tr, e, KEY_ID, &id))
			continue;
		if (tr->ev.ph[e] == 's')
			*map_at(&s->tail, (uint64_t)id) = e;
		else
			s->arrow[s->narrows++] = e;
	}
	sort_ids(s->arrow, s->narrows, NEW(a, s->narrows, uint32_t), arrow_before, tr);
}

/* The start of the first arrow that ends within backward operator b; NONE. */
static event_id arrow_into(const struct numbered *s, event_id b)
{
	const struct trace *tr = s->tr;
	uint32_t lo = 0, hi = s->narrows;
	int64_t id;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (arrow_before(tr, s->arrow[mid], b))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == s->narrows)
		return NONE;
	event_id e = s->arrow[lo];
	if (tr->ev.lane[e] != tr->ev.lane[b] || tr->ev.ts[e] > trace_end(tr, b))
		return NONE;
	return arg_i64(tr, e, KEY_ID, &id) ? map_get(&s->tail, (uint64_t)id) : NONE;
}

/* ---- Pairing ---- */

static bool holds(const struct trace *tr, event_id outer, event_id e)
{
	return tr->ev.lane[outer] == tr->ev.lane[e] && tr->ev.ts[outer] <= tr->ev.ts[e] &&
	       trace_end(tr, e) <= trace_end(tr, outer);
}

/* The last of the forward operators before row i; where threads differ, on the arrow's thread. */
static event_id choose_forward(const struct numbered *s, const uint32_t *before, uint32_t n,
			       bool threads_differ, event_id b)
{
	const struct trace *tr = s->tr;
	event_id tail = threads_differ ? arrow_into(s, b) : NONE;

	for (uint32_t k = n; tail != NONE && k-- > 0;)
		if (tr->ev.lane[s->event[before[k]]] == tr->ev.lane[tail])
			return s->event[before[k]];
	return n ? s->event[before[n - 1]] : NONE;
}

static int64_t forward_thread(const struct trace *tr, event_id e)
{
	int64_t thread;

	return arg_i64(tr, e, KEY_FWD_THREAD, &thread) ? thread : 0;
}

static void tie(struct pairs *p, event_id forward, event_id backward)
{
	p->forward[backward] = forward;
	if (p->backward[forward] == NONE)
		p->backward[forward] = backward;
	p->n++;
}

/* The rows from .. to have one number; `forwards` has room for them. */
static void pair_number(struct numbered *s, uint32_t from, uint32_t to, uint32_t *forwards)
{
	struct trace *tr = s->tr;
	event_id wrapper = NONE;
	uint32_t n = 0;
	bool differ = false;

	for (uint32_t i = from; i < to; i++) {
		event_id e = s->event[i];
		if (wrapper != NONE && holds(tr, wrapper, e))
			continue;
		if (!s->wraps[i]) {
			differ |= n && tr->ev.lane[s->event[forwards[n - 1]]] != tr->ev.lane[e];
			forwards[n++] = i;
			continue;
		}
		if (wrapper != NONE && forward_thread(tr, wrapper) == forward_thread(tr, e))
			model_count(tr, COUNT_DOUBLE_BACKWARD, e);
		wrapper = e;
		event_id f = choose_forward(s, forwards, n, differ, e);
		if (f != NONE)
			tie(s->out, f, e);
	}
}

/* Without numbers an arrow ties the operators it starts and ends in. */
static void pair_by_arrows(struct numbered *s)
{
	struct trace *tr = s->tr;
	const struct tree *t = trace_tree(tr, TREE_NO_PYTHON);
	int64_t id;

	for (uint32_t i = 0; i < s->narrows; i++) {
		event_id head = s->arrow[i], tail = NONE;
		if (arg_i64(tr, head, KEY_ID, &id))
			tail = map_get(&s->tail, (uint64_t)id);
		node_id b = tree_at(tr, t, tr->ev.lane[head], tr->ev.ts[head]);
		node_id f = NONE;
		if (tail != NONE)
			f = tree_at(tr, t, tr->ev.lane[tail], tr->ev.ts[tail]);
		if (b == NONE || f == NONE || s->out->forward[t->event[b]] != NONE)
			continue;
		tie(s->out, t->event[f], t->event[b]);
	}
}

const struct pairs *trace_pairs(struct trace *tr)
{
	struct derived *d = trace_derived(tr);

	if (d->pairs)
		return d->pairs;
	struct arena scratch = { 0 };
	struct pairs *p = NEW(&tr->arena, 1, struct pairs);
	p->forward = NEW(&tr->arena, tr->ev.n, event_id);
	p->backward = NEW(&tr->arena, tr->ev.n, event_id);
	memset(p->forward, 0xff, tr->ev.n * sizeof(*p->forward));
	memset(p->backward, 0xff, tr->ev.n * sizeof(*p->backward));
	struct numbered s = { .tr = tr, .out = p };
	list_numbered(&s, &scratch);
	mark_wrappers(&s, &scratch);
	list_arrows(&s, &scratch);
	uint32_t *forwards = NEW(&scratch, s.n, uint32_t);
	for (uint32_t from = 0, to; from < s.n; from = to) {
		to = from + 1;
		while (to < s.n && s.number[to] == s.number[from] &&
		       process_of(tr, s.event[to]) == process_of(tr, s.event[from]))
			to++;
		pair_number(&s, from, to, forwards);
	}
	if (!s.n)
		pair_by_arrows(&s);
	arena_free(&scratch);
	d->pairs = p;
	return p;
}
