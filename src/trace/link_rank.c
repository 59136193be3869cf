/*
 * A file may hold several ranks, each with its own numbering of calls, and the pid of GPU
 * work is the device, not the process. So if two processes use the same ids, every device
 * is given to one process first: to the one whose launches explain most of its work
 * (launched, and not before the launch); of equals to the one whose events stand with
 * the device's in the file; else the k-th device to the k-th process.
 */
#include "base/hash.h"
#include "base/map.h"
#include "trace/link_build.h"

#define MAX_PAIRS (1u << 22) /* of devices and processes: beyond that they are no ranks */
#define MAX_RANKS 64         /* that share one device */

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

static bool ids_collide(const struct trace *tr, const struct calls *c)
{
	for (uint32_t i = 1; i < c->n; i++)
		if (c->id[i] == c->id[i - 1] &&
		    link_process(tr, c->event[i]) != link_process(tr, c->event[i - 1]))
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
		p.of[link_process(tr, c->event[i])] = 1;
	for (uint32_t i = 0; i < n; i++)
		if (p.of[i]) {
			p.at[p.n] = (struct party){ i, 0, NONE, 0 };
			p.of[i] = p.n++;
		}
	for (uint32_t i = 0; i < c->n; i++)
		stretch(&p.at[p.of[link_process(tr, c->event[i])]], c->event[i]);
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
		int64_t id = link_id(tr, tr->gpu[i]);
		for (uint32_t k = map_get(&c->first, (uint64_t)id); k < c->n && c->id[k] == id;) {
			uint32_t to = calls_end(tr, c, k);
			event_id call = c->event[calls_before(tr, c, k, to, start)];
			uint32_t h = host->of[link_process(tr, call)];
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

/* ---- Two ranks on one device ---- */

/* Work of one device with one id: how much there is, and how much of it is dealt out. */
struct shared {
	struct map number; /* of (device, id) */
	uint32_t n;
	uint32_t *total, *dealt;
};

static uint32_t *place_of(struct shared *s, uint32_t device, int64_t id)
{
	uint32_t *at = map_at(&s->number, hash_mix(hash_u64(device), hash_u64((uint64_t)id)));

	if (*at == NONE)
		*at = s->n++;
	return at;
}

/* How many calls have this id, and of how many processes; graph launches have much work each. */
static uint32_t count_calls(const struct trace *tr, const struct calls *c, int64_t id,
			    uint32_t *processes)
{
	uint32_t n = 0;

	*processes = 0;
	for (uint32_t k = map_get(&c->first, (uint64_t)id); k < c->n && c->id[k] == id;) {
		uint32_t to = calls_end(tr, c, k);
		if (name_is_graph_launch(trace_name(tr, c->event[k])))
			return 0;
		++*processes;
		n += to - k;
		k = to;
	}
	return n;
}

/* The k-th of the calls with this id by start; few, as they are of different ranks. */
static event_id kth_call(const struct trace *tr, const struct calls *c, int64_t id, uint32_t k)
{
	uint32_t from = map_get(&c->first, (uint64_t)id), to = from;

	while (to < c->n && c->id[to] == id)
		to++;
	for (uint32_t i = from; i < to; i++) {
		uint32_t before = 0;
		for (uint32_t j = from; j < to; j++) {
			nsec a = tr->ev.ts[c->event[j]], b = tr->ev.ts[c->event[i]];
			before += a < b || (a == b && j < i);
		}
		if (before == k)
			return c->event[i];
	}
	return NONE;
}

/*
 * Ranks of several machines may share a device's number, and then its streams. Work with
 * one id is as much as there are ranks that call with it, so the k-th to start goes to
 * the k-th call. Tells which devices are shared so.
 */
static bool *deal_shared(struct linking *l, const struct calls *c, const struct parties *dev)
{
	const struct trace *tr = l->tr;
	struct arena *a = l->scratch;
	struct shared s = { map_new(a, tr->ngpu), 0, NEW(a, tr->ngpu, uint32_t),
			    NEW(a, tr->ngpu, uint32_t) };
	uint32_t *mixed = NEW(a, dev->n, uint32_t), *all = NEW(a, dev->n, uint32_t), processes;
	bool *shared = NEW(a, dev->n, bool);

	for (uint32_t i = 0; i < tr->ngpu; i++)
		s.total[*place_of(&s, dev->of[i], link_id(tr, tr->gpu[i]))]++;
	for (int deal = 0; deal < 2; deal++)
		for (uint32_t i = 0; i < tr->ngpu; i++) {
			uint32_t d = dev->of[i], at;
			int64_t id = link_id(tr, tr->gpu[i]);
			uint32_t n = id ? count_calls(tr, c, id, &processes) : 0;
			if (n < 2 || n > MAX_RANKS || processes != n)
				continue;
			at = *place_of(&s, d, id);
			if (deal && shared[d] && s.total[at] == n)
				link_set(l, i, kth_call(tr, c, id, s.dealt[at]++),
					 LINK_CORRELATION);
			all[d] += !deal;
			mixed[d] += !deal && s.total[at] == n;
			shared[d] = 2 * mixed[d] > all[d];
		}
	return shared;
}

/* Gives every device the process that explains it best, unless ranks share it. */
static void assign_hosts(struct linking *l, const struct calls *c)
{
	struct parties dev = list_devices(l->tr, l->scratch);
	struct parties host = list_hosts(l->tr, c, l->scratch);

	if ((uint64_t)dev.n * host.n > MAX_PAIRS)
		return;
	bool *shared = deal_shared(l, c, &dev);
	struct score *score = score_hosts(l->tr, c, &dev, &host, l->scratch);
	uint32_t *chosen = NEW(l->scratch, dev.n, uint32_t);
	for (uint32_t d = 0; d < dev.n; d++)
		chosen[d] = best_host(&score[(size_t)d * host.n], &host, &dev.at[d], d,
				      dev.n == host.n);
	for (uint32_t i = 0; i < l->tr->ngpu; i++)
		if (!shared[dev.of[i]])
			l->host[i] = host.at[chosen[dev.of[i]]].process;
}

void link_ranks(struct linking *l, const struct calls *c)
{
	if (ids_collide(l->tr, c))
		assign_hosts(l, c);
}
