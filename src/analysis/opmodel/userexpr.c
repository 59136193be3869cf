/*
 * Precedence climbing:
 *
 *	expression  = or;     or = and { "||" and };    and = compared { "&&" compared }
 *	compared    = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *	sum         = product { ("+" | "-") product };  product = unary { ("*" | "/" | "%") unary }
 *	unary       = { "-" | "!" } primary
 *	primary     = number | "(" expression ")" | inN [ "[" integer "]" ] | argN [ "[" integer "]"
 *] | variable | function "(" ... ")"
 */
#include "analysis/opmodel/userexpr.h"

#include "base/json.h"

#include <ctype.h>
#include <stdio.h>

struct parser {
	struct userexpr_place at;
	size_t p; /* byte of the line */
	const struct str *variable;
	uint32_t nvariables;
	struct arena *a;
	struct userexpr *out;
	uint32_t cap, depth, stack, deepest;
	struct lp_error *err;
};

bool userexpr_error(struct userexpr_place at, size_t column, struct lp_error *err, const char *what)
{
	size_t from = column > 30 ? column - 30 : 0, n = at.text.n - from;

	return error_set(err, "%s:%u:%zu: %s in \"%s%.*s%s\"", at.path, at.line, column + 1, what,
			 from ? "..." : "", (int)MIN_OF(n, 80), at.text.p + from,
			 n > 80 ? "..." : "");
}

static int peek(struct parser *p)
{
	while (p->p < p->at.text.n && isspace((unsigned char)p->at.text.p[p->p]))
		p->p++;
	return p->p < p->at.text.n ? (unsigned char)p->at.text.p[p->p] : 0;
}

static bool fail(struct parser *p, const char *expected)
{
	char what[160];
	int c = peek(p);

	if (!c)
		snprintf(what, sizeof(what), "expected %s, found the end of the line", expected);
	else
		snprintf(what, sizeof(what),
			 c < 0x7f && c >= ' ' ? "expected %s, found '%c'"
					      : "expected %s, found byte %d",
			 expected, c);
	return userexpr_error(p->at, p->p, p->err, what);
}

static bool take(struct parser *p, const char *token)
{
	size_t n = strlen(token);

	peek(p);
	if (p->at.text.n - p->p < n || memcmp(p->at.text.p + p->p, token, n))
		return false;
	p->p += n;
	return true;
}

static bool need(struct parser *p, const char *token, const char *expected)
{
	return take(p, token) || fail(p, expected);
}

/* ---- code ---- */

static uint32_t put(struct parser *p, struct userexpr_code code, int grows)
{
	struct userexpr *e = p->out;

	if (e->n == p->cap) {
		struct userexpr_code *more = NEW(p->a, p->cap = 2 * p->cap + 16,
						 struct userexpr_code);

		if (e->n)
			memcpy(more, e->code, e->n * sizeof(*more));
		e->code = more;
	}
	p->stack = (uint32_t)((int)p->stack + grows);
	p->deepest = MAX_OF(p->deepest, p->stack);
	e->code[e->n] = code;
	return e->n++;
}

static bool put_op(struct parser *p, enum userexpr_op op, int grows)
{
	put(p, (struct userexpr_code){ .op = op }, grows);
	return true;
}

/* ---- words and numbers ---- */

static struct str word(struct parser *p)
{
	size_t from = p->p;

	while (p->p < p->at.text.n &&
	       (isalnum((unsigned char)p->at.text.p[p->p]) || p->at.text.p[p->p] == '_'))
		p->p++;
	return (struct str){ p->at.text.p + from, p->p - from };
}

/* "in12" with the prefix "in"; inputs are few. */
static bool numbered(struct str w, const char *prefix, uint32_t *slot)
{
	size_t n = strlen(prefix);
	int64_t v;

	if (w.n <= n || !str_starts(w, (struct str){ prefix, n }) ||
	    !isdigit((unsigned char)w.p[n]) || !str_i64((struct str){ w.p + n, w.n - n }, &v) ||
	    v > 999)
		return false;
	*slot = (uint32_t)v;
	return true;
}

