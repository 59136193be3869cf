/*
 * PyTorch's profiler wraps each iteration in an annotation ProfilerStep#N (an operator in
 * its first releases); others mark theirs by hand. The first family of the list that a trace
 * has is its steps; copies of the annotation on the GPU are not.
 */
#include "trace/step.h"

#include "algo/sort.h"
#include "trace/derive.h"

static const struct str families[] = {
#define FAMILY(text)                   \
	{                              \
		text, sizeof(text) - 1 \
	}
	FAMILY("ProfilerStep#"), FAMILY("ProfilerStep*"), FAMILY("ProfilerStep "),
	FAMILY("train_step#"),   FAMILY("Iteration "),    FAMILY("iteration "),
	FAMILY("Iteration#"),    FAMILY("iteration#"),    FAMILY("Step "),
	FAMILY("step "),         FAMILY("step#"),
#undef FAMILY
};

/* The number after the prefix, which is all there is; -1 if another text follows. */
static int64_t number_of(struct str name, struct str family)
{
	int64_t n;

	return str_i64((struct str){ name.p + family.n, name.n - family.n }, &n) && n >= 0 ? n : -1;
}

/* Asked once per distinct name: the family of each string, 0 for none, else its place + 1. */
static uint8_t family_of(struct str name)
{
	for (size_t f = 0; f < ARRAY_SIZE(families); f++)
		if (str_starts(name, families[f]) &&
		    (number_of(name, families[f]) >= 0 || str_starts(name, STR("ProfilerStep"))))
			return (uint8_t)(f + 1);
	return 0;
}

static bool may_be_step(const struct trace *tr, event_id e)
{
	enum kind k = tr->ev.kind[e];

	return (k == KIND_ANNOTATION || k == KIND_CPU_OP) && tr->ev.name[e] != NONE &&
	       trace_slice(tr, e) && trace_timed(tr, e);
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->ev.ts[a] < tr->ev.ts[b];
}

static uint8_t *ask_names(const struct trace *tr, struct arena *a)
{
	uint8_t *family = NEW(a, tr->strings.n, uint8_t);

	for (string_id s = 0; s < tr->strings.n; s++)
		family[s] = family_of(strings_get(&tr->strings, s));
	return family;
}

const struct steps *trace_steps(struct trace *tr)
{
	struct derived *d = trace_derived(tr);

	if (d->steps)
		return d->steps;
	struct arena scratch = { 0 };
	struct steps *s = NEW(&tr->arena, 1, struct steps);
	uint8_t *family = ask_names(tr, &scratch), best = UINT8_MAX;
	for (event_id e = 0; e < tr->ev.n; e++)
		if (may_be_step(tr, e) && family[tr->ev.name[e]]) {
			uint8_t f = family[tr->ev.name[e]];
			s->n = f < best ? 1 : s->n + (f == best);
			best = MIN_OF(best, f);
		}
	s->event = NEW(&tr->arena, s->n, event_id);
	s->number = NEW(&tr->arena, s->n, int64_t);
	for (event_id e = 0, n = 0; e < tr->ev.n; e++)
		if (may_be_step(tr, e) && family[tr->ev.name[e]] == best)
			s->event[n++] = e;
	sort_ids(s->event, s->n, NEW(&scratch, s->n, uint32_t), starts_before, tr);
	for (uint32_t i = 0; i < s->n; i++) {
		s->number[i] = number_of(trace_name(tr, s->event[i]), families[best - 1]);
		if (s->number[i] < 0)
			s->number[i] = i;
	}
	arena_free(&scratch);
	d->steps = s;
	return s;
}
