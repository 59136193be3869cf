#include "analysis/ops_cost.h"

#include "analysis/opmodel/opstep.h"
#include "base/textbuf.h"

struct costing {
	struct arena *a;
	struct ops_model *m;
	const struct ops_rows *rows;
	struct opsteps steps;
};

static struct op_args read_args(const struct costing *c, event_id e)
{
	const struct trace *tr = c->m->tr;
	struct op_args x = op_args_read(
		arg_text(tr, e, KEY_INPUT_DIMS), arg_text(tr, e, KEY_INPUT_TYPE),
		arg_text(tr, e, KEY_INPUT_STRIDES), arg_text(tr, e, KEY_CONCRETE_INPUTS), c->a);

	x.output_type = arg_text(tr, e, arg_key_id(tr, STR("Output type")));
	return x;
}

/* The forward operator of the wrapper above. */
static event_id forward_of(const struct costing *c, node_id node)
{
	const struct tree *t = c->m->l->tree;

	for (node_id i = t->parent[node]; i != NONE; i = t->parent[i])
		if (c->m->pairs->forward[t->event[i]] != NONE)
			return c->m->pairs->forward[t->event[i]];
	return NONE;
}

static void evaluate(struct costing *c, struct ops_cost *out, event_id e, const struct opmodel *m,
		     bool backward)
{
	op_formula *formula = m->family == FAM_USER ? NULL
			      : backward            ? opcost_backward(m->model)
						    : opcost_forward(m->model);
	struct step_info step = { 0 };
	struct op_call call = { .a = c->a, .name = trace_name(c->m->tr, e) };

	*out = (struct ops_cost){ .why = "there is no formula for this operator yet" };
	if (!formula && m->family != FAM_USER)
		return;
	out->model = backward ? arena_print(c->a, "%s backward", m->model) : m->model;
	call.args = read_args(c, e);
	event_id around = m->family == FAM_INFERENCE_ATTENTION
				  ? opsteps_around(&c->steps, c->m->tr, e)
				  : NONE;
	if (around != NONE) {
		step = marker_read(trace_name(c->m->tr, around), NULL);
		call.step = &step;
	}
	out->known = formula ? opcost_run(formula, &call, &out->cost)
			     : usermodel_cost((const struct usermodel *)m, &call, &out->cost);
	out->why = out->known ? NULL : call.why;
}

static void cost_of_row(struct costing *c, struct ops_cost *out, uint32_t row)
{
	const struct ops_row *r = &c->rows->at[row];

	*out = (struct ops_cost){ .why = "a single kernel, not a whole operator" };
	if (r->node == NONE)
		out->why = "there is no launch in the trace";
	if (r->node == NONE || r->synthetic)
		return;
	event_id e = c->m->l->tree->event[r->node];
	const struct opmodel *own = ops_model_of(c->m, r->node);
	const struct opmodel *backward = own ? NULL : ops_model_backward(c->m, r->node);
	out->why = "there is no model for this operator";
	if (own)
		evaluate(c, out, e, own, false);
	else if (backward)
		evaluate(c, out, forward_of(c, r->node), backward, true);
}

/* Does the cost depend on more than the arguments? */
static bool varies(const struct costing *c, uint32_t row)
{
	const struct ops_row *r = &c->rows->at[row];
	const struct opmodel *m = r->node == NONE || r->synthetic ? NULL
								  : ops_model_of(c->m, r->node);

	return m && m->family == FAM_INFERENCE_ATTENTION;
}

static void cost_of_group(struct costing *c, struct ops_cost *out, const uint32_t *row, uint32_t n)
{
	double flops = 0, bytes = 0;

	cost_of_row(c, out, row[0]);
	if (!varies(c, row[0]))
		return;
	for (uint32_t i = 0; i < n; i++) {
		cost_of_row(c, out, row[i]);
		if (!out->known)
			return;
		flops += out->cost.flops;
		bytes += out->cost.bytes;
	}
	out->cost.flops = flops / n;
	out->cost.bytes = bytes / n;
}

struct ops_cost *ops_costs(struct arena *a, struct ops_model *m, const struct ops_rows *rows,
			   const struct ops_groups *g, const struct arch *arch)
{
	struct costing c = { .a = a, .m = m, .rows = rows, .steps = opsteps_list(a, m->tr) };
	struct ops_cost *out = NEW(a, g->n, struct ops_cost);

	for (uint32_t i = 0; i < g->n; i++) {
		cost_of_group(&c, &out[i], g->row + g->first[i], g->first[i + 1] - g->first[i]);
		uint32_t category = g->key[i].category;

		out[i].network = category == CAT_CUSTOM_COLLECTIVE ||
				 category == CAT_MOE_COMM_FWD || category == CAT_MOE_COMM_BWD;
		if (out[i].known && !out[i].network)
			out[i].roof = arch_roofline(arch, &out[i].cost);
	}
	return out;
}

const char *ops_cost_spec(struct arena *a, const struct ops_cost *c)
{
	if (!c->known || c->cost.unit == UNIT_NONE || !c->cost.precision)
		return NULL;
	return arena_print(a, "%s_%s", c->cost.unit == UNIT_MATRIX ? "matrix" : "vector",
			   c->cost.precision);
}

const char *ops_cost_params(struct arena *a, const struct op_cost *c)
{
	struct textbuf b = { .arena = a };

	for (uint32_t i = 0; i < c->nparams; i++)
		textbuf_print(&b, "%s%s=%s", i ? " " : "", c->param[i].name, c->param[i].text);
	return textbuf_keep(&b, a);
}
