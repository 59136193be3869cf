/*
 * Per thread, starts and ends in the order of time are replayed as a stack whose top an end
 * takes off, whatever it is. Then a walk down and up that tree joins each node with the one
 * before it: with its time inside a top-level operator, with nothing between two of them.
 */
#include "algo/sort.h"
#include "analysis/hta.h"

#include <string.h>

/* A thread: rows of one process and thread, the backward pass among those of the forward. */
struct stack {
	int64_t pid, tid;
	uint32_t first, past; /* its rows in `list` */
	bool host;
};

struct stacks {
	struct hta *h;
	uint32_t n;
	struct stack *at;
	uint32_t *list;
	/* the tree of the thread in hand, by row */
	uint32_t *child, *next, *last, *parent;
	/* the walk */
	uint32_t node, depth;
	int64_t owner;
};

static int64_t number_of(const struct hta *h, string_id s)
{
	int64_t x = INT64_MAX;

	if (s != NONE)
		str_i64(strings_get(&h->tr->strings, s), &x);
	return x;
}

/* The only thread with operators or annotations of which the name holds `word`; else NONE. */
static string_id thread_with(const struct hta *h, const char *word)
{
	string_id tid = NONE;

	for (uint32_t i = 0; i < h->nrows; i++) {
		event_id e = h->row[i].event;
		struct str cat = strings_get(&h->tr->cats, h->tr->ev.cat[e]);
		if (!h->row[i].kept || !str_contains(trace_name(h->tr, e), str_of(word)) ||
		    !(str_eq(cat, STR("cpu_op")) || str_eq(cat, STR("user_annotation"))))
			continue;
		string_id here = h->tr->lanes.at[h->tr->ev.lane[e]].tid;
		if (tid != NONE && here != tid)
			return NONE;
		tid = here;
	}
	return tid;
}

static bool stack_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct stack *at = ctx;

	return at[x].pid != at[y].pid ? at[x].pid < at[y].pid : at[x].tid < at[y].tid;
}

static void add_threads(struct stacks *s, uint32_t *stack_of)
{
	struct hta *h = s->h;
	string_id forward = thread_with(h, "forward"), backward = thread_with(h, "autograd");
	struct map index = map_new(h->arena, h->tr->lanes.n);

	for (lane_id l = 0; l < h->tr->lanes.n; l++) {
		const struct lane *lane = &h->tr->lanes.at[l];
		string_id tid = lane->tid;
		if (forward != NONE && backward != NONE && tid == backward)
			tid = forward;
		stack_of[l] = NONE;
		if (lane->gpu)
			continue;
		uint32_t *at = map_at(&index, (uint64_t)lane->pid << 32 | tid);
		if (*at == NONE) {
			*at = s->n++;
			s->at[*at] = (struct stack){ number_of(h, lane->pid), number_of(h, tid), 0,
						     0, true };
		}
		stack_of[l] = *at;
	}
}

static void find_threads(struct stacks *s)
{
	struct hta *h = s->h;
	uint32_t *stack_of = NEW(h->arena, h->tr->lanes.n, uint32_t), n = 0;

	s->at = NEW(h->arena, h->tr->lanes.n, struct stack);
	add_threads(s, stack_of);
	for (uint32_t i = 0; i < h->nrows; i++) {
		uint32_t k = stack_of[h->tr->ev.lane[h->row[i].event]];
		if (k != NONE && h->row[i].kept) {
			s->at[k].past++;
			s->at[k].host = s->at[k].host && h->row[i].stream < 0;
		}
	}
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t rows = s->at[k].past;
		s->at[k].first = s->at[k].past = n;
		n += rows;
	}
	s->list = NEW(h->arena, n, uint32_t);
	for (uint32_t i = 0; i < h->nrows; i++) {
		uint32_t k = stack_of[h->tr->ev.lane[h->row[i].event]];
		if (k != NONE && h->row[i].kept)
			s->list[s->at[k].past++] = i;
	}
}

/* ---- The tree ---- */

/* Marks 2i and 2i + 1 are the start and the end of the i-th row of the thread. */
struct marks {
	const struct hta *h;
	const uint32_t *list;
};

static bool mark_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct marks *m = ctx;
	const struct hta_row *a = &m->h->row[m->list[x / 2]], *b = &m->h->row[m->list[y / 2]];
	usec da = a->end - a->ts, db = b->end - b->ts;
	usec at = x % 2 ? a->end : a->ts, bt = y % 2 ? b->end : b->ts;

	if (at != bt)
		return at < bt;
	if (x % 2 != y % 2) /* an end before the start of another */
		return x % 2;
	if (da != db)
		return x % 2 ? da < db : da > db;
	return x % 2 ? a->event > b->event : a->event < b->event;
}

