/*
 * Matrix products: C (M, N) = A (M, K) B (K, N), B of them in a batch.
 *
 *	flops = 2 M N K, and M N more to add a bias
 *	bytes = A + B + C + bias, each once
 *
 * Source: the definition of the product (a multiply and an add per term).
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

struct gemm {
	double batch, m, n, k;
	bool bias;
	double biases;                                  /* elements of it; 0: one per column */
	double bytes_a, bytes_b, bytes_out, bytes_bias; /* per element; 0: not known */
	struct str type_a, type_out;                    /* of the result: {NULL, 0} is slot 2 */
	uint32_t slot_a, slot_b; /* for strides and types of the parameters */
	bool batched;            /* B stands first among the parameters */
	bool plain;              /* with strides, and types of A and B: the operators of ATen */
};

/* ---- transposition, as the kernel's name tells it ---- */

static bool lower_run(const char *p, const char *tag, struct str name)
{
	const char *at = memmem(p, name.n - (size_t)(p - name.p), tag, strlen(tag));

	return at != NULL;
}

/* Cijk_Ailk_Bljk..., nvjet_..._TNT: NULL if the name says nothing. */
const char *gemm_transposition(struct str kernel)
{
	if (!kernel.p)
		return NULL;
	bool a_n = lower_run(kernel.p, "_Ailk_", kernel),
	     a_t = lower_run(kernel.p, "_Alik_", kernel);
	bool b_n = lower_run(kernel.p, "_Bljk_", kernel),
	     b_t = lower_run(kernel.p, "_Bjlk_", kernel);

	if ((a_n || a_t) && (b_n || b_t))
		return a_t ? (b_t ? "(True, True)" : "(True, False)")
			   : (b_t ? "(False, True)" : "(False, False)");
	const char *last = memrchr(kernel.p, '_', kernel.n);
	size_t left = last ? kernel.n - (size_t)(last + 1 - kernel.p) : 0;
	if (!str_starts(kernel, STR("nvjet")) || left < 2)
		return NULL;
	bool ta = last[1] == 'T', tb = last[2] == 'T';
	return ta ? (tb ? "(True, True)" : "(True, False)")
		  : (tb ? "(False, True)" : "(False, False)");
}

static bool finish(struct op_call *c, struct op_cost *o, const struct gemm *g)
{
	struct str types[3] = { op_type_at(&c->args, g->slot_a), op_type_at(&c->args, g->slot_b) };
	double out = g->m * g->n;

	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(g->type_a);
	o->flops = g->batch * (2 * g->m * g->n * g->k + (g->bias ? out : 0));
	opcost_bytes(o, g->batch * g->m * g->k, g->bytes_a);
	opcost_bytes(o, g->batch * g->k * g->n, g->bytes_b);
	opcost_bytes(o, g->batch * out, g->bytes_out);
	if (g->bias)
		opcost_bytes(o, g->biases ? g->biases : g->batch * g->n, g->bytes_bias);
	if (g->batched)
		opcost_int(c, o, "B", g->batch);
	opcost_int(c, o, "M", g->m);
	opcost_int(c, o, "N", g->n);
	opcost_int(c, o, "K", g->k);
	opcost_bool(c, o, "bias", g->bias);
	if (g->plain) {
		opcost_shape(c, o, "stride_A", op_stride_at(&c->args, g->slot_a));
		opcost_shape(c, o, "stride_B", op_stride_at(&c->args, g->slot_b));
	}
	types[2] = g->type_out.p ? g->type_out : op_type_at(&c->args, 2);
	opcost_types(c, o, "dtype_A_B", types, g->plain ? 2 : 3);
	if (!g->batched)
		opcost_int(c, o, "B", g->batch);
	const char *transposed = gemm_transposition(c->kernel);
	if (transposed)
		opcost_text(o, "transpose", transposed);
	return true;
}

static bool same(struct op_call *c, int64_t a, int64_t b)
{
	return opcost_fits(c, a == b, "the shapes of a product do not fit each other");
}

/* A and B in slots a and a + 1, as (M, K) and (K, N). */
static bool two_matrices(struct op_call *c, struct gemm *g, uint32_t a, uint32_t rank)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, a, rank, &x) || !opcost_dims(c, a + 1, rank, &y))
		return false;
	uint32_t first = rank - 2;
	if (x[first + 1] != y[first] || (rank == 3 && x[0] != y[0]))
		return opcost_fail(c, "the shapes of a product do not fit each other");
	g->batch = rank == 3 ? (double)x[0] : 1;
	g->m = (double)x[first];
	g->k = (double)x[first + 1];
	g->n = (double)y[first + 1];
	g->slot_a = a;
	g->slot_b = a + 1;
	g->type_a = op_type_at(&c->args, a);
	g->batched = rank == 3;
	return true;
}

