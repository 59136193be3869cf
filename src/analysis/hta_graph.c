/*
 * Nodes by time, then event. Edges are kept in the order in which they were made, since which
 * of two equally heavy paths is taken depends on it. Joining a pair again changes its edge in
 * place.
 */
#include "analysis/hta.h"

#include "algo/sort.h"

#include <string.h>

static bool has_nodes(const struct hta *h, const struct hta_row *r)
{
	struct str cat = strings_get(&h->tr->cats, h->tr->ev.cat[r->event]);

	if (!r->kept)
		return false;
	return str_eq(cat, STR("cpu_op")) || str_eq(cat, STR("cuda_runtime")) ||
	       str_eq(cat, STR("cuda_driver")) || (r->stream != HTA_NO_STREAM && r->partner >= 0) ||
	       hta_is_loader(trace_name(h->tr, r->event));
}

static bool node_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct hta *h = ctx;
	const struct hta_node *a = &h->node[x], *b = &h->node[y];
	event_id e = h->row[a->row].event, f = h->row[b->row].event;

	if (a->ts != b->ts)
		return a->ts < b->ts;
	return e != f ? e < f : a->end < b->end;
}

void hta_nodes(struct hta *h)
{
	struct hta_node *node = NEW(h->arena, 2 * (size_t)h->nrows, struct hta_node);
	uint32_t *by = NEW(h->arena, 2 * (size_t)h->nrows, uint32_t);

	h->starts = NEW(h->arena, h->nrows, uint32_t);
	h->ends = NEW(h->arena, h->nrows, uint32_t);
	for (int end = 0; end < 2; end++)
		for (uint32_t i = 0; i < h->nrows; i++) {
			h->starts[i] = h->ends[i] = NONE;
			if (!has_nodes(h, &h->row[i]))
				continue;
			by[h->nnodes] = h->nnodes;
			node[h->nnodes++] = (struct hta_node){ end ? h->row[i].end : h->row[i].ts,
							       i, end };
		}
	h->node = node;
	sort_ids(by, h->nnodes, NEW(h->arena, h->nnodes, uint32_t), node_before, h);
	h->node = NEW(h->arena, h->nnodes, struct hta_node);
	for (uint32_t k = 0; k < h->nnodes; k++) {
		h->node[k] = node[by[k]];
		(node[by[k]].end ? h->ends : h->starts)[node[by[k]].row] = k;
	}
	h->capacity = 4 * h->nnodes + 16;
	h->joined = map_new(h->arena, h->capacity);
}

/* Context synchronisations join every stream: there can be more edges than we thought. */
static void grow_map(struct hta *h)
{
	h->capacity *= 2;
	h->joined = map_new(h->arena, h->capacity);
	for (uint32_t i = 0; i < h->nedges; i++)
		*map_at(&h->joined, (uint64_t)h->edge[i].from << 32 | h->edge[i].to) = i;
}

void hta_join(struct hta *h, uint32_t from, uint32_t to, enum hta_type t, bool weightless,
	      int64_t owner)
{
	bool none = weightless || t == HTA_DEPENDENCY || t == HTA_SYNC;

	if (h->nedges == h->capacity)
		grow_map(h);
	uint32_t *at = map_at(&h->joined, (uint64_t)from << 32 | to);
	if (*at == NONE) {
		if (h->nedges == h->room) {
			h->room = h->room ? 2 * h->room : 1024;
			struct hta_edge *more = NEW(h->arena, h->room, struct hta_edge);
			if (h->nedges)
				memcpy(more, h->edge, h->nedges * sizeof(*more));
			h->edge = more;
		}
		*at = h->nedges++;
		h->edge[*at].owner = -1;
	}
	struct hta_edge *e = &h->edge[*at];
	int64_t kept = t == HTA_SPAN || t == HTA_KERNEL_DELAY ? owner : e->owner;
	*e = (struct hta_edge){ from, to, (uint8_t)t, none ? 0 : h->node[to].ts - h->node[from].ts,
				kept };
}

/* ---- The lock of the runtime ---- */

