/*
 * What a step has: GPU work by the call that launched it, operators by their start.
 */
#include "analysis/diff_gate.h"

#include "trace/step.h"

struct step_values {
	struct diff_report *r;
	const struct diff_side *s;
	const struct steps *steps;
	const struct gate_rule *rule;
	nsec *value;
};

/* The step that runs at a moment; NONE. */
static uint32_t step_at(const struct step_values *v, nsec at)
{
	const struct trace *tr = v->s->tr;
	uint32_t lo = 0, hi = v->steps->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (tr->ev.ts[v->steps->event[mid]] <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && at < trace_end(tr, v->steps->event[lo - 1]) ? lo - 1 : NONE;
}

static uint32_t step_of(const struct step_values *v, uint32_t node)
{
	uint32_t up = diff_is_gpu(v->s->kind[node]) ? v->s->parent[node] : node;
	event_id e = v->s->event[up];

	return e == NONE ? NONE : step_at(v, v->s->tr->ev.ts[e]);
}

static bool named(const struct step_values *v, uint32_t node)
{
	return str_eq(str_of(diff_raw_name(v->r, v->s == &v->r->d->side[1], node)), v->rule->name);
}

static bool owned_by_name(const struct step_values *v, uint32_t node)
{
	while (node && v->s->kind[node] != DIFF_OP)
		node = v->s->parent[node];
	return node && named(v, node);
}

static bool counts(const struct step_values *v, uint32_t node)
{
	bool gpu = diff_is_gpu(v->s->kind[node]);

	switch (v->rule->metric) {
	case GATE_OP:
		return gpu && owned_by_name(v, node);
	case GATE_KERNEL:
		return gpu && named(v, node);
	default:
		return v->rule->line == LINE_CPU_TIME ? v->s->kind[node] == DIFF_OP : gpu;
	}
}

static void sum_times(struct step_values *v)
{
	int side = v->s == &v->r->d->side[1];
	bool cpu = v->rule->metric == GATE_LINE && v->rule->line == LINE_CPU_TIME;

	for (uint32_t i = 1; i < v->s->n;) {
		bool take = counts(v, i);
		uint32_t step = take ? step_of(v, i) : NONE;

		if (step != NONE)
			v->value[step] += diff_time(v->r, side, i);
		i = take && cpu ? v->s->end[i] : i + 1; /* outermost operators */
	}
}

/* Busy, idle and span of the work of each step. */
static void measure_work(struct step_values *v)
{
	struct arena *a = &v->r->scratch;
	uint32_t n = v->steps->n, *first = NEW(a, (size_t)n + 2, uint32_t);
	event_id *work = NEW(a, v->s->n, event_id);

	for (uint32_t i = 1; i < v->s->n; i++) {
		uint32_t step = diff_is_gpu(v->s->kind[i]) ? step_of(v, i) : NONE;

		if (step != NONE)
			first[step + 2]++;
	}
	for (uint32_t k = 0; k < n; k++)
		first[k + 2] += first[k + 1];
	for (uint32_t i = 1; i < v->s->n; i++) {
		uint32_t step = diff_is_gpu(v->s->kind[i]) ? step_of(v, i) : NONE;

		if (step != NONE)
			work[first[step + 1]++] = v->s->event[i];
	}
	for (uint32_t k = 0; k < n; k++) {
		struct gpu_time g = gpu_time_of(v->s->tr, work + first[k], first[k + 1] - first[k],
						v->s->from, v->s->to);

		v->value[k] = v->rule->line == LINE_GPU_BUSY   ? g.busy
			      : v->rule->line == LINE_GPU_IDLE ? g.idle
							       : g.total;
	}
}

nsec *gate_step_values(struct diff_report *r, int side, const struct gate_rule *rule, uint32_t *n)
{
	const struct diff_side *s = &r->d->side[side];
	struct step_values v = { r, s, trace_steps(s->tr), rule, NULL };
	enum diff_line l = rule->line;

	*n = v.steps->n;
	if (rule->metric == GATE_COUNT || *n < GATE_STEPS)
		return NULL;
	v.value = NEW(&r->scratch, *n, nsec);
	if (rule->metric == GATE_STEP_TIME)
		for (uint32_t k = 0; k < *n; k++)
			v.value[k] = s->tr->ev.dur[v.steps->event[k]];
	else if (rule->metric == GATE_LINE &&
		 (l == LINE_GPU_BUSY || l == LINE_GPU_IDLE || l == LINE_GPU_SPAN))
		measure_work(&v);
	else
		sum_times(&v);
	return v.value;
}
