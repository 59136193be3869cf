/*
 * One sheet per family of models: all operators of the family, at any depth and with or
 * without work, grouped by name and by what went into the formula. Most families have a
 * sheet of forward and one of backward passes.
 */
#include "analysis/tlreport/tlcost.h"
#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tlkernels.h"
#include "analysis/tlreport/tltable.h"

#include <math.h>

static const struct {
	const char *name;
	enum op_family family;
	bool one; /* forward and backward are not told apart */
} sheets[] = {
	{ "GEMM", FAM_GEMM, true },
	{ "SDPA", FAM_SDPA, false },
	{ "CONV", FAM_CONV, false },
	{ "InferenceAttention", FAM_INFERENCE_ATTENTION, false },
	{ "BinaryElementwise", FAM_BINARY, true },
	{ "GroupedGEMM", FAM_GROUPED_GEMM, false },
	{ "MoE_comm", FAM_MOE_COMM, false },
	{ "SSM", FAM_SSM, false },
	{ "RoPE", FAM_ROPE, false },
	{ "CrossEntropy", FAM_CROSS_ENTROPY, false },
	{ "UnaryElementwise", FAM_UNARY, true },
	{ "MoE_fused", FAM_MOE_FUSED, false },
	{ "MoE_unfused", FAM_MOE_UNFUSED, false },
	{ "MoE_aux", FAM_MOE_AUX, false },
	{ "RMSNorm", FAM_RMSNORM, false },
	{ "elementwise", FAM_ELEMENTWISE, false },
	{ "GroupQuant", FAM_GROUP_QUANT, false },
	{ "FusedRoPE", FAM_FUSED_ROPE, false },
	{ "CustomCollective", FAM_COLLECTIVE, false },
	{ "mHC", FAM_MHC, false },
	{ "Normalization", FAM_NORM, true },
	{ "Reduce", FAM_REDUCE, false },
};

struct occurrence {
	event_id event;
	struct tlwork work;
	const struct tlcost *cost;
	struct tlmetric metric;
};

struct sheet {
	struct tlreport *r;
	const char *name;
	uint32_t n;
	struct occurrence *at;
	struct tlgroups g;
};

/* Operators that are backward passes themselves stand in the sheet of backward passes. */
static bool is_own_backward(struct str name)
{
	return str_eq(name, STR("flash_attn::_flash_attn_varlen_backward")) ||
	       str_eq(name, STR("aten::convolution_backward")) ||
	       str_eq(name, STR("ConvBias_Backward")) || str_eq(name, STR("ConvBiasReLU_Backward"));
}

/* Their backward passes have operators of their own in the sheet. */
static bool has_own_backward(struct str name)
{
	return str_eq(name, STR("aten::convolution")) ||
	       str_eq(name, STR("aten::miopen_convolution")) ||
	       str_eq(name, STR("aten::cudnn_convolution")) || str_eq(name, STR("ConvBias_")) ||
	       str_eq(name, STR("ConvBiasReLU_")) ||
	       str_eq(name, STR("vllm::unified_attention_with_output"));
}

static void add(struct sheet *s, event_id e, const struct opmodel *m, bool backward,
		struct tlwork work)
{
	const struct tlcost *c = tlcost_of(s->r, e, m, backward, work);

	if (!c->known)
		return;
	struct tlmetric metric = tlcost_metric(s->r, c, tlreport_busy(s->r, work));
	if (!work.n)
		metric.time = 0;
	s->at[s->n++] = (struct occurrence){ e, work, c, metric };
}

static struct tlwork work_of(struct tlreport *r, event_id e)
{
	node_id node = r->t->node[e];

	return node == NONE ? (struct tlwork){ 0, NULL } : tlreport_below(r, node);
}

static void group(struct sheet *s)
{
	uint32_t *key = NEW(&s->r->scratch, 4 * (size_t)s->n, uint32_t);

	for (uint32_t i = 0; i < s->n; i++) {
		key[4 * i] = s->r->tr->ev.name[s->at[i].event];
		key[4 * i + 1] = s->at[i].cost->params ? s->at[i].cost->number : NONE;
		key[4 * i + 2] = tlreport_recomputed(s->r, s->at[i].event);
		key[4 * i + 3] = s->r->o.num_kernels ? s->at[i].work.n : 0;
	}
	s->g = tlgroup_by(&s->r->scratch, key, 4, s->n);
}

static const struct occurrence *first_of(const struct sheet *s, uint32_t g)
{
	return &s->at[s->g.row[s->g.first[g]]];
}

#define PARAMS_MAX 128

/* The parameters of all formulas in the sheet, as they are met first. */
static uint32_t list_params(const struct sheet *s, const char **names)
{
	uint32_t n = 0;

	for (uint32_t g = 0; g < s->g.n; g++) {
		const struct op_cost *c = &first_of(s, g)->cost->cost;

		for (uint32_t p = 0; p < c->nparams && n < PARAMS_MAX; p++) {
			uint32_t k = 0;

			while (k < n && strcmp(names[k], c->param[p].name) != 0)
				k++;
			if (k == n)
				names[n++] = c->param[p].name;
		}
	}
	return n;
}

