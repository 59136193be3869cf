/*
 * The rows of a walk become columns. Programs get id, parent and the pair that names a
 * node for good; people get the name last, with guides, after its numbers.
 */
#include "analysis/tree_handle.h"
#include "analysis/tree_text.h"
#include "analysis/tree_walk.h"
#include "base/alloc.h"
#include "base/scaled.h"

#include <math.h>
#include <stdlib.h>

#define MAX_NODES 1000000
#define RUN       1024 /* rows that come together */

struct writer {
	struct lp_tree *t;
	struct lp_answer *a;
	struct arena *arena;
	struct lp_table *table;
	uint32_t n;
};

/* ---- Columns ---- */

/* Weights at the scale of the profile: whole numbers, or with a fraction. */
static void weight_column(const struct writer *w, const char *name, const char *title,
			  unsigned flags, const int64_t *values, const char *help)
{
	unsigned places = w->t->of->p->threads[w->t->view.filter.like].places;

	if (!places) {
		table_i64(w->table, name, title, tree_text_unit(w->t), flags, values, help);
		return;
	}
	double *v = NEW(w->arena, w->n, double);

	for (uint32_t i = 0; i < w->n; i++)
		v[i] = (double)values[i] / (double)scaled_power(places);
	table_f64(w->table, name, title, LP_PLAIN, flags, v, help);
}

static void percent_column(const struct writer *w, const int64_t *values, const char *help)
{
	double *v = NEW(w->arena, w->n, double), all = (double)w->t->view.sums.magnitude;

	for (uint32_t i = 0; i < w->n; i++)
		v[i] = all > 0 ? 100.0 * (double)values[i] / all : NAN;
	table_f64(w->table, "percent", "", LP_PERCENT, LP_BAR | LP_PICTURE, v, help);
}

static void same_text(const struct writer *w, const char *name, const char *text, const char *help)
{
	const char **v = NEW(w->arena, w->n, const char *);

	for (uint32_t i = 0; i < w->n; i++)
		v[i] = text;
	table_str(w->table, name, NULL, LP_DETAIL, v, help);
}

static const char *file_of(const struct profile *p, func_id f)
{
	string_id file = p->functions.at[f].file;

	return file == NONE ? NULL : strings_get(&p->strings, file).p;
}

static bool has_files(const struct profile *p)
{
	for (func_id f = 0; f < p->functions.n; f++)
		if (p->functions.at[f].file != NONE)
			return true;
	return false;
}

static void file_column(const struct writer *w, const char *const *file)
{
	if (has_files(w->t->of->p))
		table_str(w->table, "file", NULL, LP_DETAIL, file,
			  "source file, library or address of the function");
}

/* ---- The tree ---- */

/* All columns of a tree; those not wanted are NULL. */
struct tree_columns {
	uint32_t *parent;
	const char **name, **file;
	int64_t *total, *self, *count, *wait, *leaf, *at;
};

static struct tree_columns new_columns(const struct writer *w, uint32_t n, const bool *measured,
				       struct lp_tree_show s)
{
	struct arena *a = w->arena;

	return (struct tree_columns){
		.parent = NEW(a, MAX_OF(n, 1), uint32_t),
		.name = NEW(a, n, const char *),
		.file = has_files(w->t->of->p) ? NEW(a, n, const char *) : NULL,
		.total = NEW(a, n, int64_t),
		.self = NEW(a, n, int64_t),
		.count = measured[MEASURE_COUNT] ? NEW(a, n, int64_t) : NULL,
		.wait = measured[MEASURE_WAIT] ? NEW(a, n, int64_t) : NULL,
		.leaf = s.pairs ? NEW(a, n, int64_t) : NULL,
		.at = s.pairs ? NEW(a, n, int64_t) : NULL,
	};
}

