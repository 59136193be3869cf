/* ops_summary_by_category, ops_summary and ops_unique_args: groups of the same owners. */
#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tlkernels.h"
#include "analysis/tlreport/tltable.h"

#include <stdlib.h>

struct owners {
	struct tlreport *r;
	uint32_t n;
	double *direct, *subtree; /* busy time of each owner, us */
	uint32_t *category;
};

static struct owners measure(struct tlreport *r)
{
	struct owners o = { .r = r, .n = r->nowners };

	o.direct = NEW(&r->scratch, o.n, double);
	o.subtree = NEW(&r->scratch, o.n, double);
	o.category = NEW(&r->scratch, o.n, uint32_t);
	for (uint32_t i = 0; i < o.n; i++) {
		o.direct[i] = tlreport_busy(r, r->owner[i].direct);
		o.subtree[i] = tlreport_busy(r, tlreport_below(r, r->owner[i].node));
		o.category[i] = tlreport_category(r, r->owner[i].event);
	}
	return o;
}

/* The figures of a column of owners, group by group. */
static struct tlstat *stats(const struct owners *o, const struct tlgroups *g, const double *column)
{
	struct tlstat *s = NEW(&o->r->scratch, g->n, struct tlstat);
	double *value = NEW(&o->r->scratch, o->n, double);

	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
			value[n++] = column[g->row[k]];
		s[i] = tlstat_of(value, n, value);
	}
	return s;
}

static double *sums(const struct owners *o, uint32_t n, const struct tlstat *s)
{
	double *sum = NEW(&o->r->scratch, n, double);

	for (uint32_t i = 0; i < n; i++)
		sum[i] = s[i].v[TLSTAT_SUM];
	return sum;
}

static double *milliseconds(struct tltable *t, const char *name, const struct tlstat *s)
{
	double *ms = tltable_f64(t, name);

	for (uint32_t i = 0; i < t->n; i++)
		ms[i] = s[t->order[i]].v[TLSTAT_SUM] / 1000;
	return ms;
}

static void counts(struct tltable *t, const char *name, const struct tlgroups *g)
{
	int64_t *count = tltable_i64(t, name);

	for (uint32_t i = 0; i < t->n; i++)
		count[i] = g->first[t->order[i] + 1] - g->first[t->order[i]];
}

/* Of each line the first owner's event. */
static event_id *examples(const struct tltable *t, const struct owners *o, const struct tlgroups *g)
{
	event_id *e = NEW(&o->r->scratch, t->n, event_id);

	for (uint32_t i = 0; i < t->n; i++)
		e[i] = o->r->owner[g->row[g->first[t->order[i]]]].event;
	return e;
}

