/*
 * A backward operator stands below a wrapper named "autograd::engine::evaluate_function:
 * XBackward0", whose forward operator the sequence numbers give:
 *
 *	forward F  <- - - pairs - - -  wrapper W
 *	                               └── XBackward0        the name after ": "
 *	                                   └── the operator asked about, at most five up
 */
#include "analysis/ops_model.h"

#define WRAPPER     "autograd::engine::evaluate_function:"
#define CLIMB_LIMIT 5

enum name_class {
	NAME_ASKED = 1 << 0,
	NAME_WRAPPER = 1 << 2,     /* of a backward operator */
	NAME_ELEMENTWISE = 1 << 3, /* kernels of "void at::native::..." */
	NAME_REDUCE = 1 << 4,
	NAME_MULTI_TENSOR = 1 << 5,
	NAME_TRITON = 1 << 6,
	NAME_COMMS = 1 << 7,     /* record_param_comms */
	NAME_SYNTHETIC = 1 << 8, /* some of its single kernels are listed */
};

struct ops_model ops_model_new(struct arena *a, struct trace *tr, const struct links *l)
{
	return (struct ops_model){
		.tr = tr,
		.l = l,
		.entry = NEW(a, tr->strings.n, uint16_t),
		.name_class = NEW(a, tr->strings.n, uint16_t),
	};
}

void ops_model_use(struct ops_model *m, struct arena *a, const struct usermodels *user)
{
	m->user = user;
	if (user)
		m->user_entry = NEW(a, m->tr->strings.n, const struct usermodel *);
}

static uint16_t classify_kernel(struct str name)
{
	if (!str_starts(name, STR("void at::native")))
		return 0;
	if (str_contains(name, STR("elementwise")))
		return NAME_ELEMENTWISE;
	if (str_contains(name, STR("reduce")))
		return NAME_REDUCE;
	return str_contains(name, STR("multi_tensor_apply")) ? NAME_MULTI_TENSOR : 0;
}

static uint16_t classify(struct str name)
{
	uint16_t c = NAME_ASKED | classify_kernel(name);

	if (str_starts(name, STR(WRAPPER)))
		c |= NAME_WRAPPER;
	if (str_starts(name, STR("triton")))
		c |= NAME_TRITON;
	if (str_eq(name, STR("record_param_comms")))
		c |= NAME_COMMS;
	if (opmodel_has_synthetic(name))
		c |= NAME_SYNTHETIC;
	return c;
}

static uint16_t class_of(struct ops_model *m, event_id e)
{
	string_id name = m->tr->ev.name[e];

	if (name == NONE)
		return NAME_ASKED;
	if (!m->name_class[name]) {
		struct str text = strings_get(&m->tr->strings, name);
		m->name_class[name] = classify(text);
		m->entry[name] = opmodel_number(opmodel_find(text));
		if (m->user)
			m->user_entry[name] = usermodels_find(m->user, text);
	}
	return m->name_class[name];
}

/* A list that is there and not empty. */
static bool filled(struct str list)
{
	return list.n > 2 && list.p[0] == '[';
}

/* Is one of the quoted items of the list an integer? */
static bool has_scalar(struct str list)
{
	int64_t unused;

	for (const char *p = list.p, *end = p + list.n; (p = memchr(p, '"', (size_t)(end - p)));) {
		const char *from = ++p;
		p = memchr(p, '"', (size_t)(end - p));
		if (!p)
			return false;
		if (str_i64((struct str){ from, (size_t)(p++ - from) }, &unused))
			return true;
	}
	return false;
}

/* A generated kernel tells its size by its arguments only. */
static bool inductor_args_tell(const struct trace *tr, event_id e)
{
	return filled(arg_text(tr, e, KEY_INPUT_DIMS)) && filled(arg_text(tr, e, KEY_INPUT_TYPE)) &&
	       has_scalar(arg_text(tr, e, KEY_CONCRETE_INPUTS));
}

static const struct opmodel *entry_of(struct ops_model *m, event_id e)
{
	string_id name = m->tr->ev.name[e];

	class_of(m, e);
	return name == NONE ? NULL : opmodel_numbered(m->entry[name]);
}

static const struct opmodel *model_of_event(struct ops_model *m, event_id e)
{
	const struct opmodel *entry = entry_of(m, e);
	string_id name = m->tr->ev.name[e];

	if (m->user && name != NONE && m->user_entry[name])
		return &m->user_entry[name]->op;
	if (!entry || !entry->model)
		return NULL;
	return entry->family != FAM_TRITON || inductor_args_tell(m->tr, e) ? entry : NULL;
}

