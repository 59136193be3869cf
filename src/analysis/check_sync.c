/*
 * Rules about rows that say who waited for whom. A wait names the call that recorded the
 * event it waited for; that call must be a record and must have begun before the wait
 * did. A record from before the profile is in no file, so one that is not found is in order.
 */
#include "analysis/check.h"

#include "base/map.h"
#include "trace/model.h"

#define PATIENCE 1000 /* ns: a kernel may seem to end that much after the wait for it */

struct waits {
	struct trace *tr;
	struct map call;     /* correlation -> runtime call */
	uint32_t *from, *to; /* of each lane, in trace.gpu */
	uint16_t record_key, kind_key;
};

static struct str sync_kind(const struct waits *w, event_id e)
{
	struct str kind = { 0 };

	if (w->kind_key != UINT16_MAX)
		kind = arg_text(w->tr, e, w->kind_key);
	return kind.n ? kind : trace_name(w->tr, e);
}

static void map_calls(struct waits *w, struct arena *a)
{
	struct trace *tr = w->tr;
	int64_t id;

	w->call = map_new(a, tr->nkind[KIND_RUNTIME]);
	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_RUNTIME && trace_slice(tr, e) &&
		    arg_i64(tr, e, KEY_CORRELATION, &id) && id > 0)
			*map_at(&w->call, (uint64_t)id) = e;
}

/* False if the row names a record that cannot be the one it waited for. */
static bool record_is_sound(const struct waits *w, event_id wait)
{
	int64_t id;

	if (w->record_key == UINT16_MAX || !arg_i64(w->tr, wait, w->record_key, &id))
		return true; /* recorded before rows named their records */
	if (id <= 0 || id == UINT32_MAX)
		return false;
	event_id call = map_get(&w->call, (uint64_t)id);
	return call == NONE || (str_contains(trace_name(w->tr, call), STR("EventRecord")) &&
				w->tr->ev.ts[call] <= w->tr->ev.ts[wait]);
}

/* ---- Stream syncs ---- */

/* Where the work of each lane with valid times stands in trace.gpu. */
static void list_streams(struct waits *w, struct arena *a)
{
	const struct trace *tr = w->tr;

	w->from = NEW(a, tr->lanes.n, uint32_t);
	w->to = NEW(a, tr->lanes.n, uint32_t);
	for (uint32_t i = 0; i < tr->ngpu; i++) {
		lane_id lane = tr->ev.lane[tr->gpu[i]];
		if (!trace_timed(tr, tr->gpu[i]))
			continue;
		if (!w->to[lane])
			w->from[lane] = i;
		w->to[lane] = i + 1;
	}
}

/* Was work of the stream, running when the sync began, still running well after it ended? */
static bool ends_early(const struct waits *w, event_id sync)
{
	const struct trace *tr = w->tr;
	uint32_t from = w->from[tr->ev.lane[sync]], lo = from, hi = w->to[tr->ev.lane[sync]];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tr->ev.ts[tr->gpu[mid]] <= tr->ev.ts[sync])
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > from && trace_end(tr, tr->gpu[lo - 1]) > trace_end(tr, sync) + PATIENCE;
}

void check_syncs(struct trace *tr)
{
	struct arena scratch = { 0 };
	struct waits w = { .tr = tr,
			   .record_key = arg_key_id(tr, STR("wait_on_cuda_event_record_corr_id")),
			   .kind_key = arg_key_id(tr, STR("cuda_sync_kind")) };

	if (!tr->nkind[KIND_SYNC])
		return;
	map_calls(&w, &scratch);
	list_streams(&w, &scratch);
	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.kind[e] != KIND_SYNC || !trace_slice(tr, e) || !trace_timed(tr, e))
			continue;
		struct str kind = sync_kind(&w, e);
		if (str_contains_nocase(kind, STR("stream wait")) && !record_is_sound(&w, e))
			model_count(tr, COUNT_BAD_STREAM_WAIT, e);
		else if (str_contains_nocase(kind, STR("event sync")) && !record_is_sound(&w, e))
			model_count(tr, COUNT_BAD_EVENT_SYNC, e);
		else if (str_contains_nocase(kind, STR("stream sync")) && tr->ev.lane[e] != NONE &&
			 ends_early(&w, e))
			model_count(tr, COUNT_EARLY_SYNC, e);
	}
	arena_free(&scratch);
}
