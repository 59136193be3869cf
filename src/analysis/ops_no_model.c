/* Lines of `ops` without figures, by reason. */
#include "analysis/ops_roofline.h"

#include "algo/sort.h"
#include "base/check.h"
#include "base/say.h"

#include <math.h>

struct reason {
	const char *text;
	uint32_t lines, count;
	nsec time;
};

/* The texts are literals, few of them: found one after the other. */
static struct reason *reason_of(struct reason *at, uint32_t *n, const char *text)
{
	for (uint32_t i = 0; i < *n; i++)
		if (!strcmp(at[i].text, text))
			return &at[i];
	at[*n].text = text;
	return &at[(*n)++];
}

static bool more_time(const void *ctx, uint32_t a, uint32_t b)
{
	const struct reason *x = (const struct reason *)ctx + a,
			    *y = (const struct reason *)ctx + b;

	return x->time != y->time ? x->time > y->time : strcmp(x->text, y->text) < 0;
}

static void fill(struct lp_answer *a, struct lp_table *t, const struct reason *at,
		 const uint32_t *order, nsec total)
{
	struct arena *arena = answer_arena(a);
	uint32_t n = t->nrows;
	const char **text = NEW(arena, n, const char *);
	int64_t *lines = NEW(arena, n, int64_t), *count = NEW(arena, n, int64_t),
		*time = NEW(arena, n, int64_t);
	double *percent = NEW(arena, n, double);

	for (uint32_t i = 0; i < n; i++) {
		const struct reason *r = &at[order[i]];

		text[i] = r->text;
		lines[i] = r->lines;
		count[i] = r->count;
		time[i] = r->time;
		percent[i] = total ? 100.0 * (double)r->time / (double)total : NAN;
	}
	table_str(t, "reason", "why there are no figures", LP_NAME, text, "no_cost of table ops");
	table_i64(t, "lines", "lines", LP_COUNT, LP_SUM, lines, "lines of table ops");
	table_i64(t, "count", "count", LP_COUNT, LP_SUM, count, "occurrences");
	table_i64(t, "kernel_time_ns", "GPU", LP_NSEC, LP_SUM, time, "GPU time");
	table_f64(t, "percent", "", LP_PERCENT, LP_SUM | LP_BAR, percent, "of all GPU time");
}

void ops_no_model(struct lp_answer *a, const struct ops_view *v)
{
	struct arena scratch = { 0 };
	struct reason *at = NEW(&scratch, v->groups->n, struct reason);
	uint32_t *order = NEW(&scratch, v->groups->n, uint32_t), n = 0;
	nsec with = 0, without = 0;

	for (uint32_t g = 0; g < v->groups->n; g++) {
		const struct ops_stat *s = &v->stat[g];

		if (v->cost[g].known) {
			with += s->time;
			continue;
		}
		struct reason *r = reason_of(at, &n, v->cost[g].why);
		r->lines++;
		r->count += s->count;
		r->time += s->time;
		without += s->time;
	}
	CHECK(with + without == v->total);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(&scratch, n, uint32_t), more_time, at);
	if (n) {
		struct lp_table *t = answer_table(a, "no_model", n);

		t->detail = true;
		fill(a, t, at, order, v->total);
		table_footer(t, "%s has figures: together all GPU time",
			     say_time(answer_arena(a), with));
	}
	arena_free(&scratch);
}
