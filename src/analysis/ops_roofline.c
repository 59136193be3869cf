/*
 * Lines of `ops` of one name are added up:
 *
 *	GPU time = time at best + above - below
 *
 * Times at best are rounded to whole ns per line, so that the sums are exact. Faster than
 * the roof (below) is no work but a wrong figure: of the GPU, or of a formula.
 */
#include "analysis/ops_roofline.h"

#include "algo/sort.h"
#include "base/check.h"
#include "base/say.h"

#include <math.h>

struct gain {
	string_id name;
	uint32_t count;
	nsec time, best, above, below;
	nsec memory; /* of `best`: bound by memory */
};

struct gains {
	const struct trace *tr;
	uint32_t n;
	struct gain *at;
	struct gain all;
};

static void add(struct gain *to, const struct gain *g)
{
	to->count += g->count;
	to->time += g->time;
	to->best += g->best;
	to->above += g->above;
	to->below += g->below;
	to->memory += g->memory;
}

static struct gain gain_of(const struct ops_view *v, uint32_t g)
{
	const struct ops_stat *s = &v->stat[g];
	nsec best = ops_best_time(&v->cost[g], s);

	return (struct gain){
		.name = v->groups->key[g].name,
		.count = s->count,
		.time = s->time,
		.best = best,
		.above = MAX_OF(s->time - best, 0),
		.below = MAX_OF(best - s->time, 0),
		.memory = v->cost[g].roof.compute_bound ? 0 : best,
	};
}

static bool more_above(const void *ctx, uint32_t a, uint32_t b)
{
	const struct gains *all = ctx;
	const struct gain *x = &all->at[a], *y = &all->at[b];

	if (x->above != y->above)
		return x->above > y->above;
	return str_cmp(strings_get(&all->tr->strings, x->name),
		       strings_get(&all->tr->strings, y->name)) < 0;
}

static struct gains collect(struct arena *a, const struct ops_view *v)
{
	struct gains all = { v->tr, 0, NEW(a, v->groups->n, struct gain), { 0 } };
	uint32_t *slot = NEW(a, v->tr->strings.n, uint32_t); /* of each name: its gain + 1 */

	for (uint32_t g = 0; g < v->groups->n; g++) {
		if (!v->cost[g].roof.known)
			continue;
		struct gain one = gain_of(v, g);

		if (!slot[one.name]) {
			slot[one.name] = ++all.n;
			all.at[all.n - 1].name = one.name;
		}
		add(&all.at[slot[one.name] - 1], &one);
		add(&all.all, &one);
	}
	CHECK(all.all.time == all.all.best + all.all.above - all.all.below);
	return all;
}

static const char *bound(const struct gain *g)
{
	return g->memory == g->best ? "memory" : g->memory ? "both" : "compute";
}

static void fill(struct lp_answer *a, struct lp_table *t, const struct gains *all,
		 const uint32_t *order)
{
	struct arena *arena = answer_arena(a);
	uint32_t n = all->n;
	const char **name = NEW(arena, n, const char *), **by = NEW(arena, n, const char *);
	int64_t *count = NEW(arena, n, int64_t), *time = NEW(arena, n, int64_t),
		*best = NEW(arena, n, int64_t), *above = NEW(arena, n, int64_t),
		*below = NEW(arena, n, int64_t);
	double *percent = NEW(arena, n, double), *share = NEW(arena, n, double);

	for (uint32_t i = 0; i < n; i++) {
		const struct gain *g = &all->at[order[i]];

		name[i] = strings_get(&all->tr->strings, g->name).p;
		by[i] = bound(g);
		count[i] = g->count;
		time[i] = g->time;
		best[i] = g->best;
		above[i] = g->above;
		below[i] = g->below;
		percent[i] = g->time ? 100.0 * (double)g->best / (double)g->time : NAN;
		share[i] = all->all.above ? 100.0 * (double)g->above / (double)all->all.above : NAN;
	}
	table_str(t, "name", "operator", LP_NAME, name, "the operator, whatever its arguments");
	table_str(t, "roofline_bound", "bound", 0, by,
		  "what limits it at best: compute, memory, or one or the other (both)");
	table_i64(t, "count", "count", LP_COUNT, LP_SUM, count, "occurrences");
	table_i64(t, "kernel_time_ns", "GPU", LP_NSEC, LP_SUM, time, "GPU time");
	table_i64(t, "roofline_ns", "at best", LP_NSEC, LP_SUM, best,
		  "the time it would take at best: the longer one of computing and moving");
	table_f64(t, "roofline_percent", "of roofline", LP_PERCENT, 0, percent,
		  "roofline_ns of kernel_time_ns");
	table_i64(t, "above_roofline_ns", "above", LP_NSEC, LP_SUM, above,
		  "GPU time beyond that: what there is to gain");
	table_i64(t, "below_roofline_ns", "below", LP_NSEC, LP_SUM | LP_DETAIL, below,
		  "time at best beyond the GPU time: a figure must be wrong; kernel_time_ns = "
		  "roofline_ns + above_roofline_ns - below_roofline_ns");
	table_f64(t, "percent", "", LP_PERCENT, LP_SUM | LP_BAR, share, "of all that is above");
}

void ops_roofline(struct lp_answer *a, const struct ops_view *v, const struct arch *arch)
{
	struct arena scratch = { 0 }, *arena = answer_arena(a);
	struct gains all = collect(&scratch, v);
	uint32_t *order = NEW(&scratch, all.n, uint32_t);

	for (uint32_t i = 0; i < all.n; i++)
		order[i] = i;
	sort_ids(order, all.n, NEW(&scratch, all.n, uint32_t), more_above, &all);
	if (all.n) {
		struct lp_table *t = answer_table(a, "roofline", all.n);

		t->detail = true;
		fill(a, t, &all, order);
		table_footer(t, "%s of the GPU time can be held against %s; of it %s is above",
			     say_percent(arena, all.all.time, v->total), arch->name,
			     say_time(arena, all.all.above));
	}
	if (all.all.below > all.all.time / 50)
		answer_doubt(a,
			     "operators are %s faster than %s can be: is it another GPU (--arch)?",
			     say_time(arena, all.all.below), arch->name);
	arena_free(&scratch);
}
