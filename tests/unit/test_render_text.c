/*
 * Every rule of text output on small tables made by hand; what is expected stands here
 * as it would on the terminal.
 */
#include "base/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *shown;

static const char *show(struct lp_answer *a, struct lp_write_options o)
{
	size_t n;
	struct lp_error err = { "" };

	free(shown);
	FILE *f = open_memstream(&shown, &n);
	if (!lp_write(a, LP_TEXT, o, f, &err))
		fprintf(f, "error: %s", err.text);
	fclose(f);
	lp_answer_free(a);
	return shown;
}

static const char *const op_names[] = { "aten::_softmax", "aten::bmm", "aten::bmm", "aten::addmm" };
static const char *const op_dims[] = { "[[16, 5185, 5185], [], []]",
				       "[[16, 5185, 64], [16, 64, 5185]]",
				       "[[16,5185,5185],[16,5185,64]]", NULL };
static const int64_t op_count[] = { 120, 1200, 120, 480 };
static const int64_t op_time[] = { 262422123, 130016000, 99311499, 10485500 };
static const double op_percent[] = { 52.3, 25.9, 19.8, 2.0 };
static const int64_t op_cpu[] = { 1202000, 2905000, LP_NULL, 22199000 };

static struct lp_table *ops_table(struct lp_answer *a)
{
	struct lp_table *t = answer_table(a, "ops", 4);

	table_str(t, "name", "operator", LP_NAME, op_names, "");
	table_str(t, "input_dims", "input dims", LP_DIMS, op_dims, "");
	table_i64(t, "count", "count", LP_COUNT, LP_SUM, op_count, "");
	table_i64(t, "kernel_time_ns", "GPU", LP_NSEC, LP_SUM, op_time, "");
	table_f64(t, "percent", "", LP_PERCENT, LP_SUM | LP_BAR, op_percent, "");
	table_i64(t, "cpu_time_ns", "CPU", LP_NSEC, LP_SUM | LP_LESSER, op_cpu, "");
	table_str(t, "call_stack", "call stack", LP_DETAIL, op_names, "");
	return t;
}

static struct lp_answer *ops(void)
{
	struct lp_answer *a = answer_new();
	struct lp_table *t = ops_table(a);

	table_footer(t, "every GPU event in exactly one row");
	answer_headline(a, "Softmax owns half.");
	answer_doubt(a, "one doubt");
	answer_next(a, "who calls it", "longpole tree t.json");
	answer_next(a, "all", "longpole report t.json");
	return a;
}

static void answer_comes_first_then_doubts_table_sums_and_what_next(void **unused)
{
	(void)unused;
	assert_string_equal(
		show(ops(), (struct lp_write_options){ .limit = 2 }),
		"Softmax owns half.\n"
		"! one doubt\n"
		"\n"
		"operator        input dims              count   GPU ms      %          CPU ms\n"
		"aten::_softmax  16,5185,5185              120  262.422   52.3  █████▎   1.202\n"
		"aten::bmm       16,5185,64  16,64,5185  1,200  130.016   25.9  ██▋      2.905\n"
		"+ 2 more                                  600  109.797   21.8  ██▏     22.199\n"
		"= 4 rows                                1,920  502.235  100.0          26.306\n"
		"= every GPU event in exactly one row\n"
		"\n"
		"next  longpole tree t.json    who calls it\n"
		"      longpole report t.json  all\n");
}

static void quiet_is_tables_only_and_missing_is_a_dash(void **unused)
{
	(void)unused;
	assert_string_equal(show(ops(), (struct lp_write_options){ .quiet = true,
								   .columns = "name,cpu_time_ns" }),
			    "operator        CPU ms\n"
			    "aten::_softmax   1.202\n"
			    "aten::bmm        2.905\n"
			    "aten::bmm            -\n"
			    "aten::addmm     22.199\n"
			    "= 4 rows        26.306\n"
			    "= every GPU event in exactly one row\n");
}

