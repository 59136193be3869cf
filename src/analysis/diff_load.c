/*
 * The call tree is in preorder already; it is copied thread by thread, and where a call
 * closes, the GPU events it launched are put behind what it called. Calls that launched
 * nothing and hold nothing (occupancy questions, queries) are no part of the program's
 * shape and are left out. Last come the GPU events without a launch, by name.
 */
#include "analysis/diff_load.h"

#include "algo/sort.h"
#include "base/check.h"
#include "analysis/gpu_window.h"
#include "analysis/split_window.h"

struct loader {
	struct diff_sides *d;
	struct diff_side *s;
	struct trace *tr;
	const struct links *l;
	const struct tree *t;
	struct window host;
	struct gpu_window gpu;
	uint8_t *keep;  /* of each node of the call tree */
	uint32_t *name; /* of each string of the trace, once it has been asked for */
	struct arena scratch;
};

static uint32_t name_of(struct loader *o, event_id e)
{
	string_id s = o->tr->ev.name[e];

	if (s == NONE)
		return diff_names_add(&o->d->names, STR(""));
	if (o->name[s] == NONE)
		o->name[s] = diff_names_add(&o->d->names, strings_get(&o->tr->strings, s));
	return o->name[s];
}

static enum diff_kind kind_of(const struct trace *tr, event_id e)
{
	switch ((enum kind)tr->ev.kind[e]) {
	case KIND_PYTHON:
		return DIFF_PYTHON;
	case KIND_RUNTIME:
		return name_is_graph_launch(trace_name(tr, e)) ? DIFF_GRAPH : DIFF_CALL;
	case KIND_KERNEL:
	case KIND_COLLECTIVE:
		return DIFF_KERNEL;
	case KIND_COPY:
		return DIFF_COPY;
	case KIND_SET:
		return DIFF_SET;
	default:
		return DIFF_OP;
	}
}

static uint32_t add_node(struct loader *o, uint32_t parent, enum diff_kind kind, event_id e,
			 uint32_t name)
{
	struct diff_side *s = o->s;
	uint32_t i = s->n++;

	s->kind[i] = (uint8_t)kind;
	s->name[i] = name;
	s->parent[i] = parent;
	s->event[i] = e;
	s->dims[i] = s->types[i] = NONE;
	return i;
}

static uint32_t add_event(struct loader *o, uint32_t parent, event_id e)
{
	return add_node(o, parent, kind_of(o->tr, e), e, name_of(o, e));
}

static bool runs_in_window(const struct loader *o, event_id e)
{
	nsec start = o->tr->ev.ts[e], end = start + MAX_OF(o->tr->ev.dur[e], 1);

	return o->host.whole || (start < o->host.end && end > o->host.start);
}

static bool launches_some(const struct loader *o, node_id i)
{
	for (uint32_t w = o->l->first[i]; w < o->l->first[i + 1]; w++)
		if (gpu_window_has(&o->gpu, o->l->below[w]))
			return true;
	return false;
}

static void choose_nodes(struct loader *o)
{
	const struct tree *t = o->t;

	o->keep = NEW(&o->scratch, t->n, uint8_t);
	for (node_id i = t->n; i-- > 0;) {
		bool call = o->tr->ev.kind[t->event[i]] == KIND_RUNTIME;

		o->keep[i] |= launches_some(o, i) || (!call && runs_in_window(o, t->event[i]));
		if (o->keep[i] && t->parent[i] != NONE)
			o->keep[t->parent[i]] = 1;
	}
}

/* A call outside of all operators is known by what it launches, not by its own name. */
static void name_bare_launch(struct loader *o, uint32_t node, node_id call)
{
	struct diff_side *s = o->s;
	uint32_t from = o->l->first[call];

	if (s->parent[node] || s->kind[node] != DIFF_CALL || o->l->first[call + 1] - from != 1)
		return;
	struct str kernel = trace_name(o->tr, o->l->gpu[o->l->below[from]]);
	char *text = arena_print(&o->scratch, "(launch of) %.*s", STR_ARGS(kernel));
	s->name[node] = diff_names_add(&o->d->names, str_of(text));
}

/* Node i of the call tree ends: what it launched comes last. */
static void close_node(struct loader *o, uint32_t node, node_id i)
{
	name_bare_launch(o, node, i);
	for (uint32_t w = o->l->first[i]; w < o->l->first[i + 1]; w++)
		if (gpu_window_has(&o->gpu, o->l->below[w]))
			add_event(o, node, o->l->gpu[o->l->below[w]]);
}

static void add_lane(struct loader *o, lane_id lane, uint32_t *node)
{
	const struct tree *t = o->t;
	node_id open = NONE;

	for (node_id i = t->lane_begin[lane]; i <= t->lane_end[lane]; i++) {
		bool over = i == t->lane_end[lane];

		for (; open != NONE && (over || i >= t->end[open]); open = t->parent[open])
			close_node(o, node[open], open);
		if (over || !o->keep[i])
			continue;
		node[i] = add_event(o, open == NONE ? 0 : node[open], t->event[i]);
		open = i;
	}
}

/* Those that have nodes, by their first start. */
static bool lane_begins_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct loader *o = ctx;
	nsec x = o->tr->ev.ts[o->t->event[o->t->lane_begin[a]]];
	nsec y = o->tr->ev.ts[o->t->event[o->t->lane_begin[b]]];

	return x != y ? x < y : o->t->lane_begin[a] < o->t->lane_begin[b];
}

