/* Which model fits a name, and what it says of an operator. */
#include "analysis/opmodel/usermodel.h"

#include <math.h>

/* Greedy from the left; a star that fails later is tried one byte further on: O(n m). */
static bool glob(const char *pattern, struct str name)
{
	const char *p = pattern, *star = NULL;
	size_t i = 0, from = 0;

	while (i < name.n) {
		if (*p == '*') {
			star = ++p;
			from = i;
		} else if (*p == name.p[i]) {
			p++;
			i++;
		} else if (star) {
			p = star;
			i = ++from;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

static bool fits(const struct usermodel *m, struct str name)
{
	switch (m->how) {
	case USERMODEL_EXACT:
		return str_eq(name, str_of(m->pattern));
	case USERMODEL_GLOB:
		return glob(m->pattern, name);
	default: /* names end with a NUL */
		return !regexec(&m->regex, name.p, 0, NULL, 0);
	}
}

const struct usermodel *usermodels_find(const struct usermodels *u, struct str name)
{
	for (uint32_t i = 0; u && i < u->n; i++)
		if (fits(u->at[i], name))
			return u->at[i];
	return NULL;
}

void usermodels_free(struct usermodels *u)
{
	for (uint32_t i = 0; u && i < u->n; i++)
		if (u->at[i]->how == USERMODEL_REGEX)
			regfree(&u->at[i]->regex);
}

static const char *precision_of(const struct usermodel *m, const struct op_args *x)
{
	if (m->precision || m->type_slot != NONE)
		return m->precision ? m->precision : op_type_precision(op_type_at(x, m->type_slot));
	for (uint32_t i = 0; i < x->ntypes; i++)
		if (op_type_precision(op_type_at(x, i)))
			return op_type_precision(op_type_at(x, i));
	return NULL;
}

/* Bytes that depend on a type of unknown size are not known; all else must be. */
static bool evaluate(const struct usermodel *m, struct op_call *c, const double *variable,
		     const struct userexpr *e, double missing, double *out)
{
	*out = missing;
	if (!e->code)
		return true;
	enum userexpr_result r = userexpr_eval(e, &c->args, variable, c->a, out);
	if (r == UX_UNKNOWN_SIZE && e == &m->bytes) {
		*out = NAN;
		return true;
	}
	return r == UX_OK || opcost_fail(c, userexpr_why(r));
}

bool usermodel_cost(const struct usermodel *m, struct op_call *c, struct op_cost *o)
{
	double variable[USERMODEL_VARIABLES];

	*o = (struct op_cost){ .unit = m->unit, .precision = precision_of(m, &c->args) };
	for (uint32_t i = 0; i < m->nvariables; i++) {
		if (!evaluate(m, c, variable, &m->value[i], 0, &variable[i]))
			return false;
		opcost_float(c, o, m->variable[i].p, variable[i]);
	}
	return evaluate(m, c, variable, &m->flops, 0, &o->flops) &&
	       evaluate(m, c, variable, &m->bytes, NAN, &o->bytes) && opcost_check(c, o);
}
