/*
 * One line per kernel name, stream, owner and innermost operator. The owner is the
 * operator whose row in `ops` has the event; below one that is modelled as a whole,
 * the innermost operator is another. GPU events are keyed by four ids, hashed, and
 * sorted by group.
 */
#include "analysis/doubt.h"
#include "analysis/ops_model.h"
#include "analysis/ops_own.h"
#include "algo/sort.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/say.h"
#include "base/shortname.h"
#include "base/table.h"

#include <math.h>
#include <stdlib.h>

#define SHORT_KERNEL 10000 /* ns: below it the launch costs more than the kernel */

struct key {
	string_id name;
	lane_id stream;
	string_id owner, inner; /* NONE: no launch in the trace */
};

struct line {
	struct key key;
	event_id example;
	uint32_t count, timed, nshort; /* nshort: below SHORT_KERNEL */
	nsec total, min, max, in_short;
	double median;
};

struct kernels {
	struct trace *tr;
	const struct links *l;
	struct arena scratch;
	struct gpu_window window;
	struct ops_rows rows;
	uint32_t *line_of; /* of each row of links.gpu */
	struct line *line;
	uint32_t n;
	uint32_t *order;   /* of the table: lines, longest first */
	uint32_t nkernels; /* without copies and sets */
	nsec total;
	struct lp_answer *a;
	struct arena *arena; /* of the answer */
};

static string_id name_of_node(const struct kernels *k, node_id i)
{
	return i == NONE ? NONE : k->tr->ev.name[k->l->tree->event[i]];
}

/* The nearest operator above a launch, or the launch itself if there is none. */
static node_id innermost(const struct kernels *k, event_id launch)
{
	const struct tree *t = k->l->tree;
	node_id call = launch == NONE ? NONE : t->node[launch];
	node_id i = call;

	while (i != NONE && k->tr->ev.kind[t->event[i]] != KIND_CPU_OP)
		i = t->parent[i];
	return i == NONE ? call : i;
}

static struct key key_of(const struct kernels *k, uint32_t gpu)
{
	event_id e = k->l->gpu[gpu];

	return (struct key){
		.name = k->tr->ev.name[e],
		.stream = k->tr->ev.lane[e],
		.owner = name_of_node(k, k->rows.at[k->rows.owner[gpu]].node),
		.inner = name_of_node(k, innermost(k, k->l->launch[gpu])),
	};
}

static uint32_t line_of_key(struct kernels *k, uint32_t *slot, uint32_t mask, struct key key)
{
	uint64_t h = hash_bytes((const char *)&key, sizeof(key));

	for (uint32_t i = (uint32_t)h & mask;; i = (i + 1) & mask) {
		if (!slot[i]) {
			k->line[k->n] = (struct line){ .key = key, .min = INT64_MAX };
			slot[i] = ++k->n;
		}
		if (!memcmp(&k->line[slot[i] - 1].key, &key, sizeof(key)))
			return slot[i] - 1;
	}
}

static void group_events(struct kernels *k)
{
	uint32_t mask = 15;

	while (mask < 2 * (uint64_t)k->l->n)
		mask = 2 * mask + 1;
	uint32_t *slot = NEW(&k->scratch, (size_t)mask + 1, uint32_t);
	k->line = NEW(&k->scratch, k->l->n, struct line);
	k->line_of = NEW(&k->scratch, k->l->n, uint32_t);
	for (uint32_t i = 0; i < k->l->n; i++)
		k->line_of[i] = gpu_window_has(&k->window, i)
					? line_of_key(k, slot, mask, key_of(k, i))
					: NONE;
}

static bool is_kernel(const struct kernels *k, event_id e)
{
	return k->tr->ev.kind[e] == KIND_KERNEL || k->tr->ev.kind[e] == KIND_COLLECTIVE;
}

static void add_event(struct kernels *k, uint32_t gpu)
{
	event_id e = k->l->gpu[gpu];

	if (k->line_of[gpu] == NONE)
		return;
	struct line *line = &k->line[k->line_of[gpu]];
	if (!line->count || k->tr->ev.ts[e] < k->tr->ev.ts[line->example])
		line->example = e;
	line->count++;
	k->nkernels += is_kernel(k, e);
	if (!trace_timed(k->tr, e))
		return;
	nsec length = gpu_window_length(&k->window, k->tr, e);
	line->timed++;
	line->total += length;
	line->min = MIN_OF(line->min, length);
	line->max = MAX_OF(line->max, length);
	if (is_kernel(k, e) && k->tr->ev.dur[e] < SHORT_KERNEL) {
		line->nshort++;
		line->in_short += length;
	}
}

