/*
 * The phases of the original for one pair of nodes: lists of children; a lone child that
 * is a chain; alignment; wrappers; chains among what is left. Its recursion is a work
 * list here, and its numbering, first visits in depth-first order, is done at the end.
 */
#include "analysis/tracediff.h"

#include "algo/sort.h"
#include "base/hash.h"
#include "base/map.h"

#include <stdlib.h>

struct list {
	uint32_t n;
	uint32_t *node;
};

struct merger {
	const struct diff_sides *d;
	const struct tracediff_side *t;
	struct map lift[2]; /* top -> lifted */
	struct map pairs;   /* a pair of nodes -> its merged node */
	bool memo;

	/* merged nodes, in the order they were met */
	uint32_t n, cap;
	uint32_t *node[2], *first, *count;
	uint32_t nchild, child_cap;
	uint32_t *child;
	uint32_t *seen[2]; /* by name: the round that last saw it among the children ... */
	uint32_t *last[2]; /* ... and the last child of that name */
	uint32_t round;
	struct arena scratch;
};

/* The pair being merged. */
struct work {
	struct merger *m;
	uint32_t u[2];
	struct list l[2];
	struct tracediff_ops ops;
	struct arena *a;
};

static void *grow(void *p, size_t size)
{
	void *q = realloc(p, size);

	if (!q)
		abort();
	return q;
}

static const struct diff_side *side_of(const struct merger *m, int k)
{
	return &m->d->side[k];
}

/* ---- Children ---- */

/* The node whose children are those of u in the original's tree. */
static uint32_t holder(const struct merger *m, int k, uint32_t u)
{
	uint32_t lifted = side_of(m, k)->parent[u] ? NONE : map_get(&m->lift[k], u);

	return lifted == NONE ? u : lifted;
}

static struct list gpu_children(const struct merger *m, int k, uint32_t u, struct arena *a)
{
	const struct diff_side *s = side_of(m, k);
	uint32_t n = 0, h = holder(m, k, u);

	for (uint32_t c = diff_first(s, h); c < s->end[h]; c = s->end[c])
		n += diff_on_gpu(s, c);
	struct list l = { 0, NEW(a, n, uint32_t) };
	for (uint32_t c = diff_first(s, h); c < s->end[h]; c = s->end[c])
		if (diff_on_gpu(s, c))
			l.node[l.n++] = c;
	return l;
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct diff_side *s = ctx;

	return s->ts[a] < s->ts[b];
}

static void sort_by_start(struct work *w, int k)
{
	sort_ids(w->l[k].node, w->l[k].n, NEW(w->a, w->l[k].n, uint32_t), starts_before,
		 side_of(w->m, k));
}

static bool has_name(const struct diff_side *s, uint32_t i)
{
	return !(s->flags[i] & DIFF_NAMELESS);
}

/* Notes the names of all children of side k; `gpu` are those on the GPU path alone. */
static void note_names(struct work *w, int k, uint32_t round)
{
	struct merger *m = w->m;
	const struct diff_side *s = side_of(m, k);
	uint32_t h = holder(m, k, w->u[k]);

	for (uint32_t c = diff_first(s, h); c < s->end[h]; c = s->end[c]) {
		if (!has_name(s, c))
			continue;
		m->seen[k][s->name[c]] = round;
		m->last[k][s->name[c]] = c;
	}
}

/* What side k lacks on the GPU path though it has it, because the other side has it there. */
static void add_missing(struct work *w, int k, struct list other)
{
	struct merger *m = w->m;
	const struct diff_side *s = side_of(m, !k);
	struct list *l = &w->l[k];
	uint32_t *more = NEW(w->a, l->n + other.n, uint32_t), n = l->n;

	if (n)
		memcpy(more, l->node, n * sizeof(*more));
	for (uint32_t i = 0; i < other.n; i++) {
		uint32_t name = s->name[other.node[i]];

		if (!has_name(s, other.node[i]) || m->seen[k][name] != m->round ||
		    diff_on_gpu(side_of(m, k), m->last[k][name]))
			continue;
		m->seen[k][name] = 0; /* once */
		more[n++] = m->last[k][name];
	}
	*l = (struct list){ n, more };
}

/* A name of which some child is on the GPU path is not missing, whatever its last one is. */
static void drop_present(struct work *w, int k)
{
	const struct diff_side *s = side_of(w->m, k);

	for (uint32_t i = 0; i < w->l[k].n; i++)
		if (has_name(s, w->l[k].node[i]))
			w->m->seen[k][s->name[w->l[k].node[i]]] = 0;
}

