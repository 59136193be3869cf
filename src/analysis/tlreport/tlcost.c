/*
 * The key of a cost is what its formula sees: name, arguments, the name of the kernel that
 * tells the layout of a product, and the annotation of a serving step.
 */
#include "analysis/tlreport/tlcost.h"

#include "analysis/arch.h"
#include "analysis/opmodel/opstep.h"
#include "analysis/pyrepr.h"

#include <ctype.h>
#include <math.h>

enum { TELLS = 1, SILENT = 2 };

struct tlcosts {
	struct strings keys, params;
	uint32_t n, cap;
	struct tlcost **at; /* of each key */
	uint8_t *tells; /* of each string: whether the kernel's name tells a layout; 0: unknown */
	struct opsteps steps;
	uint16_t output_type;
};

struct tlcosts *tlcost_open(struct tlreport *r)
{
	struct tlcosts *c = NEW(&r->scratch, 1, struct tlcosts);

	c->tells = NEW(&r->scratch, r->tr->strings.n, uint8_t);
	c->output_type = arg_key_id(r->tr, STR("Output type"));
	c->steps = opsteps_list(&r->scratch, r->tr);
	return c;
}

void tlcost_close(struct tlcosts *c)
{
	strings_free(&c->keys);
	strings_free(&c->params);
}

/* The name of the first kernel that tells how a product is laid out; NONE. */
static string_id telling_kernel(struct tlreport *r, struct tlwork work)
{
	for (uint32_t i = 0; i < work.n; i++) {
		string_id name = r->tr->ev.name[r->l->gpu[work.gpu[i]]];

		if (name == NONE)
			continue;
		uint8_t *known = &r->costs->tells[name];
		if (!*known)
			*known = gemm_transposition(strings_get(&r->tr->strings, name)) ? TELLS
											: SILENT;
		if (*known == TELLS)
			return name;
	}
	return NONE;
}

/* Numbers, tuples, lists and Python's constants stand bare; texts in quotes. */
static bool is_bare(const char *text)
{
	return isdigit((unsigned char)*text) || (*text && strchr("([-", *text)) ||
	       !strcmp(text, "None") || !strcmp(text, "True") || !strcmp(text, "False");
}

static const char *print_params(const struct op_cost *o, struct arena *scratch, struct arena *keep)
{
	struct textbuf b = { .arena = scratch };

	for (uint32_t i = 0; i < o->nparams; i++) {
		const char *text = o->param[i].text;

		textbuf_add(&b, i ? STR(", '") : STR("{'"));
		textbuf_add(&b, str_of(o->param[i].name));
		textbuf_add(&b, STR("': "));
		if (is_bare(text))
			textbuf_add(&b, str_of(text));
		else
			pyrepr_string(&b, str_of(text));
	}
	textbuf_add(&b, STR("}"));
	return textbuf_keep(&b, keep);
}

static const char *spec_of(const struct op_cost *o, struct arena *a)
{
	if (o->unit == UNIT_NONE || !o->precision)
		return "";
	return arena_print(a, "%s_%s", o->unit == UNIT_MATRIX ? "matrix" : "vector", o->precision);
}

static struct str arg_of(const struct tlreport *r, string_id id)
{
	return id == NONE ? (struct str){ NULL, 0 } : strings_get(&r->tr->strings, id);
}

enum { NAME, DIMS, TYPES, STRIDES, VALUES, OUTPUT, KERNEL, STEP, BACKWARD, KEY_WORDS };

