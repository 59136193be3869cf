/*
 * The machine: one pass over the code, jumps go forward only. Every result is looked at, so
 * that no infinity and no NaN gets further than where it arose.
 */
#include "analysis/opmodel/userexpr.h"

#include "base/check.h"

#include <math.h>

struct machine {
	const struct op_args *x;
	const double *variable;
	struct arena *a;
	double stack[USEREXPR_STACK];
	uint32_t n;
};

/* A tensor: it has dimensions, or, as a scalar, at least a type. */
static bool tensor(const struct op_args *x, uint32_t slot, struct op_shape *s)
{
	*s = op_shape_at(x, slot);
	return s->given && !s->nested && (s->rank || op_type_at(x, slot).n);
}

static enum userexpr_result dim_of(struct op_shape s, int32_t i, double *out)
{
	int64_t at = i < 0 ? (int64_t)s.rank + i : i;

	if (at < 0 || at >= s.rank)
		return UX_NO_DIM;
	*out = (double)s.dim[at];
	return UX_OK;
}

static enum userexpr_result product(struct op_shape s, int32_t from, int32_t to, double *out)
{
	int64_t a = from < 0 ? (int64_t)s.rank + from : from;
	int64_t b = to == UX_END ? s.rank : to < 0 ? (int64_t)s.rank + to : to;

	if (a < 0 || b > s.rank || a > b)
		return UX_NO_DIM;
	*out = op_elements((struct op_shape){ .rank = (uint32_t)(b - a), .dim = s.dim + a });
	return UX_OK;
}

static enum userexpr_result of_input(const struct machine *m, const struct userexpr_code *c,
				     double *out)
{
	struct op_shape s;
	bool there = tensor(m->x, c->slot, &s);
	double size = op_type_bytes(op_type_at(m->x, c->slot));

	*out = there;
	if (c->op == UX_HAS)
		return UX_OK;
	if (!there)
		return UX_NO_INPUT;
	if (c->op == UX_DIM)
		return dim_of(s, c->a, out);
	if (c->op == UX_PROD)
		return product(s, c->a, c->b, out);
	*out = c->op == UX_RANK ? s.rank : c->op == UX_NUMEL ? op_elements(s) : size;
	if (c->op == UX_BYTES)
		*out *= op_elements(s);
	return (c->op == UX_SIZE || c->op == UX_BYTES) && !(size > 0) ? UX_UNKNOWN_SIZE : UX_OK;
}

static enum userexpr_result value_of(const struct machine *m, const struct userexpr_code *c,
				     double *out)
{
	struct str text = op_value_at(m->x, c->slot);
	struct op_shape list;
	int64_t v;

	if (c->op == UX_ITEM)
		return op_parse_list(text, m->a, &list) ? dim_of(list, c->a, out) : UX_NO_NUMBER;
	if (str_i64(text, &v)) {
		*out = (double)v;
		return UX_OK;
	}
	*out = op_parse_bool(text, false);
	return *out > 0 || str_eq(text, STR("False")) || str_eq(text, STR("false")) ? UX_OK
										    : UX_NO_NUMBER;
}

static enum userexpr_result with_one(enum userexpr_op op, double x, double *out)
{
	*out = op == UX_NEGATE  ? -x
	       : op == UX_NOT   ? x == 0
	       : op == UX_CEIL  ? ceil(x)
	       : op == UX_FLOOR ? floor(x)
	       : op == UX_SQRT  ? sqrt(x)
				: log2(x);
	return UX_OK;
}

static enum userexpr_result with_two(enum userexpr_op op, double x, double y, double *out)
{
	switch (op) {
	case UX_ADD:
		*out = x + y;
		break;
	case UX_SUBTRACT:
		*out = x - y;
		break;
	case UX_MULTIPLY:
		*out = x * y;
		break;
	case UX_DIVIDE:
	case UX_MODULO:
		if (y == 0)
			return UX_ZERO;
		*out = op == UX_DIVIDE ? x / y : fmod(x, y);
		break;
	case UX_LESS:
		*out = x < y;
		break;
	case UX_LESS_EQUAL:
		*out = x <= y;
		break;
	case UX_GREATER:
		*out = x > y;
		break;
	case UX_GREATER_EQUAL:
		*out = x >= y;
		break;
	case UX_EQUAL:
		*out = x == y;
		break;
	case UX_NOT_EQUAL:
		*out = x != y;
		break;
	case UX_AND:
		*out = x != 0 && y != 0;
		break;
	case UX_OR:
		*out = x != 0 || y != 0;
		break;
	case UX_MIN:
		*out = fmin(x, y);
		break;
	default:
		*out = fmax(x, y);
	}
	return UX_OK;
}

static enum userexpr_result push_result(struct machine *m, enum userexpr_result r, double v)
{
	if (r == UX_OK && !isfinite(v))
		return UX_TOO_LARGE;
	m->stack[m->n++] = v;
	return r;
}

static enum userexpr_result step(struct machine *m, const struct userexpr_code *c)
{
	double v = 0;
	enum userexpr_result r;

	if (c->op == UX_NUMBER || c->op == UX_VARIABLE)
		return push_result(m, UX_OK, c->op == UX_NUMBER ? c->number : m->variable[c->slot]);
	if (c->op >= UX_DIM && c->op <= UX_PROD)
		r = of_input(m, c, &v);
	else if (c->op == UX_VALUE || c->op == UX_ITEM)
		r = value_of(m, c, &v);
	else if (c->op == UX_NEGATE || c->op == UX_NOT || (c->op >= UX_CEIL && c->op <= UX_LOG2))
		r = with_one(c->op, m->stack[--m->n], &v);
	else {
		m->n -= 2;
		r = with_two(c->op, m->stack[m->n], m->stack[m->n + 1], &v);
	}
	return push_result(m, r, v);
}

enum userexpr_result userexpr_eval(const struct userexpr *e, const struct op_args *x,
				   const double *variable, struct arena *a, double *out)
{
	struct machine m = { .x = x, .variable = variable, .a = a };

	for (uint32_t i = 0; i < e->n; i++) {
		const struct userexpr_code *c = &e->code[i];

		if (c->op == UX_JUMP || c->op == UX_JUMP_UNLESS) {
			if (c->op == UX_JUMP || m.stack[--m.n] == 0)
				i = (uint32_t)c->a - 1;
			continue;
		}
		enum userexpr_result r = step(&m, c);
		if (r != UX_OK)
			return r;
	}
	CHECK(m.n == 1);
	*out = m.stack[0];
	return UX_OK;
}

const char *userexpr_why(enum userexpr_result r)
{
	static const char *const why[] = {
		[UX_UNKNOWN_SIZE] =
			"the user's formula asks for the size of a type that is not known",
		[UX_NO_INPUT] = "the user's formula names an input that is no tensor here",
		[UX_NO_DIM] = "the user's formula names a dimension that is not there",
		[UX_NO_NUMBER] = "the user's formula names a value that is no number here",
		[UX_ZERO] = "the user's formula divides by zero",
		[UX_TOO_LARGE] = "the user's formula gives no number that can be",
	};

	return why[r];
}
