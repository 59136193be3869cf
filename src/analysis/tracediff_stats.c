/*
 * Depth first over the merged tree. A common node with children of one trace only, or a
 * matched kernel, gives rows for their GPU events; what a common node has given is not
 * given again by its children. GPU events without an operator above them are left out, as
 * in the original.
 */
#include "analysis/tracediff_stats.h"

#include "algo/sort.h"
#include "base/out.h"

#include <ctype.h>
#include <math.h>

const char *const stats_columns[STATS_COLUMNS] = {
	[STATS_NAME] = "name",
	[STATS_OP] = "cpu_op_name",
	[STATS_OP_UID] = "cpu_op_uid",
	[STATS_SOURCE] = "source",
	[STATS_DIMS] = "Input Dims",
	[STATS_STRIDES] = "Input Strides",
	[STATS_TYPE] = "Input type",
	[STATS_CONCRETE] = "Concrete Inputs",
	[STATS_KERNEL_TIME] = "kernel_time",
	[STATS_BUSY] = "busy_time",
	[STATS_LCA_NAME] = "lowest_common_ancestor_name",
	[STATS_LCA_ID] = "lowest_common_ancestor_id",
	[STATS_GPU_UID] = "gpu_op_uid",
	[STATS_MODULES] = "nn_module_stack",
	[STATS_MODULE] = "nn_module_parent",
};

struct stats_maker {
	const struct diff_sides *d;
	const struct tracediff_merged *m;
	struct stats *s;
	uint32_t cap;
	uint8_t *done;
	uint32_t *gpu, ngpu; /* the GPU events of one side below a point */
	struct arena scratch;
};

static bool on_gpu(const struct stats_maker *k, int side, uint32_t i)
{
	uint32_t u = k->m->node[side][i];

	return u != NONE && diff_on_gpu(&k->d->side[side], u);
}

/* The original's kernels: copies are, sets are not. */
static bool is_kernel(const struct stats_maker *k, int side, uint32_t i)
{
	uint32_t u = k->m->node[side][i];
	enum diff_kind kind = u == NONE ? DIFF_TRACE : k->d->side[side].kind[u];

	return kind == DIFF_KERNEL || kind == DIFF_COPY;
}

static bool combined(const struct tracediff_merged *m, uint32_t i)
{
	return m->node[0][i] != NONE && m->node[1][i] != NONE;
}

/* ---- Rows ---- */

/* "f(12): g" to "f: g". */
static struct str without_numbers(struct arena *a, struct str s)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n;) {
		size_t end = i + 1;

		while (s.p[i] == '(' && end < s.n && isdigit((unsigned char)s.p[end]))
			end++;
		if (s.p[i] == '(' && end > i + 1 && end < s.n && s.p[end] == ')')
			i = end + 1;
		else
			to[n++] = s.p[i++];
	}
	return (struct str){ to, n };
}

static struct str lca_name(struct stats_maker *k, uint32_t i, int side)
{
	struct arena *a = &k->s->arena;
	uint32_t u = k->m->node[0][i], v = k->m->node[1][i];
	struct str x = u == NONE ? STR("") : without_numbers(a, tracediff_raw_name(k->d, 0, u));
	struct str y = v == NONE ? STR("") : without_numbers(a, tracediff_raw_name(k->d, 1, v));

	if (!combined(k->m, i) || str_eq(x, y))
		return u == NONE || (side && v != NONE) ? y : x;
	return str_of(arena_print(a, "%.*s | %.*s", STR_ARGS(x), STR_ARGS(y)));
}

static uint32_t op_above(const struct diff_side *s, uint32_t u)
{
	while (u && s->kind[u] != DIFF_OP)
		u = s->parent[u];
	return u ? u : NONE;
}

static double micros(nsec t)
{
	return (double)t / 1000.0;
}

/* In the order of the calls in the file; within one call in that of the events. */
static bool launched_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct diff_side *s = ctx;
	event_id x = s->event[s->parent[a]], y = s->event[s->parent[b]];

	return x != y ? x < y : s->event[a] < s->event[b];
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct diff_side *s = ctx;

	return s->tr->ev.ts[s->event[a]] < s->tr->ev.ts[s->event[b]];
}

/* The length of the union of the events, in the doubles of the original. */
static double busy_time(struct stats_maker *k, int side)
{
	const struct diff_side *s = &k->d->side[side];
	uint32_t n = k->ngpu, *order = NEW(&k->scratch, n, uint32_t);
	double sum = 0, start = 0, end = 0;

	if (n)
		memcpy(order, k->gpu, n * sizeof(*order));
	sort_ids(order, n, NEW(&k->scratch, n, uint32_t), starts_before, s);
	for (uint32_t i = 0; i < n; i++) {
		double from = micros(s->tr->ev.ts[s->event[order[i]]]);
		double to = from + micros(s->tr->ev.dur[s->event[order[i]]]);

		if (i && from <= end) {
			end = to > end ? to : end;
			continue;
		}
		sum += end - start;
		start = from;
		end = to;
	}
	sum += end - start;
	return rint(sum * 1000.0) / 1000.0;
}

