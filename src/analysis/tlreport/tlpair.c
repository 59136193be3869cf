#include "analysis/tlreport/tlpair.h"

#include "base/map.h"

struct number {
	event_id wrapper, forward; /* NONE */
};

static bool numbered(const struct trace *tr, event_id e, int64_t *number)
{
	return trace_slice(tr, e) && tr->ev.lane[e] != NONE && tr->ev.ts[e] != NSEC_NONE &&
	       arg_i64(tr, e, KEY_SEQUENCE, number);
}

static uint32_t count(const struct trace *tr)
{
	uint32_t n = 0;
	int64_t number;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += numbered(tr, e, &number);
	return n;
}

static bool is_wrapper(struct str name)
{
	return str_starts(name, STR("autograd::engine::evaluate_function:"));
}

/* The wrapper of each number, then its forward operator among the others. */
static uint32_t find(struct trace *tr, struct map *at, struct number *number)
{
	int64_t seq;
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++) {
		if (!numbered(tr, e, &seq))
			continue;
		uint32_t *slot = map_at(at, (uint64_t)seq);
		if (*slot == NONE) {
			*slot = n++;
			number[*slot] = (struct number){ NONE, NONE };
		}
		if (number[*slot].wrapper == NONE && is_wrapper(trace_name(tr, e)))
			number[*slot].wrapper = e;
	}
	for (event_id e = 0; e < tr->ev.n; e++) {
		if (!numbered(tr, e, &seq))
			continue;
		struct number *x = &number[map_get(at, (uint64_t)seq)];
		if (x->wrapper == NONE || tr->ev.lane[e] == tr->ev.lane[x->wrapper])
			continue;
		if (x->forward == NONE || tr->ev.ts[e] > tr->ev.ts[x->forward])
			x->forward = e;
	}
	return n;
}

struct tlpairs tlpair_find(struct arena *a, struct trace *tr)
{
	struct arena scratch = { 0 };
	uint32_t n = count(tr);
	struct map at = map_new(&scratch, n);
	struct number *number = NEW(&scratch, n, struct number);
	struct tlpairs out = { .p = { NEW(a, tr->ev.n, event_id), NEW(a, tr->ev.n, event_id), 0 },
			       .next = NEW(a, tr->ev.n, event_id) };

	memset(out.p.forward, 0xff, tr->ev.n * sizeof(event_id)); /* NONE */
	memset(out.p.backward, 0xff, tr->ev.n * sizeof(event_id));
	memset(out.next, 0xff, tr->ev.n * sizeof(event_id));
	n = find(tr, &at, number);
	for (uint32_t i = n; i-- > 0;) { /* backwards: the lists of wrappers come in order */
		event_id f = number[i].forward, w = number[i].wrapper;

		if (w == NONE || f == NONE)
			continue;
		out.p.forward[w] = f;
		out.next[w] = out.p.backward[f];
		out.p.backward[f] = w;
		out.p.n++;
	}
	arena_free(&scratch);
	return out;
}
