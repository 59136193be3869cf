#include "analysis/diff_gate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena arena;
static struct lp_error err;

static const struct gate_rule *parsed(const char *text)
{
	static struct gate_rules rules;

	return gate_parse(&text, 1, NULL, &rules, &arena, &err) ? &rules.at[0] : NULL;
}

static void a_rule_has_a_metric_and_limits(void **unused)
{
	(void)unused;
	const struct gate_rule *r = parsed("gpu_time>2.5%,50us");

	assert_non_null(r);
	assert_int_equal(r->metric, GATE_LINE);
	assert_int_equal(r->line, LINE_GPU_TIME);
	assert_true(r->percent == 2.5);
	assert_int_equal(r->ns, 50000);
	r = parsed("cpu_time>1.5ms");
	assert_true(r && isnan(r->percent));
	assert_int_equal(r->line, LINE_CPU_TIME);
	assert_int_equal(r->ns, 1500000);
	r = parsed("kernels>3");
	assert_true(r && r->metric == GATE_COUNT && r->count == 3 && r->ns == NSEC_NONE);
	r = parsed("step_time>0%");
	assert_true(r && r->metric == GATE_STEP_TIME && r->percent == 0);
}

/* Names of kernels have '>' and ','; only the last '>' begins the limits. */
static void names_are_taken_as_they_are(void **unused)
{
	(void)unused;
	const struct gate_rule *r = parsed("kernel:gemm<float, 4>::run>10%");

	assert_non_null(r);
	assert_int_equal(r->metric, GATE_KERNEL);
	assert_true(str_eq(r->name, STR("gemm<float, 4>::run")));
	r = parsed("op:aten::bmm>1us");
	assert_true(r && r->metric == GATE_OP && str_eq(r->name, STR("aten::bmm")));
}

static void what_is_no_rule_is_refused(void **unused)
{
	(void)unused;
	static const char *const bad[] = {
		"",       "gpu_time",    "gpu_time>",    "gpu_time>2",  "gpu_time>2%,", "speed>2%",
		"op:>2%", "kernels>5us", "gpu_time>-1%", "gpu_time>x%", "gpu_time>nan%"
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err.text[0] = 0;
		assert_null(parsed(bad[i]));
		assert_true(strstr(err.text, "rule '") != NULL);
	}
}

static void a_file_has_one_rule_a_line(void **unused)
{
	(void)unused;
	char path[] = "/tmp/gate_XXXXXX";
	struct gate_rules rules;
	FILE *f = fdopen(mkstemp(path), "w");

	fputs("# what must not grow\n\n  gpu_time>2%   # in all\r\nkernels>0\n", f);
	fclose(f);
	assert_true(gate_parse(NULL, 0, path, &rules, &arena, &err));
	assert_int_equal(rules.n, 2);
	assert_string_equal(rules.at[0].text, "gpu_time>2%");
	assert_int_equal(rules.at[1].line, LINE_KERNELS);
	unlink(path);
	assert_false(gate_parse(NULL, 0, path, &rules, &arena, &err));
	arena_free(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_has_a_metric_and_limits),
		cmocka_unit_test(names_are_taken_as_they_are),
		cmocka_unit_test(what_is_no_rule_is_refused),
		cmocka_unit_test(a_file_has_one_rule_a_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
