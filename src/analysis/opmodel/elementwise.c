/*
 * Element by element: one operation per element of the result, every operand read once and
 * the result written once. Source: the definition; broadcasting as in NumPy.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

static struct str type_or_none(struct op_call *c, uint32_t slot)
{
	bool tensor = op_shape_at(&c->args, slot).rank > 0;

	return tensor ? op_type_at(&c->args, slot) : (struct str){ NULL, 0 };
}

static void finish(struct op_call *c, struct op_cost *o, double per_element, double n)
{
	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(op_type_at(&c->args, 0));
	o->flops = per_element * n;
}

static void put_unary(struct op_call *c, struct op_cost *o, struct op_shape shape, struct str out)
{
	struct str types[] = { op_type_at(&c->args, 0), out };

	opcost_shape(c, o, "op_shape", shape);
	opcost_types(c, o, "dtype_in_out", types, 2);
	opcost_shape(c, o, "stride_input", op_stride_at(&c->args, 0));
	if (out.p)
		opcost_shape(c, o, "stride_output", op_stride_at(&c->args, 1));
	else
		opcost_none(o, "stride_output");
}

static bool needs_strides(struct op_call *c)
{
	return !c->original || c->args.has_strides || opcost_fail(c, "the trace has no strides");
}

static bool unary(struct op_call *c, struct op_cost *o)
{
	struct str in = op_type_at(&c->args, 0), out = type_or_none(c, 1);

	if (!needs_strides(c) || !opcost_tensor(c, 0))
		return false;
	double n = op_elements(op_shape_at(&c->args, 0));
	finish(c, o, 1, n);
	opcost_bytes(o, n, op_type_bytes(in));
	opcost_bytes(o, n, op_type_bytes(out.p ? out : in));
	put_unary(c, o, op_shape_at(&c->args, 0), out);
	return true;
}

/* The shape that both broadcast to. */
static bool broadcast(struct op_call *c, struct op_shape x, struct op_shape y, double *n)
{
	uint32_t rank = MAX_OF(x.rank, y.rank);

	*n = 1;
	for (uint32_t i = 0; i < rank; i++) {
		int64_t a = i < x.rank ? x.dim[x.rank - 1 - i] : 1;
		int64_t b = i < y.rank ? y.dim[y.rank - 1 - i] : 1;

		if (a != b && a != 1 && b != 1)
			return opcost_fail(c, "the shapes do not broadcast");
		*n *= (double)(a == 1 ? b : a);
	}
	return true;
}

static bool binary(struct op_call *c, struct op_cost *o)
{
	struct op_shape x = op_shape_at(&c->args, 0), y = op_shape_at(&c->args, 1);
	struct str types[] = { op_type_at(&c->args, 0), op_type_at(&c->args, 1),
			       type_or_none(c, 2) };
	double n;

	if (!needs_strides(c))
		return false;
	if (!opcost_tensor(c, 0) || !opcost_tensor(c, 1))
		return false;
	if (!broadcast(c, x, y, &n))
		return false;
	double b1 = op_type_bytes(types[0]), b2 = op_type_bytes(types[1]);
	double out = types[2].p ? op_type_bytes(types[2]) : x.rank && y.rank ? MAX_OF(b1, b2) : b1;
	finish(c, o, 1, n);
	opcost_bytes(o, op_elements(x), b1);
	opcost_bytes(o, op_elements(y), b2);
	opcost_bytes(o, n, out);
	opcost_shape(c, o, "shape_in1", x);
	opcost_shape(c, o, "shape_in2", y);
	opcost_types(c, o, "dtype_in1_in2_out", types, 3);
	opcost_shape(c, o, "stride_input1", op_stride_at(&c->args, 0));
	opcost_shape(c, o, "stride_input2", op_stride_at(&c->args, 1));
	if (types[2].p)
		opcost_shape(c, o, "stride_output", op_stride_at(&c->args, 2));
	else
		opcost_none(o, "stride_output");
	return true;
}

/*
 * silu(a) * b, gelu(a) * b: the input holds both halves. Operations per result as the
 * original counts them: 5, 8 and 10.
 */
static bool gated(struct op_call *c, struct op_cost *o, double per_element)
{
	struct op_shape out = op_shape_at(&c->args, 0), in = op_shape_at(&c->args, 1);
	struct str types[] = { op_type_at(&c->args, 1), op_type_at(&c->args, 0) };

	if (!out.rank || !in.rank)
		return opcost_fail(c, "an operand has not the shape the operator needs");
	double n = op_elements(out);
	if (!opcost_fits(c, op_elements(in) == 2 * n, "the input is not twice the result"))
		return false;
	finish(c, o, per_element, n);
	opcost_bytes(o, 2 * n, op_type_bytes(types[0]));
	opcost_bytes(o, n, op_type_bytes(types[1]));
	opcost_shape(c, o, "op_shape", out);
	opcost_types(c, o, "dtype_in_out", types, 2);
	opcost_shape(c, o, "stride_input", op_stride_at(&c->args, 1));
	opcost_shape(c, o, "stride_output", op_stride_at(&c->args, 0));
	return true;
}

