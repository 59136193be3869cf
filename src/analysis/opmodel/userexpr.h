/*
 * userexpr.h - a formula of a user: numbers, shapes and values of an operator's inputs.
 *
 *	2 * in0[0] * in0[1] * in1[-1] + if(has(in2), in1[-1], 0)
 *
 * Compiled once to code for a stack machine; evaluating allocates nothing and cannot fail
 * but for the operator's arguments, with a reason. Expressions nest to a depth that is
 * bounded, and so is the stack.
 */
#ifndef ANALYSIS_OPMODEL_USEREXPR_H
#define ANALYSIS_OPMODEL_USEREXPR_H

#include "analysis/opmodel/opargs.h"
#include "base/error.h"

#define USEREXPR_DEPTH 48 /* of brackets in brackets */
#define USEREXPR_STACK 256

enum userexpr_op {
	UX_NUMBER,
	UX_VARIABLE, /* slot: which */
	UX_DIM,      /* of input `slot`: a, negative from the end */
	UX_NUMEL,
	UX_SIZE, /* bytes of an element */
	UX_BYTES,
	UX_RANK,
	UX_HAS,
	UX_PROD,  /* of the dimensions [a, b) */
	UX_VALUE, /* of the concrete input `slot`, as a number */
	UX_ITEM,  /* a of it, as a list */
	UX_NEGATE,
	UX_NOT,
	UX_ADD,
	UX_SUBTRACT,
	UX_MULTIPLY,
	UX_DIVIDE,
	UX_MODULO,
	UX_LESS,
	UX_LESS_EQUAL,
	UX_GREATER,
	UX_GREATER_EQUAL,
	UX_EQUAL,
	UX_NOT_EQUAL,
	UX_AND,
	UX_OR,
	UX_MIN,
	UX_MAX,
	UX_CEIL,
	UX_FLOOR,
	UX_SQRT,
	UX_LOG2,
	UX_JUMP,        /* to code a */
	UX_JUMP_UNLESS, /* takes a number */
};

#define UX_END INT32_MAX /* b of UX_PROD: to the last dimension */

struct userexpr_code {
	enum userexpr_op op;
	uint32_t slot;
	int32_t a, b;
	double number;
};

struct userexpr {
	uint32_t n;
	struct userexpr_code *code; /* NULL: there is none */
};

/* Where a text stands, for messages. */
struct userexpr_place {
	const char *path;
	uint32_t line;
	struct str text; /* of the line */
};

/*
 * The expression at `from` of the line. Variables are told by name, in the order of their
 * values at evaluation. False and "path:line:column: expected ..., found ... in "...".
 */
bool userexpr_compile(struct userexpr_place at, size_t from, const struct str *variable,
		      uint32_t nvariables, struct arena *a, struct userexpr *out,
		      struct lp_error *err);
/* Fills err with a place in the line; returns false. */
bool userexpr_error(struct userexpr_place at, size_t column, struct lp_error *err,
		    const char *what);

enum userexpr_result {
	UX_OK,
	UX_UNKNOWN_SIZE, /* of an element */
	UX_NO_INPUT,
	UX_NO_DIM,
	UX_NO_NUMBER,
	UX_ZERO,
	UX_TOO_LARGE,
};

enum userexpr_result userexpr_eval(const struct userexpr *e, const struct op_args *x,
				   const double *variable, struct arena *a, double *out);
/* A sentence without a point; a literal. */
const char *userexpr_why(enum userexpr_result r);

#endif
