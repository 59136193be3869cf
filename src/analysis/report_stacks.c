/*
 * Two profiles of one trace, one weighed by host time and one by GPU time, have the same stacks,
 * but for that of work without a launch, which is a root of its own. Rows of the host's come
 * first, in preorder; then that root; then what is folded:
 *
 *	main            main
 *	+- a 60 %       +- a 60 %
 *	+- b  2 %  -->  +- (2 more, each below 5 %)     with the time of all that hangs from them
 *	+- c  1 %
 *	   +- d
 *
 * The share below which nodes are folded is the smallest of 1, 2, 5, 10 ... in 10^9 that leaves
 * few enough rows.
 */
#include "analysis/report_stacks.h"

#include "base/check.h"
#include "profile/from_trace.h"

#define MOST_ROWS 60000
#define BILLION   1000000000

enum weight { CPU, GPU, WAIT, COUNT, WEIGHTS };

struct sides {
	const struct profile *p; /* the host's */
	struct arena *a;
	uint32_t n;            /* stacks, and one for work without a launch */
	stack_id *prefix;      /* NONE: a root */
	int64_t *own[WEIGHTS]; /* of each stack */
	int64_t *all[WEIGHTS]; /* and of all below it */
	int64_t sum[WEIGHTS];
	uint32_t *share; /* of the whole, in 10^9 parts: the larger of host and GPU */
	uint32_t *row;   /* NONE: folded */
};

/* ---- Sums ---- */

static void add_host(struct sides *s)
{
	const struct samples *x = &s->p->samples;

	for (size_t i = 0; i < x->n; i++) {
		stack_id at = x->stack[i];
		if (at == NONE)
			continue;
		func_id f = s->p->stacks.func[at];
		bool waits = s->p->functions.at[f].flags & FUNCTION_WAIT;
		s->own[CPU][at] += samples_weight(x, i);
		s->own[WAIT][at] += waits ? samples_weight(x, i) : 0;
		s->own[COUNT][at] += samples_count(x, i);
	}
}

/* The stacks of the other profile among ours; functions have the same numbers in both. */
static stack_id *find_stacks(const struct sides *s, const struct profile *gpu)
{
	const struct stacks *st = &gpu->stacks;
	stack_id *at = NEW(s->a, st->n, stack_id), nobody = s->n - 1;

	for (stack_id i = 0; i < st->n; i++) {
		stack_id up = st->prefix[i] == NONE ? NONE : at[st->prefix[i]];
		at[i] = st->func[i] < s->p->functions.n
				? stacks_find(&s->p->stacks, up, st->func[i])
				: NONE;
		if (at[i] == NONE)
			at[i] = nobody;
	}
	return at;
}

static void add_gpu(struct sides *s, const struct profile *gpu)
{
	const struct samples *x = &gpu->samples;
	stack_id *at = find_stacks(s, gpu);
	int64_t sum = 0;

	for (size_t i = 0; i < x->n; i++)
		if (x->stack[i] != NONE) {
			s->own[GPU][at[x->stack[i]]] += samples_weight(x, i);
			sum += samples_weight(x, i);
			if (at[x->stack[i]] == s->n - 1)
				s->own[COUNT][s->n - 1] += samples_count(x, i);
		}
	for (stack_id i = 0; i < s->n; i++)
		sum -= s->own[GPU][i];
	CHECK(sum == 0 && "all GPU time is on a stack");
}

static uint32_t share_of(int64_t part, int64_t whole)
{
	if (part <= 0 || whole <= 0)
		return 0;
	return (uint32_t)MIN_OF((__int128)part * BILLION / whole, BILLION);
}

