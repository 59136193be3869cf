/*
 * unified_perf_summary: every kernel is owned by exactly one row (ops_own.h), rows with
 * equal texts are one line. Rows are numbered as the original collects them: root by root,
 * operators in preorder, single kernels of an operator after all that is below it.
 */
#include "algo/sort.h"
#include "analysis/ops_own.h"
#include "analysis/tlreport/tlcost.h"
#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tlkernels.h"
#include "analysis/tlreport/tlstack.h"
#include "analysis/tlreport/tltable.h"

#include <math.h>

struct row {
	node_id node;
	bool synthetic, has_model;
	struct tlwork work;
	event_id uid; /* of the event; fresh for single kernels */
	enum op_category category;
	const struct tlcost *cost; /* NULL: no model */
	struct tlmetric metric;
	/* place in the order of collection */
	event_id root;
	node_id place;
	bool after;
};

struct unified {
	struct tlreport *r;
	uint32_t n;
	struct row *row;
	struct tlgroups g;
};

/* ---- collecting ---- */

static struct ops_rows own(struct tlreport *r)
{
	struct gpu_window all = { .n = r->l->n, .from = INT64_MIN, .to = INT64_MAX };
	struct ops_rules rules = { all, true, ops_model_has, ops_model_has_backward, &r->model };

	return ops_own(&r->scratch, r->tr, r->l, rules);
}

static node_id *find_roots(struct tlreport *r)
{
	node_id *root = NEW(&r->scratch, r->t->n, node_id);

	for (node_id i = 0; i < r->t->n; i++)
		root[i] = r->t->parent[i] == NONE ? i : root[r->t->parent[i]];
	return root;
}

static bool collected_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct row *x = (const struct row *)ctx + a, *y = (const struct row *)ctx + b;

	if (x->root != y->root)
		return x->root < y->root;
	if (x->place != y->place)
		return x->place < y->place;
	if (x->after != y->after)
		return y->after;
	return x->node > y->node;
}

static struct row make_row(struct tlreport *r, const struct ops_rows *rows, uint32_t i,
			   const node_id *root)
{
	const struct ops_row *at = &rows->at[i];
	struct row row = { .node = at->node, .synthetic = at->synthetic };
	event_id e = r->t->event[at->node];

	row.root = r->t->event[root[at->node]];
	row.after = at->synthetic && r->tr->ev.kind[e] == KIND_CPU_OP;
	row.place = row.after ? r->t->end[at->node] - 1 : at->node;
	row.work = (struct tlwork){ at[1].first - at->first, rows->work + at->first };
	row.uid = e;
	if (!at->synthetic)
		row.work = tlreport_below(r, at->node);
	return row;
}

/* In the order of collection; single kernels get the numbers behind the last event's. */
static void collect(struct unified *u)
{
	struct tlreport *r = u->r;
	struct ops_rows rows = own(r);
	node_id *root = find_roots(r);
	struct row *as_owned = NEW(&r->scratch, rows.n, struct row);
	uint32_t *order = NEW(&r->scratch, rows.n, uint32_t);
	event_id next = r->tr->ev.n;

	for (uint32_t i = 0; i < rows.n; i++)
		if (rows.at[i].node != NONE) {
			as_owned[u->n] = make_row(r, &rows, i, root);
			order[u->n] = u->n;
			u->n++;
		}
	sort_ids(order, u->n, NEW(&r->scratch, u->n, uint32_t), collected_before, as_owned);
	u->row = NEW(&r->scratch, u->n, struct row);
	for (uint32_t i = 0; i < u->n; i++) {
		u->row[i] = as_owned[order[i]];
		if (u->row[i].synthetic)
			u->row[i].uid = next++;
	}
}

/* ---- figures ---- */

/* All work of the backward passes of an operator and what is below it. */
static struct tlwork backward_work(struct tlreport *r, node_id forward)
{
	struct tlwork all = { 0, NULL };
	uint32_t *gpu = NULL;

