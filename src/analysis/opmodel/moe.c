/*
 * Mixtures of experts: M tokens of width K, E experts of inner width N, topk experts a token.
 *
 *	up      2 M K N topk (twice if gated)      down  2 M N K topk
 *	combine M K (2 topk - 1)
 *	weights are read for the experts that some token meets: E (1 - ((E - topk) / E)^M)
 *
 * Source: the definition; the expected number of busy experts is that of M independent
 * draws. Types follow the names that the operators give: FP8 one byte, FP4 half of one.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

#define EXPERTS "the sizes of the experts make no sense"

struct moe {
	double tokens, hidden, inner, experts, topk;
	bool gated;
	struct str input, weight;
};

static double weight_bytes(struct str type)
{
	double b = op_type_bytes(type);

	if (str_contains_nocase(type, STR("fp4")) || str_contains_nocase(type, STR("float4")))
		return 0.5;
	return b ? b : 2;
}

static double input_bytes(struct str type)
{
	double b = op_type_bytes(type);

	return b ? b : 2;
}

static double busy_experts(const struct moe *v)
{
	return v->experts > 0
		       ? v->experts * (1 - pow((v->experts - v->topk) / v->experts, v->tokens))
		       : 0;
}

static bool check(struct op_call *c, const struct moe *v)
{
	if (v->tokens < 0 || v->hidden <= 0 || v->inner <= 0 || v->experts <= 0 || v->topk <= 0 ||
	    v->topk > v->experts)
		return opcost_fail(c, EXPERTS);
	return true;
}

static void put_params(struct op_call *c, struct op_cost *o, const struct moe *v)
{
	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(v->weight);
	if (!o->precision)
		o->precision = op_type_precision(v->input);
	opcost_int(c, o, "num_tokens", v->tokens);
	opcost_int(c, o, "hidden_dim", v->hidden);
	opcost_int(c, o, "inter_dim", v->inner);
	opcost_int(c, o, "num_experts", v->experts);
	opcost_int(c, o, "topk", v->topk);
	opcost_bool(c, o, "gated", v->gated);
	opcost_str(c, o, "input_dtype", v->input);
	opcost_str(c, o, "weight_dtype", v->weight);
}

static bool up_cost(struct op_call *c, struct op_cost *o, const struct moe *v)
{
	double g = v->gated ? 2 : 1, b = input_bytes(v->input);

	if (!check(c, v))
		return false;
	o->flops = 2 * v->tokens * v->hidden * v->inner * v->topk * g;
	o->bytes = v->tokens * v->hidden * b +
		   busy_experts(v) * g * v->hidden * v->inner * weight_bytes(v->weight) +
		   v->tokens * v->inner * v->topk * b;
	put_params(c, o, v);
	return true;
}

static bool down_cost(struct op_call *c, struct op_cost *o, const struct moe *v)
{
	double b = input_bytes(v->input);

	if (!check(c, v))
		return false;
	o->flops = 2 * v->tokens * v->inner * v->hidden * v->topk;
	o->bytes = v->tokens * v->inner * v->topk * b +
		   busy_experts(v) * v->hidden * v->inner * weight_bytes(v->weight) +
		   v->tokens * v->hidden * b;
	put_params(c, o, v);
	return true;
}

static bool fused_cost(struct op_call *c, struct op_cost *o, const struct moe *v)
{
	double g = v->gated ? 2 : 1, b = input_bytes(v->input);

	if (!check(c, v))
		return false;
	o->flops = 2 * v->tokens * v->hidden * v->inner * v->topk * (g + 1) +
		   v->tokens * v->hidden * (2 * v->topk - 1);
	o->bytes = 2 * v->tokens * v->hidden * b +
		   busy_experts(v) * v->hidden * v->inner * weight_bytes(v->weight) * (g + 1);
	put_params(c, o, v);
	return true;
}

/* fmoe: out, input, gate, down ... : W1 (E, g N, K), W2 (E, K, N); topk ids in slot 5. */
static bool fmoe(struct op_call *c, struct op_cost *o)
{
	const int64_t *x, *w1, *w2;

	if (!opcost_dims(c, 1, 2, &x) || !opcost_dims(c, 2, 3, &w1) || !opcost_dims(c, 3, 3, &w2))
		return false;
	if (!opcost_fits(c, w1[0] == w2[0] && w2[1] == x[1], EXPERTS))
		return false;
	int64_t topk;
	if (!op_parse_int(op_value_at(&c->args, 8), 0, &topk) || topk <= 0)
		return opcost_fail(c, "the number of experts a token meets is not given");
	struct moe v = {
		(double)x[0], (double)x[1],       (double)w2[2],           (double)w1[0],
		(double)topk, w1[1] >= 2 * w2[2], op_type_at(&c->args, 1), op_type_at(&c->args, 2)
	};
	return fused_cost(c, o, &v);
}

/* CK's two stages: hidden states, W1 (E, g N, K), W2 (E, K, N). */
static bool ck_stage(struct op_call *c, struct op_cost *o, bool up)
{
	const int64_t *x, *w1, *w2;

	if (!opcost_dims(c, 0, 0, &x) || !opcost_dims(c, 1, 3, &w1) || !opcost_dims(c, 2, 3, &w2))
		return false;
	if (!opcost_fits(c, w1[0] == w2[0], EXPERTS))
		return false;
	int64_t topk;
	if (!op_parse_int(op_value_at(&c->args, 7), 0, &topk) || topk <= 0)
		return opcost_fail(c, "the number of experts a token meets is not given");
	struct moe v = {
		(double)x[0], (double)w2[1],      (double)w2[2],           (double)w1[0],
		(double)topk, w1[1] >= 2 * w2[2], op_type_at(&c->args, 0), op_type_at(&c->args, 1)
	};
	return up ? up_cost(c, o, &v) : down_cost(c, o, &v);
}

static bool ck_stage1(struct op_call *c, struct op_cost *o)
{
	return ck_stage(c, o, true);
}

static bool ck_stage2(struct op_call *c, struct op_cost *o)
{
	return ck_stage(c, o, false);
}

/* Routing: operations on the largest operand, every operand once. */
static bool routing(struct op_call *c, struct op_cost *o)
{
	double most = 0;

	for (uint32_t i = 0; i < c->args.nshapes; i++) {
		struct op_shape s = c->args.shape[i];
		double n = s.rank ? op_elements(s) : 0;

		most = fmax(most, n);
		opcost_bytes(o, n, op_type_bytes(op_type_at(&c->args, i)));
	}
	if (!most)
		return opcost_fail(c, "an operand has not the shape the operator needs");
	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(op_type_at(&c->args, 0));
	o->flops = most;
	opcost_shape(c, o, "op_shape", op_shape_at(&c->args, 0));
	return true;
}

const struct op_formulas moe_formulas[] = {
	{ "moe_aiter_fused_blockscale", fmoe, NULL },
	{ "moe_aiter_ck_stage1", ck_stage1, NULL },
	{ "moe_aiter_ck_stage2", ck_stage2, NULL },
	{ "BiasedGroupedTopk", routing, NULL },
	{ "MoeSortScatterGather", routing, NULL },
	{ "topk_softplus", routing, NULL },
	{ "sglang_fused_append_shared_experts", routing, NULL },
	{ NULL, NULL, NULL },
};
