/*
 * Normalisation over n elements with c channels (statistics and weights per channel).
 *
 *	flops forward  = 3 c (scale) + 3 n (statistics, while training) + 3 c + 2 n (apply)
 *	bytes forward  = x + y + c per statistic and weight
 *	backward       = the gradients of x, weight and bias, as the output mask asks
 *
 * Source: the counts of the original, so that figures compare; weights and training are
 * read as what they are, where it takes any text and any empty slot for "yes".
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

struct norm {
	struct op_shape x;
	uint32_t slot_x;
	double n, channels;
	bool bias, affine, training;
	bool mask;                             /* the input's gradient is asked for */
	const char *mask_text, *channels_text; /* as the original prints them; NULL: not printed */
};

static void put_params(struct op_call *c, struct op_cost *o, const struct norm *v)
{
	struct str types[] = { op_type_at(&c->args, v->slot_x), { NULL, 0 } };

	o->unit = UNIT_VECTOR;
	o->precision = op_type_precision(types[0]);
	opcost_shape(c, o, "op_shape", v->x);
	opcost_types(c, o, "dtype_in_out", types, 2);
	opcost_shape(c, o, "stride_input", op_stride_at(&c->args, v->slot_x));
	opcost_none(o, "stride_output");
	if (v->channels_text)
		opcost_text(o, "num_channels", v->channels_text);
	else
		opcost_int(c, o, "num_channels", v->channels);
	opcost_bool(c, o, "has_bias", v->bias);
	opcost_bool(c, o, "is_affine", v->affine);
	opcost_bool(c, o, "is_training", v->training);
	if (v->mask_text)
		opcost_text(o, "output_mask", v->mask_text);
}

static bool forward_cost(struct op_call *c, struct op_cost *o, const struct norm *v)
{
	double b = op_type_bytes(op_type_at(&c->args, v->slot_x));
	double per_channel = 2 + v->affine + (v->affine && v->bias) + (v->training ? 2 : 0);

	o->flops = 6 * v->channels + (v->training ? 3 * v->n : 0) + 2 * v->n;
	opcost_bytes(o, 2 * v->n + per_channel * v->channels, b);
	put_params(c, o, v);
	return true;
}

static bool backward_cost(struct op_call *c, struct op_cost *o, const struct norm *v)
{
	double b = op_type_bytes(op_type_at(&c->args, v->slot_x)), per = v->n / v->channels;

	o->flops = v->channels * ((v->training ? 0 : 3) + 4 * per +
				  (v->mask ? (v->training ? 5 * per : 0) : 2 * per));
	opcost_bytes(o, v->n + v->n * (v->mask && v->training ? 2 : 1), b);
	opcost_bytes(o,
		     v->channels * ((v->training ? 1 : 0) + (v->affine ? 1 : 0) +
				    (v->affine && v->training ? (v->bias ? 2 : 1) : 0)),
		     b);
	put_params(c, o, v);
	return true;
}

/* x from a slot; channels are its second dimension, unless given otherwise. */
static bool read_x(struct op_call *c, struct norm *v, uint32_t slot)
{
	const int64_t *dim;

	if (!opcost_dims(c, slot, 0, &dim))
		return false;
	v->slot_x = slot;
	v->x = op_shape_at(&c->args, slot);
	v->n = op_elements(v->x);
	v->channels = v->x.rank > 1 ? (double)dim[1] : (double)dim[0];
	return v->channels > 0 || opcost_fail(c, "there are no channels");
}

/* The product of a list of sizes: "[1024]". */
static bool channels_from(struct op_call *c, struct norm *v, uint32_t slot)
{
	struct op_shape list;

	if (!op_parse_list(op_value_at(&c->args, slot), c->a, &list) || !list.rank)
		return opcost_fail(c, "the normalized shape is not given");
	v->channels = op_elements(list);
	if (!(v->channels > 0))
		return opcost_fail(c, "there are no channels");
	return opcost_fits(c, fmod(v->n, v->channels) == 0,
			   "the input does not divide into its normalized shape");
}

static bool given(struct op_call *c, uint32_t slot)
{
	return c->original || op_shape_at(&c->args, slot).rank > 0;
}

/* The original takes any text but none for true, "False" too. */
static bool truth(struct op_call *c, uint32_t slot)
{
	struct str text = op_value_at(&c->args, slot);

	return c->original ? text.n > 0 : op_parse_bool(text, false);
}

/* Item i of "[True, False, True]"; true where the list is missing. */
static bool mask_item(struct op_call *c, uint32_t slot, uint32_t i)
{
	struct str text = op_value_at(&c->args, slot);
	const char *p = text.p, *end = text.p + text.n;

	for (; i && p < end; p++)
		i -= *p == ',';
	while (p < end && (*p == '[' || *p == ' '))
		p++;
	return p >= end || *p == 'T' || *p == 't' || *p == '1';
}

static bool batch_norm(struct op_call *c, struct op_cost *o)
{
	struct norm v = { 0 };

	if (!read_x(c, &v, 0))
		return false;
	v.affine = given(c, 1);
	v.bias = given(c, 2);
	v.training = truth(c, 5);
	return forward_cost(c, o, &v);
}

static bool instance_norm(struct op_call *c, struct op_cost *o)
{
	return batch_norm(c, o);
}

static bool layer_norm(struct op_call *c, struct op_cost *o)
{
	struct norm v = { .training = true };

	if (!read_x(c, &v, 0) || !channels_from(c, &v, 1))
		return false;
	v.affine = given(c, 2);
	v.bias = given(c, 3);
	return forward_cost(c, o, &v);
}

