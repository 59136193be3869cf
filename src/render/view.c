/*
 * Tables are chosen by name, columns by the list, and rows ordered by one stable sort.
 * A tree is then walked depth first, so that parents come before children and siblings
 * keep the sorted order:
 *
 *	rows of a parent   first_child ─► next ─► next      a list per parent, built backwards
 *	walk               down to the first child, else to the next, else up
 */
#include "render/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cell_f64(const struct lp_column *c, uint32_t row)
{
	return c->type == LP_F64 ? c->data.f64[row] : (double)cell_i64(c, row);
}

/* ---- order of rows ---- */

struct key {
	const struct lp_column *col;
	int turn; /* 1: ascending, -1: descending */
};

static int compare_cells(const struct lp_column *c, uint32_t a, uint32_t b)
{
	if (c->type == LP_STR)
		return strcmp(c->data.str[a], c->data.str[b]);
	if (c->type == LP_F64)
		return (c->data.f64[a] > c->data.f64[b]) - (c->data.f64[a] < c->data.f64[b]);
	return (cell_i64(c, a) > cell_i64(c, b)) - (cell_i64(c, a) < cell_i64(c, b));
}

/* Missing cells last; equal ones by row. */
static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	const struct key *k = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	bool none_a = cell_missing(k->col, a), none_b = cell_missing(k->col, b);
	int c = none_a || none_b ? none_a - none_b : k->turn * compare_cells(k->col, a, b);

	return c ? c : (a > b) - (a < b);
}

static uint32_t *sorted(struct arena *arena, const struct lp_table *t, struct key k)
{
	uint32_t *order = NEW(arena, t->nrows, uint32_t);

	for (uint32_t i = 0; i < t->nrows; i++)
		order[i] = i;
	if (k.col)
		qsort_r(order, t->nrows, sizeof(*order), compare_rows, &k);
	return order;
}

/* Does every row hang from the row before it, or from one that row is below of, or from none? */
static bool is_depth_first(const struct lp_table *t)
{
	for (uint32_t i = 1; i < t->nrows; i++) {
		uint32_t above = i - 1;

		while (above != NONE && above != t->parent[i])
			above = t->parent[above];
		if (above != t->parent[i])
			return false;
	}
	return !t->nrows || t->parent[0] == NONE;
}

static uint32_t *depth_first(struct arena *arena, const struct lp_table *t, const uint32_t *sorted)
{
	uint32_t *child = NEW(arena, t->nrows, uint32_t), *next = NEW(arena, t->nrows, uint32_t);
	uint32_t *order = NEW(arena, t->nrows, uint32_t), root = NONE, n = 0;

	memset(child, 0xff, t->nrows * sizeof(*child));
	for (uint32_t i = t->nrows; i--;) {
		uint32_t row = sorted[i];
		uint32_t *head = t->parent[row] == NONE ? &root : &child[t->parent[row]];

		next[row] = *head;
		*head = row;
	}
	for (uint32_t row = root; row != NONE;) {
		order[n++] = row;
		if (child[row] != NONE) {
			row = child[row];
			continue;
		}
		while (row != NONE && next[row] == NONE)
			row = t->parent[row];
		if (row != NONE)
			row = next[row];
	}
	return order;
}

/* ---- columns ---- */

static const struct lp_column *column(const struct lp_column *cols, uint32_t n, const char *name,
				      size_t len)
{
	for (uint32_t i = 0; i < n; i++)
		if (strlen(cols[i].name) == len && !memcmp(cols[i].name, name, len))
			return &cols[i];
	return NULL;
}

/* All columns of `t`; a tree gets id and parent in front. */
static struct lp_column *all_columns(struct arena *arena, const struct lp_table *t, uint32_t *n)
{
	struct lp_column *cols = NEW(arena, t->ncols + 2, struct lp_column);

	*n = 0;
	if (t->parent) {
		cols[(*n)++] = (struct lp_column){ "id",     "id",      "number of the row", LP_ROW,
						   LP_PLAIN, LP_DETAIL, { .row = NULL } };
		cols[(*n)++] = (struct lp_column){
			"parent", "parent",  "id of the row it hangs from", LP_ROW,
			LP_PLAIN, LP_DETAIL, { .row = t->parent }
		};
	}
	for (uint32_t i = 0; i < t->ncols; i++)
		cols[*n + i] = t->cols[i];
	*n += t->ncols;
	return cols;
}

