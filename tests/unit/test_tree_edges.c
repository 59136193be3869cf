/* Edge cases worked out by hand; their numbers are those of the list they come from. */
#include "tree_print.h"

/* ---- The table of edge cases, by its numbers ---- */

static void edge_chains(void **unused)
{
	DOWN("A;B;C;D;E 1\nA;B;C;F;G 1\nA;B;H;I 1\n", /* 1 */
	     "A 3[B 3[C 2[D 1[E 1/1] F 1[G 1/1]] H 1[I 1/1]]]");
	INVERTED("A;B;C;D;E 1\nA;B;X;Y;Z 1\nA;B;C;X;Y;Z 1\n", /* 2 */
		 "Z 2[Y 2[X 2[B 1[A 1] C 1[B 1[A 1]]]]] E 1[D 1[C 1[B 1[A 1]]]]");
	DOWN("A;B 485407757\nA;C 1222\n", /* 3 */
	     "A 485408979[B 485407757/485407757 C 1222/1222]");
	DOWN("A;B 1000000000\n", "A 1000000000[B 1000000000/1000000000]");
}

static void edge_recursion(void **unused)
{
	INVERTED("A;A;A 1\nA;A 1\nA 1\nB;A 1\nA;B;A 1\n", "A 5[A 2[A 1] B 2[A 1]]"); /* 10 */
}

static void edge_signs(void **unused)
{
	INVERTED("A;X 0 1\nB;X 1 0\nC;Y 0 2\nD;Y 5 0\n", "Y -3[D -5 C 2] X 0[A 1 B -1]"); /* 7 */
	INVERTED("A;X;Z 0 1\nB;X;Z 1 0\nQ;Z 0 3\n", "Z 3[Q 3 X 0[A 1 B -1]]");            /* 8 */
	DOWN("A;B;C 1 2\nA;B;D 2 1\nA;E 1 1\n",
	     "A 0[B 0[C 1/1 D -1/-1]]"); /* as 5: E has nothing */
}

static void edge_zero_weight(void **unused)
{
	INVERTED("A;B 1\nA 1\nA;B 0\n", "A 1 B 1[A 1]"); /* 9, without its nulls */
}

static void edge_ties(void **unused)
{
	INVERTED("Z;L 1\nY;L 1\nX;L 1\nM 1\nN 1\nO;P 1\n",
		 "L 3[Z 1 Y 1 X 1] M 1 N 1 P 1[O 1]"); /* 11 */
	expect("Z;L 1\nY;L 1\nX;L 1\nM 1\nN 1\nO;P 1\n", (struct lp_tree_options){ .invert = true },
	       (struct lp_tree_filter){ 0 }, "L 3[X 1 Y 1 Z 1] M 1 N 1 P 1[O 1]");
}

static void edge_search(void **unused)
{
	static const char text[] = "A;malloc 1\nB;free 1\nA;B;malloc 1\nC 1\n";
	static const char *const mall[] = { "mall" }, *const both[] = { "mall,b" },
				 *const re[] = { "/^MAL/" };
	struct lp_tree_options o = { .invert = true, .firefox_order = true };

	expect(text, o, (struct lp_tree_filter){ .search = mall, .nsearch = 1 },
	       "malloc 2[A 1 B 1[A 1]]"); /* 13 */
	expect(text, o, (struct lp_tree_filter){ .search = both, .nsearch = 1 },
	       "malloc 1[B 1[A 1]]");
	expect(text, o, (struct lp_tree_filter){ .search = re, .nsearch = 1 },
	       "malloc 2[A 1 B 1[A 1]]");
}