static int by_value(const void *a, const void *b)
{
	nsec x = *(const nsec *)a, y = *(const nsec *)b;

	return (x > y) - (x < y);
}

/* Durations are put side by side, line by line, and each line's are sorted. */
static void find_medians(struct kernels *k)
{
	uint32_t *next = NEW(&k->scratch, (size_t)k->n + 1, uint32_t);
	nsec *dur = NEW(&k->scratch, k->l->n, nsec);

	for (uint32_t i = 0; i < k->n; i++)
		next[i + 1] = next[i] + k->line[i].timed;
	for (uint32_t i = 0; i < k->l->n; i++)
		if (k->line_of[i] != NONE && trace_timed(k->tr, k->l->gpu[i]))
			dur[next[k->line_of[i]]++] = gpu_window_length(&k->window, k->tr,
								       k->l->gpu[i]);
	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t n = k->line[i].timed;
		nsec *d = dur + next[i] - n;

		qsort(d, n, sizeof(*d), by_value);
		k->line[i].median = n ? ((double)d[(n - 1) / 2] + (double)d[n / 2]) / 2 : NAN;
	}
}

static struct str text_of(const struct kernels *k, string_id s)
{
	return s == NONE ? STR("") : strings_get(&k->tr->strings, s);
}

/* Longest first; then by first start, name, owner. */
static bool ranks_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct kernels *k = ctx;
	const struct line *x = &k->line[a], *y = &k->line[b];
	nsec xs = k->tr->ev.ts[x->example], ys = k->tr->ev.ts[y->example];

	if (x->total != y->total)
		return x->total > y->total;
	if (xs != ys)
		return xs < ys;
	int c = str_cmp(text_of(k, x->key.name), text_of(k, y->key.name));
	return (c ? c : str_cmp(text_of(k, x->key.owner), text_of(k, y->key.owner))) < 0;
}

static void rank_lines(struct kernels *k)
{
	k->order = NEW(&k->scratch, k->n, uint32_t);
	for (uint32_t i = 0; i < k->n; i++) {
		k->order[i] = i;
		k->total += k->line[i].total;
	}
	sort_ids(k->order, k->n, NEW(&k->scratch, k->n, uint32_t), ranks_before, k);
}

enum { NAME, OWNER, INNER, KIND, TEXTS };
enum { DEVICE, STREAM, COUNT, TOTAL, MIN, MAX, SHORT, SHORT_TIME, NUMBERS };
enum { PERCENT, MEAN, MEDIAN, FRACTIONS };

struct columns {
	const char **text[TEXTS];
	int64_t *number[NUMBERS];
	double *fraction[FRACTIONS];
};

static void fill_line(const struct kernels *k, struct columns *c, uint32_t row)
{
	const struct line *line = &k->line[k->order[row]];
	const struct lane *lane = &k->tr->lanes.at[line->key.stream];
	bool linked = line->key.owner != NONE;

	c->text[NAME][row] = text_of(k, line->key.name).p;
	c->text[OWNER][row] = linked ? text_of(k, line->key.owner).p : "unlinked";
	c->text[INNER][row] = linked ? text_of(k, line->key.inner).p : NULL;
	c->text[KIND][row] = kind_name(k->tr->ev.kind[line->example]);
	c->number[DEVICE][row] = lane->device;
	c->number[STREAM][row] = lane->stream_known ? lane->stream : LP_NULL;
	c->number[COUNT][row] = line->count;
	c->number[TOTAL][row] = line->total;
	c->number[MIN][row] = line->timed ? line->min : LP_NULL;
	c->number[MAX][row] = line->timed ? line->max : LP_NULL;
	c->number[SHORT][row] = line->nshort;
	c->number[SHORT_TIME][row] = line->in_short;
	c->fraction[PERCENT][row] = k->total ? 100.0 * (double)line->total / (double)k->total : NAN;
	c->fraction[MEAN][row] = line->timed ? (double)line->total / line->timed : NAN;
	c->fraction[MEDIAN][row] = line->median;
}

