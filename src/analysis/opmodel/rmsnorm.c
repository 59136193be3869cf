/*
 * Fused kernels for serving around a root-mean-square normalisation:
 *
 *	rms norm   flops (n / c)(2 c + 2) + 2 n     bytes x + y + c
 *	residual   n more to add; another n read and n written
 *	quantise   2 n more; n bytes and a scale per group written instead
 *
 * Source: the counts of the original (its extension models), so that figures compare.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

struct rms {
	uint32_t x, weight; /* slots */
	bool add;
	enum { PLAIN, FP8, MXFP4 } quant;
	double group; /* elements per scale of FP8; 0: one per row */
};

static bool rms(struct op_call *c, struct op_cost *o, struct rms r)
{
	const int64_t *x;

	if (!opcost_dims(c, r.x, 0, &x))
		return false;
	struct op_shape shape = op_shape_at(&c->args, r.x);
	struct str types[] = { op_type_at(&c->args, r.x), { NULL, 0 } };
	double n = op_elements(shape), width = (double)x[shape.rank - 1],
	       rows = width ? n / width : 0;
	double b = op_type_bytes(types[0]);
	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(types[0]);
	o->flops = rows * (2 * width + 2) + 2 * n + (r.add ? n : 0) + (r.quant ? 2 * n : 0);
	opcost_bytes(o, n + width + (r.add ? 2 * n : 0) + (r.quant ? 0 : n), b);
	if (r.quant == FP8)
		o->bytes += n + 4 * rows * (r.group ? ceil(width / r.group) : 1);
	if (r.quant == MXFP4)
		o->bytes += n / 2 + floor(n / 32);
	opcost_shape(c, o, "op_shape", shape);
	opcost_types(c, o, "dtype_in_out", types, 2);
	opcost_shape(c, o, "stride_input", op_stride_at(&c->args, r.x));
	opcost_none(o, "stride_output");
	opcost_int(c, o, "num_channels", width);
	opcost_bool(c, o, "has_bias", false);
	opcost_bool(c, o, "is_affine", true);
	opcost_bool(c, o, "is_training", false);
	return true;
}

static bool plain(struct op_call *c, struct op_cost *o)
{
	return rms(c, o, (struct rms){ .weight = 1 });
}

static bool with_add(struct op_call *c, struct op_cost *o)
{
	return rms(c, o, (struct rms){ .add = true });
}

static bool with_quant(struct op_call *c, struct op_cost *o)
{
	return rms(c, o, (struct rms){ .quant = FP8 });
}

static bool with_group_quant(struct op_call *c, struct op_cost *o)
{
	return rms(c, o, (struct rms){ .quant = FP8, .group = 128 });
}

static bool with_add_group_quant(struct op_call *c, struct op_cost *o)
{
	return rms(c, o, (struct rms){ .add = true, .quant = FP8, .group = 128 });
}

static bool with_mxfp4(struct op_call *c, struct op_cost *o)
{
	return rms(c, o, (struct rms){ .quant = MXFP4 });
}

const struct op_formulas rmsnorm_formulas[] = {
	{ "aiter_rms_norm", plain, NULL },
	{ "aiter_rmsnorm", plain, NULL },
	{ "aiter_rmsnorm2d_fwd_with_add_ck", with_add, NULL },
	{ "vllm_rocm_aiter_triton_add_rmsnorm_pad", with_add, NULL },
	{ "aiter_rmsnorm2d_fwd_with_dynamicquant_ck", with_quant, NULL },
	{ "aiter_rmsnorm_quant", with_quant, NULL },
	{ "vllm_rocm_aiter_rmsnorm_fp8_group_quant", with_group_quant, NULL },
	{ "vllm_rocm_aiter_rmsnorm_with_add_fp8_group_quant", with_add_group_quant, NULL },
	{ "fused_rms_mxfp4_quant", with_mxfp4, NULL },
	{ NULL, NULL, NULL },
};