static void add_lanes(struct loader *o)
{
	uint32_t n = 0, *lane = NEW(&o->scratch, o->tr->lanes.n, uint32_t);
	uint32_t *node = NEW(&o->scratch, o->t->n, uint32_t);

	for (lane_id l = 0; l < o->tr->lanes.n; l++)
		if (o->t->lane_begin[l] < o->t->lane_end[l])
			lane[n++] = l;
	sort_ids(lane, n, NEW(&o->scratch, n, uint32_t), lane_begins_before, o);
	for (uint32_t i = 0; i < n; i++)
		add_lane(o, lane[i], node);
}

/* GPU events without a launch: by the bytes of their names, then by start. */
static bool loose_before(const void *ctx, uint32_t a, uint32_t b)
{
	struct loader *o = (struct loader *)(uintptr_t)ctx;
	const struct strings *s = &o->d->names.strings;
	uint32_t x = name_of(o, a), y = name_of(o, b);

	if (x != y)
		return str_cmp(s->at[x], s->at[y]) < 0;
	return o->tr->ev.ts[a] < o->tr->ev.ts[b];
}

static void add_loose(struct loader *o)
{
	uint32_t n = 0, total = o->l->n - o->l->nlinked, group = NONE, last = NONE;
	event_id *loose = NEW(&o->scratch, total, event_id);

	for (uint32_t i = 0; i < o->l->n; i++)
		if (o->l->launch[i] == NONE && gpu_window_has(&o->gpu, i)) {
			loose[n++] = o->l->gpu[i];
			name_of(o, o->l->gpu[i]);
		}
	sort_ids(loose, n, NEW(&o->scratch, n, uint32_t), loose_before, o);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t name = name_of(o, loose[i]);

		if (name != last) {
			struct str text = strings_get(&o->d->names.strings, name);
			char *of = arena_print(&o->scratch, "(no launch) %.*s", STR_ARGS(text));

			last = name;
			group = add_node(o, 0, DIFF_LOOSE, NONE,
					 diff_names_add(&o->d->names, str_of(of)));
		}
		add_event(o, group, loose[i]);
	}
}

static void make_room(struct loader *o)
{
	diff_side_room(o->s, &o->d->arena, 1 + o->t->n + o->l->n + (o->l->n - o->l->nlinked));
	o->name = NEW(&o->scratch, o->tr->strings.n, uint32_t);
	memset(o->name, 0xff, o->tr->strings.n * sizeof(uint32_t));
}

static void set_ends(struct diff_side *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		s->end[i] = i + 1;
	for (uint32_t i = s->n; i-- > 1;)
		s->end[s->parent[i]] = MAX_OF(s->end[s->parent[i]], s->end[i]);
}

/* `seen` has, for each string of the trace, its number once it has been asked for. */
static uint32_t shape_of(struct diff_sides *d, const struct trace *tr, event_id e, uint16_t key,
			 uint32_t *seen)
{
	struct arg a;

	if (!arg_find(tr, e, key, &a) || (a.type != ARG_TEXT && a.type != ARG_STR))
		return NONE;
	if (seen[a.value] == NONE) {
		struct str text = strings_get(&tr->strings, a.value);

		seen[a.value] = strings_add(&d->shapes, text.p, text.n);
	}
	return seen[a.value];
}

void diff_load_shapes(struct diff_sides *d, int side)
{
	struct diff_side *s = &d->side[side];
	struct arena scratch = { 0 };
	uint32_t *seen = NEW(&scratch, s->tr->strings.n, uint32_t);

	memset(seen, 0xff, s->tr->strings.n * sizeof(*seen));
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->kind[i] != DIFF_OP)
			continue;
		s->dims[i] = shape_of(d, s->tr, s->event[i], KEY_INPUT_DIMS, seen);
		s->types[i] = shape_of(d, s->tr, s->event[i], KEY_INPUT_TYPE, seen);
	}
	arena_free(&scratch);
}

static uint32_t count_gpu(const struct diff_side *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += diff_is_gpu(s->kind[i]);
	return n;
}

static bool load_side(struct diff_sides *d, int k, struct trace *tr, struct diff_load_options opt,
		      struct lp_error *err)
{
	struct loader o = { .d = d, .s = &d->side[k], .tr = tr };

	o.l = trace_links(tr, LINK_BEST, opt.python ? TREE_FULL : TREE_NO_PYTHON);
	o.t = o.l->tree;
	o.s->tr = tr;
	bool fine = split_window(tr, opt.window, &o.host, err) &&
		    gpu_window(&o.scratch, tr, o.l, opt.window, &o.gpu, err);
	if (fine) {
		o.s->from = o.gpu.from;
		o.s->to = o.gpu.to;
		make_room(&o);
		choose_nodes(&o);
		add_node(&o, NONE, DIFF_TRACE, NONE, diff_names_add(&d->names, STR("")));
		add_lanes(&o);
		add_loose(&o);
		set_ends(o.s);
		diff_load_shapes(d, k);
		CHECK(count_gpu(o.s) == o.gpu.n); /* every GPU event, once */
	}
	arena_free(&o.scratch);
	return fine;
}

bool diff_load(struct diff_sides *d, struct trace *before, struct trace *after,
	       struct diff_load_options o, struct lp_error *err)
{
	d->names.style = DIFF_OPTIMAL;
	if (!load_side(d, 0, before, o, err) || !load_side(d, 1, after, o, err))
		return false;
	diff_sides_finish(d);
	return true;
}
