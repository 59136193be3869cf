/*
 * Events sorted by lane, start, longest first stand in the order in which a call stack
 * pushes them, and that order is the preorder of the tree: the sorted list is the
 * column of events. Replaying the stack gives the parents. Where start and length are
 * equal, frames stand before operators and these before calls, each kind by its ids
 * (Python id, External id); only then by the order of the file.
 *
 *	P [---------------------)            P
 *	C      [------)                      +- C   stops where D begins: P holds D, C does not
 *	D          [-------)                 +- D
 *	E                   [-------)        +- E   nobody holds it: below the outermost, to its end
 *
 * What was never closed ends with what it began in.
 *
 * The caller that a Python frame names decides only where times contradict each other:
 * ids leave out C functions, so frames do not otherwise hang from what they name.
 */
#include "trace/tree.h"

#include "algo/sort.h"
#include "trace/derive.h"
#include "trace/model.h"
#include "base/alloc.h"

#include <stdlib.h>

#define ROUNDING 1 /* ns: start and length are rounded apart */

/* Its length where it can be believed. */
static nsec length_of(const struct trace *tr, event_id e)
{
	return tr->ev.flags[e] & EVENT_INVALID_TIME ? 0 : tr->ev.dur[e];
}

/* ---- The order of nodes ---- */

/* Callers before what they call: frames, operators, calls; numbered as they began. */
static int call_class(const struct trace *tr, event_id e)
{
	enum kind k = tr->ev.kind[e];

	return k == KIND_PYTHON ? 0 : k == KIND_CPU_OP ? 1 : 2;
}

static int64_t call_number(const struct trace *tr, event_id e)
{
	int64_t id;
	bool frame = tr->ev.kind[e] == KIND_PYTHON;

	return arg_i64(tr, e, frame ? KEY_PYTHON_ID : KEY_EXTERNAL_ID, &id) ? id : INT64_MAX;
}

static bool pushed_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;
	nsec ta = tr->ev.ts[a], tb = tr->ev.ts[b];

	if (LIKELY(ta != tb))
		return ta < tb;
	nsec la = length_of(tr, a), lb = length_of(tr, b);
	if (la != lb)
		return la > lb;
	int ca = call_class(tr, a), cb = call_class(tr, b);
	return ca != cb ? ca < cb : call_number(tr, a) < call_number(tr, b);
}

/* The kinds that have nodes. */
static void choose_kinds(const struct trace *tr, enum tree_style style, bool *in)
{
	bool any = false;

	for (enum kind k = 0; k < KINDS; k++) {
		in[k] = kind_is_host(k) && (k != KIND_PYTHON || style == TREE_FULL);
		any |= kind_is_host(k) && tr->nkind[k];
	}
	in[KIND_OTHER] = !any;
}

static bool has_node(const struct trace *tr, event_id e, const bool *in)
{
	return in[tr->ev.kind[e]] && trace_slice(tr, e) && tr->ev.lane[e] != NONE &&
	       tr->ev.ts[e] != NSEC_NONE;
}

static void count_lanes(const struct trace *tr, struct tree *t, const bool *in)
{
	struct arena scratch = { 0 };
	uint32_t nlanes = tr->lanes.n, *rank = lanes_rank(tr, &scratch);
	lane_id *order = NEW(&scratch, nlanes, lane_id);

	for (lane_id l = 0; l < nlanes; l++)
		order[rank[l]] = l;
	for (event_id e = 0; e < tr->ev.n; e++)
		if (has_node(tr, e, in))
			t->lane_end[tr->ev.lane[e]]++;
	for (uint32_t i = 0; i < nlanes; i++) {
		uint32_t n = t->lane_end[order[i]];
		t->lane_begin[order[i]] = t->lane_end[order[i]] = t->n;
		t->n += n;
	}
	arena_free(&scratch);
}

