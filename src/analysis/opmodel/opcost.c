#include "analysis/opmodel/opcost.h"

#include "base/textbuf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Each list ends with a row without a name. */
static const struct op_formulas *const families[] = {
	gemm_formulas,       sdpa_formulas,  serving_formulas, conv_formulas, elementwise_formulas,
	reduce_formulas,     norm_formulas,  rmsnorm_formulas, moe_formulas,  sequence_formulas,
	collective_formulas, quant_formulas, triton_formulas,
};

static const struct op_formulas *find(const char *model)
{
	for (size_t f = 0; model && f < ARRAY_SIZE(families); f++)
		for (const struct op_formulas *row = families[f]; row->model; row++)
			if (!strcmp(row->model, model))
				return row;
	return NULL;
}

op_formula *opcost_forward(const char *model)
{
	const struct op_formulas *row = find(model);

	return row ? row->forward : NULL;
}

op_formula *opcost_backward(const char *model)
{
	const struct op_formulas *row = find(model);

	return row ? row->backward : NULL;
}

#define MOST_ELEMENTS 9007199254740992.0 /* of a tensor: 2^53, all counts exact */
#define MOST          1e24               /* operations, or bytes, of one operator */

static bool check_shape(struct op_call *c, struct op_shape s)
{
	double n = 1;

	for (uint32_t i = 0; i < s.rank; i++) {
		if (s.dim[i] < 0)
			return opcost_fail(c, "a dimension is negative");
		n *= (double)s.dim[i];
	}
	return n <= MOST_ELEMENTS || opcost_fail(c, "a tensor is larger than any memory");
}

bool opcost_check(struct op_call *c, const struct op_cost *o)
{
	if (o->flops < 0 || o->bytes < 0)
		return opcost_fail(c, "the arguments give a negative number");
	if (!(o->flops <= MOST) || o->bytes > MOST)
		return opcost_fail(c, "the arguments give no number that can be");
	return true;
}

bool opcost_run(op_formula *formula, struct op_call *c, struct op_cost *o)
{
	*o = (struct op_cost){ 0 };
	for (uint32_t i = 0; i < c->args.nshapes; i++)
		if (!check_shape(c, c->args.shape[i]))
			return false;
	return formula(c, o) && (c->original || opcost_check(c, o));
}

bool opcost_fail(struct op_call *c, const char *why)
{
	c->why = why;
	return false;
}

void opcost_text(struct op_cost *o, const char *name, const char *text)
{
	if (o->nparams == OP_PARAMS)
		return;
	o->param[o->nparams].name = name;
	o->param[o->nparams++].text = text;
}

void opcost_int(struct op_call *c, struct op_cost *o, const char *name, double v)
{
	opcost_text(o, name, arena_print(c->a, "%.0f", v));
}

void opcost_bool(struct op_call *c, struct op_cost *o, const char *name, bool v)
{
	(void)c;
	opcost_text(o, name, v ? "True" : "False");
}

/* The shortest text that reads back as the same double, with a point in it. */
void opcost_float(struct op_call *c, struct op_cost *o, const char *name, double v)
{
	char text[40];
	int digits = 1;

	do
		snprintf(text, sizeof(text), "%.*g", digits, v);
	while (strtod(text, NULL) != v && digits++ < 17);
	bool whole = !strpbrk(text, ".en");
	opcost_text(o, name, arena_print(c->a, "%s%s", text, whole ? ".0" : ""));
}

void opcost_shape(struct op_call *c, struct op_cost *o, const char *name, struct op_shape s)
{
	struct textbuf b = { .arena = c->a };

	if (!s.given) {
		opcost_none(o, name);
		return;
	}
	textbuf_print(&b, "(");
	for (uint32_t i = 0; i < s.rank; i++)
		textbuf_print(&b, "%s%lld", i ? ", " : "", (long long)s.dim[i]);
	textbuf_print(&b, s.rank == 1 ? ",)" : ")");
	opcost_text(o, name, textbuf_keep(&b, c->a));
}

void opcost_str(struct op_call *c, struct op_cost *o, const char *name, struct str s)
{
	opcost_text(o, name, arena_text(c->a, s.p, s.n));
}

void opcost_none(struct op_cost *o, const char *name)
{
	opcost_text(o, name, "None");
}

void opcost_types(struct op_call *c, struct op_cost *o, const char *name, const struct str *t,
		  uint32_t n)
{
	struct textbuf b = { .arena = c->a };

	textbuf_print(&b, "(");
	for (uint32_t i = 0; i < n; i++)
		if (t[i].p)
			textbuf_print(&b, "%s'%.*s'", i ? ", " : "", STR_ARGS(t[i]));
		else
			textbuf_print(&b, "%sNone", i ? ", " : "");
	textbuf_print(&b, n == 1 ? ",)" : ")");
	opcost_text(o, name, textbuf_keep(&b, c->a));
}

bool opcost_dims(struct op_call *c, uint32_t slot, uint32_t rank, const int64_t **dim)
{
	struct op_shape s = op_shape_at(&c->args, slot);

	*dim = s.dim;
	if (!s.given || s.nested || (rank ? s.rank != rank : !s.rank))
		return opcost_fail(c, "an operand has not the shape the operator needs");
	for (uint32_t i = 0; i < s.rank; i++)
		if (s.dim[i] < 0)
			return opcost_fail(c, "a dimension is negative");
	return true;
}

bool opcost_tensor(struct op_call *c, uint32_t slot)
{
	struct op_shape s = op_shape_at(&c->args, slot);
	bool scalar = !s.rank && (c->original || op_type_at(&c->args, slot).n);

	return (s.given && (!s.nested || c->original) && (s.rank || scalar)) ||
	       opcost_fail(c, "an operand has not the shape the operator needs");
}

bool opcost_fits(struct op_call *c, bool fits, const char *why)
{
	return fits || c->original || opcost_fail(c, why);
}

void opcost_bytes(struct op_cost *o, double n, double per_element)
{
	o->bytes += per_element > 0 ? n * per_element : n == 0 ? 0 : NAN;
}