static void edge_transforms(void **unused)
{
	expect_transform("A;B;C;D;E 1\nA;B;C;F;G 1\nA;B;H;C 1\n", false, LP_MERGE, "C", /* 17 */
			 "A 3[B 3[D 1[E 1/1] F 1[G 1/1] H 1/1]]");
	expect_transform("A;B;C 1\nA;B;C;D 1\nA;C 1\nA;B;E 1\n", false, LP_DROP, "C", /* 18 */
			 "A 1[B 1[E 1/1]]");
	expect_transform("A;X;Y;C 1\nA;B;X;Y;X;Y;D 2\n", false, LP_FOCUS, "X", /* 19 */
			 "X 3[Y 3[X 2[Y 2[D 2/2]] C 1/1]]");
	expect_transform("A;X 1\nA;B;X 1\nA;B;X;Y 1\n", false, LP_FOCUS_SELF, "X",
			 "X 2/2"); /* 20 */
	expect_transform("A;X;Y;X 3\n", false, LP_FOCUS_SELF, "X", "X 3/3");
	expect_transform("A;B;B;E;F 1\nA;B;B;B;C 1\nA;B;G 1\n", false, LP_COLLAPSE_DIRECT, "B",
			 "A 3[B 3[E 1[F 1/1] C 1/1 G 1/1]]"); /* as 22, without implementations */
	expect_transform("A;B;C;B;D 1\nA;B;C;E 1\nA;B;F 1\nA;G 1\n", false, LP_COLLAPSE_RECURSION,
			 "B", "A 4[B 3[C 1[E 1/1] D 1/1 F 1/1] G 1/1]"); /* 23 */
	expect_transform("A;B;C;D;E 1\nA;B;C;F;G 1\nA;B;H;C;I 1\nA;B;H;C;J 1\n", false,
			 LP_COLLAPSE_SUBTREE, "C", "A 4[B 4[C 2/2 H 2[C 2/2]]]"); /* 24 */
}

static void transforms_take_exact_names_before_expressions(void **unused)
{
	expect_transform("f(int);a 1\nf(int)x;a 1\n", false, LP_DROP, "f(int)", "f(int)x 1[a 1/1]");
	expect_transform("A;B1;C 1\nA;B2;C 1\n", false, LP_MERGE, "^B", "A 2[C 2/2]");
}

static void collapse_recursion_of_several_functions(void **unused)
{
	expect_transform("A;B;C;B;D;C 1\n", false, LP_COLLAPSE_RECURSION, "^[BC]$",
			 "A 1[B 1[D 1[C 1/1]]]");
	expect_transform("A;B;A;B;C 1\nA;B;X 1\nY;B;B 1\n", false, LP_COLLAPSE_RECURSION, ".",
			 "A 2[B 2[C 1/1 X 1/1]] Y 1[B 1/1]");
}

static void edge_nothing_there(void **unused)
{
	static const char *const none[] = { "nowhere" };
	static const char *const path[] = { "A", "Q" };
	struct lp_profile *h = open_text("A 1\n");
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
	struct lp_error err;
	struct lp_node n;

	assert_false(lp_tree_find(t, path, 2, &n)); /* 29 */
	assert_true(lp_tree_find(t, path, 1, &n));
	assert_int_equal(lp_tree_children(t, n, NULL, 0), 0); /* 30 */
	assert_false(lp_tree_node(t, (struct lp_node){ 7, 0 }, &(struct lp_node_data){ 0 }));
	assert_false(
		lp_tree_node(t, (struct lp_node){ UINT32_MAX, 0 }, &(struct lp_node_data){ 0 }));
	assert_true(
		lp_tree_filter(t, (struct lp_tree_filter){ .search = none, .nsearch = 1 }, &err));
	assert_int_equal(lp_tree_roots(t, NULL, 0), 0);
	assert_int_equal(lp_tree_sum(t, NULL, NULL), 0);
	struct lp_answer *a = lp_tree_answer(t, (struct lp_tree_show){ 0 }, &err);

	assert_int_equal(lp_answer_table(a, "tree")->nrows, 0);
	lp_answer_free(a);
	lp_tree_close(t);
	lp_profile_close(h);
}

