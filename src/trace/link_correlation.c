/*
 * Host calls and GPU work carry the same correlation id. Of several calls with one id
 * (a driver call inside a runtime call, a numbering that began anew) the one that
 * started last before the work launched it: the innermost.
 *
 * A file may hold several ranks, each with its own numbering, and the pid of GPU work
 * is the device, not the process. So if two processes use the same ids, every device is
 * given to one process first: to the one whose launches explain most of its work
 * (launched, and not before the launch); of equals to the one whose events stand with
 * the device's in the file; else the k-th device to the k-th process.
 */
#include "algo/sort.h"
#include "base/map.h"
#include "trace/link_build.h"

#define MAX_PAIRS (1u << 22) /* of devices and processes: beyond that they are no ranks */

struct calls {
	uint32_t n;
	event_id *event; /* by id, process, start, longest first */
	int64_t *id;
	struct map first; /* of an id: its first row */
};

/* A device, or a process that makes calls. */
struct party {
	uint32_t process;
	int64_t device;
	event_id from, to; /* its first and last event in the file */
};

struct parties {
	uint32_t n;
	struct party *at;
	uint32_t *of;
};

static uint32_t process_of(const struct trace *tr, event_id e)
{
	return tr->lanes.at[tr->ev.lane[e]].process;
}

static int64_t id_of(const struct trace *tr, event_id e)
{
	int64_t id;

	return arg_i64(tr, e, KEY_CORRELATION, &id) && id > 0 ? id : 0;
}

/* ---- The calls, by id ---- */

struct call_order {
	const struct trace *tr;
	const struct calls *c;
};

static bool call_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct call_order *o = ctx;
	const struct events *ev = &o->tr->ev;
	event_id x = o->c->event[a], y = o->c->event[b];

	if (LIKELY(o->c->id[a] != o->c->id[b]))
		return o->c->id[a] < o->c->id[b];
	uint32_t p = process_of(o->tr, x), q = process_of(o->tr, y);
	if (p != q)
		return p < q;
	return ev->ts[x] != ev->ts[y] ? ev->ts[x] < ev->ts[y] : ev->dur[x] > ev->dur[y];
}

static bool is_call(const struct trace *tr, event_id e)
{
	return tr->ev.kind[e] == KIND_RUNTIME && trace_slice(tr, e) && tr->ev.lane[e] != NONE &&
	       tr->ev.ts[e] != NSEC_NONE;
}

static struct calls list_calls(const struct trace *tr, struct arena *a)
{
	struct calls c = { .n = 0 };
	uint32_t cap = tr->nkind[KIND_RUNTIME];
	event_id *event = NEW(a, cap, event_id);
	int64_t *id = NEW(a, cap, int64_t);
	uint32_t *order = NEW(a, cap, uint32_t), *spare = NEW(a, cap, uint32_t);

	for (event_id e = 0; e < tr->ev.n; e++)
		if (is_call(tr, e) && (id[c.n] = id_of(tr, e))) {
			event[c.n] = e;
			order[c.n] = c.n;
			c.n++;
		}
	c.event = event;
	c.id = id;
	sort_ids(order, c.n, spare, call_before, &(struct call_order){ tr, &c });
	c.event = NEW(a, c.n, event_id);
	c.id = NEW(a, c.n, int64_t);
	c.first = map_new(a, c.n);
	for (uint32_t i = 0; i < c.n; i++) {
		c.event[i] = event[order[i]];
		c.id[i] = id[order[i]];
		if (!i || c.id[i] != c.id[i - 1])
			*map_at(&c.first, (uint64_t)c.id[i]) = i;
	}
	return c;
}

/* One past the calls of the same id and process as row i. */
static uint32_t same_process_end(const struct trace *tr, const struct calls *c, uint32_t i)
{
	uint32_t lo = i + 1, step = 1;
	uint32_t p = process_of(tr, c->event[i]);
#define SAME(k) (c->id[k] == c->id[i] && process_of(tr, c->event[k]) == p)
	while (lo < c->n && lo + step < c->n && SAME(lo + step)) {
		lo += step;
		step *= 2;
	}
	while (lo < c->n && SAME(lo))
		lo++;
#undef SAME
	return lo;
}

/* The call that started last before `at`; of rows from .. to of one id and process. */
static uint32_t last_before(const struct trace *tr, const struct calls *c, uint32_t from,
			    uint32_t to, nsec at)
{
	uint32_t lo = from, hi = to;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tr->ev.ts[c->event[mid]] <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > from ? lo - 1 : from;
}

/* The call that launched GPU row i, as far as link_may() allows. */
static event_id find_call(const struct linking *l, const struct calls *c, uint32_t i, int64_t id)
{
	const struct trace *tr = l->tr;
	event_id gpu = tr->gpu[i], best = NONE;

	for (uint32_t k = map_get(&c->first, (uint64_t)id); k < c->n && c->id[k] == id;) {
		uint32_t to = same_process_end(tr, c, k);
		event_id call = c->event[last_before(tr, c, k, to, tr->ev.ts[gpu])];
		k = to;
		if (!link_may(l, i, call))
			continue;
		bool early = tr->ev.ts[call] > tr->ev.ts[gpu];
		if (best == NONE || (!early && tr->ev.ts[call] > tr->ev.ts[best]))
			best = call;
	}
	return best;
}

/* ---- Several ranks in one file ---- */

static bool ids_collide(const struct trace *tr, const struct calls *c)
{
	for (uint32_t i = 1; i < c->n; i++)
		if (c->id[i] == c->id[i - 1] &&
		    process_of(tr, c->event[i]) != process_of(tr, c->event[i - 1]))
			return true;
	return false;
}