static void evaluate(struct tlreport *r, struct tlcost *out, const struct opmodel *m,
		     const uint32_t *key)
{
	op_formula *formula = key[BACKWARD] ? opcost_backward(m->model) : opcost_forward(m->model);
	struct step_info step = { 0 };
	struct op_call call = { .a = r->arena, .original = true, .name = arg_of(r, key[NAME]) };

	if (!formula) {
		out->why = "there is no formula for it";
		return;
	}
	call.args = op_args_read(arg_of(r, key[DIMS]), arg_of(r, key[TYPES]),
				 arg_of(r, key[STRIDES]), arg_of(r, key[VALUES]), r->arena);
	call.args.output_type = arg_of(r, key[OUTPUT]);
	call.kernel = arg_of(r, key[KERNEL]);
	if (key[STEP] != NONE) {
		step = marker_read(arg_of(r, key[STEP]), NULL);
		call.step = &step;
	}
	out->known = opcost_run(formula, &call, &out->cost);
	out->why = call.why;
	if (!out->known)
		return;
	out->spec = spec_of(&out->cost, r->arena);
	if (out->cost.nparams) {
		out->params = print_params(&out->cost, &r->scratch, r->arena);
		out->number = strings_add(&r->costs->params, out->params, strlen(out->params));
	}
}

static struct tlcost **slot_of(struct tlreport *r, const uint32_t *key)
{
	struct tlcosts *c = r->costs;
	uint32_t before = c->keys.n;
	string_id id = strings_add(&c->keys, (const char *)key, KEY_WORDS * sizeof(*key));

	if (id == before && id == c->cap) {
		struct tlcost **more = NEW(&r->scratch, 2 * (size_t)c->cap + 256, struct tlcost *);
		if (c->cap)
			memcpy(more, c->at, c->cap * sizeof(struct tlcost *));
		c->at = more;
		c->cap = 2 * c->cap + 256;
	}
	return &c->at[id];
}

const struct tlcost *tlcost_of(struct tlreport *r, event_id e, const struct opmodel *m,
			       bool backward, struct tlwork work)
{
	event_id step = NONE;

	/* only of these does the plain report of the original look for a step */
	if (str_starts(trace_name(r->tr, e), STR("vllm::unified_attention_with_output")))
		step = opsteps_around(&r->costs->steps, r->tr, e);
	const uint32_t key[KEY_WORDS] = {
		[NAME] = r->tr->ev.name[e],
		[DIMS] = tlreport_arg_id(r, e, KEY_INPUT_DIMS),
		[TYPES] = tlreport_arg_id(r, e, KEY_INPUT_TYPE),
		[STRIDES] = tlreport_arg_id(r, e, KEY_INPUT_STRIDES),
		[VALUES] = tlreport_arg_id(r, e, KEY_CONCRETE_INPUTS),
		[OUTPUT] = tlreport_arg_id(r, e, r->costs->output_type),
		[KERNEL] = m->family == FAM_GEMM ? telling_kernel(r, work) : NONE,
		[STEP] = step == NONE ? NONE : r->tr->ev.name[step],
		[BACKWARD] = backward,
	};
	struct tlcost **slot = slot_of(r, key);

	if (!*slot) {
		*slot = NEW(&r->scratch, 1, struct tlcost);
		evaluate(r, *slot, m, key);
	}
	return *slot;
}

const char *tlcost_bound(const struct tlmetric *m)
{
	if (isnan(m->roof))
		return NULL;
	return m->compute_bound ? "COMPUTE_BOUND" : "MEMORY_BOUND";
}

static void add_roof(const struct tlreport *r, const struct tlcost *c, struct tlmetric *m)
{
	struct roofline roof = arch_roofline(r->arch, &c->cost);

	if (!roof.known)
		return;
	m->roof = roof.ns / 1000;
	m->compute_bound = roof.compute_bound;
	if (m->time > 0)
		m->roof_percent = 100 * m->roof / m->time;
}

struct tlmetric tlcost_metric(const struct tlreport *r, const struct tlcost *c, double time)
{
	struct tlmetric m = { time, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false };

	if (!c || !c->known)
		return m;
	double seconds = time / 1e6;
	add_roof(r, c, &m);
	m.gflops = c->cost.flops / 1e9;
	m.mb = c->cost.bytes / (1 << 20);
	m.intensity = c->cost.bytes > 0 ? c->cost.flops / c->cost.bytes : NAN;
	if (time > 0) {
		m.tflops = c->cost.flops / 1e12 / seconds;
		m.tbs = c->cost.bytes / 1e12 / seconds;
	}
	return m;
}