/* Fills t->event, and moves each lane_end to its end. */
static void sort_nodes(const struct trace *tr, struct tree *t, const bool *in)
{
	uint32_t *spare = t->end; /* not in use yet */

	for (event_id e = 0; e < tr->ev.n; e++)
		if (has_node(tr, e, in))
			t->event[t->lane_end[tr->ev.lane[e]]++] = e;
	for (lane_id l = 0; l < tr->lanes.n; l++)
		sort_ids(t->event + t->lane_begin[l], t->lane_end[l] - t->lane_begin[l], spare,
			 pushed_before, tr);
}

/* ---- The call stack ---- */

struct open_node {
	nsec end;
	node_id node;
};

struct stack {
	struct trace *tr;
	bool count; /* overlaps */
	struct tree *t;
	uint32_t n, cap;
	struct open_node *at;
};

static void pop(struct stack *s, node_id before)
{
	s->t->end[s->at[--s->n].node] = before;
}

static void push(struct stack *s, nsec end, node_id node)
{
	if (s->n == s->cap) {
		s->cap = 2 * s->cap + 64;
		s->at = alloc_checked(realloc(s->at, s->cap * sizeof(*s->at)));
	}
	s->at[s->n++] = (struct open_node){ end, node };
}

/* Is node i the Python frame with this id? */
static bool has_python_id(const struct stack *s, node_id i, int64_t id)
{
	event_id e = s->t->event[i];
	int64_t own;

	return s->tr->ev.kind[e] == KIND_PYTHON && arg_i64(s->tr, e, KEY_PYTHON_ID, &own) &&
	       own == id;
}

/* The place of the running frame that called the one of `node`, as its ids say; else s->n. */
static uint32_t find_caller(const struct stack *s, nsec start, node_id node)
{
	event_id e = s->t->event[node];
	int64_t id;

	if (s->tr->ev.kind[e] != KIND_PYTHON || !arg_i64(s->tr, e, KEY_PYTHON_PARENT, &id))
		return s->n;
	for (uint32_t k = s->n; k-- > 0 && s->at[k].end > start;)
		if (has_python_id(s, s->at[k].node, id))
			return k;
	return s->n;
}

/*
 * Leaves on top where a node goes that outlives the top: the frame that called it, and it
 * ends when that does; else the innermost that holds it; else the outermost running.
 */
static nsec reattach(struct stack *s, nsec start, nsec end, node_id node)
{
	uint32_t k = find_caller(s, start, node);

	if (k < s->n) {
		end = MIN_OF(end, s->at[k].end);
	} else {
		for (k = s->n - 1; k > 0 && s->at[k - 1].end > start;) {
			if (s->at[k].end + ROUNDING >= end)
				break;
			k--;
		}
	}
	while (s->n > k + 1)
		pop(s, node);
	if (s->count)
		model_count(s->tr, COUNT_PARTIAL_OVERLAP, s->t->event[node]);
	return end;
}

/* Closes what cannot hold the node, so that its parent is on top; returns when the node ends. */
static nsec make_room(struct stack *s, nsec start, nsec end, node_id node)
{
	while (s->n && (s->at[s->n - 1].end <= start || (s->at[s->n - 1].end - start <= ROUNDING &&
							 s->at[s->n - 1].end + ROUNDING < end)))
		pop(s, node);
	if (UNLIKELY(s->n && (s->tr->ev.flags[s->t->event[node]] & EVENT_UNCLOSED)))
		return MIN_OF(end, s->at[s->n - 1].end);
	if (UNLIKELY(s->n && s->at[s->n - 1].end + ROUNDING < end))
		return reattach(s, start, end, node);
	return end;
}

static void nest_lane(const struct trace *tr, struct stack *s, node_id from, node_id to)
{
	struct tree *t = s->t;

	for (node_id i = from; i < to; i++) {
		event_id e = t->event[i];
		nsec start = tr->ev.ts[e], end = start + length_of(tr, e);
		end = make_room(s, start, end, i);
		if (t->parent) {
			t->parent[i] = s->n ? s->at[s->n - 1].node : NONE;
			t->node[e] = i;
		}
		push(s, end, i);
	}
	while (s->n)
		pop(s, to);
}