static void by_category(struct owners *o)
{
	uint32_t *key = NEW(&o->r->scratch, 2 * (size_t)o->n, uint32_t);

	for (uint32_t i = 0; i < o->n; i++) {
		key[2 * i] = o->category[i];
		key[2 * i + 1] = tlreport_recomputed(o->r, o->r->owner[i].event);
	}
	struct tlgroups g = tlgroup_by(&o->r->scratch, key, 2, o->n);
	struct tlstat *direct = stats(o, &g, o->direct);
	const double *sum = sums(o, g.n, direct);
	struct tltable t = tltable_new(o->r, "ops_summary_by_category", g.n,
				       tlgroup_order(&o->r->scratch, g.n, sum, NULL));
	const char **name = tltable_text(&t, "op category");

	for (uint32_t i = 0; i < g.n; i++)
		name[i] = op_category_name(o->category[g.row[g.first[t.order[i]]]]);
	tltable_recompute(&t, examples(&t, o, &g));
	counts(&t, "Count", &g);
	tltable_percent(&t, milliseconds(&t, "total_direct_kernel_time_ms", direct));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ['GEMM', 'other'] */
static const char *categories(const struct owners *o, const struct tlgroups *g, uint32_t group)
{
	const char *name[OP_CATEGORIES] = { NULL }, *text = "[";
	bool seen[OP_CATEGORIES] = { 0 };
	size_t n = 0;

	for (uint32_t k = g->first[group]; k < g->first[group + 1]; k++)
		seen[o->category[g->row[k]]] = true;
	for (int c = 0; c < OP_CATEGORIES; c++)
		if (seen[c])
			name[n++] = op_category_name(c);
	qsort(name, n, sizeof(*name), by_name);
	for (size_t i = 0; i < n; i++)
		text = arena_print(&o->r->scratch, "%s%s'%s'", text, i ? ", " : "", name[i]);
	return arena_print(o->r->arena, "%s]", text);
}

static void summary(struct owners *o)
{
	struct tlreport *r = o->r;
	uint32_t *key = NEW(&r->scratch, 2 * (size_t)o->n, uint32_t);

	for (uint32_t i = 0; i < o->n; i++) {
		key[2 * i] = r->tr->ev.name[r->owner[i].event];
		key[2 * i + 1] = tlreport_recomputed(r, r->owner[i].event);
	}
	struct tlgroups g = tlgroup_by(&r->scratch, key, 2, o->n);
	struct tlstat *direct = stats(o, &g, o->direct), *subtree = stats(o, &g, o->subtree);
	const double *sum = sums(o, g.n, direct);
	struct tltable t = tltable_new(r, "ops_summary", g.n,
				       tlgroup_order(&r->scratch, g.n, sum, NULL));
	const char **name = tltable_text(&t, "name");
	tltable_recompute(&t, examples(&t, o, &g));
	tltable_stat(&t, "total_direct_kernel_time_sum", direct, TLSTAT_SUM);
	tltable_stat(&t, "total_subtree_kernel_time_sum", subtree, TLSTAT_SUM);
	const double *ms = milliseconds(&t, "total_direct_kernel_time_ms", direct);
	milliseconds(&t, "total_subtree_kernel_time_ms", subtree);
	counts(&t, "Count", &g);
	const char **cats = tltable_text(&t, "Categories");
	for (uint32_t i = 0; i < g.n; i++) {
		name[i] = trace_name(r->tr, r->owner[g.row[g.first[t.order[i]]]].event).p;
		cats[i] = categories(o, &g, t.order[i]);
	}
	tltable_percent(&t, ms);
}

enum { KEY_WORDS = 10 };

static void unique_key(const struct owners *o, uint32_t i, uint32_t *key)
{
	const struct tlreport *r = o->r;
	event_id e = r->owner[i].event;
	const struct lane *lane = &r->tr->lanes.at[r->tr->ev.lane[e]];
	const uint32_t words[KEY_WORDS] = {
		r->tr->ev.name[e],
		o->category[i],
		lane->process_name,
		lane->process_labels,
		lane->thread_name,
		tlreport_arg_id(r, e, KEY_INPUT_DIMS),
		tlreport_arg_id(r, e, KEY_INPUT_TYPE),
		tlreport_arg_id(r, e, KEY_INPUT_STRIDES),
		tlreport_arg_id(r, e, KEY_CONCRETE_INPUTS),
		tlreport_recomputed(r, e),
	};

	memcpy(key, words, sizeof(words));
}

static void unique_texts(struct tltable *t, const struct owners *o, const struct tlgroups *g)
{
	struct tlreport *r = o->r;
	const char **name = tltable_text(t, "name"), **category = tltable_text(t, "op category"),
		   **process = tltable_text(t, "process_name"),
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

static void unique_kernels(struct tltable *t, const struct owners *o, const struct tlgroups *g)
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

static void unique_args(struct owners *o)
{
	static const enum tlstat_what whats[] = { TLSTAT_MEAN, TLSTAT_MEDIAN, TLSTAT_STD,
						  TLSTAT_MIN,  TLSTAT_MAX,    TLSTAT_SUM };
	struct tlreport *r = o->r;
	uint32_t *key = NEW(&r->scratch, (size_t)o->n * KEY_WORDS, uint32_t);

	for (uint32_t i = 0; i < o->n; i++)
		unique_key(o, i, key + (size_t)i * KEY_WORDS);
	struct tlgroups g = tlgroup_by(&r->scratch, key, KEY_WORDS, o->n);
	struct tlstat *direct = stats(o, &g, o->direct), *subtree = stats(o, &g, o->subtree);
	const double *sum = sums(o, g.n, direct);
	int64_t *uid = NEW(&r->scratch, g.n, int64_t);
	for (uint32_t i = 0; i < g.n; i++)
		uid[i] = r->owner[g.row[g.first[i]]].event;
	struct tltable t = tltable_new(r, "ops_unique_args", g.n,
				       tlgroup_order(&r->scratch, g.n, sum, uid));
	unique_texts(&t, o, &g);
	tltable_recompute(&t, examples(&t, o, &g));
	counts(&t, "operation_count", &g);
	for (size_t w = 0; w < ARRAY_SIZE(whats); w++) {
		const char *what = tlstat_names[whats[w]];
		tltable_stat(&t, arena_print(r->arena, "total_direct_kernel_time_%s", what), direct,
			     whats[w]);
		tltable_stat(&t, arena_print(r->arena, "total_subtree_kernel_time_%s", what),
			     subtree, whats[w]);
	}
	int64_t *ex = tltable_i64(&t, "ex_UID");
	double *time = NEW(&r->scratch, g.n, double);
	for (uint32_t i = 0; i < g.n; i++) {
		ex[i] = uid[t.order[i]];
		time[i] = sum[t.order[i]];
	}
	unique_kernels(&t, o, &g);
	tltable_percent(&t, time);
}

void tlops(struct tlreport *r)
{
	struct owners o = measure(r);

	by_category(&o);
	summary(&o);
	unique_args(&o);
}
