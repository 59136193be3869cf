#include "analysis/diff_overlap.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Never goes below the level, so what hangs deeper costs nothing. */
struct overlap_names overlap_names(const struct diff_side *s, uint32_t node, unsigned level,
				   uint32_t most, struct arena *a)
{
	struct overlap_names l = { .name = NEW(a, MIN_OF(most, s->end[node] - node), uint32_t) };
	uint32_t stop[DIFF_LEVELS]; /* stop[d]: end of the open node d levels down */
	unsigned depth = 0;

	for (uint32_t i = node + 1; i < s->end[node];) {
		while (depth && i >= stop[depth - 1])
			depth--;
		if (l.looked++ == most)
			return (struct overlap_names){ .over = true };
		if (diff_on_gpu(s, i) && depth < level) {
			stop[depth++] = s->end[i++];
			continue;
		}
		if (diff_on_gpu(s, i))
			l.name[l.n++] = s->name[i];
		i = s->end[i];
	}
	if (l.n > 1)
		qsort(l.name, l.n, sizeof(*l.name), by_number);
	return l;
}

uint32_t overlap_common(const struct overlap_names *a, const struct overlap_names *b)
{
	uint32_t common = 0;

	for (uint32_t i = 0, j = 0; i < a->n && j < b->n;) {
		if (a->name[i] == b->name[j])
			common++, i++, j++;
		else if (a->name[i] < b->name[j])
			i++;
		else
			j++;
	}
	return common;
}

static int best_first(const void *x, const void *y)
{
	const struct overlap *p = x, *q = y;

	if (p->score != q->score)
		return p->score > q->score ? -1 : 1;
	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return (p->b > q->b) - (p->b < q->b);
}

/* NULL if there is too much to look at. */
static struct overlap_names *names_of(struct overlap_list l, unsigned level, struct arena *s)
{
	struct overlap_names *names = NEW(s, l.n, struct overlap_names);
	uint32_t left = OVERLAP_NAMES;

	for (uint32_t i = 0; i < l.n; i++) {
		names[i] = overlap_names(l.side, l.node[l.place[i]], level, left, s);
		if (names[i].over)
			return NULL;
		left -= names[i].looked;
	}
	return names;
}

static uint32_t score(struct overlap_list a, uint32_t i, struct overlap_list b, uint32_t j,
		      const uint32_t *aligned, uint32_t common)
{
	uint32_t u = a.node[a.place[i]], v = b.node[b.place[j]];
	bool dims = a.side->dims[u] == b.side->dims[v];
	bool types = dims && a.side->types[u] == b.side->types[v];

	return common << 3 | (uint32_t)dims << 2 | (uint32_t)types << 1 |
	       (aligned[a.place[i]] == b.place[j]);
}

struct overlap *overlap_sorted(struct overlap_list a, struct overlap_list b, unsigned level,
			       const uint32_t *aligned, uint32_t *n, struct arena *scratch)
{
	*n = 0;
	if ((uint64_t)a.n * b.n > OVERLAP_PAIRS)
		return NULL;
	struct overlap_names *la = names_of(a, level, scratch), *lb = names_of(b, level, scratch);
	if (!la || !lb)
		return NULL;

	struct overlap *all = NEW(scratch, (size_t)a.n * b.n, struct overlap);
	for (uint32_t i = 0; i < a.n; i++)
		for (uint32_t j = 0; j < b.n; j++) {
			uint32_t s = score(a, i, b, j, aligned, overlap_common(&la[i], &lb[j]));

			all[(*n)++] = (struct overlap){ a.place[i], b.place[j], s };
		}
	qsort(all, *n, sizeof(*all), best_first);
	return all;
}
