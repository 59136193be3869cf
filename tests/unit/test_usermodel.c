/* Formulas of a user: values by hand, what cannot be has a reason, errors say where. */
#include "analysis/opmodel/usermodel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct usermodels *parse(const char *text, struct arena *a, struct lp_error *err)
{
	err->text[0] = 0;
	return usermodels_read_memory("my.models", text, strlen(text), a, err);
}

/* in0 (2, 3, 5) of bf16, in1 (5, 7) of fp32, in2 none, in3 a scalar of a type unknown */
static struct op_args example(struct arena *a)
{
	return op_args_read(STR("[[2, 3, 5], [5, 7], [], []]"),
			    STR("[\"c10::BFloat16\", \"float\", \"\", \"bool\"]"), STR("[]"),
			    STR("[\"\", \"4\", \"True\", \"[8, 9]\", \"text\"]"), a);
}

static bool cost_of(const char *text, struct op_cost *o, const char **why, struct arena *a)
{
	struct lp_error err;
	struct usermodels *u = parse(text, a, &err);
	struct op_call c = { .args = example(a), .a = a };

	if (!u)
		fail_msg("%s: %s", text, err.text);
	bool known = usermodel_cost(u->at[0], &c, o);
	*why = c.why;
	usermodels_free(u);
	return known;
}

