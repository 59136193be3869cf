/*
 * Host calls and GPU work carry the same correlation id. Of several calls with one id
 * (a driver call inside a runtime call, a numbering that began anew) the one that
 * started last before the work launched it: the innermost. Where several processes
 * number alike, link_rank.c has said first whose calls may launch what.
 */
#include "algo/sort.h"
#include "base/map.h"
#include "trace/link_build.h"

/* ---- The calls, by id ---- */

struct call_order {
	const struct trace *tr;
	const struct calls *c;
};

static bool call_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct call_order *o = ctx;
	const struct events *ev = &o->tr->ev;
	event_id x = o->c->event[a], y = o->c->event[b];

	if (LIKELY(o->c->id[a] != o->c->id[b]))
		return o->c->id[a] < o->c->id[b];
	uint32_t p = link_process(o->tr, x), q = link_process(o->tr, y);
	if (p != q)
		return p < q;
	return ev->ts[x] != ev->ts[y] ? ev->ts[x] < ev->ts[y] : ev->dur[x] > ev->dur[y];
}

static bool is_call(const struct trace *tr, event_id e)
{
	return tr->ev.kind[e] == KIND_RUNTIME && trace_slice(tr, e) && tr->ev.lane[e] != NONE &&
	       tr->ev.ts[e] != NSEC_NONE;
}

static struct calls list_calls(const struct trace *tr, struct arena *a)
{
	struct calls c = { .n = 0 };
	uint32_t cap = tr->nkind[KIND_RUNTIME];
	event_id *event = NEW(a, cap, event_id);
	int64_t *id = NEW(a, cap, int64_t);
	uint32_t *order = NEW(a, cap, uint32_t), *spare = NEW(a, cap, uint32_t);

	for (event_id e = 0; e < tr->ev.n; e++)
		if (is_call(tr, e) && (id[c.n] = link_id(tr, e))) {
			event[c.n] = e;
			order[c.n] = c.n;
			c.n++;
		}
	c.event = event;
	c.id = id;
	sort_ids(order, c.n, spare, call_before, &(struct call_order){ tr, &c });
	c.event = NEW(a, c.n, event_id);
	c.id = NEW(a, c.n, int64_t);
	c.first = map_new(a, c.n);
	for (uint32_t i = 0; i < c.n; i++) {
		c.event[i] = event[order[i]];
		c.id[i] = id[order[i]];
		if (!i || c.id[i] != c.id[i - 1])
			*map_at(&c.first, (uint64_t)c.id[i]) = i;
	}
	return c;
}

uint32_t calls_end(const struct trace *tr, const struct calls *c, uint32_t i)
{
	uint32_t lo = i + 1, hi = c->n, p = link_process(tr, c->event[i]);

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (c->id[mid] == c->id[i] && link_process(tr, c->event[mid]) == p)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t calls_before(const struct trace *tr, const struct calls *c, uint32_t from, uint32_t to,
		      nsec at)
{
	uint32_t lo = from, hi = to;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tr->ev.ts[c->event[mid]] <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > from ? lo - 1 : from;
}

/* The call that launched GPU row i, as far as link_may() allows. */
static event_id find_call(const struct linking *l, const struct calls *c, uint32_t i, int64_t id)
{
	const struct trace *tr = l->tr;
	event_id gpu = tr->gpu[i], best = NONE;

	for (uint32_t k = map_get(&c->first, (uint64_t)id); k < c->n && c->id[k] == id;) {
		uint32_t to = calls_end(tr, c, k);
		event_id call = c->event[calls_before(tr, c, k, to, tr->ev.ts[gpu])];
		k = to;
		if (!link_may(l, i, call))
			continue;
		bool early = tr->ev.ts[call] > tr->ev.ts[gpu];
		if (best == NONE || (!early && tr->ev.ts[call] > tr->ev.ts[best]))
			best = call;
	}
	return best;
}

void link_by_correlation(struct linking *l)
{
	const struct trace *tr = l->tr;
	struct calls c = list_calls(tr, l->scratch);

	if (!c.n)
		return;
	link_ranks(l, &c);
	for (uint32_t i = 0; i < tr->ngpu; i++) {
		int64_t id = l->launch[i] == NONE ? link_id(tr, tr->gpu[i]) : 0;
		event_id call = id ? find_call(l, &c, i, id) : NONE;
		if (call != NONE)
			link_set(l, i, call, LINK_CORRELATION);
	}
}