/* All operands of A's type, or each of its own. */
static void aten_types(struct op_call *c, struct gemm *g, uint32_t bias_slot)
{
	double b = op_type_bytes(g->type_a);

	g->plain = true;
	g->bytes_a = g->bytes_out = b;
	g->bytes_b = c->original ? b : op_type_bytes(op_type_at(&c->args, g->slot_b));
	g->bytes_bias = c->original ? b : op_type_bytes(op_type_at(&c->args, bias_slot));
}

static bool aten_mm(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { 0 };

	if (!two_matrices(c, &g, 0, 2))
		return false;
	aten_types(c, &g, 0);
	return finish(c, o, &g);
}

/* What is added, slot 0, is read as it is before it is broadcast; with beta = 0 not at all. */
static bool aten_bias(struct op_call *c, struct gemm *g)
{
	struct op_shape s = op_shape_at(&c->args, 0);
	struct str beta = op_value_at(&c->args, 3);
	double out[] = { g->batch, g->m, g->n }, zero;
	uint32_t rank = g->batched ? 3 : 2;

	if (c->original)
		return true;
	if (s.nested || s.rank > rank)
		return opcost_fail(c, "the shapes of a product do not fit each other");
	for (uint32_t i = 0; i < s.rank; i++)
		if (s.dim[i] != 1 && (double)s.dim[i] != out[3 - s.rank + i])
			return opcost_fail(c, "the shapes of a product do not fit each other");
	g->biases = op_elements(s);
	g->bias = !(str_f64(beta, &zero) && zero == 0);
	return true;
}

static bool aten_addmm(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { .bias = true };

	if (!two_matrices(c, &g, 1, 2) || !aten_bias(c, &g))
		return false;
	aten_types(c, &g, 0);
	return finish(c, o, &g);
}

static bool aten_bmm(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { 0 };

	if (!two_matrices(c, &g, 0, 3))
		return false;
	aten_types(c, &g, 0);
	return finish(c, o, &g);
}

static bool aten_baddbmm(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { .bias = true };

	if (!two_matrices(c, &g, 1, 3) || !aten_bias(c, &g))
		return false;
	aten_types(c, &g, 0);
	return finish(c, o, &g);
}

/*
 * Operands of 8 bits, a result of 16. The bias is slot 4 of aten::_scaled_mm; the original
 * looks for exactly three shapes instead, which no trace has.
 */
static bool scaled_mm(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { 0 };

	if (!two_matrices(c, &g, 0, 2))
		return false;
	double b = op_type_bytes(g.type_a);
	if (!b)
		return opcost_fail(c, "the type of an operand is not known");
	g.plain = true;
	g.bias = c->original ? c->args.nshapes == 3 : op_shape_at(&c->args, 4).rank == 1;
	g.bytes_a = g.bytes_b = g.bytes_bias = b;
	g.bytes_out = b == 1 ? 2 : b == 2 || b == 4 ? b : 0;
	return finish(c, o, &g);
}

/* The first two matrices among the arguments, B as (K, N). */
static bool dynamic_quant(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { 0 };
	uint32_t slot[2], found = 0;

	for (uint32_t i = 0; i < c->args.nshapes && found < 2; i++)
		if (c->args.shape[i].rank == 2)
			slot[found++] = i;
	if (found < 2)
		return opcost_fail(c, "an operand has not the shape the operator needs");
	const int64_t *x = c->args.shape[slot[0]].dim, *y = c->args.shape[slot[1]].dim;
	if (x[1] / 2 != y[1] && !same(c, x[1], y[1])) /* packed in 4 bits, or not */
		return false;
	g = (struct gemm){ .batch = 1,
			   .m = (double)x[0],
			   .k = (double)x[1],
			   .n = (double)y[0],
			   .type_a = op_type_at(&c->args, 0),
			   .slot_a = slot[0],
			   .slot_b = slot[1] };
	g.bytes_a = g.bytes_b = g.bytes_out = op_type_bytes(g.type_a);
	return finish(c, o, &g);
}