static bool all_missing(const struct lp_column *c, uint32_t nrows)
{
	uint32_t row = 0;

	while (row < nrows && cell_missing(c, row))
		row++;
	return nrows && row == nrows;
}

/* People need no column of which nothing was recorded. */
static void keep_shown(struct view *v, struct lp_column *cols, uint32_t n, bool for_people)
{
	v->cols = cols;
	for (uint32_t i = 0; i < n; i++)
		if (for_people
			    ? !(cols[i].flags & LP_DETAIL || all_missing(&cols[i], v->table->nrows))
			    : !(cols[i].flags & LP_PICTURE))
			cols[v->ncols++] = cols[i];
}

/* The columns of `list`, in its order; the name that is not there goes to `missing`. */
static bool keep_listed(struct view *v, struct arena *arena, const struct lp_column *cols,
			uint32_t n, const char *list, struct str *missing)
{
	struct lp_column *kept = NEW(arena, strlen(list) / 2 + 1, struct lp_column);

	v->cols = kept;
	for (const char *p = list; *p; p += *p == ',') {
		size_t len = strcspn(p, ",");
		const struct lp_column *c = column(cols, n, p, len);

		if (!c && len) {
			*missing = (struct str){ p, len };
			return false;
		}
		if (c) {
			kept[v->ncols] = *c;
			kept[v->ncols++].flags &= ~(unsigned)(LP_GROUP | LP_DETAIL);
		}
		p += len;
	}
	return v->ncols > 0;
}

/* ---- views ---- */

static struct key sort_key(const struct lp_table *t, const char *sort)
{
	struct key k = { NULL, 1 };

	if (!sort)
		return k;
	bool turned = *sort == '-';
	k.col = column(t->cols, t->ncols, sort + turned, strlen(sort + turned));
	if (k.col)
		k.turn = (k.col->type == LP_STR) == turned ? -1 : 1;
	return k;
}

/* False, with `missing` set, if the table has not all the columns asked for. */
static bool view_make(struct view *v, struct lp_table *t, const struct lp_write_options *o,
		      bool for_people, struct arena *arena, struct str *missing)
{
	struct key k = sort_key(t, o->sort);
	uint32_t n;
	struct lp_column *cols = all_columns(arena, t, &n);

	*v = (struct view){ .table = t };
	if (o->columns) {
		if (!keep_listed(v, arena, cols, n, o->columns, missing))
			return false;
	} else {
		keep_shown(v, cols, n, for_people);
	}
	if (k.col || (t->parent && !is_depth_first(t)))
		v->order = sorted(arena, t, k);
	if (v->order && t->parent)
		v->order = depth_first(arena, t, v->order);
	return true;
}

static bool no_such_table(const struct lp_answer *a, const char *name, struct lp_error *err)
{
	char names[300] = "";

	for (uint32_t i = 0; i < a->ntables; i++) {
		size_t n = strlen(names);
		snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "", a->tables[i]->name);
	}
	return error_set(err, "no table '%s' in this answer; it has %s", name, names);
}

static bool sortable(const struct lp_answer *a, const struct lp_write_options *o,
		     struct lp_error *err)
{
	bool found = !o->sort;

	for (uint32_t i = 0; i < a->ntables; i++)
		found |= (!o->table || !strcmp(a->tables[i]->name, o->table)) &&
			 sort_key(a->tables[i], o->sort).col;
	return found || error_set(err, "no column '%s' to sort by; --columns help lists them",
				  o->sort + (*o->sort == '-'));
}

bool views_make(struct views *v, const struct lp_answer *a, const struct lp_write_options *o,
		bool for_people, struct arena *arena, struct lp_error *err)
{
	struct str missing = { 0 };

	*v = (struct views){ .at = NEW(arena, a->ntables, struct view) };
	if (o->table && !lp_answer_table(a, o->table))
		return no_such_table(a, o->table, err);
	if (!sortable(a, o, err))
		return false;
	for (uint32_t i = 0; i < a->ntables; i++)
		if ((o->table ? !strcmp(a->tables[i]->name, o->table)
			      : !for_people || !a->tables[i]->detail) &&
		    view_make(&v->at[v->n], a->tables[i], o, for_people, arena, &missing))
			v->n++;
	if (!v->n && a->ntables)
		return error_set(err, "no column '%.*s'; --columns help lists them",
				 STR_ARGS(missing));
	return true;
}
