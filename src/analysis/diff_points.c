/*
 * A point is the lowest node common to both traces above something that is only in one:
 *
 *	block            the point: before linear, after dropout
 *	+- bmm
 *	+- >> linear
 *	+- << dropout
 *
 * or above a launch whose kernel has another name now. Calls are no points, the operator
 * above them is. What stands apart at the very top belongs to no operator; there each gap
 * between two roots common to both is a point.
 */
#include "analysis/diff_report.h"

#include "algo/sort.h"
#include <string.h>

#define NAMES_SHOWN 8
#define PATH_TOP    3 /* names of a long path that are shown: the first ... */
#define PATH_BOTTOM 8 /* ... and the last */

struct point {
	uint32_t node;                  /* of the merged tree */
	uint32_t depth, path[PATH_TOP]; /* of the node; the first ones on the way to it */
	nsec ns[2], cpu[2];
	uint32_t ops[2], work[2];
};

/* A name to be listed with a point: one side of a merged node. */
struct mention {
	uint32_t point;
	uint32_t what; /* merged node << 1 | side */
};

struct points {
	struct diff_report *r;
	uint32_t n, nmentions, ngaps;
	struct point *at;
	struct mention *mention;
	/*
	 * Of each merged node, what a thing that stands apart below it belongs to: the lowest
	 * common node above or at it that is no call, or m.n + the number of the gap at the top.
	 */
	uint32_t *place;
	uint32_t *point_at; /* of each place; NONE */
};

static enum diff_kind kind_at(const struct points *p, uint32_t i)
{
	const struct diff_merged *m = p->r->m;
	int k = m->node[0][i] == NONE;

	return p->r->d->side[k].kind[m->node[k][i]];
}

static void find_places(struct points *p)
{
	const struct diff_merged *m = p->r->m;

	p->place = NEW(&p->r->scratch, m->n, uint32_t);
	for (uint32_t i = 1; i < m->n; i++) {
		enum diff_kind k = kind_at(p, i);
		bool call = k == DIFF_CALL || k == DIFF_GRAPH || diff_is_gpu(k);
		bool top = !m->parent[i];

		p->ngaps += top && diff_combined(m, i);
		if (diff_combined(m, i) && (top || !call))
			p->place[i] = i;
		else
			p->place[i] = top ? m->n + p->ngaps : p->place[m->parent[i]];
	}
}

static bool stands_apart(const struct points *p, uint32_t i)
{
	return !diff_combined(p->r->m, i) || p->r->m->how[i] == DIFF_CHANGED;
}

/* The point of what stands apart. */
static uint32_t *point_of(const struct points *p, uint32_t i)
{
	const struct diff_merged *m = p->r->m;
	uint32_t up = m->parent[i];

	return &p->point_at[up ? p->place[up] : p->place[i]];
}

static void number_points(struct points *p)
{
	const struct diff_merged *m = p->r->m;
	size_t places = (size_t)m->n + p->ngaps + 1;

	p->point_at = NEW(&p->r->scratch, places, uint32_t);
	memset(p->point_at, 0xff, places * sizeof(uint32_t));
	for (uint32_t i = 1; i < m->n; i++)
		if (stands_apart(p, i) && *point_of(p, i) == NONE)
			*point_of(p, i) = p->n++;
	p->at = NEW(&p->r->scratch, p->n, struct point);
}

/* In preorder, with the way from the root at hand. */
static void find_paths(struct points *p)
{
	const struct diff_merged *m = p->r->m;
	uint32_t depth = 0, path[PATH_TOP];
	struct arena_mark mark = arena_mark(&p->r->scratch);
	uint32_t *stop = NEW(&p->r->scratch, m->n, uint32_t);

	for (uint32_t i = 1; i < m->n; i++) {
		while (depth && i >= stop[depth - 1])
			depth--;
		if (depth < PATH_TOP)
			path[depth] = i;
		stop[depth++] = m->end[i];
		if (p->point_at[i] == NONE)
			continue;
		struct point *at = &p->at[p->point_at[i]];
		at->node = i;
		at->depth = depth;
		memcpy(at->path, path, sizeof(path));
	}
	arena_rewind(&p->r->scratch, mark);
}

