/*
 * Steps 2 and 3: the call tree repeats.
 *
 *	train()                 a node whose children repeat, with nearly all GPU time below
 *	├ step ├ step ├ step    them, is the loop: its blocks of children are the iterations.
 *
 * Breadth first from the roots, so an enclosing loop wins over one inside it. Worker
 * threads (autograd) are hung into the host thread first, where they run meanwhile.
 * Without a loop in the tree the roots themselves may repeat (no Python recorded).
 *
 * GPU time below a node is two look-ups in prefix sums over the preorder; what hangs
 * from it on other threads is two more.
 */
#include "algo/period.h"
#include "algo/sort.h"
#include "analysis/split.h"

#include <math.h>

struct loops {
	const struct split_work *w;
	const struct tree *t;
	struct arena *a;
	uint32_t *normal; /* per string: dense id of its normal form + 1; 0: not made yet */
	struct strings normals;
	uint32_t nhung;       /* worker roots, by host node, then start */
	node_id *hung, *hook; /* the root, and the host node it hangs from */
	nsec *hung_sum;       /* per node + 1: prefix sums of what hangs from it */
	bool *is_hung;        /* per node */
};

static nsec start_of(const struct loops *lp, node_id u)
{
	return lp->w->tr->ev.ts[lp->t->event[u]];
}

static nsec end_of(const struct loops *lp, node_id u)
{
	return trace_end(lp->w->tr, lp->t->event[u]);
}

static nsec gpu_of(const struct loops *lp, node_id u)
{
	return split_gpu_below(lp->w, u) + lp->hung_sum[lp->t->end[u]] - lp->hung_sum[u];
}

/* ---- worker threads ---- */

/* The thread with the most Python frames; NONE without any. */
static lane_id host_thread(const struct trace *tr, struct arena *a)
{
	uint32_t *frames = NEW(a, (size_t)tr->lanes.n + 1, uint32_t);
	lane_id best = NONE;

	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_PYTHON)
			frames[tr->ev.lane[e]]++;
	for (lane_id l = 0; l < tr->lanes.n; l++)
		if (frames[l] && (best == NONE || frames[l] > frames[best]))
			best = l;
	return best;
}

static bool node_starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	return start_of(ctx, a) < start_of(ctx, b);
}

static bool hook_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct loops *lp = ctx;

	return lp->hook[a] < lp->hook[b];
}

/* Roots of other threads, by start. */
static uint32_t worker_roots(const struct loops *lp, lane_id host, node_id *out)
{
	const struct trace *tr = lp->w->tr;
	uint32_t n = 0;

	for (node_id u = 0; u < lp->t->n; u = lp->t->end[u])
		if (tr->ev.lane[lp->t->event[u]] != host)
			out[n++] = u;
	sort_ids(out, n, NEW(lp->a, (size_t)n + 1, uint32_t), node_starts_before, lp);
	return n;
}

/* The innermost node of the host thread that spans the whole of each worker root. */
static void hang_workers(struct loops *lp)
{
	lane_id host = host_thread(lp->w->tr, lp->a);
	const struct tree *t = lp->t;
	node_id *root = NEW(lp->a, (size_t)t->n + 1, node_id), top = NONE, u = 0;
	uint32_t nroots = host == NONE ? 0 : worker_roots(lp, host, root);

	lp->hook = NEW(lp->a, (size_t)nroots + 1, node_id);
	lp->hung = NEW(lp->a, (size_t)nroots + 1, node_id);
	while (u < t->n && lp->w->tr->ev.lane[t->event[u]] != host)
		u = t->end[u];
	for (uint32_t i = 0; i < nroots; i++) {
		nsec start = start_of(lp, root[i]), end = end_of(lp, root[i]);

		while (u < t->n && lp->w->tr->ev.lane[t->event[u]] == host &&
		       start_of(lp, u) <= start)
			top = u++;
		while (top != NONE && end_of(lp, top) < start)
			top = t->parent[top];
		node_id at = top;
		while (at != NONE && end_of(lp, at) < end)
			at = t->parent[at];
		if (at == NONE)
			continue;
		lp->hook[lp->nhung] = at;
		lp->hung[lp->nhung++] = root[i];
		lp->is_hung[root[i]] = true;
	}
}

