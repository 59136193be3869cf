/*
 * Phase 3: what has no match and holds what the other side has no match for is replaced by
 * its children; matches stay, and what is new is matched.
 */
#include "analysis/tracediff_pair.h"

#include "base/hash.h"

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
		uint32_t name = tracediff_named(s, l.node[i]) ? s->name[l.node[i]] : NONE;

		key = hash_mix(key ^ hash_u64(name), 0xd6e8feb86659fd93) | 1;
	}
	return l.n ? key : 0;
}

static struct wrappers find_wrappers(struct tracediff_pair *w, int k)
{
	const struct diff_side *s = &w->t->d->side[k];
	struct list all = tracediff_unmatched(w, k);
	struct wrappers x = { .names = map_new(w->a, all.n), .keys = map_new(w->a, all.n) };

	x.place.node = NEW(w->a, all.n, uint32_t);
	x.child = NEW(w->a, all.n, struct list);
	x.key = NEW(w->a, all.n, uint64_t);
	for (uint32_t i = 0; i < all.n; i++) {
		uint32_t node = w->l[k].node[all.node[i]], n = x.place.n;

		if (!may_be_wrapper(s, node))
			continue;
		x.place.node[x.place.n++] = all.node[i];
		x.child[n] = tracediff_gpu_children(w->t, k, node, w->a);
		x.key[n] = names_key(s, x.child[n]);
		if (tracediff_named(s, node))
			*map_at(&x.names, s->name[node]) = 1;
		if (x.key[n])
			*map_at(&x.keys, x.key[n]) = 1;
	}
	return x;
}

static bool is_replaced(struct tracediff_pair *w, int k, const struct wrappers *mine, uint32_t i,
			const struct wrappers *theirs)
{
	const struct diff_side *s = &w->t->d->side[k];
	struct list l = mine->child[i];

	if (mine->key[i] && map_get(&theirs->keys, mine->key[i]) != NONE)
		return true;
	for (uint32_t c = 0; c < l.n; c++)
		if (tracediff_named(s, l.node[c]) &&
		    map_get(&theirs->names, s->name[l.node[c]]) != NONE)
			return true;
	return false;
}

/* The list with wrappers replaced by what is in them; false if there are none. */
static bool replace(struct tracediff_pair *w, int k, const struct wrappers *mine,
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
static struct map places_of(struct tracediff_pair *w, struct list l)
{
	struct map m = map_new(w->a, l.n);

	for (uint32_t i = 0; i < l.n; i++)
		*map_at(&m, l.node[i]) = i;
	return m;
}

static struct tracediff_ops pin_matches(struct tracediff_pair *w, const struct list *old,
					uint8_t **pinned)
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
static void align_free(struct tracediff_pair *w, struct tracediff_ops *ops, uint8_t *const *pinned)
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
		struct tracediff_ops more = tracediff_match(w, node[0], node[1]);

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

void tracediff_reconcile(struct tracediff_pair *w)
{
	struct wrappers a = find_wrappers(w, 0), b = find_wrappers(w, 1);
	struct list old[2] = { w->l[0], w->l[1] }, now[2];
	bool any = replace(w, 0, &a, &b, &now[0]);

	if (!replace(w, 1, &b, &a, &now[1]) && !any)
		return;
	uint8_t *pinned[2];
	for (int k = 0; k < 2; k++) {
		w->l[k] = now[k];
		tracediff_sort_by_start(w, k);
		pinned[k] = NEW(w->a, now[k].n, uint8_t);
	}
	struct tracediff_ops ops = pin_matches(w, old, pinned);
	align_free(w, &ops, pinned);
	w->ops = ops;
}