/* Whether what stands directly above is only in the same trace too. */
static bool is_inner(const struct points *p, int side, uint32_t i)
{
	const struct diff_merged *m = p->r->m;
	uint32_t up = m->parent[i];

	return m->node[side][up] != NONE && m->node[!side][up] == NONE;
}

/* Operators that no other of the same trace alone is above; all kernels. */
static bool is_mentioned(const struct points *p, uint32_t i, int side)
{
	enum diff_kind k = kind_at(p, i);

	return diff_is_gpu(k) || ((k == DIFF_OP || k == DIFF_PYTHON) && !is_inner(p, side, i));
}

/* One side of a merged node that stands apart. */
static void add_apart(struct points *p, uint32_t i, int side)
{
	uint32_t u = p->r->m->node[side][i], number = *point_of(p, i);
	enum diff_kind k = p->r->d->side[side].kind[u];
	struct point *at = &p->at[number];

	if (diff_is_gpu(k)) {
		at->ns[side] += diff_time(p->r, side, u);
		at->work[side]++;
	}
	at->ops[side] += k == DIFF_OP;
	if (!is_mentioned(p, i, side))
		return;
	at->cpu[side] += diff_is_gpu(k) ? 0 : diff_time(p->r, side, u);
	p->mention[p->nmentions++] = (struct mention){ number, i << 1 | (uint32_t)side };
}

/* A common node inside a wrapper takes its time out of the wrapper's. */
static void take_out(struct points *p, uint32_t i)
{
	const struct diff_merged *m = p->r->m;

	for (int side = 0; side < 2; side++)
		if (is_inner(p, side, i))
			p->at[*point_of(p, m->parent[i])].cpu[side] -= diff_time(p->r, side,
										 m->node[side][i]);
}

static uint32_t count_mentions(const struct points *p)
{
	const struct diff_merged *m = p->r->m;
	uint32_t n = 0;

	for (uint32_t i = 1; i < m->n; i++)
		for (int side = 0; side < 2; side++)
			n += stands_apart(p, i) && m->node[side][i] != NONE &&
			     is_mentioned(p, i, side);
	return n;
}

static void find_points(struct points *p)
{
	const struct diff_merged *m = p->r->m;

	find_places(p);
	number_points(p);
	find_paths(p);
	p->mention = NEW(&p->r->scratch, count_mentions(p), struct mention);
	for (uint32_t i = 1; i < m->n; i++) {
		if (!stands_apart(p, i)) {
			take_out(p, i);
			continue;
		}
		for (int side = 0; side < 2; side++)
			if (m->node[side][i] != NONE)
				add_apart(p, i, side);
	}
}

/* ---- Text ---- */

static bool is_kernel(const struct points *p, const struct mention *x)
{
	return diff_is_gpu(kind_at(p, x->what >> 1));
}

/* By point; operators before kernels, the first trace before the second. */
static bool mention_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct points *p = ctx;
	const struct mention *x = &p->mention[a], *y = &p->mention[b];

	if (x->point != y->point)
		return x->point < y->point;
	if (is_kernel(p, x) != is_kernel(p, y))
		return is_kernel(p, y);
	return (x->what & 1) < (y->what & 1);
}

struct listed {
	uint32_t name, node, count;
};

