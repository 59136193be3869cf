/*
 * Reductions: one operation per input element; the input read, the result written.
 *
 * The reduced dimensions stand in the concrete inputs as text ("[-1]"). The original does
 * not read text there, so it takes every result for a single element.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

static bool is_scan(struct str name)
{
	return str_ends(name, STR("::cumsum")) || str_ends(name, STR("::cumprod"));
}

/* Which kind of reduction the name tells; "sum" where it tells none. */
static const char *reduce_type(struct str name)
{
	static const char *const kinds[] = { "mean", "max", "min", "norm", "sum" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_contains(name, str_of(kinds[i])))
			return kinds[i];
	return "sum";
}

/* aten::norm and its kin have the order first. */
static uint32_t dims_slot(struct str name)
{
	return str_contains(name, STR("norm")) ? 2 : 1;
}

/* aten::sum(x, 6): a type, for the sum of all; dimensions would be a list. */
static bool is_type(struct str name, struct str text)
{
	return text.p[0] != '[' && (str_ends(name, STR("::sum")) || str_ends(name, STR("::mean")));
}

/* Elements of the result: those of the dimensions that stay; NAN if one of the others is none. */
static double outputs(struct op_call *c, struct op_shape in)
{
	struct op_shape gone;
	double n = 1;

	struct str text = op_value_at(&c->args, dims_slot(c->name));

	if (!op_parse_list(text, c->a, &gone) || !gone.rank || is_type(c->name, text))
		return 1;
	for (uint32_t k = 0; k < gone.rank; k++)
		if (gone.dim[k] < -(int64_t)in.rank || gone.dim[k] >= MAX_OF(in.rank, 1))
			return NAN;
	for (uint32_t i = 0; i < in.rank; i++) {
		bool stays = true;

		for (uint32_t k = 0; k < gone.rank; k++)
			stays = stays && gone.dim[k] != i && gone.dim[k] != (int64_t)i - in.rank;
		n *= stays ? (double)in.dim[i] : 1;
	}
	return n;
}

/* aten::max(x, y) of two tensors reduces nothing; a dimension would be a scalar. */
static bool is_of_two(struct op_call *c)
{
	struct str type = op_type_at(&c->args, 1);
	bool tensor = op_shape_at(&c->args, 1).rank || (type.n && !str_eq(type, STR("Scalar")));

	return !c->original && tensor &&
	       (str_ends(c->name, STR("::max")) || str_ends(c->name, STR("::min")));
}

static bool reduce(struct op_call *c, struct op_cost *o)
{
	struct op_shape in = op_shape_at(&c->args, 0);
	struct str type = op_type_at(&c->args, 0), types[] = { type, c->args.output_type };

	if (is_of_two(c))
		return opcost_forward("aten_binary_elementwise")(c, o);
	if (!opcost_tensor(c, 0) || in.nested)
		return opcost_fail(c, "an operand has not the shape the operator needs");
	double n = op_elements(in);
	double out = is_scan(c->name) ? n : c->original ? 1 : outputs(c, in);
	if (isnan(out))
		return opcost_fail(c, "a reduced dimension is not there");
	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(type);
	o->flops = n;
	opcost_bytes(o, n, op_type_bytes(type));
	opcost_bytes(o, out, op_type_bytes(types[1].p ? types[1] : type));
	opcost_int(c, o, "num_input_elems", n);
	opcost_int(c, o, "num_output_elems", out);
	opcost_types(c, o, "dtype_in_out", types, 2);
	opcost_text(o, "reduce_type", reduce_type(c->name));
	return true;
}

const struct op_formulas reduce_formulas[] = {
	{ "aten_reduce", reduce, reduce },
	{ NULL, NULL, NULL },
};
