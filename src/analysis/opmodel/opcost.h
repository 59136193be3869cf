/*
 * opcost.h - what an operator had to do: operations and bytes, from its arguments alone.
 *
 * A formula takes the arguments and gives floating-point operations, bytes that must move
 * at the least, the unit that does the work (matrix or vector) and the parameters that
 * went in. Arguments that make no sense give no cost and a reason, never a wrong number.
 *
 * Each formula has its source beside it. Where TraceLens counts otherwise, `original`
 * asks for its number; docs/formats.md lists the differences.
 */
#ifndef ANALYSIS_OPMODEL_OPCOST_H
#define ANALYSIS_OPMODEL_OPCOST_H

#include "analysis/opmodel/opargs.h"
#include "analysis/split_marker.h"

enum op_unit { UNIT_NONE, UNIT_MATRIX, UNIT_VECTOR };

#define OP_PARAMS 28

struct op_cost {
	double flops; /* operations, an add and a multiply are two; NAN: not known */
	double bytes; /* read and written once; NAN: a type is not known */
	enum op_unit unit;
	const char *precision; /* "bf16" ...; NULL if not known */
	uint32_t nparams;
	struct {
		const char *name, *text; /* the text as Python writes the value */
	} param[OP_PARAMS];
};

/* One operator whose cost is asked for. */
struct op_call {
	struct op_args args;
	struct arena *a;
	struct str name;
	struct str kernel;            /* of its first kernel; {NULL, 0} if it has none */
	const struct step_info *step; /* the serving step around it; NULL if there is none */
	bool original;                /* as TraceLens counts */
	const char *why;              /* out: why there is no cost */
};

typedef bool op_formula(struct op_call *c, struct op_cost *out);

/* By the model's name in names.h; NULL if the model has none. */
op_formula *opcost_forward(const char *model);
op_formula *opcost_backward(const char *model);

/*
 * The formula, if the shapes can be; *o is a cost that can be, or there is a reason. As
 * TraceLens counts, what comes of shapes that can be is left as it is.
 */
bool opcost_run(op_formula *formula, struct op_call *c, struct op_cost *o);

/* ---- for the formulas ---- */

/* Fails for what cannot be: negative, not finite, beyond all measure. */
bool opcost_check(struct op_call *c, const struct op_cost *o);

/* Says why and returns false. */
bool opcost_fail(struct op_call *c, const char *why);

void opcost_int(struct op_call *c, struct op_cost *o, const char *name, double v);
void opcost_bool(struct op_call *c, struct op_cost *o, const char *name, bool v);
void opcost_float(struct op_call *c, struct op_cost *o, const char *name, double v);
/* A shape as a tuple, "None" if the slot is not given. */
void opcost_shape(struct op_call *c, struct op_cost *o, const char *name, struct op_shape s);
void opcost_str(struct op_call *c, struct op_cost *o, const char *name, struct str s);
void opcost_none(struct op_cost *o, const char *name);
/* A tuple of types; {NULL, 0} is None. */
void opcost_types(struct op_call *c, struct op_cost *o, const char *name, const struct str *t,
		  uint32_t n);
/* Text ready as it is. */
void opcost_text(struct op_cost *o, const char *name, const char *text);

/* Dim i of a slot; false and a reason if the slot has another rank than wanted (0: any). */
bool opcost_dims(struct op_call *c, uint32_t slot, uint32_t rank, const int64_t **dim);

/* The slot is a tensor, of whatever shape; a scalar has a type at least. */
bool opcost_tensor(struct op_call *c, uint32_t slot);
/* Fails with the reason, but as TraceLens counts everything fits. */
bool opcost_fits(struct op_call *c, bool fits, const char *why);

/* bytes += n * b, or NAN if b is not known (0). */
void opcost_bytes(struct op_cost *o, double n, double per_element);

/* "(True, False)": which operands of a product are transposed, as the name of its kernel tells; or
 * NULL. */
const char *gemm_transposition(struct str kernel);

/* name of the file's family -> its rows; see opcost.c */
struct op_formulas {
	const char *model;
	op_formula *forward, *backward;
};
extern const struct op_formulas gemm_formulas[], sdpa_formulas[], serving_formulas[],
	conv_formulas[], elementwise_formulas[], reduce_formulas[], norm_formulas[],
	rmsnorm_formulas[], moe_formulas[], sequence_formulas[], collective_formulas[],
	quant_formulas[], triton_formulas[];

#endif
