#include "diff_trees.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The merged tree, with each launch and its kernel written as [kernel]. */
static const char *merged(const char *before, const char *after)
{
	struct diff_sides d = trees(before, after);
	struct diff_merged m = diff_merge(&d, &d.arena);
	const char *text = tree_text(&d, &m);
	static char out[1 << 16];
	size_t n = 0;

	for (const char *p = text; *p;) {
		static const char launch[] = "(kernel launch)(";
		const char *mark = *p == '<' || *p == '>' || *p == '~' ? p + 1 : p;

		if (strncmp(mark, launch, sizeof(launch) - 1)) {
			out[n++] = *p++;
			continue;
		}
		out[n++] = '[';
		for (p = mark + sizeof(launch) - 1; *p != ')'; p++)
			out[n++] = *p;
		out[n++] = ']';
		p++;
	}
	out[n] = 0;
	diff_sides_free(&d);
	return out;
}

static void a_tree_is_itself(void **unused)
{
	(void)unused;
	assert_string_equal(merged("a(b[k] c(d[l] d[l])) e", "a(b[k] c(d[l] d[l])) e"),
			    "a(b([k]) c(d([l]) d([l]))) e");
	assert_string_equal(merged("", ""), "");
	assert_string_equal(merged("a[k]", ""), ">a([>k])");
	assert_string_equal(merged("", "a[k]"), "<a([<k])");
}

static void what_is_new_is_new(void **unused)
{
	(void)unused;
	assert_string_equal(merged("layer(linear[q] linear[k] sdpa[f])",
				   "layer(linear[lora] linear[q] linear[k] sdpa[f])"),
			    "layer(<linear([<lora]) linear([q]) linear([k]) sdpa([f]))");
	assert_string_equal(merged("model(mm[g])", "zeros[z] model(mm[g]) argmax[r]"),
			    "<zeros([<z]) model(mm([g])) <argmax([<r])");
	assert_string_equal(merged("block(bmm[qk] softmax[s] bmm[av])",
				   "block(dropout bmm[Cijk_qk] softmax[s] bmm[Cijk_av])"),
			    "block(<dropout bmm([qk|Cijk_qk]) softmax([s]) bmm([av|Cijk_av]))");
}

/* The block of the original's description, in all the orders it names. */
static void equal_names_are_told_apart_by_what_is_below(void **unused)
{
	(void)unused;
#define A     "bmm(transpose[t] expand[e] [qk])"
#define B     "bmm(expand[e] reshape[r] [av])"
#define A_OUT "bmm(transpose([t]) expand([e]) [qk])"
#define B_OUT "bmm(expand([e]) reshape([r]) [av])"
	const char *before = "block(" A " softmax[s] " B " linear[l])";

	assert_string_equal(merged(before, "block(dropout[d] " A " softmax[s] " B ")"),
			    "block(<dropout([<d]) " A_OUT " softmax([s]) " B_OUT " >linear([>l]))");
	assert_string_equal(merged(before, "block(" B " softmax[s] dropout[d] " A ")"),
			    "block(" A_OUT " softmax([s]) <dropout([<d]) " B_OUT " >linear([>l]))");
	assert_string_equal(merged(before, "block(dropout[d] " B " softmax[s] " A ")"),
			    "block(<dropout([<d]) " A_OUT " softmax([s]) " B_OUT " >linear([>l]))");
}

static void the_best_candidate_is_paired(void **unused)
{
	(void)unused;
	assert_string_equal(merged("A[X]", "A[Y] A[X]"), "<A([<Y]) A([X])");
	assert_string_equal(merged("A", "A A"), "A <A");
	assert_string_equal(merged("A(X[x] Y[y])", "A(X[x] Y[y]) A[x]"),
			    "A(X([x]) Y([y])) <A([<x])");
	assert_string_equal(merged("A[X] A[Y]", "A[Y] A[X]"), "A([X]) A([Y])");
	assert_string_equal(merged("A[X] A[Y]", "A[X] A[Z] A[Y]"), "A([X]) <A([<Z]) A([Y])");
	assert_string_equal(merged("A[X] A[X]", "A[Y] A[X] A[X]"), "<A([<Y]) A([X]) A([X])");
	assert_string_equal(merged("A[1] A[2] A[3] A[4] A[5]", "A[1] A[3] A[2]"),
			    "A([1]) A([2]) A([3]) >A([>4]) >A([>5])");
	assert_string_equal(
		merged("A(P(s[Y])) A(B[b]) A(P(s[X]))", "A(P(s[X])) A(B[b]) A(P(s[Y]))"),
		"A(P(s([Y]))) A(B([b])) A(P(s([X])))");
	/* two names in common beat one */
	assert_string_equal(merged("A(P[p]) A(P[p] Q[q])", "A(P[p] Q[q] S[s])"),
			    ">A(>P([>p])) A(P([p]) Q([q]) <S([<s]))");
}