/* GPU events at and below a node, as its list has them. */
static void gather(struct stats_maker *k, int side, uint32_t u)
{
	const struct diff_side *s = &k->d->side[side];
	uint32_t from = k->ngpu;

	for (uint32_t i = u + 1; i < s->end[u]; i++)
		if (diff_is_gpu(s->kind[i]))
			k->gpu[k->ngpu++] = i;
	sort_ids(k->gpu + from, k->ngpu - from, NEW(&k->scratch, k->ngpu - from, uint32_t),
		 launched_before, s);
}

static void add_row(struct stats_maker *k, struct stats_row row)
{
	if (k->s->n == k->cap) {
		struct stats_row *more = NEW(&k->s->arena, 2 * (size_t)k->cap + 1024,
					     struct stats_row);

		if (k->cap)
			memcpy(more, k->s->row, k->cap * sizeof(*more));
		k->s->row = more;
		k->cap = 2 * k->cap + 1024;
	}
	k->s->row[k->s->n++] = row;
}

static void add_rows(struct stats_maker *k, int side, uint32_t lca)
{
	const struct diff_side *s = &k->d->side[side];
	double busy = busy_time(k, side);
	struct str name = lca == NONE ? (struct str){ 0 } : lca_name(k, lca, side);

	for (uint32_t i = 0; i < k->ngpu; i++) {
		struct stats_row row = { (uint8_t)side, k->gpu[i], op_above(s, k->gpu[i]), lca };

		if (row.op == NONE)
			continue;
		row.time = micros(s->tr->ev.dur[s->event[row.gpu]]);
		row.busy = busy;
		row.cell[STATS_LCA_NAME] = name;
		add_row(k, row);
	}
}

/* What a child of one trace only, or a matched kernel, adds to the events of a point. */
static void gather_child(struct stats_maker *k, int side, uint32_t i)
{
	if (!is_kernel(k, side, i))
		gather(k, side, k->m->node[side][i]);
	else
		k->gpu[k->ngpu++] = k->m->node[side][i];
}

static bool alone(const struct stats_maker *k, int side, uint32_t i)
{
	return on_gpu(k, side, i) && k->m->node[!side][i] == NONE;
}

static void add_point(struct stats_maker *k, uint32_t i)
{
	const struct tracediff_merged *m = k->m;
	bool kernels = is_kernel(k, 0, i) && is_kernel(k, 1, i), any = kernels;

	for (uint32_t c = m->first[i]; c < m->first[i + 1]; c++)
		any |= alone(k, 0, m->child[c]) || alone(k, 1, m->child[c]);
	if (!any)
		return;
	k->done[i] = 1;
	for (int side = 0; side < 2; side++) {
		struct arena_mark mark = arena_mark(&k->scratch);

		k->ngpu = 0;
		for (uint32_t c = m->first[i]; c < m->first[i + 1]; c++)
			if (alone(k, side, m->child[c])) {
				gather_child(k, side, m->child[c]);
				k->done[m->child[c]] = 1;
			}
		if (is_kernel(k, side, i))
			k->gpu[k->ngpu++] = m->node[side][i];
		add_rows(k, side, i);
		arena_rewind(&k->scratch, mark);
	}
}

/* Nobody above has given its rows. */
static void add_alone(struct stats_maker *k, uint32_t i)
{
	struct arena_mark mark = arena_mark(&k->scratch);
	int side = k->m->node[0][i] == NONE;

	k->ngpu = 0;
	gather(k, side, k->m->node[side][i]);
	add_rows(k, side, k->m->parent[i]);
	k->done[i] = 1;
	arena_rewind(&k->scratch, mark);
}

/* False: not into its children. */
static bool visit(struct stats_maker *k, uint32_t i)
{
	bool a = on_gpu(k, 0, i), b = on_gpu(k, 1, i);

	if (k->done[i] || (!a && !b))
		return false;
	if (!combined(k->m, i)) {
		add_alone(k, i);
		return false;
	}
	if (a && b)
		add_point(k, i);
	return true;
}

static void walk(struct stats_maker *k)
{
	const struct tracediff_merged *m = k->m;
	uint32_t *stack = NEW(&k->scratch, (size_t)m->nroots + m->first[m->n], uint32_t), depth = 0;

	for (uint32_t i = m->nroots; i-- > 0;)
		stack[depth++] = m->root[i];
	while (depth) {
		uint32_t i = stack[--depth];

		if (visit(k, i))
			for (uint32_t c = m->first[i + 1]; c-- > m->first[i];)
				stack[depth++] = m->child[c];
	}
}

/* ---- Cells ---- */

/* "nn.Module: Linear_12" to "nn.Module: Linear". */
static struct str module_class(struct str name)
{
	size_t n = name.n;

	while (n && isdigit((unsigned char)name.p[n - 1]))
		n--;
	return n && n < name.n && name.p[n - 1] == '_' ? (struct str){ name.p, n - 1 } : name;
}

static bool is_module(const struct diff_side *s, uint32_t u)
{
	return s->kind[u] == DIFF_PYTHON &&
	       str_starts(trace_name(s->tr, s->event[u]), STR("nn.Module:"));
}