static void without_utf8_there_is_only_ascii(void **unused)
{
	(void)unused;
	struct lp_answer *a = answer_new();
	static const char *const names[] = { "größe \xe4\xb8\xad", "b" };
	static const int64_t t[] = { 5000, 9000 };
	static const double p[] = { 51.2, 14 };
	struct lp_table *table = answer_table(a, "t", 2);

	answer_headline(a, "8 µs … × 2");
	table_str(table, "name", NULL, LP_NAME, names, "");
	table_i64(table, "t_ns", "time", LP_NSEC, 0, t, "");
	table_f64(table, "p", "", LP_PERCENT, LP_BAR, p, "");
	assert_string_equal(show(a, (struct lp_write_options){ .ascii = true }),
			    "8 us ... x 2\n"
			    "\n"
			    "name                    time us     %\n"
			    "gr\\u00f6\\u00dfe \\u4e2d    5.000  51.2  #####\n"
			    "b                         9.000  14.0  #\n");
}

static void units_follow_the_largest_value_and_three_doubts_are_shown(void **unused)
{
	(void)unused;
	static const int64_t s[] = { 10000000000, 1 }, ms[] = { 9999999000, 1499 },
			     us[] = { 9999999, 0 }, b[] = { 55643189, 12 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 2);

	table_i64(t, "s", "a", LP_NSEC, 0, s, "");
	table_i64(t, "ms", "b", LP_NSEC, 0, ms, "");
	table_i64(t, "us", "", LP_NSEC, 0, us, "");
	table_i64(t, "b", "size", LP_BYTES, 0, b, "");
	for (int i = 0; i < 5; i++)
		answer_doubt(a, "doubt %d", i);
	assert_string_equal(show(a, (struct lp_write_options){ 0 }),
			    "! doubt 0\n"
			    "! doubt 1\n"
			    "! doubt 2\n"
			    "! 2 more: longpole check\n"
			    "\n"
			    "   a s       b ms         µs  size MB\n"
			    "10.000  9,999.999  9,999.999   55.643\n"
			    " 0.000      0.001      0.000    0.000\n");
}

static void shared_units_bare_heads_signs_and_means(void **unused)
{
	(void)unused;
	static const int64_t before[] = { 41723000, 490000 }, after[] = { 68689000, 0 },
			     delta[] = { 26966000, -490000 };
	static const double pct[] = { 64.63, NAN };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 2);

	table_str(t, "name", "op", LP_NAME, op_names, "");
	table_i64(t, "before_ns", "before", LP_NSEC, LP_MEAN, before, "");
	table_i64(t, "after_ns", "after", LP_NSEC, LP_SAME | LP_BARE | LP_MEAN, after, "");
	table_i64(t, "delta_ns", "delta", LP_NSEC, LP_SAME | LP_DELTA, delta, "");
	table_f64(t, "percent", "", LP_PERCENT, LP_DELTA, pct, "");
	t->total = "mean";
	assert_string_equal(show(a, (struct lp_write_options){ 0 }),
			    "op              before ms   after  delta ms      %\n"
			    "aten::_softmax     41.723  68.689   +26.966  +64.6\n"
			    "aten::bmm           0.490   0.000    -0.490      -\n"
			    "= mean             21.107  34.345\n");
}

static void blocks_and_labels(void **unused)
{
	(void)unused;
	static const char *const device[] = { "0", "0", "0", "0", "1" };
	static const char *const what[] = { "computation", "exposed_comm", "total", "busy",
					    "total" };
	static const char *const labels[] = { NULL, "", "= GPU span", "of it busy", "= GPU span" };
	static const int64_t ns[] = { 26175000, 0, 86568000, 84002000, 5000 };
	static const double pct[] = { 30.2, 0, 100, 97, 100 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "timeline", 5);

	table_str(t, "device", "device", LP_GROUP, device, "");
	table_str(t, "what", "", 0, what, "");
	table_i64(t, "time_ns", "", LP_NSEC, 0, ns, "");
	table_f64(t, "percent", "", LP_PERCENT, LP_BAR, pct, "");
	t->labels = labels;
	t->whole = true;
	assert_string_equal(show(a, (struct lp_write_options){ .limit = 1 }),
			    "device 0         ms      %\n"
			    "computation  26.175   30.2  ███\n"
			    "= GPU span   86.568  100.0\n"
			    "of it busy   84.002   97.0  █████████▊\n"
			    "\n"
			    "device 1         ms      %\n"
			    "= GPU span    0.005  100.0\n");
}

