/* Between the two forms of a merged tree: children as lists, and preorder with a root. */
#include "analysis/tracediff.h"

#include "base/check.h"

static enum diff_how how_of(const struct diff_sides *d, uint32_t u, uint32_t v)
{
	const struct diff_side *a = &d->side[0], *b = &d->side[1];

	if (u == NONE || v == NONE)
		return DIFF_UNMATCHED;
	return diff_is_gpu(a->kind[u]) && a->name[u] != b->name[v] ? DIFF_CHANGED : DIFF_IN_PLACE;
}

struct diff_merged tracediff_as_diff(const struct diff_sides *d, const struct tracediff_merged *m,
				     struct arena *a)
{
	uint32_t n = m->n + 1;
	struct diff_merged out = { .n = n, .node = { NEW(a, n, uint32_t), NEW(a, n, uint32_t) } };

	out.how = NEW(a, n, uint8_t);
	out.parent = NEW(a, n, uint32_t);
	out.end = NEW(a, n, uint32_t);
	out.parent[0] = NONE;
	out.how[0] = DIFF_IN_PLACE;
	out.end[0] = n;
	for (uint32_t i = 1; i < n; i++) {
		for (int k = 0; k < 2; k++)
			out.node[k][i] = m->node[k][i - 1];
		out.how[i] = (uint8_t)how_of(d, out.node[0][i], out.node[1][i]);
		out.parent[i] = m->parent[i - 1] == NONE ? 0 : m->parent[i - 1] + 1;
		out.end[i] = i + 1;
	}
	for (uint32_t i = n; i-- > 1;) {
		CHECK(out.parent[i] < i);
		out.end[out.parent[i]] = MAX_OF(out.end[out.parent[i]], out.end[i]);
	}
	return out;
}

struct tracediff_merged tracediff_from_diff(const struct diff_merged *m, struct arena *a)
{
	uint32_t n = m->n - 1;
	struct tracediff_merged out = { .n = n };

	out.parent = NEW(a, n, uint32_t);
	out.first = NEW(a, (size_t)n + 1, uint32_t);
	out.child = NEW(a, n, uint32_t);
	out.root = NEW(a, n, uint32_t);
	for (int k = 0; k < 2; k++) {
		out.node[k] = NEW(a, n, uint32_t);
		memcpy(out.node[k], m->node[k] + 1, n * sizeof(uint32_t));
	}
	for (uint32_t i = 0, at = 0; i < n; i++) {
		out.parent[i] = m->parent[i + 1] ? m->parent[i + 1] - 1 : NONE;
		if (out.parent[i] == NONE)
			out.root[out.nroots++] = i;
		for (uint32_t c = i + 2; c < m->end[i + 1]; c = m->end[c])
			out.child[at++] = c - 1;
		out.first[i + 1] = at;
	}
	return out;
}
