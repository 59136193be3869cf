/*
 * What finished links say about the recording.
 *
 * Every replay of a graph does the same work, so replays of one graph that hold less
 * than the fullest were recorded in part. Which replays belong together is told by
 * the graph's id, by the upper half of its nodes' ids, or, where the recording has
 * neither, by the name of the first kernel; models split into pieces have graphs that begin
 * alike, so then only the fewer ones count as partial that hold at most half, and
 * nothing the full ones do not hold in that order.
 */
#include "algo/sort.h"
#include "base/hash.h"
#include "trace/link_build.h"

struct replay {
	event_id launch;
	uint64_t graph;
	bool by_name;      /* the graph is a guess */
	uint32_t from, to; /* its work, in `row` */
};

struct replays {
	const struct trace *tr;
	const event_id *launch; /* of each row of trace.gpu */
	uint32_t *row;          /* work of graphs, by launch and start */
	uint32_t nrows;
	struct replay *at;
	uint32_t n;
};

static bool row_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct replays *r = ctx;
	const struct trace *tr = r->tr;
	event_id la = r->launch[a], lb = r->launch[b];

	if (la != lb)
		return tr->ev.ts[la] != tr->ev.ts[lb] ? tr->ev.ts[la] < tr->ev.ts[lb] : la < lb;
	return tr->ev.ts[tr->gpu[a]] < tr->ev.ts[tr->gpu[b]];
}

static bool replay_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct replay *at = ctx;

	return at[a].graph < at[b].graph;
}

static void identify(struct replay *p, const struct replays *r, uint16_t graph, uint16_t node)
{
	const struct trace *tr = r->tr;
	int64_t id;

	for (uint32_t k = p->from; k < p->to; k++) {
		event_id e = tr->gpu[r->row[k]];
		if (graph != UINT16_MAX && arg_i64(tr, e, graph, &id) && id) {
			p->graph = hash_u64((uint64_t)id);
			return;
		}
		if (node != UINT16_MAX && arg_i64(tr, e, node, &id) && id >> 32) {
			p->graph = hash_u64((uint64_t)id >> 32);
			return;
		}
	}
	p->by_name = true;
	p->graph = hash_u64(~(uint64_t)tr->ev.name[tr->gpu[r->row[p->from]]]);
}

static struct replays list_replays(const struct linking *l)
{
	const struct trace *tr = l->tr;
	struct replays r = { tr, l->launch, NEW(l->scratch, tr->ngpu, uint32_t), 0, NULL, 0 };
	uint16_t graph = arg_key_id(tr, STR("graph id")),
		 node = arg_key_id(tr, STR("graph node id"));

	for (uint32_t i = 0; i < tr->ngpu; i++)
		if (l->launch[i] != NONE && name_is_graph_launch(trace_name(tr, l->launch[i])))
			r.row[r.nrows++] = i;
	sort_ids(r.row, r.nrows, NEW(l->scratch, r.nrows, uint32_t), row_before, &r);
	r.at = NEW(l->scratch, r.nrows, struct replay);
	for (uint32_t k = 0; k < r.nrows; k++) {
		event_id launch = l->launch[r.row[k]];
		if (!r.n || r.at[r.n - 1].launch != launch)
			r.at[r.n++] = (struct replay){ .launch = launch, .from = k };
		r.at[r.n - 1].to = k + 1;
	}
	for (uint32_t i = 0; i < r.n; i++)
		identify(&r.at[i], &r, graph, node);
	return r;
}

/* Are the names of `part` those of `full` with some left out? */
static bool is_part(const struct replays *r, const struct replay *part, const struct replay *full)
{
	const struct trace *tr = r->tr;
	uint32_t k = part->from;

	for (uint32_t i = full->from; i < full->to && k < part->to; i++)
		k += tr->ev.name[tr->gpu[r->row[i]]] == tr->ev.name[tr->gpu[r->row[k]]];
	return k == part->to;
}

static uint32_t size_of(const struct replay *p)
{
	return p->to - p->from;
}

/* The replays order[from .. to) are of one graph. */
static void check_graph(struct trace *tr, const struct replays *r, const uint32_t *order,
			uint32_t from, uint32_t to)
{
	const struct replay *full = &r->at[order[from]];
	uint32_t npartial = 0;

	for (uint32_t k = from; k < to; k++)
		if (size_of(&r->at[order[k]]) > size_of(full))
			full = &r->at[order[k]];
	for (uint32_t k = from; k < to; k++)
		npartial += size_of(&r->at[order[k]]) < size_of(full);
	if (full->by_name && npartial > (to - from) / 2)
		return;
	for (uint32_t k = from; k < to; k++) {
		const struct replay *p = &r->at[order[k]];
		bool partial = p->by_name ? 2 * size_of(p) <= size_of(full) && is_part(r, p, full)
					  : size_of(p) < size_of(full);
		if (partial)
			model_count(tr, COUNT_GRAPH_INCOMPLETE, p->launch);
	}
}

static void check_replays(struct linking *l)
{
	struct replays r = list_replays(l);
	uint32_t *order = NEW(l->scratch, r.n, uint32_t);

	for (uint32_t i = 0; i < r.n; i++)
		order[i] = i;
	sort_ids(order, r.n, NEW(l->scratch, r.n, uint32_t), replay_before, r.at);
	for (uint32_t from = 0, to; from < r.n; from = to) {
		to = from + 1;
		while (to < r.n && r.at[order[to]].graph == r.at[order[from]].graph)
			to++;
		check_graph(l->tr, &r, order, from, to);
	}
}

void link_check(struct linking *l)
{
	struct trace *tr = l->tr;

	for (uint32_t i = 0; i < tr->ngpu; i++) {
		event_id gpu = tr->gpu[i], launch = l->launch[i];
		if (launch == NONE)
			model_count(tr, COUNT_UNLINKED_GPU, gpu);
		else if (tr->ev.ts[gpu] < tr->ev.ts[launch] && tr->ev.ts[gpu] != 0)
			model_count(tr, COUNT_KERNEL_BEFORE_LAUNCH, gpu);
	}
	check_replays(l);
}
