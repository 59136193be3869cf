/*
 * Every track names the instants where its runs start and stop, every constraint the two it
 * joins. Sorted by track and time they are read once, left to right. START (work waits for
 * something here) comes before END (something waits for the work before here), and both at
 * one instant leave a node of no length between them: what waits for the thread at t also
 * waits for what the thread waited for at t.
 *
 *	START       END            STOP    START
 *	  [ node .... )[ node ..... )  hole  [ node ...
 */
#include "analysis/critpath_cut.h"

#include "algo/sort.h"

enum cut_what { CUT_START, CUT_END, CUT_STOP };

struct cut {
	nsec at;
	uint32_t track;
	uint32_t wait; /* of a STOP: the wait that begins here; NONE: a hole, or the end */
	uint8_t what;
};

struct cutter {
	const struct path_input *in;
	struct arena *arena;
	uint32_t ncuts;
	struct cut *cut;
	struct drafts out;
};

static void cut_add(struct cutter *b, uint32_t track, nsec at, enum cut_what what, uint32_t wait)
{
	b->cut[b->ncuts++] = (struct cut){ at, track, wait, (uint8_t)what };
}

/* Where a run begins; the number of runs is a fraction of that of pieces. */
static bool begins_run(const struct path_input *in, const struct path_track *t, uint32_t i)
{
	return i == t->first || in->piece[i - 1].end < in->piece[i].start;
}

static void cut_pieces(struct cutter *b, uint32_t k)
{
	const struct path_track *t = &b->in->track[k];
	const struct path_piece *p = b->in->piece;

	for (uint32_t i = t->first; i < t->past; i++) {
		if (begins_run(b->in, t, i))
			cut_add(b, k, p[i].start, CUT_START, NONE);
		if (i + 1 == t->past || begins_run(b->in, t, i + 1))
			cut_add(b, k, p[i].end, CUT_STOP, NONE);
	}
}

static void cut_waits(struct cutter *b)
{
	const struct path_input *in = b->in;
	uint32_t p = 0;

	for (uint32_t w = 0; w < in->nwaits; w++) {
		const struct path_wait *wait = &in->wait[w], *next = wait + 1;
		const struct path_track *t = &in->track[wait->track];
		bool touches = w + 1 < in->nwaits && next->track == wait->track &&
			       next->start == wait->end;

		for (p = MAX_OF(p, t->first); p < t->past && in->piece[p].start < wait->end;)
			p++;
		touches = touches || (p < t->past && in->piece[p].start == wait->end);
		cut_add(b, wait->track, wait->start, CUT_STOP, w);
		cut_add(b, wait->track, wait->end, CUT_START, NONE);
		if (!touches)
			cut_add(b, wait->track, wait->end, CUT_STOP, NONE);
	}
}

static void cut_constraints(struct cutter *b)
{
	for (uint32_t i = 0; i < b->in->nconstraints; i++) {
		const struct path_constraint *c = &b->in->constraint[i];
		const struct path_track *src = &b->in->track[c->src], *dst = &b->in->track[c->dst];

		if (!src->gpu || c->from < b->in->piece[src->first].end)
			cut_add(b, c->src, c->from, CUT_END, NONE);
		if (!dst->gpu)
			cut_add(b, c->dst, c->to, CUT_START, NONE);
	}
}

static bool cut_before(const void *ctx, uint32_t i, uint32_t j)
{
	const struct cut *cut = ctx, *x = &cut[i], *y = &cut[j];

	if (x->track != y->track)
		return x->track < y->track;
	return x->at != y->at ? x->at < y->at : x->what < y->what;
}

static uint32_t *cut_order(struct cutter *b)
{
	uint32_t *order = NEW(b->arena, b->ncuts, uint32_t);
	uint32_t *spare = NEW(b->arena, b->ncuts, uint32_t);

	for (uint32_t i = 0; i < b->ncuts; i++)
		order[i] = i;
	sort_ids(order, b->ncuts, spare, cut_before, b->cut);
	return order;
}

