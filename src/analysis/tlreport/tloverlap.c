/*
 * One sweep over all GPU work by start, with the work that runs as a list:
 *
 *	stream 7  ####a####   ##c##       pairs: a-b, b-c
 *	stream 9      ####b######
 *
 * A stream runs one piece of work after the other, so the list is as long as there are
 * streams; where a trace claims more, the list is cut and the answer says so.
 */
#include "analysis/tlreport/tloverlap.h"

#include "algo/sort.h"
#include "algo/spans.h"
#include "analysis/pyrepr.h"
#include "analysis/tlreport/tlkernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_NS    1000
#define RUNNING_MAX 256

struct pair {
	uint32_t a, b; /* rows of links.gpu */
	struct span both;
};

struct sweep {
	struct tlreport *r;
	node_id *op; /* of each row of links.gpu: the nearest operator; NONE */
	uint32_t running[RUNNING_MAX], nrunning;
	uint32_t n, cap;
	struct pair *pair;
	bool cut;
};

static const struct lane *lane_of(const struct tlreport *r, uint32_t gpu)
{
	return &r->tr->lanes.at[r->tr->ev.lane[r->l->gpu[gpu]]];
}

static bool may_overlap(const struct sweep *s, uint32_t a, uint32_t b)
{
	const struct lane *x = lane_of(s->r, a), *y = lane_of(s->r, b);

	return x->stream_known && y->stream_known && x->stream != y->stream &&
	       x->device == y->device && (s->op[a] != s->op[b] || s->op[a] == NONE);
}

static void add_pair(struct sweep *s, uint32_t a, uint32_t b)
{
	const struct trace *tr = s->r->tr;
	event_id e = s->r->l->gpu[a], f = s->r->l->gpu[b];
	struct span both = { MAX_OF(tr->ev.ts[e], tr->ev.ts[f]),
			     MIN_OF(trace_end(tr, e), trace_end(tr, f)) };

	if (both.end - both.start < LEAST_NS || !may_overlap(s, a, b))
		return;
	if (s->n == s->cap) {
		struct pair *more = NEW(&s->r->scratch, 2 * (size_t)s->cap + 256, struct pair);
		if (s->n)
			memcpy(more, s->pair, s->n * sizeof(*more));
		s->pair = more;
		s->cap = 2 * s->cap + 256;
	}
	s->pair[s->n++] = (struct pair){ a, b, both };
}

static void start(struct sweep *s, uint32_t gpu)
{
	const struct trace *tr = s->r->tr;
	nsec now = tr->ev.ts[s->r->l->gpu[gpu]];
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nrunning; i++)
		if (trace_end(tr, s->r->l->gpu[s->running[i]]) > now)
			s->running[n++] = s->running[i];
	s->nrunning = n;
	for (uint32_t i = 0; i < n; i++)
		add_pair(s, s->running[i], gpu);
	if (n < RUNNING_MAX)
		s->running[s->nrunning++] = gpu;
	else
		s->cut = true;
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct tlreport *r = ctx;
	event_id e = r->l->gpu[a], f = r->l->gpu[b];

	return r->tr->ev.ts[e] != r->tr->ev.ts[f] ? r->tr->ev.ts[e] < r->tr->ev.ts[f] : e < f;
}

static void find_pairs(struct sweep *s)
{
	struct tlreport *r = s->r;
	uint32_t *order = NEW(&r->scratch, r->l->n, uint32_t), n = 0;

	s->op = NEW(&r->scratch, r->l->n, node_id);
	for (uint32_t i = 0; i < r->l->n; i++) {
		event_id launch = r->l->launch[i];
		s->op[i] = launch == NONE ? NONE : tlreport_op_above(r, r->t->node[launch]);
		if (trace_timed(r->tr, r->l->gpu[i]) && r->tr->ev.dur[r->l->gpu[i]] > 0)
			order[n++] = i;
	}
	sort_ids(order, n, NEW(&r->scratch, n, uint32_t), starts_before, r);
	for (uint32_t i = 0; i < n; i++)
		start(s, order[i]);
	if (s->cut)
		answer_doubt(r->a,
			     "more than %d pieces of GPU work run at once: of what overlaps "
			     "there, some is left out",
			     RUNNING_MAX);
}

/* ---- by owner ---- */

/* Of each row of links.gpu its pairs: at first[i] .. first[i + 1] of `of`. */
struct by_work {
	uint32_t *first, *of;
};

static struct by_work sort_pairs(const struct sweep *s)
{
	struct by_work w = { NEW(&s->r->scratch, (size_t)s->r->l->n + 2, uint32_t),
			     NEW(&s->r->scratch, 2 * (size_t)s->n, uint32_t) };

	for (uint32_t i = 0; i < s->n; i++) {
		w.first[s->pair[i].a + 2]++;
		w.first[s->pair[i].b + 2]++;
	}
	for (uint32_t i = 2; i < s->r->l->n + 2; i++)
		w.first[i] += w.first[i - 1];
	for (uint32_t i = 0; i < s->n; i++) {
		w.of[w.first[s->pair[i].a + 1]++] = i;
		w.of[w.first[s->pair[i].b + 1]++] = i;
	}
	return w;
}

struct met {
	string_id name;
	uint32_t order;
	event_id event;
	nsec both;
};

