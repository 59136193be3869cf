#include "analysis/calltree.h"
#include "base/alloc.h"

#include <stdlib.h>

struct calltree calltree_of(const struct profile *p)
{
	return (struct calltree){ .p = p, .st = p->stacks };
}

void calltree_free(struct calltree *ct)
{
	if (ct->owned)
		stacks_free(&ct->st);
	free(ct->map);
	*ct = (struct calltree){ 0 };
}

bool calltree_takes(const struct calltree *ct, const struct tree_filter *f, uint32_t thread)
{
	const struct profile_thread *t = &ct->p->threads[thread], *like;

	if (f->thread != NONE)
		return thread == f->thread;
	like = &ct->p->threads[f->like];
	return t->unit == like->unit && t->places == like->places;
}

/* What of the sample lies in the window: its weight, cut where it is a span; false for nothing. */
static bool in_window(const struct profile *p, const struct tree_filter *f, size_t i,
		      int64_t *weight)
{
	bool by_origin = p->origin && f->by_origin;
	nsec at = by_origin ? p->origin[i] : p->samples.time ? p->samples.time[i] : NSEC_NONE;

	if (at == NSEC_NONE)
		return false;
	if (by_origin)
		return at >= f->from && at < f->to;
	if (!p->spans || *weight <= 0)
		return at >= f->from && at < f->to;
	nsec from = MAX_OF(at, f->from), to = MIN_OF(samples_after(at, *weight), f->to);

	*weight = to - from;
	return to > from;
}

static bool is_wait(const struct profile *p, stack_id s)
{
	return p->functions.at[p->stacks.func[s]].flags & FUNCTION_WAIT;
}

stack_id calltree_sample(const struct calltree *ct, const struct tree_filter *f, size_t i,
			 int64_t *weight)
{
	stack_id raw = ct->p->samples.stack[i], s = calltree_stack(ct, raw);

	if (s == NONE || (f->keep && !f->keep[s]) || (f->no_waits && is_wait(ct->p, raw)))
		return NONE;
	*weight = samples_weight(&ct->p->samples, i);
	return f->windowed && !in_window(ct->p, f, i, weight) ? NONE : s;
}

static void add_sample(const struct calltree *ct, const struct tree_filter *f, struct tree_sums *u,
		       size_t i)
{
	int64_t weight;
	stack_id s = calltree_sample(ct, f, i, &weight);

	if (s == NONE)
		return;
	u->self[MEASURE_WEIGHT][s] += weight;
	if (u->self[MEASURE_COUNT])
		u->self[MEASURE_COUNT][s] += samples_count(&ct->p->samples, i);
	if (u->self[MEASURE_WAIT] && is_wait(ct->p, ct->p->samples.stack[i]))
		u->self[MEASURE_WAIT][s] += weight;
}

static int64_t *column(const struct calltree *ct)
{
	int64_t *c = alloc_checked(calloc(MAX_OF(ct->st.n, 1), sizeof(*c)));
	return c;
}

static bool has_waits(const struct profile *p)
{
	for (func_id f = 0; f < p->functions.n; f++)
		if (p->functions.at[f].flags & FUNCTION_WAIT)
			return true;
	return false;
}

static bool has_negative(const struct profile *p)
{
	for (size_t i = 0; p->samples.weight && i < p->samples.n; i++)
		if (p->samples.weight[i] < 0)
			return true;
	return false;
}

static void add_up(struct tree_sums *u, uint32_t n)
{
	for (stack_id s = 0; s < n; s++) {
		int64_t w = u->self[MEASURE_WEIGHT][s];

		u->sum += w;
		u->magnitude += w < 0 ? -w : w;
		if (u->self[MEASURE_SOME])
			u->self[MEASURE_SOME][s] = w != 0;
		u->count += u->self[MEASURE_COUNT] ? u->self[MEASURE_COUNT][s] : w;
		u->wait += u->self[MEASURE_WAIT] ? u->self[MEASURE_WAIT][s] : 0;
	}
}

struct tree_sums calltree_sums(const struct calltree *ct, const struct tree_filter *f)
{
	const struct profile *p = ct->p;
	struct tree_sums u = { 0 };

	u.self[MEASURE_WEIGHT] = column(ct);
	u.self[MEASURE_COUNT] = p->samples.weight ? column(ct) : NULL;
	u.self[MEASURE_WAIT] = has_waits(p) ? column(ct) : NULL;
	u.self[MEASURE_SOME] = has_negative(p) ? column(ct) : NULL;
	for (uint32_t t = 0; t < p->nthreads; t++) {
		const struct profile_thread *x = &p->threads[t];

		if (!calltree_takes(ct, f, t))
			continue;
		for (size_t i = x->first; i < x->first + x->n; i++)
			add_sample(ct, f, &u, i);
	}
	add_up(&u, ct->st.n);
	return u;
}

void tree_sums_free(struct tree_sums *s)
{
	for (int m = 0; m < MEASURES; m++)
		free(s->self[m]);
	*s = (struct tree_sums){ 0 };
}

uint32_t calltree_busiest(const struct profile *p)
{
	uint32_t best = 0;
	int64_t most = -1;
	bool leads = false;

	if (p->nthreads < 2)
		return 0;
	for (uint32_t t = 0; t < p->nthreads; t++)
		leads |= p->threads[t].leads;
	for (uint32_t t = 0; t < p->nthreads; t++) {
		const struct profile_thread *x = &p->threads[t];
		int64_t sum = 0;

		for (stack_id s = 0; p->counted.nthreads && s < p->counted.count[t].n; s++)
			sum += counted_count(&p->counted, t, s);
		for (size_t i = x->first; !p->counted.nthreads && i < x->first + x->n; i++)
			if (p->samples.stack[i] != NONE)
				sum += llabs(samples_weight(&p->samples, i));
		if (sum > most && (x->leads || !leads)) {
			most = sum;
			best = t;
		}
	}
	return best;
}

uint8_t *calltree_sampled(const struct calltree *ct)
{
	uint8_t *sampled = alloc_checked(calloc(MAX_OF(ct->st.n, 1), 1));
	for (size_t i = 0; i < ct->p->samples.n; i++) {
		stack_id s = calltree_stack(ct, ct->p->samples.stack[i]);

		if (s != NONE)
			sampled[s] = 1;
	}
	return sampled;
}