/* "aten::linear x2, aten::add, 3 more" of the mentions order[from .. to). */
static const char *list_names(const struct points *p, const uint32_t *order, uint32_t from,
			      uint32_t to)
{
	struct listed seen[NAMES_SHOWN];
	uint32_t n = 0, more = 0, side = p->mention[order[from]].what & 1;
	const char *text = "";

	for (uint32_t i = from; i < to; i++) {
		uint32_t node = p->r->m->node[side][p->mention[order[i]].what >> 1], at = 0;
		uint32_t name = p->r->d->side[side].name[node];

		while (at < n && seen[at].name != name)
			at++;
		if (at == NAMES_SHOWN)
			more++;
		else if (at < n)
			seen[at].count++;
		else
			seen[n++] = (struct listed){ name, node, 1 };
	}
	for (uint32_t i = 0; i < n; i++) {
		const char *raw = diff_raw_name(p->r, (int)side, seen[i].node);

		text = arena_print(p->r->arena, "%s%s%s", text, i ? ", " : "", raw);
		if (seen[i].count > 1)
			text = arena_print(p->r->arena, "%s x%u", text, seen[i].count);
	}
	return more ? arena_print(p->r->arena, "%s, %u more", text, more) : text;
}

enum { OPS_BEFORE, OPS_AFTER, KERNELS_BEFORE, KERNELS_AFTER, LISTS };

static void fill_lists(struct points *p, const char ***text, const uint32_t *row_of)
{
	uint32_t n = p->nmentions, *order = NEW(&p->r->scratch, n, uint32_t);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, NEW(&p->r->scratch, n, uint32_t), mention_before, p);
	for (uint32_t from = 0, to; from < n; from = to) {
		const struct mention *x = &p->mention[order[from]];
		uint32_t list = (is_kernel(p, x) ? KERNELS_BEFORE : OPS_BEFORE) + (x->what & 1);

		for (to = from + 1; to < n && !mention_before(p, order[from], order[to]);)
			to++;
		text[list][row_of[x->point]] = list_names(p, order, from, to);
	}
}

static const char *merged_name(const struct points *p, uint32_t i)
{
	int k = p->r->m->node[0][i] == NONE;

	return i ? diff_raw_name(p->r, k, p->r->m->node[k][i]) : "(top level)";
}

/* From the root to the node itself; the middle of a long one is left out. */
static const char *path_text(const struct points *p, const struct point *at)
{
	uint32_t part[PATH_TOP + PATH_BOTTOM], n = MIN_OF(at->depth, PATH_TOP);
	uint32_t bottom = MIN_OF(at->depth - n, PATH_BOTTOM);
	const char *text = "";

	memcpy(part, at->path, n * sizeof(*part));
	for (uint32_t k = bottom, i = at->node; k-- > 0; i = p->r->m->parent[i])
		part[n + k] = i;
	for (uint32_t i = 0; i < n + bottom; i++)
		text = arena_print(p->r->arena, "%s%s%s%s", text, i ? " > " : "",
				   i == n && at->depth > n + bottom ? "... > " : "",
				   merged_name(p, part[i]));
	return text;
}

/* ---- The table ---- */

static struct diff_figures figures_of(const struct points *p)
{
	struct diff_figures f = { .n = p->n };

	for (int k = 0; k < 2; k++) {
		f.ns[k] = NEW(p->r->arena, p->n, int64_t);
		for (uint32_t i = 0; i < p->n; i++)
			f.ns[k][i] = p->at[i].ns[k];
	}
	return f;
}

static void add_figures(const struct points *p, struct lp_table *t, const uint32_t *order)
{
	static const struct {
		const char *name, *title, *help;
		enum lp_unit unit;
	} columns[] = {
		{ "cpu_before_ns", "CPU", "CPU time of what is only before", LP_NSEC },
		{ "cpu_after_ns", "CPU after", "CPU time of what is only after", LP_NSEC },
		{ "nops_before", "operators", "operators only before", LP_COUNT },
		{ "nops_after", "operators after", "operators only after", LP_COUNT },
		{ "nkernels_before", "kernels", "GPU events only before, or changed", LP_COUNT },
		{ "nkernels_after", "kernels after", "GPU events only after, or changed",
		  LP_COUNT },
	};
	int64_t *v[ARRAY_SIZE(columns)];

	for (size_t c = 0; c < ARRAY_SIZE(columns); c++)
		v[c] = NEW(p->r->arena, p->n, int64_t);
	for (uint32_t i = 0; i < p->n; i++)
		for (int k = 0; k < 2; k++) {
			const struct point *at = &p->at[order[i]];

			v[0 + k][i] = at->cpu[k];
			v[2 + k][i] = at->ops[k];
			v[4 + k][i] = at->work[k];
		}
	for (size_t c = 0; c < ARRAY_SIZE(columns); c++)
		table_i64(t, columns[c].name, columns[c].title, columns[c].unit, LP_SUM | LP_DETAIL,
			  v[c], columns[c].help);
}