static void stretch(struct party *p, event_id e)
{
	p->from = MIN_OF(p->from, e);
	p->to = MAX_OF(p->to, e);
}

/* The processes that make calls, by number; of[process] is their place. */
static struct parties list_hosts(const struct trace *tr, const struct calls *c, struct arena *a)
{
	uint32_t n = tr->lanes.nprocesses;
	struct parties p = { 0, NEW(a, n, struct party), NEW(a, n, uint32_t) };

	for (uint32_t i = 0; i < c->n; i++)
		p.of[process_of(tr, c->event[i])] = 1;
	for (uint32_t i = 0; i < n; i++)
		if (p.of[i]) {
			p.at[p.n] = (struct party){ i, 0, NONE, 0 };
			p.of[i] = p.n++;
		}
	for (uint32_t i = 0; i < c->n; i++)
		stretch(&p.at[p.of[process_of(tr, c->event[i])]], c->event[i]);
	return p;
}

/* The devices, by process and number, as their work stands in trace.gpu; of[row] is their place. */
static struct parties list_devices(const struct trace *tr, struct arena *a)
{
	struct parties p = { 0, NEW(a, tr->ngpu, struct party), NEW(a, tr->ngpu, uint32_t) };

	for (uint32_t i = 0; i < tr->ngpu; i++) {
		const struct lane *l = &tr->lanes.at[tr->ev.lane[tr->gpu[i]]];
		struct party *last = p.n ? &p.at[p.n - 1] : NULL;
		if (!last || last->process != l->process || last->device != l->device)
			p.at[p.n++] = (struct party){ l->process, l->device, NONE, 0 };
		stretch(&p.at[p.n - 1], tr->gpu[i]);
		p.of[i] = p.n - 1;
	}
	return p;
}

struct score {
	int64_t explained; /* work with a launch before it, less work before its launch */
	uint64_t apart;    /* how far the two stand from each other in the file */
};

/* Files write a rank's calls before its GPU work, so between two hosts the earlier is nearer. */
static uint64_t distance(const struct party *device, const struct party *host)
{
	if (host->to < device->from)
		return 2 * (uint64_t)(device->from - host->to);
	return device->to < host->from ? 2 * (uint64_t)(host->from - device->to) + 1 : 0;
}

static bool tied(struct score a, struct score b)
{
	return a.explained == b.explained && a.apart == b.apart;
}

/* How well the calls of every host explain the work of every device: a row per device. */
static struct score *score_hosts(const struct trace *tr, const struct calls *c,
				 const struct parties *dev, const struct parties *host,
				 struct arena *a)
{
	struct score *score = NEW(a, (size_t)dev->n * host->n, struct score);

	for (uint32_t d = 0; d < dev->n; d++)
		for (uint32_t h = 0; h < host->n; h++)
			score[d * host->n + h].apart = distance(&dev->at[d], &host->at[h]);
	for (uint32_t i = 0; i < tr->ngpu; i++) {
		nsec start = tr->ev.ts[tr->gpu[i]];
		int64_t id = id_of(tr, tr->gpu[i]);
		for (uint32_t k = map_get(&c->first, (uint64_t)id); k < c->n && c->id[k] == id;) {
			uint32_t to = same_process_end(tr, c, k);
			event_id call = c->event[last_before(tr, c, k, to, start)];
			uint32_t h = host->of[process_of(tr, call)];
			score[dev->of[i] * host->n + h].explained += tr->ev.ts[call] <= start ? 1
											      : -1;
			k = to;
		}
	}
	return score;
}

/* The host of device d; `pairs`: there are as many devices as hosts. */
static uint32_t best_host(const struct score *s, const struct parties *host,
			  const struct party *device, uint32_t d, bool pairs)
{
	uint32_t best = 0, nbest = 0;

	for (uint32_t h = 0; h < host->n; h++) {
		if (host->at[h].process == device->process && s[h].explained > 0)
			return h;
		if (s[h].explained > s[best].explained ||
		    (s[h].explained == s[best].explained && s[h].apart < s[best].apart))
			best = h;
	}
	for (uint32_t h = 0; h < host->n; h++)
		nbest += tied(s[h], s[best]);
	return nbest > 1 && pairs && tied(s[d], s[best]) ? d : best;
}

/* Gives every device the process that explains it best; two ranks on one device stay unparted. */
static void assign_hosts(struct linking *l, const struct calls *c)
{
	struct parties dev = list_devices(l->tr, l->scratch);
	struct parties host = list_hosts(l->tr, c, l->scratch);

	if ((uint64_t)dev.n * host.n > MAX_PAIRS)
		return;
	struct score *score = score_hosts(l->tr, c, &dev, &host, l->scratch);
	uint32_t *chosen = NEW(l->scratch, dev.n, uint32_t);
	for (uint32_t d = 0; d < dev.n; d++)
		chosen[d] = best_host(&score[(size_t)d * host.n], &host, &dev.at[d], d,
				      dev.n == host.n);
	for (uint32_t i = 0; i < l->tr->ngpu; i++)
		l->host[i] = host.at[chosen[dev.of[i]]].process;
}

void link_by_correlation(struct linking *l)
{
	const struct trace *tr = l->tr;
	struct calls c = list_calls(tr, l->scratch);

	if (!c.n)
		return;
	if (ids_collide(tr, &c))
		assign_hosts(l, &c);
	for (uint32_t i = 0; i < tr->ngpu; i++) {
		int64_t id = id_of(tr, tr->gpu[i]);
		event_id call = id ? find_call(l, &c, i, id) : NONE;
		if (call != NONE)
			link_set(l, i, call, LINK_CORRELATION);
	}
}