static void list_children(struct work *w)
{
	struct list own[2] = { 0 };

	w->m->round++;
	for (int k = 0; k < 2; k++) {
		if (w->u[k] == NONE)
			continue;
		own[k] = w->l[k] = gpu_children(w->m, k, w->u[k], w->a);
		note_names(w, k, w->m->round);
		drop_present(w, k);
	}
	for (int k = 0; k < 2; k++)
		if (w->u[k] != NONE)
			add_missing(w, k, own[!k]);
	for (int k = 0; k < 2; k++)
		sort_by_start(w, k);
}

/* ---- Phase 1 and 4: chains ---- */

static bool is_launch(const struct diff_side *s, uint32_t i)
{
	return s->kind[i] == DIFF_CALL;
}

/* The end of the chain below u, and its children on the GPU path. */
static uint32_t collapse(const struct merger *m, int k, uint32_t u, struct list *children,
			 struct arena *a)
{
	const struct diff_side *s = side_of(m, k);

	*children = (struct list){ 0 };
	for (;;) {
		if (is_launch(s, u) || (s->kind[u] == DIFF_OP && s->flags[u] & DIFF_LAUNCHES))
			return u;
		struct list l = gpu_children(m, k, u, a);
		if (l.n != 1) {
			*children = l;
			return u;
		}
		u = l.node[0];
	}
}

static void collapse_lone_child(struct work *w)
{
	if (w->l[0].n == w->l[1].n)
		return;
	for (int k = 0; k < 2; k++) {
		struct list children;

		if (w->l[k].n != 1)
			continue;
		uint32_t end = collapse(w->m, k, w->l[k].node[0], &children, w->a);
		if (children.n) {
			w->u[k] = end;
			w->l[k] = children;
		}
		return;
	}
}

static struct tracediff_ops align(struct work *w, struct list a, struct list b, bool bare)
{
	return tracediff_align(w->m->d, a.node, a.n, b.node, b.n, bare, w->a);
}

static bool any_launch(const struct work *w, int k, struct list l)
{
	for (uint32_t i = 0; i < l.n; i++)
		if (is_launch(side_of(w->m, k), l.node[i]))
			return true;
	return false;
}

/* By place if there are as many and no launches among them; else by name. */
static struct tracediff_ops align_or_pair(struct work *w, struct list a, struct list b)
{
	if (a.n != b.n || any_launch(w, 0, a) || any_launch(w, 1, b))
		return align(w, a, b, false);
	struct tracediff_ops ops = { a.n, NEW(w->a, a.n, struct align_op) };
	for (uint32_t i = 0; i < a.n; i++)
		ops.at[i] = (struct align_op){ i, i };
	return ops;
}

static struct list unmatched(struct work *w, int k)
{
	struct list l = { 0, NEW(w->a, w->ops.n, uint32_t) };

	for (uint32_t i = 0; i < w->ops.n; i++) {
		struct align_op op = w->ops.at[i];

		if (k ? op.a == NONE : op.b == NONE)
			l.node[l.n++] = k ? op.b : op.a;
	}
	return l;
}

/* ---- Phase 3: wrappers ---- */

static bool may_be_wrapper(const struct diff_side *s, uint32_t i)
{
	return s->kind[i] != DIFF_KERNEL && s->kind[i] != DIFF_CALL;
}

/* What is unmatched on one side and may be replaced, with its children. */
struct wrappers {
	struct list place;  /* in the list */
	struct list *child; /* of each */
	uint64_t *key;      /* of each: its children's names in order; 0 if it has none */
	struct map names, keys;
};

static uint64_t names_key(const struct diff_side *s, struct list l)
{
	uint64_t key = 1;

	for (uint32_t i = 0; i < l.n; i++) {
		uint32_t name = has_name(s, l.node[i]) ? s->name[l.node[i]] : NONE;

		key = hash_mix(key ^ hash_u64(name), 0xd6e8feb86659fd93) | 1;
	}
	return l.n ? key : 0;
}

static struct wrappers find_wrappers(struct work *w, int k)
{
	const struct diff_side *s = side_of(w->m, k);
	struct list all = unmatched(w, k);
	struct wrappers x = { .names = map_new(w->a, all.n), .keys = map_new(w->a, all.n) };

	x.place.node = NEW(w->a, all.n, uint32_t);
	x.child = NEW(w->a, all.n, struct list);
	x.key = NEW(w->a, all.n, uint64_t);
	for (uint32_t i = 0; i < all.n; i++) {
		uint32_t node = w->l[k].node[all.node[i]], n = x.place.n;

		if (!may_be_wrapper(s, node))
			continue;
		x.place.node[x.place.n++] = all.node[i];
		x.child[n] = gpu_children(w->m, k, node, w->a);
		x.key[n] = names_key(s, x.child[n]);
		if (has_name(s, node))
			*map_at(&x.names, s->name[node]) = 1;
		if (x.key[n])
			*map_at(&x.keys, x.key[n]) = 1;
	}
	return x;
}

