/*
 * One line per kind of thing. GPU time is the sum of the events; busy, span and idle are
 * those of `timeline`, all devices taken together. CPU time is that of the outermost
 * operators.
 */
#include "analysis/diff_summary.h"

#include "base/check.h"

static const struct {
	const char *name, *label, *help;
	bool timed, counted;
} lines[LINES] = {
	[LINE_GPU_TIME] = { "gpu_time", "GPU time", "sum of all GPU events", true, true },
	[LINE_KERNELS] = { "kernels", "kernels", NULL, true, true },
	[LINE_COPIES] = { "copies", "copies", NULL, true, true },
	[LINE_SETS] = { "sets", "sets", NULL, true, true },
	[LINE_GPU_BUSY] = { "gpu_busy", "GPU busy", NULL, true, false },
	[LINE_GPU_IDLE] = { "gpu_idle", "GPU idle", NULL, true, false },
	[LINE_GPU_SPAN] = { "gpu_span", "GPU span", NULL, true, false },
	[LINE_CPU_TIME] = { "operators", "operators (CPU time)", NULL, true, true },
	[LINE_FRAMES] = { "python", "Python frames", NULL, false, true },
	[LINE_LAUNCHES] = { "launches", "launches", NULL, false, true },
};

static enum diff_line line_of(enum diff_kind k)
{
	switch (k) {
	case DIFF_KERNEL:
		return LINE_KERNELS;
	case DIFF_COPY:
		return LINE_COPIES;
	case DIFF_SET:
		return LINE_SETS;
	case DIFF_OP:
		return LINE_CPU_TIME;
	case DIFF_PYTHON:
		return LINE_FRAMES;
	case DIFF_CALL:
	case DIFF_GRAPH:
		return LINE_LAUNCHES;
	default:
		return LINES;
	}
}

static void count_how(struct diff_line_figures *f, const struct diff_merged *m, uint32_t i)
{
	for (int k = 0; k < 2; k++)
		f->count[k] += m->node[k][i] != NONE;
	if (!diff_combined(m, i)) {
		f->only[m->node[0][i] == NONE]++;
		return;
	}
	f->matched++;
	f->moved += m->how[i] == DIFF_MOVED;
	f->changed += m->how[i] == DIFF_CHANGED;
}

static void count_nodes(const struct diff_report *r, struct diff_totals *t)
{
	const struct diff_merged *m = r->m;

	for (uint32_t i = 1; i < m->n; i++) {
		int k = m->node[0][i] == NONE;
		enum diff_kind kind = r->d->side[k].kind[m->node[k][i]];
		enum diff_line l = line_of(kind);

		if (l != LINES)
			count_how(&t->line[l], m, i);
		if (diff_is_gpu(kind))
			count_how(&t->line[LINE_GPU_TIME], m, i);
	}
}

/* Of the outermost operators. */
static nsec cpu_time(const struct diff_report *r, int k)
{
	const struct diff_side *s = &r->d->side[k];
	nsec sum = 0;

	for (uint32_t i = 1; i < s->n;) {
		bool op = s->kind[i] == DIFF_OP;

		sum += op ? diff_time(r, k, i) : 0;
		i = op ? s->end[i] : i + 1;
	}
	return sum;
}

static void add_times(struct diff_report *r, int k, struct diff_totals *t)
{
	const struct diff_side *s = &r->d->side[k];
	struct arena_mark mark = arena_mark(&r->scratch);
	event_id *work = NEW(&r->scratch, r->work[k][0], event_id);
	uint32_t n = 0;

	for (uint32_t i = 1; i < s->n; i++) {
		if (!diff_is_gpu(s->kind[i]))
			continue;
		t->line[line_of(s->kind[i])].ns[k] += diff_time(r, k, i);
		work[n++] = s->event[i];
	}
	struct gpu_time g = gpu_time_of(s->tr, work, n, s->from, s->to);

	arena_rewind(&r->scratch, mark);
	t->line[LINE_GPU_TIME].ns[k] = r->total[k];
	t->line[LINE_GPU_BUSY].ns[k] = g.busy;
	t->line[LINE_GPU_IDLE].ns[k] = g.idle;
	t->line[LINE_GPU_SPAN].ns[k] = g.total;
	t->line[LINE_CPU_TIME].ns[k] = cpu_time(r, k);
}

struct diff_totals diff_total(struct diff_report *r)
{
	struct diff_totals t = { 0 };

