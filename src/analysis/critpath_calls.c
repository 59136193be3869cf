/*
 * The calls that matter, in the order of time over all threads, each with what the trace says
 * of it: the work it launched, its sync row, the record it refers to. Consecutive queries of
 * a thread with nothing in between but Python are one call: a loop that polls.
 */
#include "algo/sort.h"
#include "analysis/critpath_input.h"
#include "base/map.h"

struct finder {
	struct path_source *s;
	uint32_t *call_of; /* of each event: its call while they stand by thread; NONE */
	uint8_t *launches; /* of each event: has it launched anything? */
	struct map by_correlation;
};

/* One row of a thread; `poll` is the query that the next one would join. */
static void add_row(struct finder *f, uint32_t thread, event_id e, uint32_t *poll)
{
	struct path_source *s = f->s;
	const struct trace *tr = s->tr;
	struct calls *c = &s->calls;
	enum kind k = tr->ev.kind[e];
	enum call_role role = critpath_call_role(&s->names, e);

	if (k == KIND_PYTHON || k == KIND_OVERHEAD || k == KIND_ANNOTATION)
		return;
	if (role == CALL_QUERY && *poll != NONE &&
	    tr->ev.name[c->at[*poll].event] == tr->ev.name[e]) {
		c->at[*poll].end = trace_end(tr, e) - tr->base;
		c->at[*poll].polls = true;
		return;
	}
	*poll = role == CALL_QUERY ? c->n : NONE;
	if (role == CALL_OTHER && !f->launches[e])
		return;
	f->call_of[e] = c->n;
	c->at[c->n++] = (struct path_call){ .event = e,
					    .thread = thread,
					    .start = tr->ev.ts[e] - tr->base,
					    .end = trace_end(tr, e) - tr->base,
					    .role = role == CALL_OTHER ? CALL_LAUNCH : role,
					    .first_op = NONE,
					    .stream = NONE,
					    .record = NONE,
					    .source = NONE,
					    .device = -1 };
}

static bool call_before(const void *ctx, uint32_t x, uint32_t y)
{
	const struct path_call *at = ctx;

	return at[x].start < at[y].start;
}

/* Puts them in order of start and renumbers. */
static void order_calls(struct finder *f)
{
	struct path_source *s = f->s;
	struct calls *c = &s->calls;
	uint32_t *by = NEW(s->arena, c->n, uint32_t);
	struct path_call *at = NEW(s->arena, c->n, struct path_call);

	for (uint32_t i = 0; i < c->n; i++)
		by[i] = i;
	sort_ids(by, c->n, NEW(s->arena, c->n, uint32_t), call_before, c->at);
	for (uint32_t i = 0; i < c->n; i++) {
		at[i] = c->at[by[i]];
		f->call_of[at[i].event] = i;
	}
	c->at = at;
}

/* The list of each call keeps the order of its work: by stream, then start. */
static void hang_ops(struct finder *f)
{
	struct path_source *s = f->s;

	for (uint32_t i = s->gpu.nops; i-- > 0;) {
		struct gpu_op *op = &s->gpu.op[i];
		op->call = op->launch == NONE ? NONE : f->call_of[op->launch];
		if (op->call == NONE)
			continue;
		op->sibling = s->calls.at[op->call].first_op;
		s->calls.at[op->call].first_op = i;
	}
}

static void index_correlations(struct finder *f)
{
	struct path_source *s = f->s;
	int64_t correlation;

	f->by_correlation = map_new(s->arena, s->calls.n);
	for (uint32_t i = 0; i < s->calls.n; i++)
		if (arg_i64(s->tr, s->calls.at[i].event, KEY_CORRELATION, &correlation))
			*map_at(&f->by_correlation, (uint64_t)correlation) = i;
}

static uint32_t stream_find(const struct path_source *s, int64_t device, int64_t stream)
{
	for (uint32_t i = 0; i < s->gpu.nstreams; i++) {
		const struct lane *l = &s->tr->lanes.at[s->gpu.stream[i].lane];
		if (l->stream == stream && (l->device == device || device < 0))
			return i;
	}
	return NONE;
}

