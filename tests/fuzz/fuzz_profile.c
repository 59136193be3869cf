/*
 * fuzz_profile.c - any bytes as a sampled profile, both ways up.
 *
 * Beside not crashing, laws: the roots of the inverted tree add up to the sum of weights, and a
 * transform of everything leaves no more than there was.
 */
#include "analysis/tree_handle.h"
#include "base/check.h"
#include "profile/profile_read.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_roots(struct lp_tree *t)
{
	uint32_t n = lp_tree_roots(t, NULL, 0), cap = n < 1000 ? n : 1000;
	struct lp_node *roots = calloc(cap + 1, sizeof(*roots));
	int64_t sum = 0, all = lp_tree_sum(t, NULL, NULL);

	CHECK(roots);
	lp_tree_roots(t, roots, cap);
	for (uint32_t i = 0; i < cap; i++) {
		struct lp_node_data d;

		CHECK(lp_tree_node(t, roots[i], &d));
		sum += d.total;
	}
	CHECK(n > cap || sum == all);
	free(roots);
}

static void look_at(const struct lp_profile *h, bool invert, const struct lp_transform *x)
{
	struct lp_tree_options o = { .invert = invert, .transforms = x, .ntransforms = x ? 1 : 0 };
	struct lp_error err;
	struct lp_tree *t = lp_tree_open(h, o, &err);

	if (!t)
		return;
	check_roots(t);
	lp_answer_free(
		lp_tree_answer(t, (struct lp_tree_show){ .max_nodes = 200, .pairs = true }, &err));
	lp_answer_free(lp_tree_answer(t, (struct lp_tree_show){ .functions = true }, &err));
	lp_tree_write(t, LP_FIREFOX, "/dev/null", &err);
	check_roots(t);
	lp_tree_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct lp_transform transforms[] = { { LP_COLLAPSE_RECURSION, "." },
							  { LP_FOCUS, "a" } };
	struct profile_options o = { .sums = n & 1, .weight = n % 5 ? NULL : "time" };
	struct lp_error err = { "" };
	struct lp_profile h = { .sums = o.sums };

	if (profile_read_memory("fuzz", data, n, o, &h.p, &err) != PROFILE_READ)
		return 0;
	look_at(&h, false, NULL);
	look_at(&h, true, NULL);
	look_at(&h, n & 2, &transforms[n & 1]);
	profile_free(h.p);
	return 0;
}
