/*
 * opargs.h - the arguments of an operator: shapes, types, strides, concrete values.
 *
 * Read once per distinct set of arguments. A slot that is no tensor has rank 0; a list of
 * tensors keeps its JSON. What a trace does not say is missing, never zero.
 */
#ifndef ANALYSIS_OPMODEL_OPARGS_H
#define ANALYSIS_OPMODEL_OPARGS_H

#include "base/arena.h"
#include "base/str.h"

struct op_shape {
	uint32_t rank;
	const int64_t *dim;
	bool nested; /* a list of shapes: dim is empty */
	bool given;  /* the slot is in the trace, empty or not */
};

struct op_args {
	uint32_t nshapes, ntypes, nstrides, nvalues;
	const struct op_shape *shape, *stride;
	const struct str *type;  /* as in the trace */
	const struct str *value; /* concrete inputs, quotes off */
	bool has_strides;        /* the trace records strides at all */
	struct str output_type;  /* {NULL, 0} if missing */
};

/* Each is raw JSON, or {NULL, 0} if the event has no such argument. */
struct op_args op_args_read(struct str dims, struct str types, struct str strides,
			    struct str concrete, struct arena *a);

/* Slots past the end are empty. */
struct op_shape op_shape_at(const struct op_args *x, uint32_t slot);
struct op_shape op_stride_at(const struct op_args *x, uint32_t slot);
struct str op_type_at(const struct op_args *x, uint32_t slot);
struct str op_value_at(const struct op_args *x, uint32_t slot);

/* The product of the dims, 1 for a scalar; NAN if it is no product of counts. */
double op_elements(struct op_shape s);
/* "[2, 3]" or "2" as a shape; false if it is neither. */
bool op_parse_list(struct str text, struct arena *a, struct op_shape *out);
/* An integer in text; `missing` for an empty one; false if it is something else. */
bool op_parse_int(struct str text, int64_t missing, int64_t *out);
/* "True", "true", "1"; all else is false. */
bool op_parse_bool(struct str text, bool missing);

/* Bytes of an element; 0: not known (bool, complex, no tensor ...). */
double op_type_bytes(struct str type);
/* "bf16", "fp32" ...; NULL if not known. */
const char *op_type_precision(struct str type);

#endif