static void add_table(struct kernels *k)
{
	struct lp_table *t = answer_table(k->a, "kernels", k->n);
	struct columns c;

	for (int i = 0; i < TEXTS; i++)
		c.text[i] = NEW(k->arena, k->n, const char *);
	for (int i = 0; i < NUMBERS; i++)
		c.number[i] = NEW(k->arena, k->n, int64_t);
	for (int i = 0; i < FRACTIONS; i++)
		c.fraction[i] = NEW(k->arena, k->n, double);
	for (uint32_t i = 0; i < k->n; i++)
		fill_line(k, &c, i);
	table_str(t, "name", "kernel", LP_NAME, c.text[NAME], "name of the kernel, copy or set");
	table_str(t, "owner", "owner", LP_NAME, c.text[OWNER],
		  "the operator that owns it in ops, or its launch; unlinked: no launch");
	table_str(t, "innermost_op", "innermost operator", LP_DETAIL, c.text[INNER],
		  "the nearest operator above the launch, or the launch");
	table_str(t, "kind", "kind", LP_DETAIL, c.text[KIND], "kernel, collective, copy or set");
	table_i64(t, "device", "device", LP_PLAIN, LP_DETAIL, c.number[DEVICE],
		  "number of the device");
	table_i64(t, "stream", "stream", LP_PLAIN, LP_DETAIL, c.number[STREAM],
		  "number of its stream, as recorded");
	table_i64(t, "count", "count", LP_COUNT, LP_SUM, c.number[COUNT], "events");
	table_i64(t, "total_ns", "total", LP_NSEC, LP_SUM, c.number[TOTAL], "sum of the durations");
	table_f64(t, "percent", "", LP_PERCENT, LP_SUM | LP_BAR, c.fraction[PERCENT],
		  "of the durations of all lines");
	table_f64(t, "mean_ns", "mean", LP_NSEC, LP_LESSER, c.fraction[MEAN], "mean duration");
	table_i64(t, "min_ns", "min", LP_NSEC, LP_DETAIL, c.number[MIN], "shortest duration");
	table_i64(t, "max_ns", "max", LP_NSEC, LP_LESSER, c.number[MAX], "longest duration");
	table_f64(t, "median_ns", "median", LP_NSEC, LP_DETAIL, c.fraction[MEDIAN],
		  "median duration");
	table_i64(t, "short_count", "under 10 µs", LP_COUNT, LP_DETAIL, c.number[SHORT],
		  "kernels and collectives that run for less than 10 µs");
	table_i64(t, "short_ns", "in those", LP_NSEC, LP_DETAIL, c.number[SHORT_TIME],
		  "sum of their durations");
}

static void say_headline(struct kernels *k)
{
	struct arena *a = k->arena;
	uint32_t nshort = 0;
	nsec in_short = 0;

	for (uint32_t i = 0; i < k->n; i++) {
		nshort += k->line[i].nshort;
		in_short += k->line[i].in_short;
	}
	if (!k->n) {
		answer_headline(k->a, "No GPU work in this %s.", k->window.in ? "window" : "trace");
		return;
	}
	const struct line *top = &k->line[k->order[0]];
	const char *few = "";
	if (nshort)
		few = arena_print(a, "; %s of %s under 10 µs (%s of it)", say_count(a, nshort),
				  say_many(a, k->nkernels, "kernel is", "kernels are"),
				  say_percent(a, in_short, k->total));
	answer_headline(k->a, "%s takes %s of %s of GPU time%s.",
			shortname(a, text_of(k, top->key.name).p, 48, UTF8_TERMINAL),
			say_percent(a, top->total, k->total), say_time(a, k->total), few);
}

struct lp_answer *lp_kernels(struct lp_trace *trace, struct lp_kernels_options o,
			     struct lp_error *err)
{
	struct kernels k = { .tr = (struct trace *)trace };

	k.l = trace_links(k.tr, o.link == LP_LINK_TRACELENS ? LINK_TRACELENS : LINK_BEST,
			  TREE_FULL);
	if (!gpu_window(&k.scratch, k.tr, k.l, o.window, &k.window, err)) {
		arena_free(&k.scratch);
		return NULL;
	}
	struct ops_model model = ops_model_new(&k.scratch, k.tr, k.l);
	k.rows = ops_own(&k.scratch, k.tr, k.l,
			 (struct ops_rules){ k.window, false, ops_model_has, ops_model_has_backward,
					     &model });
	group_events(&k);
	for (uint32_t i = 0; i < k.l->n; i++)
		add_event(&k, i);
	find_medians(&k);
	rank_lines(&k);

	k.a = answer_new();
	k.arena = answer_arena(k.a);
	say_headline(&k);
	doubt_reading(k.a, k.tr);
	doubt_window(k.a, k.tr, k.window.from, k.window.to);
	doubt_unlinked(k.a, k.tr, k.l,
		       k.window.launched ? "not in the window" : "their owner is unlinked");
	doubt_times(k.a, k.tr, k.l);
	add_table(&k);
	answer_next(k.a, "the same by operator and shapes", "longpole ops %s",
		    say_path(k.arena, k.tr->source.path));
	arena_free(&k.scratch);
	return k.a;
}