static const char *param_text(const struct op_cost *c, const char *name)
{
	for (uint32_t p = 0; p < c->nparams; p++)
		if (!strcmp(c->param[p].name, name))
			return c->param[p].text;
	return "nan"; /* as pandas prints what is not there */
}

static void add_params(struct tltable *t, const struct sheet *s)
{
	const char *names[PARAMS_MAX];
	uint32_t n = list_params(s, names);

	for (uint32_t p = 0; p < n; p++) {
		const char **cells = tltable_text(t,
						  arena_print(s->r->arena, "param: %s", names[p]));

		for (uint32_t i = 0; i < t->n; i++)
			cells[i] = param_text(&first_of(s, t->order[i])->cost->cost, names[p]);
	}
}

enum figure { TIME, TBS, TFLOPS, ROOF_PERCENT, FIGURES };

static struct tlstat *stats(const struct sheet *s, enum figure f)
{
	struct tlstat *out = NEW(&s->r->scratch, s->g.n, struct tlstat);
	double *value = NEW(&s->r->scratch, s->n, double);

	for (uint32_t i = 0; i < s->g.n; i++) {
		uint32_t n = 0;

		for (uint32_t k = s->g.first[i]; k < s->g.first[i + 1]; k++) {
			const struct tlmetric *m = &s->at[s->g.row[k]].metric;
			value[n++] = f == TIME     ? m->time
				     : f == TBS    ? m->tbs
				     : f == TFLOPS ? m->tflops
						   : m->roof_percent;
		}
		out[i] = tlstat_of(value, n, value);
	}
	return out;
}

static void add_costs(struct tltable *t, const struct sheet *s)
{
	double *gflops = tltable_f64(t, "GFLOPS_first"),
	       *mb = tltable_f64(t, "Data Moved (MB)_first"),
	       *intensity = tltable_f64(t, "FLOPS/Byte_first");

	for (uint32_t i = 0; i < t->n; i++) {
		const struct tlmetric *m = &first_of(s, t->order[i])->metric;

		gflops[i] = m->gflops;
		mb[i] = m->mb;
		intensity[i] = m->intensity;
	}
}

static void add_places(struct tltable *t, const struct sheet *s)
{
	struct tlreport *r = s->r;
	const char **process = tltable_text(t, "process_name_first"),
		   **label = tltable_text(t, "process_label_first"),
		   **thread = tltable_text(t, "thread_name_first"),
		   **spec = tltable_text(t, "Compute Spec");

	for (uint32_t i = 0; i < t->n; i++) {
		const struct occurrence *o = first_of(s, t->order[i]);

		process[i] = tlreport_process(r, o->event);
		label[i] = tlreport_label(r, o->event);
		thread[i] = tlreport_thread(r, o->event);
		spec[i] = *o->cost->spec ? o->cost->spec : NULL;
	}
}

static void add_kernels(struct tltable *t, const struct sheet *s)
{
	struct tlreport *r = s->r;
	const char **full = tltable_text(t, "kernel_details__summarize_kernel_stats"),
		   **trunc = tltable_text(t, "trunc_kernel_details");
	struct tlwork *work = NEW(&r->scratch, s->n, struct tlwork);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t g = t->order[i], n = 0;

		for (uint32_t k = s->g.first[g]; k < s->g.first[g + 1]; k++)
			work[n++] = s->at[s->g.row[k]].work;
		struct tlkernels text = tlkernels_text(r, work, n);
		full[i] = text.full ? text.full : "[]";
		trunc[i] = text.trunc;
	}
}

static void add_roof(struct tltable *t, const struct sheet *s, const struct tlstat *percent)
{
	if (!s->r->arch)
		return;
	double *roof = tltable_f64(t, "Roofline Time (\u00b5s)_first");
	const char **bound = tltable_text(t, "Roofline Bound_first");

	for (uint32_t i = 0; i < t->n; i++) {
		const struct tlmetric *m = &first_of(s, t->order[i])->metric;
		roof[i] = m->roof;
		bound[i] = tlcost_bound(m);
	}
	tltable_stats(t, "Pct Roofline", percent, tlstat_five);
}

static void add_numbers(struct tltable *t, const struct sheet *s)
{
	if (!s->r->o.num_kernels)
		return;
	int64_t *n = tltable_i64(t, "num_kernels");

	for (uint32_t i = 0; i < t->n; i++)
		n[i] = first_of(s, t->order[i])->work.n;
}

static void add_args(struct tltable *t, const struct sheet *s)
{
	static const struct {
		const char *name;
		uint16_t key;
	} args[] = {
		{ "Input Dims_first", KEY_INPUT_DIMS },
		{ "Input type_first", KEY_INPUT_TYPE },
		{ "Input Strides_first", KEY_INPUT_STRIDES },
		{ "Concrete Inputs_first", KEY_CONCRETE_INPUTS },
	};

	for (size_t a = 0; a < ARRAY_SIZE(args); a++) {
		const char **cells = tltable_text(t, args[a].name);

		for (uint32_t i = 0; i < t->n; i++)
			cells[i] = tlreport_arg(s->r, first_of(s, t->order[i])->event, args[a].key,
						false);
	}
}