void hta_lock(struct hta *h)
{
	uint32_t *open = NEW(h->arena, h->nnodes, uint32_t), nopen = 0, last = NONE;

	for (uint32_t k = 0; k < h->nnodes; k++) {
		const struct hta_node *n = &h->node[k];

		if (!hta_is_locking(hta_name(h, n->row)))
			continue;
		if (!n->end) {
			open[nopen++] = k;
			last = k;
			continue;
		}
		while (nopen) {
			uint32_t from = open[--nopen];
			bool own = h->node[from].row == n->row;
			hta_join(h, from, k, own ? HTA_SPAN : HTA_DEPENDENCY, false,
				 h->row[n->row].event);
		}
		if (last != NONE && h->node[last].end)
			hta_join(h, last, k, HTA_DEPENDENCY, false, -1);
		last = k;
	}
}

/* ---- The longest path ---- */

struct fans {
	uint32_t *first,
		*edge; /* edges of node v: edge[first[v] .. first[v + 1]), as they were made */
};

static struct fans fans_of(const struct hta *h, bool out)
{
	struct fans f = { NEW(h->arena, h->nnodes + (size_t)2, uint32_t),
			  NEW(h->arena, h->nedges, uint32_t) };

	for (uint32_t i = 0; i < h->nedges; i++)
		f.first[(out ? h->edge[i].from : h->edge[i].to) + 2]++;
	for (uint32_t v = 0; v < h->nnodes; v++)
		f.first[v + 2] += f.first[v + 1];
	for (uint32_t i = 0; i < h->nedges; i++)
		f.edge[f.first[(out ? h->edge[i].from : h->edge[i].to) + 1]++] = i;
	return f;
}

/* Nodes in the order in which edges first named them. */
static uint32_t *linked_nodes(struct hta *h)
{
	uint32_t *node = NEW(h->arena, h->nnodes, uint32_t);
	bool *seen = NEW(h->arena, h->nnodes, bool);

	for (uint32_t i = 0; i < h->nedges; i++)
		for (int k = 0; k < 2; k++) {
			uint32_t v = k ? h->edge[i].to : h->edge[i].from;
			if (!seen[v])
				node[h->nlinked++] = v;
			seen[v] = true;
		}
	return node;
}

/* By generations: all that have nothing before them, then all that then have, and so on. */
static uint32_t generations(struct hta *h, const struct fans *in, const struct fans *out,
			    uint32_t *order)
{
	const uint32_t *node = linked_nodes(h);
	uint32_t *missing = NEW(h->arena, h->nnodes, uint32_t), n = 0;

	for (uint32_t i = 0; i < h->nlinked; i++) {
		uint32_t v = node[i];
		missing[v] = in->first[v + 1] - in->first[v];
		if (!missing[v])
			order[n++] = v;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t e = out->first[order[i]]; e < out->first[order[i] + 1]; e++) {
			uint32_t to = h->edge[out->edge[e]].to;
			if (!--missing[to])
				order[n++] = to;
		}
	return n;
}

void hta_longest(struct hta *h)
{
	struct fans in = fans_of(h, false), out = fans_of(h, true);
	uint32_t *order = NEW(h->arena, h->nnodes, uint32_t), n = generations(h, &in, &out, order);
	uint32_t *via = NEW(h->arena, h->nnodes, uint32_t), end = NONE;
	usec *length = NEW(h->arena, h->nnodes, usec);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = order[i];
		via[v] = NONE;
		for (uint32_t k = in.first[v]; k < in.first[v + 1]; k++) {
			const struct hta_edge *e = &h->edge[in.edge[k]];
			usec through = length[e->from] + MAX_OF(e->weight, 0);
			if (via[v] == NONE || through > length[v]) {
				length[v] = through;
				via[v] = in.edge[k];
			}
		}
		if (end == NONE || length[v] > length[end])
			end = v;
	}
	h->path = NEW(h->arena, h->nedges, uint32_t);
	for (uint32_t v = end; v != NONE && via[v] != NONE; v = h->edge[via[v]].from)
		h->path[h->npath++] = via[v];
	for (uint32_t i = 0, j = h->npath; i + 1 < j; i++) {
		uint32_t swap = h->path[i];
		h->path[i] = h->path[--j];
		h->path[j] = swap;
	}
}
