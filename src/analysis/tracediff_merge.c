/*
 * The recursion of the original is a work list here, and its numbering, first visits in
 * depth-first order, is done at the end.
 */
#include "analysis/tracediff_pair.h"
#include "base/alloc.h"

#include <stdlib.h>

struct merger {
	struct tracediff_trees trees;
	struct map pairs; /* a pair of nodes -> its merged node */
	bool memo;

	/* merged nodes, in the order they were met */
	uint32_t n, cap;
	uint32_t *node[2], *first, *count;
	uint32_t nchild, child_cap;
	uint32_t *child;
	struct arena scratch;
};

static void *grow(void *p, size_t size)
{
	void *q = alloc_checked(realloc(p, size));
	return q;
}

static uint32_t new_node(struct merger *m, uint32_t u, uint32_t v)
{
	if (m->n == m->cap) {
		m->cap = 2 * m->cap + 1024;
		for (int k = 0; k < 2; k++)
			m->node[k] = grow(m->node[k], m->cap * sizeof(uint32_t));
		m->first = grow(m->first, m->cap * sizeof(uint32_t));
		m->count = grow(m->count, m->cap * sizeof(uint32_t));
	}
	m->node[0][m->n] = u;
	m->node[1][m->n] = v;
	m->first[m->n] = m->count[m->n] = 0;
	return m->n++;
}

/* The merged node of a pair; the same one if the pair was met before. */
static uint32_t node_of(struct merger *m, uint32_t u, uint32_t v)
{
	if (!m->memo)
		return new_node(m, u, v);
	uint32_t *at = map_at(&m->pairs, (uint64_t)u << 32 | v);
	if (*at == NONE)
		*at = new_node(m, u, v);
	return *at;
}

static void add_child(struct merger *m, uint32_t i, uint32_t child)
{
	if (m->nchild == m->child_cap) {
		m->child_cap = 2 * m->child_cap + 1024;
		m->child = grow(m->child, m->child_cap * sizeof(uint32_t));
	}
	m->child[m->nchild++] = child;
	m->count[i]++;
}

static void merge_node(struct merger *m, uint32_t i)
{
	struct arena_mark mark = arena_mark(&m->scratch);
	struct tracediff_pair w = { .t = &m->trees, .u = { m->node[0][i], m->node[1][i] } };

	w.a = &m->scratch;
	tracediff_children(&w);
	w.ops = tracediff_match(&w, w.l[0], w.l[1]);
	if (tracediff_unmatched(&w, 0).n && tracediff_unmatched(&w, 1).n)
		tracediff_reconcile(&w);
	tracediff_collapse(&w);
	m->node[0][i] = w.u[0];
	m->node[1][i] = w.u[1];
	m->first[i] = m->nchild;
	for (uint32_t k = 0; k < w.ops.n; k++) {
		struct align_op op = w.ops.at[k];

		add_child(m, i,
			  node_of(m, op.a == NONE ? NONE : w.l[0].node[op.a],
				  op.b == NONE ? NONE : w.l[1].node[op.b]));
	}
	arena_rewind(&m->scratch, mark);
}

static void merge_roots(struct merger *m, const struct tracediff_side t[2], uint32_t *root,
			uint32_t nroots)
{
	for (uint32_t i = 0; i < nroots; i++)
		root[i] = node_of(m, i < t[0].nroots ? t[0].root[i] : NONE,
				  i < t[1].nroots ? t[1].root[i] : NONE);
	for (uint32_t i = 0; i < m->n; i++)
		merge_node(m, i);
}

/* Numbers by first visit, depth first. */
static struct tracediff_merged renumber(const struct merger *m, const uint32_t *root,
					uint32_t nroots, struct arena *a)
{
	struct arena s = { 0 };
	struct tracediff_merged out = { .node = { NEW(a, m->n, uint32_t), NEW(a, m->n, uint32_t) },
					.parent = NEW(a, m->n, uint32_t),
					.first = NEW(a, (size_t)m->n + 1, uint32_t),
					.child = NEW(a, m->nchild, uint32_t),
					.nroots = nroots,
					.root = NEW(a, nroots, uint32_t) };
	uint32_t *id = NEW(&s, m->n, uint32_t), *old = NEW(&s, m->n, uint32_t);
	uint32_t *stack = NEW(&s, (size_t)m->nchild + nroots, uint32_t), depth = 0;
	uint32_t *up = NEW(&s, (size_t)m->nchild + nroots, uint32_t);

	memset(id, 0xff, m->n * sizeof(*id));
	for (uint32_t i = nroots; i-- > 0; depth++) {
		stack[depth] = root[i];
		up[depth] = NONE;
	}
	while (depth) {
		uint32_t i = stack[--depth], parent = up[depth];

		if (id[i] != NONE)
			continue;
		old[out.n] = i;
		out.parent[out.n] = parent;
		id[i] = out.n++;
		for (uint32_t c = m->count[i]; c-- > 0; depth++) {
			stack[depth] = m->child[m->first[i] + c];
			up[depth] = id[i];
		}
	}
	for (uint32_t i = 0; i < out.n; i++) {
		for (int k = 0; k < 2; k++)
			out.node[k][i] = m->node[k][old[i]];
		out.first[i + 1] = out.first[i] + m->count[old[i]];
		for (uint32_t c = 0; c < m->count[old[i]]; c++)
			out.child[out.first[i] + c] = id[m->child[m->first[old[i]] + c]];
	}
	for (uint32_t i = 0; i < nroots; i++)
		out.root[i] = id[root[i]];
	arena_free(&s);
	return out;
}

static struct merger merger_new(const struct diff_sides *d, const struct tracediff_side t[2],
				struct arena *a)
{
	struct merger m = { .trees.d = d };
	uint32_t n = d->side[0].n + d->side[1].n;

	for (int k = 0; k < 2; k++) {
		bool twice = t[k].nlifted && t[k].nroots;

		m.trees.lift[k] = map_new(a, t[k].nlifted);
		for (uint32_t i = 0; i < t[k].nlifted; i++)
			*map_at(&m.trees.lift[k], t[k].top[i]) = t[k].lifted[i];
		m.trees.seen[k] = NEW(a, d->names.n, uint32_t);
		m.trees.last[k] = NEW(a, d->names.n, uint32_t);
		m.memo |= twice;
	}
	if (m.memo)
		m.pairs = map_new(a, 2 * (size_t)n);
	return m;
}

struct tracediff_merged tracediff_merge(const struct diff_sides *d,
					const struct tracediff_side t[2], struct arena *a)
{
	struct arena own = { 0 };
	struct merger m = merger_new(d, t, &own);
	uint32_t nroots = MAX_OF(t[0].nroots, t[1].nroots), *root = NEW(&own, nroots, uint32_t);

	merge_roots(&m, t, root, nroots);
	struct tracediff_merged out = renumber(&m, root, nroots, a);

	for (int k = 0; k < 2; k++)
		free(m.node[k]);
	free(m.first);
	free(m.count);
	free(m.child);
	arena_free(&m.scratch);
	arena_free(&own);
	return out;
}
