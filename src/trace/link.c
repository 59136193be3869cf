#include "trace/link.h"

#include "algo/sort.h"
#include "trace/derive.h"
#include "trace/link_build.h"

static bool earlier_in_file(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->gpu[a] < tr->gpu[b];
}

uint32_t links_row(const struct trace *tr, const struct links *l, event_id e)
{
	uint32_t lo = 0, hi = l->n;

	if (!kind_is_gpu(tr->ev.kind[e]))
		return NONE;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tr->gpu[l->by_event[mid]] < e)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->n && tr->gpu[l->by_event[lo]] == e ? l->by_event[lo] : NONE;
}

/* Launches do not depend on the style of tree: both share them. */
static struct links *find_launches(struct trace *tr, enum link_style style)
{
	struct arena scratch = { 0 };
	struct links *out = NEW(&tr->arena, 1, struct links);
	uint32_t n = tr->ngpu;
	struct linking l = { tr, &scratch, NEW(&tr->arena, n, event_id),
			     NEW(&tr->arena, n, uint8_t), NEW(&scratch, n, uint32_t) };

	memset(l.launch, 0xff, n * sizeof(*l.launch));
	memset(l.host, 0xff, n * sizeof(*l.host));
	if (style == LINK_TRACELENS) {
		link_as_tracelens(&l);
	} else {
		link_by_correlation(&l);
		link_by_flow(&l);
		link_by_external_id(&l);
		link_check(&l);
	}
	out->n = n;
	out->gpu = tr->gpu;
	out->launch = l.launch;
	out->how = l.how;
	for (uint32_t i = 0; i < n; i++)
		out->nlinked += l.launch[i] != NONE;
	out->by_event = NEW(&tr->arena, n, uint32_t);
	for (uint32_t i = 0; i < n; i++)
		out->by_event[i] = i;
	sort_ids(out->by_event, n, NEW(&scratch, n, uint32_t), earlier_in_file, tr);
	arena_free(&scratch);
	return out;
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;
	nsec x = tr->ev.ts[tr->gpu[a]], y = tr->ev.ts[tr->gpu[b]];

	return x != y ? x < y : tr->gpu[a] < tr->gpu[b];
}

/* Counts per node, sums up, and deals the rows out: a sort by node that keeps their order. */
static void list_below(const struct trace *tr, struct links *l)
{
	const struct tree *t = l->tree;
	struct arena scratch = { 0 };
	uint32_t *next = NEW(&scratch, t->n + 1, uint32_t), *spare = NEW(&scratch, l->n, uint32_t);

	for (uint32_t i = 0; i < l->n; i++)
		if (l->launch[i] != NONE)
			l->first[t->node[l->launch[i]] + 1]++;
	for (node_id u = 0; u < t->n; u++)
		l->first[u + 1] += l->first[u];
	memcpy(next, l->first, (t->n + 1) * sizeof(*next));
	for (uint32_t i = 0; i < l->n; i++)
		if (l->launch[i] != NONE)
			l->below[next[t->node[l->launch[i]]]++] = i;
	for (node_id u = 0; u < t->n; u++)
		if (l->first[u + 1] - l->first[u] > 1)
			sort_ids(l->below + l->first[u], l->first[u + 1] - l->first[u], spare,
				 starts_before, tr);
	arena_free(&scratch);
}

const struct links *trace_launches(struct trace *tr, enum link_style style)
{
	struct derived *d = trace_derived(tr);

	if (!d->launches[style])
		d->launches[style] = find_launches(tr, style);
	return d->launches[style];
}

const struct links *trace_links(struct trace *tr, enum link_style style, enum tree_style tree)
{
	struct derived *d = trace_derived(tr);

	if (d->links[style][tree])
		return d->links[style][tree];
	struct links *l = NEW(&tr->arena, 1, struct links);
	*l = *trace_launches(tr, style);
	l->tree = trace_tree(tr, tree);
	l->below = NEW(&tr->arena, l->nlinked, uint32_t);
	l->first = NEW(&tr->arena, (size_t)l->tree->n + 1, uint32_t);
	list_below(tr, l);
	d->links[style][tree] = l;
	return l;
}
