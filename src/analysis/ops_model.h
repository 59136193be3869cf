/*
 * ops_model.h - which operators of a trace have a model, and what category a row is of.
 *
 * Answers by name are kept per distinct name, so asking per event costs a load.
 */
#ifndef ANALYSIS_OPS_MODEL_H
#define ANALYSIS_OPS_MODEL_H

#include "analysis/opmodel/names.h"
#include "analysis/opmodel/usermodel.h"
#include "trace/link.h"
#include "trace/pair.h"

struct ops_model {
	struct trace *tr;
	const struct links *l;
	const struct pairs *pairs; /* asked for when the first backward wrapper is met */
	uint16_t *entry;           /* of each string: opmodel_number(), once name_class is known */
	uint16_t *name_class;      /* of each string: enum name_class bits, 0: not asked yet */
	const struct usermodels *user;
	const struct usermodel **user_entry; /* of each string, likewise; NULL without any */
};

struct ops_model ops_model_new(struct arena *a, struct trace *tr, const struct links *l);

/* A user's models come before ours. */
void ops_model_use(struct ops_model *m, struct arena *a, const struct usermodels *user);

/* The entry of the operator's name, if its model can work on this operator; or NULL. */
const struct opmodel *ops_model_of(struct ops_model *m, node_id op);
/*
 * The model of the forward operator whose backward pass `op` is, if that model knows
 * backward passes and `op` is the only operator of its name to launch there; or NULL.
 */
const struct opmodel *ops_model_backward(struct ops_model *m, node_id op);

/* By the name of the operator, else by its forward operator, else by the first of its kernels. */
enum op_category ops_model_category(struct ops_model *m, node_id op, bool synthetic,
				    event_id kernel);

/* For struct ops_rules. */
bool ops_model_has(void *model, node_id op);
bool ops_model_has_backward(void *model, node_id op);

#endif
