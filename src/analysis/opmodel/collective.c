/*
 * Collectives that are operators of their own, and plain stores: no arithmetic but a sum,
 * bytes in and out once. Source: the definition.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

static bool moved(struct op_call *c, struct op_cost *o, double flops, double elements, double n)
{
	struct str type = op_type_at(&c->args, 0);

	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(type);
	o->flops = flops;
	opcost_bytes(o, elements, op_type_bytes(type));
	opcost_shape(c, o, "op_shape", op_shape_at(&c->args, 0));
	opcost_int(c, o, "nelems", n);
	opcost_str(c, o, "dtype", type);
	return true;
}

static bool all_reduce(struct op_call *c, struct op_cost *o)
{
	const int64_t *x;
	double n;

	if (!opcost_dims(c, 0, 0, &x))
		return false;
	n = op_elements(op_shape_at(&c->args, 0));
	return moved(c, o, 0, 2 * n, n);
}

/* Another number of elements goes in than comes out. */
static bool in_and_out(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 0, &x) || !opcost_dims(c, 1, 0, &y))
		return false;
	double in = op_elements(op_shape_at(&c->args, 0)),
	       out = op_elements(op_shape_at(&c->args, 1));
	return moved(c, o, 0, in + out, in);
}

/* The sum over ranks, then a root-mean-square norm of it with a weight per column. */
static bool all_reduce_rmsnorm(struct op_call *c, struct op_cost *o)
{
	struct op_shape x = op_shape_at(&c->args, 0);
	const int64_t *dim;

	if (!opcost_dims(c, 0, 0, &dim))
		return false;
	double n = op_elements(x), width = (double)dim[x.rank - 1], rows = width ? n / width : 0;
	return moved(c, o, n + rows * (2 * width + 2) + 2 * n, 4 * n + width, n);
}

/* Keys and values into the cache: both read, both written. */
static bool store_cache(struct op_call *c, struct op_cost *o)
{
	const int64_t *x;

	if (!opcost_dims(c, 0, 0, &x))
		return false;
	double n = op_elements(op_shape_at(&c->args, 0));
	return moved(c, o, 0, 4 * n, n);
}

const struct op_formulas collective_formulas[] = {
	{ "custom_ar_all_reduce", all_reduce, NULL },
	{ "custom_ar_qr_all_reduce", all_reduce, NULL },
	{ "sgl_kernel_all_reduce_reg", all_reduce, NULL },
	{ "sgl_kernel_qr_all_reduce", all_reduce, NULL },
	{ "aiter_reduce_scatter", in_and_out, NULL },
	{ "aiter_all_gather_reg", in_and_out, NULL },
	{ "sgl_kernel_reg_all_gather_into_tensor", in_and_out, NULL },
	{ "aiter_fused_allreduce_rmsnorm", all_reduce_rmsnorm, NULL },
	{ "aiter_fused_allreduce_rmsnorm_", all_reduce_rmsnorm, NULL },
	{ "sglang_store_cache", store_cache, NULL },
	{ NULL, NULL, NULL },
};
