/*
 * One walk down the preorder of the call tree, carrying the nearest operator:
 *
 *	cpu_op_E                          nested: an operator below launches, too
 *	├── cpu_op_C ── runtime ── k_C    leaf:      row  cpu_op_C            {k_C}
 *	└── runtime ── k_own              left over: row  cpu_op_E->k_own     {k_own}
 *
 * An operator with a model owns its whole subtree and the walk steps over it; so does
 * one that no launching operator lies below. Whatever is no operator is transparent,
 * however deep. Subtrees without GPU work are stepped over at once.
 */
#include "analysis/ops_own.h"

#include "base/check.h"

struct own {
	const struct trace *tr;
	const struct links *l;
	const struct tree *t;
	struct ops_rules rules;
	node_id *near; /* the innermost operator at or above a launching node */
	bool *nested;  /* some operator below this one launches work */
	struct ops_rows rows;
	uint32_t nwork;
};

static bool launches(const struct own *o, node_id i)
{
	return o->l->first[i] < o->l->first[o->t->end[i]];
}

static bool is_op(const struct own *o, node_id i)
{
	return o->tr->ev.kind[o->t->event[i]] == KIND_CPU_OP;
}

static void find_nested(struct own *o)
{
	for (node_id i = 0; i < o->t->n;) {
		if (!launches(o, i)) {
			i = o->t->end[i];
			continue;
		}
		node_id parent = o->t->parent[i];
		node_id above = parent == NONE ? NONE : o->near[parent];
		bool op = is_op(o, i);

		if (op && above != NONE)
			o->nested[above] = true;
		o->near[i] = op ? i : above;
		i++;
	}
}

static bool is_comm(const struct own *o, uint32_t gpu)
{
	return gpu_class(o->tr, o->l->gpu[gpu]) == GPU_COMM;
}

static void open_row(struct own *o, node_id node, bool synthetic)
{
	o->rows.at[o->rows.n++] = (struct ops_row){ node, o->nwork, synthetic };
}

static void give(struct own *o, uint32_t gpu)
{
	CHECK(o->rows.owner[gpu] == NONE);
	o->rows.owner[gpu] = o->rows.n - 1;
	o->rows.work[o->nwork++] = gpu;
}

static bool in_window(const struct own *o, uint32_t gpu)
{
	return gpu_window_has(&o->rules.window, gpu);
}

static void own_subtree(struct own *o, node_id op)
{
	uint32_t before = o->nwork;

	open_row(o, op, false);
	for (uint32_t k = o->l->first[op]; k < o->l->first[o->t->end[op]]; k++)
		if (in_window(o, o->l->below[k]))
			give(o, o->l->below[k]);
	if (o->nwork == before)
		o->rows.n--;
}

static void own_one(struct own *o, node_id source, uint32_t gpu)
{
	if (!in_window(o, gpu))
		return;
	if (o->rules.no_comm && is_comm(o, gpu)) {
		o->rows.ncomm++;
		return;
	}
	open_row(o, source, source != NONE);
	give(o, gpu);
}

/* One row for each piece of work in below[from, to). */
static void own_singly(struct own *o, node_id source, uint32_t from, uint32_t to)
{
	for (uint32_t k = from; k < to; k++)
		own_one(o, source, o->l->below[k]);
}

static void own_leaf(struct own *o, node_id op)
{
	uint32_t from = o->l->first[op], to = o->l->first[o->t->end[op]], ncomm = 0;

	if (o->rules.no_comm && !o->rules.models_backward(o->rules.ctx, op))
		for (uint32_t k = from; k < to; k++)
			ncomm += is_comm(o, o->l->below[k]);
	if (ncomm)
		own_singly(o, op, from, to);
	else
		own_subtree(o, op);
}

static void own_linked(struct own *o)
{
	for (node_id i = 0; i < o->t->n;) {
		bool op = launches(o, i) && is_op(o, i);

		if (op && o->rules.has_model(o->rules.ctx, i)) {
			own_subtree(o, i);
			i = o->t->end[i];
		} else if (op && !o->nested[i]) {
			own_leaf(o, i);
			i = o->t->end[i];
		} else if (launches(o, i)) {
			node_id source = o->near[i] == NONE ? i : o->near[i];

			own_singly(o, source, o->l->first[i], o->l->first[i + 1]);
			i++;
		} else {
			i = o->t->end[i];
		}
	}
}

/* Work whose launch is not in the trace, or is no call of any thread. */
static void own_unlinked(struct own *o, const bool *linked)
{
	for (uint32_t gpu = 0; gpu < o->l->n; gpu++)
		if (!linked[gpu])
			own_one(o, NONE, gpu);
}

struct ops_rows ops_own(struct arena *a, const struct trace *tr, const struct links *l,
			struct ops_rules rules)
{
	struct own o = { .tr = tr, .l = l, .t = l->tree, .rules = rules };
	struct arena scratch = { 0 };

	o.near = NEW(&scratch, o.t->n, node_id);
	o.nested = NEW(&scratch, o.t->n, bool);
	o.rows.at = NEW(a, (size_t)l->n + 1, struct ops_row);
	o.rows.work = NEW(a, l->n, uint32_t);
	o.rows.owner = NEW(a, l->n, uint32_t);
	memset(o.rows.owner, 0xff, l->n * sizeof(*o.rows.owner)); /* NONE */

	bool *linked = NEW(&scratch, l->n, bool);
	for (uint32_t k = 0; k < l->nlinked; k++)
		linked[l->below[k]] = true;

	find_nested(&o);
	own_linked(&o);
	own_unlinked(&o, linked);
	o.rows.at[o.rows.n].first = o.nwork;
	o.rows.window = rules.window;
	CHECK(o.nwork + o.rows.ncomm == rules.window.n);
	arena_free(&scratch);
	return o.rows;
}