	for (int fill = 0; fill < 2; fill++) {
		uint32_t n = 0;

		for (node_id i = forward; i < r->t->end[forward]; i++)
			for (event_id w = r->pairs.p.backward[r->t->event[i]]; w != NONE;
			     w = r->pairs.next[w]) {
				node_id node = r->t->node[w];
				struct tlwork below = { 0, NULL };

				if (node != NONE)
					below = tlreport_below(r, node);
				if (fill && below.n)
					memcpy(gpu + n, below.gpu, below.n * sizeof(*gpu));
				n += below.n;
			}
		if (!fill)
			gpu = NEW(&r->scratch, n, uint32_t);
		all = (struct tlwork){ n, gpu };
	}
	return all;
}

struct tlwork tlunified_backward(struct tlreport *r, event_id forward)
{
	node_id node = r->t->node[forward];

	return node == NONE ? (struct tlwork){ 0, NULL } : backward_work(r, node);
}

/* The forward operator whose backward pass the row is. */
static event_id forward_of(const struct tlreport *r, node_id node)
{
	for (node_id i = r->t->parent[node]; i != NONE; i = r->t->parent[i])
		if (r->pairs.p.forward[r->t->event[i]] != NONE)
			return r->pairs.p.forward[r->t->event[i]];
	return NONE;
}

static enum op_category category_of(struct tlreport *r, const struct row *row,
				    const struct opmodel *backward)
{
	event_id e = r->t->event[row->node];

	if (row->synthetic) {
		const struct opmodel *m = opmodel_find_synthetic(
			trace_name(r->tr, e), trace_name(r->tr, r->l->gpu[row->work.gpu[0]]));
		if (m)
			return m->category;
		/* the name is no longer the source's: only its beginning and its kernel count */
		return tlreport_category_by_kernel(r, e);
	}
	if (backward && !opmodel_find(trace_name(r->tr, e)))
		return backward->backward;
	return tlreport_category(r, e);
}

static void measure(struct tlreport *r, struct row *row)
{
	event_id e = r->t->event[row->node];
	const struct opmodel *own = row->synthetic ? NULL : ops_model_of(&r->model, row->node);
	const struct opmodel *backward = row->synthetic || own
						 ? NULL
						 : ops_model_backward(&r->model, row->node);
	double busy = tlreport_busy(r, row->work);

	row->has_model = own || backward;
	if (own) {
		row->cost = tlcost_of(r, e, own, false, row->work);
	} else if (backward) {
		event_id f = forward_of(r, row->node);
		row->cost = tlcost_of(r, f, backward, true, row->work);
		if (row->cost->known)
			busy = tlreport_busy(r, tlunified_backward(r, f));
	}
	row->metric = tlcost_metric(r, row->cost, busy);
	row->category = category_of(r, row, backward);
}

/* ---- lines ---- */

enum { KEY_WORDS = TLREPORT_KEY_WORDS + 2 };

static void group_rows(struct unified *u)
{
	struct tlreport *r = u->r;
	uint32_t *key = NEW(&r->scratch, (size_t)u->n * KEY_WORDS, uint32_t);

	for (uint32_t i = 0; i < u->n; i++) {
		const struct row *row = &u->row[i];
		uint32_t *words = key + (size_t)i * KEY_WORDS;

		tlreport_key(r, r->t->event[row->node], words);
		words[TLREPORT_KEY_WORDS] = row->synthetic
						    ? r->tr->ev.name[r->l->gpu[row->work.gpu[0]]]
						    : NONE;
		words[TLREPORT_KEY_WORDS + 1] = row->category;
	}
	u->g = tlgroup_by(&r->scratch, key, KEY_WORDS, u->n);
}

static const struct row *first_of(const struct unified *u, uint32_t group)
{
	return &u->row[u->g.row[u->g.first[group]]];
}

static const char *name_of(struct tlreport *r, const struct row *row)
{
	struct str name = trace_name(r->tr, r->t->event[row->node]);

	if (!row->synthetic)
		return name.p;
	return arena_print(r->arena, "%.*s->%.*s (Synthetic Op)", STR_ARGS(name),
			   STR_ARGS(trace_name(r->tr, r->l->gpu[row->work.gpu[0]])));
}

