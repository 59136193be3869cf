#include "analysis/diff_gate.h"

#include "base/say.h"

#include <math.h>
#include <stdlib.h>

/* What a rule comes to. */
struct verdict {
	int64_t before, after; /* ns, or how many */
	uint32_t steps[2];     /* 0: of the whole trace */
	nsec spread;           /* of the steps; NSEC_NONE */
	bool failed;
	const char *text;
};

static int by_value(const void *a, const void *b)
{
	nsec x = *(const nsec *)a, y = *(const nsec *)b;

	return (x > y) - (x < y);
}

static nsec median(const nsec *v, uint32_t n)
{
	return v[(n - 1) / 2] + (v[n / 2] - v[(n - 1) / 2]) / 2;
}

/* From the first to the third quartile; of few values, from end to end. */
static nsec spread(const nsec *v, uint32_t n)
{
	return v[n - 1 - (n - 1) / 4] - v[(n - 1) / 4];
}

/* The time of all operators, or all GPU events, of a name; false if there are none. */
static bool time_of_name(struct diff_report *r, int side, const struct gate_rule *rule, nsec *sum)
{
	const struct diff_side *s = &r->d->side[side];
	bool any = false;

	*sum = 0;
	for (uint32_t i = 1; i < s->n; i++) {
		uint32_t node = i;

		if (rule->metric == GATE_OP)
			while (node && s->kind[node] != DIFF_OP)
				node = s->parent[node];
		else if (!diff_is_gpu(s->kind[i]))
			continue;
		if (!node || !str_eq(str_of(diff_raw_name(r, side, node)), rule->name))
			continue;
		any = true;
		*sum += diff_is_gpu(s->kind[i]) ? diff_time(r, side, i) : 0;
	}
	return any;
}

static bool measure_names(struct diff_report *r, const struct gate_rule *rule, struct verdict *v,
			  struct lp_error *err)
{
	bool any = time_of_name(r, 0, rule, &v->before);

	any |= time_of_name(r, 1, rule, &v->after);
	if (!any)
		return error_set(err, "rule '%.100s': neither trace has %s of that name",
				 rule->text, rule->metric == GATE_OP ? "an operator" : "GPU work");
	return true;
}

static bool measure_whole(struct diff_report *r, const struct diff_totals *t,
			  const struct gate_rule *rule, struct verdict *v, struct lp_error *err)
{
	const struct diff_line_figures *f = &t->line[rule->line];

	switch (rule->metric) {
	case GATE_LINE:
		v->before = f->ns[0];
		v->after = f->ns[1];
		return true;
	case GATE_COUNT:
		v->before = f->count[0];
		v->after = f->count[1];
		return true;
	case GATE_STEP_TIME:
		return error_set(err,
				 "rule '%.100s': needs %d steps (ProfilerStep#N) in both traces",
				 rule->text, GATE_STEPS);
	default:
		return measure_names(r, rule, v, err);
	}
}

static bool measure(struct diff_report *r, const struct diff_totals *t,
		    const struct gate_rule *rule, struct verdict *v, struct lp_error *err)
{
	uint32_t n[2];
	nsec *value[2];
	struct verdict whole = { 0 };

	v->spread = NSEC_NONE;
	for (int k = 0; k < 2; k++)
		value[k] = gate_step_values(r, k, rule, &n[k]);
	if (!value[0] || !value[1])
		return measure_whole(r, t, rule, v, err);
	if (rule->name.p && !measure_names(r, rule, &whole, err))
		return false;
	for (int k = 0; k < 2; k++) {
		qsort(value[k], n[k], sizeof(nsec), by_value);
		v->steps[k] = n[k];
		v->spread = MAX_OF(v->spread, spread(value[k], n[k]));
	}
	v->before = median(value[0], n[0]);
	v->after = median(value[1], n[1]);
	return true;
}

static const char *percent_text(struct arena *a, const struct verdict *v)
{
	return v->before ? arena_print(a, "%+.1f %%", diff_percent(v->before, v->after)) : "new";
}

static const char *amount(struct arena *a, const struct gate_rule *rule, int64_t v)
{
	return rule->metric == GATE_COUNT ? say_count(a, v) : say_time(a, v);
}

static const char *limits_text(struct arena *a, const struct gate_rule *rule)
{
	const char *percent = isnan(rule->percent) ? "" : arena_print(a, "%g %%", rule->percent);
	bool absolute = rule->ns != NSEC_NONE || rule->count >= 0;
	const char *much =
		!absolute ? "" : amount(a, rule, rule->ns != NSEC_NONE ? rule->ns : rule->count);

	return arena_print(a, "%s%s%s", percent, *percent && *much ? " and " : "", much);
}