static void hang(struct stacks *s, uint32_t parent, uint32_t row)
{
	uint32_t p = parent == NONE ? s->h->nrows : parent;

	s->parent[row] = parent;
	s->child[row] = s->next[row] = s->last[row] = NONE;
	if (s->child[p] == NONE)
		s->child[p] = row;
	else
		s->next[s->last[p]] = row;
	s->last[p] = row;
}

static void build_tree(struct stacks *s, const struct stack *t)
{
	struct arena scratch = { 0 };
	uint32_t n = t->past - t->first, depth = 0;
	uint32_t *mark = NEW(&scratch, 2 * (size_t)n, uint32_t);
	uint32_t *open = NEW(&scratch, n, uint32_t);
	struct marks m = { s->h, s->list + t->first };

	s->child[s->h->nrows] = NONE;
	for (uint32_t i = 0; i < 2 * n; i++)
		mark[i] = i;
	sort_ids(mark, 2 * n, NEW(&scratch, 2 * (size_t)n, uint32_t), mark_before, &m);
	for (uint32_t i = 0; i < 2 * n; i++) {
		uint32_t row = m.list[mark[i] / 2];
		if (mark[i] % 2 == 0) {
			hang(s, depth ? open[depth - 1] : NONE, row);
			open[depth++] = row;
		} else if (depth) {
			depth--;
		}
	}
	arena_free(&scratch);
}

/* ---- The walk ---- */

/* Two nodes whose order the lock has settled: both of locking calls, and no gap between two. */
static bool share_lock(const struct hta *h, uint32_t a, uint32_t b)
{
	return hta_is_locking(hta_name(h, h->node[a].row)) &&
	       hta_is_locking(hta_name(h, h->node[b].row)) && (!h->node[a].end || h->node[b].end);
}

/* Whose time a span is: of the event it begins in, or ends with, or of what lies around. */
static int64_t span_owner(const struct stacks *s, uint32_t from, uint32_t to)
{
	const struct hta *h = s->h;

	if (!h->node[from].end)
		return h->row[h->node[from].row].event;
	return h->node[to].end ? h->row[h->node[to].row].event : s->owner;
}

static int64_t parent_event(const struct stacks *s, uint32_t row)
{
	return s->parent[row] == NONE ? -1 : (int64_t)s->h->row[s->parent[row]].event;
}

static void enter(struct stacks *s, uint32_t row)
{
	struct hta *h = s->h;
	uint32_t node = h->starts[row];

	if (node == NONE)
		return;
	if (s->node != NONE && !share_lock(h, s->node, node))
		hta_join(h, s->node, node, s->depth ? HTA_SPAN : HTA_DEPENDENCY, false,
			 span_owner(s, s->node, node));
	s->node = node;
	s->owner = parent_event(s, row);
	s->depth++;
}

static void leave(struct stacks *s, uint32_t row)
{
	struct hta *h = s->h;
	uint32_t node = h->ends[row];

	if (node == NONE)
		return;
	if (s->node != NONE && !share_lock(h, s->node, node))
		hta_join(h, s->node, node, HTA_SPAN, hta_is_blocking(hta_name(h, row)),
			 span_owner(s, s->node, node));
	s->node = node;
	s->owner = parent_event(s, row);
	s->depth--;
}

static void walk_tree(struct stacks *s)
{
	uint32_t row = s->child[s->h->nrows];

	s->node = NONE;
	s->depth = 0;
	s->owner = -1;
	while (row != NONE) {
		enter(s, row);
		if (s->child[row] != NONE) {
			row = s->child[row];
			continue;
		}
		leave(s, row);
		while (s->next[row] == NONE && s->parent[row] != NONE) {
			row = s->parent[row];
			leave(s, row);
		}
		row = s->next[row];
	}
}

void hta_stacks(struct hta *h)
{
	size_t n = h->nrows + (size_t)1;
	struct stacks s = { .h = h,
			    .child = NEW(h->arena, n, uint32_t),
			    .next = NEW(h->arena, n, uint32_t),
			    .last = NEW(h->arena, n, uint32_t),
			    .parent = NEW(h->arena, n, uint32_t) };

	find_threads(&s);
	uint32_t *order = NEW(h->arena, s.n, uint32_t);
	for (uint32_t k = 0; k < s.n; k++)
		order[k] = k;
	sort_ids(order, s.n, NEW(h->arena, s.n, uint32_t), stack_before, s.at);
	for (uint32_t k = 0; k < s.n; k++) {
		const struct stack *t = &s.at[order[k]];
		if (!t->host || t->first == t->past)
			continue;
		build_tree(&s, t);
		walk_tree(&s);
	}
}
