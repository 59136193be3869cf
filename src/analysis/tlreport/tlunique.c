/*
 * ops_unique_args: owners with equal texts are one line. With --overlap a second sheet of the
 * same, in which lines also differ by the names of what ran at the same time.
 */
#include "analysis/tlreport/tlkernels.h"
#include "analysis/tlreport/tlops.h"
#include "analysis/tlreport/tloverlap.h"

#include <math.h>

enum { KEY_WORDS = TLREPORT_KEY_WORDS + 4 };

static void unique_key(const struct tlowners *o, const struct tloverlaps *v, uint32_t i,
		       uint32_t *key)
{
	const struct tlreport *r = o->r;
	const uint32_t words[KEY_WORDS - TLREPORT_KEY_WORDS] = {
		o->category[i],
		r->o.num_kernels ? r->owner[i].direct.n : 0,
		o->module[i],
		v ? v->owner[i].names : 0,
	};

	tlreport_key(r, r->owner[i].event, key);
	memcpy(key + TLREPORT_KEY_WORDS, words, sizeof(words));
}

static void unique_texts(struct tltable *t, const struct tlowners *o, const struct tlgroups *g)
{
	struct tlreport *r = o->r;
	const char **name = tltable_text(t, "name"), **category = tltable_text(t, "op category");
	tlops_modules(t, o, g);
	const char **process = tltable_text(t, "process_name"),
		   **label = tltable_text(t, "process_label"),
		   **thread = tltable_text(t, "thread_name"),
		   **dims = tltable_text(t, "Input Dims"), **types = tltable_text(t, "Input type"),
		   **strides = tltable_text(t, "Input Strides"),
		   **values = tltable_text(t, "Concrete Inputs");

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t owner = g->row[g->first[t->order[i]]];
		event_id e = r->owner[owner].event;

		name[i] = trace_name(r->tr, e).p;
		category[i] = op_category_name(o->category[owner]);
		process[i] = tlreport_process(r, e);
		label[i] = tlreport_label(r, e);
		thread[i] = tlreport_thread(r, e);
		dims[i] = tlreport_arg(r, e, KEY_INPUT_DIMS, true);
		types[i] = tlreport_arg(r, e, KEY_INPUT_TYPE, true);
		strides[i] = tlreport_arg(r, e, KEY_INPUT_STRIDES, true);
		values[i] = tlreport_arg(r, e, KEY_CONCRETE_INPUTS, true);
	}
}

static void unique_kernels(struct tltable *t, const struct tlowners *o, const struct tlgroups *g)
{
	const char **full = tltable_text(t, "kernel_details_summary"),
		   **trunc = tltable_text(t, "trunc_kernel_details");
	struct tlwork *row = NEW(&o->r->scratch, o->n, struct tlwork);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = g->first[t->order[i]]; k < g->first[t->order[i] + 1]; k++)
			row[n++] = o->r->owner[g->row[k]].direct;
		struct tlkernels text = tlkernels_text(o->r, row, n);
		full[i] = text.full;
		trunc[i] = text.trunc;
	}
}

static void unique_numbers(struct tltable *t, const struct tlowners *o, const struct tlgroups *g)
{
	if (!o->r->o.num_kernels)
		return;
	int64_t *n = tltable_i64(t, "num_kernels");

	for (uint32_t i = 0; i < t->n; i++)
		n[i] = o->r->owner[g->row[g->first[t->order[i]]]].direct.n;
}

/* Owners are listed by start, so the first of a group is its earliest. */
static void unique_first(struct tltable *t, const struct tlowners *o, const struct tlgroups *g)
{
	const struct tlreport *r = o->r;

	if (!r->o.first_occurrence)
		return;
	double *first = tltable_f64(t, "first_occurrence_time");

	for (uint32_t i = 0; i < t->n; i++) {
		event_id e = r->owner[g->row[g->first[t->order[i]]]].event;
		first[i] = (double)(r->tr->ev.ts[e] - r->tr->ev.ts[r->owner[0].event]) / 1000;
	}
}