static bool integer(struct parser *p, int32_t *out)
{
	size_t from = (peek(p), p->p);
	int64_t v;

	if (peek(p) == '-')
		p->p++;
	word(p);
	if (str_i64((struct str){ p->at.text.p + from, p->p - from }, &v) && v >= -1000 &&
	    v <= 1000) {
		*out = (int32_t)v;
		return true;
	}
	p->p = from;
	return fail(p, "an integer");
}

static bool number(struct parser *p)
{
	size_t from = p->p, at = p->p;
	const char *t = p->at.text.p;
	double v;

	while (at < p->at.text.n &&
	       (isdigit((unsigned char)t[at]) || t[at] == '.' || t[at] == 'e' || t[at] == 'E' ||
		((t[at] == '-' || t[at] == '+') && (t[at - 1] == 'e' || t[at - 1] == 'E'))))
		at++;
	struct json j = json_open((struct str){ t + from, at - from });
	if (!json_next(&j) || j.type != JSON_NUMBER || j.text.n != at - from || !json_f64(&j, &v) ||
	    !(v <= 1e300))
		return fail(p, "a number");
	p->p = at;
	put(p, (struct userexpr_code){ .op = UX_NUMBER, .number = v }, 1);
	return true;
}

/* ---- functions ---- */

static bool expression(struct parser *p);

static bool input(struct parser *p, uint32_t *slot)
{
	size_t from = (peek(p), p->p);

	if (numbered(word(p), "in", slot))
		return true;
	p->p = from;
	return fail(p, "an input such as in0");
}

static bool of_input(struct parser *p, enum userexpr_op op)
{
	uint32_t slot;

	if (!input(p, &slot) || !need(p, ")", "')'"))
		return false;
	put(p, (struct userexpr_code){ .op = op, .slot = slot }, 1);
	return true;
}

/* prod(in0), prod(in0, from), prod(in0, from, to) */
static bool product_of(struct parser *p)
{
	struct userexpr_code code = { .op = UX_PROD, .b = UX_END };

	if (!input(p, &code.slot) ||
	    (take(p, ",") && (!integer(p, &code.a) || (take(p, ",") && !integer(p, &code.b)))))
		return false;
	put(p, code, 1);
	return need(p, ")", "',' or ')'");
}

static bool of_one(struct parser *p, enum userexpr_op op)
{
	return expression(p) && need(p, ")", "')'") && put_op(p, op, 0);
}

static bool of_many(struct parser *p, enum userexpr_op op)
{
	if (!expression(p))
		return false;
	while (take(p, ","))
		if (!expression(p) || !put_op(p, op, -1))
			return false;
	return need(p, ")", "',' or ')'");
}

/* Only the branch that is taken is evaluated: it may name inputs that are not always there. */
static bool conditional(struct parser *p)
{
	if (!expression(p) || !need(p, ",", "','"))
		return false;
	uint32_t to_else = put(p, (struct userexpr_code){ .op = UX_JUMP_UNLESS }, -1);
	if (!expression(p) || !need(p, ",", "','"))
		return false;
	uint32_t to_end = put(p, (struct userexpr_code){ .op = UX_JUMP }, -1);
	p->out->code[to_else].a = (int32_t)p->out->n;
	if (!expression(p))
		return false;
	p->out->code[to_end].a = (int32_t)p->out->n;
	return need(p, ")", "')'");
}