static void add_texts(struct tltable *t, const struct unified *u)
{
	struct tlreport *r = u->r;
	const char **name = tltable_text(t, "name"), **category = tltable_text(t, "op category"),
		   **process = tltable_text(t, "process_name"),
		   **label = tltable_text(t, "process_label"),
		   **thread = tltable_text(t, "thread_name"),
		   **dims = tltable_text(t, "Input Dims"), **types = tltable_text(t, "Input type"),
		   **strides = tltable_text(t, "Input Strides"),
		   **values = tltable_text(t, "Concrete Inputs");
	event_id *example = NEW(&r->scratch, t->n, event_id);

	for (uint32_t i = 0; i < t->n; i++)
		example[i] = r->t->event[first_of(u, t->order[i])->node];
	tltable_recompute(t, example);
	int64_t *uid = tltable_i64(t, "ex_UID"), *count = tltable_i64(t, "operation_count");

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t g = t->order[i];
		const struct row *row = first_of(u, g);
		event_id e = example[i];

		name[i] = name_of(r, row);
		category[i] = op_category_name(row->category);
		process[i] = tlreport_process(r, e);
		label[i] = tlreport_label(r, e);
		thread[i] = tlreport_thread(r, e);
		dims[i] = tlreport_arg(r, e, KEY_INPUT_DIMS, true);
		types[i] = tlreport_arg(r, e, KEY_INPUT_TYPE, true);
		strides[i] = tlreport_arg(r, e, KEY_INPUT_STRIDES, true);
		values[i] = tlreport_arg(r, e, KEY_CONCRETE_INPUTS, true);
		uid[i] = row->uid;
		count[i] = u->g.first[g + 1] - u->g.first[g];
	}
}

enum figure { DURATION, TIME, TBS, TFLOPS, ROOF_PERCENT, FIGURES };

static double figure_of(const struct unified *u, const struct row *row, enum figure f)
{
	switch (f) {
	case DURATION:
		return tlreport_us(u->r->tr, u->r->t->event[row->node]);
	case TIME:
		return row->metric.time;
	case TBS:
		return row->metric.tbs;
	case ROOF_PERCENT:
		return row->metric.roof_percent;
	default:
		return row->metric.tflops;
	}
}

static struct tlstat *stats(const struct unified *u, enum figure f)
{
	struct tlstat *s = NEW(&u->r->scratch, u->g.n, struct tlstat);
	double *value = NEW(&u->r->scratch, u->n, double);

	for (uint32_t i = 0; i < u->g.n; i++) {
		uint32_t n = 0;

		for (uint32_t k = u->g.first[i]; k < u->g.first[i + 1]; k++)
			value[n++] = figure_of(u, &u->row[u->g.row[k]], f);
		s[i] = tlstat_of(value, n, value);
	}
	return s;
}

/* Of each group the first row whose figures are known. */
static const struct row *known_of(const struct unified *u, uint32_t g)
{
	for (uint32_t k = u->g.first[g]; k < u->g.first[g + 1]; k++)
		if (u->row[u->g.row[k]].cost && u->row[u->g.row[k]].cost->known)
			return &u->row[u->g.row[k]];
	return NULL;
}

static void add_costs(struct tltable *t, const struct unified *u)
{
	double *gflops = tltable_f64(t, "GFLOPS"), *mb = tltable_f64(t, "Data Moved (MB)"),
	       *intensity = tltable_f64(t, "FLOPS/Byte");
	const char **spec = tltable_text(t, "Compute Spec"),
		   **bound = u->r->arch ? tltable_text(t, "Roofline Bound") : NULL;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct row *row = known_of(u, t->order[i]);

		gflops[i] = row ? row->metric.gflops : NAN;
		mb[i] = row ? row->metric.mb : NAN;
		intensity[i] = row ? row->metric.intensity : NAN;
		spec[i] = row && *row->cost->spec ? row->cost->spec : NULL;
		if (bound)
			bound[i] = row ? tlcost_bound(&row->metric) : NULL;
	}
}

static void add_roof(struct tltable *t, const struct unified *u, const struct tlstat *percent)
{
	if (!u->r->arch)
		return;
	double *roof = tltable_f64(t, "Roofline Time (\u00b5s)_first");

	for (uint32_t i = 0; i < t->n; i++) {
		const struct row *row = known_of(u, t->order[i]);
		roof[i] = row ? row->metric.roof : NAN;
	}
	tltable_stats(t, "Pct Roofline", percent, tlstat_five);
}