static void unique_times(struct tltable *t, const struct tlstat *direct,
			 const struct tlstat *subtree)
{
	static const enum tlstat_what whats[] = { TLSTAT_MEAN, TLSTAT_MEDIAN, TLSTAT_STD,
						  TLSTAT_MIN,  TLSTAT_MAX,    TLSTAT_SUM };

	for (size_t w = 0; w < ARRAY_SIZE(whats); w++) {
		const char *what = tlstat_names[whats[w]];
		tltable_stat(t, arena_print(t->r->arena, "total_direct_kernel_time_%s", what),
			     direct, whats[w]);
		tltable_stat(t, arena_print(t->r->arena, "total_subtree_kernel_time_%s", what),
			     subtree, whats[w]);
	}
}

static void unique_overlaps(struct tltable *t, const struct tlowners *o, const struct tlgroups *g,
			    const struct tloverlaps *v)
{
	double *percent = NEW(&o->r->scratch, o->n, double);
	const char **names = tltable_text(t, "overlapping_kernel_names"),
		   **full = tltable_text(t, "overlapping_kernels_details_summary"),
		   **trunc = tltable_text(t, "trunc_overlapping_kernels_details");

	for (uint32_t i = 0; i < o->n; i++)
		percent[i] = v->owner[i].percent;
	tltable_stats(t, "overlap_pct", tlops_stats(o, g, percent), tlstat_five);
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t from = g->first[t->order[i]], n = g->first[t->order[i] + 1] - from;
		struct tloverlap_text text = tloverlap_text(v, g->row + from, n);

		names[i] = text.names;
		full[i] = text.full;
		trunc[i] = text.trunc;
	}
}

/* v: NULL for the sheet without what overlaps. */
static void unique_sheet(const struct tlowners *o, const struct tloverlaps *v, const char *name)
{
	struct tlreport *r = o->r;
	uint32_t *key = NEW(&r->scratch, (size_t)o->n * KEY_WORDS, uint32_t);

	for (uint32_t i = 0; i < o->n; i++)
		unique_key(o, v, i, key + (size_t)i * KEY_WORDS);
	struct tlgroups g = tlgroup_by(&r->scratch, key, KEY_WORDS, o->n);
	struct tlstat *direct = tlops_stats(o, &g, o->direct),
		      *subtree = tlops_stats(o, &g, o->subtree);
	const double *sum = tlops_sums(o, g.n, direct);
	int64_t *uid = NEW(&r->scratch, g.n, int64_t);
	for (uint32_t i = 0; i < g.n; i++)
		uid[i] = r->owner[g.row[g.first[i]]].event;
	struct tltable t = tltable_new(r, name, g.n, tlgroup_order(&r->scratch, g.n, sum, uid));
	const event_id *example = tlops_examples(&t, o, &g);
	unique_texts(&t, o, &g);
	unique_numbers(&t, o, &g);
	tltable_recompute(&t, example);
	tlops_counts(&t, "operation_count", &g);
	unique_first(&t, o, &g);
	unique_times(&t, direct, subtree);
	int64_t *ex = tltable_i64(&t, "ex_UID");
	double *time = NEW(&r->scratch, g.n, double);
	for (uint32_t i = 0; i < g.n; i++) {
		ex[i] = uid[t.order[i]];
		time[i] = sum[t.order[i]];
	}
	tlops_stacks(&t, "call_stack", example);
	unique_kernels(&t, o, &g);
	if (v)
		unique_overlaps(&t, o, &g, v);
	tltable_percent(&t, time);
}

void tlunique(const struct tlowners *o)
{
	unique_sheet(o, NULL, "ops_unique_args");
	if (!o->r->o.overlap)
		return;
	struct tloverlaps v = tloverlap_find(o->r);
	unique_sheet(o, &v, "ops_unique_args_kl_overlap");
	tloverlap_free(&v);
}