/* Transformer Engine: flags say which operands are transposed. */
static bool te_gemm_ts(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 5, 2, &y))
		return false;
	bool ta = str_eq(op_value_at(&c->args, 4), STR("1"));
	bool tb = str_eq(op_value_at(&c->args, 9), STR("1"));
	if (!same(c, x[ta], y[!tb]))
		return false;
	struct gemm g = {
		.batch = 1,
		.m = (double)x[!ta],
		.k = (double)x[ta],
		.n = (double)y[tb],
		.bias = op_value_at(&c->args, 14).n > 0,
		.type_a = op_type_at(&c->args, 0),
		.bytes_a = op_type_bytes(op_type_at(&c->args, 0)),
		.bytes_b = op_type_bytes(op_type_at(&c->args, 5)),
		.bytes_out = op_type_bytes(op_type_at(&c->args, 10)),
		.bytes_bias = op_type_bytes(op_type_at(&c->args, 18)),
		.slot_b = 5,
	};
	return finish(c, o, &g);
}

static bool te_pseudo(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { 0 };

	if (!two_matrices(c, &g, 0, 2))
		return false;
	if (!str_eq(op_type_at(&c->args, 0), op_type_at(&c->args, 1)))
		return opcost_fail(c, "operands of different types");
	g.plain = true;
	g.bytes_a = g.bytes_b = op_type_bytes(g.type_a);
	g.bytes_out = 2;
	return finish(c, o, &g);
}

/* A (M, K) and B (N, K), both row by row: the layout of the kernels for serving. */
static bool nt_matrices(struct op_call *c, struct gemm *g)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 1, 2, &y) || !same(c, x[1], y[1]))
		return false;
	*g = (struct gemm){ .batch = 1,
			    .m = (double)x[0],
			    .k = (double)x[1],
			    .n = (double)y[0],
			    .type_a = op_type_at(&c->args, 0),
			    .slot_b = 1 };
	g->bytes_a = op_type_bytes(g->type_a);
	g->bytes_b = op_type_bytes(op_type_at(&c->args, 1));
	return true;
}

static bool a8w8(struct op_call *c, struct op_cost *o)
{
	struct gemm g;

	if (!nt_matrices(c, &g))
		return false;
	g.bytes_out = 2;
	return finish(c, o, &g);
}

static bool rocm_unquantized(struct op_call *c, struct op_cost *o)
{
	struct gemm g;

	if (!nt_matrices(c, &g))
		return false;
	g.bias = op_shape_at(&c->args, 2).rank > 0;
	g.bytes_bias = op_type_bytes(op_type_at(&c->args, 2));
	g.bytes_out = g.bias ? g.bytes_bias : g.bytes_b;
	return finish(c, o, &g);
}

/* The result is of the type of a slot, if that is known, else as `otherwise`. */
static bool a16w16_result(struct op_call *c, struct op_cost *o, uint32_t slot, struct str otherwise)
{
	struct gemm g;

	if (!nt_matrices(c, &g))
		return false;
	g.type_out = op_type_at(&c->args, slot);
	if (!op_type_bytes(g.type_out))
		g.type_out = otherwise.p ? otherwise : g.type_a;
	g.bytes_out = op_type_bytes(g.type_out);
	g.batched = true;
	return finish(c, o, &g);
}

static bool a16w16(struct op_call *c, struct op_cost *o)
{
	return a16w16_result(c, o, 0, (struct str){ NULL, 0 });
}

static bool a16w16_atomic(struct op_call *c, struct op_cost *o)
{
	return a16w16_result(c, o, 3, STR("c10::BFloat16"));
}

static bool a16w16_asm(struct op_call *c, struct op_cost *o)
{
	return a16w16_result(c, o, 2, (struct str){ NULL, 0 });
}

/* ---- packed in 4 bits: two numbers a byte, a scale per 32 ---- */

static void packed(struct op_cost *o, double m, double n, double k, double scale)
{
	o->bytes += (m * k + n * k) / 2 + (m + n) * ceil(k / 32) * scale + 2 * m * n;
}

static bool fp4_cost(struct op_call *c, struct op_cost *o, double m, double n, double k,
		     double scale)
{
	o->unit = UNIT_MATRIX;
	o->precision = "fp4";
	o->flops = 2 * m * n * k;
	packed(o, m, n, k, scale);
	opcost_int(c, o, "M", m);
	opcost_int(c, o, "N", n);
	opcost_int(c, o, "K", k);
	opcost_bool(c, o, "bias", false);
	return true;
}

static bool a4w4(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 1, 2, &y) || !same(c, x[1], y[1]))
		return false;
	return fp4_cost(c, o, (double)x[0], (double)y[0], 2 * (double)x[1], 1);
}

static bool afp4wfp4(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 1, 2, &y) || !same(c, x[1], y[1]))
		return false;
	return fp4_cost(c, o, (double)x[0], (double)y[0], 2 * (double)x[1], 0);
}

struct flags {
	bool a, b;
};