/* Where single kernels of an operator are, the stack is that of the operator and the kernel. */
static void add_stacks(struct tltable *t, const struct unified *u)
{
	struct tlreport *r = u->r;

	if (!r->o.call_stack)
		return;
	const char **entry = tltable_text(t, "entry_point"),
		   **full = tltable_text(t, "call_stack_full");
	struct tlwork *work = NEW(&r->scratch, u->n, struct tlwork);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t n = 0, g = t->order[i];

		for (uint32_t k = u->g.first[g]; k < u->g.first[g + 1]; k++)
			work[n++] = u->row[u->g.row[k]].work;
		struct tlstack_text text =
			tlstack_of_work(r->stacks, r->t->event[first_of(u, g)->node], work, n);
		entry[i] = text.entry;
		full[i] = text.full;
	}
}

static void add_kernels(struct tltable *t, const struct unified *u)
{
	const char **full = tltable_text(t, "kernel_details_summary"),
		   **trunc = tltable_text(t, "trunc_kernel_details"),
		   **params = tltable_text(t, "perf_params"),
		   **has = tltable_text(t, "has_perf_model");
	struct tlwork *work = NEW(&u->r->scratch, u->n, struct tlwork);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t n = 0, g = t->order[i];
		const struct row *row = known_of(u, g);

		for (uint32_t k = u->g.first[g]; k < u->g.first[g + 1]; k++)
			work[n++] = u->row[u->g.row[k]].work;
		struct tlkernels text = tlkernels_text(u->r, work, n);
		full[i] = text.full;
		trunc[i] = text.trunc;
		params[i] = row ? row->cost->params : NULL;
		has[i] = first_of(u, g)->has_model ? "True" : "False";
	}
}

#define TIME_NAME "Kernel Time (\u00b5s)"

static void write_sheet(struct unified *u)
{
	static const enum tlstat_what mean_std[] = { TLSTAT_MEAN, TLSTAT_STD, TLSTATS },
				      mean_std_sum[] = { TLSTAT_MEAN, TLSTAT_STD, TLSTAT_SUM,
							 TLSTATS },
				      rest[] = { TLSTAT_MEDIAN, TLSTAT_MIN, TLSTAT_MAX, TLSTATS };
	struct tlreport *r = u->r;
	struct tlstat *s[FIGURES];
	double *sum = NEW(&r->scratch, u->g.n, double), *column = NEW(&r->scratch, u->g.n, double);
	int64_t *uid = NEW(&r->scratch, u->g.n, int64_t);

	for (int f = 0; f < FIGURES; f++)
		s[f] = stats(u, f);
	for (uint32_t i = 0; i < u->g.n; i++) {
		sum[i] = s[TIME][i].v[TLSTAT_SUM];
		uid[i] = first_of(u, i)->uid;
	}
	struct tltable t = tltable_new(r, "unified_perf_summary", u->g.n,
				       tlgroup_order(&r->scratch, u->g.n, sum, uid));
	add_texts(&t, u);
	tltable_stat(&t, "total_duration_us", s[DURATION], TLSTAT_SUM);
	tltable_stat(&t, "mean_duration_us", s[DURATION], TLSTAT_MEAN);
	tltable_stat(&t, "std_duration_us", s[DURATION], TLSTAT_STD);
	add_costs(&t, u);
	tltable_stats(&t, "TB/s", s[TBS], mean_std);
	tltable_stats(&t, "TFLOPS/s", s[TFLOPS], mean_std);
	tltable_stats(&t, TIME_NAME, s[TIME], mean_std_sum);
	tltable_stats(&t, "duration_us", s[DURATION], rest);
	tltable_stats(&t, "TB/s", s[TBS], rest);
	tltable_stats(&t, "TFLOPS/s", s[TFLOPS], rest);
	add_roof(&t, u, s[ROOF_PERCENT]);
	tltable_stats(&t, TIME_NAME, s[TIME], rest);
	add_kernels(&t, u);
	add_stacks(&t, u);
	for (uint32_t i = 0; i < u->g.n; i++)
		column[i] = sum[t.order[i]];
	tltable_percent(&t, column);
}

void tlunified(struct tlreport *r)
{
	struct unified u = { .r = r };

	collect(&u);
	for (uint32_t i = 0; i < u.n; i++)
		measure(r, &u.row[i]);
	group_rows(&u);
	write_sheet(&u);
}
