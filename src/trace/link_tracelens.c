/*
 * The links of TraceLens, for comparisons with its reports: a call needs both ends
 * of an "ac2g" flow with its id, and gets at most the one event that stands at the
 * flow's end under that id; only graph launches take all work of their id. Ids are
 * correlations, or External ids where the first launch call has no correlation.
 */
#include "base/hash.h"
#include "base/map.h"
#include "trace/link_build.h"

struct ids {
	uint16_t key;    /* of the argument that links */
	struct map flow; /* id -> the last flow end; its place in `end` */
	uint32_t n;
	event_id *start, *end; /* the last flow start and end of each id; NONE */
	struct map standing;   /* (pid, tid, id) -> the last event that has all three */
	struct map work;       /* id -> its first row in the list of GPU work by id */
	uint32_t *next;        /* of each row of trace.gpu: the next with its id */
	uint32_t *row;         /* of each event: its row of trace.gpu; NONE */
};

static bool cat_is(const struct trace *tr, event_id e, const char *name)
{
	uint16_t c = tr->ev.cat[e];

	return c != UINT16_MAX && str_eq(tr->cats.at[c], str_of(name));
}

static bool is_runtime(const struct trace *tr, event_id e)
{
	return cat_is(tr, e, "cuda_runtime") || cat_is(tr, e, "cuda_driver");
}

static uint16_t linking_key(const struct trace *tr)
{
	int64_t id;

	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_RUNTIME && is_runtime(tr, e) &&
		    str_contains_nocase(trace_name(tr, e), STR("launch")))
			return arg_i64(tr, e, KEY_CORRELATION, &id) ? KEY_CORRELATION
								    : KEY_EXTERNAL_ID;
	return KEY_EXTERNAL_ID;
}

static uint64_t standing_key(const struct lane *l, int64_t id)
{
	return hash_mix(hash_u64((uint64_t)l->pid << 32 | l->tid), hash_u64((uint64_t)id));
}

static void index_flows(struct ids *x, const struct trace *tr, struct arena *a)
{
	uint32_t n = tr->nkind[KIND_FLOW];
	int64_t id;

	x->flow = map_new(a, n);
	x->start = NEW(a, n, event_id);
	x->end = NEW(a, n, event_id);
	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.kind[e] != KIND_FLOW || !cat_is(tr, e, "ac2g") ||
		    !arg_i64(tr, e, KEY_ID, &id))
			continue;
		uint32_t *at = map_at(&x->flow, (uint64_t)id);
		if (*at == NONE) {
			*at = x->n++;
			x->start[*at] = x->end[*at] = NONE;
		}
		if (tr->ev.ph[e] == 's')
			x->start[*at] = e;
		else if (tr->ev.ph[e] == 'f')
			x->end[*at] = e;
	}
}

static void index_events(struct ids *x, const struct trace *tr, struct arena *a)
{
	uint32_t n = 0;
	int64_t id;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += tr->ev.kind[e] != KIND_FLOW && arg_i64(tr, e, x->key, &id);
	x->standing = map_new(a, n);
	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] != KIND_FLOW && tr->ev.lane[e] != NONE &&
		    arg_i64(tr, e, x->key, &id))
			*map_at(&x->standing, standing_key(&tr->lanes.at[tr->ev.lane[e]], id)) = e;
}

static void index_work(struct ids *x, const struct trace *tr, struct arena *a)
{
	int64_t id;

	x->work = map_new(a, tr->ngpu);
	x->next = NEW(a, tr->ngpu, uint32_t);
	x->row = NEW(a, tr->ev.n, uint32_t);
	memset(x->row, 0xff, tr->ev.n * sizeof(*x->row));
	for (uint32_t i = 0; i < tr->ngpu; i++) {
		x->row[tr->gpu[i]] = i;
		if (!arg_i64(tr, tr->gpu[i], x->key, &id))
			continue;
		uint32_t *first = map_at(&x->work, (uint64_t)id);
		x->next[i] = *first;
		*first = i;
	}
}

static void link_flow(struct linking *l, const struct ids *x, event_id call, int64_t id)
{
	const struct trace *tr = l->tr;
	uint32_t at = map_get(&x->flow, (uint64_t)id);

	if (at == NONE || x->start[at] == NONE || x->end[at] == NONE ||
	    tr->ev.lane[x->end[at]] == NONE)
		return;
	const struct lane *lane = &tr->lanes.at[tr->ev.lane[x->end[at]]];
	event_id target = map_get(&x->standing, standing_key(lane, id));
	if (target != NONE && x->row[target] != NONE)
		link_set(l, x->row[target], call, LINK_FLOW);
}

void link_as_tracelens(struct linking *l)
{
	const struct trace *tr = l->tr;
	struct ids x = { .key = linking_key(tr) };
	int64_t id;

	index_flows(&x, tr, l->scratch);
	index_events(&x, tr, l->scratch);
	index_work(&x, tr, l->scratch);
	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.kind[e] != KIND_RUNTIME || !is_runtime(tr, e) || !trace_slice(tr, e) ||
		    tr->ev.lane[e] == NONE || tr->ev.ts[e] == NSEC_NONE ||
		    !arg_i64(tr, e, x.key, &id))
			continue;
		struct str name = trace_name(tr, e);
		if (!str_eq(name, STR("cudaGraphLaunch")) && !str_eq(name, STR("hipGraphLaunch"))) {
			link_flow(l, &x, e, id);
			continue;
		}
		for (uint32_t i = map_get(&x.work, (uint64_t)id); i != NONE; i = x.next[i])
			link_set(l, i, e, LINK_CORRELATION);
	}
}
