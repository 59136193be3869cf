/*
 * Kernel details: each distinct (name, stream) of the trace has a number, found once
 * per GPU event. A group then gathers its events in a list with one entry per number;
 * `stamp` says whether the entry at `place` is of this group, so nothing is cleared
 * between groups.
 */
#include "analysis/ops_text.h"

#include "algo/sort.h"
#include "base/map.h"
#include "base/textbuf.h"

#include <inttypes.h>

static struct str text_of(const struct trace *tr, string_id s)
{
	return s == NONE ? STR("") : strings_get(&tr->strings, s);
}

const char *ops_text_name(struct arena *a, const struct trace *tr, string_id name, string_id kernel)
{
	if (kernel == NONE)
		return text_of(tr, name).p;
	return arena_print(a, "%.*s->%.*s (Synthetic Op)", STR_ARGS(text_of(tr, name)),
			   STR_ARGS(text_of(tr, kernel)));
}

const char *ops_text_lane(struct arena *a, const struct trace *tr, lane_id id)
{
	const struct lane *lane = &tr->lanes.at[id];

	if (lane->gpu)
		return arena_print(a, "gpu %" PRId64 " stream %" PRId64, lane->device,
				   lane->stream);
	if (lane->thread_name == NONE)
		return arena_print(a, "cpu thread %.*s", STR_ARGS(text_of(tr, lane->tid)));
	return arena_print(a, "cpu %.*s", STR_ARGS(text_of(tr, lane->thread_name)));
}

/* Stacks hold frames and operators; a launch is no frame. */
static node_id frame_at_or_above(const struct trace *tr, const struct tree *t, node_id i)
{
	while (i != NONE && tr->ev.kind[t->event[i]] == KIND_RUNTIME)
		i = t->parent[i];
	return i;
}

const char *ops_text_stack(struct arena *a, const struct trace *tr, const struct links *l,
			   const struct ops_rows *rows, uint32_t row)
{
	const struct ops_row *r = &rows->at[row];
	const struct tree *t = l->tree;
	node_id node = r->node;
	uint32_t n = 0, depth = 0;

	if (r->synthetic) /* down to the call, which may be far below the operator */
		node = t->node[l->launch[rows->work[r->first]]];
	struct arena scratch = { 0 };
	struct textbuf text = { .arena = &scratch };

	for (node_id i = frame_at_or_above(tr, t, node); i != NONE;
	     i = frame_at_or_above(tr, t, t->parent[i]))
		n++;
	node_id *path = NEW(&scratch, n, node_id);
	for (node_id i = frame_at_or_above(tr, t, node); i != NONE;
	     i = frame_at_or_above(tr, t, t->parent[i]))
		path[n - ++depth] = i;
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			textbuf_add(&text, STR(";"));
		textbuf_add(&text, trace_name(tr, t->event[path[i]]));
	}
	const char *stack = textbuf_keep(&text, a);
	arena_free(&scratch);
	return stack;
}

struct detail {
	event_id example;
	uint32_t count;
	nsec total, min, max;
};

struct details {
	const struct trace *tr;
	const struct links *l;
	const struct gpu_window *window;
	struct arena scratch;
	uint32_t *pair;  /* of each row of links.gpu: the number of its name and stream */
	uint32_t *stamp; /* of each pair: the group that saw it last, + 1 */
	uint32_t *place; /* of each pair: its entry in at[] */
	struct detail *at;
	uint32_t n;
	uint32_t *order, *spare;
};

static struct details details_new(const struct trace *tr, const struct links *l,
				  const struct gpu_window *window)
{
	struct details d = { .tr = tr, .l = l, .window = window };
	uint32_t npairs = 0;

	d.pair = NEW(&d.scratch, l->n, uint32_t);
	struct map number = map_new(&d.scratch, l->n);
	for (uint32_t i = 0; i < l->n; i++) {
		event_id e = l->gpu[i];
		uint32_t *at = map_at(&number, (uint64_t)tr->ev.name[e] << 32 | tr->ev.lane[e]);
		if (*at == NONE)
			*at = npairs++;
		d.pair[i] = *at;
	}
	d.stamp = NEW(&d.scratch, npairs, uint32_t);
	d.place = NEW(&d.scratch, npairs, uint32_t);
	d.at = NEW(&d.scratch, npairs, struct detail);
	d.order = NEW(&d.scratch, npairs, uint32_t);
	d.spare = NEW(&d.scratch, npairs, uint32_t);
	return d;
}

static void add_event(struct details *d, uint32_t group, uint32_t gpu)
{
	uint32_t pair = d->pair[gpu];
	event_id e = d->l->gpu[gpu];

	if (d->stamp[pair] != group + 1) {
		d->stamp[pair] = group + 1;
		d->place[pair] = d->n;
		d->at[d->n++] = (struct detail){ e, 0, 0, INT64_MAX, 0 };
	}
	struct detail *at = &d->at[d->place[pair]];
	at->count++;
	if (!trace_timed(d->tr, e))
		return;
	nsec length = gpu_window_length(d->window, d->tr, e);
	at->total += length;
	at->min = MIN_OF(at->min, length);
	at->max = MAX_OF(at->max, length);
}

static bool detail_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct details *d = ctx;
	const struct detail *x = &d->at[a], *y = &d->at[b];

	if (x->total != y->total)
		return x->total > y->total;
	int c = str_cmp(trace_name(d->tr, x->example), trace_name(d->tr, y->example));
	if (c)
		return c < 0;
	return d->tr->lanes.at[d->tr->ev.lane[x->example]].stream <
	       d->tr->lanes.at[d->tr->ev.lane[y->example]].stream;
}

static void print_detail(const struct details *d, const struct detail *at, struct textbuf *text)
{
	const struct lane *lane = &d->tr->lanes.at[d->tr->ev.lane[at->example]];

	textbuf_print(text, "%s{\"name\":", text->n ? "," : "[");
	textbuf_json(text, trace_name(d->tr, at->example));
	textbuf_print(text,
		      ",\"device\":%" PRId64 ",\"stream\":%" PRId64
		      ",\"count\":%u,\"total_ns\":%" PRId64,
		      lane->device, lane->stream, at->count, at->total);
	if (at->min <= at->max)
		textbuf_print(text, ",\"min_ns\":%" PRId64 ",\"max_ns\":%" PRId64, at->min,
			      at->max);
	textbuf_add(text, STR("}"));
}

static void print_details(struct details *d, struct textbuf *text)
{
	for (uint32_t i = 0; i < d->n; i++)
		d->order[i] = i;
	sort_ids(d->order, d->n, d->spare, detail_before, d);
	for (uint32_t i = 0; i < d->n; i++)
		print_detail(d, &d->at[d->order[i]], text);
	textbuf_add(text, STR("]"));
}

const char **ops_text_kernels(struct arena *a, const struct trace *tr, const struct links *l,
			      const struct ops_rows *rows, const struct ops_groups *g)
{
	struct details d = details_new(tr, l, &rows->window);
	struct textbuf text = { .arena = &d.scratch };
	const char **out = NEW(a, g->n, const char *);

	for (uint32_t i = 0; i < g->n; i++) {
		d.n = 0;
		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++) {
			uint32_t row = g->row[k];
			for (uint32_t w = rows->at[row].first; w < rows->at[row + 1].first; w++)
				add_event(&d, i, rows->work[w]);
		}
		print_details(&d, &text);
		out[i] = textbuf_keep(&text, a);
	}
	arena_free(&d.scratch);
	return out;
}
