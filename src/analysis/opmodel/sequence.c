/*
 * What stands between the products of a model: rotary embeddings, causal convolutions,
 * state-space scans, cross entropy, grouped products, expert dispatch. Source: the
 * definitions; constants as the original counts them, so that figures compare.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

static void vector_unit(struct op_call *c, struct op_cost *o, uint32_t slot)
{
	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(op_type_at(&c->args, slot));
}

/* (B, C, L) with a filter (C, k): 2 B C L k, and the bias where there is one. */
static bool causal_conv1d(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *w;

	if (!opcost_dims(c, 0, 3, &x) || !opcost_dims(c, 1, 2, &w))
		return false;
	if (!opcost_fits(c, w[0] == x[1], "the filter is for other channels"))
		return false;
	double b = (double)x[0], channels = (double)x[1], length = (double)x[2], k = (double)w[1];
	bool bias = op_shape_at(&c->args, 2).rank > 0;
	vector_unit(c, o, 0);
	o->flops = 2 * b * channels * length * k;
	opcost_bytes(o, 2 * b * channels * length + channels * k + (bias ? channels : 0),
		     op_type_bytes(op_type_at(&c->args, 0)));
	opcost_int(c, o, "B", b);
	opcost_int(c, o, "C", channels);
	opcost_int(c, o, "L", length);
	opcost_int(c, o, "k", k);
	opcost_bool(c, o, "bias", bias);
	return true;
}

/* Three operations per element; read and written once. */
static bool rope_of(struct op_call *c, struct op_cost *o, double n, uint32_t slot)
{
	vector_unit(c, o, slot);
	o->flops = 3 * n;
	opcost_bytes(o, 2 * n, op_type_bytes(op_type_at(&c->args, slot)));
	opcost_int(c, o, "num_elements", n);
	return true;
}

static bool fused_rope(struct op_call *c, struct op_cost *o)
{
	const int64_t *x;

	return opcost_dims(c, 0, 0, &x) && rope_of(c, o, op_elements(op_shape_at(&c->args, 0)), 0);
}

/* Queries and keys in two slots. */
static bool rope_two(struct op_call *c, struct op_cost *o, uint32_t q)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, q, 0, &x) || !opcost_dims(c, q + 1, 0, &y))
		return false;
	return rope_of(c, o,
		       op_elements(op_shape_at(&c->args, q)) +
			       op_elements(op_shape_at(&c->args, q + 1)),
		       q);
}

static bool rope_after_positions(struct op_call *c, struct op_cost *o)
{
	return rope_two(c, o, 1);
}

static bool rope_first(struct op_call *c, struct op_cost *o)
{
	return rope_two(c, o, 0);
}

/* (batch, vocabulary) logits: exponential, sum, logarithm, gather, mean. */
static bool cross_entropy(struct op_call *c, struct op_cost *o)
{
	struct op_shape x = op_shape_at(&c->args, 0);
	const int64_t *dim;

	if (!opcost_dims(c, 0, 0, &dim))
		return false;
	double n = op_elements(x), vocabulary = (double)dim[x.rank - 1];
	double batch = vocabulary ? n / vocabulary : 0;
	vector_unit(c, o, 0);
	o->flops = 5 * n;
	opcost_bytes(o, n, op_type_bytes(op_type_at(&c->args, 0)));
	o->bytes += 12 * batch;
	opcost_int(c, o, "batch", batch);
	opcost_int(c, o, "vocab", vocabulary);
	return true;
}

/* X (M, K) by W (G, K, N): every row meets one of the G matrices. */
static bool grouped_gemm(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *w;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 1, 3, &w))
		return false;
	if (!opcost_fits(c, w[1] == x[1] || w[2] == x[1],
			 "the shapes of a product do not fit each other"))
		return false;
	double m = (double)x[0], k = (double)x[1], g = (double)w[0];
	double n = (double)(w[1] == x[1] ? w[2] : w[1]), b = op_type_bytes(op_type_at(&c->args, 0));
	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(op_type_at(&c->args, 0));
	o->flops = 2 * m * k * n;
	opcost_bytes(o, m * k + g * k * n + m * n, b);
	opcost_int(c, o, "M", m);
	opcost_int(c, o, "N", n);
	opcost_int(c, o, "K", k);
	opcost_int(c, o, "G", g);
	return true;
}

