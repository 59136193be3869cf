/* Line by line: [a pattern], then name = expression. A # begins a comment. */
#include "analysis/opmodel/usermodel.h"

#include "base/scroll.h"

#include <ctype.h>
#include <stdio.h>

#define LINE_MAX_BYTES 4096
#define MODELS_MAX     4096

struct reader {
	struct userexpr_place at;
	struct arena *a;
	struct usermodels *out;
	struct usermodel *model; /* that the lines belong to; NULL before the first */
	uint32_t cap;
	struct lp_error *err;
};

static bool fail(struct reader *r, size_t column, const char *what)
{
	return userexpr_error(r->at, column, r->err, what);
}

static size_t skip_blanks(struct str s, size_t from)
{
	while (from < s.n && isspace((unsigned char)s.p[from]))
		from++;
	return from;
}

/* The line without comment and blanks at its end; a # in a regular expression needs brackets. */
static struct str meat(struct str line, bool header)
{
	const char *comment = header ? NULL : memchr(line.p, '#', line.n);

	if (comment)
		line.n = (size_t)(comment - line.p);
	while (line.n && isspace((unsigned char)line.p[line.n - 1]))
		line.n--;
	return line;
}

/* ---- [pattern] ---- */

static bool compile_regex(struct reader *r, struct usermodel *m, size_t column)
{
	char why[80], what[128];
	int code = regcomp(&m->regex, m->pattern, REG_EXTENDED | REG_NOSUB);

	if (!code)
		return true;
	regerror(code, &m->regex, why, sizeof(why));
	snprintf(what, sizeof(what), "expected a regular expression (%s)", why);
	return fail(r, column, what);
}

static bool finish_model(struct reader *r)
{
	if (!r->model || r->model->flops.code || r->model->bytes.code)
		return true;
	return error_set(r->err, "%s: [%.100s] has neither flops nor bytes", r->model->op.model,
			 r->model->pattern);
}

static void keep_model(struct reader *r, struct usermodel *m)
{
	struct usermodels *u = r->out;

	if (u->n == r->cap) {
		struct usermodel **more = NEW(r->a, r->cap = 2 * r->cap + 8, struct usermodel *);

		if (u->n)
			memcpy(more, u->at, u->n * sizeof(struct usermodel *));
		u->at = more;
	}
	u->at[u->n++] = m;
	r->model = m;
}

static bool read_header(struct reader *r, struct str line, size_t from)
{
	if (!finish_model(r))
		return false;
	if (line.p[line.n - 1] != ']')
		return fail(r, line.n - 1, "expected ']' at the end of a name");
	struct str name = { line.p + from + 1, line.n - from - 2 };
	if (!name.n)
		return fail(r, from + 1, "expected the name of an operator");
	if (r->out->n == MODELS_MAX)
		return fail(r, from, "expected no more than 4096 models");
	struct usermodel *m = NEW(r->a, 1, struct usermodel);
	bool regex = name.n > 2 && name.p[0] == '/' && name.p[name.n - 1] == '/';

	m->op.family = FAM_USER;
	m->op.model = arena_print(r->a, "%s:%u", r->at.path, r->at.line);
	m->type_slot = NONE;
	m->pattern = regex ? arena_text(r->a, name.p + 1, name.n - 2)
			   : arena_text(r->a, name.p, name.n);
	m->op.name = m->pattern;
	m->how = regex                     ? USERMODEL_REGEX
		 : strchr(m->pattern, '*') ? USERMODEL_GLOB
					   : USERMODEL_EXACT;
	if (regex && !compile_regex(r, m, from + 1))
		return false;
	keep_model(r, m);
	return true;
}

/* ---- name = ... ---- */

static bool read_unit(struct reader *r, struct str value, size_t column)
{
	if (str_eq(value, STR("matrix")))
		r->model->unit = UNIT_MATRIX;
	else if (str_eq(value, STR("vector")))
		r->model->unit = UNIT_VECTOR;
	else
		return fail(r, column, "expected matrix or vector");
	return true;
}

/* "in2", or a precision as op_type_precision() has them. */
static bool read_type(struct reader *r, struct str value, size_t column)
{
	static const char *const precisions[] = { "fp64", "fp32", "tf32", "bf16", "fp16",
						  "fp8",  "fp6",  "fp4",  "int8" };
	int64_t slot;

	for (size_t i = 0; i < ARRAY_SIZE(precisions); i++)
		if (str_eq(value, str_of(precisions[i]))) {
			r->model->precision = precisions[i];
			return true;
		}
	if (!str_starts(value, STR("in")) ||
	    !str_i64((struct str){ value.p + 2, value.n - 2 }, &slot) || slot < 0 || slot > 999)
		return fail(r, column, "expected an input such as in0, or a type such as bf16");
	r->model->type_slot = (uint32_t)slot;
	return true;
}

