/* Laws of call trees on random profiles, against trees built in full by brute force. */
#include "../unit/tree_print.h"
#include "prop.h"

/* Stacks of up to 6 of 4 functions: much recursion, many equal suffixes. */
static char *random_profile(bool signs)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned i = 0, n = 1 + prop_below(30); i < n; i++) {
		for (unsigned d = 0, depth = 1 + prop_below(6); d < depth; d++)
			fprintf(out, "%s%c", d ? ";" : "", 'A' + prop_below(4));
		if (signs)
			fprintf(out, " %u %u\n", prop_below(4), prop_below(4));
		else
			fprintf(out, " %u\n", prop_below(5));
	}
	fclose(out);
	return text;
}

/* The inverted tree by brute force: one list of (path leaf first, weight). */
struct brute {
	char path[512][16];
	int64_t weight[512];
	int n;
};

static struct brute brute_of(const char *text)
{
	struct brute b = { 0 };

	while (*text) {
		int len = (int)strcspn(text, " "), k = 0;
		long w = strtol(text + len, NULL, 10);

		for (int i = len - 1; i >= 0; i -= 2)
			b.path[b.n][k++] = text[i];
		b.weight[b.n++] = w;
		text += strcspn(text, "\n") + 1;
	}
	return b;
}

static int64_t brute_total(const struct brute *b, const char *prefix)
{
	int64_t sum = 0;

	for (int i = 0; i < b->n; i++)
		if (!strncmp(b->path[i], prefix, strlen(prefix)))
			sum += b->weight[i];
	return sum;
}

/* Every node that is there has its brute total; its children and its own ends add up to it. */
static void check_node(struct lp_tree *t, struct lp_node n, const struct brute *b, char *prefix,
		       int depth, int *nodes)
{
	struct lp_node children[8];
	struct lp_node_data d;
	int64_t below = 0, ends = 0;

	assert_true(lp_tree_node(t, n, &d));
	prefix[depth] = d.name[0];
	prefix[depth + 1] = 0;
	++*nodes;
	assert_int_equal(d.total, brute_total(b, prefix));
	for (int i = 0; i < b->n; i++)
		ends += !strcmp(b->path[i], prefix) ? b->weight[i] : 0;
	for (uint32_t i = 0, k = lp_tree_children(t, n, children, 8); i < k; i++) {
		struct lp_node_data c;
		struct lp_node up;

		assert_true(lp_tree_node(t, children[i], &c));
		below += c.total;
		assert_true(lp_tree_parent(t, children[i], &up));
		assert_true(up.leaf == n.leaf && up.at == n.at);
		check_node(t, children[i], b, prefix, depth + 1, nodes);
		prefix[depth + 1] = 0;
	}
	assert_int_equal(below + ends, d.total);
}

/* Distinct prefixes of total not 0. */
static int brute_nodes(const struct brute *b)
{
	int n = 0;

	for (int i = 0; i < b->n; i++)
		for (size_t len = 1; len <= strlen(b->path[i]); len++) {
			char prefix[16] = { 0 };
			bool seen = false;

			memcpy(prefix, b->path[i], len);
			for (int j = 0; j < i; j++)
				seen |= !strncmp(b->path[j], prefix, len);
			n += !seen && brute_total(b, prefix) != 0;
		}
	return n;
}

static void lazily_opened_is_fully_built(void **unused)
{
	PROP_LAW(300)
	{
		char *text = random_profile(false), prefix[32];
		struct brute b = brute_of(text);
		struct lp_profile *h = open_text(text);
		struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
		struct lp_node roots[8];
		int64_t sum = 0, all = 0;
		int nodes = 0;

		for (int i = 0; i < b.n; i++)
			all += b.weight[i];
		for (uint32_t i = 0, k = lp_tree_roots(t, roots, 8); i < k; i++) {
			struct lp_node_data d;

			assert_true(lp_tree_node(t, roots[i], &d));
			assert_int_equal(d.total, d.self);
			sum += d.total;
			check_node(t, roots[i], &b, prefix, 0, &nodes);
		}
		assert_int_equal(sum, all);
		assert_int_equal(lp_tree_sum(t, NULL, NULL), all);
		assert_int_equal(nodes, brute_nodes(&b));
		lp_tree_close(t);
		lp_profile_close(h);
		free(text);
	}
}

static char *reversed(const char *text)
{
	char *out = strdup(text);

	for (char *p = out; *p; p += strcspn(p, "\n") + 1)
		for (size_t i = 0, j = strcspn(p, " ") - 1; i < j; i++, j--) {
			char c = p[i];

			p[i] = p[j];
			p[j] = c;
		}
	return out;
}

