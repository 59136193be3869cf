#include "analysis/opmodel/opargs.h"

#include "base/json.h"

#include <math.h>
#include <strings.h>

/* ---- lists ---- */

static uint32_t count_items(struct str text)
{
	struct json j = json_open(text);
	uint32_t n = 0;

	while (json_next(&j))
		n += j.depth == 1 && j.type != JSON_CLOSE;
	return n;
}

/* The integers of one list; anything else in it makes it nested: no shape to count with. */
static struct op_shape read_shape(struct str text, struct arena *a)
{
	struct json j = json_open(text);
	struct op_shape s = { .given = true };
	int64_t *dim = NEW(a, count_items(text) + 1, int64_t);

	while (json_next(&j)) {
		if (j.depth != 1 || j.type == JSON_CLOSE)
			continue;
		if (j.type == JSON_NUMBER && json_i64(&j, &dim[s.rank]))
			s.rank++;
		else
			s.nested = true;
	}
	s.dim = dim;
	if (s.nested)
		s.rank = 0;
	return s;
}

static struct op_shape *read_shapes(struct str text, uint32_t *n, struct arena *a)
{
	struct op_shape *out = NEW(a, count_items(text) + 1, struct op_shape);
	struct json j = json_open(text);

	*n = 0;
	while (json_next(&j)) {
		if (j.depth != 1 || j.type == JSON_CLOSE)
			continue;
		if (j.type == JSON_LIST)
			out[*n] = read_shape(json_skip(&j), a);
		else
			out[*n] = (struct op_shape){ .given = true, .nested = true };
		(*n)++;
	}
	return out;
}

static struct str *read_texts(struct str text, uint32_t *n, struct arena *a)
{
	struct str *out = NEW(a, count_items(text) + 1, struct str);
	struct json j = json_open(text);

	*n = 0;
	while (json_next(&j)) {
		if (j.depth != 1 || j.type == JSON_CLOSE)
			continue;
		bool container = j.type == JSON_LIST || j.type == JSON_OBJECT;
		out[(*n)++] = container               ? json_skip(&j)
			      : j.type == JSON_STRING ? json_string(a, j.text)
						      : j.text;
	}
	return out;
}

struct op_args op_args_read(struct str dims, struct str types, struct str strides,
			    struct str concrete, struct arena *a)
{
	struct op_args x = { .has_strides = strides.p != NULL };

	x.shape = read_shapes(dims.p ? dims : STR("[]"), &x.nshapes, a);
	x.stride = read_shapes(strides.p ? strides : STR("[]"), &x.nstrides, a);
	x.type = read_texts(types.p ? types : STR("[]"), &x.ntypes, a);
	x.value = read_texts(concrete.p ? concrete : STR("[]"), &x.nvalues, a);
	return x;
}

struct op_shape op_shape_at(const struct op_args *x, uint32_t slot)
{
	return slot < x->nshapes ? x->shape[slot] : (struct op_shape){ 0 };
}

struct op_shape op_stride_at(const struct op_args *x, uint32_t slot)
{
	return slot < x->nstrides ? x->stride[slot] : (struct op_shape){ 0 };
}

struct str op_type_at(const struct op_args *x, uint32_t slot)
{
	return slot < x->ntypes ? x->type[slot] : STR("");
}

struct str op_value_at(const struct op_args *x, uint32_t slot)
{
	return slot < x->nvalues ? x->value[slot] : STR("");
}

double op_elements(struct op_shape s)
{
	double n = 1;

	for (uint32_t i = 0; i < s.rank; i++) {
		if (s.dim[i] < 0)
			return NAN;
		n *= (double)s.dim[i];
	}
	return n;
}

bool op_parse_list(struct str text, struct arena *a, struct op_shape *out)
{
	int64_t one;

	if (str_i64(text, &one)) {
		int64_t *dim = NEW(a, 1, int64_t);

		*dim = one;
		*out = (struct op_shape){ .rank = 1, .dim = dim, .given = true };
		return true;
	}
	if (text.n < 2 || text.p[0] != '[')
		return false;
	*out = read_shape(text, a);
	return !out->nested;
}

bool op_parse_int(struct str text, int64_t missing, int64_t *out)
{
	*out = missing;
	return !text.n || str_i64(text, out);
}

bool op_parse_bool(struct str text, bool missing)
{
	if (!text.n)
		return missing;
	return (text.n == 4 && !strncasecmp(text.p, "true", 4)) || str_eq(text, STR("1"));
}

/* ---- types ---- */

static const struct {
	const char *name;
	uint8_t bytes;
	const char *precision;
} types[] = {
	{ "double", 8, "fp64" },
	{ "long int", 8, NULL },
	{ "float", 4, "fp32" },
	{ "scalar", 4, NULL },
	{ "int", 4, NULL },
	{ "c10::half", 2, "fp16" },
	{ "c10::bfloat16", 2, "bf16" },
	{ "c10::float8_e4m3fnuz", 1, "fp8" },
	{ "c10::float8_e4m3fn", 1, "fp8" },
	{ "c10::float8_e5m2", 1, NULL },
	{ "c10::float8_e8m0fnu", 1, NULL },
	{ "unsigned char", 1, "fp8" },
	{ "signed char", 1, NULL },
	{ "fp8", 1, "fp8" },
	{ "c10::float4_e2m1fn_x2", 1, "fp4" },
	{ "fp4", 1, "fp4" },
	{ "mxfp4", 0, "fp4" },
};

static int find_type(struct str type)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (type.n == strlen(types[i].name) && !strncasecmp(type.p, types[i].name, type.n))
			return (int)i;
	return -1;
}

double op_type_bytes(struct str type)
{
	int i = find_type(type);

	return i < 0 ? 0 : types[i].bytes;
}

const char *op_type_precision(struct str type)
{
	int i = find_type(type);

	return i < 0 ? NULL : types[i].precision;
}
