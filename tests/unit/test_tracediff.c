#include "analysis/tracediff.h"

#include "diff_trees.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The roots of a side as a list. */
static uint32_t *roots_of(struct diff_sides *d, int k, uint32_t *n)
{
	const struct diff_side *s = &d->side[k];
	uint32_t *list = NEW(&d->arena, s->n, uint32_t);

	*n = 0;
	for (uint32_t c = 1; c < s->end[0]; c = s->end[c])
		list[(*n)++] = c;
	return list;
}

/* Ops are written "0-1 +2 -3": a match, an insertion, a deletion. */
static const char *untangled(const char *before, const char *after, const char *text)
{
	static char out[256];
	struct diff_sides d = trees_of(DIFF_TRACELENS, before, after);
	uint32_t n1, n2, *l1 = roots_of(&d, 0, &n1), *l2 = roots_of(&d, 1, &n2);
	struct tracediff_ops ops = { 0, NEW(&d.arena, n1 + n2, struct align_op) };
	size_t len = 0;

	for (const char *p = text; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		unsigned a = NONE, b = NONE;

		if (*p == '+')
			sscanf(p + 1, "%u", &b);
		else if (*p == '-')
			sscanf(p + 1, "%u", &a);
		else
			sscanf(p, "%u-%u", &a, &b);
		ops.at[ops.n++] = (struct align_op){ a, b };
	}
	ops = tracediff_untangle(&d, l1, n1, l2, n2, ops, &d.arena);
	out[0] = 0;
	for (uint32_t i = 0; i < ops.n; i++) {
		struct align_op op = ops.at[i];

		len += (size_t)(op.a == NONE   ? sprintf(out + len, " +%u", op.b)
				: op.b == NONE ? sprintf(out + len, " -%u", op.a)
					       : sprintf(out + len, " %u-%u", op.a, op.b));
	}
	diff_sides_free(&d);
	return out + (out[0] == ' ');
}

/* The table of the original's own tests. */
static void names_that_repeat_are_assigned_by_what_is_below(void **unused)
{
	(void)unused;
	assert_string_equal(untangled("A B", "A C", "0-0 -1 +1"), "0-0 -1 +1");
	assert_string_equal(untangled("A[X]", "A[Y] A[X]", "0-0 +1"), "0-1 +0");
	assert_string_equal(untangled("A", "A A", "0-0 +1"), "0-0 +1");
	assert_string_equal(untangled("A(X[x] Y[y]) A(X[x] Y[y]) A(X[x] Y[y])",
				      "A(X[x] Y[y]) A(X[x]) A(X[x]) A(X[x])", "+0 0-1 1-2 2-3"),
			    "0-0 1-2 2-3 +1");
	assert_string_equal(untangled("A(X[x] Y[y]) A(X[x]) A(X[x]) A(X[x])",
				      "A(X[x] Y[y]) A(X[x] Y[y]) A(X[x] Y[y])", "-0 1-0 2-1 3-2"),
			    "0-0 2-1 3-2 -1");
	assert_string_equal(untangled("A[X] A[Y]", "A[X] A[Z] A[Y]", "0-0 1-1 +2"), "0-0 1-2 +1");
	assert_string_equal(untangled("A[X] A[X]", "A[Y] A[X] A[X]", "0-0 1-1 +2"), "0-2 1-1 +0");
	assert_string_equal(untangled("A[X] A[Y]", "A[Y] A[X]", "0-0 1-1"), "0-1 1-0");
	assert_string_equal(
		untangled("A[A] A[B] A[C] A[D] A[E]", "A[A] A[C] A[B]", "0-0 1-1 2-2 -3 -4"),
		"0-0 1-2 2-1 -3 -4");
	assert_string_equal(untangled("A(P(s[Y])) A(B[b]) A(P(s[X])) A(D[d]) A(E[e])",
				      "A(P(s[X])) A(B[b]) A(P(s[Y]))", "0-0 1-1 2-2 -3 -4"),
			    "0-2 1-1 2-0 -3 -4");
	assert_string_equal(untangled("A(P[p]) A(P[p] Q[q])", "A(P[p] Q[q] S[s])", "0-0 -1"),
			    "1-0 -0");
	assert_string_equal(untangled("A A", "A", "-0 -1 +0"), "-0 -1 +0"); /* in no match */
}

/* All a fingerprint is: sums of hashes of names, level by level, on the GPU path. */
static void a_fingerprint_leaves_out_what_launches_nothing(void **unused)
{
	(void)unused;
	struct diff_sides d = trees("root(X(Y[k])) leaf", "root(X(Y[k]) cpu(x)) root(X Y[k])");
	const struct diff_side *a = &d.side[0], *b = &d.side[1];
	uint32_t leaf = a->end[1], other = b->end[1];

	assert_true(diff_levels_key(a, 1, 4) == diff_levels_key(b, 1, 4));
	assert_true(diff_levels_key(a, 1, 1) != diff_levels_key(b, other, 1));
	assert_true(a->level[0][leaf] == 0);
	diff_sides_free(&d);
}

