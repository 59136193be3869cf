/* Kernels below a length: how long they are, and whose they are. */
#include "algo/sort.h"
#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tlkernel.h"
#include "analysis/tlreport/tltable.h"

#define THRESHOLD_NS 10000
#define BINS         100
#define BINS_MAX     100000

struct short_kernels {
	struct tlreport *r;
	uint32_t n, bins;
	struct tlkernel *at;
	struct tlgroups g;
	struct tlstat *stat;
};

/* As numpy.histogram: equal bins from the shortest to the longest, the last one closed. */
static uint32_t bin_of(double v, const double *edge, uint32_t bins)
{
	uint32_t bin = (uint32_t)((v - edge[0]) / (edge[bins] - edge[0]) * bins);

	bin = MIN_OF(bin, bins - 1);
	if (v < edge[bin])
		return bin - 1;
	return bin < bins - 1 && v >= edge[bin + 1] ? bin + 1 : bin;
}

static void histogram(struct short_kernels *s)
{
	double from = 0, to = 0, *edge = NEW(&s->r->scratch, (size_t)s->bins + 1, double);

	for (uint32_t i = 0; i < s->n; i++) {
		double v = tlreport_us(s->r->tr, s->at[i].event);

		from = i ? MIN_OF(from, v) : v;
		to = i ? MAX_OF(to, v) : v;
	}
	if (from == to) {
		from -= 0.5;
		to += 0.5;
	}
	double step = (to - from) / s->bins;
	for (uint32_t i = 0; i <= s->bins; i++)
		edge[i] = i == s->bins ? to : i * step + from;
	struct tltable t = tltable_new(s->r, "short_kernel_histogram", s->bins, NULL);
	double *start = tltable_f64(&t, "bin_start"), *end = tltable_f64(&t, "bin_end");
	int64_t *count = tltable_i64(&t, "count");
	for (uint32_t i = 0; i < s->bins; i++) {
		start[i] = edge[i];
		end[i] = edge[i + 1];
	}
	for (uint32_t i = 0; i < s->n; i++)
		count[bin_of(tlreport_us(s->r->tr, s->at[i].event), edge, s->bins)]++;
}

enum { KEY_WORDS = 5 };

/* Kernels whose operator does not have all that the sheet shows are left out. */
static void keep_complete(struct short_kernels *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		event_id op = s->at[i].op;

		if (s->r->gpu_only ||
		    (op != NONE && tlreport_arg_id(s->r, op, KEY_INPUT_DIMS) != NONE &&
		     tlreport_arg_id(s->r, op, KEY_INPUT_STRIDES) != NONE &&
		     tlreport_arg_id(s->r, op, KEY_CONCRETE_INPUTS) != NONE))
			s->at[n++] = s->at[i];
	}
	s->n = n;
}

static void group(struct short_kernels *s)
{
	const struct trace *tr = s->r->tr;
	uint32_t *key = NEW(&s->r->scratch, (size_t)s->n * KEY_WORDS, uint32_t);

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *k = key + (size_t)i * KEY_WORDS;
		event_id op = s->at[i].op;

		k[0] = tr->ev.name[s->at[i].event];
		if (s->r->gpu_only)
			continue;
		k[1] = tr->ev.name[op];
		k[2] = tlreport_arg_id(s->r, op, KEY_INPUT_DIMS);
		k[3] = tlreport_arg_id(s->r, op, KEY_INPUT_STRIDES);
		k[4] = tlreport_arg_id(s->r, op, KEY_CONCRETE_INPUTS);
	}
	s->g = tlgroup_by(&s->r->scratch, key, KEY_WORDS, s->n);
}

static bool ranks_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tlstat *x = (const struct tlstat *)ctx + a,
			    *y = (const struct tlstat *)ctx + b;

	if (x->v[TLSTAT_SUM] != y->v[TLSTAT_SUM])
		return x->v[TLSTAT_SUM] > y->v[TLSTAT_SUM];
	return x->n < y->n;
}

static uint32_t *rank(struct short_kernels *s)
{
	struct tlreport *r = s->r;
	double *value = NEW(&r->scratch, s->n, double);
	uint32_t *order = NEW(&r->scratch, s->g.n, uint32_t);

	s->stat = NEW(&r->scratch, s->g.n, struct tlstat);
	for (uint32_t g = 0; g < s->g.n; g++) {
		uint32_t n = 0;

		for (uint32_t k = s->g.first[g]; k < s->g.first[g + 1]; k++)
			value[n++] = tlreport_us(r->tr, s->at[s->g.row[k]].event);
		s->stat[g] = tlstat_of(value, n, value);
		order[g] = g;
	}
	sort_ids(order, s->g.n, NEW(&r->scratch, s->g.n, uint32_t), ranks_before, s->stat);
	return order;
}

static void add_texts(struct tltable *t, const struct short_kernels *s)
{
	struct tlreport *r = s->r;
	const char **op = NULL, **dims = NULL, **strides = NULL, **values = NULL;

	if (!r->gpu_only) {
		op = tltable_text(t, "Parent cpu_op");
		dims = tltable_text(t, "Input dims");
		strides = tltable_text(t, "Input strides");
		values = tltable_text(t, "Concrete Inputs");
	}
	const char **name = tltable_text(t, "Kernel name");
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tlkernel *k = &s->at[s->g.row[s->g.first[t->order[i]]]];

		name[i] = trace_name(r->tr, k->event).p;
		if (!op)
			continue;
		op[i] = trace_name(r->tr, k->op).p;
		dims[i] = tlreport_arg(r, k->op, KEY_INPUT_DIMS, true);
		strides[i] = tlreport_arg(r, k->op, KEY_INPUT_STRIDES, true);
		values[i] = tlreport_arg(r, k->op, KEY_CONCRETE_INPUTS, true);
	}
}

static void summary(struct short_kernels *s)
{
	keep_complete(s);
	group(s);
	const uint32_t *order = rank(s);
	uint32_t n = s->g.n;
	if (s->r->o.short_top > 0 && s->r->o.short_top < n)
		n = (uint32_t)s->r->o.short_top;
	struct tltable t = tltable_new(s->r, "short_kernels_summary", n, order);
	add_texts(&t, s);
	tltable_stat(&t, "Short Kernel duration (\u00b5s) sum", s->stat, TLSTAT_SUM);
	int64_t *count = tltable_i64(&t, "Short Kernel count");
	tltable_stat(&t, "Short Kernel duration (\u00b5s) mean", s->stat, TLSTAT_MEAN);
	double *percent = tltable_f64(&t, "Short Kernel duration (\u00b5s) percent of total time");
	for (uint32_t i = 0; i < t.n; i++) {
		count[i] = s->stat[order[i]].n;
		percent[i] = 100 * s->stat[order[i]].v[TLSTAT_SUM] / s->r->total;
	}
}

void tlshort(struct tlreport *r)
{
	struct short_kernels s = { .r = r, .bins = BINS };
	nsec limit = r->o.short_kernel_ns > 0 ? r->o.short_kernel_ns : THRESHOLD_NS;
	uint32_t all = tlkernel_list(r, &s.at);

	if (r->o.short_bins > 0)
		s.bins = (uint32_t)MIN_OF(r->o.short_bins, BINS_MAX);
	for (uint32_t i = 0; i < all; i++)
		if (r->tr->ev.dur[s.at[i].event] < limit)
			s.at[s.n++] = s.at[i];
	if (!s.n)
		return;
	histogram(&s);
	summary(&s);
}