static bool silu_and_mul(struct op_call *c, struct op_cost *o)
{
	return gated(c, o, 5);
}

static bool gelu_and_mul(struct op_call *c, struct op_cost *o)
{
	return gated(c, o, 8);
}

static bool gelu_tanh_and_mul(struct op_call *c, struct op_cost *o)
{
	return gated(c, o, 10);
}

/* The result has a shape of its own: `out`. */
static bool resized(struct op_call *c, struct op_cost *o, struct op_shape out)
{
	struct op_shape in = op_shape_at(&c->args, 0);
	struct str type = op_type_at(&c->args, 0), types[] = { type, type };
	double b = op_type_bytes(type), n = op_elements(out);

	finish(c, o, 1, n);
	opcost_bytes(o, op_elements(in) + n, b);
	opcost_shape(c, o, "input_shape", in);
	opcost_shape(c, o, "output_shape", out);
	opcost_shape(c, o, "op_shape", out);
	opcost_types(c, o, "dtype_in_out", types, 2);
	opcost_shape(c, o, "stride_input", op_stride_at(&c->args, 0));
	opcost_none(o, "stride_output");
	return true;
}

/* The last dimensions of the input, changed by `list`: pads (two a dimension) or sizes. */
static bool resize(struct op_call *c, struct op_cost *o, bool pads)
{
	const int64_t *x;
	struct op_shape list, in = op_shape_at(&c->args, 0);

	if (!opcost_dims(c, 0, 0, &x))
		return false;
	uint32_t per = pads ? 2 : 1;
	if (!op_parse_list(op_value_at(&c->args, 1), c->a, &list) || list.rank % per ||
	    list.rank / per > in.rank)
		return opcost_fail(c, "the new size is no list of the right length");
	int64_t *dim = NEW(c->a, in.rank, int64_t);
	memcpy(dim, in.dim, in.rank * sizeof(*dim));
	uint32_t changed = list.rank / per;
	for (uint32_t i = 0; i < changed; i++) {
		uint32_t at = pads ? in.rank - 1 - i : in.rank - changed + i; /* pads: inside out */
		bool fits = true;

		if (!pads)
			dim[at] = list.dim[i];
		else
			fits = !__builtin_add_overflow(dim[at], list.dim[2 * i], &dim[at]) &&
			       !__builtin_add_overflow(dim[at], list.dim[2 * i + 1], &dim[at]);
		if (!fits || dim[at] < 0)
			return opcost_fail(c, "the new size is no size");
	}
	return resized(c, o, (struct op_shape){ .rank = in.rank, .dim = dim, .given = true });
}

static bool replication_pad(struct op_call *c, struct op_cost *o)
{
	return resize(c, o, true);
}

static bool upsample_nearest(struct op_call *c, struct op_cost *o)
{
	return resize(c, o, false);
}

static bool quantize_fp8(struct op_call *c, struct op_cost *o)
{
	struct op_shape in = op_shape_at(&c->args, 0);
	double n = op_elements(in);

	if (!in.rank)
		return opcost_fail(c, "an operand has not the shape the operator needs");
	finish(c, o, 1, n);
	opcost_bytes(o, n, op_type_bytes(op_type_at(&c->args, 0)));
	o->bytes += n;
	put_unary(c, o, in, (struct str){ NULL, 0 });
	return true;
}

/* Row by row and column by column: two packed copies, a scale per 32 elements of each. */
static bool quantize_mxfp4_dual(struct op_call *c, struct op_cost *o)
{
	const int64_t *x;

	if (!opcost_dims(c, 0, 2, &x))
		return false;
	double m = (double)x[0], n = (double)x[1];
	finish(c, o, 1, m * n);
	opcost_bytes(o, m * n, op_type_bytes(op_type_at(&c->args, 0)));
	o->bytes += 2 * ceil(m * n / 2) + m * ceil(n / 32) + n * ceil(m / 32);
	put_unary(c, o, op_shape_at(&c->args, 0), (struct str){ NULL, 0 });
	return true;
}

const struct op_formulas elementwise_formulas[] = {
	{ "aten_unary_elementwise", unary, NULL },
	{ "aten_binary_elementwise", binary, NULL },
	{ "liger_silu_mul_function", binary, NULL },
	{ "aiter_silu_and_mul", silu_and_mul, NULL },
	{ "sgl_kernel_silu_and_mul", silu_and_mul, NULL },
	{ "aiter_gelu_and_mul", gelu_and_mul, NULL },
	{ "aiter_gelu_tanh_and_mul", gelu_tanh_and_mul, NULL },
	{ "aten_replication_pad", replication_pad, NULL },
	{ "aten_upsample_nearest", upsample_nearest, NULL },
	{ "primus_turbo_quantize_fp8", quantize_fp8, NULL },
	{ "primus_turbo_quantize_mxfp4_dual", quantize_mxfp4_dual, NULL },
	{ NULL, NULL, NULL },
};