static void set_modules(struct stats_maker *k, struct stats_row *r, int side, uint32_t u)
{
	const struct diff_side *s = &k->d->side[side];
	const char *text = NULL;

	for (uint32_t i = s->parent[u]; i; i = s->parent[i]) {
		if (!is_module(s, i))
			continue;
		struct str class = module_class(trace_name(s->tr, s->event[i]));

		if (!text)
			r->cell[STATS_MODULE] = class;
		text = text ? arena_print(&k->s->arena, "%.*s;%s", STR_ARGS(class), text)
			    : arena_text(&k->s->arena, class.p, class.n);
	}
	if (!text)
		r->cell[STATS_MODULE] = STR("root");
	r->cell[STATS_MODULES] = text ? str_of(text) : STR("root");
}

static struct str decimal(struct arena *a, uint32_t v)
{
	return str_of(arena_print(a, "%u", v));
}

static void fill_row(struct stats_maker *k, struct stats_row *r, bool null_ids)
{
	const struct diff_side *s = &k->d->side[r->side];
	struct arena *a = &k->s->arena;
	event_id op = s->event[r->op];

	r->cell[STATS_NAME] = trace_name(s->tr, s->event[r->gpu]);
	r->cell[STATS_OP] = trace_name(s->tr, op);
	r->cell[STATS_OP_UID] = decimal(a, op);
	r->cell[STATS_SOURCE] = r->side ? STR("trace2") : STR("trace1");
	r->cell[STATS_DIMS] = stats_repr(a, arg_text(s->tr, op, KEY_INPUT_DIMS));
	r->cell[STATS_STRIDES] = stats_repr(a, arg_text(s->tr, op, KEY_INPUT_STRIDES));
	r->cell[STATS_TYPE] = stats_repr(a, arg_text(s->tr, op, KEY_INPUT_TYPE));
	r->cell[STATS_CONCRETE] = stats_repr(a, arg_text(s->tr, op, KEY_CONCRETE_INPUTS));
	r->cell[STATS_KERNEL_TIME] = stats_number(a, r->time, k->s->whole);
	r->cell[STATS_BUSY] = stats_number(a, r->busy, false);
	r->cell[STATS_GPU_UID] = decimal(a, s->event[r->gpu]);
	if (r->lca != NONE)
		r->cell[STATS_LCA_ID] = null_ids ? stats_number(a, r->lca, false)
						 : decimal(a, r->lca);
	int side = r->lca == NONE ? r->side : k->m->node[0][r->lca] == NONE;
	set_modules(k, r, side, r->lca == NONE ? r->op : k->m->node[side][r->lca]);
}

static bool same_cells(const struct stats_row *a, const struct stats_row *b)
{
	for (int c = 0; c < STATS_COLUMNS; c++)
		if (c != STATS_SOURCE && str_cmp(a->cell[c], b->cell[c]))
			return false;
	return true;
}

/* Whether the rows of both traces are equal one by one; then only the first's are kept. */
static void drop_identical(struct stats *s)
{
	uint32_t n = 0, j = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += !s->row[i].side;
	if (n * 2 != s->n)
		return;
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->row[i].side)
			continue;
		while (!s->row[j].side)
			j++;
		if (!same_cells(&s->row[i], &s->row[j++]))
			return;
	}
	s->identical = true;
	n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (!s->row[i].side)
			s->row[n++] = s->row[i];
	s->n = n;
}

struct stats stats_new(const struct diff_sides *d, const struct tracediff_merged *m)
{
	struct stats s = { .whole = true };
	struct stats_maker k = { .d = d, .m = m, .s = &s };
	bool null_ids = false;

	k.done = NEW(&k.scratch, m->n, uint8_t);
	k.gpu = NEW(&k.scratch, (size_t)d->side[0].n + d->side[1].n, uint32_t);
	walk(&k);
	for (uint32_t i = 0; i < s.n; i++) {
		null_ids |= s.row[i].lca == NONE;
		s.whole &= s.row[i].time == floor(s.row[i].time);
	}
	for (uint32_t i = 0; i < s.n; i++)
		fill_row(&k, &s.row[i], null_ids);
	drop_identical(&s);
	arena_free(&k.scratch);
	return s;
}

void stats_free(struct stats *s)
{
	arena_free(&s->arena);
}

bool stats_write(const struct stats *s, FILE *file)
{
	struct arena a = { 0 };
	struct out *o = NEW(&a, 1, struct out);

	o->file = file;
	for (int c = 0; c < STATS_COLUMNS; c++)
		if (c != STATS_SOURCE || !s->identical)
			stats_cell(o, str_of(stats_columns[c]), c + 1 == STATS_COLUMNS);
	for (uint32_t i = 0; i < s->n; i++)
		for (int c = 0; c < STATS_COLUMNS; c++)
			if (c != STATS_SOURCE || !s->identical)
				stats_cell(o, s->row[i].cell[c], c + 1 == STATS_COLUMNS);
	out_flush(o);
	arena_free(&a);
	return !ferror(file);
}
