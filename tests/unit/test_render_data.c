/* What programs read: CSV, JSON and Markdown of tables made by hand. */
#include "base/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const name[] = { "plain", "a,b \"c\"", "", NULL, "new\nline|_x_\xff" };
static const int64_t ns[] = { 1500, -2, INT64_MAX, LP_NULL, 0 };
static const double percent[] = { 100, 51.20979041915466, NAN, INFINITY, -0.5 };
static const int64_t flag[] = { 1, 0, LP_NULL, 1, 0 };

static struct lp_answer *make(void)
{
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 5);

	answer_headline(a, "*Half* of it.");
	answer_doubt(a, "perhaps");
	table_str(t, "name", "the name", LP_NAME, name, "");
	table_i64(t, "time_ns", "", LP_NSEC, LP_SUM, ns, "");
	table_f64(t, "percent", "", LP_PERCENT, LP_BAR, percent, "");
	table_bool(t, "flag", NULL, LP_DETAIL, flag, "");
	return a;
}

static void assert_written(struct lp_answer *a, enum lp_format f, struct lp_write_options o,
			   const char *want)
{
	char *text;
	size_t n;
	struct lp_error err = { "" };
	FILE *out = open_memstream(&text, &n);

	if (!lp_write(a, f, o, out, &err))
		fprintf(out, "error: %s", err.text);
	fclose(out);
	assert_string_equal(text, want);
	free(text);
	lp_answer_free(a);
}

static void csv_is_raw_with_one_row_a_line(void **unused)
{
	(void)unused;
	assert_written(make(), LP_CSV, (struct lp_write_options){ .limit = 1 },
		       "name,time_ns,percent,flag\n"
		       "plain,1500,100.0,true\n"
		       "\"a,b \"\"c\"\"\",-2,51.20979041915466,false\n"
		       "\"\",9223372036854775807,,\n"
		       ",,,true\n"
		       "new\\nline|_x_\xef\xbf\xbd,0,-0.5,false\n");
}

static void json_has_columns_and_rows(void **unused)
{
	(void)unused;
	struct lp_answer *a = make();

	answer_table(a, "empty", 0);
	assert_written(
		a, LP_JSON, (struct lp_write_options){ 0 },
		"{\"t\":{\"columns\":[\"name\",\"time_ns\",\"percent\",\"flag\"],\"rows\":[\n"
		"[\"plain\",1500,100.0,true],\n"
		"[\"a,b \\\"c\\\"\",-2,51.20979041915466,false],\n"
		"[\"\",9223372036854775807,null,null],\n"
		"[null,null,null,true],\n"
		"[\"new\\nline|_x_\xef\xbf\xbd\",0,-0.5,false]]},\n"
		"\"empty\":{\"columns\":[],\"rows\":[]}}\n");
}

static void markdown_is_for_people(void **unused)
{
	(void)unused;
	static const int64_t one[] = { 1 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "t", 1);

	answer_headline(a, "*Half* of a_b.");
	table_str(t, "name", "the name", LP_NAME, name + 4, "");
	table_i64(t, "n", "", LP_COUNT, LP_SUM, one, "");
	table_f64(t, "percent", "", LP_PERCENT, LP_BAR, percent + 1, "");
	assert_written(a, LP_MD, (struct lp_write_options){ 0 },
		       "\\*Half\\* of a_b.\n"
		       "\n"
		       "| the name |  | % |\n"
		       "|---|---:|---:|\n"
		       "| new\\\\nline\\|\\_x\\_\xef\xbf\xbd | 1 | 51.2 |\n"
		       "| = 1 row | 1 |  |\n");
}

static void columns_are_chosen_and_ordered(void **unused)
{
	(void)unused;
	assert_written(make(), LP_CSV,
		       (struct lp_write_options){ .columns = "flag,name", .sort = "-time_ns" },
		       "flag,name\n"
		       "false,\"a,b \"\"c\"\"\"\n"
		       "false,new\\nline|_x_\xef\xbf\xbd\n"
		       "true,plain\n"
		       ",\"\"\n"
		       "true,\n");
	assert_written(make(), LP_CSV, (struct lp_write_options){ .columns = "flag,nope" },
		       "error: no column 'nope'; --columns help lists them");
	assert_written(make(), LP_CSV, (struct lp_write_options){ .table = "nope" },
		       "error: no table 'nope' in this answer; it has t");
}

/*	row 0 a, row 1 b, row 2 a/x, row 3 a/y	*/
static void a_tree_has_ids_and_parents_and_sorts_among_siblings(void **unused)
{
	(void)unused;
	static const char *const node[] = { "a", "b", "x", "y" };
	static const uint32_t parent[] = { UINT32_MAX, UINT32_MAX, 0, 0 };
	static const int64_t n[] = { 10, 20, 4, 6 };
	struct lp_answer *a = answer_new();
	struct lp_table *t = answer_table(a, "tree", 4);

	table_str(t, "node", NULL, LP_TREE, node, "");
	table_i64(t, "n", NULL, LP_COUNT, 0, n, "");
	t->parent = parent;
	assert_written(a, LP_CSV, (struct lp_write_options){ .sort = "n" },
		       "id,parent,node,n\n"
		       "1,,b,20\n"
		       "0,,a,10\n"
		       "3,0,y,6\n"
		       "2,0,x,4\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_raw_with_one_row_a_line),
		cmocka_unit_test(json_has_columns_and_rows),
		cmocka_unit_test(markdown_is_for_people),
		cmocka_unit_test(columns_are_chosen_and_ordered),
		cmocka_unit_test(a_tree_has_ids_and_parents_and_sorts_among_siblings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
