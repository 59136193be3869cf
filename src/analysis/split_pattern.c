#include "analysis/split_pattern.h"

#include "algo/sort.h"

struct by_pattern {
	const struct slices *s;
	const uint32_t *of;
};

static bool before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct by_pattern *x = ctx;

	if (x->of[a] != x->of[b])
		return x->of[a] < x->of[b];
	return x->s->at[a].gpu_sum < x->s->at[b].gpu_sum;
}

static void pick_representatives(const struct slices *s, struct patterns *p, struct arena *a)
{
	uint32_t *id = NEW(a, (size_t)s->n + 1, uint32_t), at = 0;
	struct by_pattern x = { s, p->of };

	for (uint32_t i = 0; i < s->n; i++)
		id[i] = i;
	sort_ids(id, s->n, NEW(a, (size_t)s->n + 1, uint32_t), before, &x);
	for (uint32_t k = 0; k < p->n; k++) {
		p->representative[k] = id[at + (p->count[k] - 1) / 2];
		at += p->count[k];
	}
}

struct patterns split_patterns(const struct slices *s, struct arena *a)
{
	struct map seen = map_new(a, s->n);
	struct patterns p = { 0, NEW(a, (size_t)s->n + 1, uint32_t),
			      NEW(a, (size_t)s->n + 1, uint32_t),
			      NEW(a, (size_t)s->n + 1, uint32_t),
			      NEW(a, (size_t)s->n + 1, uint32_t) };

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *at = map_at(&seen, s->at[i].signature);

		if (*at == NONE) {
			*at = p.n++;
			p.first[*at] = i;
		}
		p.of[i] = *at;
		p.count[*at]++;
	}
	pick_representatives(s, &p, a);
	return p;
}