static void expressions_by_hand(void **state)
{
	static const struct {
		const char *expression;
		double value;
	} samples[] = {
		{ "1 + 2 * 3", 7 },
		{ "(1 + 2) * 3", 9 },
		{ "2 - 3 - 4 + 10", 5 },
		{ "100 / 5 / 2", 10 },
		{ "--3 + -(-1)", 4 },
		{ "7 % 4", 3 },
		{ "1.5e2", 150 },
		{ "2 * in0[0] * in0[1] * in1[1]", 84 },
		{ "in0[-1] + in1[-2]", 10 },
		{ "numel(in0)", 30 },
		{ "size(in0) * 10 + size(in1)", 24 },
		{ "bytes(in0) + bytes(in1)", 200 },
		{ "rank(in0) * 10 + rank(in1)", 32 },
		{ "has(in0) + 2 * has(in2) + 4 * has(in3) + 8 * has(in9)", 5 },
		{ "prod(in0) + prod(in0, 1) + prod(in0, 0, -1) + prod(in0, 1, 1)", 52 },
		{ "arg1 + arg2 + arg3[1]", 14 },
		{ "if(has(in2), in2[0], 6)", 6 },
		{ "if(in0[0] == 2 && in0[1] < 3, 1, if(1, 2, arg4))", 2 },
		{ "min(5, 3, 4) + max(1, 2)", 5 },
		{ "ceil(10 / 4) * floor(7 / 2) + sqrt(9) + log2(8)", 15 },
		{ "(1 < 2) + (2 <= 2) + (3 > 2) + (2 >= 3) + (1 != 1) + !0 + (0 || 2)", 5 },
		{ "1 + 2 < 4 && 1", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		struct arena a = { 0 };
		struct op_cost o;
		const char *why;
		char text[200];

		snprintf(text, sizeof(text), "[x]\nflops = %s\n", samples[i].expression);
		if (!cost_of(text, &o, &why, &a))
			fail_msg("%s: %s", samples[i].expression, why);
		if (o.flops != samples[i].value)
			fail_msg("%s is %g, want %g", samples[i].expression, o.flops,
				 samples[i].value);
		assert_true(isnan(o.bytes));
		arena_free(&a);
	}
}

static void names_unit_and_type(void **state)
{
	struct arena a = { 0 };
	struct op_cost o;
	const char *why;

	assert_true(cost_of("# comment\n[x]  \r\nM = in0[0] # first\nK2 = M * 2\nflops = K2 * M\n"
			    "bytes = bytes(in0)\nunit = matrix\ntype = in1\n",
			    &o, &why, &a));
	assert_float_equal(o.flops, 8, 0);
	assert_float_equal(o.bytes, 60, 0);
	assert_int_equal(o.unit, UNIT_MATRIX);
	assert_string_equal(o.precision, "fp32");
	assert_int_equal(o.nparams, 2);
	assert_string_equal(o.param[1].name, "K2");
	assert_true(cost_of("[x]\nbytes = 1", &o, &why, &a));
	assert_string_equal(o.precision, "bf16"); /* the first that is known */
	assert_float_equal(o.flops, 0, 0);
	assert_true(cost_of("[x]\nbytes = bytes(in3)\nflops = 2\ntype = fp8", &o, &why, &a));
	assert_string_equal(o.precision, "fp8");
	assert_true(isnan(o.bytes)); /* the size of a bool is not known here */
	arena_free(&a);
}

static void what_cannot_be_has_a_reason(void **state)
{
	static const struct {
		const char *expression, *why;
	} bad[] = {
		{ "in7[0]", "no tensor" },
		{ "in2[0]", "no tensor" },
		{ "in0[3]", "a dimension" },
		{ "in0[-4]", "a dimension" },
		{ "in3[0]", "a dimension" },
		{ "prod(in0, 2, 1)", "a dimension" },
		{ "prod(in0, 0, 4)", "a dimension" },
		{ "arg4", "no number" },
		{ "arg0", "no number" },
		{ "arg9", "no number" },
		{ "arg4[0]", "no number" },
		{ "arg3[2]", "a dimension" },
		{ "1 / (in0[0] - 2)", "by zero" },
		{ "1 % 0", "by zero" },
		{ "sqrt(0 - 1)", "no number" },
		{ "log2(0)", "no number" },
		{ "1e300 * 1e300", "no number" },
		{ "in0[0] - 3", "negative" },
		{ "1e25", "no number" },
		{ "size(in3)", "size of a type" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct arena a = { 0 };
		struct op_cost o;
		const char *why = NULL;
		char text[200];

		snprintf(text, sizeof(text), "[x]\nflops = %s\n", bad[i].expression);
		if (cost_of(text, &o, &why, &a))
			fail_msg("%s: has a value", bad[i].expression);
		if (!strstr(why, bad[i].why))
			fail_msg("%s: %s, want %s", bad[i].expression, why, bad[i].why);
		arena_free(&a);
	}
}

static void errors_say_where_and_what(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "", "my.models: there is no [operator] in it" },
		{ "flops = 1",
		  "my.models:1:1: expected [operator] before the first formula in \"flops = 1\"" },
		{ "[x]\n", "my.models:1: [x] has neither flops nor bytes" },
		{ "[x]\nM = 1\n[y]\nflops = 1", "my.models:1: [x] has neither" },
		{ "[x\nflops = 1", "my.models:1:2: expected ']' at the end of a name in \"[x\"" },
		{ "[]\nflops = 1", "my.models:1:2: expected the name of an operator" },
		{ "[/(/]\nflops = 1", "my.models:1:2: expected a regular expression (" },
		{ "[x]\n= 1",
		  "my.models:2:1: expected [operator], or a name, '=' and an expression" },
		{ "[x]\nflops 1", "my.models:2:7: expected '='" },
		{ "[x]\nflops =",
		  "my.models:2:8: expected a number, an input or '(', found the end of the line" },
		{ "[x]\nflops = 2 * * in0[0]",
		  "my.models:2:13: expected a number, an input or '(', found '*' in \"flops = 2 * * in0[0]\"" },
		{ "[x]\nflops = 2 in0[0]",
		  "my.models:2:11: expected an operator or the end of the line, found 'i'" },
		{ "[x]\nflops = (1 + 2",
		  "my.models:2:15: expected an operator or ')', found the end" },
		{ "[x]\nflops = in0", "my.models:2:12: expected '[' and which dimension" },
		{ "[x]\nflops = in0[x]", "my.models:2:13: expected an integer, found 'x'" },
		{ "[x]\nflops = in0[1.5]", "my.models:2:14: expected ']', found '.'" },
		{ "[x]\nflops = in0[99999]", "expected an integer" },
		{ "[x]\nflops = numel(3)",
		  "my.models:2:15: expected an input such as in0, found '3'" },
		{ "[x]\nflops = foo(in0)",
		  "my.models:2:9: expected in0, arg0, a name defined above" },
		{ "[x]\nflops = N\nN = 1",
		  "my.models:2:9: expected in0, arg0, a name defined above" },
		{ "[x]\nflops = if(1, 2)", "my.models:2:16: expected ',', found ')'" },
		{ "[x]\nflops = 1.2.3", "my.models:2:9: expected a number" },
		{ "[x]\nmax = 1", "my.models:2:1: expected a name that means nothing else" },
		{ "[x]\nin0 = 1", "my.models:2:1: expected a name that means nothing else" },
		{ "[x]\nM = 1\nM = 2", "my.models:3:1: expected a name that is not defined above" },
		{ "[x]\nflops = 1\nflops = 2", "my.models:3:1: expected one formula only" },
		{ "[x]\nunit = tensor",
		  "my.models:2:8: expected matrix or vector in \"unit = tensor\"" },
		{ "[x]\ntype = float",
		  "my.models:2:8: expected an input such as in0, or a type such as bf16" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct arena a = { 0 };
		struct lp_error err;

		if (parse(bad[i].text, &a, &err))
			fail_msg("read: %s", bad[i].text);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s\n%s\nwant %s", bad[i].text, err.text, bad[i].says);
		arena_free(&a);
	}
}

/* No stack grows with the text. */
static void nesting_has_an_end(void **state)
{
	struct arena a = { 0 };
	struct lp_error err;
	char text[4000] = "[x]\nflops = ";
	size_t n = strlen(text);

	memset(text + n, '(', 3000);
	assert_null(parse(text, &a, &err));
	assert_non_null(strstr(err.text, "my.models:2:57: expected less nesting"));
	memset(text + n, '-', 3000);
	text[n + 3000] = '1';
	struct usermodels *u = parse(text, &a, &err);
	assert_non_null(u);
	usermodels_free(u);
	memset(text, 'x', sizeof(text) - 1);
	assert_null(parse(text, &a, &err));
	arena_free(&a);
}

static void the_first_pattern_that_fits(void **state)
{
	static const struct {
		const char *name;
		int line; /* of its model; 0: none */
	} names[] = {
		{ "a::b", 1 },    { "a::bb", 3 }, { "a::", 3 },     { "xa::b", 0 },
		{ "m_fwd_m", 5 }, { "mfwdm", 5 }, { "m_fw_dm", 0 }, { "gemm_17", 7 },
		{ "gemm_x", 0 },  { "", 0 },      { "aba", 9 },     { "abXXaba", 9 },
	};
	struct arena a = { 0 };
	struct lp_error err;
	struct usermodels *u = parse("[a::b]\nflops=1\n[a::*]\nflops=1\n[m*fwd*m]\nflops=1\n"
				     "[/^gemm_[0-9]+$/]\nflops=1\n[ab*a]\nflops=1\n[a::b]\nflops=2",
				     &a, &err);

	assert_non_null(u);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct usermodel *m = usermodels_find(u, str_of(names[i].name));
		char want[40];

		snprintf(want, sizeof(want), "my.models:%d", names[i].line);
		if (!names[i].line)
			assert_null(m);
		else
			assert_string_equal(m ? m->op.model : "none", want);
	}
	usermodels_free(u);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_by_hand),
		cmocka_unit_test(names_unit_and_type),
		cmocka_unit_test(what_cannot_be_has_a_reason),
		cmocka_unit_test(errors_say_where_and_what),
		cmocka_unit_test(nesting_has_an_end),
		cmocka_unit_test(the_first_pattern_that_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