static void sum_hung(struct loops *lp)
{
	uint32_t *order = NEW(lp->a, (size_t)lp->nhung + 1, uint32_t);
	node_id *hook = NEW(lp->a, (size_t)lp->nhung + 1, node_id);
	node_id *hung = NEW(lp->a, (size_t)lp->nhung + 1, node_id);

	for (uint32_t i = 0; i < lp->nhung; i++)
		order[i] = i;
	sort_ids(order, lp->nhung, NEW(lp->a, (size_t)lp->nhung + 1, uint32_t), hook_before, lp);
	for (uint32_t i = 0; i < lp->nhung; i++) {
		hook[i] = lp->hook[order[i]];
		hung[i] = lp->hung[order[i]];
		lp->hung_sum[hook[i] + 1] += split_gpu_below(lp->w, hung[i]);
	}
	for (node_id u = 0; u < lp->t->n; u++)
		lp->hung_sum[u + 1] += lp->hung_sum[u];
	lp->hook = hook;
	lp->hung = hung;
}

/* ---- names ---- */

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Addresses and line numbers go: "0x7f12" -> "0x", "loop.py(12): f" -> "loop.py: f". */
static struct str normal_form(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		out[n++] = s.p[i];
		if (n >= 2 && out[n - 2] == '0' && out[n - 1] == 'x') {
			while (i + 1 < s.n && is_hex(s.p[i + 1]))
				i++;
		} else if (n >= 3 && !memcmp(out + n - 3, ".py", 3) && i + 1 < s.n &&
			   s.p[i + 1] == '(') {
			const char *close = memchr(s.p + i, ')', s.n - i);
			if (close)
				i = (size_t)(close - s.p);
		}
	}
	return (struct str){ out, n };
}

static uint32_t normal_of(struct loops *lp, node_id u)
{
	string_id name = lp->w->tr->ev.name[lp->t->event[u]];

	if (name == NONE)
		return strings_add(&lp->normals, "", 0);
	if (!lp->normal[name]) {
		struct str s = normal_form(lp->a, strings_get(&lp->w->tr->strings, name));
		lp->normal[name] = strings_add(&lp->normals, s.p, s.n) + 1;
	}
	return lp->normal[name] - 1;
}

/* ---- one list of siblings ---- */

struct siblings {
	uint32_t n;
	node_id *node;  /* by start */
	uint32_t *name; /* dense within the list */
	nsec *gpu;
	uint32_t nnames;
	nsec *name_gpu; /* sum per name */
	node_id parent; /* NONE for roots */
};

static void name_siblings(struct loops *lp, struct siblings *s)
{
	struct map dense = map_new(lp->a, s->n);

	s->name = NEW(lp->a, s->n, uint32_t);
	s->gpu = NEW(lp->a, s->n, nsec);
	s->name_gpu = NEW(lp->a, s->n, nsec);
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *at = map_at(&dense, normal_of(lp, s->node[i]));

		if (*at == NONE)
			*at = s->nnames++;
		s->name[i] = *at;
		s->gpu[i] = gpu_of(lp, s->node[i]);
		s->name_gpu[*at] += s->gpu[i];
	}
}

static bool is_call(const struct loops *lp, node_id u)
{
	return lp->w->tr->ev.kind[lp->t->event[u]] == KIND_RUNTIME;
}

/* The block of siblings [begin, end) as one iteration. */
static struct root block_root(const struct loops *lp, const struct siblings *s, uint32_t begin,
			      uint32_t end)
{
	const struct trace *tr = lp->w->tr;
	event_id first = lp->t->event[s->node[begin]];
	bool whole = end - begin == 1 || s->parent == NONE;

	return (struct root){
		.start = start_of(lp, s->node[begin]),
		.end = end_of(lp, s->node[end - 1]),
		.lane = tr->ev.lane[first],
		.event = first,
		.name = trace_name(tr, whole ? first : lp->t->event[s->parent]),
		.step = marker_read(STR(""), NULL),
	};
}

struct blocks {
	uint32_t n;
	uint32_t *begin, *end; /* rows of the siblings */
	nsec *gpu;
	nsec total;
	uint32_t period; /* 0: a family of like-named frames */
};

static void sum_blocks(struct blocks *b, const struct siblings *s, struct arena *a)
{
	b->gpu = NEW(a, (size_t)b->n + 1, nsec);
	for (uint32_t i = 0; i < b->n; i++) {
		for (uint32_t k = b->begin[i]; k < b->end[i]; k++)
			b->gpu[i] += s->gpu[k];
		b->total += b->gpu[i];
	}
}

