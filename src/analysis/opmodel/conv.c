/*
 * Convolutions of any number of spatial dimensions, grouped and transposed.
 *
 *	flops = 2 |w[1:]| |o| forward: each output is a sum over one filter
 *	backward: the same for the input's and for the weight's gradient
 *	bytes = x + w + o (+ bias), each once
 *
 * Source: the definition; output sizes as in the documentation of torch.nn.Conv2d.
 */
#include "analysis/opmodel/opcost.h"

#include <math.h>

#define RANK_MAX 8

struct conv {
	uint32_t rank; /* of the shapes: 2 + spatial dimensions */
	struct op_shape x, w;
	double o[RANK_MAX]; /* the output's shape */
	int64_t stride[RANK_MAX], padding[RANK_MAX], dilation[RANK_MAX], output_padding[RANK_MAX];
	int64_t groups;
	bool transposed, bias;
	uint32_t slot_x, slot_w;
};

/* "[1, 1]", "1" or "" as one number per spatial dimension. */
static bool spread(struct op_call *c, uint32_t slot, int64_t missing, uint32_t n, int64_t *out)
{
	struct str text = op_value_at(&c->args, slot);
	struct op_shape list;

	for (uint32_t i = 0; i < n; i++)
		out[i] = missing;
	if (!text.n)
		return true;
	if (!op_parse_list(text, c->a, &list) || !list.rank || (list.rank != 1 && list.rank != n))
		return opcost_fail(c, "stride, padding or dilation is no list of the right length");
	for (uint32_t i = 0; i < n; i++)
		out[i] = list.dim[list.rank == 1 ? 0 : i];
	return true;
}

static bool output_shape(struct op_call *c, struct conv *v)
{
	v->o[0] = (double)v->x.dim[0];
	v->o[1] = v->transposed ? (double)v->w.dim[1] * (c->original ? 1 : (double)v->groups)
				: (double)v->w.dim[0];
	double from = v->transposed ? (double)v->w.dim[0] : (double)v->w.dim[1] * (double)v->groups;
	if (!opcost_fits(c, from == (double)v->x.dim[1], "the filter is for other channels"))
		return false;
	for (uint32_t i = 2; i < v->rank; i++) {
		double x = (double)v->x.dim[i], k = (double)v->w.dim[i],
		       s = (double)v->stride[i - 2], p = (double)v->padding[i - 2];
		double reach = (double)v->dilation[i - 2] * (k - 1);

		if (s <= 0)
			return opcost_fail(c, "a stride is not positive");
		if (!opcost_fits(c, p >= 0 && v->dilation[i - 2] > 0,
				 "padding or dilation is not positive"))
			return false;
		v->o[i] = v->transposed ? (x - 1) * s - 2 * p + reach +
						  (double)v->output_padding[i - 2] + 1
					: trunc((x + 2 * p - reach - 1) / s + 1);
		if (v->o[i] < 0)
			return opcost_fail(c, "the filter is larger than the padded input");
	}
	return true;
}

/* Slot 3 has the sizes of the bias, "[0]" if there is none; the original looks for a tensor there.
 */
static bool backward_bias(struct op_call *c)
{
	struct op_shape sizes;

	if (c->original)
		return op_shape_at(&c->args, 3).rank > 0;
	return op_parse_list(op_value_at(&c->args, 3), c->a, &sizes) && sizes.rank == 1 &&
	       sizes.dim[0] > 0;
}

static bool read_conv(struct op_call *c, struct conv *v, uint32_t slot_x, uint32_t first_value,
		      bool backward)
{
	const int64_t *x, *w;

	if (!opcost_dims(c, slot_x, 0, &x) || !opcost_dims(c, slot_x + 1, 0, &w))
		return false;
	v->slot_x = slot_x;
	v->slot_w = slot_x + 1;
	v->x = op_shape_at(&c->args, slot_x);
	v->w = op_shape_at(&c->args, slot_x + 1);
	v->rank = v->x.rank;
	if (v->rank < 3 || v->rank > RANK_MAX || v->w.rank != v->rank)
		return opcost_fail(c, "input and filter are not of the same rank");
	if (!str_eq(op_type_at(&c->args, v->slot_x), op_type_at(&c->args, v->slot_w)))
		return opcost_fail(c, "input and filter are of different types");
	v->transposed = op_parse_bool(op_value_at(&c->args, first_value + 3), false);
	if (!spread(c, first_value, 1, v->rank - 2, v->stride) ||
	    !spread(c, first_value + 1, 0, v->rank - 2, v->padding) ||
	    !spread(c, first_value + 2, 1, v->rank - 2, v->dilation) ||
	    !spread(c, first_value + 4, 0, v->rank - 2, v->output_padding))
		return false;
	if (!op_parse_int(op_value_at(&c->args, first_value + 5), 1, &v->groups) || v->groups < 1)
		return opcost_fail(c, "the number of groups is no positive number");
	v->bias = backward ? backward_bias(c)
			   : (c->original ? c->args.nshapes == 3
					  : op_shape_at(&c->args, 2).rank == 1);
	return output_shape(c, v);
}

static double volume(const double *shape, uint32_t n)
{
	double product = 1;

	for (uint32_t i = 0; i < n; i++)
		product *= shape[i];
	return product;
}

/* Elements of one filter, over all its input channels. */
static double filter_size(struct op_shape w)
{
	return w.dim[0] ? op_elements(w) / (double)w.dim[0] : 0;
}

static void put_tuple(struct op_call *c, struct op_cost *o, const char *name, const int64_t *v,
		      uint32_t n)
{
	opcost_shape(c, o, name, (struct op_shape){ .rank = n, .dim = v, .given = true });
}