static void equal_structure_is_told_apart_by_shapes(void **unused)
{
	(void)unused;
	struct diff_sides d = trees("A{1}[k] A{2}[k] A{3}[k]", "A{3}[k] A{2}[k] A{1}[k]");
	struct diff_merged m = diff_merge(&d, &d.arena);

	for (uint32_t i = 1; i < m.n; i++)
		assert_int_equal(d.side[0].dims[m.node[0][i]], d.side[1].dims[m.node[1][i]]);
	diff_sides_free(&d);
}

static void what_changes_its_place_is_moved(void **unused)
{
	(void)unused;
	assert_string_equal(merged("a[1] b[2] c[3]", "b[2] c[3] a[1]"), "~a([1]) b([2]) c([3])");
	assert_string_equal(merged("a b", "b a"), "~a b");
}

static void wrappers_are_looked_through(void **unused)
{
	(void)unused;
	assert_string_equal(merged("x[k] y[l]", "w(x[k]) y[l]"), "<w(x([k])) y([l])");
	assert_string_equal(merged("w(x[k]) y[l]", "x[k] y[l]"), ">w(x([k])) y([l])");
	assert_string_equal(merged("w(x[k] y[l])", "x[k] y[l]"), ">w(x([k]) y([l]))");
	assert_string_equal(merged("p(w1(x[k] y[l]))", "p(w2(x[k] y[l]))"),
			    "p(w1|w2(x([k]) y([l])))");
	assert_string_equal(merged("p(w1(x[k] y[l]) z[m])", "p(w2(x[k] y[l]) z[m])"),
			    "p(>w1(<w2(x([k]) y([l]))) z([m]))");
	assert_string_equal(merged("chain(mid(x[k] y[l]))", "x[k] y[l]"),
			    ">chain(>mid(x([k]) y([l])))");
	assert_string_equal(merged("w1(w2(w3(x[k])))", "x[k]"), ">w1(>w2(>w3(x([k]))))");
	/* two chains that end in the same operator */
	assert_string_equal(merged("v(a(x[k])) z[m]", "w(b(x[k])) z[m]"),
			    ">v(>a(<w(<b(x([k]))))) z([m])");
	/* a wrapper around two of what the other side wraps one by one */
	assert_string_equal(merged("w(x[k] y[l])", "v(x[k]) y[l]"), ">w(<v(x([k])) y([l]))");
	/* part of what is in a wrapper is new */
	assert_string_equal(merged("x[k]", "w(x[k] y[l])"), "<w(x([k]) <y([<l]))");
}

static void operators_with_nothing_but_launches_stay_apart(void **unused)
{
	(void)unused;
	assert_string_equal(merged("p(kx[x])", "p(ky[y] kz[z])"),
			    "p(>kx([>x]) <ky([<y]) <kz([<z]))");
	assert_string_equal(merged("p(miopen[a] y[y])", "p(cudnn[b] y[y])"),
			    "p(>miopen([>a]) <cudnn([<b]) y([y]))");
}

static void the_only_operator_is_the_other(void **unused)
{
	(void)unused;
	assert_string_equal(merged("p(miopen[a])", "p(cudnn[b])"), "p(miopen|cudnn([a|b]))");
	assert_string_equal(merged("p(miopen[a])", "p(view cudnn[b])"),
			    "p(<view miopen|cudnn([a|b]))");
	assert_string_equal(merged("p(x[k])", "p(w(x[k]))"), "p(<w(x([k])))"); /* but for this */
	assert_string_equal(merged("a(x[1] y[2])", "b(x[1] z[3])"),
			    "a|b(x([1]) >y([>2]) <z([<3]))");
}

static void frames_may_differ_in_their_details(void **unused)
{
	(void)unused;
	assert_string_equal(merged("%l.py<1>:f(x[k])", "%l.py<7>:f(x[k])"), "l.py:f(x([k]))");
	struct diff_sides d = trees("%/p/l.py<1>:", "%/q/l.py<2>:");
	assert_true(str_eq(diff_bare(STR("/a/b/layer.py: matmul : extra")),
			   STR("/a/b/layer.py: matmul ")));
	assert_true(str_eq(diff_bare(STR("/a/b/train.py: forward")), STR("train.py")));
	assert_true(str_eq(diff_bare(STR("/a/.py: f")), STR("/a/.py")));
	diff_sides_free(&d);
}

static void a_graph_keeps_its_kernels_apart(void **unused)
{
	(void)unused;
	assert_string_equal(
		merged("replay(!cudaGraphLaunch(#a #b #a))", "replay(!hipGraphLaunch(#a #c #a))"),
		"replay((graph launch)(a >b <c a))");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_itself),
		cmocka_unit_test(what_is_new_is_new),
		cmocka_unit_test(equal_names_are_told_apart_by_what_is_below),
		cmocka_unit_test(the_best_candidate_is_paired),
		cmocka_unit_test(equal_structure_is_told_apart_by_shapes),
		cmocka_unit_test(what_changes_its_place_is_moved),
		cmocka_unit_test(wrappers_are_looked_through),
		cmocka_unit_test(operators_with_nothing_but_launches_stay_apart),
		cmocka_unit_test(the_only_operator_is_the_other),
		cmocka_unit_test(frames_may_differ_in_their_details),
		cmocka_unit_test(a_graph_keeps_its_kernels_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
