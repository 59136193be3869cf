#include "analysis/tlreport/tlkernel.h"

#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tltable.h"

uint32_t tlkernel_list(struct tlreport *r, struct tlkernel **out)
{
	const struct trace *tr = r->tr;
	struct tlkernel *k = NEW(&r->scratch, r->l->n, struct tlkernel);
	uint32_t n = 0;

	for (event_id e = 0; e < tr->ev.n && n < r->l->n; e++) {
		uint16_t cat = tr->ev.cat[e];

		if (!kind_is_gpu(tr->ev.kind[e]) || cat == UINT16_MAX ||
		    !str_eq(tr->cats.at[cat], STR("kernel")) || !trace_timed(tr, e))
			continue;
		k[n] = (struct tlkernel){ e, r->l->launch[links_row(tr, r->l, e)], NONE };
		node_id node = k[n].launch == NONE ? NONE : r->t->node[k[n].launch];
		node = tlreport_op_above(r, node);
		if (node != NONE)
			k[n].op = r->t->event[node];
		n++;
	}
	*out = k;
	return n;
}

/* What stands in for the category of an operator where there is none. */
static const char *category_of_launch(const struct tlreport *r, event_id launch)
{
	if (launch == NONE)
		return NULL;
	struct str name = trace_name(r->tr, launch);

	return str_contains_nocase(name, STR("cudagraph")) ||
			       str_contains_nocase(name, STR("graphlaunch"))
		       ? "graph"
		       : "runtime";
}

static const char *category_of(const struct tlreport *r, const struct tlkernel *k)
{
	if (k->op != NONE)
		return op_category_name(tlreport_category(r, k->op));
	return category_of_launch(r, k->launch);
}

struct summary {
	struct tlreport *r;
	uint32_t n;
	struct tlkernel *at;
	struct tlgroups g;
	struct tlstat *stat;
};

enum { KEY_WORDS = 5 };

static void group(struct summary *s)
{
	const struct trace *tr = s->r->tr;
	uint32_t *key = NEW(&s->r->scratch, (size_t)s->n * KEY_WORDS, uint32_t);

	for (uint32_t i = 0; i < s->n; i++) {
		const struct tlkernel *k = &s->at[i];
		event_id parent = k->op != NONE ? k->op : k->launch;
		const char *category = category_of(s->r, k);
		int64_t stream = tr->lanes.at[tr->ev.lane[k->event]].stream;
		const uint32_t words[KEY_WORDS] = {
			parent == NONE ? NONE : tr->ev.name[parent],
			category ? (uint32_t)category[0] | (uint32_t)strlen(category) << 8 |
					   (uint32_t)category[strlen(category) - 1] << 16
				 : 0,
			tr->ev.name[k->event],
			(uint32_t)stream,
			(uint32_t)((uint64_t)stream >> 32),
		};

		memcpy(key + (size_t)i * KEY_WORDS, words, sizeof(words));
	}
	s->g = tlgroup_by(&s->r->scratch, key, KEY_WORDS, s->n);
}

static double measure(struct summary *s)
{
	double *value = NEW(&s->r->scratch, s->n, double), total = 0;

	s->stat = NEW(&s->r->scratch, s->g.n, struct tlstat);
	for (uint32_t g = 0; g < s->g.n; g++) {
		uint32_t n = 0;

		for (uint32_t k = s->g.first[g]; k < s->g.first[g + 1]; k++)
			value[n++] = tlreport_us(s->r->tr, s->at[s->g.row[k]].event);
		s->stat[g] = tlstat_of(value, n, value);
		total += s->stat[g].v[TLSTAT_SUM];
	}
	return total;
}

static void add_texts(struct tltable *t, const struct summary *s)
{
	const struct trace *tr = s->r->tr;
	const char **category = tltable_text(t, "Parent op category");
	const char **op = s->r->gpu_only ? NULL : tltable_text(t, "Parent cpu_op");
	const char **name = tltable_text(t, "Kernel name");
	int64_t *stream = tltable_i64(t, "Kernel stream");

	for (uint32_t i = 0; i < t->n; i++) {
		const struct tlkernel *k = &s->at[s->g.row[s->g.first[t->order[i]]]];
		const struct lane *lane = &tr->lanes.at[tr->ev.lane[k->event]];
		event_id parent = k->op != NONE ? k->op : k->launch;

		category[i] = category_of(s->r, k);
		if (op)
			op[i] = parent == NONE ? NULL : trace_name(tr, parent).p;
		name[i] = trace_name(tr, k->event).p;
		stream[i] = lane->stream_known ? lane->stream : LP_NULL;
	}
}

#define DURATION "Kernel duration (\u00b5s)"

void tlkernel_summary(struct tlreport *r)
{
	static const enum tlstat_what rest[] = { TLSTAT_MEAN, TLSTAT_MIN, TLSTAT_MAX, TLSTATS };
	struct summary s = { .r = r };

	s.n = tlkernel_list(r, &s.at);
	if (!s.n)
		return;
	group(&s);
	double total = measure(&s), *sum = NEW(&r->scratch, s.g.n, double);
	for (uint32_t g = 0; g < s.g.n; g++)
		sum[g] = s.stat[g].v[TLSTAT_SUM];
	struct tltable t = tltable_new(r, "kernel_summary", s.g.n,
				       tlgroup_order(&r->scratch, s.g.n, sum, NULL));
	add_texts(&t, &s);
	tltable_stat(&t, DURATION "_sum", s.stat, TLSTAT_SUM);
	int64_t *count = tltable_i64(&t, DURATION "_count");
	tltable_stats(&t, DURATION, s.stat, rest);
	double *of_kernels = tltable_f64(&t, "Percent of kernels time (%)");
	double *of_total = tltable_f64(&t, "Percent of total time (%)");
	for (uint32_t i = 0; i < t.n; i++) {
		uint32_t g = t.order[i];

		count[i] = s.stat[g].n;
		of_kernels[i] = 100 * sum[g] / total;
		of_total[i] = 100 * sum[g] / r->total;
	}
}
