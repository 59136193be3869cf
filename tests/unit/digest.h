/* digest.h - everything that was read from a trace, as one number, for comparing readings. */
#ifndef TESTS_DIGEST_H
#define TESTS_DIGEST_H

#include "base/hash.h"
#include "trace/read.h"

static inline void digest_bytes(uint64_t *h, const void *p, size_t n)
{
	*h = hash_mix(*h ^ 0x9e3779b97f4a7c15, hash_bytes(p, n) ^ n);
}

static inline void digest_number(uint64_t *h, uint64_t v)
{
	*h = hash_mix(*h ^ 0x9e3779b97f4a7c15, v ^ 0xd6e8feb86659fd93);
}

static inline void digest_strings(uint64_t *h, const struct strings *s)
{
	digest_number(h, s->n);
	for (uint32_t i = 0; i < s->n; i++)
		digest_bytes(h, s->at[i].p, s->at[i].n);
}

static inline void digest_event(uint64_t *h, const struct trace *tr, event_id e)
{
	struct arg a;

	digest_number(h, (uint64_t)tr->ev.ts[e]);
	digest_number(h, (uint64_t)tr->ev.dur[e]);
	digest_number(h, tr->ev.name[e]);
	digest_number(h, tr->ev.lane[e]);
	digest_number(h, trace_place(tr, e));
	digest_number(h, (uint64_t)tr->ev.cat[e] << 16 | (uint64_t)tr->ev.ph[e] << 8 |
				 tr->ev.flags[e]);
	for (uint32_t i = 0; arg_at(tr, e, i, &a); i++) {
		digest_number(h, (uint64_t)a.key << 8 | a.type);
		digest_number(h, a.type == ARG_WIDE ? (uint64_t)tr->args.wide[a.value] : a.value);
	}
}

static inline uint64_t digest_trace(const struct trace *tr)
{
	uint64_t h = tr->ev.n;

	for (event_id e = 0; e < tr->ev.n; e++)
		digest_event(&h, tr, e);
	digest_strings(&h, &tr->strings);
	digest_strings(&h, &tr->cats);
	digest_strings(&h, &tr->args.keys);
	for (uint32_t i = 0; i < tr->lanes.n; i++)
		digest_number(&h, (uint64_t)tr->lanes.at[i].pid << 32 | tr->lanes.at[i].tid);
	for (int i = 0; i < COUNTERS; i++) {
		digest_number(&h, tr->counters.n[i]);
		digest_number(&h, tr->counters.first_byte[i]);
	}
	for (uint32_t i = 0; i < tr->nmeta; i++) {
		digest_bytes(&h, tr->meta[i].key.p, tr->meta[i].key.n);
		digest_bytes(&h, tr->meta[i].json.p, tr->meta[i].json.n);
	}
	return h;
}

#endif