static void add_up(struct sides *s)
{
	for (int w = 0; w < WEIGHTS; w++) {
		s->all[w] = NEW(s->a, s->n, int64_t);
		for (stack_id i = s->n; i-- > 0;) {
			s->sum[w] += s->own[w][i];
			s->all[w][i] += s->own[w][i];
			if (s->prefix[i] != NONE)
				s->all[w][s->prefix[i]] += s->all[w][i];
		}
	}
	for (stack_id i = 0; i < s->n; i++)
		s->share[i] = MAX_OF(share_of(s->all[CPU][i], s->sum[CPU]),
				     share_of(s->all[GPU][i], s->sum[GPU]));
}

static struct sides sides_of(const struct profile *host, const struct profile *gpu, struct arena *a)
{
	struct sides s = { .p = host, .a = a, .n = host->stacks.n + 1 };

	for (int w = 0; w < WEIGHTS; w++)
		s.own[w] = NEW(a, s.n, int64_t);
	s.prefix = NEW(a, s.n, stack_id);
	s.share = NEW(a, s.n, uint32_t);
	s.row = NEW(a, s.n, uint32_t);
	if (s.n > 1)
		memcpy(s.prefix, host->stacks.prefix, (s.n - 1) * sizeof(*s.prefix));
	s.prefix[s.n - 1] = NONE;
	add_host(&s);
	add_gpu(&s, gpu);
	add_up(&s);
	return s;
}

/* ---- Folding ---- */

/* Is it the root of work without a launch, of which there is none? */
static bool is_nobody(const struct sides *s, stack_id i)
{
	return i == s->n - 1 && !s->own[GPU][i] && !s->own[COUNT][i];
}

/* Numbers the rows that stay; returns how many there are, those for folded ones included. */
static uint32_t number_rows(struct sides *s, uint32_t least, uint32_t *kept)
{
	struct arena_mark mark = arena_mark(s->a);
	bool *folds = NEW(s->a, (size_t)s->n + 1, bool); /* by stack + 1; 0: roots */
	uint32_t nfolds = 0;

	*kept = 0;
	for (stack_id i = 0; i < s->n; i++) {
		stack_id up = s->prefix[i];
		s->row[i] = NONE;
		if (is_nobody(s, i) || (up != NONE && s->row[up] == NONE))
			continue;
		if (s->share[i] >= least)
			s->row[i] = (*kept)++;
		else if (!folds[up + 1]) {
			folds[up + 1] = true;
			nfolds++;
		}
	}
	arena_rewind(s->a, mark);
	return *kept + nfolds;
}

static uint32_t fold(struct sides *s, uint32_t *least, uint32_t *kept)
{
	static const uint32_t step[] = { 1, 2, 5 };
	uint32_t n = number_rows(s, 0, kept), ten = 1, i = 0;

	for (*least = 0; n > MOST_ROWS && ten < BILLION; i++) {
		*least = step[i % 3] * ten;
		ten *= i % 3 == 2 ? 10 : 1;
		n = number_rows(s, *least, kept);
	}
	return n;
}

/* ---- The table ---- */

struct columns {
	uint32_t n;
	uint32_t *parent, *folded; /* of a row: how many are folded in it; 0: a stack's own */
	const char **name;
	int64_t *weight[WEIGHTS];
};

static void stack_row(const struct sides *s, struct columns *c, stack_id i)
{
	uint32_t row = s->row[i];

	c->parent[row] = s->prefix[i] == NONE ? NONE : s->row[s->prefix[i]];
	c->name[row] = i == s->n - 1 ? "(no launch in the trace)"
				     : profile_name(s->p, s->p->stacks.func[i]).p;
	for (int w = 0; w < WEIGHTS; w++)
		c->weight[w][row] = s->own[w][i];
}

/* Adds a folded stack and all below it to the row of its like. */
static void fold_row(const struct sides *s, struct columns *c, stack_id i, uint32_t *fold_of)
{
	stack_id up = s->prefix[i];
	uint32_t *row = &fold_of[up + 1];

	if (*row == NONE) {
		*row = c->n++;
		c->parent[*row] = up == NONE ? NONE : s->row[up];
	}
	c->folded[*row]++;
	for (int w = 0; w < WEIGHTS; w++)
		c->weight[w][*row] += s->all[w][i];
}

