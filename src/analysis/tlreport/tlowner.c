/*
 * A kernel is charged to the operator above its launch, over Python frames and operators
 * named "execute"; where anything else stands above, to the launch itself.
 */
#include "algo/sort.h"
#include "analysis/tlreport/tlreport.h"

static node_id owner_of_launch(const struct tlreport *r, node_id launch)
{
	for (node_id i = r->t->parent[launch]; i != NONE; i = r->t->parent[i]) {
		event_id e = r->t->event[i];

		if (r->tr->ev.kind[e] == KIND_PYTHON)
			continue;
		if (r->tr->ev.kind[e] != KIND_CPU_OP)
			break;
		if (!str_eq(trace_name(r->tr, e), STR("execute")))
			return i;
	}
	return launch;
}

struct charging {
	struct tlreport *r;
	uint32_t *owner; /* of each row of links.gpu; NONE */
};

static uint32_t owner_number(struct tlreport *r, node_id i)
{
	event_id e = r->t->event[i];

	if (r->owner_of[e] == NONE) {
		r->owner_of[e] = r->nowners;
		r->owner[r->nowners++] = (struct tlowner){ .event = e, .node = i };
	}
	return r->owner_of[e];
}

/* By the owner's start, then its number as yet; within one by the kernel's start. */
static bool charged_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct charging *c = ctx;
	const struct events *ev = &c->r->tr->ev;
	uint32_t x = c->owner[a], y = c->owner[b];

	if (x != y) {
		nsec s = ev->ts[c->r->owner[x].event], u = ev->ts[c->r->owner[y].event];
		return s != u ? s < u : x < y;
	}
	event_id e = c->r->l->gpu[a], f = c->r->l->gpu[b];
	return ev->ts[e] != ev->ts[f] ? ev->ts[e] < ev->ts[f] : c->r->rank[a] < c->r->rank[b];
}

/* The owners by start, each with its run of `row`. */
static void number_by_start(struct charging *c, const uint32_t *row, uint32_t n)
{
	struct tlreport *r = c->r;
	struct tlowner *sorted = NEW(&r->scratch, r->nowners, struct tlowner);
	uint32_t k = 0;

	for (uint32_t from = 0, to; from < n; from = to) {
		uint32_t owner = c->owner[row[from]];

		for (to = from + 1; to < n && c->owner[row[to]] == owner; to++)
			;
		sorted[k] = r->owner[owner];
		sorted[k].direct = (struct tlwork){ to - from, row + from };
		r->owner_of[sorted[k].event] = k;
		k++;
	}
	r->owner = sorted;
}

void tlowner_find(struct tlreport *r)
{
	uint32_t n = r->l->n, nrows = 0, *row = NEW(&r->scratch, n, uint32_t);
	struct charging c = { r, NEW(&r->scratch, n, uint32_t) };

	r->owner = NEW(&r->scratch, n, struct tlowner);
	r->owner_of = NEW(&r->scratch, r->tr->ev.n, uint32_t);
	memset(r->owner_of, 0xff, r->tr->ev.n * sizeof(*r->owner_of)); /* NONE */
	for (uint32_t i = 0; i < r->l->nlinked; i++) {
		uint32_t gpu = r->l->below[i];
		node_id launch = r->t->node[r->l->launch[gpu]];

		if (launch == NONE || tlreport_is_comm(r, gpu))
			continue;
		c.owner[gpu] = owner_number(r, owner_of_launch(r, launch));
		row[nrows++] = gpu;
	}
	sort_ids(row, nrows, NEW(&r->scratch, n, uint32_t), charged_before, &c);
	number_by_start(&c, row, nrows);
}
