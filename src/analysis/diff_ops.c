/*
 * A row is an operator by name and inputs. What an operator of the second trace is
 * charged to is decided by the tree: to the row of its partner in the first trace,
 * whatever its own inputs or name are now; to its own only if it has none. GPU time goes
 * to the innermost operator, else to the bare call that launched it, else to the row of
 * the kernels without a launch. "With what it calls" is time at and below an operator,
 * counted once where an operator calls itself.
 */
#include "analysis/diff_report.h"

#include "base/check.h"
#include "base/hash.h"

struct op_row {
	int side; /* of the example */
	uint32_t node;
	uint32_t open; /* while walking: how many of its nodes are open */
};

struct op_rows {
	struct diff_report *r;
	struct diff_figures f;
	int64_t *below[2], *cpu[2], *work[2], *changed;
	struct op_row *row;
	uint32_t *slot, mask; /* open addressing: row + 1 */
	uint32_t *of[2];      /* of each node of a side: its row; NONE */
};

/* Operators; and what owns GPU time if there is none above it. */
static bool has_row(const struct diff_side *s, uint32_t i)
{
	enum diff_kind k = s->kind[i];

	return k == DIFF_OP || k == DIFF_LOOSE ||
	       ((k == DIFF_CALL || k == DIFF_GRAPH) && diff_on_gpu(s, i));
}

static bool same_key(const struct op_rows *o, const struct op_row *x, int side, uint32_t i)
{
	const struct diff_side *a = &o->r->d->side[x->side], *b = &o->r->d->side[side];

	return a->name[x->node] == b->name[i] && a->dims[x->node] == b->dims[i] &&
	       a->types[x->node] == b->types[i] && a->kind[x->node] == b->kind[i];
}

static uint32_t row_of_key(struct op_rows *o, int side, uint32_t i)
{
	const struct diff_side *s = &o->r->d->side[side];
	uint64_t h = hash_mix((uint64_t)s->name[i] << 32 | s->dims[i],
			      hash_u64((uint64_t)s->types[i] << 8 | s->kind[i]));

	for (uint32_t at = (uint32_t)hash_u64(h);; at++) {
		uint32_t *slot = &o->slot[at & o->mask];

		if (!*slot) {
			o->row[o->f.n] = (struct op_row){ side, i, 0 };
			*slot = ++o->f.n;
		}
		if (same_key(o, &o->row[*slot - 1], side, i))
			return *slot - 1;
	}
}

/* The row of a node that owns its time; calls below an operator leave it to that. */
static void assign_rows(struct op_rows *o, int side)
{
	const struct diff_side *s = &o->r->d->side[side];

	for (uint32_t i = 1; i < s->n; i++) {
		uint32_t up = o->of[side][s->parent[i]], partner = diff_partner(o->r, side, i);
		bool own = has_row(s, i) && (s->kind[i] == DIFF_OP || up == NONE);

		if (!own)
			o->of[side][i] = up;
		else if (side && partner != NONE && has_row(&o->r->d->side[0], partner))
			o->of[side][i] = o->of[0][partner];
		else
			o->of[side][i] = row_of_key(o, side, i);
	}
}

static bool owns(const struct op_rows *o, int side, uint32_t i)
{
	const struct diff_side *s = &o->r->d->side[side];

	return has_row(s, i) && (s->kind[i] == DIFF_OP || o->of[side][s->parent[i]] == NONE);
}

static void count_node(struct op_rows *o, int side, uint32_t i)
{
	uint32_t row = o->of[side][i], partner = diff_partner(o->r, side, i);
	struct op_row *x = &o->row[row];

	o->f.count[side][row]++;
	if (!x->open) {
		o->below[side][row] += o->r->gpu[side][i];
		o->cpu[side][row] += diff_time(o->r, side, i);
	}
	if (side && partner != NONE)
		o->changed[row] += !same_key(o, x, side, i);
}

/* In preorder, closing what ends before the next node. */
static void sum_up(struct op_rows *o, int side)
{
	const struct diff_side *s = &o->r->d->side[side];
	uint32_t *open = NEW(&o->r->scratch, s->n, uint32_t), n = 0;

	for (uint32_t i = 1; i < s->n; i++) {
		uint32_t row = o->of[side][i];

		while (n && s->end[open[n - 1]] <= i)
			o->row[o->of[side][open[--n]]].open--;
		if (row == NONE)
			continue;
		if (diff_is_gpu(s->kind[i])) {
			o->f.ns[side][row] += diff_time(o->r, side, i);
			o->work[side][row]++;
		} else if (owns(o, side, i)) {
			count_node(o, side, i);
			o->row[row].open++;
			open[n++] = i;
		}
	}
	while (n)
		o->row[o->of[side][open[--n]]].open--;
}

/* No more rows than there are nodes that may own work. */
static uint32_t count_owners(const struct diff_report *r)
{
	uint32_t n = 0;

	for (int k = 0; k < 2; k++)
		for (uint32_t i = 1; i < r->d->side[k].n; i++)
			n += r->d->side[k].kind[i] == DIFF_OP || r->d->side[k].parent[i] == 0 ||
			     r->d->side[k].kind[r->d->side[k].parent[i]] == DIFF_PYTHON;
	return n;
}

