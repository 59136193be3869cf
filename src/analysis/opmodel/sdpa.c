/*
 * Scaled dot-product attention: S = Q K^T, P = softmax(S), O = P V.
 *
 *	flops forward  = 2 B H_Q N_Q N_KV (d_qk + d_v), half of it if causal
 *	flops backward = dP, dV, dQ, dK, and S once more where it is not kept (flash)
 *	bytes = Q + K + V + O forward; all of them and their gradients backward
 *
 * Causal attention with other lengths of queries and keys (decode, chunks) masks the upper
 * right triangle of the last N_Q columns; the original gives up there. Source: the
 * definition; the count of products follows the FlashAttention papers.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>
#include <stdlib.h>

struct sdpa {
	double b, nq, hq, nkv, hkv, dqk, dv;
	double dropout;
	bool causal, flash;
	double bytes; /* per element */
	struct str type_q, type_k;
	bool typed; /* the type is a parameter and tells the precision */
};

/* Where batch, length, heads and width stand in a shape. */
struct layout {
	uint8_t b, n, h, d;
};

static const struct layout bnhd = { 0, 1, 2, 3 }, bhnd = { 0, 2, 1, 3 };

/* Every head of keys serves as many heads of queries. */
static bool heads_fit(struct op_call *c, const struct sdpa *s)
{
	return opcost_fits(c, s->hkv > 0 && fmod(s->hq, s->hkv) == 0,
			   "heads of queries are no multiple of those of keys");
}

static bool read_qkv(struct op_call *c, struct sdpa *s, uint32_t q, struct layout l)
{
	const int64_t *dim[3];

	for (uint32_t i = 0; i < 3; i++)
		if (!opcost_dims(c, q + i, 4, &dim[i]))
			return false;
	s->b = (double)dim[0][l.b];
	s->nq = (double)dim[0][l.n];
	s->hq = (double)dim[0][l.h];
	s->dqk = (double)dim[0][l.d];
	s->nkv = (double)dim[1][l.n];
	s->hkv = (double)dim[1][l.h];
	s->dv = (double)dim[2][l.d];
	if (dim[1][l.b] != dim[0][l.b] || dim[2][l.b] != dim[0][l.b] ||
	    dim[1][l.d] != dim[0][l.d] || dim[2][l.n] != dim[1][l.n] || dim[2][l.h] != dim[1][l.h])
		return opcost_fail(c, "the shapes of query, key and value do not fit each other");
	if (!heads_fit(c, s))
		return false;
	s->type_q = op_type_at(&c->args, q);
	s->type_k = op_type_at(&c->args, q + 1);
	double known = op_type_bytes(s->type_q);
	s->bytes = c->original ? 2 : known ? known : 2;
	return true;
}

static bool read_flags(struct op_call *c, struct sdpa *s, uint32_t dropout, uint32_t causal)
{
	struct str text = op_value_at(&c->args, dropout);
	char buf[40] = "0";

	if (text.n && text.n < sizeof(buf))
		memcpy(buf, text.p, text.n);
	s->dropout = strtod(buf, NULL);
	s->causal = op_parse_bool(op_value_at(&c->args, causal), false);
	return true;
}

/* The share of the N_Q x N_KV scores that a causal mask leaves. */
static double unmasked(const struct sdpa *s)
{
	if (!s->causal)
		return 1;
	if (s->nq == s->nkv || !(s->nq * s->nkv > 0))
		return 0.5;
	double rows = MIN_OF(s->nq, s->nkv); /* rows that are cut */
	return 1 - rows * rows / 2 / (s->nq * s->nkv);
}

static bool check_causal(struct op_call *c, const struct sdpa *s)
{
	if (c->original && s->causal && s->nq != s->nkv)
		return opcost_fail(c, "causal attention with other lengths of queries and keys");
	return true;
}

