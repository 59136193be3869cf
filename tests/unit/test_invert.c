/* The worked example, both ways up; names of nodes; what is asked of one node; extremes. */
#include "tree_print.h"

/* ---- The worked example ---- */

static void example_top_down(void **unused)
{
	DOWN(example, "(root) 25[main 25[runLoop 25/10["
		      "appEvent 8/1[appNetworkEventHandler 4/2[queueEvent 2/1[vecPush 1/1]] "
		      "appWorkFinishedEventHandler 3/3] "
		      "nativeEvent 7/1[nativeClickEventHandler 4/1[queueEvent 3/2[vecPush 1/1]] "
		      "nativeKeyEventHandler 2/1[vecPush 1/1]]]]]");
}

static void example_inverted(void **unused)
{
	INVERTED(
		example,
		"runLoop 10[main 10[(root) 10]] "
		"queueEvent 3[nativeClickEventHandler 2[nativeEvent 2[runLoop 2[main 2[(root) 2]]]] "
		"appNetworkEventHandler 1[appEvent 1[runLoop 1[main 1[(root) 1]]]]] "
		"vecPush 3[queueEvent 2["
		"appNetworkEventHandler 1[appEvent 1[runLoop 1[main 1[(root) 1]]]] "
		"nativeClickEventHandler 1[nativeEvent 1[runLoop 1[main 1[(root) 1]]]]] "
		"nativeKeyEventHandler 1[nativeEvent 1[runLoop 1[main 1[(root) 1]]]]] "
		"appWorkFinishedEventHandler 3[appEvent 3[runLoop 3[main 3[(root) 3]]]] "
		"appNetworkEventHandler 2[appEvent 2[runLoop 2[main 2[(root) 2]]]] "
		"appEvent 1[runLoop 1[main 1[(root) 1]]] "
		"nativeEvent 1[runLoop 1[main 1[(root) 1]]] "
		"nativeClickEventHandler 1[nativeEvent 1[runLoop 1[main 1[(root) 1]]]] "
		"nativeKeyEventHandler 1[nativeEvent 1[runLoop 1[main 1[(root) 1]]]]");
}

static void expect_pair(struct lp_tree *t, const char *const *path, uint32_t n, uint32_t leaf,
			uint32_t at)
{
	struct lp_node node;

	assert_true(lp_tree_find(t, path, n, &node));
	assert_int_equal(node.leaf, leaf);
	assert_int_equal(node.at, at);
}