/* M, N and K of hipBLASLt's A and B with their flags; transC swaps the operands. */
static bool hipblaslt_sizes(struct op_call *c, double *m, double *n, double *k)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 2, &x) || !opcost_dims(c, 2, 2, &y))
		return false;
	struct flags t = { op_parse_bool(op_value_at(&c->args, 5), false),
			   op_parse_bool(op_value_at(&c->args, 6), false) };
	if (op_parse_bool(op_value_at(&c->args, 7), false)) {
		const int64_t *swap = x;
		x = y;
		y = swap;
		t = (struct flags){ !t.b, !t.a };
	}
	*m = (double)x[t.a];
	*k = (double)x[!t.a];
	*n = (double)y[!t.b];
	return same(c, x[!t.a], y[t.b]);
}

static bool hipblaslt_fp8(struct op_call *c, struct op_cost *o)
{
	struct gemm g = { .batch = 1, .type_a = op_type_at(&c->args, 0), .slot_b = 2 };

	if (!hipblaslt_sizes(c, &g.m, &g.n, &g.k))
		return false;
	g.bytes_a = op_type_bytes(g.type_a);
	g.bytes_b = op_type_bytes(op_type_at(&c->args, 2));
	g.bytes_out = g.bytes_a == 1 ? 2 : g.bytes_a;
	return finish(c, o, &g);
}

static bool hipblaslt_fp4(struct op_call *c, struct op_cost *o)
{
	double m, n, k;

	return hipblaslt_sizes(c, &m, &n, &k) && fp4_cost(c, o, m, n, 2 * k, 1);
}

/* (B, M, K) in 16 bits by (B, N, K/2) in 4. */
static bool batched_a16wfp4(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 3, &x) || !opcost_dims(c, 1, 3, &y) || !same(c, x[0], y[0]) ||
	    !same(c, x[2] / 2, y[2]))
		return false;
	struct gemm g = { .batch = (double)x[0],
			  .m = (double)x[1],
			  .k = (double)x[2],
			  .n = (double)y[1],
			  .bytes_a = 2,
			  .bytes_b = 0.5,
			  .bytes_out = 2,
			  .slot_b = 1,
			  .batched = true };
	finish(c, o, &g);
	o->precision = "fp4";
	return true;
}

static bool batched_a8w8(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *y;

	if (!opcost_dims(c, 0, 3, &x) || !opcost_dims(c, 1, 3, &y))
		return false;
	bool batch_first = x[0] == y[0];
	if (!same(c, x[batch_first ? 0 : 1], y[0]) || !same(c, x[2], y[2]))
		return false;
	struct gemm g = { .batch = (double)y[0],
			  .m = (double)x[batch_first ? 1 : 0],
			  .k = (double)x[2],
			  .n = (double)y[1],
			  .slot_b = 1,
			  .batched = true,
			  .bytes_a = op_type_bytes(op_type_at(&c->args, 0)),
			  .bytes_b = op_type_bytes(op_type_at(&c->args, 1)),
			  .bytes_out = 2,
			  .type_a = op_type_at(&c->args, 1) };
	return finish(c, o, &g);
}

const struct op_formulas gemm_formulas[] = {
	{ "aten_mm", aten_mm, NULL },
	{ "aten_addmm", aten_addmm, NULL },
	{ "aten_bmm", aten_bmm, NULL },
	{ "aten_baddbmm", aten_baddbmm, NULL },
	{ "aten_scaled_mm", scaled_mm, NULL },
	{ "vllm_gemm_with_dynamic_quant", dynamic_quant, NULL },
	{ "tex_ts_te_gemm_ts", te_gemm_ts, NULL },
	{ "tev2_pseudo_gemm", te_pseudo, NULL },
	{ "hipblaslt_gemm_fp8", hipblaslt_fp8, NULL },
	{ "hipblaslt_gemm_fp4", hipblaslt_fp4, NULL },
	{ "aiter_gemm_a4w4", a4w4, NULL },
	{ "gemm_a8w8_blockscale", a8w8, NULL },
	{ "vllm_rocm_unquantized_gemm", rocm_unquantized, NULL },
	{ "gemm_a16w16", a16w16, NULL },
	{ "gemm_a16w16_atomic_", a16w16_atomic, NULL },
	{ "gemm_a16w16_asm", a16w16_asm, NULL },
	{ "gemm_afp4wfp4", afp4wfp4, NULL },
	{ "batched_gemm_a16wfp4", batched_a16wfp4, NULL },
	{ "batched_gemm_a8w8", batched_a8w8, NULL },
	{ NULL, NULL, NULL },
};
