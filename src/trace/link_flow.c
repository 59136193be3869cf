/*
 * Where ids fail: arrows and the operator's own id.
 *
 * A flow starts at a host slice (its start lies in it) and ends at GPU work (which starts
 * when it ends). Old autograd traces have nothing else. Older ROCm traces have
 * only the External id of the operator that was running.
 */
#include "base/hash.h"
#include "base/map.h"
#include "trace/derive.h"
#include "trace/link_build.h"

/* A flow's id with its category, as Chrome tells flows apart. */
static bool flow_key(const struct trace *tr, event_id e, uint64_t *key)
{
	struct arg id;

	if (!arg_find(tr, e, KEY_ID, &id))
		return false;
	*key = hash_u64((uint64_t)tr->ev.cat[e] << 40 | (uint64_t)id.type << 32) ^ id.value;
	return true;
}

static bool is_flow(const struct trace *tr, event_id e, char ph)
{
	return tr->ev.kind[e] == KIND_FLOW && tr->ev.ph[e] == ph && tr->ev.lane[e] != NONE &&
	       tr->ev.ts[e] != NSEC_NONE;
}

static struct map map_starts(const struct trace *tr, struct arena *a)
{
	struct map starts = map_new(a, tr->nkind[KIND_FLOW]);
	uint64_t key;

	for (event_id e = 0; e < tr->ev.n; e++)
		if (is_flow(tr, e, 's') && flow_key(tr, e, &key))
			*map_at(&starts, key) = e;
	return starts;
}

/* ---- Which GPU work a flow ends at ---- */

struct gpu_lanes {
	struct map first; /* of a (pid, tid) as written: its first GPU lane */
	lane_id *next;    /* the next one of the same */
	uint32_t *begin;  /* of each GPU lane: its first row of trace.gpu ... */
	uint32_t *timed;  /* ... and one past its last with a valid time */
};

static uint64_t written_as(const struct lane *l)
{
	return hash_mix(hash_u64(l->pid), hash_u64((uint64_t)l->tid << 32));
}

static struct gpu_lanes list_lanes(const struct trace *tr, struct arena *a)
{
	uint32_t n = tr->lanes.n;
	struct gpu_lanes g = { map_new(a, n), NEW(a, n, lane_id), NEW(a, n, uint32_t),
			       NEW(a, n, uint32_t) };

	for (uint32_t i = 0; i < tr->ngpu; i++) {
		lane_id l = tr->ev.lane[tr->gpu[i]];
		if (!i || tr->ev.lane[tr->gpu[i - 1]] != l)
			g.begin[l] = g.timed[l] = i;
		if (trace_timed(tr, tr->gpu[i]))
			g.timed[l] = i + 1;
	}
	for (lane_id l = n; l-- > 0;)
		if (g.begin[l] < g.timed[l]) {
			uint32_t *first = map_at(&g.first, written_as(&tr->lanes.at[l]));
			g.next[l] = *first;
			*first = l;
		}
	return g;
}

/* The row of this lane that starts at `at`, or runs then; NONE. */
static uint32_t row_at(const struct trace *tr, uint32_t from, uint32_t to, nsec at)
{
	uint32_t lo = from, hi = to;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tr->ev.ts[tr->gpu[mid]] < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < to && tr->ev.ts[tr->gpu[lo]] == at)
		return lo;
	return lo > from && trace_end(tr, tr->gpu[lo - 1]) >= at ? lo - 1 : NONE;
}

static uint32_t find_row(const struct linking *l, const struct gpu_lanes *g, event_id flow)
{
	const struct trace *tr = l->tr;
	lane_id lane = map_get(&g->first, written_as(&tr->lanes.at[tr->ev.lane[flow]]));

	for (; lane != NONE; lane = g->next[lane]) {
		uint32_t i = row_at(tr, g->begin[lane], g->timed[lane], tr->ev.ts[flow]);
		for (; i != NONE && i < g->timed[lane]; i++) {
			if (l->launch[i] == NONE)
				return i;
			if (tr->ev.ts[tr->gpu[i]] != tr->ev.ts[flow])
				break;
		}
	}
	return NONE;
}

/* ---- Which host slice it starts at ---- */

/* The innermost operator or call that runs at the start of the flow; Python frames launch nothing.
 */
static event_id find_launch(const struct trace *tr, const struct tree *t, event_id flow)
{
	node_id i = tree_at(tr, t, tr->ev.lane[flow], tr->ev.ts[flow]);

	while (i != NONE && tr->ev.kind[t->event[i]] == KIND_PYTHON)
		i = t->parent[i];
	return i == NONE ? NONE : t->event[i];
}

void link_by_flow(struct linking *l)
{
	struct trace *tr = l->tr;

	if (!tr->nkind[KIND_FLOW])
		return;
	struct map starts = map_starts(tr, l->scratch);
	struct gpu_lanes lanes = list_lanes(tr, l->scratch);
	uint64_t key;

	for (event_id e = 0; e < tr->ev.n; e++) {
		if (!is_flow(tr, e, 'f') || !flow_key(tr, e, &key))
			continue;
		event_id start = map_get(&starts, key);
		if (start == NONE) {
			model_count(tr, COUNT_FLOW_UNPAIRED, e);
			continue;
		}
		uint32_t i = find_row(l, &lanes, e);
		event_id launch = i == NONE ? NONE
					    : find_launch(tr, trace_tree(tr, TREE_FULL), start);
		if (launch != NONE && link_may(l, i, launch))
			link_set(l, i, launch, LINK_FLOW);
	}
}

/* ---- External ids ---- */

struct external {
	uint16_t key[2]; /* "External id" and its older spelling */
};

static int64_t external_id(const struct trace *tr, event_id e, const struct external *x)
{
	int64_t id;

	for (int i = 0; i < 2; i++)
		if (x->key[i] != UINT16_MAX && arg_i64(tr, e, x->key[i], &id) && id > 0)
			return id;
	return 0;
}

static bool is_op(const struct trace *tr, event_id e)
{
	return tr->ev.kind[e] == KIND_CPU_OP && trace_slice(tr, e) && tr->ev.lane[e] != NONE &&
	       tr->ev.ts[e] != NSEC_NONE;
}

void link_by_external_id(struct linking *l)
{
	const struct trace *tr = l->tr;
	struct external x = { { KEY_EXTERNAL_ID, arg_key_id(tr, STR("external id")) } };
	uint32_t n = 0;

	for (uint32_t i = 0; i < tr->ngpu; i++)
		n += l->launch[i] == NONE && external_id(tr, tr->gpu[i], &x);
	if (!n)
		return;
	struct map ops = map_new(l->scratch, tr->nkind[KIND_CPU_OP]);
	for (event_id e = 0; e < tr->ev.n; e++) {
		int64_t id = is_op(tr, e) ? external_id(tr, e, &x) : 0;
		uint32_t *at = id ? map_at(&ops, (uint64_t)id) : NULL;
		if (at && (*at == NONE || tr->ev.ts[e] > tr->ev.ts[*at]))
			*at = e;
	}
	for (uint32_t i = 0; i < tr->ngpu; i++) {
		int64_t id = l->launch[i] == NONE ? external_id(tr, tr->gpu[i], &x) : 0;
		event_id op = id ? map_get(&ops, (uint64_t)id) : NONE;
		if (op != NONE && link_may(l, i, op))
			link_set(l, i, op, LINK_EXTERNAL_ID);
	}
}
