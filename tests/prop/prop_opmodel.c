/*
 * Laws of all formulas, ours and a user's, on arguments that no trace has:
 *
 *	there is a cost (finite, not negative) or a reason, and never anything else
 *	a shape with a negative or an enormous size, or with text in it, has no cost
 *	operations grow with each dimension as the definition says
 */
#include "prop/prop.h"

#include "analysis/opmodel/names.h"
#include "analysis/opmodel/opcost.h"
#include "base/textbuf.h"

#include <math.h>

/* All that have a model, and a name of Inductor's. */
static const struct opmodel *model_at(uint32_t i, struct str *name)
{
	const struct opmodel *m = opmodel_numbered((uint16_t)(i + 1));

	*name = strcmp(m->name, "triton") ? str_of(m->name) : STR("triton_poi_fused_add_mul_0");
	return m;
}

static uint32_t count_models(void)
{
	uint32_t n = 0;
	struct str name;

	while (strcmp(model_at(n, &name)->name, "triton"))
		n++;
	return n + 1;
}

static const char *one_of(const char *const *list, uint32_t n)
{
	return list[prop_below(n)];
}

#define ONE_OF(list) one_of(list, ARRAY_SIZE(list))

static void random_dims(struct textbuf *b, bool odd)
{
	static const char *const sane[] = { "1", "2", "3", "8", "64", "128", "1024" };
	static const char *const wild[] = { "0",
					    "-1",
					    "-9223372036854775808",
					    "2147483648",
					    "9223372036854775807",
					    "1.5",
					    "\"x\"",
					    "null",
					    "[2]",
					    "1e999",
					    "true" };
	uint32_t rank = prop_below(6);

	for (uint32_t i = 0; i < rank; i++)
		textbuf_print(b, "%s%s", i ? ", " : "",
			      odd && !prop_below(5) ? ONE_OF(wild) : ONE_OF(sane));
}

static const char *random_shapes(struct arena *a, uint32_t n, bool odd)
{
	struct textbuf b = { .arena = a };

	textbuf_print(&b, "[");
	for (uint32_t i = 0; i < n; i++) {
		textbuf_print(&b, i ? ", [" : "[");
		random_dims(&b, odd);
		textbuf_print(&b, "]");
	}
	textbuf_print(&b, odd && !prop_below(8) ? ", 7, null, {}]" : "]");
	return textbuf_keep(&b, a);
}

static const char *random_list(struct arena *a, uint32_t n, const char *const *of, uint32_t nof)
{
	struct textbuf b = { .arena = a };

	for (uint32_t i = 0; i < n; i++)
		textbuf_print(&b, "%s\"%s\"", i ? ", " : "[", one_of(of, nof));
	textbuf_print(&b, n ? "]" : "[]");
	return textbuf_keep(&b, a);
}

static struct op_args random_args(struct arena *a, bool odd)
{
	static const char *const types[] = {
		"float", "c10::BFloat16",      "c10::Half", "Scalar",    "",
		"bool",  "c10::Float8_e4m3fn", "long int",  "ScalarList"
	};
	static const char *const values[] = {
		"",
		"1",
		"0",
		"2",
		"-1",
		"True",
		"False",
		"[1, 1]",
		"[-1]",
		"[]",
		"[2]",
		"1e-05",
		"text",
		"[x, 3]",
		"9223372036854775807",
		"[9223372036854775807, 1]",
		"-3",
		"[-9223372036854775808]",
		"[True, False, True]",
		"nan",
		"[1, [2]]",
		"[",
	};
	uint32_t n = prop_below(12);

	return op_args_read(str_of(random_shapes(a, n, odd)),
			    str_of(random_list(a, prop_below(12), types, ARRAY_SIZE(types))),
			    str_of(random_shapes(a, n, false)),
			    str_of(random_list(a, prop_below(22), values, ARRAY_SIZE(values))), a);
}

static struct step_info random_step(void)
{
	struct step_info s = { .has_sqsk = prop_below(4) };
	int64_t v[8];

	for (int i = 0; i < 8; i++)
		v[i] = (int64_t)prop_below(5000) - (prop_below(6) ? 0 : 2500);
	s.c_sq = v[0], s.c_sk = v[1], s.c_sqsq = v[2], s.c_sqsk = v[3];
	s.g_sq = v[4], s.g_sk = v[5], s.g_sqsq = v[6], s.g_sqsk = v[7];
	return s;
}