static struct op_rows collect(struct diff_report *r)
{
	struct op_rows o = { .r = r };
	uint32_t room = count_owners(r);
	struct arena *a = &r->scratch, *out = r->arena;

	for (o.mask = 15; o.mask < 2 * (uint64_t)room;)
		o.mask = 2 * o.mask + 1;
	o.slot = NEW(a, (size_t)o.mask + 1, uint32_t);
	o.row = NEW(a, room, struct op_row);
	o.changed = NEW(out, room, int64_t);
	for (int k = 0; k < 2; k++) {
		o.f.count[k] = NEW(out, room, int64_t);
		o.f.ns[k] = NEW(out, room, int64_t);
		o.below[k] = NEW(out, room, int64_t);
		o.cpu[k] = NEW(out, room, int64_t);
		o.work[k] = NEW(out, room, int64_t);
		o.of[k] = NEW(a, r->d->side[k].n, uint32_t);
		o.of[k][0] = NONE;
		assign_rows(&o, k);
	}
	for (int k = 0; k < 2; k++)
		sum_up(&o, k);
	return o;
}

static void check_sums(const struct op_rows *o)
{
	for (int k = 0; k < 2; k++) {
		nsec sum = 0;

		for (uint32_t i = 0; i < o->f.n; i++)
			sum += o->f.ns[k][i];
		CHECK(sum == o->r->total[k]);
	}
}

static const char *shape_text(const struct diff_report *r, uint32_t shape)
{
	if (shape == NONE)
		return NULL;
	struct str s = strings_get(&r->d->shapes, shape);
	return arena_text(r->arena, s.p, s.n);
}

static const char *kind_text(const struct diff_side *s, uint32_t node)
{
	return s->kind[node] == DIFF_OP      ? "operator"
	       : s->kind[node] == DIFF_LOOSE ? "no launch"
					     : "launch";
}

/* The accumulators become the columns. */
static int64_t *ordered(struct diff_report *r, int64_t *v, const uint32_t *order, uint32_t n)
{
	diff_reorder(r, v, order, n);
	return v;
}

static void add_details(struct op_rows *o, struct lp_table *t, const uint32_t *order)
{
	struct diff_report *r = o->r;
	uint32_t n = o->f.n;

	table_i64(t, "kernels_before", "kernels", LP_COUNT, LP_SUM | LP_DETAIL,
		  ordered(r, o->work[0], order, n), "GPU events owned in the first trace");
	table_i64(t, "kernels_after", "kernels after", LP_COUNT, LP_SUM | LP_DETAIL,
		  ordered(r, o->work[1], order, n), "GPU events owned in the second trace");
	table_i64(t, "below_before_ns", "with calls", LP_NSEC, LP_DETAIL,
		  ordered(r, o->below[0], order, n),
		  "GPU time with what it calls, in the first trace");
	table_i64(t, "below_after_ns", "with calls after", LP_NSEC, LP_DETAIL,
		  ordered(r, o->below[1], order, n),
		  "GPU time with what it calls, in the second trace");
	table_i64(t, "cpu_before_ns", "CPU", LP_NSEC, LP_DETAIL, ordered(r, o->cpu[0], order, n),
		  "time on the CPU with what it calls, in the first trace");
	table_i64(t, "cpu_after_ns", "CPU after", LP_NSEC, LP_DETAIL,
		  ordered(r, o->cpu[1], order, n),
		  "time on the CPU with what it calls, in the second trace");
	table_i64(t, "changed", "changed", LP_COUNT, LP_SUM | LP_DETAIL,
		  ordered(r, o->changed, order, n),
		  "partners in the second trace with another name or other inputs");
}

void diff_ops(struct diff_report *r)
{
	struct op_rows o = collect(r);
	uint32_t n = o.f.n, *order = diff_order(&o.f, &r->scratch);
	struct lp_table *t = answer_table(r->a, "diff_ops", n);
	const char **text[4];

	check_sums(&o);
	for (int i = 0; i < 4; i++)
		text[i] = NEW(r->arena, n, const char *);
	for (uint32_t i = 0; i < n; i++) {
		const struct op_row *x = &o.row[order[i]];
		const struct diff_side *s = &r->d->side[x->side];

		text[0][i] = diff_raw_name(r, x->side, x->node);
		text[1][i] = kind_text(s, x->node);
		text[2][i] = shape_text(r, s->dims[x->node]);
		text[3][i] = shape_text(r, s->types[x->node]);
	}
	table_str(t, "name", "operator", LP_NAME, text[0], "name of the operator");
	table_str(t, "kind", "kind", LP_DETAIL, text[1],
		  "operator, launch (a call outside of all operators) or no launch");
	table_str(t, "input_dims", "input dims", LP_DIMS | LP_NAME, text[2],
		  "shapes of the inputs");
	table_str(t, "input_types", "input types", LP_DETAIL, text[3], "types of the inputs");
	diff_columns(r, t, &o.f, order, "GPU time");
	add_details(&o, t, order);
	t->total = "GPU time";
}
