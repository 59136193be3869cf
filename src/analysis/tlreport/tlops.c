/* The owners' figures; ops_summary_by_category and ops_summary. */
#include "analysis/tlreport/tlops.h"

#include "analysis/tlreport/tlstack.h"

#include <stdlib.h>

static struct tlowners measure(struct tlreport *r)
{
	struct tlowners o = { .r = r, .n = r->nowners };

	o.direct = NEW(&r->scratch, o.n, double);
	o.subtree = NEW(&r->scratch, o.n, double);
	o.category = NEW(&r->scratch, o.n, uint32_t);
	o.module = NEW(&r->scratch, o.n, uint32_t);
	for (uint32_t i = 0; i < o.n; i++) {
		o.direct[i] = tlreport_busy(r, r->owner[i].direct);
		o.subtree[i] = tlreport_busy(r, tlreport_below(r, r->owner[i].node));
		o.category[i] = tlreport_category(r, r->owner[i].event);
		o.module[i] = r->o.modules ? tlstack_module(r->stacks, r->owner[i].event) : NONE;
	}
	return o;
}

struct tlstat *tlops_stats(const struct tlowners *o, const struct tlgroups *g, const double *column)
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

double *tlops_sums(const struct tlowners *o, uint32_t n, const struct tlstat *s)
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

void tlops_counts(struct tltable *t, const char *name, const struct tlgroups *g)
{
	int64_t *count = tltable_i64(t, name);

	for (uint32_t i = 0; i < t->n; i++)
		count[i] = g->first[t->order[i] + 1] - g->first[t->order[i]];
}

event_id *tlops_examples(const struct tltable *t, const struct tlowners *o,
			 const struct tlgroups *g)
{
	event_id *e = NEW(&o->r->scratch, t->n, event_id);

	for (uint32_t i = 0; i < t->n; i++)
		e[i] = o->r->owner[g->row[g->first[t->order[i]]]].event;
	return e;
}

void tlops_modules(struct tltable *t, const struct tlowners *o, const struct tlgroups *g)
{
	if (!o->r->o.modules)
		return;
	const char **cells = tltable_text(t, "parent_module");

	for (uint32_t i = 0; i < t->n; i++)
		cells[i] = tlstack_name(o->r->stacks, o->module[g->row[g->first[t->order[i]]]]);
}

void tlops_stacks(struct tltable *t, const char *name, const event_id *of_line)
{
	if (!t->r->o.modules)
		return;
	const char **stack = tltable_text(t, name);

	for (uint32_t i = 0; i < t->n; i++)
		stack[i] = tlstack_modules(t->r->stacks, of_line[i]);
}

/* By a number of each owner, module and whether it runs again. */
static struct tlgroups group_by(const struct tlowners *o, const uint32_t *number)
{
	uint32_t *key = NEW(&o->r->scratch, 3 * (size_t)o->n, uint32_t);

	for (uint32_t i = 0; i < o->n; i++) {
		key[3 * i] = number[i];
		key[3 * i + 1] = o->module[i];
		key[3 * i + 2] = tlreport_recomputed(o->r, o->r->owner[i].event);
	}
	return tlgroup_by(&o->r->scratch, key, 3, o->n);
}

static void by_category(struct tlowners *o)
{
	struct tlgroups g = group_by(o, o->category);
	struct tlstat *direct = tlops_stats(o, &g, o->direct);
	const double *sum = tlops_sums(o, g.n, direct);
	struct tltable t = tltable_new(o->r, "ops_summary_by_category", g.n,
				       tlgroup_order(&o->r->scratch, g.n, sum, NULL));
	const char **name = tltable_text(&t, "op category");

	for (uint32_t i = 0; i < g.n; i++)
		name[i] = op_category_name(o->category[g.row[g.first[t.order[i]]]]);
	const event_id *example = tlops_examples(&t, o, &g);
	tlops_modules(&t, o, &g);
	tltable_recompute(&t, example);
	tlops_counts(&t, "Count", &g);
	tlops_stacks(&t, "call_stack_first", example);
	tltable_percent(&t, milliseconds(&t, "total_direct_kernel_time_ms", direct));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ['GEMM', 'other'] */
static const char *categories(const struct tlowners *o, const struct tlgroups *g, uint32_t group)
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

static void summary(struct tlowners *o)
{
	struct tlreport *r = o->r;
	uint32_t *names = NEW(&r->scratch, o->n, uint32_t);

	for (uint32_t i = 0; i < o->n; i++)
		names[i] = r->tr->ev.name[r->owner[i].event];
	struct tlgroups g = group_by(o, names);
	struct tlstat *direct = tlops_stats(o, &g, o->direct),
		      *subtree = tlops_stats(o, &g, o->subtree);
	const double *sum = tlops_sums(o, g.n, direct);
	struct tltable t = tltable_new(r, "ops_summary", g.n,
				       tlgroup_order(&r->scratch, g.n, sum, NULL));
	const char **name = tltable_text(&t, "name");
	const event_id *example = tlops_examples(&t, o, &g);
	tlops_modules(&t, o, &g);
	tltable_recompute(&t, example);
	tltable_stat(&t, "total_direct_kernel_time_sum", direct, TLSTAT_SUM);
	tltable_stat(&t, "total_subtree_kernel_time_sum", subtree, TLSTAT_SUM);
	if (r->o.modules)
		tlops_counts(&t, "total_subtree_kernel_time_count", &g);
	const double *ms = milliseconds(&t, "total_direct_kernel_time_ms", direct);
	if (!r->o.modules)
		milliseconds(&t, "total_subtree_kernel_time_ms", subtree);
	tlops_counts(&t, "Count", &g);
	const char **cats = tltable_text(&t, "Categories");
	for (uint32_t i = 0; i < g.n; i++) {
		name[i] = trace_name(r->tr, r->owner[g.row[g.first[t.order[i]]]].event).p;
		cats[i] = categories(o, &g, t.order[i]);
	}
	tlops_stacks(&t, "call_stack_first", example);
	tltable_percent(&t, ms);
}

void tlops(struct tlreport *r)
{
	struct tlowners o = measure(r);

	by_category(&o);
	summary(&o);
	tlunique(&o);
}