static bool group_norm(struct op_call *c, struct op_cost *o)
{
	struct norm v = { .training = true };

	if (!read_x(c, &v, 0))
		return false;
	bool function = str_ends(c->name, STR("::group_norm")) || str_ends(c->name, STR("_run"));
	v.affine = given(c, function ? 2 : 1);
	v.bias = given(c, function ? 3 : 2);
	return forward_cost(c, o, &v);
}

static bool batch_norm_backward(struct op_call *c, struct op_cost *o)
{
	bool library = str_contains(c->name, STR("miopen")) || str_contains(c->name, STR("cudnn"));
	struct norm v = { .mask = true, .mask_text = "[True]" };

	if (!read_x(c, &v, library ? 0 : 1))
		return false;
	v.affine = v.bias = given(c, 2);
	v.training = !library && truth(c, 7);
	if (!c->original) {
		v.mask = library || mask_item(c, 9, 0);
		v.bias = library || mask_item(c, 9, 2);
		v.training = library || v.training;
	}
	return backward_cost(c, o, &v);
}

static bool layer_norm_backward(struct op_call *c, struct op_cost *o)
{
	struct norm v = { .training = true };

	if (!read_x(c, &v, 1) || !channels_from(c, &v, 2))
		return false;
	v.mask = mask_item(c, 7, 0);
	v.affine = mask_item(c, 7, 1);
	v.bias = mask_item(c, 7, 2);
	v.mask_text = arena_text(c->a, op_value_at(&c->args, 7).p, op_value_at(&c->args, 7).n);
	return backward_cost(c, o, &v);
}

static bool group_norm_backward(struct op_call *c, struct op_cost *o)
{
	struct norm v = { .training = true };
	int64_t groups;

	if (!read_x(c, &v, 1))
		return false;
	if (!op_parse_int(op_value_at(&c->args, 8), 1, &groups) || groups < 1)
		return opcost_fail(c, "the number of groups is no positive number");
	if (!opcost_fits(c, fmod(v.channels, (double)groups) == 0,
			 "the channels do not divide into groups"))
		return false;
	v.affine = given(c, 4);
	v.mask = mask_item(c, 9, 0);
	v.bias = c->original || mask_item(c, 9, 2);
	if (c->original) { /* channels over groups, as a fraction */
		v.channels /= (double)groups;
		v.channels_text = arena_print(
			c->a, v.channels == floor(v.channels) ? "%.1f" : "%.17g", v.channels);
	}
	v.mask_text = arena_text(c->a, op_value_at(&c->args, 9).p, op_value_at(&c->args, 9).n);
	return backward_cost(c, o, &v);
}

static bool rms_norm(struct op_call *c, struct op_cost *o)
{
	struct norm v = { 0 };

	if (!read_x(c, &v, 0) || !channels_from(c, &v, 1))
		return false;
	double b = op_type_bytes(op_type_at(&c->args, 0));
	v.affine = given(c, 2);
	o->flops = v.n / v.channels * (2 * v.channels + 2) + v.n * (v.affine ? 2 : 1);
	opcost_bytes(o, 2 * v.n + (v.affine ? v.channels : 0), b);
	put_params(c, o, &v);
	return true;
}

static bool rms_norm_backward(struct op_call *c, struct op_cost *o)
{
	struct norm v = { 0 };

	if (!read_x(c, &v, 1) || !channels_from(c, &v, 2))
		return false;
	double b = op_type_bytes(op_type_at(&c->args, 1)), rows = v.n / v.channels;
	bool weight = mask_item(c, 5, 1);
	v.affine = given(c, 4);
	v.mask = mask_item(c, 5, 0);
	o->flops = v.n + (v.affine ? v.n : 0) + (v.mask ? 6 * v.n : 0) +
		   (weight && v.affine ? v.n + (rows > 1 ? v.n : 0) : 0);
	opcost_bytes(o, 3 * v.n + (v.affine ? 2 * v.channels : 0), b);
	v.mask_text = arena_text(c->a, op_value_at(&c->args, 5).p, op_value_at(&c->args, 5).n);
	put_params(c, o, &v);
	return true;
}

/* primus: layer norm, scale and shift per sample; (T, B, H) and two of (B, H). */
static bool ln_modulate(struct op_call *c, struct op_cost *o, double flops, double planes,
			double vectors)
{
	const int64_t *x;
	struct norm v = { .training = true };

	if (!opcost_dims(c, 0, 3, &x) || !read_x(c, &v, 0))
		return false;
	double t = (double)x[0], batch = (double)x[1], h = (double)x[2];
	double b = op_type_bytes(op_type_at(&c->args, 0));
	v.channels = h;
	o->flops = flops * v.n;
	opcost_bytes(o, planes * v.n + vectors * batch * h, b);
	o->bytes += 8 * t * batch;
	put_params(c, o, &v);
	return true;
}

static bool ln_modulate_forward(struct op_call *c, struct op_cost *o)
{
	return ln_modulate(c, o, 12, 2, 2);
}

static bool ln_modulate_backward(struct op_call *c, struct op_cost *o)
{
	return ln_modulate(c, o, 15, 3, 3);
}

const struct op_formulas norm_formulas[] = {
	{ "BatchNorm", batch_norm, NULL },
	{ "InstanceNorm", instance_norm, NULL },
	{ "LayerNorm", layer_norm, NULL },
	{ "GroupNorm", group_norm, NULL },
	{ "RMSNorm", rms_norm, NULL },
	{ "BatchNormBwd", batch_norm_backward, NULL },
	{ "LayerNormBwd", layer_norm_backward, NULL },
	{ "GroupNormBwd", group_norm_backward, NULL },
	{ "RMSNormBwd", rms_norm_backward, NULL },
	{ "FusedLnModulate", ln_modulate_forward, NULL },
	{ "FusedLnModulateBackward", ln_modulate_backward, NULL },
	{ NULL, NULL, NULL },
};