/* X (K, M) and Y (K, N), cut along K: together one product. */
static bool grouped_gemm_variable_k(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 1, 2, &y))
		return false;
	if (x[0] != y[0])
		return opcost_fail(c, "the shapes of a product do not fit each other");
	double k = (double)x[0], m = (double)x[1], n = (double)y[1];
	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(op_type_at(&c->args, 0));
	o->flops = 2 * m * k * n;
	opcost_bytes(o, m * k + k * n + m * n, op_type_bytes(op_type_at(&c->args, 0)));
	opcost_int(c, o, "M", m);
	opcost_int(c, o, "N", n);
	opcost_int(c, o, "K", k);
	opcost_int(c, o, "G", 1);
	return true;
}

/* Tokens on their way to experts and back: no arithmetic, every byte once. */
static bool moe_exchange(struct op_call *c, struct op_cost *o)
{
	const int64_t *x;

	if (!opcost_dims(c, 0, 2, &x))
		return false;
	vector_unit(c, o, 0);
	o->flops = 0;
	opcost_bytes(o, (double)x[0] * (double)x[1], op_type_bytes(op_type_at(&c->args, 0)));
	opcost_int(c, o, "num_tokens", (double)x[0]);
	opcost_int(c, o, "hidden_dim", (double)x[1]);
	return true;
}

static bool value_or(struct op_call *c, uint32_t slot, int64_t otherwise, double *out)
{
	int64_t v;

	if (!op_parse_int(op_value_at(&c->args, slot), otherwise, &v))
		return opcost_fail(c, "a size is no number");
	*out = (double)v;
	return true;
}

/*
 * Mamba-2: a causal convolution, then the chunked scan (state-space duality). The width Z
 * of the projection holds gate and values (H P each), the states of G groups (N each,
 * twice) and a step per head.
 */
static bool mamba_ssd(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *w, *heads;
	double p = 0, g = 0, chunk = 0;

	if (!opcost_dims(c, 0, 3, &x) || !opcost_dims(c, 1, 2, &w) ||
	    !opcost_dims(c, 3, 1, &heads) || !value_or(c, 15, 64, &p) || !value_or(c, 16, 1, &g) ||
	    !value_or(c, 6, 128, &chunk))
		return false;
	double b = (double)x[0], t = (double)x[1], z = (double)x[2], h = (double)heads[0];
	double cc = (double)w[0], taps = (double)w[1], n = (z - 2 * h * p - h) / (2 * g);
	if (!(p > 0) || !(g > 0) || !(chunk > 0) || n <= 0 || n != floor(n))
		return opcost_fail(c, "the width of the projection does not divide into states");
	double bytes = op_type_bytes(op_type_at(&c->args, 0)), per_head = 0;
	for (uint32_t slot = 3; slot <= 5; slot++)
		per_head += op_type_bytes(op_type_at(&c->args, slot));
	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(op_type_at(&c->args, 0));
	o->flops = 2 * b * cc * t * taps + 2 * b * g * t * chunk * n + 2 * b * h * t * chunk * p +
		   4 * b * h * t * n * p;
	opcost_bytes(o, b * t * z + cc * taps + cc + b * t * h * p, bytes);
	o->bytes += h * per_head;
	opcost_int(c, o, "B", b);
	opcost_int(c, o, "T", t);
	opcost_int(c, o, "H", h);
	opcost_int(c, o, "P", p);
	opcost_int(c, o, "N", n);
	opcost_int(c, o, "G", g);
	opcost_int(c, o, "chunk", chunk);
	return true;
}

const struct op_formulas sequence_formulas[] = {
	{ "causal_conv1d_fwd", causal_conv1d, NULL },
	{ "fused_rope_fwd", fused_rope, NULL },
	{ "sgl_kernel_rotary_embedding", rope_after_positions, NULL },
	{ "aiter_rope_cached_positions_2c_fwd_impl", rope_first, NULL },
	{ "cross_entropy_fwd", cross_entropy, NULL },
	{ "primus_turbo_grouped_gemm", grouped_gemm, NULL },
	{ "primus_turbo_grouped_gemm_variable_k", grouped_gemm_variable_k, NULL },
	{ "moe_dispatch", moe_exchange, moe_exchange },
	{ "moe_combine", moe_exchange, moe_exchange },
	{ "mamba_ssd_fwd", mamba_ssd, mamba_ssd },
	{ NULL, NULL, NULL },
};
