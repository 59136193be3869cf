/*
 * A row is a kernel name, or a pair of names where the tree says that one took the
 * other's place. A kernel that is only in one trace is in the row of its own name.
 */
#include "analysis/diff_report.h"

#include "base/check.h"
#include "base/map.h"
#include "trace/kind.h"

struct kernel_rows {
	struct diff_figures f;
	struct map row; /* by both names */
	uint32_t *example[2];
};

static uint32_t row_of(struct kernel_rows *k, uint32_t before, uint32_t after)
{
	uint32_t *row = map_at(&k->row, (uint64_t)before << 32 | after);

	if (*row == NONE) {
		*row = k->f.n++;
		k->example[0][*row] = k->example[1][*row] = NONE;
	}
	return *row;
}

static void add_event(struct diff_report *r, struct kernel_rows *k, uint32_t row, int side,
		      uint32_t node)
{
	if (k->example[side][row] == NONE)
		k->example[side][row] = node;
	k->f.count[side][row]++;
	k->f.ns[side][row] += diff_time(r, side, node);
}

/* Only GPU events: u and v as in the merged tree. */
static void add_pair(struct diff_report *r, struct kernel_rows *k, uint32_t u, uint32_t v)
{
	const struct diff_side *a = &r->d->side[0], *b = &r->d->side[1];
	uint32_t x = u == NONE ? b->name[v] : a->name[u], y = v == NONE ? x : b->name[v];
	uint32_t row = row_of(k, x, y);

	if (u != NONE)
		add_event(r, k, row, 0, u);
	if (v != NONE)
		add_event(r, k, row, 1, v);
}

static bool is_gpu(const struct diff_report *r, uint32_t u, uint32_t v)
{
	return u != NONE ? diff_is_gpu(r->d->side[0].kind[u]) : diff_is_gpu(r->d->side[1].kind[v]);
}

static struct kernel_rows collect(struct diff_report *r)
{
	struct kernel_rows k = { 0 };
	uint32_t room = r->work[0][0] + r->work[1][0];

	k.row = map_new(&r->scratch, room);
	for (int side = 0; side < 2; side++) {
		k.f.count[side] = NEW(r->arena, room, int64_t);
		k.f.ns[side] = NEW(r->arena, room, int64_t);
		k.example[side] = NEW(&r->scratch, room, uint32_t);
	}
	for (uint32_t i = 0; i < r->m->n; i++)
		if (is_gpu(r, r->m->node[0][i], r->m->node[1][i]))
			add_pair(r, &k, r->m->node[0][i], r->m->node[1][i]);
	return k;
}

void diff_kernels(struct diff_report *r)
{
	struct kernel_rows k = collect(r);
	uint32_t n = k.f.n, *order = diff_order(&k.f, &r->scratch);
	struct lp_table *t = answer_table(r->a, "diff_kernels", n);
	const char **name = NEW(r->arena, n, const char *), **now = NEW(r->arena, n, const char *);
	const char **kind = NEW(r->arena, n, const char *);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t u = k.example[0][order[i]], v = k.example[1][order[i]];
		int side = u == NONE;
		const struct diff_side *s = &r->d->side[side];
		uint32_t node = side ? v : u;

		name[i] = diff_raw_name(r, side, node);
		if (u != NONE && v != NONE && r->d->side[0].name[u] != r->d->side[1].name[v])
			now[i] = diff_raw_name(r, 1, v);
		kind[i] = kind_name((enum kind)s->tr->ev.kind[s->event[node]]);
	}
	table_str(t, "name", "kernel", LP_NAME, name, "name of the kernel, copy or set");
	table_str(t, "name_after", "in its place", LP_NAME, now,
		  "what the second trace runs in its place, if that has another name");
	table_str(t, "kind", "kind", LP_DETAIL, kind, "kernel, collective, copy or set");
	diff_columns(r, t, &k.f, order, "GPU time");
	t->total = "GPU time";
}