#define TIME_NAME "Kernel Time (\u00b5s)"

static void write_sheet(struct sheet *s)
{
	struct tlreport *r = s->r;
	struct tlstat *stat[FIGURES];
	double *sum = NEW(&r->scratch, s->g.n, double);
	int64_t *first = NEW(&r->scratch, s->g.n, int64_t);

	for (int f = 0; f < FIGURES; f++)
		stat[f] = stats(s, f);
	for (uint32_t i = 0; i < s->g.n; i++) {
		sum[i] = stat[TIME][i].v[TLSTAT_SUM];
		first[i] = first_of(s, i)->event;
	}
	struct tltable t = tltable_new(r, s->name, s->g.n,
				       tlgroup_order(&r->scratch, s->g.n, sum, first));
	const char **name = tltable_text(&t, "name");
	add_params(&t, s);
	event_id *example = NEW(&r->scratch, t.n, event_id);
	for (uint32_t i = 0; i < t.n; i++)
		example[i] = first_of(s, t.order[i])->event;
	add_numbers(&t, s);
	tltable_recompute(&t, example);
	add_costs(&t, s);
	tltable_stats(&t, "TB/s", stat[TBS], tlstat_five);
	tltable_stats(&t, "TFLOPS/s", stat[TFLOPS], tlstat_five);
	add_places(&t, s);
	add_roof(&t, s, stat[ROOF_PERCENT]);
	add_kernels(&t, s);
	add_args(&t, s);
	tltable_stats(&t, TIME_NAME, stat[TIME], tlstat_five);
	tltable_stat(&t, TIME_NAME "_sum", stat[TIME], TLSTAT_SUM);
	int64_t *count = tltable_i64(&t, "name_count"), *uid = tltable_i64(&t, "UID_first");
	for (uint32_t i = 0; i < t.n; i++) {
		uint32_t g = t.order[i];

		name[i] = trace_name(r->tr, first_of(s, g)->event).p;
		count[i] = s->g.first[g + 1] - s->g.first[g];
		uid[i] = first[g];
	}
}

/* Operators of each family, in the order of the file. */
struct members {
	uint32_t n[FAM_UNARY + 1];
	event_id *at[FAM_UNARY + 1];
};

static struct members list_members(struct tlreport *r)
{
	struct members m = { 0 };
	uint16_t *number = NEW(&r->scratch, r->tr->strings.n, uint16_t);

	for (string_id s = 0; s < r->tr->strings.n; s++)
		number[s] = opmodel_number(opmodel_find(strings_get(&r->tr->strings, s)));
	for (int fill = 0; fill < 2; fill++) {
		memset(m.n, 0, sizeof(m.n));
		for (event_id e = 0; e < r->tr->ev.n; e++) {
			string_id name = r->tr->ev.name[e];
			const struct opmodel *model = name == NONE ? NULL
								   : opmodel_numbered(number[name]);

			if (!model || !model->model || !trace_slice(r->tr, e) ||
			    kind_is_on_gpu(r->tr->ev.kind[e]))
				continue;
			if (fill)
				m.at[model->family][m.n[model->family]] = e;
			m.n[model->family]++;
		}
		for (int f = 0; !fill && f <= FAM_UNARY; f++)
			m.at[f] = NEW(&r->scratch, m.n[f], event_id);
	}
	return m;
}

static void make_sheet(struct tlreport *r, const struct members *m, size_t i, bool backward)
{
	enum op_family family = sheets[i].family;
	struct sheet s = { .r = r, .name = sheets[i].name };

	if (!sheets[i].one)
		s.name = arena_print(r->arena, "%s_%s", s.name, backward ? "bwd" : "fwd");
	s.at = NEW(&r->scratch, m->n[family], struct occurrence);
	for (uint32_t k = 0; k < m->n[family]; k++) {
		event_id e = m->at[family][k];
		struct str name = trace_name(r->tr, e);
		const struct opmodel *model = opmodel_find(name);

		if (sheets[i].one || is_own_backward(name) == backward) {
			if (sheets[i].one || !backward || is_own_backward(name))
				add(&s, e, model, false, work_of(r, e));
		} else if (backward && !has_own_backward(name)) {
			struct tlwork work = tlunified_backward(r, e);
			if (work.n)
				add(&s, e, model, true, work);
		}
	}
	if (!s.n)
		return;
	group(&s);
	write_sheet(&s);
}

void tlsheets(struct tlreport *r)
{
	struct members m = list_members(r);

	for (size_t i = 0; i < ARRAY_SIZE(sheets); i++) {
		make_sheet(r, &m, i, false);
		if (!sheets[i].one)
			make_sheet(r, &m, i, true);
	}
}