/* Where no row says more, an event was recorded by the thread's last record before. */
static void assume_records(struct path_source *s)
{
	uint32_t *last = NEW(s->arena, s->host.nthreads, uint32_t);

	for (uint32_t k = 0; k < s->host.nthreads; k++)
		last[k] = NONE;
	for (uint32_t i = 0; i < s->calls.n; i++) {
		struct path_call *c = &s->calls.at[i];
		if (c->role == CALL_RECORD)
			last[c->thread] = i;
		c->record = last[c->thread];
		c->assumed = true;
	}
}

static bool reads_row(enum call_role r)
{
	return r == CALL_STREAM_WAIT || r == CALL_EVENT_SYNC || r == CALL_STREAM_SYNC ||
	       r == CALL_DEVICE_SYNC;
}

/* What a sync row adds to its call. A record it names tells us the stream of that record. */
static void read_sync_row(struct finder *f, event_id e, uint16_t on_stream, uint16_t on_record)
{
	struct path_source *s = f->s;
	const struct trace *tr = s->tr;
	int64_t correlation, device = -1, stream = -1, number;

	if (!arg_i64(tr, e, KEY_CORRELATION, &correlation))
		return;
	uint32_t i = map_get(&f->by_correlation, (uint64_t)correlation);
	if (i == NONE || !reads_row(s->calls.at[i].role))
		return;
	struct path_call *c = &s->calls.at[i];
	arg_i64(tr, e, KEY_DEVICE, &device);
	c->has_row = true;
	c->device = device;
	if (arg_i64(tr, e, KEY_STREAM, &stream) && stream >= 0) {
		c->stream = stream_find(s, device, stream);
		c->says_stream = true;
	}
	if (!arg_i64(tr, e, on_stream, &stream) || stream < 0)
		return;
	uint32_t waits_on = stream_find(s, device, stream), r = c->record;
	if (arg_i64(tr, e, on_record, &number) && number >= 0) {
		uint32_t named = map_get(&f->by_correlation, (uint64_t)number);
		if (named < i && s->calls.at[named].role == CALL_RECORD) {
			c->record = r = named;
			c->assumed = false;
		}
	}
	if (r != NONE)
		s->calls.at[r].stream = waits_on;
}

static void read_sync_rows(struct finder *f)
{
	const struct trace *tr = f->s->tr;
	uint16_t on_stream = arg_key_id(tr, STR("wait_on_stream"));
	uint16_t on_record = arg_key_id(tr, STR("wait_on_cuda_event_record_corr_id"));

	if (!tr->nkind[KIND_SYNC])
		return;
	index_correlations(f);
	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_SYNC)
			read_sync_row(f, e, on_stream, on_record);
}

void critpath_calls(struct path_source *s)
{
	const struct host *h = &s->host;
	struct finder f = { .s = s,
			    .call_of = NEW(s->arena, s->tr->ev.n, uint32_t),
			    .launches = NEW(s->arena, s->tr->ev.n, uint8_t) };

	for (event_id e = 0; e < s->tr->ev.n; e++)
		f.call_of[e] = NONE;
	for (uint32_t i = 0; i < s->gpu.nops; i++)
		if (s->gpu.op[i].launch != NONE)
			f.launches[s->gpu.op[i].launch] = 1;
	s->calls.at = NEW(s->arena, (size_t)s->tr->nkind[KIND_RUNTIME] + s->gpu.nops,
			  struct path_call);
	for (uint32_t k = 0; k < h->nthreads; k++) {
		uint32_t poll = NONE;
		for (uint32_t i = h->thread[k].first; i < h->thread[k].past; i++)
			add_row(&f, k, h->row[i], &poll);
	}
	order_calls(&f);
	hang_ops(&f);
	assume_records(s);
	read_sync_rows(&f);
}
