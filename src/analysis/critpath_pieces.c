/*
 * The rows of a thread are replayed as a stack; what is on top of it, the event that began
 * last and still runs, has the time. So an event's pieces are what its children leave of it,
 * and nothing is lost where an event outlives the one it began in.
 *
 *	rows     [ a ..................... )        [ e )
 *	           [ b ....... )[ c )
 *	               [ d )
 *	pieces   [a|b |d |b   |c   |a      )  hole  [e  )
 *
 * While a wait holds the thread its rows are passed over.
 *
 * A hole ends by a hand-off if a top-level event of another thread of the process ended in it:
 * the last one that did.
 */
#include "algo/sort.h"
#include "analysis/critpath_input.h"

/* A top-level event has ended: others may go on. */
struct top_end {
	nsec at;
	uint32_t thread;
};

struct pieces {
	struct path_source *s;
	struct path_piece *at;
	uint32_t n;
	uint32_t nends;
	struct top_end *end;
	uint32_t *end_order; /* by process, time */

	/* of the thread in hand */
	uint32_t depth;
	event_id *stack;
	nsec pos;    /* all before it is settled */
	nsec loader; /* until when a data loader runs */
};

/* Without an array it only counts. */
static void piece_add(struct pieces *p, nsec start, nsec end, event_id e, enum path_class c)
{
	if (p->at)
		p->at[p->n] = (struct path_piece){ start, end, e, 0, c };
	p->n++;
}

/* The top of the stack has the time up to `until`; what is left of a loader's span, nobody. */
static void settle(struct pieces *p, nsec until)
{
	if (until <= p->pos)
		return;
	event_id e = p->stack[p->depth - 1];
	nsec loads = MIN_OF(MAX_OF(p->loader, p->pos), until);
	bool span = p->s->tr->ev.kind[e] == KIND_ANNOTATION;

	if (loads > p->pos)
		piece_add(p, p->pos, loads, span ? NONE : e, PATH_DATA_LOADING);
	if (until > loads)
		piece_add(p, loads, until, e, critpath_event_class(&p->s->names, e));
	p->pos = until;
}

static nsec row_end(const struct path_source *s, event_id e)
{
	return trace_end(s->tr, e) - s->tr->base;
}

/* Closes what ends by `t` and settles the time up to it. */
static void advance(struct pieces *p, nsec t)
{
	while (p->depth && row_end(p->s, p->stack[p->depth - 1]) <= t) {
		settle(p, row_end(p->s, p->stack[p->depth - 1]));
		p->depth--;
	}
	if (p->depth)
		settle(p, t);
	p->pos = MAX_OF(p->pos, t);
}

static bool loads_data(const struct path_source *s, event_id e)
{
	enum kind k = s->tr->ev.kind[e];

	return k == KIND_ANNOTATION ||
	       (k == KIND_CPU_OP && critpath_is_loader(trace_name(s->tr, e)));
}

/* Up to `t`, past the waits that begin by then. */
static void advance_past_waits(struct pieces *p, uint32_t thread, uint32_t *wait, nsec t)
{
	const struct path_wait *w = p->s->wait;

	for (; *wait < p->s->nwaits && w[*wait].track == thread && w[*wait].start <= t; ++*wait) {
		advance(p, w[*wait].start);
		p->pos = w[*wait].end;
	}
	advance(p, t);
}

static void thread_pieces(struct pieces *p, uint32_t thread, uint32_t *wait)
{
	struct path_source *s = p->s;
	const struct host_thread *t = &s->host.thread[thread];

	p->depth = 0;
	p->pos = p->loader = INT64_MIN;
	for (uint32_t i = t->first; i < t->past; i++) {
		event_id e = s->host.row[i];

		if (!s->tr->ev.dur[e])
			continue;
		advance_past_waits(p, thread, wait, s->tr->ev.ts[e] - s->tr->base);
		if (row_end(s, e) <= p->pos) /* all of it within a wait */
			continue;
		p->stack[p->depth++] = e;
		if (loads_data(s, e))
			p->loader = MAX_OF(p->loader, row_end(s, e));
	}
	advance_past_waits(p, thread, wait, INT64_MAX);
}

/* ---- Hand-offs ---- */

static void top_end_add(struct pieces *p, uint32_t thread, nsec at)
{
	if (p->end)
		p->end[p->nends] = (struct top_end){ at, thread };
	p->nends++;
}

/* Python frames are context: an operator below nothing but frames is at the top too. */
static void thread_top_ends(struct pieces *p, uint32_t thread)
{
	struct path_source *s = p->s;
	const struct host_thread *t = &s->host.thread[thread];
	nsec covered = INT64_MIN, covered_by_ops = INT64_MIN;

	for (uint32_t i = t->first; i < t->past; i++) {
		event_id e = s->host.row[i];
		enum kind k = s->tr->ev.kind[e];
		nsec start = s->tr->ev.ts[e] - s->tr->base, end = row_end(s, e);
		bool op = k == KIND_CPU_OP || k == KIND_RUNTIME;

		if (k == KIND_ANNOTATION || k == KIND_OVERHEAD || end == start)
			continue;
		if (start >= covered || (op && start >= covered_by_ops))
			top_end_add(p, thread, end);
		covered = MAX_OF(covered, end);
		if (op)
			covered_by_ops = MAX_OF(covered_by_ops, end);
	}
}