static int64_t *starts(const struct points *p, const uint32_t *order, int k)
{
	const struct diff_side *s = &p->r->d->side[k];
	int64_t *at = NEW(p->r->arena, p->n, int64_t);

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t u = p->r->m->node[k][p->at[order[i]].node];
		event_id e = s->event[u];

		at[i] = e == NONE || !trace_timed(s->tr, e) ? LP_NULL
							    : s->tr->ev.ts[e] - s->tr->base;
	}
	return at;
}

void diff_points(struct diff_report *r)
{
	struct points p = { .r = r };

	find_points(&p);
	struct diff_figures f = figures_of(&p);
	uint32_t *order = diff_order(&f, &r->scratch), *row_of = NEW(&r->scratch, p.n, uint32_t);
	struct lp_table *t = answer_table(r->a, "diff_points", p.n);
	const char **name = NEW(r->arena, p.n, const char *), **list[LISTS];
	const char **path = NEW(r->arena, p.n, const char *), **shown[2];

	for (int i = 0; i < 2; i++)
		shown[i] = NEW(r->arena, p.n, const char *);
	for (int i = 0; i < LISTS; i++)
		list[i] = NEW(r->arena, p.n, const char *);
	for (uint32_t i = 0; i < p.n; i++) {
		row_of[order[i]] = i;
		name[i] = merged_name(&p, p.at[order[i]].node);
		path[i] = path_text(&p, &p.at[order[i]]);
	}
	fill_lists(&p, list, row_of);
	table_str(t, "point", "point", LP_NAME, name, "the lowest operator common to both traces");
	table_str(t, "path", "path", LP_DETAIL, path, "from the root to it");
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < p.n; i++)
			shown[k][i] = list[OPS_BEFORE + k][i] ? list[OPS_BEFORE + k][i]
							      : list[KERNELS_BEFORE + k][i];
	table_str(t, "only_before", "only before", LP_NAME, shown[0],
		  "operators it calls only in the first trace; if there are none, kernels");
	table_str(t, "only_after", "only after", LP_NAME, shown[1], "the same of the second trace");
	table_str(t, "ops_before", "operators before", LP_NAME | LP_DETAIL, list[OPS_BEFORE],
		  "what it calls only in the first trace");
	table_str(t, "ops_after", "operators after", LP_NAME | LP_DETAIL, list[OPS_AFTER],
		  "what it calls only in the second trace");
	table_str(t, "kernels_before", "kernels before", LP_NAME | LP_DETAIL, list[KERNELS_BEFORE],
		  "GPU work only in the first trace, or with another name in the second");
	table_str(t, "kernels_after", "kernels after", LP_NAME | LP_DETAIL, list[KERNELS_AFTER],
		  "GPU work only in the second trace, or with another name in the first");
	diff_columns(r, t, &f, order, "GPU time");
	add_figures(&p, t, order);
	table_i64(t, "start_before_ns", "start", LP_NSEC, LP_DETAIL, starts(&p, order, 0),
		  "start of the point in the first trace");
	table_i64(t, "start_after_ns", "start after", LP_NSEC, LP_DETAIL, starts(&p, order, 1),
		  "start of the point in the second trace");
}