static bool is_replaced(struct work *w, int k, const struct wrappers *mine, uint32_t i,
			const struct wrappers *theirs)
{
	const struct diff_side *s = side_of(w->m, k);
	struct list l = mine->child[i];

	if (mine->key[i] && map_get(&theirs->keys, mine->key[i]) != NONE)
		return true;
	for (uint32_t c = 0; c < l.n; c++)
		if (has_name(s, l.node[c]) && map_get(&theirs->names, s->name[l.node[c]]) != NONE)
			return true;
	return false;
}

/* The list with wrappers replaced by what is in them; false if there are none. */
static bool replace(struct work *w, int k, const struct wrappers *mine,
		    const struct wrappers *theirs, struct list *out)
{
	struct list *in = NEW(w->a, w->l[k].n, struct list);
	uint8_t *gone = NEW(w->a, w->l[k].n, uint8_t);
	uint32_t n = w->l[k].n;
	bool any = false;

	for (uint32_t i = 0; i < mine->place.n; i++)
		if (is_replaced(w, k, mine, i, theirs)) {
			gone[mine->place.node[i]] = 1;
			in[mine->place.node[i]] = mine->child[i];
			n += mine->child[i].n;
			any = true;
		}
	*out = (struct list){ 0, NEW(w->a, n, uint32_t) };
	for (uint32_t i = 0; i < w->l[k].n; i++) {
		if (!gone[i])
			out->node[out->n++] = w->l[k].node[i];
		for (uint32_t c = 0; gone[i] && c < in[i].n; c++)
			out->node[out->n++] = in[i].node[c];
	}
	return any;
}

/* Where each node stands in a list; of one that stands there twice, the last place. */
static struct map places_of(struct work *w, struct list l)
{
	struct map m = map_new(w->a, l.n);

	for (uint32_t i = 0; i < l.n; i++)
		*map_at(&m, l.node[i]) = i;
	return m;
}

static struct tracediff_ops pin_matches(struct work *w, const struct list *old, uint8_t **pinned)
{
	struct tracediff_ops ops = { 0, NEW(w->a, (size_t)w->l[0].n + w->l[1].n, struct align_op) };
	struct map a = places_of(w, w->l[0]), b = places_of(w, w->l[1]);

	for (uint32_t i = 0; i < w->ops.n; i++) {
		struct align_op op = w->ops.at[i];

		if (op.a == NONE || op.b == NONE)
			continue;
		uint32_t x = map_get(&a, old[0].node[op.a]), y = map_get(&b, old[1].node[op.b]);
		if (x == NONE || y == NONE)
			continue;
		ops.at[ops.n++] = (struct align_op){ x, y };
		pinned[0][x] = pinned[1][y] = 1;
	}
	return ops;
}

/* Aligns what is not pinned, and adds it. */
static void align_free(struct work *w, struct tracediff_ops *ops, uint8_t *const *pinned)
{
	struct list place[2], node[2];

	for (int k = 0; k < 2; k++) {
		place[k] = node[k] = (struct list){ 0, NEW(w->a, w->l[k].n, uint32_t) };
		node[k].node = NEW(w->a, w->l[k].n, uint32_t);
		for (uint32_t i = 0; i < w->l[k].n; i++)
			if (!pinned[k][i]) {
				place[k].node[place[k].n++] = i;
				node[k].node[node[k].n++] = w->l[k].node[i];
			}
	}
	if (node[0].n && node[1].n) {
		struct tracediff_ops more = align_or_pair(w, node[0], node[1]);

		for (uint32_t i = 0; i < more.n; i++) {
			struct align_op op = more.at[i];

			op.a = op.a == NONE ? NONE : place[0].node[op.a];
			op.b = op.b == NONE ? NONE : place[1].node[op.b];
			ops->at[ops->n++] = op;
		}
		return;
	}
	for (uint32_t i = 0; i < place[0].n; i++)
		ops->at[ops->n++] = (struct align_op){ place[0].node[i], NONE };
	for (uint32_t i = 0; i < place[1].n; i++)
		ops->at[ops->n++] = (struct align_op){ NONE, place[1].node[i] };
}

