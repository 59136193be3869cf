/*
 * A collective is described by its own arguments or, with other recordings, by those of the
 * operator around its launch (record_param_comms).
 */
#include "analysis/check.h"

#include "trace/model.h"

struct needs {
	uint16_t key[3];
};

static struct needs find_needs(const struct trace *tr)
{
	return (struct needs){ { arg_key_id(tr, STR("Collective name")),
				 arg_key_id(tr, STR("In msg nelems")),
				 arg_key_id(tr, STR("Group size")) } };
}

static bool is_described(const struct trace *tr, event_id e, const struct needs *needs)
{
	struct arg a;

	for (size_t i = 0; i < ARRAY_SIZE(needs->key); i++)
		if (needs->key[i] == UINT16_MAX || !arg_find(tr, e, needs->key[i], &a))
			return false;
	return true;
}

static bool described_above(const struct trace *tr, const struct links *l, event_id launch,
			    const struct needs *needs)
{
	const struct tree *t = l->tree;

	for (node_id i = t->node[launch]; i != NONE; i = t->parent[i])
		if (is_described(tr, t->event[i], needs))
			return true;
	return false;
}

uint32_t check_collectives(struct trace *tr, const struct links *l)
{
	struct needs needs = find_needs(tr);
	uint32_t above = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		event_id e = l->gpu[i];
		if (tr->ev.kind[e] != KIND_COLLECTIVE || is_described(tr, e, &needs))
			continue;
		model_count(tr, COUNT_COMM_NO_ARGS, e);
		above += l->launch[i] != NONE && described_above(tr, l, l->launch[i], &needs);
	}
	return above;
}
