/*
 * A GPU lane is found by a hash of (lane as written, process, device, stream), most often
 * by looking at the one of the event before. Streams are numbers in args or, in older
 * files, the text "stream 7" as tid; where neither is a number the lane as written
 * keeps its streams apart.
 */
#include "trace/lane.h"

#include "algo/sort.h"
#include "base/hash.h"
#include "base/map.h"
#include "trace/trace.h"

#define NO_STREAM 4294967295 /* how old exporters write -1 */

static struct str text_of(const struct trace *tr, string_id id)
{
	return id == NONE ? STR("") : strings_get(&tr->strings, id);
}

/* The number `text` ends with: "stream 7", "0x7f", "12". */
static bool number_at_end(struct str text, int64_t *out)
{
	size_t from = text.n;

	if (str_starts(text, STR("0x"))) {
		uint64_t v = 0;
		for (size_t i = 2; i < text.n; i++) {
			char c = text.p[i];
			int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
			if (digit < 0 || digit > 15 || i > 17)
				return false;
			v = v << 4 | (uint64_t)digit;
		}
		*out = (int64_t)v;
		return text.n > 2;
	}
	while (from && text.p[from - 1] >= '0' && text.p[from - 1] <= '9')
		from--;
	if (from == 1 && text.p[0] == '-')
		from = 0;
	return str_i64((struct str){ text.p + from, text.n - from }, out);
}

static bool arg_number(const struct trace *tr, event_id e, uint16_t key, int64_t *out)
{
	if (arg_i64(tr, e, key, out))
		return true;
	struct str text = arg_text(tr, e, key);
	return text.n && text.p[0] != '-' && number_at_end(text, out);
}

/* ---- Names ---- */

struct names {
	string_id name, labels;
	int64_t sort_index;
};

static string_id string_arg(const struct trace *tr, event_id e, uint16_t key)
{
	struct arg a;

	return key != UINT16_MAX && arg_find(tr, e, key, &a) && a.type == ARG_STR ? a.value : NONE;
}

/* Numbers by value, before text. */
static int id_cmp(const struct trace *tr, string_id a, string_id b)
{
	struct str x = text_of(tr, a), y = text_of(tr, b);
	int64_t m = 0, n = 0;
	bool x_text = !str_i64(x, &m), y_text = !str_i64(y, &n);

	if (x_text != y_text)
		return x_text ? 1 : -1;
	return x_text ? str_cmp(x, y) : (m > n) - (m < n);
}

static bool pid_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return id_cmp(tr, tr->lanes.at[a].pid, tr->lanes.at[b].pid) < 0;
}

/* By pid, so that the numbers do not depend on the order of events. */
static void number_processes(struct trace *tr, struct arena *scratch)
{
	uint32_t n = tr->lanes.n;
	lane_id *order = NEW(scratch, n, lane_id), *spare = NEW(scratch, n, lane_id);

	for (lane_id l = 0; l < n; l++)
		order[l] = l;
	sort_ids(order, n, spare, pid_before, tr);
	for (uint32_t i = 0; i < n; i++) {
		if (i && pid_before(tr, order[i - 1], order[i]))
			tr->lanes.nprocesses++;
		tr->lanes.at[order[i]].process = tr->lanes.nprocesses;
	}
	tr->lanes.nprocesses += n > 0;
}

void lanes_name(struct trace *tr)
{
	struct arena scratch = { 0 };
	uint16_t name = arg_key_id(tr, STR("name")), labels = arg_key_id(tr, STR("labels")),
		 sort = arg_key_id(tr, STR("sort_index"));

	number_processes(tr, &scratch);
	struct names *process = NEW(&scratch, tr->lanes.nprocesses, struct names);
	memset(process, 0xff, tr->lanes.nprocesses * sizeof(*process));

	for (event_id e = 0; e < tr->ev.n; e++) {
		if (tr->ev.ph[e] != 'M' || tr->ev.lane[e] == NONE)
			continue;
		struct lane *l = &tr->lanes.at[tr->ev.lane[e]];
		struct str what = trace_name(tr, e);
		if (str_eq(what, STR("process_name")))
			process[l->process].name = string_arg(tr, e, name);
		else if (str_eq(what, STR("process_labels")))
			process[l->process].labels = string_arg(tr, e, labels);
		else if (str_eq(what, STR("thread_name")))
			l->thread_name = string_arg(tr, e, name);
		else if (str_eq(what, STR("thread_sort_index")) && sort != UINT16_MAX)
			arg_i64(tr, e, sort, &l->sort_index);
	}
	for (lane_id i = 0; i < tr->lanes.n; i++) {
		struct lane *l = &tr->lanes.at[i];
		l->process_name = process[l->process].name;
		l->process_labels = process[l->process].labels;
	}
	arena_free(&scratch);
}

/* ---- GPU lanes ---- */