static void reconcile(struct work *w)
{
	struct wrappers a = find_wrappers(w, 0), b = find_wrappers(w, 1);
	struct list old[2] = { w->l[0], w->l[1] }, now[2];
	bool any = replace(w, 0, &a, &b, &now[0]);

	if (!replace(w, 1, &b, &a, &now[1]) && !any)
		return;
	uint8_t *pinned[2];
	for (int k = 0; k < 2; k++) {
		w->l[k] = now[k];
		sort_by_start(w, k);
		pinned[k] = NEW(w->a, now[k].n, uint8_t);
	}
	struct tracediff_ops ops = pin_matches(w, old, pinned);
	align_free(w, &ops, pinned);
	w->ops = ops;
}

/* ---- Phase 4 ---- */

static struct list collapsed(struct work *w, int k, struct list place)
{
	struct list l = { place.n, NEW(w->a, place.n, uint32_t) }, children;

	for (uint32_t i = 0; i < place.n; i++) {
		uint32_t *node = &w->l[k].node[place.node[i]];

		*node = l.node[i] = collapse(w->m, k, *node, &children, w->a);
	}
	return l;
}

struct left {
	struct list place[2], node[2];
};

/* Appends an alignment of what is left; what it leaves goes to `rest` if given. */
static void add_ops(struct tracediff_ops *to, struct tracediff_ops ops, const struct left *l,
		    struct left *rest)
{
	for (uint32_t i = 0; i < ops.n; i++) {
		struct align_op op = ops.at[i];
		int k = op.a == NONE;

		if (rest && (op.a == NONE || op.b == NONE)) {
			uint32_t x = k ? op.b : op.a;

			rest->place[k].node[rest->place[k].n++] = l->place[k].node[x];
			rest->node[k].node[rest->node[k].n++] = l->node[k].node[x];
			continue;
		}
		op.a = op.a == NONE ? NONE : l->place[0].node[op.a];
		op.b = op.b == NONE ? NONE : l->place[1].node[op.b];
		to->at[to->n++] = op;
	}
}

static bool all_matched_on_one_side(struct tracediff_ops ops)
{
	bool only[2] = { false, false };

	for (uint32_t i = 0; i < ops.n; i++) {
		only[0] |= ops.at[i].b == NONE;
		only[1] |= ops.at[i].a == NONE;
	}
	return !only[0] || !only[1];
}

static void collapse_left(struct work *w)
{
	struct left l = { .place = { unmatched(w, 0), unmatched(w, 1) } }, rest = { 0 };
	struct tracediff_ops ops = { 0, NEW(w->a, w->ops.n, struct align_op) };

	if (!l.place[0].n || !l.place[1].n)
		return;
	for (int k = 0; k < 2; k++) {
		l.node[k] = collapsed(w, k, l.place[k]);
		rest.place[k].node = NEW(w->a, l.place[k].n, uint32_t);
		rest.node[k].node = NEW(w->a, l.place[k].n, uint32_t);
	}
	for (uint32_t i = 0; i < w->ops.n; i++)
		if (w->ops.at[i].a != NONE && w->ops.at[i].b != NONE)
			ops.at[ops.n++] = w->ops.at[i];
	struct tracediff_ops first = align(w, l.node[0], l.node[1], false);
	bool done = all_matched_on_one_side(first);

	add_ops(&ops, first, &l, done ? NULL : &rest);
	if (!done)
		add_ops(&ops, align(w, rest.node[0], rest.node[1], true), &rest, NULL);
	w->ops = ops;
}

/* ---- The merge ---- */

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
	struct work w = { .m = m, .u = { m->node[0][i], m->node[1][i] }, .a = &m->scratch };

	list_children(&w);
	collapse_lone_child(&w);
	w.ops = align_or_pair(&w, w.l[0], w.l[1]);
	if (unmatched(&w, 0).n && unmatched(&w, 1).n)
		reconcile(&w);
	collapse_left(&w);
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

static void merge_roots(struct merger *m, uint32_t *root, uint32_t nroots)
{
	const struct tracediff_side *t = m->t;

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
	struct merger m = { .d = d, .t = t };
	uint32_t n = d->side[0].n + d->side[1].n;

	for (int k = 0; k < 2; k++) {
		bool twice = t[k].nlifted && t[k].nroots;

		m.lift[k] = map_new(a, t[k].nlifted);
		for (uint32_t i = 0; i < t[k].nlifted; i++)
			*map_at(&m.lift[k], t[k].top[i]) = t[k].lifted[i];
		m.seen[k] = NEW(a, d->names.n, uint32_t);
		m.last[k] = NEW(a, d->names.n, uint32_t);
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

	merge_roots(&m, root, nroots);
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
