/*
 * Random call trees with random models: the walk along the preorder against the
 * recursion that defines it, and against the same tree without its Python frames.
 */
#include "prop.h"

#include "analysis/ops_own.h"
#include "trace/trace.h"

enum { MAX_NODES = 40, MAX_WORK = 60, MAX_EVENTS = MAX_NODES + MAX_WORK };

struct world {
	struct trace tr;
	struct tree t;
	struct links l;
	uint8_t kind[MAX_EVENTS];
	string_id name[MAX_EVENTS];
	node_id parent[MAX_NODES], end[MAX_NODES], node[MAX_EVENTS];
	event_id event[MAX_NODES];
	event_id gpu[MAX_WORK], launch[MAX_WORK];
	uint32_t below[MAX_WORK], first[MAX_NODES + 1];
	bool model[MAX_EVENTS];
};

static void wire(struct world *w)
{
	w->tr.ev.kind = w->kind;
	w->tr.ev.name = w->name;
	w->tr.ev.n = MAX_EVENTS;
	w->t.parent = w->parent;
	w->t.end = w->end;
	w->t.node = w->node;
	w->t.event = w->event;
	w->l.tree = &w->t;
	w->l.gpu = w->gpu;
	w->l.launch = w->launch;
	w->l.below = w->below;
	w->l.first = w->first;
}

/* A node below some node of the path to the newest one; runtime calls mostly have no children. */
static node_id random_parent(const struct world *w, node_id i)
{
	node_id p = i ? i - 1 : NONE;

	while (p != NONE &&
	       (prop_below(3) == 0 || (w->kind[w->event[p]] == KIND_RUNTIME && prop_below(8))))
		p = w->parent[p];
	return p;
}

static void random_tree(struct world *w)
{
	static const uint8_t kinds[] = { KIND_CPU_OP, KIND_CPU_OP, KIND_PYTHON, KIND_RUNTIME,
					 KIND_RUNTIME };

	w->t.n = prop_below(MAX_NODES) + 1;
	for (node_id i = 0; i < w->t.n; i++) {
		w->event[i] = w->node[i] = i;
		w->parent[i] = random_parent(w, i);
		w->kind[i] = kinds[prop_below(ARRAY_SIZE(kinds))];
		w->model[i] = prop_below(4) == 0;
		w->end[i] = i + 1;
	}
	for (node_id i = w->t.n; i-- > 0;)
		if (w->parent[i] != NONE)
			w->end[w->parent[i]] = MAX_OF(w->end[w->parent[i]], w->end[i]);
}

/* Work of a few runtime calls, and some without a launch; rows of gpu[] are in random order. */
static void random_work(struct world *w)
{
	w->l.n = w->l.nlinked = 0;
	for (node_id i = 0; i < w->t.n; i++) {
		uint32_t n = w->kind[i] == KIND_RUNTIME ? prop_below(3) : 0;

		w->first[i] = w->l.nlinked;
		for (; n && w->l.n < MAX_WORK; n--) {
			w->launch[w->l.n] = i;
			w->below[w->l.nlinked++] = w->l.n++;
		}
	}
	w->first[w->t.n] = w->l.nlinked;
	for (uint32_t extra = prop_below(4); extra && w->l.n < MAX_WORK; extra--)
		w->launch[w->l.n++] = NONE;
	for (uint32_t g = 0; g < w->l.n; g++) {
		w->gpu[g] = w->t.n + g;
		w->kind[w->gpu[g]] = prop_below(5) ? KIND_KERNEL : KIND_COLLECTIVE;
	}
}

static struct world *random_world(void)
{
	struct world *w = calloc(1, sizeof(*w));

	memset(w->name, 0xff, sizeof(w->name));
	wire(w);
	random_tree(w);
	random_work(w);
	return w;
}

/* ---- The definition, by recursion: who owns each row of gpu[] ---- */

struct owned {
	event_id by[MAX_WORK]; /* the operator or launch; NONE: no launch */
	bool synthetic[MAX_WORK], left_out[MAX_WORK];
};

static bool launches(const struct world *w, node_id i)
{
	for (uint32_t g = 0; g < w->l.n; g++)
		if (w->launch[g] != NONE && w->launch[g] >= i && w->launch[g] < w->end[i])
			return true;
	return false;
}

static bool op_launches_below(const struct world *w, node_id i)
{
	for (node_id d = i + 1; d < w->end[i]; d++)
		if (w->kind[d] == KIND_CPU_OP && launches(w, d))
			return true;
	return false;
}

static bool is_comm(const struct world *w, uint32_t g)
{
	return w->kind[w->gpu[g]] == KIND_COLLECTIVE;
}

static void take(const struct world *w, struct owned *o, node_id i, bool no_comm, bool leaf)
{
	bool mixed = false;

	for (uint32_t g = 0; g < w->l.n; g++)
		if (w->launch[g] != NONE && w->launch[g] >= i && w->launch[g] < w->end[i])
			mixed |= leaf && no_comm && is_comm(w, g);
	for (uint32_t g = 0; g < w->l.n; g++) {
		if (w->launch[g] == NONE || w->launch[g] < i || w->launch[g] >= w->end[i])
			continue;
		o->by[g] = i;
		o->synthetic[g] = mixed;
		o->left_out[g] = mixed && is_comm(w, g);
	}
}