static bool function(struct parser *p, struct str name, size_t from)
{
	static const struct {
		const char *name;
		bool (*read)(struct parser *p, enum userexpr_op op);
		enum userexpr_op op;
	} functions[] = {
		{ "numel", of_input, UX_NUMEL }, { "size", of_input, UX_SIZE },
		{ "bytes", of_input, UX_BYTES }, { "rank", of_input, UX_RANK },
		{ "has", of_input, UX_HAS },     { "min", of_many, UX_MIN },
		{ "max", of_many, UX_MAX },      { "ceil", of_one, UX_CEIL },
		{ "floor", of_one, UX_FLOOR },   { "sqrt", of_one, UX_SQRT },
		{ "log2", of_one, UX_LOG2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (str_eq(name, str_of(functions[i].name)))
			return need(p, "(", "'('") && functions[i].read(p, functions[i].op);
	if (str_eq(name, STR("prod")))
		return need(p, "(", "'('") && product_of(p);
	if (str_eq(name, STR("if")))
		return need(p, "(", "'('") && conditional(p);
	p->p = from;
	return fail(p, "in0, arg0, a name defined above, or one of numel size bytes rank has prod "
		       "min max ceil floor sqrt log2 if");
}

/* ---- the grammar ---- */

static bool indexed(struct parser *p, struct userexpr_code code, bool index)
{
	if (index && (!integer(p, &code.a) || !need(p, "]", "']'")))
		return false;
	put(p, code, 1);
	return true;
}

static bool named(struct parser *p)
{
	size_t from = p->p;
	struct str w = word(p);
	uint32_t slot;

	for (uint32_t i = 0; i < p->nvariables; i++)
		if (str_eq(w, p->variable[i]))
			return indexed(p, (struct userexpr_code){ .op = UX_VARIABLE, .slot = i },
				       false);
	if (numbered(w, "in", &slot)) {
		if (!need(p, "[", "'[' and which dimension"))
			return false;
		return indexed(p, (struct userexpr_code){ .op = UX_DIM, .slot = slot }, true);
	}
	if (numbered(w, "arg", &slot)) {
		bool item = take(p, "[");

		return indexed(
			p, (struct userexpr_code){ .op = item ? UX_ITEM : UX_VALUE, .slot = slot },
			item);
	}
	return function(p, w, from);
}

static bool primary(struct parser *p)
{
	int c = peek(p);

	if (isdigit(c) || c == '.')
		return number(p);
	if (isalpha(c) || c == '_')
		return named(p);
	if (take(p, "("))
		return expression(p) && need(p, ")", "an operator or ')'");
	return fail(p, "a number, an input or '('");
}

static bool unary(struct parser *p)
{
	uint32_t minus = 0, nots = 0;

	while (peek(p) == '-' || peek(p) == '!') {
		if (nots && peek(p) == '-')
			return fail(p, "a number, an input or '('");
		minus += !nots && peek(p) == '-';
		nots += peek(p) == '!';
		p->p++;
	}
	if (!primary(p))
		return false;
	for (; nots; nots--)
		put_op(p, UX_NOT, 0);
	return !(minus & 1) || put_op(p, UX_NEGATE, 0);
}

struct operator_ {
	const char *token;
	enum userexpr_op op;
	int level;
};

/* Longer tokens first. */
static const struct operator_ operators[] = {
	{ "||", UX_OR, 0 },         { "&&", UX_AND, 1 },
	{ "<=", UX_LESS_EQUAL, 2 }, { ">=", UX_GREATER_EQUAL, 2 },
	{ "==", UX_EQUAL, 2 },      { "!=", UX_NOT_EQUAL, 2 },
	{ "<", UX_LESS, 2 },        { ">", UX_GREATER, 2 },
	{ "+", UX_ADD, 3 },         { "-", UX_SUBTRACT, 3 },
	{ "*", UX_MULTIPLY, 4 },    { "/", UX_DIVIDE, 4 },
	{ "%", UX_MODULO, 4 },
};

static const struct operator_ *operator_at(struct parser *p, int level)
{
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (operators[i].level >= level && take(p, operators[i].token)) {
			return &operators[i];
		}
	return NULL;
}

/* Operators of `level` and tighter ones; five levels at most below each other. */
static bool climb(struct parser *p, int level)
{
	const struct operator_ *o;

	if (!unary(p))
		return false;
	while ((o = operator_at(p, level)))
		if (!climb(p, o->level + 1) || !put_op(p, o->op, -1))
			return false;
	return true;
}

static bool expression(struct parser *p)
{
	if (++p->depth > USEREXPR_DEPTH)
		return fail(p, "less nesting");
	if (!climb(p, 0))
		return false;
	p->depth--;
	return p->deepest < USEREXPR_STACK || fail(p, "a shorter expression");
}

bool userexpr_compile(struct userexpr_place at, size_t from, const struct str *variable,
		      uint32_t nvariables, struct arena *a, struct userexpr *out,
		      struct lp_error *err)
{
	struct parser p = { .at = at,
			    .p = from,
			    .variable = variable,
			    .nvariables = nvariables,
			    .a = a,
			    .out = out,
			    .err = err };

	*out = (struct userexpr){ 0 };
	return expression(&p) && (!peek(&p) || fail(&p, "an operator or the end of the line"));
}
