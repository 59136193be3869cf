/*
 * Random tables, full of names that no program should trust, through every format:
 * text is never wider than the terminal and obeys no control character, distinct names
 * stay distinct, JSON and CSV have every cell, and the same table gives the same bytes.
 */
#include "prop.h"

#include "base/json.h"
#include "base/shortname.h"
#include "base/table.h"
#include "base/utf8.h"

#include <math.h>

static const char *const pieces[] = { "aten::",
				      "void ",
				      "ns::",
				      "<",
				      ">",
				      "(",
				      ")",
				      "int",
				      ", ",
				      "\n",
				      "\x1b[31m",
				      "\xff",
				      "中",
				      "\xe2\x80\xae",
				      "e\xcc\x81",
				      "😀",
				      "0x7f00aa55",
				      "kernel",
				      "_",
				      " ",
				      "\"",
				      ",",
				      "|",
				      "(anonymous namespace)::",
				      "\\",
				      "[",
				      "]",
				      "16",
				      "64",
				      "",
				      "very_long_identifier_of_a_kernel" };

static const char *random_text(struct arena *a)
{
	const char *text = "";

	for (uint32_t n = prop_below(1 + prop_below(16)); n; n--)
		text = arena_print(a, "%s%s", text, pieces[prop_below(ARRAY_SIZE(pieces))]);
	return text;
}

static int64_t random_i64(void)
{
	return prop_below(8)
		       ? (int64_t)(prop_next() >> (1 + prop_below(63))) * (prop_below(9) ? 1 : -1)
		       : LP_NULL;
}

static void add_column(struct arena *a, struct lp_table *t, bool tree)
{
	static const double odd[] = { 0, NAN, INFINITY, 1e300, -0.5, 100 };
	unsigned flags = (unsigned)prop_next() &
			 (LP_SUM | LP_LESSER | LP_BAR | LP_DELTA | LP_SAME | LP_BARE | LP_MEAN);
	const char *name = arena_print(a, "c%u", t->ncols), *title = random_text(a);
	uint32_t kind = tree ? 3 : prop_below(4), n = t->nrows;

	if (kind == 0) {
		int64_t *v = NEW(a, n, int64_t);
		for (uint32_t i = 0; i < n; i++)
			v[i] = random_i64();
		table_i64(t, name, title, prop_below(5), flags, v, "");
	} else if (kind == 1) {
		double *v = NEW(a, n, double);
		for (uint32_t i = 0; i < n; i++)
			v[i] = prop_below(4) ? (double)random_i64() / 7
					     : odd[prop_below(ARRAY_SIZE(odd))];
		table_f64(t, name, title, prop_below(5), flags, v, "");
	} else if (kind == 2) {
		int64_t *v = NEW(a, n, int64_t);
		for (uint32_t i = 0; i < n; i++)
			v[i] = prop_below(5) ? prop_below(2) : LP_NULL;
		table_bool(t, name, title, flags & LP_LESSER, v, "");
	} else {
		static const unsigned texts[] = { 0,       LP_NAME,           LP_NAME,
						  LP_DIMS, LP_NAME | LP_DIMS, LP_GROUP };
		const char **v = NEW(a, n, const char *);
		for (uint32_t i = 0; i < n; i++)
			v[i] = prop_below(9) ? random_text(a) : NULL;
		table_str(t, name, title, tree ? LP_TREE : texts[prop_below(ARRAY_SIZE(texts))], v,
			  "");
	}
}

static struct lp_answer *random_answer(void)
{
	struct lp_answer *answer = answer_new();
	struct arena *a = answer_arena(answer);

	answer_headline(answer, "%s", random_text(a));
	for (uint32_t n = prop_below(5); n; n--)
		answer_doubt(answer, "x%s", random_text(a));
	for (uint32_t k = 0, tables = 1 + prop_below(3); k < tables; k++) {
		struct lp_table *t = answer_table(answer, arena_print(a, "t%u", k), prop_below(40));
		bool tree = !prop_below(3);

		if (tree) {
			uint32_t *parent = NEW(a, t->nrows, uint32_t);
			for (uint32_t i = 0; i < t->nrows; i++)
				parent[i] = i && prop_below(5) ? prop_below(i) : UINT32_MAX;
			t->parent = parent;
		}
		for (uint32_t c = 0, n = 1 + prop_below(9); c < n; c++)
			add_column(a, t, tree && c == n / 2);
		t->whole = !prop_below(3);
		t->total = prop_below(2) ? random_text(a) : NULL;
		if (prop_below(2))
			table_footer(t, "x%s", random_text(a));
	}
	return answer;
}

static char *written(const struct lp_answer *a, enum lp_format f, struct lp_write_options o,
		     size_t *n)
{
	char *text;
	struct lp_error err;
	FILE *out = open_memstream(&text, n);

	assert_true(lp_write(a, f, o, out, &err));
	fclose(out);
	return text;
}