	count_nodes(r, &t);
	for (int k = 0; k < 2; k++)
		add_times(r, k, &t);
	for (int l = 0; l < LINES; l++) {
		struct diff_line_figures *f = &t.line[l];

		CHECK(f->matched + f->only[0] == f->count[0]);
		CHECK(f->matched + f->only[1] == f->count[1]);
	}
	return t;
}

const char *diff_line_name(enum diff_line l)
{
	return lines[l].name;
}

enum { BEFORE, AFTER, MATCHED, IN_PLACE, MOVED, CHANGED, ONLY_BEFORE, ONLY_AFTER, COUNTS };

static const struct {
	const char *name, *title, *help;
	unsigned flags;
} counts[COUNTS] = {
	[BEFORE] = { "count_before", "count", "how many in the first trace", 0 },
	[AFTER] = { "count_after", "after", "how many in the second trace", 0 },
	[MATCHED] = { "matched", "matched", "have a partner: in place, moved or changed", 0 },
	[IN_PLACE] = { "in_place", "in place", "partners that stand in order", LP_DETAIL },
	[MOVED] = { "moved", "moved", "partners that changed their order", LP_LESSER },
	[CHANGED] = { "changed", "changed", "what one launch runs now has another name",
		      LP_LESSER },
	[ONLY_BEFORE] = { "only_before", "gone", "only in the first trace", 0 },
	[ONLY_AFTER] = { "only_after", "new", "only in the second trace", 0 },
};

static void fill_counts(int64_t *const *c, uint32_t row, const struct diff_line_figures *f)
{
	c[BEFORE][row] = f->count[0];
	c[AFTER][row] = f->count[1];
	c[MATCHED][row] = f->matched;
	c[IN_PLACE][row] = f->matched - f->moved - f->changed;
	c[MOVED][row] = f->moved;
	c[CHANGED][row] = f->changed;
	c[ONLY_BEFORE][row] = f->only[0];
	c[ONLY_AFTER][row] = f->only[1];
}

static bool shown(const struct diff_totals *t, enum diff_line l)
{
	const struct diff_line_figures *f = &t->line[l];

	return l == LINE_GPU_TIME || f->count[0] || f->count[1] || f->ns[0] || f->ns[1];
}

static void fill_line(const struct diff_totals *t, enum diff_line l, uint32_t row,
		      int64_t *const *c, int64_t *const *ns, double *percent)
{
	const struct diff_line_figures *f = &t->line[l];

	for (int i = 0; i < COUNTS; i++)
		c[i][row] = LP_NULL;
	ns[0][row] = ns[1][row] = ns[2][row] = LP_NULL;
	percent[row] = diff_percent(0, 0);
	if (lines[l].counted)
		fill_counts(c, row, f);
	if (!lines[l].timed)
		return;
	ns[0][row] = f->ns[0];
	ns[1][row] = f->ns[1];
	ns[2][row] = f->ns[1] - f->ns[0];
	percent[row] = diff_percent(f->ns[0], f->ns[1]);
}

void diff_summary_table(struct diff_report *r, const struct diff_totals *t)
{
	struct arena *a = r->arena;
	int64_t *c[COUNTS], *ns[3];
	const char **name = NEW(a, LINES, const char *), **label = NEW(a, LINES, const char *);
	double *percent = NEW(a, LINES, double);
	uint32_t n = 0;

	for (int i = 0; i < COUNTS; i++)
		c[i] = NEW(a, LINES, int64_t);
	for (int i = 0; i < 3; i++)
		ns[i] = NEW(a, LINES, int64_t);
	for (int l = 0; l < LINES; l++) {
		if (!shown(t, (enum diff_line)l))
			continue;
		name[n] = lines[l].name;
		label[n] = lines[l].label;
		fill_line(t, (enum diff_line)l, n++, c, ns, percent);
	}
	struct lp_table *table = answer_table(r->a, "diff_summary", n);
	table->labels = label;
	table->whole = true;
	table_str(table, "what", "", 0, name, "what is compared");
	table_i64(table, "before_ns", "before", LP_NSEC, 0, ns[0], "time in the first trace");
	table_i64(table, "after_ns", "after", LP_NSEC, LP_SAME, ns[1], "time in the second trace");
	table_i64(table, "delta_ns", "delta", LP_NSEC, LP_SAME | LP_DELTA, ns[2],
		  "after less before");
	table_f64(table, "percent", "", LP_PERCENT, LP_DELTA, percent,
		  "the change in percent of before");
	for (int i = 0; i < COUNTS; i++)
		table_i64(table, counts[i].name, counts[i].title, LP_COUNT, counts[i].flags, c[i],
			  counts[i].help);
}