const struct opmodel *ops_model_of(struct ops_model *m, node_id op)
{
	return model_of_event(m, m->l->tree->event[op]);
}

bool ops_model_has(void *model, node_id op)
{
	struct ops_model *m = model;

	return ops_model_of(m, op) != NULL;
}

/* Python frames do not count as steps, so that recording them changes nothing. */
static node_id wrapper_above(struct ops_model *m, node_id op)
{
	const struct tree *t = m->l->tree;
	node_id i = t->parent[op];

	for (int steps = 0; i != NONE && steps < CLIMB_LIMIT; i = t->parent[i]) {
		if (m->tr->ev.kind[t->event[i]] == KIND_PYTHON)
			continue;
		steps++;
		if (!(class_of(m, t->event[i]) & NAME_WRAPPER))
			continue;
		if (!m->pairs)
			m->pairs = trace_pairs(m->tr);
		if (m->pairs->forward[t->event[i]] != NONE)
			return i;
	}
	return NONE;
}

/* "XBackward0" of "autograd::engine::evaluate_function: XBackward0"; {NULL, 0}: any name. */
static struct str wrapped_name(struct str wrapper)
{
	const char *colon = memmem(wrapper.p, wrapper.n, ": ", 2);

	if (!colon)
		return (struct str){ NULL, 0 };
	return (struct str){ colon + 2, wrapper.n - (size_t)(colon + 2 - wrapper.p) };
}

/* Does exactly one operator of the wrapped name launch below `wrapper`, by operators alone? */
static bool is_sole(const struct ops_model *m, node_id wrapper)
{
	const struct tree *t = m->l->tree;
	struct str name = wrapped_name(trace_name(m->tr, t->event[wrapper]));
	uint32_t found = 0;

	for (node_id i = wrapper + 1; i < t->end[wrapper];) {
		event_id e = t->event[i];
		bool launches = m->l->first[i] < m->l->first[t->end[i]];

		if (!launches || m->tr->ev.kind[e] == KIND_RUNTIME) {
			i = t->end[i];
			continue;
		}
		if (m->tr->ev.kind[e] == KIND_CPU_OP)
			found += !name.p || str_eq(trace_name(m->tr, e), name);
		i++;
	}
	return found == 1;
}

const struct opmodel *ops_model_backward(struct ops_model *m, node_id op)
{
	node_id wrapper = wrapper_above(m, op);

	if (wrapper == NONE)
		return NULL;
	event_id forward = m->pairs->forward[m->l->tree->event[wrapper]];
	const struct opmodel *model = model_of_event(m, forward);
	return model && opmodel_has_backward(model) && is_sole(m, wrapper) ? model : NULL;
}

bool ops_model_has_backward(void *model, node_id op)
{
	return ops_model_backward(model, op) != NULL;
}

static enum op_category category_by_kernel(struct ops_model *m, event_id kernel)
{
	uint16_t c = class_of(m, kernel);

	if (c & NAME_ELEMENTWISE)
		return CAT_ELEMENTWISE;
	if (c & NAME_REDUCE)
		return CAT_REDUCE;
	if (c & NAME_MULTI_TENSOR)
		return CAT_MULTI_TENSOR_APPLY;
	return gpu_class(m->tr, kernel) == GPU_COMM ? CAT_COMMUNICATION : CAT_OTHER;
}

static const struct opmodel *synthetic_entry(struct ops_model *m, event_id source, event_id kernel)
{
	if (!(class_of(m, source) & NAME_SYNTHETIC))
		return NULL;
	return opmodel_find_synthetic(trace_name(m->tr, source), trace_name(m->tr, kernel));
}

enum op_category ops_model_category(struct ops_model *m, node_id op, bool synthetic,
				    event_id kernel)
{
	if (op == NONE)
		return CAT_UNLINKED;
	event_id e = m->l->tree->event[op];

	const struct opmodel *entry = synthetic ? synthetic_entry(m, e, kernel) : entry_of(m, e);
	if (entry)
		return entry->category;
	const struct opmodel *forward = synthetic ? NULL : ops_model_backward(m, op);
	if (forward)
		return forward->backward;
	if (class_of(m, e) & NAME_TRITON)
		return CAT_TRITON;
	if (class_of(m, e) & NAME_COMMS)
		return CAT_RECORD_PARAM_COMMS;
	return category_by_kernel(m, kernel);
}