static void fill_row(const struct writer *w, const struct tree_columns *c,
		     const struct rows_piece *p, uint32_t i, uint32_t row)
{
	const struct tree_view *v = &w->t->view;
	int64_t total = p->total[MEASURE_WEIGHT][i];

	c->parent[row] = p->parent[i];
	c->name[row] = profile_name(w->t->of->p, p->func[i]).p;
	c->total[row] = total;
	c->self[row] = !v->inverted           ? v->sums.self[MEASURE_WEIGHT][p->pair[i].at]
		       : p->parent[i] == NONE ? total
					      : 0;
	if (c->file)
		c->file[row] = file_of(w->t->of->p, p->func[i]);
	if (c->count)
		c->count[row] = p->total[MEASURE_COUNT][i];
	if (c->wait)
		c->wait[row] = p->total[MEASURE_WAIT][i];
	if (c->leaf) {
		c->leaf[row] = p->pair[i].leaf;
		c->at[row] = p->pair[i].at;
	}
}

static void add_columns(const struct writer *w, const struct tree_columns *c, struct lp_tree_show s)
{
	bool inverted = w->t->view.inverted;
	unsigned delta = w->t->of->diff ? LP_DELTA : 0;

	table_str(w->table, "name", NULL, LP_DETAIL, c->name, "function");
	weight_column(w, "total", tree_text_title(w->t), delta, c->total,
		      "weight of the node and all below it");
	if (!s.plain)
		percent_column(w, c->total, "share of the sum of all weights");
	weight_column(w, "self", "self", LP_LESSER | delta | (inverted ? LP_DETAIL : LP_SAME),
		      c->self, "weight of the node alone");
	same_text(w, "unit", tree_text_unit_name(w->t), "what total and self count");
	if (c->count)
		table_i64(w->table, "count", "count", LP_COUNT, LP_LESSER, c->count,
			  "samples, calls or kernels");
	if (c->wait)
		weight_column(w, "waiting", "waiting", LP_LESSER, c->wait,
			      "the part of total in which calls only wait for a GPU");
	if (c->file)
		file_column(w, c->file);
	if (c->leaf) {
		table_i64(w->table, "root_node", NULL, LP_PLAIN, LP_DETAIL, c->leaf,
			  "the first stack, in preorder, of those that make up the node");
		table_i64(w->table, "call_node", NULL, LP_PLAIN, LP_DETAIL, c->at,
			  "its ancestor where the node's path ends; both name the node for good");
	}
	if (!s.plain)
		table_str(w->table, "node", inverted ? "self, then its callers" : "node",
			  LP_PICTURE | LP_TREE | LP_NAME, c->name, "function");
}

static struct tree_budget budget_of(const struct lp_tree *t, struct lp_tree_show s)
{
	double least = s.min_percent / 100 * (double)t->view.sums.magnitude;

	return (struct tree_budget){
		.roots = s.roots,
		.depth = s.depth,
		.min_total = least > 0 ? (uint64_t)ceil(least) : 0,
		.max_nodes = s.max_nodes ? s.max_nodes : MAX_NODES,
		.forks = s.forks,
		.no_leaves = t->of->gpu && !t->of->kernels,
		.pairs = s.pairs,
	};
}

static void list_measures(const struct lp_tree *t, bool measured[MEASURES])
{
	for (int m = 0; m < MEASURES; m++)
		measured[m] = tree_view_measures(&t->view, m);
	measured[MEASURE_COUNT] &= !t->of->diff; /* of both sides together they say nothing */
}

/* A table of n rows, not filled yet. */
static struct tree_columns begin_table(struct writer *w, const char *name, uint32_t n,
				       const bool *measured, struct lp_tree_show s)
{
	struct tree_columns c = new_columns(w, n, measured, s);

	w->n = n;
	w->table = answer_table(w->a, name, n);
	w->table->parent = c.parent;
	w->table->whole = true;
	return c;
}

static void add_whole(struct writer *w, const char *name, struct lp_tree_show s)
{
	bool measured[MEASURES];
	struct tree_rows rows;
	uint32_t row = 0;

	list_measures(w->t, measured);
	tree_walk(&w->t->view, budget_of(w->t, s), &rows);
	struct tree_columns c = begin_table(w, name, rows.n, measured, s);

	for (; rows.first; tree_rows_shift(&rows))
		for (uint32_t i = 0; i < rows.first->n; i++)
			fill_row(w, &c, rows.first, i, row++);
	add_columns(w, &c, s);
	tree_text_footer(w->table, w->a, w->t, &rows);
	if (rows.cut && !s.max_nodes)
		answer_doubt(w->a,
			     "only the heaviest %u nodes are listed; --max-nodes N lists more",
			     row);
}