/* Repeating sequences of at least two names; names without GPU work are left out. */
static struct blocks periodic_blocks(struct loops *lp, const struct siblings *s)
{
	uint32_t *row = NEW(lp->a, s->n, uint32_t), *name = NEW(lp->a, s->n, uint32_t), n = 0;
	bool *light = NEW(lp->a, s->n, bool), calls = true;
	struct blocks b = { 0, NEW(lp->a, s->n, uint32_t), NEW(lp->a, s->n, uint32_t), NULL, 0, 0 };

	for (uint32_t i = 0; i < s->n; i++)
		if (s->name_gpu[s->name[i]] > 0) {
			row[n] = i;
			name[n] = s->name[i];
			light[n] = s->gpu[i] == 0;
			calls = calls && is_call(lp, s->node[i]);
			n++;
		}
	struct period p = period_find(name, n, s->nnames, lp->a);
	if (p.length < 2 || calls)
		return b;
	b.n = period_blocks(name, light, n, p, b.begin, b.end);
	b.period = p.length;
	for (uint32_t i = 0; i < b.n; i++) {
		b.begin[i] = row[b.begin[i]];
		b.end[i] = row[b.end[i] - 1] + 1;
	}
	if (b.n < SPLIT_MIN_CHILDREN)
		b.n = 0;
	sum_blocks(&b, s, lp->a);
	return b;
}

/* All siblings of the name with the most GPU time; bare calls of the runtime are no loop. */
static struct blocks family_blocks(struct loops *lp, const struct siblings *s)
{
	uint32_t *count = NEW(lp->a, s->n, uint32_t), best = NONE;
	struct blocks b = { 0, NEW(lp->a, s->n, uint32_t), NEW(lp->a, s->n, uint32_t), NULL, 0, 0 };

	for (uint32_t i = 0; i < s->n; i++)
		count[s->name[i]] += !is_call(lp, s->node[i]);
	for (uint32_t k = 0; k < s->nnames; k++)
		if (count[k] >= SPLIT_MIN_CHILDREN && s->name_gpu[k] > 0 &&
		    (best == NONE || s->name_gpu[k] > s->name_gpu[best]))
			best = k;
	for (uint32_t i = 0; i < s->n && best != NONE; i++)
		if (s->name[i] == best) {
			b.begin[b.n] = i;
			b.end[b.n++] = i + 1;
		}
	sum_blocks(&b, s, lp->a);
	return b;
}

static bool more_gpu(const void *ctx, uint32_t a, uint32_t b)
{
	const struct blocks *x = ctx;

	return x->gpu[a] > x->gpu[b];
}

/*
 * Where the GPU times of the blocks fall by a factor of ten or more, the ones below the
 * largest fall are no iterations (a poll, an empty step), if enough remain above it.
 */
static uint32_t drop_low_gpu(struct blocks *b, struct arena *a)
{
	uint32_t *id = NEW(a, (size_t)b->n + 1, uint32_t), keep = 0, n = 0;
	double largest = 10;

	for (uint32_t i = 0; i < b->n; i++)
		if (b->gpu[i] > 0)
			id[n++] = i;
	sort_ids(id, n, NEW(a, (size_t)n + 1, uint32_t), more_gpu, b);
	for (uint32_t i = SPLIT_MIN_CHILDREN; i < n; i++) {
		double fall = (double)b->gpu[id[i - 1]] / (double)b->gpu[id[i]];

		if (fall >= largest) {
			largest = fall;
			keep = i;
		}
	}
	if (!keep)
		return 0;
	nsec least = b->gpu[id[keep - 1]];
	uint32_t kept = 0, dropped;
	b->total = 0;
	for (uint32_t i = 0; i < b->n; i++)
		if (b->gpu[i] >= least) {
			b->begin[kept] = b->begin[i];
			b->end[kept] = b->end[i];
			b->gpu[kept] = b->gpu[i];
			b->total += b->gpu[kept++];
		}
	dropped = b->n - kept;
	b->n = kept;
	return dropped;
}

/* The better of the two ways to see a loop in one list of siblings. */
static struct root_set candidate(struct loops *lp, struct siblings *s, const char *method)
{
	struct root_set r = root_set_none(NULL);
	struct arena_mark mark = arena_mark(lp->a);