static bool is_reserved(struct str name)
{
	static const char *const words[] = { "numel", "size",  "bytes", "rank",  "has",  "prod",
					     "min",   "max",   "ceil",  "floor", "sqrt", "log2",
					     "if",    "flops", "unit",  "type" };
	int64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_eq(name, str_of(words[i])))
			return true;
	return (str_starts(name, STR("in")) &&
		str_i64((struct str){ name.p + 2, name.n - 2 }, &v)) ||
	       (str_starts(name, STR("arg")) &&
		str_i64((struct str){ name.p + 3, name.n - 3 }, &v));
}

static bool read_variable(struct reader *r, struct str name, size_t column, size_t value)
{
	struct usermodel *m = r->model;

	if (is_reserved(name))
		return fail(r, column, "expected a name that means nothing else");
	for (uint32_t i = 0; i < m->nvariables; i++)
		if (str_eq(name, m->variable[i]))
			return fail(r, column, "expected a name that is not defined above");
	if (m->nvariables == USERMODEL_VARIABLES)
		return fail(r, column, "expected no more than 24 names");
	if (!userexpr_compile(r->at, value, m->variable, m->nvariables, r->a,
			      &m->value[m->nvariables], r->err))
		return false;
	m->variable[m->nvariables++] = (struct str){ arena_text(r->a, name.p, name.n), name.n };
	return true;
}

static bool read_formula(struct reader *r, struct userexpr *e, size_t column, size_t value)
{
	struct usermodel *m = r->model;

	if (e->code)
		return fail(r, column, "expected one formula only");
	return userexpr_compile(r->at, value, m->variable, m->nvariables, r->a, e, r->err);
}

static bool read_setting(struct reader *r, struct str line, size_t from)
{
	size_t to = from;

	while (to < line.n && (isalnum((unsigned char)line.p[to]) || line.p[to] == '_'))
		to++;
	struct str name = { line.p + from, to - from };
	if (!name.n || isdigit((unsigned char)name.p[0]))
		return fail(r, from, "expected [operator], or a name, '=' and an expression");
	size_t eq = skip_blanks(line, to), value = skip_blanks(line, eq + 1);
	if (eq >= line.n || line.p[eq] != '=')
		return fail(r, eq, "expected '='");
	if (!r->model)
		return fail(r, from, "expected [operator] before the first formula");
	struct str rest = { line.p + MIN_OF(value, line.n), line.n - MIN_OF(value, line.n) };
	if (str_eq(name, STR("flops")))
		return read_formula(r, &r->model->flops, from, value);
	if (str_eq(name, STR("bytes")))
		return read_formula(r, &r->model->bytes, from, value);
	if (str_eq(name, STR("unit")))
		return read_unit(r, rest, value);
	if (str_eq(name, STR("type")))
		return read_type(r, rest, value);
	return read_variable(r, name, from, value);
}

static bool read_line(struct reader *r, struct str line)
{
	r->at.line++;
	r->at.text = line;
	if (line.n > LINE_MAX_BYTES)
		return fail(r, LINE_MAX_BYTES, "expected a line of at most 4096 bytes");
	if (memchr(line.p, 0, line.n))
		return fail(r, 0, "expected text, found a byte 0");
	size_t from = skip_blanks(line, 0);
	bool header = from < line.n && line.p[from] == '[';
	struct str rest = meat(line, header);
	if (from >= rest.n)
		return true;
	r->at.text = rest;
	return header ? read_header(r, rest, from) : read_setting(r, rest, from);
}

static struct usermodels *read_all(struct scroll *w, const char *path, struct arena *a,
				   struct lp_error *err)
{
	struct reader r = { .at = { .path = arena_text(a, path, strlen(path)) },
			    .a = a,
			    .out = NEW(a, 1, struct usermodels),
			    .err = err };
	struct str line;
	bool ok = true;

	while (ok && scroll_line(w, &line))
		ok = read_line(&r, line);
	ok = ok && finish_model(&r);
	if (ok && !r.out->n)
		ok = error_set(err, "%s: there is no [operator] in it", path);
	if (ok)
		return r.out;
	usermodels_free(r.out);
	return NULL;
}

struct usermodels *usermodels_read_memory(const char *path, const void *text, size_t n,
					  struct arena *a, struct lp_error *err)
{
	struct scroll w;

	scroll_open_memory(&w, text, n);
	struct usermodels *u = read_all(&w, path, a, err);
	scroll_close(&w);
	return u;
}

struct usermodels *usermodels_read(const char *path, struct arena *a, struct lp_error *err)
{
	struct input *in = input_open(path, err);
	struct scroll w;

	if (!in)
		return NULL;
	scroll_open(&w, in);
	struct usermodels *u = read_all(&w, path, a, err);
	scroll_close(&w);
	input_close(in);
	return u;
}