/* Over all limits, and more than the steps differ among themselves. */
static void judge(struct arena *a, const struct gate_rule *rule, struct verdict *v)
{
	int64_t delta = v->after - v->before;
	int64_t absolute = rule->metric == GATE_COUNT ? rule->count : rule->ns;
	double percent = v->before ? diff_percent(v->before, v->after) : delta > 0 ? INFINITY : 0;
	const char *grown = percent_text(a, v);

	if (!isnan(rule->percent) && !(percent > rule->percent))
		v->text = arena_print(a, "ok: %s is within %g %%", grown, rule->percent);
	else if (absolute >= 0 && delta <= absolute)
		v->text = arena_print(a, "ok: %s%s is within %s", delta < 0 ? "-" : "+",
				      amount(a, rule, llabs(delta)), amount(a, rule, absolute));
	else if (v->spread != NSEC_NONE && delta <= v->spread)
		v->text = arena_print(a, "ok: within the spread of the steps, %s",
				      say_time(a, v->spread));
	else
		v->failed = true;
	if (v->failed)
		v->text = arena_print(a, "FAIL: %s is over %s", grown, limits_text(a, rule));
}

enum {
	BEFORE,
	AFTER,
	DELTA,
	COUNT_BEFORE,
	COUNT_AFTER,
	STEPS_BEFORE,
	STEPS_AFTER,
	SPREAD,
	NUMBERS
};

static const struct {
	const char *name, *title, *help;
	enum lp_unit unit;
	unsigned flags;
} numbers[NUMBERS] = {
	[BEFORE] = { "before_ns", "before", "in the first trace; with steps, the median", LP_NSEC,
		     0 },
	[AFTER] = { "after_ns", "after", "in the second trace", LP_NSEC, LP_SAME },
	[DELTA] = { "delta_ns", "delta", "after less before", LP_NSEC, LP_SAME | LP_DELTA },
	[COUNT_BEFORE] = { "count_before", "count", "of a rule about a number", LP_COUNT,
			   LP_DETAIL },
	[COUNT_AFTER] = { "count_after", "count after", "of a rule about a number", LP_COUNT,
			  LP_DETAIL },
	[STEPS_BEFORE] = { "steps_before", "steps", "steps of the first trace; 0: the whole trace",
			   LP_COUNT, LP_DETAIL },
	[STEPS_AFTER] = { "steps_after", "steps after", "steps of the second trace", LP_COUNT,
			  LP_DETAIL },
	[SPREAD] = { "spread_ns", "spread", "the larger interquartile range of the steps", LP_NSEC,
		     LP_DETAIL },
};

static void fill_row(int64_t *const *c, uint32_t row, const struct gate_rule *rule,
		     const struct verdict *v)
{
	bool count = rule->metric == GATE_COUNT;

	c[BEFORE][row] = count ? LP_NULL : v->before;
	c[AFTER][row] = count ? LP_NULL : v->after;
	c[DELTA][row] = count ? LP_NULL : v->after - v->before;
	c[COUNT_BEFORE][row] = count ? v->before : LP_NULL;
	c[COUNT_AFTER][row] = count ? v->after : LP_NULL;
	c[STEPS_BEFORE][row] = v->steps[0];
	c[STEPS_AFTER][row] = v->steps[1];
	c[SPREAD][row] = v->spread == NSEC_NONE ? LP_NULL : v->spread;
}

static void add_table(struct diff_report *r, const struct gate_rules *rules,
		      const struct verdict *v)
{
	struct arena *a = r->arena;
	uint32_t n = rules->n;
	struct lp_table *t = answer_table(r->a, "gate", n);
	const char **rule = NEW(a, n, const char *), **text = NEW(a, n, const char *);
	double *percent = NEW(a, n, double);
	int64_t *c[NUMBERS], *failed = NEW(a, n, int64_t);

	for (int i = 0; i < NUMBERS; i++)
		c[i] = NEW(a, n, int64_t);
	for (uint32_t i = 0; i < n; i++) {
		rule[i] = arena_text(a, rules->at[i].text, strlen(rules->at[i].text));
		text[i] = v[i].text;
		failed[i] = v[i].failed;
		percent[i] = diff_percent(v[i].before, v[i].after);
		fill_row(c, i, &rules->at[i], &v[i]);
	}
	t->whole = true;
	table_str(t, "rule", "rule", 0, rule, "as it was given");
	for (int i = 0; i < NUMBERS; i++) {
		table_i64(t, numbers[i].name, numbers[i].title, numbers[i].unit, numbers[i].flags,
			  c[i], numbers[i].help);
		if (i == DELTA)
			table_f64(t, "percent", "", LP_PERCENT, LP_DELTA, percent,
				  "the change in percent of before");
	}
	table_bool(t, "failed", "failed", LP_DETAIL, failed, "over all limits of the rule");
	table_str(t, "verdict", "verdict", 0, text, "FAIL or ok, and why");
}

bool diff_gate(struct diff_report *r, const struct diff_totals *t, const struct gate_rules *rules,
	       struct lp_error *err)
{
	struct verdict *v = NEW(&r->scratch, rules->n, struct verdict);

	if (!rules->n)
		return true;
	for (uint32_t i = 0; i < rules->n; i++) {
		if (!measure(r, t, &rules->at[i], &v[i], err))
			return false;
		judge(r->arena, &rules->at[i], &v[i]);
		r->a->no |= v[i].failed;
	}
	add_table(r, rules, v);
	return true;
}