static void headless_tables_wrap_their_prose(void **unused)
{
	(void)unused;
	static const char *const key[] = { "file", "window" };
	static const char *const value[] = {
		"t.json.gz: gzip, 3,058,875 bytes; 55,643,189 bytes of JSON, one two three",
		"0 .. 5 ms"
	};
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "file", 2);

	table_str(t, "what", "", 0, key, "");
	table_str(t, "value", "", 0, value, "");
	t->whole = true;
	assert_string_equal(show(a, (struct lp_write_options){ .width = 64 }),
			    "file    t.json.gz: gzip, 3,058,875 bytes; 55,643,189 bytes of\n"
			    "        JSON, one two three\n"
			    "window  0 .. 5 ms\n");
}

static void bars_go_first_then_lesser_columns_then_the_table(void **unused)
{
	(void)unused;
	struct lp_write_options o = { .quiet = true, .width = 76, .limit = 2 };

	assert_string_equal(
		show(ops(), o),
		"operator        input dims              count   GPU ms      %  CPU ms\n"
		"aten::_softmax  16,5185,5185              120  262.422   52.3   1.202\n"
		"aten::bmm       16,5185,64  16,64,5185  1,200  130.016   25.9   2.905\n"
		"+ 2 more                                  600  109.797   21.8  22.199\n"
		"= 4 rows                                1,920  502.235  100.0  26.306\n"
		"= every GPU event in exactly one row\n");
	o.width = 68;
	assert_string_equal(show(ops(), o),
			    "operator        input dims              count   GPU ms      %\n"
			    "aten::_softmax  16,5185,5185              120  262.422   52.3\n"
			    "aten::bmm       16,5185,64  16,64,5185  1,200  130.016   25.9\n"
			    "+ 2 more                                  600  109.797   21.8\n"
			    "= 4 rows                                1,920  502.235  100.0\n"
			    "= every GPU event in exactly one row\n");
	o.width = 30;
	o.limit = 1;
	assert_string_equal(show(ops(), o), "operator: aten::_softmax\n"
					    "input dims: 16,5185,5185\n"
					    "count: 120\n"
					    "GPU ms: 262.422\n"
					    "%: 52.3\n"
					    "CPU ms: 1.202\n"
					    "\n"
					    "+ 3 more\n"
					    "count: 1,800\n"
					    "GPU ms: 239.813\n"
					    "%: 47.7\n"
					    "CPU ms: 25.104\n"
					    "\n"
					    "= 4 rows\n"
					    "count: 1,920\n"
					    "GPU ms: 502.235\n"
					    "%: 100.0\n"
					    "CPU ms: 26.306\n"
					    "= every GPU event in exactly\n"
					    "  one row\n");
}

static void colours_mark_the_answer_doubts_heads_and_changes(void **unused)
{
	(void)unused;
	static const int64_t delta[] = { 26966, -13220, 0 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 3);

	answer_headline(a, "Slower.");
	answer_doubt(a, "Perhaps.");
	answer_next(a, "why", "longpole ops");
	table_i64(t, "delta_ns", "delta", LP_NSEC, LP_DELTA, delta, "");
	assert_string_equal(show(a, (struct lp_write_options){ .color = true }),
			    "\x1b[1mSlower.\x1b[0m\n"
			    "\x1b[33m! Perhaps.\x1b[0m\n"
			    "\n"
			    "\x1b[2mdelta µs\x1b[0m\n"
			    " \x1b[31m+26.966\x1b[0m\n"
			    " \x1b[32m-13.220\x1b[0m\n"
			    "   0.000\n"
			    "\n"
			    "\x1b[2mnext  longpole ops  why\x1b[0m\n");
}