/* Example 1: (6, 5); example 2: (11, 8); example 3: what (10, 1) leads to. */
static void example_pairs(void **unused)
{
	static const char *const one[] = { "vecPush", "queueEvent" };
	static const char *const two[] = { "vecPush", "queueEvent", "nativeClickEventHandler",
					   "nativeEvent" };
	static const char *const three[] = { "queueEvent", "nativeClickEventHandler", "nativeEvent",
					     "runLoop", "main" };
	struct lp_profile *h = open_text(example);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
	const char *path[8];

	expect_pair(t, one, 2, 6, 5);
	expect_pair(t, two, 4, 11, 8);
	assert_int_equal(lp_tree_path(t, (struct lp_node){ 10, 1 }, path, 8), 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(path[i], three[i]);
	expect_pair(t, three, 5, 10, 1);
	lp_tree_close(t);
	lp_profile_close(h);
}

/* ---- Ids, paths and the heaviest stack ---- */

static void nodes_keep_their_names_under_filters(void **unused)
{
	static const char *const path[] = { "vecPush", "queueEvent" };
	static const char *const click[] = { "Click" };
	struct lp_profile *h = open_text(example);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
	struct lp_node before, after;
	struct lp_node_data d;
	struct lp_error err;

	assert_true(lp_tree_find(t, path, 2, &before));
	assert_true(
		lp_tree_filter(t, (struct lp_tree_filter){ .search = click, .nsearch = 1 }, &err));
	assert_true(lp_tree_find(t, path, 2, &after));
	assert_int_equal(before.leaf, after.leaf);
	assert_int_equal(before.at, after.at);
	assert_true(lp_tree_node(t, before, &d));
	assert_int_equal(d.total, 1); /* of 2: the other comes from appNetworkEventHandler */
	assert_int_equal(d.depth, 1);
	lp_tree_close(t);
	lp_profile_close(h);
}

static void heaviest_stack_below_a_node(void **unused)
{
	static const char *const event[] = { "(root)", "main", "runLoop", "nativeEvent" };
	static const char *const push[] = { "queueEvent" };
	struct lp_profile *h = open_text(example);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ 0 });
	struct lp_node n, path[16];
	struct lp_node_data d;

	assert_true(lp_tree_find(t, event, 4, &n));
	assert_int_equal(lp_tree_heaviest(t, n, path, 16),
			 3); /* nativeEvent, Click, queueEvent 2 */
	assert_true(lp_tree_node(t, path[2], &d));
	assert_string_equal(d.name, "queueEvent");
	lp_tree_close(t);
	t = open_tree(h, (struct lp_tree_options){ .invert = true });
	assert_true(lp_tree_find(t, push, 1, &n));
	assert_int_equal(lp_tree_heaviest(t, n, path, 16), 6); /* up to (root) */
	assert_true(lp_tree_node(t, path[1], &d));
	assert_string_equal(d.name, "nativeClickEventHandler");
	assert_true(lp_tree_node(t, path[5], &d));
	assert_string_equal(d.name, "(root)");
	assert_int_equal(lp_tree_descendants(t, n, NULL, 0), 10);
	lp_tree_close(t);
	lp_profile_close(h);
}

static void many_paths_at_once(void **unused)
{
	static const char *const a[] = { "vecPush" }, *const b[] = { "nobody" },
				 *const c[] = { "runLoop", "main" };
	const char *const *paths[] = { a, b, c };
	uint32_t lengths[] = { 1, 1, 2 };
	struct lp_profile *h = open_text(example);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
	struct lp_node out[3];
	bool found[3];

	assert_int_equal(lp_tree_find_many(t, paths, lengths, 3, out, found), 2);
	assert_true(found[0] && !found[1] && found[2]);
	assert_int_equal(out[2].at, 1);
	lp_tree_close(t);
	lp_profile_close(h);
}

static void callers_of_one_function_have_all_below_it(void **unused)
{
	expect(example, (struct lp_tree_options){ .invert = true, .root = "appEvent" },
	       (struct lp_tree_filter){ 0 }, "appEvent 8[runLoop 8[main 8[(root) 8]]]");
	expect(example, (struct lp_tree_options){ .root = "appEvent" },
	       (struct lp_tree_filter){ 0 },
	       "appEvent 8/1[appNetworkEventHandler 4/2[queueEvent 2/1[vecPush 1/1]] "
	       "appWorkFinishedEventHandler 3/3]");
}

/* ---- Extremes ---- */

/* Step by step through the handles, which must not cost the depth each. */
static void walk_to_the_end(struct lp_tree *t, struct lp_node n, int depth)
{
	while (lp_tree_children(t, n, &n, 1))
		depth--;
	assert_int_equal(depth, 1);
}

