/*
 * usermodel.h - models of a user's own operators, from a file.
 *
 *	[mylib::attention*]              a name, a pattern with *, or /a regular expression/
 *	heads = in0[1]                   a name for what follows
 *	flops = 4 * heads * in0[2] * in1[2] * in0[3]
 *	bytes = bytes(in0) + bytes(in1) + bytes(in2)
 *	unit  = matrix                   matrix or vector; without it there is no roofline
 *	type  = in0                      whose type the unit works in, or a type: bf16
 *
 * The first model whose pattern fits an operator's name is its model, before ours.
 */
#ifndef ANALYSIS_OPMODEL_USERMODEL_H
#define ANALYSIS_OPMODEL_USERMODEL_H

#include "analysis/opmodel/names.h"
#include "analysis/opmodel/opcost.h"
#include "analysis/opmodel/userexpr.h"

#include <regex.h>

#define USERMODEL_VARIABLES 24

struct usermodel {
	struct opmodel op; /* first: where an operator's model is asked for; of FAM_USER */
	const char *pattern;
	enum { USERMODEL_EXACT, USERMODEL_GLOB, USERMODEL_REGEX } how;
	regex_t regex;
	uint32_t nvariables;
	struct str variable[USERMODEL_VARIABLES];
	struct userexpr value[USERMODEL_VARIABLES], flops, bytes;
	enum op_unit unit;
	uint32_t type_slot;    /* NONE: the first with a known type */
	const char *precision; /* "bf16"; NULL: by the slot */
};

struct usermodels {
	uint32_t n;
	struct usermodel **at; /* as in the file */
};

/* NULL and "path:line:column: expected ..., found ... in "...". */
struct usermodels *usermodels_read(const char *path, struct arena *a, struct lp_error *err);
struct usermodels *usermodels_read_memory(const char *path, const void *text, size_t n,
					  struct arena *a, struct lp_error *err);
/* Of regular expressions; the rest is the arena's. */
void usermodels_free(struct usermodels *u);

/* NULL if none fits. */
const struct usermodel *usermodels_find(const struct usermodels *u, struct str name);
bool usermodel_cost(const struct usermodel *m, struct op_call *c, struct op_cost *o);

#endif