static void trees_have_guides_and_only_children_share_a_line(void **unused)
{
	(void)unused;
	static const char *const node[] = { "Model",         "Encoder",        "Attention",
					    "aten::softmax", "aten::_softmax", "aten::bmm",
					    "MLP",           "aten::to" };
	static const uint32_t parent[] = { UINT32_MAX, 0, 1, 2, 3, 2, 1, UINT32_MAX };
	static const int64_t ns[] = { 545592000, 543691000, 510081000, 262422001,
				      262422000, 229327000, 27783000,  14543000 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "tree", 8);

	table_i64(t, "gpu_ns", "GPU", LP_NSEC, 0, ns, "");
	table_str(t, "node", "node", LP_TREE, node, "");
	t->parent = parent;
	assert_string_equal(show(a, (struct lp_write_options){ 0 }),
			    " GPU ms  node\n"
			    "543.691  Model › Encoder\n"
			    "510.081  ├ Attention\n"
			    "262.422  │ ├ aten::softmax › aten::_softmax\n"
			    "229.327  │ └ aten::bmm\n"
			    " 27.783  └ MLP\n"
			    " 14.543  aten::to\n");
}

/* A chain of nine whose names are too long to share lines, with two leaves at its end. */
static void only_children_stop_indenting_where_width_runs_out(void **unused)
{
	(void)unused;
	static const char *const node[] = { "a_name_of_30_columns_000000000",
					    "b_name_of_30_columns_000000000",
					    "c_name_of_30_columns_000000000",
					    "d_name_of_30_columns_000000000",
					    "e_name_of_30_columns_000000000",
					    "f_name_of_30_columns_000000000",
					    "g_name_of_30_columns_000000000",
					    "h_name_of_30_columns_000000000",
					    "leaf",
					    "twig" };
	static const uint32_t parent[] = { UINT32_MAX, 0, 1, 2, 3, 4, 5, 6, 7, 7 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "tree", 10);

	table_str(t, "node", "", LP_TREE, node, "");
	t->parent = parent;
	t->whole = true;
	assert_string_equal(show(a, (struct lp_write_options){ .width = 60 }),
			    "a_name_of_30_columns_000000000\n"
			    "└ b_name_of_30_columns_000000000\n"
			    "  └ c_name_of_30_columns_000000000\n"
			    "    └ d_name_of_30_columns_000000000\n"
			    "      └ e_name_of_30_columns_000000000\n"
			    "        └ f_name_of_30_columns_000000000\n"
			    "          › g_name_of_30_columns_000000000\n"
			    "          › h_name_of_30_columns_000000000\n"
			    "            ├ leaf\n"
			    "            └ twig\n");
}

static void columns_without_a_value_are_not_shown_unless_asked_for(void **unused)
{
	(void)unused;
	static const char *const none[] = { NULL, NULL };
	static const int64_t one[] = { 1, 2 };

	for (int only = 0; only <= 1; only++) {
		struct lp_answer *a = answer_new();
		struct lp_table *t = answer_table(a, "t", 2);

		table_str(t, "none", NULL, LP_NAME, none, "");
		if (!only)
			table_i64(t, "n", NULL, LP_COUNT, 0, one, "");
		assert_string_equal(show(a, (struct lp_write_options){ 0 }),
				    only ? "" : "n\n1\n2\n");
	}
	struct lp_answer *a = answer_new();
	table_str(answer_table(a, "t", 2), "none", NULL, LP_NAME, none, "");
	assert_string_equal(show(a, (struct lp_write_options){ .columns = "none" }),
			    "none\n-\n-\n");
}