/* The merged tree of the original, with launches and kernels left out of the text. */
static const char *merged(const char *before, const char *after)
{
	static char out[1 << 14];
	struct diff_sides d = trees_of(DIFF_TRACELENS, before, after);
	struct tracediff_side t[2];

	for (int k = 0; k < 2; k++) {
		uint32_t n, *l = roots_of(&d, k, &n);

		t[k] = tracediff_roots(&d.side[k], l, n, false, &d.arena);
	}
	struct tracediff_merged m = tracediff_merge(&d, t, &d.arena);
	char *text = NULL;
	size_t size, len = 0;
	FILE *f = open_memstream(&text, &size);
	assert_true(tracediff_write_tree(&d, &m, false, f));
	fclose(f);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!strstr(line, "LaunchKernel") && !strstr(line, "#"))
			len += (size_t)sprintf(out + len, "%s\n", line);
	out[len] = 0;
	free(text);
	diff_sides_free(&d);
	return out;
}

static void the_phases_of_the_original(void **unused)
{
	(void)unused;
	/* by place if there are as many */
	assert_string_equal(merged("p(a b[#1])", "p(b[#1] c)"), "└── p\n"
								"    └── b\n");
	assert_string_equal(merged("p(a[#1] b[#2])", "p(b[#2] a[#1])"),
			    "└── p\n"
			    "    ├── combined: a | b\n"
			    "    └── combined: b | a\n");
	/* a lone wrapper is replaced by what is in it */
	assert_string_equal(merged("p(w(x[#1] y[#2]))", "p(x[#1] y[#2] z[#3])"),
			    "└── combined: w | p\n"
			    "    ├── x\n"
			    "    ├── y\n"
			    "    └── << trace2: z\n");
	/* one of several is looked through */
	assert_string_equal(merged("p(x[#1] y[#2] z[#3])", "p(x[#1] w(y[#2] v[#4]))"),
			    "└── p\n"
			    "    ├── x\n"
			    "    ├── y\n"
			    "    └── combined: z | v\n");
	/* a non-GPU child is taken in if the other side has it on the GPU */
	assert_string_equal(merged("p(a x[#1])", "p(a[#2] x[#1])"), "└── p\n"
								    "    ├── a\n"
								    "    └── x\n");
	/* roots go by place */
	assert_string_equal(merged("a[#1]", "z[#2] a[#1]"), "├── combined: a | z\n"
							    "└── << trace2: a\n");
}

/* A single chain above several operators: the end of the chain stands for the root. */
static void a_root_is_the_end_of_its_chain(void **unused)
{
	(void)unused;
	struct diff_sides d = trees_of(DIFF_TRACELENS, "%main(%run(a[1] b[2]))",
				       "%main(%run(a[1]))");
	uint32_t ops[] = { 3, 6 };
	struct tracediff_side one = tracediff_roots(&d.side[0], ops, 2, false, &d.arena);
	struct tracediff_side two = tracediff_roots(&d.side[0], ops, 2, true, &d.arena);
	struct tracediff_side alone = tracediff_roots(&d.side[1], ops, 1, true, &d.arena);

	assert_int_equal(one.nroots, 1);
	assert_int_equal(one.root[0], 2);
	assert_int_equal(two.nroots, 2); /* as the original has it */
	assert_int_equal(two.root[1], 1);
	assert_int_equal(alone.nroots, 1);
	diff_sides_free(&d);
}

static void only_two_launches_are_one_to_the_original(void **unused)
{
	(void)unused;
	struct diff_names names = { .style = DIFF_TRACELENS }, ours = { .style = DIFF_OPTIMAL };

	assert_int_equal(diff_names_add(&names, STR("hipModuleLaunchKernel")),
			 diff_names_add(&names, STR("cuLaunchKernel")));
	assert_int_not_equal(diff_names_add(&names, STR("hipLaunchKernel")),
			     diff_names_add(&names, STR("cudaLaunchKernel")));
	assert_int_equal(diff_names_add(&ours, STR("hipLaunchKernel")),
			 diff_names_add(&ours, STR("cudaLaunchKernel")));
	assert_int_equal(diff_names_add(&ours, STR("f at 0x7f3a")),
			 diff_names_add(&ours, STR("f at 0x12")));
	assert_int_equal(diff_names_add(&ours, STR("a.py(12): f")),
			 diff_names_add(&ours, STR("a.py(7): f")));
	assert_int_not_equal(diff_names_add(&ours, STR("a.py(x): f")),
			     diff_names_add(&ours, STR("a.py(7): f")));
	diff_names_free(&names);
	diff_names_free(&ours);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_repeat_are_assigned_by_what_is_below),
		cmocka_unit_test(a_fingerprint_leaves_out_what_launches_nothing),
		cmocka_unit_test(the_phases_of_the_original),
		cmocka_unit_test(a_root_is_the_end_of_its_chain),
		cmocka_unit_test(only_two_launches_are_one_to_the_original),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