static void check(unsigned round, op_formula *f, struct op_call *c)
{
	struct op_cost o;

	if (!f)
		return;
	if (!opcost_run(f, c, &o)) {
		PROP_CHECK(round, c->why && *c->why);
		return;
	}
	if (c->original) /* only that it ends: it counts as TraceLens does, wrong or not */
		return;
	PROP_CHECK(round, o.flops >= 0 && isfinite(o.flops));
	PROP_CHECK(round, !(o.bytes < 0) && !isinf(o.bytes));
	PROP_CHECK(round, o.nparams <= OP_PARAMS);
	for (uint32_t i = 0; i < o.nparams; i++)
		PROP_CHECK(round, o.param[i].name && o.param[i].text);
	for (uint32_t i = 0; i < c->args.nshapes; i++)
		PROP_CHECK(round, op_elements(c->args.shape[i]) <= 9007199254740992.0);
}

static void a_cost_that_can_be_or_a_reason(void **state)
{
	uint32_t nmodels = count_models();

	(void)state;
	for (unsigned round = 0; round < PROP_ROUNDS(4000); round++) {
		struct arena a = { 0 };

		prop_start(round);
		struct op_call c = { .a = &a };
		const struct opmodel *m = model_at(prop_below(nmodels), &c.name);
		struct step_info step = random_step();
		c.args = random_args(&a, prop_below(2));
		c.step = prop_below(4) ? &step : NULL;
		c.original = !prop_below(4);
		check(round, opcost_forward(m->model), &c);
		check(round, opcost_backward(m->model), &c);
		arena_free(&a);
	}
}

/* ---- laws of growth ---- */

struct law {
	const char *op;
	bool backward;
	const char *dims;   /* letters are sizes */
	const char *values; /* concrete inputs */
	const char *linear; /* operations double with each of these sizes */
	double close;       /* up to this share: terms of lower order */
};

#define BF "c10::BFloat16"

static const struct law laws[] = {
	{ "aten::mm", false, "[[a, b], [b, c]]", "[]", "abc", 0 },
	{ "aten::addmm", false, "[[c], [a, b], [b, c]]", "[]", "ac", 0 },
	{ "aten::bmm", false, "[[a, b, c], [a, c, d]]", "[]", "abcd", 0 },
	{ "aten::baddbmm", false, "[[a, b, d], [a, b, c], [a, c, d]]", "[]", "abd", 0 },
	{ "aten::_scaled_mm", false, "[[a, b], [b, c], [], []]", "[]", "abc", 0 },
	{ "aiter::gemm_a8w8_ck", false, "[[a, b], [c, b]]", "[]", "abc", 0 },
	{ "aiter::gemm_a4w4", false, "[[a, b], [c, b]]", "[]", "abc", 0 },
	{ "aten::_scaled_dot_product_flash_attention", false,
	  "[[a, b, c, d], [a, b, e, d], [a, b, e, d]]", "[\"\", \"\", \"\", \"0\", \"False\"]",
	  "abced", 0 },
	{ "aten::_scaled_dot_product_flash_attention", true,
	  "[[a, b, c, d], [a, b, c, d], [a, b, c, d]]", "[\"\", \"\", \"\", \"0\", \"True\"]",
	  "abd", 0 },
	{ "aten::convolution", false, "[[a, b, 33, 33], [c, b, 3, 3], []]",
	  "[\"\", \"\", \"\", \"[1, 1]\", \"[0, 0]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]",
	  "abc", 0 },
	{ "aten::convolution", true, "[[a, b, 33, 33], [c, b, 3, 3], []]",
	  "[\"\", \"\", \"\", \"[1, 1]\", \"[0, 0]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]",
	  "abc", 0 },
	{ "aten::copy_", false, "[[a, b], [a, b]]", "[]", "ab", 0 },
	{ "aten::add", false, "[[a, b], [b]]", "[]", "ab", 0 },
	{ "_C::silu_and_mul", false, "[[a, 64], [a, 128]]", "[]", "a", 0 },
	{ "aten::mean", false, "[[a, b, c]]", "[\"\", \"[-1]\"]", "abc", 0 },
	{ "aten::layer_norm", false, "[[a, b, 64], [], [64], [64]]", "[\"\", \"[64]\"]", "ab",
	  0.9 },
	{ "aten::_fused_rms_norm", false, "[[a, b, 64], [], [64]]", "[\"\", \"[64]\"]", "ab", 0 },
	{ "aiter::rmsnorm", false, "[[a, b], [a, b], [b]]", "[]", "a", 0 },
	{ "sgl_kernel::rotary_embedding", false, "[[a], [a, 64], [a, 8]]", "[]", "a", 0 },
	{ "primus_turbo_cpp_extension::grouped_gemm", false, "[[a, b], [4, b, c]]", "[]", "abc",
	  0 },
	{ "aiter::moe_sorting_fwd", false, "[[a, b]]", "[]", "ab", 0 },
	{ "aiter::ck_moe_stage1", false, "[[a, 64], [8, 256, 64], [8, 64, 128]]",
	  "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"2\"]", "a", 0 },
	{ "aiter::dynamic_per_token_scaled_quant", false, "[[a, b], [a, b]]", "[]", "ab", 0 },
	{ "triton_poi_fused_add_mul_0", false, "[[a], [a]]", "[\"\", \"\", \"64\"]", "", 0 },
};