static void long_lists_of_short_lines_stand_side_by_side(void **unused)
{
	(void)unused;
	static const char *const kind[] = { "python", "cpu_op", "flow", "memory", "runtime",
					    "kernel", "set",    "copy", "other" };
	static const int64_t n[] = { 65313, 24378, 14457, 13474, 9292, 4330, 750, 85, 73 };
	static const char *const want[] = { "kind    events  kind     events  kind   events\n"
					    "python  65,313  memory   13,474  set       750\n"
					    "cpu_op  24,378  runtime   9,292  copy       85\n"
					    "flow    14,457  kernel    4,330  other      73\n",
					    "kind    events\npython  65,313\ncpu_op  24,378\n" };

	for (int few = 0; few <= 1; few++) {
		struct lp_answer *a = answer_new();
		struct lp_table *t = answer_table(a, "kinds", few ? 2 : 9);

		table_str(t, "kind", NULL, 0, kind, "");
		table_i64(t, "events", NULL, LP_COUNT, 0, n, "");
		t->whole = true;
		assert_string_equal(show(a, (struct lp_write_options){ 0 }), want[few]);
	}
}

static void sorting_turns_with_a_minus_and_keeps_missing_last(void **unused)
{
	(void)unused;
	struct lp_write_options o = { .quiet = true, .columns = "cpu_time_ns", .limit = -1 };

	o.sort = "cpu_time_ns";
	assert_string_equal(show(ops(), o), "CPU ms\n22.199\n 2.905\n 1.202\n     -\n"
					    "= every GPU event in exactly one row\n");
	o.sort = "-cpu_time_ns";
	assert_non_null(strstr(show(ops(), o), " 1.202\n 2.905\n22.199\n     -\n"));
	o.sort = "nope";
	assert_string_equal(show(ops(), o),
			    "error: no column 'nope' to sort by; --columns help lists them");
}

static void hostile_names_stay_on_one_line_within_the_width(void **unused)
{
	(void)unused;
	char *huge = malloc(3001);
	memset(huge, 'x', 3000);
	memcpy(huge, "void ns::", 9);
	huge[3000] = 0;
	const char *names[] = { "line\nbreak\tand\x1b[31mred",
				"\xe2\x80\xae"
				"right to left",
				"\xff\xfe\xc0\x80",
				"\xf0\x9f\x98\x80 smile \xe4\xb8\xad\xe6\x96\x87",
				"",
				huge };
	for (unsigned width = 20; width <= 120; width += 7) {
		struct lp_answer *a = answer_new();
		struct lp_table *t = answer_table(a, "t", 6);
		unsigned lines = 0;

		table_str(t, "name", "name", LP_NAME, names, "");
		table_str(t, "same", "same", 0, names, "");
		answer_headline(a, "%s", names[width % 6]);
		for (char *line = strtok((char *)(uintptr_t)show(
						 a, (struct lp_write_options){ .width = width }),
					 "\n");
		     line; line = strtok(NULL, "\n"), lines++) {
			unsigned columns = 0;
			for (const char *p = line; *p; p++) {
				assert_true((unsigned char)*p >= ' ');
				columns += (*p & 0xc0) != 0x80;
			}
			assert_true(columns <= width);
		}
		assert_true(lines >= 7);
		assert_true(width < 60 || lines <= 10);
	}
	free(huge);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_comes_first_then_doubts_table_sums_and_what_next),
		cmocka_unit_test(quiet_is_tables_only_and_missing_is_a_dash),
		cmocka_unit_test(without_utf8_there_is_only_ascii),
		cmocka_unit_test(units_follow_the_largest_value_and_three_doubts_are_shown),
		cmocka_unit_test(shared_units_bare_heads_signs_and_means),
		cmocka_unit_test(blocks_and_labels),
		cmocka_unit_test(headless_tables_wrap_their_prose),
		cmocka_unit_test(bars_go_first_then_lesser_columns_then_the_table),
		cmocka_unit_test(colours_mark_the_answer_doubts_heads_and_changes),
		cmocka_unit_test(trees_have_guides_and_only_children_share_a_line),
		cmocka_unit_test(only_children_stop_indenting_where_width_runs_out),
		cmocka_unit_test(columns_without_a_value_are_not_shown_unless_asked_for),
		cmocka_unit_test(long_lists_of_short_lines_stand_side_by_side),
		cmocka_unit_test(sorting_turns_with_a_minus_and_keeps_missing_last),
		cmocka_unit_test(hostile_names_stay_on_one_line_within_the_width),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(shown);
	return failed;
}