	name_siblings(lp, s);
	struct blocks b = periodic_blocks(lp, s), f = family_blocks(lp, s);
	bool periodic = b.n && b.total >= f.total;
	if (!periodic)
		b = f;
	r.dropped_low_gpu = drop_low_gpu(&b, lp->a);
	if (!b.n || lp->w->total <= 0 || !b.total) {
		arena_rewind(lp->a, mark);
		return r;
	}
	r.method = method;
	r.branch_source = periodic ? "period" : "frame_family";
	r.period = b.period;
	r.n = b.n;
	r.root = NEW(lp->a, b.n, struct root);
	for (uint32_t i = 0; i < b.n; i++)
		r.root[i] = block_root(lp, s, b.begin[i], b.end[i]);
	for (uint32_t i = 0; i < b.begin[0]; i++)
		r.before_ns += s->gpu[i];
	for (uint32_t i = b.end[b.n - 1]; i < s->n; i++)
		r.after_ns += s->gpu[i];
	r.audited_ns = lp->w->total;
	r.branch_coverage = r.coverage_selected = (double)b.total / (double)lp->w->total;
	r.status = split_grade(r.coverage_selected, 1, true);
	return r;
}

/* ---- the search ---- */

/* The children of a node and what hangs from it, by start. */
static struct siblings children_of(const struct loops *lp, node_id u)
{
	const struct tree *t = lp->t;
	struct siblings s = { .parent = u };
	uint32_t lo = 0, hi = lp->nhung;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (lp->hook[mid] < u)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (node_id c = u + 1; c < t->end[u]; c = t->end[c])
		s.n++;
	for (uint32_t k = lo; k < lp->nhung && lp->hook[k] == u; k++)
		s.n++;
	s.node = NEW(lp->a, (size_t)s.n + 1, node_id);
	s.n = 0;
	for (node_id c = u + 1; c < t->end[u]; c = t->end[c])
		s.node[s.n++] = c;
	for (uint32_t k = lo; k < lp->nhung && lp->hook[k] == u; k++)
		s.node[s.n++] = lp->hung[k];
	sort_ids(s.node, s.n, NEW(lp->a, (size_t)s.n + 1, uint32_t), node_starts_before, lp);
	return s;
}

static struct siblings roots_by_start(const struct loops *lp)
{
	struct siblings s = { .parent = NONE, .node = NEW(lp->a, (size_t)lp->t->n + 1, node_id) };

	for (node_id u = 0; u < lp->t->n; u = lp->t->end[u])
		if (!lp->is_hung[u])
			s.node[s.n++] = u;
	sort_ids(s.node, s.n, NEW(lp->a, (size_t)s.n + 1, uint32_t), node_starts_before, lp);
	return s;
}

static void branch_descent(struct loops *lp, const struct siblings *roots, struct root_set *best)
{
	node_id *queue = NEW(lp->a, (size_t)lp->t->n + 1, node_id);
	uint32_t head = 0, tail = 0;

	for (uint32_t i = 0; i < roots->n; i++)
		if (gpu_of(lp, roots->node[i]) > 0)
			queue[tail++] = roots->node[i];
	while (head < tail && !(best->n && best->coverage_selected >= SPLIT_GATE)) {
		struct arena_mark mark = arena_mark(lp->a);
		struct siblings s = children_of(lp, queue[head++]);
		bool better = false;

		for (uint32_t i = 0; i < s.n; i++)
			if (gpu_of(lp, s.node[i]) > 0)
				queue[tail++] = s.node[i];
		if (s.n >= SPLIT_MIN_CHILDREN) {
			struct root_set r = candidate(lp, &s, "generic:branch_descent");

			better = r.n && (!best->n || r.coverage_selected > best->coverage_selected);
			if (better)
				*best = r;
		}
		if (!better)
			arena_rewind(lp->a, mark);
	}
}

bool split_by_tree(const struct split_work *w, struct arena *a, struct root_set *branch,
		   struct root_set *sibling)
{
	struct loops lp = {
		.w = w,
		.t = w->tree,
		.a = a,
		.normal = NEW(a, (size_t)w->tr->strings.n + 1, uint32_t),
		.hung_sum = NEW(a, (size_t)w->tree->n + 1, nsec),
		.is_hung = NEW(a, (size_t)w->tree->n + 1, bool),
	};

	*branch = *sibling = root_set_none(NULL);
	hang_workers(&lp);
	sum_hung(&lp);
	struct siblings roots = roots_by_start(&lp);
	branch_descent(&lp, &roots, branch);
	if (roots.n >= SPLIT_MIN_CHILDREN)
		*sibling = candidate(&lp, &roots, "generic:sibling_roots");
	strings_free(&lp.normals);
	return branch->n || sibling->n;
}
