#include "analysis/memory.h"

#include "algo/sort.h"
#include "base/check.h"
#include "base/map.h"
#include "base/textbuf.h"

#include <inttypes.h>

/* ---- changes and their devices ---- */

enum device_type { TYPE_CPU = 0, TYPE_CUDA = 1, TYPE_HIP = 6, TYPE_XPU = 12, TYPE_PRIVATE = 20 };

struct place {
	uint32_t process;
	int64_t type, id;
};

struct reading {
	struct arena *a;
	struct trace *tr;
	struct memory *m;
	uint16_t total, reserved, address, type, id;
	struct place *place; /* of each change */
};

static bool read_change(const struct reading *r, event_id e, struct memory_change *c,
			struct place *p)
{
	const struct trace *tr = r->tr;
	int64_t address;

	*c = (struct memory_change){ .event = e, .reserved = LP_NULL };
	*p = (struct place){ .process = tr->lanes.at[tr->ev.lane[e]].process, .id = -1 };
	if (!arg_i64(tr, e, KEY_BYTES, &c->bytes) || !arg_i64(tr, e, r->total, &c->total) ||
	    !arg_i64(tr, e, r->type, &p->type))
		return false;
	arg_i64(tr, e, r->id, &p->id);
	arg_i64(tr, e, r->reserved, &c->reserved);
	if (arg_i64(tr, e, r->address, &address))
		c->address = (uint64_t)address;
	return true;
}

static void read_changes(struct reading *r)
{
	const struct trace *tr = r->tr;
	struct memory *m = r->m;
	uint32_t most = tr->nkind[KIND_MEMORY];

	m->change = NEW(r->a, most, struct memory_change);
	r->place = NEW(r->a, most, struct place);
	for (event_id e = 0; e < tr->ev.n && m->n + m->skipped < most; e++) {
		if (tr->ev.kind[e] != KIND_MEMORY)
			continue;
		if (trace_timed(tr, e) && tr->ev.lane[e] != NONE &&
		    read_change(r, e, &m->change[m->n], &r->place[m->n]))
			m->n++;
		else
			m->skipped++;
	}
}

static int compare_places(const struct place *x, const struct place *y)
{
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if ((x->type == TYPE_CPU) != (y->type == TYPE_CPU))
		return x->type == TYPE_CPU ? 1 : -1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static bool change_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct reading *r = ctx;
	int order = compare_places(&r->place[a], &r->place[b]);
	nsec x = r->tr->ev.ts[r->m->change[a].event], y = r->tr->ev.ts[r->m->change[b].event];

	return order ? order < 0 : x < y;
}

static const char *device_name(const struct reading *r, const struct place *p, event_id e,
			       bool several)
{
	const char *pid = "";

	if (several)
		pid = arena_print(
			r->a, "%s ",
			strings_get(&r->tr->strings, r->tr->lanes.at[r->tr->ev.lane[e]].pid).p);
	switch (p->type) {
	case TYPE_CPU:
		return arena_print(r->a, "%sCPU", pid);
	case TYPE_CUDA:
	case TYPE_HIP:
	case TYPE_XPU:
	case TYPE_PRIVATE:
		return arena_print(r->a, "%sGPU %" PRId64, pid, p->id);
	default:
		return arena_print(r->a, "%stype %" PRId64 " device %" PRId64, pid, p->type, p->id);
	}
}

/* The changes in order, and the run of each device. */
static void sort_changes(struct reading *r)
{
	struct memory *m = r->m;
	uint32_t *order = NEW(r->a, m->n, uint32_t);
	struct memory_change *sorted = NEW(r->a, m->n, struct memory_change);
	const struct place *last = NULL;

	for (uint32_t i = 0; i < m->n; i++)
		order[i] = i;
	sort_ids(order, m->n, NEW(r->a, m->n, uint32_t), change_before, r);
	m->device = NEW(r->a, m->n, struct memory_device);
	bool several = m->n && r->place[order[0]].process != r->place[order[m->n - 1]].process;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct place *p = &r->place[order[i]];

		sorted[i] = m->change[order[i]];
		if (!last || compare_places(last, p))
			m->device[m->ndevices++] = (struct memory_device){
				.name = device_name(r, p, sorted[i].event, several), .first = i
			};
		m->device[m->ndevices - 1].n++;
		last = p;
	}
	m->change = sorted;
}

static void find_calls(struct reading *r)
{
	const struct trace *tr = r->tr;
	const struct tree *t = trace_tree(r->tr, TREE_FULL);

	for (uint32_t i = 0; i < r->m->n; i++) {
		struct memory_change *c = &r->m->change[i];

		c->node = tree_at(tr, t, tr->ev.lane[c->event], tr->ev.ts[c->event]);
		node_id op = c->node;
		while (op != NONE && tr->ev.kind[t->event[op]] != KIND_CPU_OP)
			op = t->parent[op];
		op = op == NONE ? c->node : op;
		c->op = op == NONE ? NONE : tr->ev.name[t->event[op]];
	}
}

/* ---- of a device ---- */

static void sum_up(const struct memory *m, struct memory_device *d)
{
	const struct memory_change *c = m->change + d->first;
	int64_t before, jumps = 0;

	before = d->start = c->total - c->bytes;
	d->reserved_peak = LP_NULL;
	for (uint32_t i = 0; i < d->n; i++) {
		d->odd += before + c[i].bytes != c[i].total;
		jumps += c[i].total - (before + c[i].bytes);
		before = c[i].total;
		if (c[i].bytes > 0)
			d->allocated += c[i].bytes;
		else
			d->freed -= c[i].bytes;
		if (c[i].total > c[d->peak - d->first].total)
			d->peak = d->first + i;
		d->reserved_peak = MAX_OF(d->reserved_peak, c[i].reserved);
	}
	CHECK(d->start + d->allocated - d->freed + jumps == c[d->n - 1].total);
}