/* 4: A;B;C;B;D, A;E;C;F;E, A;B;A;G: a function counts once per stack */
static void functions_count_recursion_once(void **unused)
{
	struct lp_profile *h = open_text("A;B;C;B;D 1\nA;E;C;F;E 1\nA;B;A;G 1\n");
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .firefox_order = true });
	struct lp_error err;
	struct lp_answer *a = lp_tree_answer(t, (struct lp_tree_show){ .functions = true }, &err);
	const struct lp_table *f = lp_answer_table(a, "functions");
	static const struct {
		const char *name;
		int64_t total, self;
	} want[] = { { "A", 3, 0 }, { "B", 2, 0 }, { "C", 2, 0 }, { "D", 1, 1 },
		     { "E", 1, 1 }, { "F", 1, 0 }, { "G", 1, 1 } };

	assert_int_equal(f->nrows, 7);
	for (int i = 0; i < 7; i++) {
		assert_string_equal(f->cols[0].data.str[i], want[i].name);
		assert_int_equal(f->cols[1].data.i64[i], want[i].total);
		assert_int_equal(f->cols[2].data.i64[i], want[i].self);
	}
	lp_answer_free(a);
	lp_tree_close(t);
	lp_profile_close(h);
}

/* 14: the stacks that end in a path */
static void suffixes_are_ranges(void **unused)
{
	struct lp_profile *h = open_text("A 1\nA;B 1\nA;B;A 1\nA;B;C 1\nA;A 1\nA;A;B 1\nA;C 1\n");
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
	static const char *const path[] = { "B", "A", "A" };
	struct lp_node n;
	uint8_t match[8];

	assert_true(lp_tree_find(t, path, 2, &n));
	assert_int_equal(lp_tree_matches(t, n, match, 8), 2);
	assert_int_equal(match[1] + match[5], 2);
	assert_true(lp_tree_find(t, path, 3, &n));
	assert_int_equal(lp_tree_matches(t, n, match, 8), 1);
	assert_int_equal(match[5], 1);
	lp_tree_close(t);
	lp_profile_close(h);
}

#define TIMED                                                                                                 \
	"{\"meta\":{\"interval\":0.5},\"threads\":[{\"samples\":{\"stack\":[0,1,%s,3],\"time\":[0,1,5,6]}}]," \
	"\"shared\":{\"stackTable\":{\"frame\":[0,1,2,2],\"prefixOffset\":[0,1,1,0]},"                        \
	"\"frameTable\":{\"func\":[0,1,2]},\"funcTable\":{\"name\":[0,1,2]},"                                 \
	"\"stringArray\":[\"A\",\"B\",\"C\"]}}"

/* 25, 26: each sample weighs the time to the next; windows take samples by their time */
static void edge_times(void **unused)
{
	char text[1024];
	struct lp_error err;
	struct lp_profile *h = calloc(1, sizeof(*h));

	snprintf(text, sizeof(text), TIMED, "2");
	h->p = profile_from(text, strlen(text), (struct profile_options){ .weight = "time" });
	struct lp_tree *t =
		open_tree(h, (struct lp_tree_options){ .invert = true, .firefox_order = true });
	char *got = print_tree(t);

	assert_string_equal(got, "B 4000000[A 4000000] C 1500000[B 1000000[A 1000000]] A 1000000");
	free(got);
	assert_true(lp_tree_filter(t, (struct lp_tree_filter){ .window = "1ms..5.5ms" }, &err));
	got = print_tree(t);
	assert_string_equal(got, "B 4000000[A 4000000] C 1000000[B 1000000[A 1000000]]");
	free(got);
	lp_tree_close(t);
	lp_profile_close(h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(edge_chains),
		cmocka_unit_test(edge_recursion),
		cmocka_unit_test(edge_signs),
		cmocka_unit_test(edge_zero_weight),
		cmocka_unit_test(edge_ties),
		cmocka_unit_test(edge_search),
		cmocka_unit_test(edge_transforms),
		cmocka_unit_test(transforms_take_exact_names_before_expressions),
		cmocka_unit_test(collapse_recursion_of_several_functions),
		cmocka_unit_test(edge_nothing_there),
		cmocka_unit_test(functions_count_recursion_once),
		cmocka_unit_test(suffixes_are_ranges),
		cmocka_unit_test(edge_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