static int by_name(const void *a, const void *b)
{
	const struct met *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static double hundredth(double v)
{
	return rint(v * 100) / 100;
}

/* A run of work of one name. */
static struct tlnamed sum_up(const struct tlreport *r, const struct met *m, uint32_t n, double busy)
{
	struct tlnamed out = { .name = m->name, .event = m->event };

	for (uint32_t i = 0; i < n; i++) {
		out.mean += tlreport_us(r->tr, m[i].event) / n;
		out.percent += (double)m[i].both / 1000 / busy / n;
	}
	out.mean = hundredth(out.mean);
	out.percent = hundredth(out.percent);
	return out;
}

struct finding {
	struct tloverlaps v;
	const struct sweep *s;
	struct by_work w;
	struct met *met; /* room for those of one owner */
	struct span *span;
	uint32_t nnamed;
};

/* All that overlaps with an owner; *covered is what of its work is. */
static uint32_t meet(struct finding *f, const struct tlowner *o, nsec *covered)
{
	const struct tlreport *r = f->v.r;
	uint32_t n = 0;

	*covered = 0;
	for (uint32_t i = 0; i < o->direct.n; i++) {
		uint32_t gpu = o->direct.gpu[i], spans = 0;

		for (uint32_t k = f->w.first[gpu]; k < f->w.first[gpu + 1]; k++) {
			const struct pair *p = &f->s->pair[f->w.of[k]];
			event_id e = r->l->gpu[p->a == gpu ? p->b : p->a];

			f->span[spans++] = p->both;
			f->met[n] = (struct met){ r->tr->ev.name[e], n, e,
						  p->both.end - p->both.start };
			n++;
		}
		struct arena_mark mark = arena_mark(&f->v.r->scratch);
		*covered += spans_length(spans_union(&f->v.r->scratch, f->span, spans));
		arena_rewind(&f->v.r->scratch, mark);
	}
	qsort(f->met, n, sizeof(*f->met), by_name);
	return n;
}

static void find_of_owner(struct finding *f, uint32_t owner)
{
	struct tlreport *r = f->v.r;
	struct tloverlap *out = &f->v.owner[owner];
	double busy = tlreport_busy(r, r->owner[owner].direct);
	nsec covered;
	uint32_t n = meet(f, &r->owner[owner], &covered);

	out->first = f->nnamed;
	out->percent = n ? hundredth((double)covered / 1000 / busy) : NAN;
	for (uint32_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && f->met[to].name == f->met[from].name; to++)
			;
		f->v.named[f->nnamed++] = sum_up(r, f->met + from, to - from, busy);
	}
	out->n = f->nnamed - out->first;
	struct arena_mark mark = arena_mark(&r->scratch);
	uint32_t *names = NEW(&r->scratch, out->n, uint32_t);
	for (uint32_t i = 0; i < out->n; i++)
		names[i] = f->v.named[out->first + i].name;
	out->names = strings_add(&f->v.sets, (const char *)names, out->n * sizeof(*names));
	arena_rewind(&r->scratch, mark);
}

struct tloverlaps tloverlap_find(struct tlreport *r)
{
	struct sweep s = { .r = r };

	find_pairs(&s);
	struct finding f = { .v = { .r = r }, .s = &s, .w = sort_pairs(&s) };
	f.v.owner = NEW(&r->scratch, r->nowners, struct tloverlap);
	f.v.named = NEW(&r->scratch, 2 * (size_t)s.n, struct tlnamed);
	f.met = NEW(&r->scratch, 2 * (size_t)s.n, struct met);
	f.span = NEW(&r->scratch, s.n, struct span);
	for (uint32_t i = 0; i < r->nowners; i++)
		find_of_owner(&f, i);
	return f.v;
}

void tloverlap_free(struct tloverlaps *v)
{
	strings_free(&v->sets);
}

/* ---- texts ---- */

static void add_named(struct textbuf *b, const struct tlreport *r, const struct tlnamed *at,
		      struct str name)
{
	const struct lane *lane = &r->tr->lanes.at[r->tr->ev.lane[at->event]];

	textbuf_add(b, b->n ? STR(", {'name': ") : STR("[{'name': "));
	pyrepr_string(b, name);
	textbuf_add(b, STR(", 'mean_duration_us': "));
	pyrepr_number(b, at->mean);
	textbuf_print(b, ", 'stream': %" PRId64 ", 'overlap_pct': ", lane->stream);
	pyrepr_number(b, at->percent);
	textbuf_add(b, STR("}"));
}

/* The k-th name, over the owners of a group. */
static struct tlnamed mean_of(const struct tloverlaps *v, const uint32_t *owner, uint32_t n,
			      uint32_t k)
{
	struct tlnamed out = v->named[v->owner[owner[0]].first + k];
	double mean = 0, percent = 0;

	for (uint32_t i = 0; i < n; i++) {
		mean += v->named[v->owner[owner[i]].first + k].mean / n;
		percent += v->named[v->owner[owner[i]].first + k].percent / n;
	}
	out.mean = hundredth(mean);
	out.percent = hundredth(percent);
	return out;
}

struct tloverlap_text tloverlap_text(const struct tloverlaps *v, const uint32_t *owner, uint32_t n)
{
	struct tloverlap_text out = { NULL, NULL, NULL };
	struct tlreport *r = v->r;
	struct textbuf names = { .arena = &r->scratch }, full = { .arena = &r->scratch },
		       trunc = { .arena = &r->scratch };

	if (!v->owner[owner[0]].n)
		return out;
	for (uint32_t k = 0; k < v->owner[owner[0]].n; k++) {
		struct tlnamed at = mean_of(v, owner, n, k);
		struct str name = trace_name(r->tr, at.event);

		textbuf_add(&names, k ? STR(", ") : STR("["));
		pyrepr_string(&names, name);
		add_named(&full, r, &at, name);
		add_named(&trunc, r, &at, tlkernels_cut(r, name));
	}
	textbuf_add(&names, STR("]"));
	textbuf_add(&full, STR("]"));
	textbuf_add(&trunc, STR("]"));
	out.names = textbuf_keep(&names, r->arena);
	out.full = textbuf_keep(&full, r->arena);
	out.trunc = textbuf_keep(&trunc, r->arena);
	return out;
}
