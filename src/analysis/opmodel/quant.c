/*
 * Quantisation with a scale per token or group: absolute value and maximum over the group,
 * a division, a rounding and a cast per element, 2.59375 operations for groups of 128 as
 * the original counts them. The input read, a byte an element and the scales written.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

static bool quant(struct op_call *c, struct op_cost *o, uint32_t slot, double out_bytes,
		  double group)
{
	struct op_shape x = op_shape_at(&c->args, slot);
	struct str types[] = { op_type_at(&c->args, slot), { NULL, 0 } };
	const int64_t *dim;

	if (!opcost_dims(c, slot, 0, &dim))
		return false;
	double n = op_elements(x), width = (double)dim[x.rank - 1], rows = width ? n / width : 0;
	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(types[0]);
	o->flops = 2.59375 * n;
	opcost_bytes(o, n, op_type_bytes(types[0]));
	o->bytes += n * out_bytes +
		    rows * (group ? ceil(width / group) : 1) * (out_bytes < 1 ? 1 : 4);
	opcost_shape(c, o, "op_shape", x);
	opcost_types(c, o, "dtype_in_out", types, 2);
	return true;
}

/* The result comes first, then the input. */
static bool per_token(struct op_call *c, struct op_cost *o)
{
	return quant(c, o, 1, 1, 0);
}

static bool per_group_fp8(struct op_call *c, struct op_cost *o)
{
	return quant(c, o, 0, 1, 128);
}

static bool mxfp4(struct op_call *c, struct op_cost *o)
{
	return quant(c, o, 0, 0.5, 32);
}

static bool mxfp4_second(struct op_call *c, struct op_cost *o)
{
	return quant(c, o, 1, 0.5, 32);
}

const struct op_formulas quant_formulas[] = {
	{ "per_group_quant", per_token, NULL },
	{ "vllm_triton_per_token_group_quant_fp8", per_group_fp8, NULL },
	{ "fused_flatten_mxfp4_quant", mxfp4, NULL },
	{ "sglang_quant_dynamic_mxfp4_quant", mxfp4, NULL },
	{ "fused_dynamic_mx_quant_moe_sort_hip", mxfp4_second, NULL },
	{ "aiter_fused_dynamic_mxfp4_quant_moe_sort_hip", mxfp4_second, NULL },
	{ "aiter_dynamic_per_group_scaled_quant_fp4", mxfp4_second, NULL },
	{ NULL, NULL, NULL },
};
