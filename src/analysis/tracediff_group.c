/* Rows that agree in all but their times and numbers, as the original's summary has them. */
#include "analysis/tracediff_stats.h"

#include "algo/sort.h"
#include "base/out.h"
#include "base/textbuf.h"

static bool is_key(int c)
{
	return c != STATS_KERNEL_TIME && c != STATS_LCA_ID && c != STATS_GPU_UID;
}

/* All keys of a row as one string; a missing cell is not an empty one. */
static struct str key_of(struct textbuf *b, const struct stats_row *r)
{
	b->n = 0;
	for (int c = 0; c < STATS_COLUMNS; c++)
		if (is_key(c)) {
			textbuf_add(b, r->cell[c].p ? STR("=") : STR("-"));
			textbuf_add(b, r->cell[c]);
			textbuf_add(b, (struct str){ "", 1 });
		}
	return (struct str){ b->p, b->n };
}

/* A sum that carries its rounding errors along (Kahan). */
struct sum {
	double value, lost;
};

static void sum_add(struct sum *s, double v)
{
	double y = v - s->lost, t = s->value + y;

	s->lost = (t - s->value) - y;
	s->value = t;
}

struct sorter {
	const struct stats *s;
	const struct stats_group *at;
	struct str *number[3]; /* of each group: count, mean, sum */
};

static int cmp_cell(const struct sorter *k, uint32_t a, uint32_t b, int c)
{
	struct str x = k->s->row[k->at[a].first].cell[c], y = k->s->row[k->at[b].first].cell[c];

	return str_cmp(x.p ? x : STR("nan"), y.p ? y : STR("nan"));
}

/* Largest sum first; then by each column as text. */
static bool group_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct sorter *k = ctx;
	int c = 0;

	if (k->at[a].sum != k->at[b].sum)
		return k->at[a].sum > k->at[b].sum;
	c = cmp_cell(k, a, b, STATS_NAME);
	if (!c)
		c = str_cmp(k->number[0][a], k->number[0][b]);
	for (int i = STATS_OP; !c && i < STATS_COLUMNS; i++)
		if (is_key(i) && (i != STATS_SOURCE || !k->s->identical))
			c = cmp_cell(k, a, b, i);
	return (c ? c : str_cmp(k->number[1][a], k->number[1][b])) < 0;
}

static void sort_groups(struct stats *s, struct stats_groups *g)
{
	struct arena scratch = { 0 };
	struct sorter k = { .s = s, .at = g->at };
	uint32_t *order = NEW(&scratch, g->n, uint32_t);
	struct stats_group *sorted = NEW(&s->arena, g->n, struct stats_group);

	for (int i = 0; i < 2; i++)
		k.number[i] = NEW(&scratch, g->n, struct str);
	for (uint32_t i = 0; i < g->n; i++) {
		order[i] = i;
		k.number[0][i] = stats_number(&scratch, g->at[i].count, true);
		k.number[1][i] = stats_number(&scratch, g->at[i].mean, false);
	}
	sort_ids(order, g->n, NEW(&scratch, g->n, uint32_t), group_before, &k);
	for (uint32_t i = 0; i < g->n; i++)
		sorted[i] = g->at[order[i]];
	g->at = sorted;
	arena_free(&scratch);
}

struct stats_groups stats_group(struct stats *s)
{
	struct arena scratch = { 0 };
	struct strings keys = { 0 };
	struct textbuf b = { .arena = &scratch };
	struct stats_groups g = { 0, NEW(&s->arena, s->n, struct stats_group) };
	struct sum *sum = NEW(&scratch, s->n, struct sum);

	for (uint32_t i = 0; i < s->n; i++) {
		struct str key = key_of(&b, &s->row[i]);
		uint32_t at = strings_add(&keys, key.p, key.n);

		if (at == g.n)
			g.at[g.n++] =
				(struct stats_group){ .first = i,
						      .op = s->row[i].cell[STATS_OP],
						      .module = s->row[i].cell[STATS_MODULE] };
		g.at[at].count++;
		sum_add(&sum[at], s->row[i].time);
	}
	for (uint32_t i = 0; i < g.n; i++) {
		g.at[i].sum = sum[i].value;
		g.at[i].mean = sum[i].value / g.at[i].count;
	}
	sort_groups(s, &g);
	strings_free(&keys);
	arena_free(&scratch);
	return g;
}

static struct str group_cell(const struct stats *s, const struct stats_group *g, int c)
{
	return c == STATS_OP ? g->op : c == STATS_MODULE ? g->module : s->row[g->first].cell[c];
}

static void write_head(const struct stats *s, struct out *o)
{
	stats_cell(o, STR("name"), false);
	stats_cell(o, STR("operation_count"), false);
	for (int c = STATS_OP; c < STATS_COLUMNS; c++)
		if (is_key(c) && (c != STATS_SOURCE || !s->identical))
			stats_cell(o, str_of(stats_columns[c]), false);
	stats_cell(o, STR("kernel_time_mean"), false);
	stats_cell(o, STR("kernel_time_sum"), true);
}

bool stats_write_groups(const struct stats *s, const struct stats_groups *g, FILE *file)
{
	struct arena a = { 0 };
	struct out *o = NEW(&a, 1, struct out);

	o->file = file;
	write_head(s, o);
	for (uint32_t i = 0; i < g->n; i++) {
		const struct stats_group *x = &g->at[i];
		struct arena_mark mark = arena_mark(&a);

		stats_cell(o, group_cell(s, x, STATS_NAME), false);
		stats_cell(o, stats_number(&a, x->count, true), false);
		for (int c = STATS_OP; c < STATS_COLUMNS; c++)
			if (is_key(c) && (c != STATS_SOURCE || !s->identical))
				stats_cell(o, group_cell(s, x, c), false);
		stats_cell(o, stats_number(&a, x->mean, false), false);
		stats_cell(o, stats_number(&a, x->sum, s->whole), true);
		arena_rewind(&a, mark);
	}
	out_flush(o);
	arena_free(&a);
	return !ferror(file);
}