static void visit(const struct world *w, struct owned *o, node_id i, node_id near, bool no_comm)
{
	bool op = w->kind[i] == KIND_CPU_OP;

	if (!launches(w, i))
		return;
	if (op && w->model[i]) {
		take(w, o, i, no_comm, false);
		return;
	}
	if (op && !op_launches_below(w, i)) {
		take(w, o, i, no_comm, true);
		return;
	}
	if (op)
		near = i;
	for (uint32_t g = 0; g < w->l.n; g++) {
		if (w->launch[g] != i)
			continue;
		o->by[g] = near == NONE ? i : near;
		o->synthetic[g] = true;
		o->left_out[g] = no_comm && is_comm(w, g);
	}
	for (node_id c = i + 1; c < w->end[i]; c = w->end[c])
		visit(w, o, c, near, no_comm);
}

static struct owned by_recursion(const struct world *w, bool no_comm)
{
	struct owned o = { 0 };

	memset(o.by, 0xff, sizeof(o.by));
	for (node_id i = 0; i < w->t.n; i = w->end[i])
		visit(w, &o, i, NONE, no_comm);
	for (uint32_t g = 0; g < w->l.n; g++)
		if (w->launch[g] == NONE)
			o.left_out[g] = no_comm && is_comm(w, g);
	return o;
}

/* ---- What the product says, in the same form ---- */

static bool has_model(void *ctx, node_id op)
{
	const struct world *w = ctx;

	return w->model[w->t.event[op]];
}

static bool never(void *ctx, node_id op)
{
	(void)ctx, (void)op;
	return false;
}

static struct owned by_walk(struct world *w, bool no_comm)
{
	struct arena a = { 0 };
	struct gpu_window all = { .n = w->l.n };
	struct ops_rules rules = { all, no_comm, has_model, never, w };
	struct ops_rows rows = ops_own(&a, &w->tr, &w->l, rules);
	struct owned o = { 0 };

	for (uint32_t g = 0; g < w->l.n; g++) {
		uint32_t r = rows.owner[g];
		node_id node = r == NONE ? NONE : rows.at[r].node;

		o.by[g] = node == NONE ? NONE : w->t.event[node];
		o.left_out[g] = r == NONE;
		o.synthetic[g] = r != NONE && rows.at[r].synthetic;
		if (o.synthetic[g])
			assert_int_equal(rows.at[r + 1].first - rows.at[r].first, 1);
	}
	arena_free(&a);
	return o;
}

static bool same(const struct world *w, const struct owned *x, const struct owned *y)
{
	for (uint32_t g = 0; g < w->l.n; g++) {
		if (x->left_out[g] != y->left_out[g])
			return false;
		if (!x->left_out[g] && (x->by[g] != y->by[g] || x->synthetic[g] != y->synthetic[g]))
			return false;
	}
	return true;
}

/* The same events with the Python frames taken out of the tree. */
static struct world *without_python(const struct world *w)
{
	struct world *v = malloc(sizeof(*v));
	node_id moved[MAX_NODES];

	*v = *w;
	wire(v);
	v->t.n = 0;
	for (node_id i = 0; i < w->t.n; i++) {
		node_id up = w->parent[i];

		while (up != NONE && w->kind[up] == KIND_PYTHON)
			up = w->parent[up];
		moved[i] = v->t.n;
		if (w->kind[i] == KIND_PYTHON)
			continue;
		v->parent[v->t.n] = up == NONE ? NONE : moved[up];
		v->first[v->t.n] = w->first[i];
		v->event[v->t.n++] = i;
	}
	v->first[v->t.n] = w->l.nlinked;
	for (node_id i = v->t.n; i-- > 0;) {
		node_id old = w->end[v->event[i]];
		v->end[i] = old == w->t.n ? v->t.n : moved[old];
	}
	return v;
}

static void the_walk_is_the_recursion(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(3000); round++) {
		prop_start(round);
		struct world *w = random_world();

		for (int no_comm = 0; no_comm < 2; no_comm++) {
			struct owned x = by_walk(w, no_comm), y = by_recursion(w, no_comm);
			PROP_CHECK(round, same(w, &x, &y));
		}
		free(w);
	}
}

static void nothing_is_lost_unless_it_is_communication(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(3000); round++) {
		prop_start(round);
		struct world *w = random_world();
		struct owned all = by_walk(w, false), some = by_walk(w, true);

		for (uint32_t g = 0; g < w->l.n; g++) {
			PROP_CHECK(round, !all.left_out[g]);
			PROP_CHECK(round, (all.by[g] == NONE) == (w->launch[g] == NONE));
			PROP_CHECK(round, !some.left_out[g] || is_comm(w, g));
		}
		free(w);
	}
}

static void python_frames_change_nothing(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(3000); round++) {
		prop_start(round);
		struct world *w = random_world(), *v = without_python(w);
		struct owned x = by_walk(w, false), y = by_walk(v, false);

		PROP_CHECK(round, same(w, &x, &y));
		free(w);
		free(v);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_walk_is_the_recursion),
		cmocka_unit_test(nothing_is_lost_unless_it_is_communication),
		cmocka_unit_test(python_frames_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