static void put_params(struct op_call *c, struct op_cost *o, const struct sdpa *s)
{
	struct str types[] = { s->type_q, s->type_k };

	opcost_int(c, o, "B", s->b);
	opcost_int(c, o, "N_Q", s->nq);
	opcost_int(c, o, "H_Q", s->hq);
	opcost_int(c, o, "N_KV", s->nkv);
	opcost_int(c, o, "H_KV", s->hkv);
	opcost_int(c, o, "d_h_qk", s->dqk);
	opcost_int(c, o, "d_h_v", s->dv);
	opcost_float(c, o, "dropout", s->dropout);
	opcost_bool(c, o, "causal", s->causal);
	opcost_bool(c, o, "flash_impl", s->flash);
	if (s->typed || !c->original)
		opcost_types(c, o, "dtype_A_B", types, 2);
	o->unit = UNIT_MATRIX;
	o->precision = s->typed || !c->original ? op_type_precision(s->type_q) : NULL;
}

static double forward_flops(const struct sdpa *s)
{
	return 2 * s->b * s->hq * s->nq * s->nkv * (s->dqk + s->dv);
}

static bool forward(struct op_call *c, struct op_cost *o, const struct sdpa *s)
{
	if (!check_causal(c, s))
		return false;
	o->flops = forward_flops(s) * unmasked(s);
	o->bytes = s->bytes * s->b *
		   (s->nq * s->hq * (s->dqk + s->dv) + s->nkv * s->hkv * (s->dqk + s->dv));
	put_params(c, o, s);
	return true;
}

static bool backward(struct op_call *c, struct op_cost *o, const struct sdpa *s)
{
	if (!check_causal(c, s))
		return false;
	double products = (s->flash ? s->dqk : 0) + 2 * s->dv + 2 * s->dqk;
	double shared = s->hkv > 0 ? s->b * s->nkv * (s->dv + s->dqk) * (floor(s->hq / s->hkv) - 1)
				   : 0;

	o->flops = (s->b * s->hq * 2 * s->nq * s->nkv * products + shared) * unmasked(s);
	o->bytes = s->bytes * s->b *
		   (2 * s->nq * s->hq * s->dqk + 2 * s->nkv * s->hkv * (s->dqk + s->dv) +
		    s->nq * s->hq * s->dv);
	put_params(c, o, s);
	return true;
}

typedef bool sdpa_cost(struct op_call *c, struct op_cost *o, const struct sdpa *s);

/* Where an operator has its query, dropout and causal flag. */
struct sdpa_slots {
	uint8_t query, dropout, causal;
	const struct layout *layout;
	bool flash, typed;
};

static bool sdpa(struct op_call *c, struct op_cost *o, struct sdpa_slots at, sdpa_cost *cost)
{
	struct sdpa s = { .flash = at.flash, .typed = at.typed };

	return read_qkv(c, &s, at.query, *at.layout) && read_flags(c, &s, at.dropout, at.causal) &&
	       cost(c, o, &s);
}

#define SDPA_PAIR(name, ...)                                                     \
	static bool name##_forward(struct op_call *c, struct op_cost *o)         \
	{                                                                        \
		return sdpa(c, o, (struct sdpa_slots){ __VA_ARGS__ }, forward);  \
	}                                                                        \
	static bool name##_backward(struct op_call *c, struct op_cost *o)        \
	{                                                                        \
		return sdpa(c, o, (struct sdpa_slots){ __VA_ARGS__ }, backward); \
	}

SDPA_PAIR(flash_attn, 0, 3, 5, &bnhd, true, true)
SDPA_PAIR(aten_5_6, 0, 5, 6, &bhnd, false, true)
SDPA_PAIR(aten_3_4, 0, 3, 4, &bhnd, true, true)
SDPA_PAIR(aiter_3_5, 0, 3, 5, &bnhd, true, false)
SDPA_PAIR(fmha_v3, 1, 4, 6, &bnhd, true, false)
SDPA_PAIR(fa3, 0, 23, 24, &bnhd, true, false)

