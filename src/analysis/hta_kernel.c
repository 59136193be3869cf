/*
 * GPU rows in the order of their starts, sync rows in that of their ends. A kernel hangs on
 * its launch when its queue was empty then and is empty now, else on the kernel before it on
 * its stream if that ended less than 1,500 µs before; and on the kernel whose event its stream
 * was told to wait for.
 */
#include "algo/sort.h"
#include "analysis/hta.h"

#define GAP_MAX  ((usec)1500)
#define NO_QUEUE INT64_MIN

struct kernels {
	struct hta *h;
	int64_t *queue; /* of each row: the length of its stream's queue; NO_QUEUE */
	uint32_t nlaunches;
	uint32_t *launch;  /* rows of calls with a partner, by time */
	uint32_t *rank;    /* of each row: its place among them; NONE */
	uint32_t *before;  /* of each row that records: the launch before it on its stream; NONE */
	uint32_t *after;   /* of each row that waits: the next launch on its stream; NONE */
	uint32_t *waits;   /* of each row: the kernel it was told to wait for; NONE */
	struct map stream; /* of a stream: a number */
	uint32_t nstreams;
	uint32_t *last; /* of each stream, by number: its last node */
	uint16_t key_record, key_stream;
};

static uint32_t partner_row(const struct hta *h, uint32_t row)
{
	int64_t p = h->row[row].partner;

	return p < 0 ? NONE : h->row_of[p];
}

/* A stream of any device: HTA keeps one last kernel per stream number. */
static uint32_t stream_number(struct kernels *k, int64_t stream)
{
	uint32_t *at = map_at(&k->stream, (uint64_t)stream);

	if (*at == NONE)
		*at = k->nstreams++;
	return *at;
}

static int64_t argument(const struct hta *h, uint32_t row, uint16_t key)
{
	int64_t x;

	return key != UINT16_MAX && arg_i64(h->tr, h->row[row].event, key, &x) ? x : -1;
}

/* ---- The queues ---- */

static bool launches(const struct hta *h, uint32_t row)
{
	return h->row[row].partner > 0 && hta_is_launch(hta_name(h, row));
}

/* Calls add one when they are made, GPU rows take one off when they start. */
static void queue_lengths(struct kernels *k)
{
	struct hta *h = k->h;
	uint32_t *row = NEW(h->arena, h->nrows, uint32_t), *id = NEW(h->arena, h->nrows, uint32_t);
	usec *key = NEW(h->arena, h->nrows, usec);
	int64_t *length = NEW(h->arena, h->nrows + (size_t)1, int64_t);
	struct map launched = map_new(h->arena, h->nrows);
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->nrows; i++)
		if (launches(h, i)) {
			row[n++] = i;
			*map_at(&launched, (uint64_t)h->row[i].correlation) = i;
		}
	uint32_t ncalls = n;
	for (uint32_t i = 0; i < h->nrows; i++)
		if (h->row[i].stream != HTA_NO_STREAM &&
		    map_get(&launched, (uint64_t)h->row[i].correlation) != NONE && n < h->nrows)
			row[n++] = i;
	for (uint32_t i = 0; i < n; i++) {
		id[i] = i;
		key[i] = h->row[row[i]].ts;
	}
	hta_sort(id, n, key);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t r = row[id[i]], gpu = id[i] < ncalls ? partner_row(h, r) : r;
		if (gpu == NONE)
			continue;
		int64_t *l = &length[stream_number(k, h->row[gpu].stream)];
		*l += id[i] < ncalls ? 1 : -1;
		k->queue[r] = *l;
	}
}

/* ---- Events ---- */

static bool row_earlier(const void *ctx, uint32_t x, uint32_t y)
{
	const struct hta_row *row = ctx;

	return row[x].ts < row[y].ts;
}

static void list_launches(struct kernels *k)
{
	struct hta *h = k->h;

	k->launch = NEW(h->arena, h->nrows, uint32_t);
	for (uint32_t i = 0; i < h->nrows; i++) {
		uint32_t p = partner_row(h, i);
		k->rank[i] = NONE;
		if (launches(h, i) && p != NONE && h->row[p].stream != HTA_NO_STREAM &&
		    h->row[p].partner > 0)
			k->launch[k->nlaunches++] = i;
	}
	sort_ids(k->launch, k->nlaunches, NEW(h->arena, k->nlaunches, uint32_t), row_earlier,
		 h->row);
	for (uint32_t i = 0; i < k->nlaunches; i++)
		k->rank[k->launch[i]] = i;
}