/* Turning all stacks round and inverting is the tree as it was, but for selfs. */
static void inverting_twice_is_the_identity(void **unused)
{
	PROP_LAW(200)
	{
		char *text = random_profile(round & 1), *back = reversed(text);
		struct lp_profile *h = open_text(text), *r = open_text(back);
		struct lp_tree *down = open_tree(h, (struct lp_tree_options){ 0 });
		struct lp_tree *up = open_tree(r, (struct lp_tree_options){ .invert = true });
		struct lp_node a[8], b[8];
		uint32_t n = lp_tree_roots(down, a, 8);

		int64_t sum_a = 0, sum_b = 0;
		for (uint32_t i = 0; i < n; i++) {
			struct lp_node_data d;

			lp_tree_node(down, a[i], &d);
			sum_a += d.total;
		}
		for (uint32_t i = 0, k = lp_tree_roots(up, b, 8); i < k; i++) {
			struct lp_node_data d, e;
			struct lp_node same;

			lp_tree_node(up, b[i], &d);
			sum_b += d.total;
			assert_true(lp_tree_find(down, &d.name, 1, &same));
			assert_true(lp_tree_node(down, same, &e));
			assert_int_equal(d.total, e.total);
			assert_int_equal(lp_tree_descendants(up, b[i], NULL, 0),
					 lp_tree_descendants(down, same, NULL, 0));
		}
		assert_int_equal(sum_a, sum_b);
		lp_tree_close(down);
		lp_tree_close(up);
		lp_profile_close(h);
		lp_profile_close(r);
		free(text);
		free(back);
	}
}

static char *lines_with(const char *text, char function)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	for (const char *p = text; *p; p += strcspn(p, "\n") + 1) {
		size_t n = strcspn(p, " ");

		if (memchr(p, function, n))
			fprintf(f, "%.*s\n", (int)strcspn(p, "\n"), p);
	}
	fclose(f);
	return out;
}

/* Searching, then inverting is inverting what was found; whatever has been opened before. */
static void a_filter_then_inverted_is_inverted_then_filtered(void **unused)
{
	PROP_LAW(200)
	{
		char *text = random_profile(false), *found = lines_with(text, 'B');
		static const char *const b[] = { "b" };
		struct lp_error err;

		if (*found) {
			struct lp_profile *h = open_text(text), *g = open_text(found);
			struct lp_tree *t = open_tree(h,
						      (struct lp_tree_options){ .invert = true });
			struct lp_tree *u = open_tree(g,
						      (struct lp_tree_options){ .invert = true });
			char *opened = print_tree(t);

			assert_true(lp_tree_filter(
				t, (struct lp_tree_filter){ .search = b, .nsearch = 1 }, &err));
			char *x = print_tree(t), *y = print_tree(u);
			assert_string_equal(x, y);
			assert_true(lp_tree_filter(t, (struct lp_tree_filter){ 0 }, &err));
			char *again = print_tree(t);
			assert_string_equal(opened, again);
			free(opened);
			free(again);
			free(x);
			free(y);
			lp_tree_close(t);
			lp_tree_close(u);
			lp_profile_close(h);
			lp_profile_close(g);
		}
		free(text);
		free(found);
	}
}

/* The table of a tree is what its nodes say, and the tree can be asked again after it. */
static void tables_are_the_nodes(void **unused)
{
	PROP_LAW(100)
	{
		char *text = random_profile(round & 1);
		struct lp_profile *h = open_text(text);
		struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = round & 2 });
		struct lp_error err;
		char *before = print_tree(t);
		struct lp_answer *a = lp_tree_answer(t, (struct lp_tree_show){ .pairs = true },
						     &err);
		const struct lp_table *tab = lp_answer_table(a, "tree");
		uint32_t leaf = 0, at = 0;

		for (uint32_t c = 0; c < tab->ncols; c++) {
			leaf = !strcmp(tab->cols[c].name, "root_node") ? c : leaf;
			at = !strcmp(tab->cols[c].name, "call_node") ? c : at;
		}
		for (uint32_t i = 0; i < tab->nrows; i++) {
			struct lp_node n = { (uint32_t)tab->cols[leaf].data.i64[i],
					     (uint32_t)tab->cols[at].data.i64[i] };
			struct lp_node_data d;

			assert_true(lp_tree_node(t, n, &d));
			assert_string_equal(d.name, tab->cols[0].data.str[i]);
			assert_int_equal(d.total, tab->cols[1].data.i64[i]);
		}
		char *after = print_tree(t);

		assert_string_equal(before, after);
		lp_answer_free(a);
		free(before);
		free(after);
		lp_tree_close(t);
		lp_profile_close(h);
		free(text);
	}
}

/* Of n nodes the heaviest are kept, each with its path. */
static void a_limit_keeps_the_heaviest(void **unused)
{
	struct lp_profile *h = open_text(example);
	struct lp_tree *t = open_tree(h, (struct lp_tree_options){ .invert = true });
	struct lp_error err;
	struct lp_answer *a = lp_tree_answer(t, (struct lp_tree_show){ .max_nodes = 5 }, &err);
	const struct lp_table *tab = lp_answer_table(a, "tree");
	static const char *const want[] = { "runLoop", "main", "(root)",
					    "appWorkFinishedEventHandler", "queueEvent" };

	assert_int_equal(tab->nrows, 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(tab->cols[0].data.str[i], want[i]);
	lp_answer_free(a);
	lp_tree_close(t);
	lp_profile_close(h);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(lazily_opened_is_fully_built, prop_tell),
		cmocka_unit_test_teardown(inverting_twice_is_the_identity, prop_tell),
		cmocka_unit_test_teardown(a_filter_then_inverted_is_inverted_then_filtered,
					  prop_tell),
		cmocka_unit_test_teardown(tables_are_the_nodes, prop_tell),
		cmocka_unit_test_teardown(a_limit_keeps_the_heaviest, prop_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