/* One track as its cuts are read. */
struct reading {
	nsec open;     /* where the open node starts; NSEC_NONE in a hole or a wait */
	bool waits;    /* something waits at `open`: it is a node even without length */
	uint32_t wait; /* in a wait: which */
};

static void draft_add(struct cutter *b, struct reading *r, uint32_t track, nsec start, nsec end)
{
	uint32_t before = b->out.n;
	struct draft *d = &b->out.at[b->out.n++];

	*d = (struct draft){ start, end, track, r->wait, EDGE_HOLE };
	if (before == b->out.first[track])
		d->kind = b->in->track[track].gpu ? EDGE_KINDS : EDGE_HOLE;
	else if (b->out.at[before - 1].end == start)
		d->kind = EDGE_CHAIN;
	else if (r->wait != NONE)
		d->kind = EDGE_OWN;
	r->wait = NONE;
}

/* Does the track's last node so far end at `at`? */
static bool draft_ends(const struct cutter *b, uint32_t track, nsec at)
{
	return b->out.n > b->out.first[track] && b->out.at[b->out.n - 1].end == at;
}

static void read_open(struct cutter *b, struct reading *r, const struct cut *c)
{
	if (c->at > r->open || (r->waits && c->what != CUT_START)) {
		draft_add(b, r, c->track, r->open, c->at);
		r->waits = false;
	}
	r->waits = r->waits || c->what == CUT_START;
	r->open = c->what == CUT_STOP ? NSEC_NONE : c->at;
	if (c->what == CUT_STOP)
		r->wait = c->wait;
}

static void read_closed(struct cutter *b, struct reading *r, const struct cut *c)
{
	if (r->wait != NONE && c->at < b->in->wait[r->wait].end)
		return; /* inside a wait nothing can be told apart */
	if (c->what == CUT_START) {
		r->open = c->at;
		r->waits = true;
		return;
	}
	if (!draft_ends(b, c->track, c->at))
		draft_add(b, r, c->track, c->at, c->at);
	if (c->what == CUT_STOP)
		r->wait = c->wait;
}

static void draft_nodes(struct cutter *b)
{
	const struct path_input *in = b->in;
	uint32_t *order = cut_order(b), i = 0;

	b->out.at = NEW(b->arena, b->ncuts + 1, struct draft);
	b->out.first = NEW(b->arena, in->ntracks + 1, uint32_t);
	for (uint32_t k = 0; k < in->ntracks; k++) {
		struct reading r = { NSEC_NONE, false, NONE };

		b->out.first[k] = b->out.n;
		for (; i < b->ncuts && b->cut[order[i]].track == k; i++) {
			const struct cut *c = &b->cut[order[i]];
			if (r.open == NSEC_NONE)
				read_closed(b, &r, c);
			else
				read_open(b, &r, c);
		}
	}
	b->out.first[in->ntracks] = b->out.n;
}

static size_t cut_room(const struct path_input *in)
{
	size_t runs = 0;

	for (uint32_t k = 0; k < in->ntracks; k++)
		for (uint32_t i = in->track[k].first; i < in->track[k].past; i++)
			runs += begins_run(in, &in->track[k], i);
	return 2 * runs + 3 * (size_t)in->nwaits + 2 * (size_t)in->nconstraints;
}

static void cut_all(struct cutter *b)
{
	const struct path_input *in = b->in;

	b->cut = NEW(b->arena, cut_room(in), struct cut);
	for (uint32_t k = 0; k < in->ntracks; k++)
		cut_pieces(b, k);
	cut_waits(b);
	cut_constraints(b);
}

struct drafts critpath_cut(const struct path_input *in, struct arena *a)
{
	struct cutter b = { .in = in, .arena = a };

	cut_all(&b);
	draft_nodes(&b);
	return b.out;
}