/* ---- The same in runs ---- */

struct tree_runs {
	struct writer w;
	struct tree_rows rows;
	struct tree_columns c;
	struct tree_walk *walk;
};

void tree_runs_free(struct lp_tree *t)
{
	if (!t->runs)
		return;
	tree_walk_end(t->runs->walk);
	tree_rows_free(&t->runs->rows);
	free(t->runs);
	t->runs = NULL;
}

static bool next_run(struct lp_table *table)
{
	struct lp_tree *t = table->source;
	struct tree_runs *r = t->runs;
	uint32_t n = 0;

	if (!r)
		return false;
	table->first += table->nrows;
	tree_rows_reuse(&r->rows);
	while (n < RUN && tree_walk_next(r->walk))
		n++;
	for (uint32_t i = 0; i < n; i++)
		fill_row(&r->w, &r->c, r->rows.first, i, i);
	table->nrows = n;
	if (!n)
		tree_runs_free(t);
	return n;
}

/* False if it is not sure that the limit lets all rows through, or there is more than the rows. */
static bool add_runs(struct writer *w, const char *name, struct lp_tree_show s)
{
	struct tree_budget b = budget_of(w->t, s);
	bool measured[MEASURES];
	struct tree_runs *r;

	tree_runs_free(w->t);
	if (!s.runs || !s.plain || s.forks || w->t->of->p->threads[w->t->view.filter.like].places)
		return false;
	r = alloc_zeroed(1, sizeof(*r));
	w->t->runs = r;
	r->walk = tree_walk_begin(&w->t->view, b, &r->rows);
	if (tree_walk_most(r->walk) > b.max_nodes) {
		tree_runs_free(w->t);
		return false;
	}
	list_measures(w->t, measured);
	r->c = begin_table(w, name, RUN, measured, s);
	add_columns(w, &r->c, s);
	tree_text_footer(w->table, w->a, w->t, &r->rows);
	w->table->nrows = 0;
	w->table->more = next_run;
	w->table->source = w->t;
	r->w = *w;
	return true;
}

/* Does the limit surely let all rows of a counted view through? */
static bool is_within(struct lp_tree *t, struct lp_tree_show s)
{
	struct tree_budget b = budget_of(t, s);
	struct tree_rows rows;

	struct tree_walk *w = tree_walk_begin(&t->view, b, &rows);
	bool within = tree_walk_most(w) <= b.max_nodes;

	tree_walk_end(w);
	return within;
}

static void add_tree(struct lp_answer *a, struct lp_tree *t, const char *name,
		     struct lp_tree_show s)
{
	struct writer w = { .t = t, .a = a, .arena = answer_arena(a) };

	if (add_runs(&w, name, s))
		return;
	if (t->view.counted && !is_within(t, s))
		tree_ready(t);
	add_whole(&w, name, s);
}

/* ---- The list of functions ---- */

struct ranking {
	const int64_t *total, *self;
	const struct profile *p;
	bool firefox;
};

static int compare_functions(const void *pa, const void *pb, void *ctx)
{
	const struct ranking *r = ctx;
	func_id a = *(const func_id *)pa, b = *(const func_id *)pb;
	int64_t ta = llabs(r->total[a]), tb = llabs(r->total[b]);
	int64_t sa = llabs(r->self[a]), sb = llabs(r->self[b]);

	if (ta != tb)
		return ta < tb ? 1 : -1;
	if (!r->firefox && sa != sb)
		return sa < sb ? 1 : -1;
	int c = r->firefox ? 0 : str_cmp(profile_name(r->p, a), profile_name(r->p, b));

	return c ? c : (a > b) - (a < b);
}

static int64_t *picked(const struct writer *w, const int64_t *of, const func_id *func)
{
	int64_t *v = NEW(w->arena, w->n, int64_t);

	for (uint32_t i = 0; i < w->n; i++)
		v[i] = of[func[i]];
	return v;
}