/* Memory that is held: the change that allocated it by address, and how much has no owner. */
struct held {
	struct map by_address;
	int64_t rest, total;
};

#define FREED (NONE - 1)

static void replay(struct held *h, const struct memory *m, uint32_t i)
{
	const struct memory_change *c = &m->change[i];
	uint32_t *at = c->address ? map_at(&h->by_address, c->address) : NULL;
	int64_t jump = c->total - (h->total + c->bytes);

	h->total = c->total;
	h->rest += jump;
	if (!at) {
		h->rest += c->bytes;
		return;
	}
	int64_t was = *at == NONE || *at == FREED ? 0 : m->change[*at].bytes;
	h->rest += was; /* of what is freed; or of what was never seen to be freed */
	*at = FREED;
	if (c->bytes > 0)
		*at = i;
	else
		h->rest += c->bytes;
}

/* ---- of an operator ---- */

static struct memory_op *op_of(struct memory *m, struct map *known, uint32_t device, string_id op)
{
	uint32_t *at = map_at(known, (uint64_t)device << 32 | op);

	if (*at == NONE) {
		*at = m->nops++;
		m->op[*at] = (struct memory_op){ .device = device, .op = op };
	}
	return &m->op[*at];
}

static void add_change(struct memory_op *op, const struct memory_change *c)
{
	if (c->bytes > 0) {
		op->allocations++;
		op->allocated += c->bytes;
		op->largest = MAX_OF(op->largest, c->bytes);
	} else {
		op->frees++;
		op->freed -= c->bytes;
	}
}

/* Who holds what at the peak; what nobody is known to hold is the rest. */
static void find_holders(struct memory *m, struct map *known, uint32_t device)
{
	struct memory_device *d = &m->device[device];
	struct arena scratch = { 0 };
	struct held h = { map_new(&scratch, d->n), d->start, d->start };
	int64_t held = 0;

	for (uint32_t i = d->first; i <= d->peak; i++)
		replay(&h, m, i);
	for (uint32_t i = d->first; i <= d->peak; i++) {
		const struct memory_change *c = &m->change[i];

		if (c->bytes <= 0 || !c->address || map_get(&h.by_address, c->address) != i)
			continue;
		op_of(m, known, device, c->op)->at_peak += c->bytes;
		held += c->bytes;
	}
	d->rest = h.rest;
	CHECK(held + d->rest == m->change[d->peak].total);
	arena_free(&scratch);
}

static bool op_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct memory_op *x = (const struct memory_op *)ctx + a,
			       *y = (const struct memory_op *)ctx + b;

	if (x->device != y->device)
		return x->device < y->device;
	return x->allocated > y->allocated;
}

static void sort_ops(struct arena *a, struct memory *m)
{
	uint32_t *order = NEW(a, m->nops, uint32_t);
	struct memory_op *sorted = NEW(a, m->nops, struct memory_op);

	for (uint32_t i = 0; i < m->nops; i++)
		order[i] = i;
	sort_ids(order, m->nops, NEW(a, m->nops, uint32_t), op_before, m->op);
	for (uint32_t i = 0; i < m->nops; i++)
		sorted[i] = m->op[order[i]];
	m->op = sorted;
}

static void sum_ops(struct arena *a, struct memory *m)
{
	struct map known = map_new(a, m->n);

	m->op = NEW(a, m->n, struct memory_op);
	for (uint32_t d = 0; d < m->ndevices; d++) {
		struct memory_device *device = &m->device[d];

		for (uint32_t i = device->first; i < device->first + device->n; i++)
			add_change(op_of(m, &known, d, m->change[i].op), &m->change[i]);
		find_holders(m, &known, d);
	}
	sort_ops(a, m);
}

struct memory memory_read(struct arena *a, struct trace *tr)
{
	struct memory m = { 0 };
	struct reading r = {
		.a = a,
		.tr = tr,
		.m = &m,
		.total = arg_key_id(tr, STR("Total Allocated")),
		.reserved = arg_key_id(tr, STR("Total Reserved")),
		.address = arg_key_id(tr, STR("Addr")),
		.type = arg_key_id(tr, STR("Device Type")),
		.id = arg_key_id(tr, STR("Device Id")),
	};

	read_changes(&r);
	if (!m.n)
		return m;
	sort_changes(&r);
	find_calls(&r);
	for (uint32_t d = 0; d < m.ndevices; d++) {
		m.device[d].peak = m.device[d].first;
		sum_up(&m, &m.device[d]);
	}
	sum_ops(a, &m);
	return m;
}

const char *memory_stack(struct arena *a, struct trace *tr, node_id node)
{
	const struct tree *t = trace_tree(tr, TREE_FULL);
	struct textbuf b = { .arena = a };
	node_id path[256];
	uint32_t n = 0;

	if (node == NONE)
		return NULL;
	for (node_id i = node; i != NONE; i = t->parent[i])
		n++;
	node_id *at = n <= ARRAY_SIZE(path) ? path : NEW(a, n, node_id);
	for (node_id i = node, k = n; i != NONE; i = t->parent[i])
		at[--k] = i;
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			textbuf_add(&b, STR(" > "));
		textbuf_add(&b, trace_name(tr, t->event[at[i]]));
	}
	return textbuf_keep(&b, a);
}