static void put_params(struct op_call *c, struct op_cost *o, const struct conv *v, bool backward)
{
	struct str types[] = { op_type_at(&c->args, v->slot_x), op_type_at(&c->args, v->slot_w) };

	opcost_text(o, "convNd", arena_print(c->a, "conv%ud", v->rank - 2));
	opcost_shape(c, o, "input_shape", v->x);
	opcost_shape(c, o, "filter_shape", v->w);
	opcost_types(c, o, "dtype_input_weight", types, 2);
	opcost_shape(c, o, "input_stride", op_stride_at(&c->args, v->slot_x));
	opcost_shape(c, o, "weight_stride", op_stride_at(&c->args, v->slot_w));
	if (backward && c->original)
		opcost_text(o, "bias", v->bias ? "True" : "[]");
	else
		opcost_bool(c, o, "bias", v->bias);
	put_tuple(c, o, "stride", v->stride, v->rank - 2);
	put_tuple(c, o, "padding", v->padding, v->rank - 2);
	put_tuple(c, o, "dilation", v->dilation, v->rank - 2);
	opcost_bool(c, o, "transposed_conv", v->transposed);
	put_tuple(c, o, "output_padding", v->output_padding, v->rank - 2);
	opcost_int(c, o, "groups", (double)v->groups);
	o->unit = UNIT_MATRIX;
	o->precision = op_type_precision(types[0]);
}

static bool forward_cost(struct op_call *c, struct op_cost *o, const struct conv *v)
{
	double out = volume(v->o, v->rank), in = op_elements(v->x);
	double b = op_type_bytes(op_type_at(&c->args, v->slot_x));

	o->flops = 2 * filter_size(v->w) * (v->transposed ? in : out) + (v->bias ? out : 0);
	opcost_bytes(o, in + op_elements(v->w) + out + (v->bias ? v->o[1] : 0), b);
	put_params(c, o, v, false);
	return true;
}

/*
 * The input's gradient is a convolution of the output's with the filter, transposed or not
 * the other way round; the weight's gradient one of the input with the output's gradient.
 * Both sum the same products as the forward pass.
 */
static bool backward_cost(struct op_call *c, struct op_cost *o, const struct conv *v, bool own)
{
	double out = volume(v->o, v->rank), in = op_elements(v->x), w = op_elements(v->w);
	double b = op_type_bytes(op_type_at(&c->args, v->slot_x));
	double product = 2 * filter_size(v->w) * (v->transposed ? in : out);
	double weight = product;

	if (c->original) {
		/* a filter as large as the other side's planes, applied to the weight's elements */
		double planes = v->transposed ? in / MAX_OF((double)v->x.dim[1], 1)
					      : out / MAX_OF(v->o[1], 1);
		weight = 2 * planes * w;
	}
	o->flops = product + weight + (v->bias ? out : 0);
	opcost_bytes(o, 2 * (out + w + in), b);
	if (v->bias)
		o->bytes += (out + v->o[1]) * (c->original ? 1 : b);
	put_params(c, o, v, own);
	return true;
}

static bool conv_forward(struct op_call *c, struct op_cost *o)
{
	struct conv v = { 0 };

	return read_conv(c, &v, 0, 3, false) && forward_cost(c, o, &v);
}

static bool conv_backward(struct op_call *c, struct op_cost *o)
{
	struct conv v = { 0 };

	return read_conv(c, &v, 0, 3, false) && backward_cost(c, o, &v, false);
}

/* aten::convolution_backward: the gradient first, then input and weight; bias sizes in slot 3. */
static bool conv_own_backward(struct op_call *c, struct op_cost *o)
{
	struct conv v = { 0 };

	return read_conv(c, &v, 1, 4, true) && backward_cost(c, o, &v, true);
}

/* Apex: input, weight, bias; stride and padding single numbers. */
static bool conv_bias(struct op_call *c, struct conv *v)
{
	const int64_t *x, *w;
	int64_t stride, padding;

	if (!opcost_dims(c, 0, 0, &x) || !opcost_dims(c, 1, 0, &w))
		return false;
	v->x = op_shape_at(&c->args, 0);
	v->w = op_shape_at(&c->args, 1);
	v->slot_w = 1;
	v->rank = v->x.rank;
	if (v->rank < 3 || v->rank > RANK_MAX || v->w.rank != v->rank)
		return opcost_fail(c, "input and filter are not of the same rank");
	if (!op_parse_int(op_value_at(&c->args, 3), 1, &stride) ||
	    !op_parse_int(op_value_at(&c->args, 4), 0, &padding))
		return opcost_fail(c, "stride or padding is no number");
	for (uint32_t i = 0; i < v->rank - 2; i++) {
		v->stride[i] = stride;
		v->padding[i] = padding;
		v->dilation[i] = 1;
	}
	v->groups = 1;
	v->bias = true;
	return output_shape(c, v);
}

static bool conv_bias_forward(struct op_call *c, struct op_cost *o)
{
	struct conv v = { 0 };

	return conv_bias(c, &v) && forward_cost(c, o, &v);
}

static bool conv_bias_backward(struct op_call *c, struct op_cost *o)
{
	struct conv v = { 0 };

	return conv_bias(c, &v) && backward_cost(c, o, &v, false);
}

const struct op_formulas conv_formulas[] = {
	{ "aten_conv", conv_forward, conv_backward },
	{ "aten_conv_bwd", conv_own_backward, NULL },
	{ "ConvBias_", conv_bias_forward, conv_bias_backward },
	{ "ConvBiasReLU_", conv_bias_forward, conv_bias_backward },
	{ NULL, NULL, NULL },
};