/* Sizes as text, so that they need not be sizes. */
static bool run(const struct law *law, const char *const *size, const char *types,
		struct op_cost *o, const char **why, struct arena *a)
{
	struct textbuf b = { .arena = a };
	const struct opmodel *m = opmodel_find(str_of(law->op));
	struct op_call c = { .a = a, .name = str_of(law->op) };

	if (!m)
		fail_msg("%s is no operator", law->op);
	for (const char *p = law->dims; *p; p++)
		if (*p >= 'a' && *p <= 'e')
			textbuf_add(&b, str_of(size[*p - 'a']));
		else
			textbuf_add(&b, (struct str){ p, 1 });
	c.args = op_args_read(str_of(textbuf_keep(&b, a)), str_of(types), STR("[]"),
			      str_of(law->values), a);
	op_formula *f = law->backward ? opcost_backward(m->model) : opcost_forward(m->model);
	assert_non_null(f);
	bool known = opcost_run(f, &c, o);
	*why = c.why;
	return known;
}

#define TYPES "[\"" BF "\", \"" BF "\", \"" BF "\", \"" BF "\"]"

static double operations(const struct law *law, const int64_t *size, struct arena *a)
{
	const char *text[5], *why;
	struct op_cost o;

	for (int i = 0; i < 5; i++)
		text[i] = arena_print(a, "%lld", (long long)size[i]);
	if (!run(law, text, TYPES, &o, &why, a))
		fail_msg("%s: %s", law->op, why);
	return o.flops;
}

/* Every size of every family: negative, enormous, text, a list, none; and no shapes at all. */
static void nonsense_has_a_reason(void **state)
{
	static const char *const bad[] = { "-3",  "4611686018427387904", "\"x\"", "[1]", "2.5",
					   "null" };
	static const char *const dims[] = { "[]", "[[], [], [], []]",
					    "[[[2, 3]], [[2, 3]], [[2, 3]]]", "[7, null, {}]" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(laws); i++) {
		struct arena a = { 0 };
		struct op_cost o;
		const char *why;

		for (char letter = 'a'; letter <= 'e'; letter++)
			for (size_t k = 0; k < ARRAY_SIZE(bad) && strchr(laws[i].dims, letter);
			     k++) {
				const char *size[] = { "8", "8", "8", "8", "8" };

				size[letter - 'a'] = bad[k];
				if (run(&laws[i], size, TYPES, &o, &why, &a))
					fail_msg("%s of %s = %s has a cost", laws[i].op,
						 laws[i].dims, bad[k]);
				assert_non_null(why);
			}
		for (size_t k = 0; k < ARRAY_SIZE(dims); k++) {
			struct law odd = laws[i];

			odd.dims = dims[k];
			if (run(&odd, NULL, "[]", &o, &why, &a))
				fail_msg("%s of %s has a cost", odd.op, odd.dims);
		}
		arena_free(&a);
	}
}

static void operations_grow_with_each_size(void **state)
{
	(void)state;
	for (unsigned round = 0; round < PROP_ROUNDS(50); round++) {
		struct arena a = { 0 };
		int64_t size[5];

		prop_start(round);
		for (int i = 0; i < 5; i++)
			size[i] = 2 + prop_below(40);
		for (size_t i = 0; i < ARRAY_SIZE(laws); i++) {
			double before = operations(&laws[i], size, &a);

			assert_true(before > 0);
			for (const char *p = laws[i].linear; *p; p++) {
				size[*p - 'a'] *= 2;
				double ratio = operations(&laws[i], size, &a) / before;
				size[*p - 'a'] /= 2;
				if (ratio > 2 + 1e-12 || ratio < 2 - laws[i].close - 1e-12)
					fail_msg("%s: %c twice as large: %g times the operations",
						 laws[i].op, *p, ratio);
			}
		}
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cost_that_can_be_or_a_reason),
		cmocka_unit_test(nonsense_has_a_reason),
		cmocka_unit_test(operations_grow_with_each_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
