/*
 * Kernels that torch.compile generates: triton_poi_fused_add_mul_3 does what its name lists,
 * element by element; _red_ and _per_ reduce rnumel elements for each of xnumel results.
 *
 *	flops = (operations of the list, each weighted) xnumel rnumel
 *	bytes = all tensors, each once
 *
 * Names of operators have underscores in them, so the list is cut where all pieces are
 * known names, the longest last ones first. Sizes are the last numbers of the arguments.
 */
#include "analysis/opmodel/opcost.h"

#include "base/textbuf.h"

#include <math.h>

/* Operations per element; what only moves or makes data has none. */
static const struct {
	const char *name;
	int weight;
} known[] = {
	{ "_log_softmax", 0 },
	{ "_safe_softmax", 0 },
	{ "_softmax", 0 },
	{ "_softmax_backward_data", 0 },
	{ "_to_copy", 0 },
	{ "_unsafe_index", 0 },
	{ "_unsafe_view", 0 },
	{ "abs", 1 },
	{ "add", 1 },
	{ "addmm", 0 },
	{ "amax", 0 },
	{ "amin", 0 },
	{ "any", 0 },
	{ "arange", 0 },
	{ "argmax", 0 },
	{ "bitwise_and", 0 },
	{ "bitwise_not", 0 },
	{ "bitwise_or", 0 },
	{ "bmm", 0 },
	{ "cat", 0 },
	{ "clamp", 0 },
	{ "clamp_max", 0 },
	{ "clamp_min", 0 },
	{ "clone", 0 },
	{ "constant_pad_nd", 0 },
	{ "convolution", 0 },
	{ "copy", 0 },
	{ "cos", 0 },
	{ "cumsum", 0 },
	{ "detach", 0 },
	{ "div", 1 },
	{ "embedding", 0 },
	{ "embedding_dense_backward", 0 },
	{ "empty", 0 },
	{ "empty_like", 0 },
	{ "eq", 1 },
	{ "erf", 0 },
	{ "exp", 4 },
	{ "expand", 0 },
	{ "fill", 0 },
	{ "floor", 0 },
	{ "full", 0 },
	{ "full_like", 0 },
	{ "gather", 0 },
	{ "ge", 0 },
	{ "gelu", 8 },
	{ "gt", 1 },
	{ "index", 0 },
	{ "index_put", 0 },
	{ "index_select", 0 },
	{ "le", 0 },
	{ "log", 4 },
	{ "logical_and", 0 },
	{ "logical_not", 0 },
	{ "lt", 1 },
	{ "masked_fill", 0 },
	{ "max", 0 },
	{ "maximum", 0 },
	{ "mean", 1 },
	{ "min", 0 },
	{ "minimum", 0 },
	{ "mm", 0 },
	{ "mul", 1 },
	{ "native_dropout", 0 },
	{ "native_group_norm", 0 },
	{ "native_layer_norm", 0 },
	{ "ne", 1 },
	{ "neg", 1 },
	{ "new_zeros", 0 },
	{ "nll_loss_forward", 0 },
	{ "permute", 0 },
	{ "pow", 2 },
	{ "reciprocal", 2 },
	{ "relu", 1 },
	{ "repeat", 0 },
	{ "reshape", 0 },
	{ "rsqrt", 2 },
	{ "rsub", 0 },
	{ "scalar_tensor", 0 },
	{ "select", 0 },
	{ "select_backward", 0 },
	{ "sigmoid", 4 },
	{ "silu", 4 },
	{ "sin", 0 },
	{ "slice", 0 },
	{ "slice_backward", 0 },
	{ "slice_scatter", 0 },
	{ "split", 0 },
	{ "split_with_sizes", 0 },
	{ "sqrt", 2 },
	{ "squeeze", 0 },
	{ "stack", 0 },
	{ "sub", 1 },
	{ "sum", 1 },
	{ "t", 0 },
	{ "tanh", 4 },
	{ "threshold_backward", 0 },
	{ "topk", 0 },
	{ "transpose", 0 },
	{ "unbind", 0 },
	{ "unsqueeze", 0 },
	{ "upsample_nearest2d", 0 },
	{ "var", 2 },
	{ "var_mean", 0 },
	{ "view", 0 },
	{ "where", 0 },
	{ "zeros", 0 },
	{ "zeros_like", 0 },
};

#define WORDS_MAX 128
#define UNKNOWN   (-1)

static int find_known(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (str_eq(name, str_of(known[i].name)))
			return (int)i;
	return UNKNOWN;
}

/* "add_mul" of "triton_poi_fused_add_mul_3". */
static struct str list_of(struct str name)
{
	struct str prefix = STR("triton_poi_fused_");

	if (name.n <= prefix.n)
		return (struct str){ name.p, 0 };
	struct str list = { name.p + prefix.n, name.n - prefix.n };
	const char *last = memrchr(list.p, '_', list.n);
	return (struct str){ list.p, last ? (size_t)(last - list.p) : 0 };
}

struct pieces {
	struct str list;
	uint32_t n;                      /* words between underscores */
	uint32_t from[WORDS_MAX + 1];    /* byte where each word begins; one past the end last */
	uint32_t unknown[WORDS_MAX + 1]; /* of the first words: how many stand in no known name */
	uint32_t cut[WORDS_MAX + 1];     /* ... and where their last piece begins */
};

