/*
 * Attention of a serving step: requests of many lengths in one call. How long they are is
 * not in the shapes but in the name of the annotation around the step (split_marker.h):
 *
 *	flops = H_Q (2 c_sqsk - c_sqsq + 2 g_sqsk) (d_qk + d_v)
 *	bytes = queries and results of all tokens, keys and values of all contexts, once
 *
 * c: requests in prefill (causal: the half of the square above the diagonal is masked),
 * g: in decode. Without a detailed annotation there is no cost. Source: the definition,
 * summed over the requests of the step.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

struct serving {
	double nq, hq, dqk, nkv, hkv, dv;
	double window; /* 0: none */
	bool decode_only;
	struct str type_q, type_kv;
};

static void put_params(struct op_call *c, struct op_cost *o, const struct serving *s)
{
	const struct step_info *t = c->step;

	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(s->type_q);
	opcost_int(c, o, "B", 1);
	opcost_int(c, o, "N_Q", s->nq);
	opcost_int(c, o, "H_Q", s->hq);
	opcost_int(c, o, "H_V", s->hkv);
	opcost_int(c, o, "H_K", s->hkv);
	opcost_int(c, o, "N_KV", s->nkv);
	opcost_int(c, o, "H_KV", s->hkv);
	opcost_int(c, o, "d_h_qk", s->dqk);
	opcost_int(c, o, "d_h_v", s->dv);
	opcost_float(c, o, "dropout", 0);
	opcost_bool(c, o, "causal", false);
	opcost_bool(c, o, "flash_impl", true);
	opcost_int(c, o, "c_sq", (double)t->c_sq);
	opcost_int(c, o, "c_sk", (double)t->c_sk);
	opcost_int(c, o, "c_sqsq", (double)t->c_sqsq);
	opcost_int(c, o, "c_sqsk", (double)t->c_sqsk);
	opcost_int(c, o, "g_sq", (double)t->g_sq);
	opcost_int(c, o, "g_sk", (double)t->g_sk);
	opcost_int(c, o, "g_sqsq", (double)t->g_sqsq);
	opcost_int(c, o, "g_sqsk", (double)t->g_sqsk);
	opcost_str(c, o, "dtype_Q", s->type_q);
	opcost_str(c, o, "dtype_KV", s->type_kv);
}

static bool cost(struct op_call *c, struct op_cost *o, const struct serving *s)
{
	if (!c->step || !c->step->has_sqsk)
		return opcost_fail(c, "no annotation around it says how long its requests are");
	double c_sq = (double)c->step->c_sq, c_sk = (double)c->step->c_sk;
	double c_sqsq = (double)c->step->c_sqsq, c_sqsk = (double)c->step->c_sqsk;
	double g_sq = (double)c->step->g_sq, g_sk = (double)c->step->g_sk;
	double g_sqsk = (double)c->step->g_sqsk;

	if (!opcost_fits(c,
			 c_sq >= 0 && c_sk >= c_sq && c_sqsq >= 0 && c_sqsk >= c_sqsq &&
				 g_sq >= 0 && g_sk >= g_sq && g_sqsk >= 0,
			 "the annotation around it has sums that cannot be") ||
	    !opcost_fits(c, s->hkv > 0 && fmod(s->hq, s->hkv) == 0,
			 "heads of queries are no multiple of those of keys"))
		return false;
	if (s->decode_only)
		c_sq = c_sk = c_sqsq = c_sqsk = 0;
	if (s->window) {
		g_sqsk = fmin(g_sqsk, g_sq * s->window);
		g_sk = fmin(g_sk, g_sq * s->window);
	}
	double wide = s->dqk + s->dv;
	o->flops = s->hq * (2 * c_sqsk - c_sqsq + 2 * g_sqsk) * wide;
	opcost_bytes(o, (c_sq + g_sq) * (s->hq + s->hkv) * wide, op_type_bytes(s->type_q));
	opcost_bytes(o, ((c_sk - c_sq) + (g_sk - g_sq)) * s->hkv * wide, op_type_bytes(s->type_kv));
	put_params(c, o, s);
	return true;
}

/* Queries (N, H, d) in one slot, keys and values (..., N, H, d) in others. */
static bool from_slots(struct op_call *c, struct op_cost *o, uint32_t q, uint32_t k, uint32_t v)
{
	const int64_t *x, *y, *z;

	if (!opcost_dims(c, q, 3, &x) || !opcost_dims(c, k, 0, &y) || !opcost_dims(c, v, 0, &z))
		return false;
	uint32_t rk = op_shape_at(&c->args, k).rank, rv = op_shape_at(&c->args, v).rank;
	if (rk < 3 || rv < 3)
		return opcost_fail(c, "keys or values have not the shape the operator needs");
	struct serving s = { .nq = (double)x[0],
			     .hq = (double)x[1],
			     .dqk = (double)x[2],
			     .nkv = (double)y[rk - 3],
			     .hkv = (double)y[rk - 2],
			     .dv = (double)z[rv - 1],
			     .type_q = op_type_at(&c->args, q),
			     .type_kv = op_type_at(&c->args, k) };
	return cost(c, o, &s);
}

static bool unified(struct op_call *c, struct op_cost *o)
{
	return from_slots(c, o, 0, 1, 1);
}

static bool with_values(struct op_call *c, struct op_cost *o)
{
	return from_slots(c, o, 0, 1, 2);
}

static bool paged_ragged(struct op_call *c, struct op_cost *o)
{
	return from_slots(c, o, 2, 3, 4);
}

/*
 * Prefill that looks only at chosen keys: slots 2 and 5 list them, one pair of query and key
 * an entry, so that the shapes tell all. Queries read, results written, a key per pair read.
 */
static bool sparse_prefill(struct op_call *c, struct op_cost *o)
{
	const int64_t *q, *kv, *first, *second;

	if (!opcost_dims(c, 0, 3, &q) || !opcost_dims(c, 1, 0, &kv) ||
	    !opcost_dims(c, 2, 1, &first) || !opcost_dims(c, 5, 1, &second))
		return false;
	double pairs = (double)first[0] + (double)second[0];
	double n = (double)q[0], heads = (double)q[1], dqk = (double)q[2];
	double dv = (double)kv[op_shape_at(&c->args, 1).rank - 1];
	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(op_type_at(&c->args, 0));
	o->flops = 2 * pairs * heads * (dqk + dv);
	opcost_bytes(o, 2 * n * heads * dqk, op_type_bytes(op_type_at(&c->args, 0)));
	opcost_bytes(o, pairs * dv, op_type_bytes(op_type_at(&c->args, 1)));
	opcost_int(c, o, "N_Q", n);
	opcost_int(c, o, "H_Q", heads);
	opcost_int(c, o, "d_h_qk", dqk);
	opcost_int(c, o, "d_h_v", dv);
	opcost_int(c, o, "pairs", pairs);
	return true;
}

const struct op_formulas serving_formulas[] = {
	{ "pa_sparse_prefill_opus_fwd", sparse_prefill, NULL },
	{ "vllm_unified_attention_with_output", unified, NULL },
	{ "mha_varlen_fwd", with_values, NULL },
	{ "aiter_fmha_v3_varlen_fwd", with_values, NULL },
	{ "aiter_mha_batch_prefill", with_values, NULL },
	{ "aiter_paged_attention_ragged", paged_ragged, NULL },
	{ NULL, NULL, NULL },
};