struct splitter {
	struct trace *tr;
	struct map found;
	uint32_t cap;
	lane_id last_from, last; /* the lane as written and the GPU lane of the event before */
};

static int64_t device_of(const struct trace *tr, event_id e, const struct lane *l)
{
	int64_t device;

	if (arg_number(tr, e, KEY_DEVICE, &device) || number_at_end(text_of(tr, l->pid), &device) ||
	    number_at_end(text_of(tr, l->process_name), &device))
		return device;
	return 0;
}

/* False if only the lane as written tells its stream. */
static bool stream_of(const struct trace *tr, event_id e, const struct lane *l, int64_t *stream)
{
	if (!arg_number(tr, e, KEY_STREAM, stream) && !number_at_end(text_of(tr, l->tid), stream)) {
		*stream = 0;
		return false;
	}
	if (*stream == NO_STREAM)
		*stream = -1;
	return true;
}

static bool same_stream(const struct lane *a, const struct lane *b)
{
	return a->gpu && a->process == b->process && a->device == b->device &&
	       a->stream == b->stream && (a->stream_known ? b->stream_known : a->tid == b->tid);
}

static lane_id add_lane(struct splitter *s, const struct lane *l)
{
	struct lanes *lanes = &s->tr->lanes;

	if (lanes->n == s->cap) {
		struct lane *more = NEW(&s->tr->arena, 2 * (size_t)s->cap + 8, struct lane);
		memcpy(more, lanes->at, lanes->n * sizeof(*more));
		lanes->at = more;
		s->cap = 2 * s->cap + 8;
	}
	lanes->at[lanes->n] = *l;
	return lanes->n++;
}

static lane_id find_lane(struct splitter *s, const struct lane *l)
{
	uint64_t key = hash_mix(hash_u64((uint64_t)l->device << 32 ^ l->process),
				hash_u64((uint64_t)l->stream));
	uint32_t *at;

	while (*(at = map_at(&s->found, key)) != NONE && !same_stream(&s->tr->lanes.at[*at], l))
		key++;
	if (*at == NONE)
		*at = add_lane(s, l);
	return *at;
}

static lane_id gpu_lane(struct splitter *s, event_id e)
{
	lane_id from = s->tr->ev.lane[e];
	struct lane l = s->tr->lanes.at[from];

	l.device = device_of(s->tr, e, &l);
	l.stream_known = stream_of(s->tr, e, &l, &l.stream);
	l.gpu = true;
	if (from != s->last_from || !same_stream(&s->tr->lanes.at[s->last], &l))
		s->last = find_lane(s, &l);
	s->last_from = from;
	return s->last;
}

static void number_streams(struct trace *tr, struct arena *scratch)
{
	uint32_t n = tr->lanes.n, *rank = lanes_rank(tr, scratch);
	lane_id *order = NEW(scratch, n, lane_id);

	for (lane_id l = 0; l < n; l++)
		order[rank[l]] = l;
	for (uint32_t i = 1; i < n; i++) {
		const struct lane *before = &tr->lanes.at[order[i - 1]];
		struct lane *l = &tr->lanes.at[order[i]];
		if (before->gpu && before->process == l->process && before->device == l->device)
			l->stream_index = before->stream_index + 1;
	}
}

void lanes_split_gpu(struct trace *tr)
{
	struct arena scratch = { 0 };
	size_t n = 0;

	for (event_id e = 0; e < tr->ev.n; e++)
		n += kind_is_on_gpu(tr->ev.kind[e]);
	struct splitter s = { tr, map_new(&scratch, n), tr->lanes.n, NONE, NONE };
	for (event_id e = 0; e < tr->ev.n; e++)
		if (kind_is_on_gpu(tr->ev.kind[e]) && tr->ev.lane[e] != NONE)
			tr->ev.lane[e] = gpu_lane(&s, e);
	number_streams(tr, &scratch);
	arena_free(&scratch);
}

/* ---- The order of lanes ---- */

static bool lane_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;
	const struct lane *x = &tr->lanes.at[a], *y = &tr->lanes.at[b];

	if (x->process != y->process)
		return x->process < y->process;
	if (x->gpu != y->gpu)
		return y->gpu;
	if (x->device != y->device)
		return x->device < y->device;
	if (x->stream != y->stream)
		return x->stream < y->stream;
	return !x->stream_known && id_cmp(tr, x->tid, y->tid) < 0;
}

uint32_t *lanes_rank(const struct trace *tr, struct arena *a)
{
	uint32_t n = tr->lanes.n, *rank = NEW(a, n, uint32_t);
	struct arena_mark mark = arena_mark(a);
	lane_id *order = NEW(a, n, lane_id), *spare = NEW(a, n, lane_id);

	for (lane_id l = 0; l < n; l++)
		order[l] = l;
	sort_ids(order, n, spare, lane_before, tr);
	for (uint32_t i = 0; i < n; i++)
		rank[order[i]] = i;
	arena_rewind(a, mark);
	return rank;
}
