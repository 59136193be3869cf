/*
 * The merged tree as a table. People see only where the traces part: a node below which
 * all is common is one line, and so is one that is only in one trace.
 */
#include "analysis/diff_report.h"

struct tree_table {
	struct diff_report *r;
	nsec *here[2];       /* of each merged node: GPU time at and below it, by trace */
	uint32_t *events[2]; /* ... and GPU events */
	uint8_t *parts;   /* of each merged node: something at or below it is in one trace only */
	uint8_t *mixed;   /* ... something below it is common */
	uint8_t *changed; /* ... a kernel at or below it has another name */
};

static void find_parts(struct tree_table *t)
{
	const struct diff_merged *m = t->r->m;

	t->parts = NEW(&t->r->scratch, m->n, uint8_t);
	t->mixed = NEW(&t->r->scratch, m->n, uint8_t);
	t->changed = NEW(&t->r->scratch, m->n, uint8_t);
	for (uint32_t i = m->n; i-- > 1;) {
		bool common = diff_combined(m, i);

		t->parts[i] |= !common;
		t->changed[i] |= m->how[i] == DIFF_CHANGED;
		t->parts[m->parent[i]] |= t->parts[i];
		t->changed[m->parent[i]] |= t->changed[i];
		t->mixed[m->parent[i]] |= common || t->mixed[i];
	}
}

static void sum_up(struct tree_table *t, int k)
{
	const struct diff_merged *m = t->r->m;

	t->here[k] = NEW(&t->r->scratch, m->n, nsec);
	t->events[k] = NEW(&t->r->scratch, m->n, uint32_t);
	for (uint32_t i = m->n; i-- > 1;) {
		uint32_t u = m->node[k][i];

		if (u != NONE && diff_is_gpu(t->r->d->side[k].kind[u])) {
			t->here[k][i] += diff_time(t->r, k, u);
			t->events[k][i]++;
		}
		t->here[k][m->parent[i]] += t->here[k][i];
		t->events[k][m->parent[i]] += t->events[k][i];
	}
}

static const char *both_names(struct diff_report *r, uint32_t i)
{
	uint32_t u = r->m->node[0][i], v = r->m->node[1][i];

	if (v == NONE || (u != NONE && r->d->side[0].name[u] == r->d->side[1].name[v]))
		return diff_raw_name(r, 0, u);
	if (u == NONE)
		return diff_raw_name(r, 1, v);
	return arena_print(r->arena, "%s | %s", diff_raw_name(r, 0, u), diff_raw_name(r, 1, v));
}

static const char *status(const struct diff_merged *m, uint32_t i)
{
	static const char *const how[] = {
		[DIFF_IN_PLACE] = "in place",
		[DIFF_MOVED] = "moved",
		[DIFF_CHANGED] = "changed",
	};

	if (diff_combined(m, i))
		return how[m->how[i]];
	return m->node[0][i] == NONE ? "only after" : "only before";
}

static bool is_closed(const struct tree_table *t, uint32_t i)
{
	return diff_combined(t->r->m, i) ? !t->parts[i] : !t->mixed[i];
}

/* A node whose children are left out says how much GPU work is in them. */
static const char *label_of(struct tree_table *t, uint32_t i, const char *name)
{
	struct diff_report *r = t->r;
	const struct diff_merged *m = r->m;
	bool alone = !diff_combined(m, i);
	int k = m->node[0][i] == NONE;
	uint32_t events = t->events[k][i];

	if (m->parent[i] && is_closed(t, m->parent[i]))
		return "";
	if (is_closed(t, i) && !alone && !events && !t->events[1][i])
		return ""; /* nothing but the CPU, and the same */
	const char *mark = !alone ? "" : k ? "<< " : ">> ";
	if (!is_closed(t, i) || m->end[i] == i + 1 || !events)
		return *mark ? arena_print(r->arena, "%s%s", mark, name) : name;
	return arena_print(r->arena, "%s%s (%u GPU event%s%s)", mark, name, events,
			   events == 1 ? "" : "s", t->changed[i] ? ", other kernels" : "");
}

static int64_t *by_row(const struct tree_table *t, int k, bool events)
{
	struct diff_report *r = t->r;
	const struct diff_merged *m = r->m;
	int64_t *v = NEW(r->arena, m->n, int64_t);

	for (uint32_t i = 1; i < m->n; i++) {
		uint32_t u = m->node[k][i];

		v[i - 1] = LP_NULL;
		if (u != NONE)
			v[i - 1] = !events                          ? t->here[k][i]
				   : r->d->side[k].event[u] == NONE ? LP_NULL
								    : r->d->side[k].event[u];
	}
	return v;
}

static void add_times(const struct tree_table *t, struct lp_table *table, uint32_t n)
{
	struct diff_report *r = t->r;
	int64_t *ns[2] = { by_row(t, 0, false), by_row(t, 1, false) };
	int64_t *delta = NEW(r->arena, n, int64_t);
	double *percent = NEW(r->arena, n, double);

	for (uint32_t i = 0; i < n; i++) {
		delta[i] = t->here[1][i + 1] - t->here[0][i + 1];
		percent[i] = diff_percent(t->here[0][i + 1], t->here[1][i + 1]);
	}
	table_i64(table, "before_ns", "before", LP_NSEC, 0, ns[0],
		  "GPU time at and below it in the first trace");
	table_i64(table, "after_ns", "after", LP_NSEC, LP_SAME, ns[1],
		  "GPU time at and below it in the second trace");
	table_i64(table, "delta_ns", "delta", LP_NSEC, LP_SAME | LP_DELTA, delta,
		  "after less before, of all that is below it in either trace");
	table_f64(table, "percent", "", LP_PERCENT, LP_DELTA | LP_LESSER, percent,
		  "the change in percent of before");
}

void diff_tree_table(struct diff_report *r)
{
	struct tree_table t = { .r = r };
	const struct diff_merged *m = r->m;
	uint32_t n = m->n - 1, *parent = NEW(r->arena, n, uint32_t);
	const char **name = NEW(r->arena, n, const char *),
		   **label = NEW(r->arena, n, const char *);
	const char **how = NEW(r->arena, n, const char *);
	struct lp_table *table = answer_table(r->a, "diff_tree", n);

	find_parts(&t);
	for (int k = 0; k < 2; k++)
		sum_up(&t, k);
	for (uint32_t i = 1; i < m->n; i++) {
		parent[i - 1] = m->parent[i] ? m->parent[i] - 1 : NONE;
		name[i - 1] = both_names(r, i);
		label[i - 1] = label_of(&t, i, name[i - 1]);
		how[i - 1] = status(m, i);
	}
	table->parent = parent;
	table->labels = label;
	table->whole = true;
	table_str(table, "name", "merged tree (>> before, << after)", LP_TREE | LP_NAME, name,
		  "name, or both names");
	table_str(table, "status", "status", LP_DETAIL, how,
		  "in place, moved, changed, only before or only after");
	add_times(&t, table, n);
	table_i64(table, "event_before", "event", LP_PLAIN, LP_DETAIL, by_row(&t, 0, true),
		  "number of the event in the first trace");
	table_i64(table, "event_after", "event after", LP_PLAIN, LP_DETAIL, by_row(&t, 1, true),
		  "number of the event in the second trace");
}