static void a_hundred_thousand_frames(void **unused)
{
	enum { DEPTH = 100000 };
	char *text = malloc(2 * DEPTH + 2);
	struct lp_node roots[4], *path = malloc(DEPTH * sizeof(*path));

	for (int i = 0; i < DEPTH; i++) {
		text[2 * i] = 'a' + i % 2;
		text[2 * i + 1] = i + 1 < DEPTH ? ';' : ' ';
	}
	memcpy(text + 2 * DEPTH, "1", 2);
	struct lp_profile *h = open_text(text);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });

	assert_int_equal(lp_tree_roots(t, roots, 4), 1);
	assert_int_equal(lp_tree_descendants(t, roots[0], NULL, 0), DEPTH - 1);
	assert_int_equal(lp_tree_heaviest(t, roots[0], path, DEPTH), DEPTH);
	walk_to_the_end(t, roots[0], DEPTH);
	lp_tree_close(t);
	struct lp_transform x = { LP_COLLAPSE_RECURSION, "^[ab]$" };
	t = open_tree(h, (struct lp_tree_options){ .transforms = &x, .ntransforms = 1 });
	char *got = print_tree(t);

	assert_string_equal(got, "a 1[b 1/1]");
	free(got);
	free(path);
	free(text);
	lp_tree_close(t);
	lp_profile_close(h);
}

static void threads_without_samples(void **unused)
{
	static const char text[] =
		"{\"threads\":[{\"samples\":{\"stack\":[]}},{\"name\":\"none\"}]}";
	struct lp_profile *h = open_text(text);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .thread = "1", .invert = true });
	struct lp_error err;

	assert_int_equal(lp_tree_roots(t, NULL, 0), 0);
	assert_null(lp_tree_open(h, (struct lp_tree_options){ .thread = "2" }, &err));
	assert_non_null(strstr(err.text, "no thread 2"));
	lp_tree_close(t);
	lp_profile_close(h);
}

static void differences_add_up(void **unused)
{
	struct lp_profile *b = open_text("A;B 4\nA;C 6\n"), *a = open_text("A;B 9\nA;D 11\n");
	struct lp_error err;
	struct lp_profile *d = lp_profile_diff(b, a, false, &err),
			  *n = lp_profile_diff(b, a, true, &err);
	struct lp_tree *t = open_tree(d, (struct lp_tree_options){ 0 });
	char *got = print_tree(t);

	assert_string_equal(got, "A 10[D 11/11 C -6/-6 B 5/5]");
	free(got);
	lp_tree_close(t);
	t = open_tree(n, (struct lp_tree_options){ 0 });
	got = print_tree(t);
	assert_string_equal(got, "A 0[C -12/-12 D 11/11 B 1/1]");
	free(got);
	lp_tree_close(t);
	lp_profile_close(a);
	lp_profile_close(b);
	lp_profile_close(d);
	lp_profile_close(n);
}

/* An answer uses the view up; the next one makes it anew, before its first word. */
static void answers_are_the_same_twice(void **unused)
{
	struct lp_profile *b = open_text("A;B 4\nA;C 6\n"), *a = open_text("A;B 9\nA;D 11\n");
	struct lp_error err;
	struct lp_profile *d = lp_profile_diff(b, a, false, &err);
	struct lp_tree *t = open_tree(d, (struct lp_tree_options){ .invert = true });
	struct lp_answer *first = lp_tree_answer(t, (struct lp_tree_show){ 0 }, &err),
			 *second = lp_tree_answer(t, (struct lp_tree_show){ 0 }, &err);

	assert_string_equal(first->headline, second->headline);
	assert_int_equal(lp_answer_table(first, "tree")->nrows, 6);
	assert_int_equal(lp_answer_table(second, "tree")->nrows, 6);
	lp_answer_free(first);
	lp_answer_free(second);
	lp_tree_close(t);
	lp_profile_close(a);
	lp_profile_close(b);
	lp_profile_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(example_top_down),
		cmocka_unit_test(example_inverted),
		cmocka_unit_test(example_pairs),
		cmocka_unit_test(nodes_keep_their_names_under_filters),
		cmocka_unit_test(heaviest_stack_below_a_node),
		cmocka_unit_test(many_paths_at_once),
		cmocka_unit_test(callers_of_one_function_have_all_below_it),
		cmocka_unit_test(a_hundred_thousand_frames),
		cmocka_unit_test(threads_without_samples),
		cmocka_unit_test(differences_add_up),
		cmocka_unit_test(answers_are_the_same_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