static void nest(struct trace *tr, struct tree *t, bool count)
{
	struct stack s = { .tr = tr, .t = t, .count = count };

	for (lane_id l = 0; l < tr->lanes.n; l++)
		nest_lane(tr, &s, t->lane_begin[l], t->lane_end[l]);
	free(s.at);
}

/* The nodes of a style in their order, with room for their ends. */
static struct tree list_nodes(const struct trace *tr, enum tree_style style, struct arena *a)
{
	struct tree t = { .lane_begin = NEW(a, tr->lanes.n, node_id),
			  .lane_end = NEW(a, tr->lanes.n, node_id) };
	bool in[KINDS];

	choose_kinds(tr, style, in);
	count_lanes(tr, &t, in);
	t.event = NEW(a, t.n, event_id);
	t.end = NEW(a, t.n, node_id);
	sort_nodes(tr, &t, in);
	return t;
}

const struct tree *trace_tree(struct trace *tr, enum tree_style style)
{
	struct derived *d = trace_derived(tr);

	if (d->tree[style])
		return d->tree[style];
	struct tree *t = NEW(&tr->arena, 1, struct tree);
	*t = list_nodes(tr, style, &tr->arena);
	t->parent = NEW(&tr->arena, t->n, node_id);
	t->node = NEW(&tr->arena, tr->ev.n, node_id);
	memset(t->node, 0xff, tr->ev.n * sizeof(*t->node));
	nest(tr, t, style == TREE_FULL && !d->surveyed);
	d->surveyed |= style == TREE_FULL;
	d->tree[style] = t;
	return t;
}

void tree_survey(struct trace *tr, nsec *busy)
{
	struct derived *d = trace_derived(tr);
	struct arena scratch = { 0 };
	struct tree t = d->tree[TREE_FULL] ? *d->tree[TREE_FULL]
					   : list_nodes(tr, TREE_FULL, &scratch);

	if (!d->surveyed)
		nest(tr, &t, true);
	d->surveyed = true;
	for (lane_id l = 0; l < tr->lanes.n; l++) {
		nsec end = INT64_MIN;
		for (node_id i = t.lane_begin[l]; i < t.lane_end[l]; i++) {
			nsec start = tr->ev.ts[t.event[i]];
			nsec stop = start + length_of(tr, t.event[i]);
			busy[l] += MAX_OF(0, stop - MAX_OF(start, end));
			end = MAX_OF(end, stop);
		}
	}
	arena_free(&scratch);
}

/* ---- Time of nodes ---- */

nsec tree_stop(const struct trace *tr, const struct tree *t, node_id i)
{
	event_id e = t->event[i];
	nsec end = tr->ev.ts[e] + length_of(tr, e);
	node_id next = t->end[i];

	if (next == t->lane_end[tr->ev.lane[e]])
		return end;
	return MIN_OF(end, tr->ev.ts[t->event[next]]);
}

void tree_self(const struct trace *tr, const struct tree *t, nsec *self)
{
	struct arena scratch = { 0 };
	nsec *last = NEW(&scratch, t->n, nsec); /* when the subtree stops */

	for (node_id i = 0; i < t->n; i++) {
		last[i] = tree_stop(tr, t, i);
		self[i] = last[i] - tr->ev.ts[t->event[i]];
	}
	for (node_id i = t->n; i-- > 0;) {
		node_id p = t->parent[i];
		if (p == NONE)
			continue;
		nsec start = tr->ev.ts[t->event[i]];
		nsec stop = MIN_OF(last[i], tree_stop(tr, t, p));
		self[p] -= MAX_OF(0, stop - start);
		last[p] = MAX_OF(last[p], last[i]);
	}
	arena_free(&scratch);
}

node_id tree_at(const struct trace *tr, const struct tree *t, lane_id lane, nsec at)
{
	node_id lo = t->lane_begin[lane], hi = t->lane_end[lane];
	node_id first = lo;

	while (lo < hi) {
		node_id mid = lo + (hi - lo) / 2;
		if (tr->ev.ts[t->event[mid]] <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == first)
		return NONE;
	node_id i = lo - 1;
	while (i != NONE && tree_stop(tr, t, i) <= at)
		i = t->parent[i];
	return i;
}