/* Backward operators have the gradient first; they cost what their pass costs. */
static bool own_backward(struct op_call *c, struct op_cost *o, struct sdpa_slots at)
{
	struct sdpa s = { .flash = true, .typed = at.typed };

	if (!read_qkv(c, &s, at.query, *at.layout))
		return false;
	read_flags(c, &s, at.dropout, at.causal);
	if (at.typed) {
		s.causal = op_parse_bool(op_value_at(&c->args, at.causal), true);
		s.bytes = op_type_bytes(op_type_at(&c->args, 0));
		if (!s.bytes)
			s.bytes = NAN;
	}
	return backward(c, o, &s);
}

static bool flash_attn_own_backward(struct op_call *c, struct op_cost *o)
{
	return own_backward(c, o, (struct sdpa_slots){ 1, 8, 10, &bnhd, true, true });
}

static bool aiter_own_backward(struct op_call *c, struct op_cost *o)
{
	return own_backward(c, o, (struct sdpa_slots){ 1, 10, 12, &bnhd, true, false });
}

static bool fmha_v3_own_backward(struct op_call *c, struct op_cost *o)
{
	return own_backward(c, o, (struct sdpa_slots){ 1, 7, 9, &bnhd, true, false });
}

static bool mha_own_backward(struct op_call *c, struct op_cost *o)
{
	return own_backward(c, o, (struct sdpa_slots){ 1, 6, 8, &bnhd, true, false });
}

/* ---- sequences of different lengths, one behind the other ---- */

struct varlen_slots {
	uint8_t query, lengths_q, lengths_k, max_q, max_k, dropout, causal;
};

/*
 * Shapes are (tokens, heads, width); only the number of sequences and the longest are
 * known. The longest counts once; the others share what is left evenly.
 */
static bool varlen(struct op_call *c, struct op_cost *o, struct varlen_slots at, sdpa_cost *cost)
{
	const int64_t *q, *k, *v, *lq, *lk;
	int64_t max_q, max_k;
	struct sdpa s = { .b = 1, .flash = true, .typed = true };

	if (!opcost_dims(c, at.query, 3, &q) || !opcost_dims(c, at.query + 1u, 3, &k) ||
	    !opcost_dims(c, at.query + 2u, 3, &v) || !opcost_dims(c, at.lengths_q, 1, &lq) ||
	    !opcost_dims(c, at.lengths_k, 1, &lk))
		return false;
	if (!op_parse_int(op_value_at(&c->args, at.max_q), 0, &max_q) ||
	    !op_parse_int(op_value_at(&c->args, at.max_k), 0, &max_k))
		return opcost_fail(c, "the longest sequence is not given");
	s.nq = (double)q[0], s.hq = (double)q[1], s.dqk = (double)q[2];
	s.nkv = (double)k[0], s.hkv = (double)k[1], s.dv = (double)v[2];
	s.type_q = op_type_at(&c->args, at.query);
	s.type_k = op_type_at(&c->args, at.query + 1u);
	double known = op_type_bytes(s.type_q);
	s.bytes = c->original ? 2 : known ? known : 2;
	read_flags(c, &s, at.dropout, at.causal);
	if (!opcost_fits(c, k[2] == q[2] && v[0] == k[0] && v[1] == k[1] && lq[0] == lk[0] && lq[0],
			 "the shapes of query, key and value do not fit each other") ||
	    !opcost_fits(c, max_q >= 0 && max_q <= q[0] && max_k >= 0 && max_k <= k[0],
			 "the longest sequence is longer than all") ||
	    !heads_fit(c, &s))
		return false;
	double sequences = (double)lq[0] - 1, rest = sequences - 1;
	struct sdpa one = s;
	one.nq = (double)max_q, one.nkv = (double)max_k;
	struct op_cost longest = { 0 }, other = { 0 };
	if (!cost(c, &longest, &one))
		return false;
	if (rest > 0) {
		one.nq = floor((s.nq - (double)max_q) / rest);
		one.nkv = floor((s.nkv - (double)max_k) / ((double)lk[0] - 2));
		if (!cost(c, &other, &one))
			return false;
	}
	struct sdpa all = s;
	all.causal = false;
	if (!cost(c, o, &all))
		return false;
	o->nparams = 0;
	put_params(c, o, &s);
	o->flops = longest.flops + rest * other.flops;
	return true;
}