static bool top_end_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct pieces *p = ctx;
	const struct top_end *a = &p->end[x], *b = &p->end[y];
	const struct host_thread *thread = p->s->host.thread;

	if (thread[a->thread].process != thread[b->thread].process)
		return thread[a->thread].process < thread[b->thread].process;
	return a->at < b->at;
}

static void sort_top_ends(struct pieces *p)
{
	for (int fill = 0; fill < 2; fill++) {
		p->end = fill ? NEW(p->s->arena, p->nends, struct top_end) : NULL;
		p->nends = 0;
		for (uint32_t k = 0; k < p->s->host.nthreads; k++)
			thread_top_ends(p, k);
	}
	p->end_order = NEW(p->s->arena, p->nends, uint32_t);
	for (uint32_t i = 0; i < p->nends; i++)
		p->end_order[i] = i;
	sort_ids(p->end_order, p->nends, NEW(p->s->arena, p->nends, uint32_t), top_end_before, p);
}

/* The last end of another thread of the process in (from, to]; NULL if there is none. */
static const struct top_end *handed_off(const struct pieces *p, uint32_t thread, nsec from, nsec to)
{
	const struct host_thread *threads = p->s->host.thread;
	uint32_t process = threads[thread].process, lo = 0, hi = p->nends;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct top_end *e = &p->end[p->end_order[mid]];
		if (threads[e->thread].process < process ||
		    (threads[e->thread].process == process && e->at <= to))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo > 0; lo--) {
		const struct top_end *e = &p->end[p->end_order[lo - 1]];
		if (threads[e->thread].process != process || e->at <= from)
			break;
		if (e->thread != thread)
			return e;
	}
	return NULL;
}

static void hand_off(struct pieces *p, uint32_t thread, nsec from, nsec to)
{
	const struct top_end *e = from < to ? handed_off(p, thread, from, to) : NULL;

	if (e)
		critpath_add(p->s, (struct path_constraint){ e->thread, thread, e->at, to,
							     EDGE_HANDOFF, EDGE_INFERRED });
}

/* A frame that only waits for other threads is a hole, when one of them ended in it. */
static void drop_waiting_frames(struct pieces *p, uint32_t thread, uint32_t first)
{
	uint32_t kept = first;

	for (uint32_t i = first; i < p->n; i++) {
		struct path_piece *x = &p->at[i];
		bool waits = x->class == PATH_PYTHON && i + 1 < p->n && x[1].start == x->end &&
			     critpath_is_waiting_frame(trace_name(p->s->tr, x->event)) &&
			     handed_off(p, thread, x->start, x->end);
		if (!waits)
			p->at[kept++] = *x;
	}
	p->n = kept;
}

/* Pieces and waits of a thread, by start: what lies between them is a hole. */
static void thread_holes(struct pieces *p, uint32_t thread, uint32_t first, uint32_t *wait)
{
	const struct path_wait *w = p->s->wait;
	nsec busy = INT64_MIN;

	for (uint32_t i = first; i < p->n || (*wait < p->s->nwaits && w[*wait].track == thread);) {
		bool waits = *wait < p->s->nwaits && w[*wait].track == thread &&
			     (i == p->n || w[*wait].start < p->at[i].start);
		nsec start = waits ? w[*wait].start : p->at[i].start;
		hand_off(p, thread, busy, start);
		busy = waits ? w[*wait].end : p->at[i].end;
		if (waits)
			++*wait;
		else
			i++;
	}
}

/* ---- All of it ---- */

static uint32_t count_pieces(struct pieces *p)
{
	uint32_t wait = 0;

	for (uint32_t k = 0; k < p->s->host.nthreads; k++)
		thread_pieces(p, k, &wait);
	uint32_t n = p->n + p->s->gpu.nops;
	p->n = 0;
	return n;
}

void critpath_pieces(struct path_source *s, struct path_input *in, struct path_track *track)
{
	struct pieces p = { .s = s, .stack = NEW(s->arena, s->host.nrows, event_id) };
	uint32_t wait = 0, hole_wait = 0;

	sort_top_ends(&p);
	p.at = NEW(s->arena, (size_t)count_pieces(&p) + 1, struct path_piece);
	for (uint32_t k = 0; k < s->host.nthreads; k++) {
		uint32_t first = p.n;
		thread_pieces(&p, k, &wait);
		drop_waiting_frames(&p, k, first);
		thread_holes(&p, k, first, &hole_wait);
		track[k] = (struct path_track){ s->host.thread[k].lane, false, first, p.n };
	}
	for (uint32_t i = 0; i < s->gpu.nops; i++) {
		const struct gpu_op *op = &s->gpu.op[i];
		track[op_track(s, i)] = (struct path_track){ s->gpu.stream[op->stream].lane, true,
							     p.n, p.n + 1 };
		piece_add(&p, op->start, op->end, op->event,
			  critpath_event_class(&s->names, op->event));
	}
	in->track = track;
	in->ntracks = s->host.nthreads + s->gpu.nops;
	in->piece = p.at;
	in->npieces = p.n;
}