static void check_line(unsigned round, struct str line, unsigned width, bool ascii)
{
	unsigned columns = 0;

	for (size_t at = 0; at < line.n;) {
		uint32_t c = utf8_next(line, &at);
		PROP_CHECK(round, c >= ' ' && c != UTF8_BAD && (c < 0x7f || c >= 0xa0));
		PROP_CHECK(round, c != 0x202e && (!ascii || c < 0x7f));
		columns += utf8_width(c);
	}
	PROP_CHECK(round, columns <= width);
	PROP_CHECK(round, !line.n || line.p[line.n - 1] != ' ');
}

static void text_keeps_to_the_terminal(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(400); round++) {
		prop_start(round);
		struct lp_answer *a = random_answer();
		struct lp_write_options o = { .width = 20 + prop_below(140),
					      .ascii = prop_below(2),
					      .limit = (int64_t)prop_below(50) - 1 };
		size_t n, again;
		char *text = written(a, LP_TEXT, o, &n), *twin = written(a, LP_TEXT, o, &again);

		PROP_CHECK(round, n == again && !memcmp(text, twin, n));
		for (char *p = text, *end; *p; p = end + 1) {
			end = strchr(p, '\n');
			PROP_CHECK(round, end != NULL);
			check_line(round, (struct str){ p, (size_t)(end - p) }, o.width, o.ascii);
		}
		free(text);
		free(twin);
		lp_answer_free(a);
	}
}

/* Cells of all tables, trees with their id and parent. */
static uint64_t cells_of(const struct lp_answer *a, uint32_t ntables)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < ntables; i++)
		n += (uint64_t)a->tables[i]->nrows *
		     (a->tables[i]->ncols + (a->tables[i]->parent ? 2 : 0));
	return n;
}

static void json_has_every_cell(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(400); round++) {
		prop_start(round);
		struct lp_answer *a = random_answer();
		uint64_t cells = 0;
		size_t n;
		char *text = written(a, LP_JSON, (struct lp_write_options){ .limit = 1 }, &n);
		struct json j = json_open((struct str){ text, n });

		while (json_next(&j)) {
			PROP_CHECK(round, j.type != JSON_WORD);
			cells += j.depth == 4 && j.type != JSON_CLOSE;
		}
		PROP_CHECK(round, !j.bad && cells == cells_of(a, a->ntables));
		for (size_t at = 0; at < n;)
			PROP_CHECK(round, utf8_next((struct str){ text, n }, &at) != UTF8_BAD);
		free(text);
		lp_answer_free(a);
	}
}

static void csv_has_every_cell_of_the_first_table(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < PROP_ROUNDS(400); round++) {
		prop_start(round);
		struct lp_answer *a = random_answer();
		uint64_t lines = 0, fields = 0;
		bool quoted = false;
		size_t n;
		char *text = written(a, LP_CSV, (struct lp_write_options){ 0 }, &n);

		for (size_t i = 0; i < n; i++) {
			quoted ^= text[i] == '"';
			fields += text[i] == '\n' || (text[i] == ',' && !quoted);
			lines += text[i] == '\n';
			PROP_CHECK(round, text[i] != '\n' || !quoted);
		}
		PROP_CHECK(round, lines == a->tables[0]->nrows + 1);
		PROP_CHECK(round, fields == cells_of(a, 1) + a->tables[0]->ncols +
						    (a->tables[0]->parent ? 2 : 0));
		free(text);
		lp_answer_free(a);
	}
}

static void different_names_look_different_within_any_width(void **unused)
{
	(void)unused;
	enum { N = 60 };

	for (unsigned round = 0; round < PROP_ROUNDS(300); round++) {
		const char *name[N], *shown[N];
		struct arena a = { 0 };
		prop_start(round);
		enum utf8_for reader = prop_below(2) ? UTF8_TERMINAL : UTF8_ASCII;
		unsigned width = 12 + prop_below(40);

		for (uint32_t i = 0; i < N; i++)
			name[i] = i && !prop_below(6) ? name[prop_below(i)] : random_text(&a);
		shortname_all(&a, name, shown, N, reader);
		shortname_fit(&a, shown, shown, N, width, reader);
		for (uint32_t i = 0; i < N; i++) {
			PROP_CHECK(round, utf8_columns(shown[i]) <= width);
			for (uint32_t k = 0; k < i; k++)
				PROP_CHECK(round, !strcmp(name[i], name[k]) ==
							  !strcmp(shown[i], shown[k]));
		}
		arena_free(&a);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_keeps_to_the_terminal),
		cmocka_unit_test(json_has_every_cell),
		cmocka_unit_test(csv_has_every_cell_of_the_first_table),
		cmocka_unit_test(different_names_look_different_within_any_width),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