static struct str piece(const struct pieces *p, uint32_t from, uint32_t to)
{
	return (struct str){ p->list.p + p->from[from], p->from[to] - p->from[from] - 1 };
}

/* Fewest words without a name; of equal cuts the one whose last piece is longest. */
static void cut_list(struct pieces *p)
{
	for (uint32_t to = 1; to <= p->n; to++) {
		p->unknown[to] = p->unknown[to - 1] + 1;
		p->cut[to] = to - 1;
		for (uint32_t from = to; from-- > 0 && to - from <= 6;) {
			bool fits = find_known(piece(p, from, to)) != UNKNOWN;

			if (fits && p->unknown[from] <= p->unknown[to]) {
				p->unknown[to] = p->unknown[from];
				p->cut[to] = from;
			}
		}
	}
}

static bool split_words(struct pieces *p)
{
	p->from[0] = 0;
	for (uint32_t i = 0; i <= p->list.n; i++)
		if (i == p->list.n || p->list.p[i] == '_') {
			if (p->n == WORDS_MAX)
				return false;
			p->from[++p->n] = i + 1;
		}
	return p->list.n > 0;
}

/* "aten.add, aten.mul", and what they do per element. */
static const char *fused_ops(struct op_call *c, double *weight)
{
	struct pieces p = { .list = list_of(c->name) };
	uint32_t at[WORDS_MAX + 1], n = 0;
	struct textbuf b = { .arena = c->a };

	*weight = 0;
	if (!split_words(&p))
		return "";
	cut_list(&p);
	for (uint32_t to = p.n; to; to = p.cut[to])
		at[n++] = to;
	for (uint32_t i = n; i-- > 0;) {
		struct str name = piece(&p, p.cut[at[i]], at[i]);
		int op = find_known(name);

		*weight += op == UNKNOWN ? 0 : known[op].weight;
		textbuf_add(&b, b.n ? STR(", aten.") : STR("aten."));
		textbuf_add(&b, name);
	}
	return textbuf_keep(&b, c->a);
}

/* The original knows some spellings only. */
static double bytes_of(const struct op_call *c, struct str type)
{
	static const struct {
		const char *name;
		int bytes;
	} types[] = {
		{ "c10::BFloat16", 2 }, { "c10::Half", 2 }, { "c10::Float", 4 }, { "c10::Int", 4 },
		{ "c10::Double", 8 },   { "c10::Long", 8 }, { "c10::Byte", 1 },  { "c10::Char", 1 },
	};

	if (!c->original)
		return op_type_bytes(type);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (str_eq(type, str_of(types[i].name)))
			return types[i].bytes;
	return 0;
}

/* "bfloat16": it stands for no unit of any chip, but the original prints it. */
static const char *precision_of(struct op_call *c, struct str type)
{
	if (!c->original)
		return op_type_precision(type);
	const char *colon = memrchr(type.p, ':', type.n);
	struct str word = colon ? (struct str){ colon + 1, type.n - (size_t)(colon + 1 - type.p) }
				: type;
	char *lower = arena_text(c->a, word.p, word.n);

	for (char *p = lower; *p; p++)
		*p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
	return lower;
}

/* The last two numbers among the concrete inputs; how many there are. */
static uint32_t read_sizes(const struct op_call *c, double *before, double *last)
{
	uint32_t n = 0;
	int64_t v;

	for (uint32_t i = 0; i < c->args.nvalues; i++)
		if (c->args.value[i].n && str_i64(c->args.value[i], &v)) {
			*before = *last;
			*last = (double)v;
			n++;
		}
	return n;
}

static bool compiled(struct op_call *c, struct op_cost *o)
{
	bool pointwise = str_starts(c->name, STR("triton_poi_"));
	double before = 0, last = 0, weight, first = 0;
	uint32_t sizes = read_sizes(c, &before, &last), tensors = 0;

	if (!sizes)
		return opcost_fail(c, "its arguments do not tell its size");
	double x = !pointwise && sizes > 1 ? before : last, r = !pointwise && sizes > 1 ? last : 1;
	const char *ops = fused_ops(c, &weight);
	o->unit = UNIT_VECTOR;
	o->flops = weight * x * r;
	for (uint32_t i = 0; i < c->args.nshapes; i++) {
		struct str type = op_type_at(&c->args, i);
		double b = bytes_of(c, type);

		if (!opcost_fits(c, !c->args.shape[i].nested, "an argument is no tensor"))
			return false;
		if (!c->args.shape[i].rank)
			continue;
		if (!o->precision) {
			o->precision = precision_of(c, type);
			first = b;
		}
		tensors++;
		if (c->original)
			o->bytes += b * op_elements(c->args.shape[i]);
		else
			opcost_bytes(o, op_elements(c->args.shape[i]), b);
	}
	if (!opcost_fits(c, tensors && x >= 0 && r >= 0, "its arguments do not tell its size"))
		return false;
	if (pointwise && c->original)
		o->bytes += first * x; /* a result that it does not see among the arguments */
	opcost_text(o, "fused_ops", ops);
	opcost_int(c, o, "xnumel", x);
	opcost_int(c, o, "rnumel", r);
	return true;
}

const struct op_formulas triton_formulas[] = {
	{ "triton", compiled, NULL },
	{ NULL, NULL, NULL },
};