/* Of each record (its correlation): the stream and process that a sync row says it is of. */
static struct map recorded_streams(struct kernels *k, uint64_t *place)
{
	struct hta *h = k->h;
	struct map at = map_new(h->arena, h->nrows);

	for (uint32_t i = 0; i < h->nrows; i++) {
		int64_t stream = argument(h, i, k->key_stream);
		if (stream < 0)
			continue;
		uint32_t *slot = map_at(&at, (uint64_t)argument(h, i, k->key_record));
		if (*slot == NONE) {
			*slot = i;
			place[i] = (uint64_t)h->tr->lanes.at[h->tr->ev.lane[h->row[i].event]].pid
					   << 32 |
				   stream_number(k, stream);
		}
	}
	return at;
}

static uint64_t stream_of(struct kernels *k, uint32_t gpu_row)
{
	const struct hta *h = k->h;
	string_id pid = h->tr->lanes.at[h->tr->ev.lane[h->row[gpu_row].event]].pid;

	return (uint64_t)pid << 32 | stream_number(k, h->row[gpu_row].stream);
}

/* Rows of launches and of the named calls by time; equal ones: launches first. */
static uint32_t *with_calls(struct kernels *k, const char *name, uint32_t *n)
{
	struct hta *h = k->h;
	uint32_t *row = NEW(h->arena, h->nrows + (size_t)k->nlaunches, uint32_t);

	*n = 0;
	for (uint32_t i = 0; i < k->nlaunches; i++)
		row[(*n)++] = k->launch[i];
	for (uint32_t i = 0; i < h->nrows; i++)
		if (str_eq(hta_name(h, i), str_of(name)))
			row[(*n)++] = i;
	sort_ids(row, *n, NEW(h->arena, *n, uint32_t), row_earlier, h->row);
	return row;
}

static void find_launches_before(struct kernels *k)
{
	struct hta *h = k->h;
	uint64_t *place = NEW(h->arena, h->nrows, uint64_t);
	struct map streams = recorded_streams(k, place), last = map_new(h->arena, h->nrows);
	uint32_t n, *row = with_calls(k, "cudaEventRecord", &n);

	for (uint32_t i = 0; i < n; i++) {
		if (k->rank[row[i]] != NONE) {
			uint64_t at = stream_of(k, partner_row(h, row[i]));
			*map_at(&last, at) = row[i];
			continue;
		}
		uint32_t by = map_get(&streams, (uint64_t)h->row[row[i]].correlation);
		k->before[row[i]] = by == NONE ? NONE : map_get(&last, place[by]);
	}
}

static void find_launches_after(struct kernels *k)
{
	struct hta *h = k->h;
	struct map next = map_new(h->arena, h->nrows);
	uint32_t n, *row = with_calls(k, "cudaStreamWaitEvent", &n);

	for (uint32_t i = n; i-- > 0;) {
		uint32_t gpu = partner_row(h, row[i]);
		if (gpu == NONE || h->row[row[i]].partner <= 0 ||
		    h->row[gpu].stream == HTA_NO_STREAM)
			continue;
		uint64_t at = (uint64_t)h->tr->ev.lane[h->row[row[i]].event] << 32 |
			      stream_number(k, h->row[gpu].stream);
		if (k->rank[row[i]] != NONE)
			*map_at(&next, at) = row[i];
		else
			k->after[row[i]] = map_get(&next, at);
	}
}

/* ---- Edges ---- */

static void sync_host(struct kernels *k, uint32_t kernel_end, uint32_t row)
{
	struct hta *h = k->h;
	uint32_t call = partner_row(h, row);

	if (kernel_end != NONE && call != NONE && h->ends[call] != NONE)
		hta_join(h, kernel_end, h->ends[call], HTA_SYNC, false, -1);
}

/* The kernel before the record that a sync row names. */
static uint32_t recorded_kernel(struct kernels *k, const struct map *records, uint32_t row)
{
	int64_t record = argument(k->h, row, k->key_record);
	uint32_t call = record < 0 ? NONE : map_get(records, (uint64_t)record);

	if (call == NONE || k->before[call] == NONE)
		return NONE;
	return partner_row(k->h, k->before[call]);
}

static void add_sync_row(struct kernels *k, const struct map *records, uint32_t row)
{
	struct hta *h = k->h;
	struct str name = hta_name(h, row);
	bool wait = str_eq(name, STR("Stream Wait Event"));

	if (wait || str_eq(name, STR("Event Sync"))) {
		uint32_t source = recorded_kernel(k, records, row), call = partner_row(h, row);
		if (source == NONE || call == NONE)
			return;
		if (!wait)
			sync_host(k, h->ends[source], row);
		else if (k->after[call] != NONE)
			k->waits[partner_row(h, k->after[call])] = source;
	} else if (str_eq(name, STR("Context Sync"))) {
		for (uint32_t i = 0; i < k->nstreams; i++)
			sync_host(k, k->last[i], row);
	} else {
		sync_host(k, k->last[stream_number(k, h->row[row].stream)], row);
	}
}