static bool varlen_forward(struct op_call *c, struct op_cost *o)
{
	return varlen(c, o, (struct varlen_slots){ 0, 3, 4, 5, 6, 7, 9 }, forward);
}

static bool varlen_backward(struct op_call *c, struct op_cost *o)
{
	return varlen(c, o, (struct varlen_slots){ 0, 3, 4, 5, 6, 7, 9 }, backward);
}

static bool varlen_own_backward(struct op_call *c, struct op_cost *o)
{
	return varlen(c, o, (struct varlen_slots){ 1, 9, 10, 11, 12, 13, 15 }, backward);
}

/* Evoformer: [B, sequences, N, H, D]; every sequence on its own, never causal. */
static bool evoformer(struct op_call *c, struct op_cost *o, sdpa_cost *cost)
{
	const int64_t *q, *k, *v;

	if (!opcost_dims(c, 0, 5, &q) || !opcost_dims(c, 1, 5, &k) || !opcost_dims(c, 2, 5, &v))
		return false;
	struct sdpa s = { .b = (double)q[0] * (double)q[1],
			  .nq = (double)q[2],
			  .hq = (double)q[3],
			  .dqk = (double)q[4],
			  .nkv = (double)k[2],
			  .hkv = (double)k[3],
			  .dv = (double)v[4],
			  .flash = true,
			  .typed = true,
			  .bytes = 2,
			  .type_q = op_type_at(&c->args, 0),
			  .type_k = op_type_at(&c->args, 1) };
	return opcost_fits(c,
			   k[0] == q[0] && v[0] == q[0] && k[1] == q[1] && v[1] == q[1] &&
				   v[2] == k[2] && v[3] == k[3] && k[4] == q[4],
			   "the shapes of query, key and value do not fit each other") &&
	       heads_fit(c, &s) && cost(c, o, &s);
}

static bool evoformer_forward(struct op_call *c, struct op_cost *o)
{
	return evoformer(c, o, forward);
}

static bool evoformer_backward(struct op_call *c, struct op_cost *o)
{
	return evoformer(c, o, backward);
}

const struct op_formulas sdpa_formulas[] = {
	{ "flash_attention", flash_attn_forward, flash_attn_backward },
	{ "flash_attention_backward", flash_attn_own_backward, NULL },
	{ "flash_attention_varlen_forward", varlen_forward, varlen_backward },
	{ "flash_attention_varlen_backward", varlen_own_backward, NULL },
	{ "aten__scaled_dot_product_cudnn_attention", aten_5_6_forward, aten_5_6_backward },
	{ "aten__scaled_dot_product_efficient_attention", aten_5_6_forward, aten_5_6_backward },
	{ "aten__scaled_dot_product_flash_attention", aten_3_4_forward, aten_3_4_backward },
	{ "aiter__flash_attn_forward", aiter_3_5_forward, aiter_3_5_backward },
	{ "aiter__flash_attn_backward", aiter_own_backward, NULL },
	{ "aiter__fmha_v3_forward", fmha_v3_forward, fmha_v3_backward },
	{ "aiter__fmha_v3_backward", fmha_v3_own_backward, NULL },
	{ "aiter__mha_fwd", aiter_3_5_forward, aiter_3_5_backward },
	{ "aiter__fmha_v3_fwd", aiter_3_5_forward, aiter_3_5_backward },
	{ "aiter__mha_bwd", mha_own_backward, NULL },
	{ "flash_attn_v3_forward", fa3_forward, fa3_backward },
	{ "evoformer_attention", evoformer_forward, evoformer_backward },
	{ NULL, NULL, NULL },
};