static const char **names(const struct writer *w, const func_id *func)
{
	const char **v = NEW(w->arena, w->n, const char *);

	for (uint32_t i = 0; i < w->n; i++)
		v[i] = profile_name(w->t->of->p, func[i]).p;
	return v;
}

static const char **files(const struct writer *w, const func_id *func)
{
	const char **v = NEW(w->arena, w->n, const char *);

	for (uint32_t i = 0; i < w->n; i++)
		v[i] = file_of(w->t->of->p, func[i]);
	return v;
}

static void function_columns(const struct writer *w, const func_id *func, const int64_t *total,
			     const int64_t *self)
{
	const char **name = names(w, func);
	int64_t *selves = picked(w, self, func);
	unsigned delta = w->t->of->diff ? LP_DELTA : 0;

	table_str(w->table, "name", NULL, LP_DETAIL, name, "function");
	weight_column(w, "total", tree_text_title(w->t), delta, picked(w, total, func),
		      "weight of the stacks with the function in them, each once");
	weight_column(w, "self", "self", LP_SUM | LP_SAME | delta, selves,
		      "weight of the stacks that end in the function");
	percent_column(w, selves, "share of self in the sum of all weights");
	same_text(w, "unit", tree_text_unit_name(w->t), "what total and self count");
	file_column(w, files(w, func));
	table_str(w->table, "function", "function", LP_PICTURE | LP_NAME, name, "function");
}

static void add_functions(struct lp_answer *a, struct lp_tree *t)
{
	const struct profile *p = t->of->p;
	struct writer w = { .t = t, .a = a, .arena = answer_arena(a) };
	int64_t *total = NEW(w.arena, p->functions.n, int64_t);
	int64_t *self = NEW(w.arena, p->functions.n, int64_t);
	func_id *func = NEW(w.arena, p->functions.n, func_id);
	struct ranking r = { total, self, p, t->view.firefox_order };

	topdown_functions(&t->view.ct, &t->view.sums, MEASURE_WEIGHT, total, self);
	for (func_id f = 0; f < p->functions.n; f++)
		if (total[f] || self[f])
			func[w.n++] = f;
	qsort_r(func, w.n, sizeof(*func), compare_functions, &r);
	w.table = answer_table(a, "functions", w.n);
	w.table->total = "all functions";
	function_columns(&w, func, total, self);
}

struct lp_answer *lp_tree_answer(struct lp_tree *t, struct lp_tree_show s, struct lp_error *err)
{
	struct lp_answer *a = answer_new();

	(void)err;
	if (s.pairs || s.functions || !t->of->p->counted.nthreads)
		tree_ready(t); /* a counted view would not be enough */
	tree_view_ready(&t->view);
	tree_text_headline(a, t);
	tree_text_doubts(a, t);
	if (s.functions)
		add_functions(a, t);
	else
		add_tree(a, t, "tree", s);
	tree_text_next(a, t);
	return a;
}

/* ---- Both sides of one function ---- */

static struct lp_tree *side(const struct lp_profile *p, const char *function, bool invert,
			    struct lp_tree_options o, struct lp_tree_filter f, struct lp_error *err)
{
	o.root = function;
	o.invert = invert;
	struct lp_tree *t = lp_tree_open(p, o, err);

	if (t && lp_tree_filter(t, f, err))
		return t;
	lp_tree_close(t);
	return NULL;
}

struct lp_answer *lp_butterfly(const struct lp_profile *p, const char *function,
			       struct lp_tree_options o, struct lp_tree_filter f,
			       struct lp_tree_show s, struct lp_error *err)
{
	struct lp_tree *callers = side(p, function, true, o, f, err);
	struct lp_tree *callees = callers ? side(p, function, false, o, f, err) : NULL;
	struct lp_answer *a = callees ? answer_new() : NULL;

	if (a) {
		tree_text_headline(a, callers);
		tree_text_doubts(a, callers);
		add_tree(a, callers, "callers", s);
		add_tree(a, callees, "callees", s);
	}
	lp_tree_close(callers);
	lp_tree_close(callees);
	return a;
}
