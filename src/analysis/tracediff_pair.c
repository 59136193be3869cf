/*
 * Phases 1, 2 and 4: the lists of children; the alignment; and what a node comes to when
 * the chain below it is followed.
 */
#include "analysis/tracediff_pair.h"

#include "algo/sort.h"

/* ---- Children ---- */

/* The node whose children are those of u in the original's tree. */
static uint32_t holder(const struct tracediff_trees *m, int k, uint32_t u)
{
	uint32_t lifted = m->d->side[k].parent[u] ? NONE : map_get(&m->lift[k], u);

	return lifted == NONE ? u : lifted;
}

struct list tracediff_gpu_children(const struct tracediff_trees *m, int k, uint32_t u,
				   struct arena *a)
{
	const struct diff_side *s = &m->d->side[k];
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

void tracediff_sort_by_start(struct tracediff_pair *w, int k)
{
	sort_ids(w->l[k].node, w->l[k].n, NEW(w->a, w->l[k].n, uint32_t), starts_before,
		 &w->t->d->side[k]);
}

/* Notes the names of all children of side k. */
static void note_names(struct tracediff_pair *w, int k, uint32_t round)
{
	struct tracediff_trees *m = w->t;
	const struct diff_side *s = &m->d->side[k];
	uint32_t h = holder(m, k, w->u[k]);

	for (uint32_t c = diff_first(s, h); c < s->end[h]; c = s->end[c]) {
		if (!tracediff_named(s, c))
			continue;
		m->seen[k][s->name[c]] = round;
		m->last[k][s->name[c]] = c;
	}
}

/* What side k lacks on the GPU path though it has it, because the other side has it there. */
static void add_missing(struct tracediff_pair *w, int k, struct list other)
{
	struct tracediff_trees *m = w->t;
	const struct diff_side *s = &m->d->side[!k];
	struct list *l = &w->l[k];
	uint32_t *more = NEW(w->a, l->n + other.n, uint32_t), n = l->n;

	if (n)
		memcpy(more, l->node, n * sizeof(*more));
	for (uint32_t i = 0; i < other.n; i++) {
		uint32_t name = s->name[other.node[i]];

		if (!tracediff_named(s, other.node[i]) || m->seen[k][name] != m->round ||
		    diff_on_gpu(&m->d->side[k], m->last[k][name]))
			continue;
		m->seen[k][name] = 0; /* once */
		more[n++] = m->last[k][name];
	}
	*l = (struct list){ n, more };
}

/* A name of which some child is on the GPU path is not missing, whatever its last one is. */
static void drop_present(struct tracediff_pair *w, int k)
{
	const struct diff_side *s = &w->t->d->side[k];

	for (uint32_t i = 0; i < w->l[k].n; i++)
		if (tracediff_named(s, w->l[k].node[i]))
			w->t->seen[k][s->name[w->l[k].node[i]]] = 0;
}

static void list_children(struct tracediff_pair *w)
{
	struct list own[2] = { 0 };

	w->t->round++;
	for (int k = 0; k < 2; k++) {
		if (w->u[k] == NONE)
			continue;
		own[k] = w->l[k] = tracediff_gpu_children(w->t, k, w->u[k], w->a);
		note_names(w, k, w->t->round);
		drop_present(w, k);
	}
	for (int k = 0; k < 2; k++)
		if (w->u[k] != NONE)
			add_missing(w, k, own[!k]);
	for (int k = 0; k < 2; k++)
		tracediff_sort_by_start(w, k);
}

/* ---- Phase 1: a lone child ---- */

static bool is_launch(const struct diff_side *s, uint32_t i)
{
	return s->kind[i] == DIFF_CALL;
}

/* The end of the chain below u, and its children on the GPU path. */
static uint32_t collapse(const struct tracediff_trees *m, int k, uint32_t u, struct list *children,
			 struct arena *a)
{
	const struct diff_side *s = &m->d->side[k];

	*children = (struct list){ 0 };
	for (;;) {
		if (is_launch(s, u) || (s->kind[u] == DIFF_OP && s->flags[u] & DIFF_LAUNCHES))
			return u;
		struct list l = tracediff_gpu_children(m, k, u, a);
		if (l.n != 1) {
			*children = l;
			return u;
		}
		u = l.node[0];
	}
}

static void collapse_lone_child(struct tracediff_pair *w)
{
	if (w->l[0].n == w->l[1].n)
		return;
	for (int k = 0; k < 2; k++) {
		struct list children;

		if (w->l[k].n != 1)
			continue;
		uint32_t end = collapse(w->t, k, w->l[k].node[0], &children, w->a);
		if (children.n) {
			w->u[k] = end;
			w->l[k] = children;
		}
		return;
	}
}

static struct tracediff_ops align(struct tracediff_pair *w, struct list a, struct list b, bool bare)
{
	return tracediff_align(w->t->d, a.node, a.n, b.node, b.n, bare, w->a);
}

static bool any_launch(const struct tracediff_pair *w, int k, struct list l)
{
	for (uint32_t i = 0; i < l.n; i++)
		if (is_launch(&w->t->d->side[k], l.node[i]))
			return true;
	return false;
}

struct tracediff_ops tracediff_match(struct tracediff_pair *w, struct list a, struct list b)
{
	if (a.n != b.n || any_launch(w, 0, a) || any_launch(w, 1, b))
		return align(w, a, b, false);
	struct tracediff_ops ops = { a.n, NEW(w->a, a.n, struct align_op) };
	for (uint32_t i = 0; i < a.n; i++)
		ops.at[i] = (struct align_op){ i, i };
	return ops;
}

struct list tracediff_unmatched(struct tracediff_pair *w, int k)
{
	struct list l = { 0, NEW(w->a, w->ops.n, uint32_t) };

	for (uint32_t i = 0; i < w->ops.n; i++) {
		struct align_op op = w->ops.at[i];

		if (k ? op.a == NONE : op.b == NONE)
			l.node[l.n++] = k ? op.b : op.a;
	}
	return l;
}

void tracediff_children(struct tracediff_pair *w)
{
	list_children(w);
	collapse_lone_child(w);
}

/* ---- Phase 4: chains ---- */

static struct list collapsed(struct tracediff_pair *w, int k, struct list place)
{
	struct list l = { place.n, NEW(w->a, place.n, uint32_t) }, children;

	for (uint32_t i = 0; i < place.n; i++) {
		uint32_t *node = &w->l[k].node[place.node[i]];

		*node = l.node[i] = collapse(w->t, k, *node, &children, w->a);
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

void tracediff_collapse(struct tracediff_pair *w)
{
	struct left l = { .place = { tracediff_unmatched(w, 0), tracediff_unmatched(w, 1) } },
		    rest = { 0 };
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