/* 0.0005 for 5000 of 10^9. */
static const char *percent_text(struct arena *a, uint32_t billionths)
{
	char *text = arena_print(a, "%u.%07u", billionths / 10000000, billionths % 10000000);
	size_t n = strlen(text);

	while (text[n - 1] == '0')
		text[--n] = 0;
	if (text[n - 1] == '.')
		text[n - 1] = 0;
	return text;
}

static void fill_columns(const struct sides *s, struct columns *c, uint32_t least, struct arena *a)
{
	uint32_t *fold_of = NEW(s->a, (size_t)s->n + 1, uint32_t);
	const char *below = percent_text(a, least);

	memset(fold_of, 0xff, ((size_t)s->n + 1) * sizeof(*fold_of));
	for (stack_id i = 0; i < s->n; i++) {
		bool shown = s->prefix[i] == NONE || s->row[s->prefix[i]] != NONE;
		if (s->row[i] != NONE)
			stack_row(s, c, i);
		else if (shown && !is_nobody(s, i))
			fold_row(s, c, i, fold_of);
	}
	for (uint32_t i = 0; i < c->n; i++)
		if (c->folded[i])
			c->name[i] = arena_print(a, "(%u more, each below %s %%)", c->folded[i],
						 below);
}

static void check_sums(const struct sides *s, const struct columns *c)
{
	for (int w = 0; w < WEIGHTS; w++) {
		int64_t sum = 0;
		for (uint32_t i = 0; i < c->n; i++)
			sum += c->weight[w][i];
		CHECK(sum == s->sum[w] && "rows of stacks add up");
	}
}

static void table_stacks(struct lp_answer *answer, struct sides *s)
{
	struct arena *a = answer_arena(answer);
	uint32_t least, kept, n = fold(s, &least, &kept);
	struct columns c = { kept, NEW(a, n, uint32_t), NEW(s->a, n, uint32_t),
			     NEW(a, n, const char *) };

	for (int w = 0; w < WEIGHTS; w++)
		c.weight[w] = NEW(a, n, int64_t);
	fill_columns(s, &c, least, a);
	CHECK(c.n == n && "every row is filled");
	check_sums(s, &c);
	for (uint32_t i = 0; i < n; i++)
		c.name[i] = arena_text(a, c.name[i], strlen(c.name[i]));
	struct lp_table *t = answer_table(answer, "stacks", n);
	t->detail = true;
	t->parent = c.parent;
	table_str(t, "name", "name", LP_TREE | LP_NAME, c.name,
		  "the function; (N more ...): what is too short for rows of its own");
	table_i64(t, "cpu_self_ns", "CPU", LP_NSEC, LP_SUM, c.weight[CPU],
		  "host time of its own, waits included");
	table_i64(t, "gpu_self_ns", "GPU", LP_NSEC, LP_SUM, c.weight[GPU],
		  "time of the work it launched itself");
	table_i64(t, "wait_self_ns", "waiting", LP_NSEC, LP_SUM, c.weight[WAIT],
		  "the part of cpu_self_ns that only waits for a GPU");
	table_i64(t, "count", "calls", LP_COUNT, LP_SUM, c.weight[COUNT],
		  "calls; of work without a launch its events");
}

void report_stacks(struct lp_answer *answer, struct trace *tr)
{
	struct lp_error err;
	struct arena scratch = { 0 };
	struct trace_stacks o = { .weight = TRACE_CPU, .sums = true };
	struct profile *host = profile_from_trace(tr, o, &err), *gpu = NULL;

	o.weight = TRACE_GPU;
	if (host && (gpu = profile_from_trace(tr, o, &err))) {
		struct sides s = sides_of(host, gpu, &scratch);
		table_stacks(answer, &s);
	} else {
		answer_doubt(answer, "no call tree in the page: %s", err.text);
	}
	profile_free(host);
	profile_free(gpu);
	arena_free(&scratch);
}