static void add_kernel(struct kernels *k, uint32_t row)
{
	struct hta *h = k->h;
	uint32_t stream = stream_number(k, h->row[row].stream), last = k->last[stream];
	uint32_t call = partner_row(h, row), start = h->starts[row], source = k->waits[row];
	usec launched = call == NONE ? INT64_MIN : h->row[call].ts;

	hta_join(h, start, h->ends[row], HTA_SPAN, false, h->row[row].event);
	source = source == NONE ? NONE : h->ends[source];
	if (source != NONE)
		hta_join(h, source, start, HTA_SYNC, false, -1);
	bool idle = call != NONE && k->queue[call] == 1 && k->queue[row] == 0;
	if (idle && (last == NONE || h->node[last].ts < launched) &&
	    (source == NONE || h->node[source].ts < launched) && h->starts[call] != NONE)
		hta_join(h, h->starts[call], start, HTA_LAUNCH_DELAY, false, -1);
	else if (last != NONE && h->node[start].ts - h->node[last].ts < GAP_MAX &&
		 (source == NONE || h->node[source].ts < h->node[last].ts))
		hta_join(h, last, start, HTA_KERNEL_DELAY, false, h->row[h->node[last].row].event);
	k->last[stream] = h->ends[row];
}

/* The rows in hand, as HTA orders them: by place in the file, then by its sort. */
static uint32_t *order_of_kernels(struct kernels *k, uint32_t *n)
{
	struct hta *h = k->h;
	uint32_t *row = NEW(h->arena, h->nrows, uint32_t), *id = NEW(h->arena, h->nrows, uint32_t);
	usec *key = NEW(h->arena, h->nrows, usec);

	*n = 0;
	for (event_id e = 0; e < h->tr->ev.n; e++) {
		uint32_t i = h->row_of[e];
		if (i == NONE || !h->row[i].kept || h->row[i].partner < 0)
			continue;
		struct str name = trace_name(h->tr, e);
		if (h->row[i].stream == HTA_NO_STREAM && !str_eq(name, STR("Event Sync")) &&
		    !str_eq(name, STR("Context Sync")))
			continue;
		id[*n] = *n;
		key[*n] = h->tr->ev.kind[e] == KIND_SYNC ? h->row[i].end : h->row[i].ts;
		row[(*n)++] = i;
	}
	hta_sort(id, *n, key);
	for (uint32_t i = 0; i < *n; i++)
		id[i] = row[id[i]];
	return id;
}

static struct map records_by_correlation(struct kernels *k)
{
	struct hta *h = k->h;
	struct map at = map_new(h->arena, h->nrows);

	for (uint32_t i = 0; i < h->nrows; i++)
		if (str_eq(hta_name(h, i), STR("cudaEventRecord")))
			*map_at(&at, (uint64_t)h->row[i].correlation) = i;
	return at;
}

static uint32_t *nothing(struct hta *h, size_t n)
{
	uint32_t *at = NEW(h->arena, n, uint32_t);

	for (size_t i = 0; i < n; i++)
		at[i] = NONE;
	return at;
}

void hta_kernels(struct hta *h)
{
	struct kernels k = { .h = h,
			     .queue = NEW(h->arena, h->nrows, int64_t),
			     .rank = nothing(h, h->nrows),
			     .before = nothing(h, h->nrows),
			     .after = nothing(h, h->nrows),
			     .waits = nothing(h, h->nrows),
			     .last = nothing(h, 2 * (size_t)h->nrows),
			     .stream = map_new(h->arena, 2 * (size_t)h->nrows),
			     .key_record = arg_key_id(h->tr,
						      STR("wait_on_cuda_event_record_corr_id")),
			     .key_stream = arg_key_id(h->tr, STR("wait_on_stream")) };
	uint32_t n;

	for (uint32_t i = 0; i < h->nrows; i++)
		k.queue[i] = NO_QUEUE;
	queue_lengths(&k);
	list_launches(&k);
	find_launches_before(&k);
	find_launches_after(&k);
	struct map records = records_by_correlation(&k);
	uint32_t *order = order_of_kernels(&k, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (h->tr->ev.kind[h->row[order[i]].event] == KIND_SYNC)
			add_sync_row(&k, &records, order[i]);
		else if (h->starts[order[i]] != NONE)
			add_kernel(&k, order[i]);
	}
}
