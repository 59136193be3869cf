/*
 * Both profiles over one set of functions (by name and file: lines move between versions)
 * and stacks: what was before counts against, what is after for. Scaled, the first one's
 * weights are cut out of a running sum, so that they add up to the last unit.
 */
#include "analysis/tree_handle.h"
#include "base/scaled.h"
#include "base/alloc.h"

#include <stdlib.h>

struct joint {
	struct profile *p;
	unsigned places; /* of both */
};

/* The stacks of one side over the joint functions; of each of its stacks. The caller frees it. */
static stack_id *join(struct joint *j, const struct profile *side)
{
	stack_id *ours = alloc_checked(malloc(MAX_OF(side->stacks.n, 1) * sizeof(*ours)));
	func_id *func = alloc_checked(malloc(MAX_OF(side->functions.n, 1) * sizeof(*func)));
	for (func_id f = 0; f < side->functions.n; f++) {
		const struct function *x = &side->functions.at[f];
		struct str file = x->file == NONE ? STR("") : strings_get(&side->strings, x->file);

		func[f] = profile_function_at(j->p, profile_name(side, f), file, 0);
		j->p->functions.at[func[f]].flags |= x->flags;
	}
	for (stack_id s = 0; s < side->stacks.n; s++) {
		stack_id up = side->stacks.prefix[s];

		ours[s] = stacks_add(&j->p->stacks, up == NONE ? NONE : ours[up],
				     func[side->stacks.func[s]]);
	}
	free(func);
	return ours;
}

static bool takes(const struct profile *side, uint32_t thread, uint32_t like)
{
	return side->threads[thread].unit == side->threads[like].unit;
}

/* A weight of the side at the joint scale. */
static bool scaled(const struct joint *j, const struct profile *side, uint32_t thread, size_t i,
		   int64_t *out)
{
	struct scaled d = { samples_weight(&side->samples, i), side->threads[thread].places };

	return scaled_round(d, j->places, out);
}

static bool sum_of(const struct joint *j, const struct profile *side, uint32_t like, int64_t *sum)
{
	int64_t w;

	*sum = 0;
	for (uint32_t t = 0; t < side->nthreads; t++)
		for (size_t i = side->threads[t].first;
		     takes(side, t, like) && i < side->threads[t].first + side->threads[t].n; i++)
			if (side->samples.stack[i] != NONE &&
			    (!scaled(j, side, t, i, &w) || __builtin_add_overflow(*sum, w, sum)))
				return false;
	return true;
}

/* `num` of `den` of a running sum: the difference of two such is the share of a weight. */
static int64_t share(int64_t running, int64_t num, int64_t den)
{
	return (int64_t)((__int128)running * num / den);
}

static bool add_side(struct joint *j, const struct profile *side, uint32_t like, int sign,
		     int64_t num, int64_t den)
{
	stack_id *ours = join(j, side);
	int64_t running = 0, own = 0, w;
	bool ok = true;

	for (uint32_t t = 0; t < side->nthreads; t++) {
		const struct profile_thread *x = &side->threads[t];

		for (size_t i = x->first; takes(side, t, like) && i < x->first + x->n && ok; i++) {
			stack_id s = side->samples.stack[i];

			if (s == NONE)
				continue;
			ok = scaled(j, side, t, i, &own);
			w = ok ? share(running + own, num, den) - share(running, num, den) : 0;
			running += ok ? own : 0;
			profile_sample(j->p, (struct sample){ ours[s], NSEC_NONE, sign * w,
							      samples_count(&side->samples, i) });
		}
	}
	free(ours);
	return ok;
}

static unsigned most_places(const struct profile *a, unsigned places)
{
	for (uint32_t t = 0; t < a->nthreads; t++)
		places = MAX_OF(places, a->threads[t].places);
	return places;
}

struct lp_profile *lp_profile_diff(const struct lp_profile *before, const struct lp_profile *after,
				   bool normalize, struct lp_error *err)
{
	const struct profile *b = before->p, *a = after->p;
	int64_t num = 1, den = 1;

	profile_sort(before->p);
	profile_sort(after->p);

	if (!a->nthreads || !b->nthreads) {
		error_set(err, "%s: there are no stacks in it", a->nthreads ? b->path : a->path);
		return NULL;
	}
	uint32_t like_a = calltree_busiest(a), like_b = calltree_busiest(b);

	if (a->threads[like_a].unit != b->threads[like_b].unit) {
		error_set(err, "%s counts %s, %s %s: they cannot be subtracted", b->path,
			  b->threads[like_b].unit_name, a->path, a->threads[like_a].unit_name);
		return NULL;
	}
	struct joint j = { .p = profile_new(a->path, "difference") };

	j.places = most_places(a, most_places(b, 0));
	profile_thread(j.p, "difference", NULL, NULL, NULL);
	profile_unit(j.p, a->threads[like_a].unit, a->threads[like_a].unit_name);
	j.p->threads[0].places = j.places;
	bool ok = !normalize || (sum_of(&j, a, like_a, &num) && sum_of(&j, b, like_b, &den));

	if (ok && den && num)
		ok = add_side(&j, b, like_b, -1, num, den) && add_side(&j, a, like_a, 1, 1, 1);
	else if (ok)
		ok = add_side(&j, b, like_b, -1, 0, 1) && add_side(&j, a, like_a, 1, 1, 1);
	if (!ok) {
		error_set(err, "%s: the weights are too large to be subtracted", a->path);
		profile_free(j.p);
		return NULL;
	}
	j.p = profile_finish(j.p, err);
	if (!j.p)
		return NULL;
	struct lp_profile *h = alloc_checked(calloc(1, sizeof(*h)));
	*h = (struct lp_profile){ .p = j.p, .sums = true, .diff = true };
	return h;
}
