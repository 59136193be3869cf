/*
 * names.h - what is known of an operator by its name alone.
 *
 * The list is data: operators whose work can be modelled (they own all GPU work below
 * them) with the model that does it, and operators that only have a category. Names
 * match exactly; the kernels that Inductor generates match by their prefix.
 */
#ifndef ANALYSIS_OPMODEL_NAMES_H
#define ANALYSIS_OPMODEL_NAMES_H

#include "base/str.h"

enum op_category {
	CAT_NONE,
	CAT_CONV_BWD,
	CAT_CONV_FWD,
	CAT_CROSS_ENTROPY_BWD,
	CAT_CROSS_ENTROPY_FWD,
	CAT_CUSTOM_COLLECTIVE,
	CAT_FUSED_ROPE,
	CAT_GEMM,
	CAT_GROUP_QUANT,
	CAT_GROUPED_GEMM_BWD,
	CAT_GROUPED_GEMM_FWD,
	CAT_INFERENCE_ATTENTION,
	CAT_MHC,
	CAT_MOE_AUX,
	CAT_MOE_COMM_BWD,
	CAT_MOE_COMM_FWD,
	CAT_MOE_FUSED,
	CAT_MOE_UNFUSED,
	CAT_NORM_BWD,
	CAT_NORM_FWD,
	CAT_RMSNORM,
	CAT_ROPE_BWD,
	CAT_ROPE_FWD,
	CAT_SDPA_BWD,
	CAT_SDPA_FWD,
	CAT_SSM_BWD,
	CAT_SSM_FWD,
	CAT_ELEMENTWISE,
	CAT_REDUCE,
	CAT_TRITON,
	/* told by kernels and launches, not by the list */
	CAT_MULTI_TENSOR_APPLY,
	CAT_RECORD_PARAM_COMMS,
	CAT_COMMUNICATION,
	CAT_OTHER,
	CAT_UNLINKED,
	OP_CATEGORIES
};

enum op_family { /* the sheet of the model's parameters */
		 FAM_NONE,
		 FAM_BINARY,
		 FAM_COLLECTIVE,
		 FAM_CONV,
		 FAM_CROSS_ENTROPY,
		 FAM_ELEMENTWISE,
		 FAM_FUSED_ROPE,
		 FAM_GEMM,
		 FAM_GROUP_QUANT,
		 FAM_GROUPED_GEMM,
		 FAM_INFERENCE_ATTENTION,
		 FAM_MHC,
		 FAM_MOE_AUX,
		 FAM_MOE_COMM,
		 FAM_MOE_FUSED,
		 FAM_MOE_UNFUSED,
		 FAM_NORM,
		 FAM_REDUCE,
		 FAM_RMSNORM,
		 FAM_ROPE,
		 FAM_SDPA,
		 FAM_SSM,
		 FAM_TRITON,
		 FAM_UNARY,
		 FAM_USER, /* usermodel.h */
};

struct opmodel {
	const char *name;
	const char *model; /* which formulas; NULL: a category and no more */
	uint8_t category;  /* enum op_category */
	uint8_t backward;  /* the category of its backward pass, or CAT_NONE */
	uint8_t family;    /* enum op_family */
};

/* NULL if the name is in no list. */
const struct opmodel *opmodel_find(struct str name);
/* Entries have numbers from 1, for who keeps many; 0 is none. */
uint16_t opmodel_number(const struct opmodel *m);
const struct opmodel *opmodel_numbered(uint16_t number);
/* Of one kernel of an operator: "<source>-><kernel> (Synthetic Op)". Few sources have such entries.
 */
const struct opmodel *opmodel_find_synthetic(struct str source, struct str kernel);
bool opmodel_has_synthetic(struct str source);
/* Its backward pass can be computed from the forward operator alone. */
bool opmodel_has_backward(const struct opmodel *m);

/* "GEMM", "SDPA_fwd" ...; NULL for CAT_NONE. */
const char *op_category_name(enum op_category c);

#endif
