/*
 * Everything here is read off the columns: no call tree is kept, and the file is not
 * read again. Rows of table `info` without a label in text are for programs.
 */
#include "analysis/info.h"

#include "analysis/date.h"
#include "analysis/recorded.h"
#include "base/json.h"
#include "base/say.h"
#include "trace/link.h"
#include "trace/step.h"
#include "trace/tree.h"

#include <inttypes.h>

#define ROWS_MAX 1024 /* of table `info`; devices are what there could be many of */

struct info {
	struct trace *tr;
	struct lp_answer *a;
	struct arena *arena;
	uint32_t n;
	const char **what, **value, **label;
	int64_t *number;
	struct info_lanes lanes;
};

/* A line for people. */
static void say(struct info *i, const char *what, const char *value)
{
	if (i->n == ROWS_MAX || !value)
		return;
	i->what[i->n] = what;
	i->label[i->n] = what;
	i->value[i->n] = value;
	i->number[i->n++] = LP_NULL;
}

/* A number for programs. */
static void note(struct info *i, const char *what, int64_t number)
{
	if (i->n == ROWS_MAX)
		return;
	i->what[i->n] = what;
	i->label[i->n] = "";
	i->value[i->n] = NULL;
	i->number[i->n++] = number;
}

/* ---- File and window ---- */

static void add_file(struct info *i)
{
	const struct source *s = &i->tr->source;
	const char *json = say_count(i->arena, (int64_t)s->size);

	if (s->gzip)
		say(i, "file",
		    arena_print(i->arena, "%s: gzip, %s bytes; %s bytes of JSON", s->path,
				say_count(i->arena, (int64_t)s->packed_size), json));
	else
		say(i, "file", arena_print(i->arena, "%s: %s bytes of JSON", s->path, json));
	note(i, "packed_bytes", (int64_t)s->packed_size);
	note(i, "json_bytes", (int64_t)s->size);
	note(i, "events", i->tr->ev.n);
}

static int64_t meta_i64(const struct trace *tr, const char *key)
{
	int64_t v;

	return str_i64(trace_meta(tr, key), &v) ? v : 0;
}

/* In thousandths of `unit`, rounded to the nearest. */
static const char *say_milli(struct arena *a, nsec t, nsec unit)
{
	nsec milli = (nsec)(((__int128)t * 1000 + unit / 2) / unit);

	return arena_print(a, "%s.%03" PRId64, say_count(a, milli / 1000), milli % 1000);
}

/* "0.000 .. 1,211.780 ms": both in one unit. */
static const char *say_stretch(struct arena *a, nsec from, nsec to)
{
	bool ms = to >= 1000000, us = to >= 1000;
	nsec unit = ms ? 1000000 : 1000;

	if (!us)
		return arena_print(a, "%" PRId64 " .. %" PRId64 " ns", from, to);
	return arena_print(a, "%s .. %s %s", say_milli(a, from, unit), say_milli(a, to, unit),
			   ms ? "ms" : "µs");
}

static void add_window(struct info *i)
{
	const struct trace *tr = i->tr;
	nsec base = tr->base, epoch = meta_i64(tr, "baseTimeNanoseconds");

	if (tr->nslices) {
		nsec since_1970;
		if (__builtin_add_overflow(base, epoch, &since_1970))
			since_1970 = 0;
		const char *date = date_utc(i->arena, since_1970);
		const char *stretch = say_stretch(i->arena, tr->start - base, tr->end - base);
		if (date)
			say(i, "window",
			    arena_print(i->arena, "%s after %s (%" PRId64 " ns)", stretch, date,
					base));
		else
			say(i, "window",
			    arena_print(i->arena, "%s after %" PRId64 " ns", stretch, base));
	} else {
		say(i, "window", "no duration events");
	}
	note(i, "base_ns", base);
	note(i, "base_time_ns", epoch);
	note(i, "window_start_ns", tr->start);
	note(i, "window_end_ns", tr->end);
	note(i, "window_ns", tr->end - tr->start);
	note(i, "slices", tr->nslices);
}

/* ---- Devices ---- */

/* "12.4" of 12040 (CUDA), "7.0.51831" of 70051831 (HIP). */
static const char *version(struct info *i, const char *key, bool hip)
{
	int64_t v = meta_i64(i->tr, key);

	if (!v)
		return NULL;
	if (hip)
		return arena_print(i->arena, "%" PRId64 ".%" PRId64 ".%" PRId64, v / 10000000,
				   v / 100000 % 100, v % 100000);
	return arena_print(i->arena, "%" PRId64 ".%" PRId64, v / 1000, v % 1000 / 10);
}

static const char *software(struct info *i)
{
	const char *cuda = version(i, "cuda_runtime_version", false);
	const char *driver = version(i, "cuda_driver_version", false);
	const char *hip = version(i, "hip_runtime_version", true);

	if (hip)
		return arena_print(i->arena, "HIP %s", hip);
	if (!cuda)
		return NULL;
	return driver ? arena_print(i->arena, "CUDA %s, driver %s", cuda, driver)
		      : arena_print(i->arena, "CUDA %s", cuda);
}

/* What the file says of this device, of the kinds that matter. */
static const char *describe(struct info *i, int64_t device)
{
	struct json j = json_open(trace_meta(i->tr, "deviceProperties"));
	int64_t id = -1, bytes = 0, sms = 0;
	const char *name = NULL;

	while (json_next(&j)) {
		if (j.depth == 1 && j.type == JSON_OBJECT) {
			id = -1;
			bytes = sms = 0;
			name = NULL;
		} else if (j.depth == 2 && str_eq(j.key, STR("id"))) {
			json_i64(&j, &id);
		} else if (j.depth == 2 && str_eq(j.key, STR("name"))) {
			struct str s = json_string(i->arena, j.text);
			name = s.n ? arena_text(i->arena, s.p, s.n) : NULL;
		} else if (j.depth == 2 && str_eq(j.key, STR("totalGlobalMem"))) {
			json_i64(&j, &bytes);
		} else if (j.depth == 2 && str_eq(j.key, STR("numSms"))) {
			json_i64(&j, &sms);
		} else if (j.depth == 1 && j.type == JSON_CLOSE && id == device) {
			return arena_print(
				i->arena, "%s%s%s", name ? name : "unnamed",
				bytes ? arena_print(i->arena, ", %.1f GB", (double)bytes / 1e9)
				      : "",
				sms ? arena_print(i->arena, ", %" PRId64 " SMs", sms) : "");
		}
	}
	return NULL;
}

static void add_devices(struct info *i)
{
	const char *with = software(i);

	for (uint32_t d = 0; d < i->lanes.ndevices; d++) {
		int64_t device = i->lanes.device[d];
		const char *text = describe(i, device);
		text = text ? text : "not described in the file";
		say(i, "device",
		    with ? arena_print(i->arena, "%" PRId64 ": %s; %s", device, text, with)
			 : arena_print(i->arena, "%" PRId64 ": %s", device, text));
		with = NULL;
	}
	if (!i->lanes.ndevices)
		say(i, "device", "no GPU work in this trace");
	note(i, "processes", i->lanes.nprocesses);
	note(i, "threads", i->lanes.nthreads);
	note(i, "devices", i->lanes.ndevices);
	note(i, "streams", i->lanes.nstreams);
	note(i, "gpu_events", i->tr->ngpu);
}

/* ---- What was recorded ---- */

static void add_recorded(struct info *i)
{
	struct recordings r = recordings_of(i->tr);
	const char *text = "";

	for (enum recorded k = RECORDED_SHAPES; k < RECORDINGS; k++)
		text = arena_print(i->arena, "%s%s%s %s", text, *text ? ", " : "",
				   recorded_texts[k].name, r.has[k] ? "yes" : "no");
	say(i, "recorded", text);
	for (enum recorded k = 0; k < RECORDINGS; k++)
		note(i, arena_print(i->arena, "recorded: %s", recorded_texts[k].name), r.has[k]);
}

static void add_steps(struct info *i)
{
	const struct steps *s = trace_steps(i->tr);

	if (s->n == 1)
		say(i, "steps", trace_name(i->tr, s->event[0]).p);
	else if (s->n)
		say(i, "steps",
		    arena_print(i->arena, "%u: %s .. %s", s->n, trace_name(i->tr, s->event[0]).p,
				trace_name(i->tr, s->event[s->n - 1]).p));
	note(i, "steps", s->n);
}

static void add_async(struct info *i)
{
	const struct trace *tr = i->tr;
	uint32_t whole = 0, open = 0;

	for (event_id e = 0; tr->nkind[KIND_ASYNC] && e < tr->ev.n; e++)
		if (tr->ev.ph[e] == 'b' || tr->ev.ph[e] == 'S') {
			whole += !(tr->ev.flags[e] & EVENT_UNCLOSED);
			open += (tr->ev.flags[e] & EVENT_UNCLOSED) != 0;
		}
	if (whole + open)
		say(i, "async",
		    arena_print(i->arena, "%s, %u unfinished",
				say_many(i->arena, whole, "complete span", "complete spans"),
				open));
	note(i, "async_spans", whole);
	note(i, "async_unfinished", open);
}

static void add_rank(struct info *i)
{
	struct str d = trace_meta(i->tr, "distributedInfo");
	struct str rank = d.p ? json_get(d, "rank") : (struct str){ 0 };
	struct str size = d.p ? json_get(d, "world_size") : (struct str){ 0 };
	int64_t n;

	if (!str_i64(rank, &n))
		return;
	if (size.n)
		say(i, "rank", arena_print(i->arena, "%" PRId64 " of %.*s", n, STR_ARGS(size)));
	else
		say(i, "rank", arena_print(i->arena, "%" PRId64, n));
	note(i, "rank", n);
}

/* ---- Tables ---- */

static void add_info(struct info *i)
{
	struct lp_table *t = answer_table(i->a, "info", i->n);

	t->labels = i->label;
	t->whole = true;
	table_str(t, "what", "", 0, i->what, "the fact");
	table_str(t, "value", "", 0, i->value, "what it is, in words");
	table_i64(t, "number", "", LP_PLAIN, LP_DETAIL, i->number, "the fact as a number");
}

static bool more_events(const void *ctx, uint32_t a, uint32_t b)
{
	const struct trace *tr = ctx;

	return tr->nkind[a] > tr->nkind[b];
}

static void add_kinds(struct info *i)
{
	uint32_t order[KINDS], spare[KINDS], n = 0;
	const char **name = NEW(i->arena, KINDS, const char *);
	int64_t *count = NEW(i->arena, KINDS, int64_t);

	for (uint32_t k = 0; k < KINDS; k++)
		if (i->tr->nkind[k])
			order[n++] = k;
	sort_ids(order, n, spare, more_events, i->tr);
	for (uint32_t r = 0; r < n; r++) {
		name[r] = kind_name(order[r]);
		count[r] = i->tr->nkind[order[r]];
	}
	struct lp_table *t = answer_table(i->a, "kinds", n);
	t->total = "events";
	t->whole = true;
	table_str(t, "kind", "kind", 0, name, "what the events are");
	table_i64(t, "events", "events", LP_COUNT, LP_SUM, count, "how many");
}

static void add_counters(struct info *i)
{
	const struct counters *c = &i->tr->counters;
	const char **severity = NEW(i->arena, COUNTERS, const char *);
	const char **code = NEW(i->arena, COUNTERS, const char *);
	const char **text = NEW(i->arena, COUNTERS, const char *);
	int64_t *count = NEW(i->arena, COUNTERS, int64_t);
	int64_t *byte = NEW(i->arena, COUNTERS, int64_t);
	uint32_t n = 0;

	for (int s = SEVERITY_ERROR; s >= SEVERITY_NOTE; s--)
		for (enum counter k = 0; k < COUNTERS; k++) {
			if (!c->n[k] || (int)counter_texts[k].severity != s)
				continue;
			severity[n] = severity_name(counter_texts[k].severity);
			code[n] = counter_texts[k].name;
			text[n] = counter_texts[k].text;
			count[n] = (int64_t)c->n[k];
			byte[n++] = c->first_byte[k] == UINT64_MAX ? LP_NULL
								   : (int64_t)c->first_byte[k];
		}
	if (!n)
		return;
	struct lp_table *t = answer_table(i->a, "counters", n);
	t->whole = true;
	table_str(t, "severity", "", 0, severity, "error, warning or note");
	table_str(t, "code", "code", 0, code, "the rule");
	table_i64(t, "count", "count", LP_COUNT, 0, count, "places where it does not hold");
	table_i64(t, "byte", "byte", LP_PLAIN, LP_LESSER, byte, "the first place in the JSON text");
	table_str(t, "meaning", "what it means", 0, text, "what it means, and what was done");
}

/* ---- The sentence ---- */

static const char *say_number(struct arena *a, int64_t n, const char *one, const char *more)
{
	static const char *const words[] = { "no", "one", "two", "three", "four" };

	if (n < (int64_t)ARRAY_SIZE(words))
		return arena_print(a, "%s %s", words[n], n == 1 ? one : more);
	return say_many(a, n, one, more);
}

/* How many rules do not hold. */
static uint32_t count_rules(const struct trace *tr, enum severity severity)
{
	uint32_t n = 0;

	for (enum counter k = 0; k < COUNTERS; k++)
		n += tr->counters.n[k] && counter_texts[k].severity == severity;
	return n;
}

static const char *what_to_repair(struct info *i)
{
	uint32_t errors = count_rules(i->tr, SEVERITY_ERROR);
	uint32_t warnings = count_rules(i->tr, SEVERITY_WARNING);
	const char *e = say_many(i->arena, errors, "error", "errors");
	const char *w = say_many(i->arena, warnings, "warning", "warnings");

	if (errors && warnings)
		return arena_print(i->arena, "with %s and %s", e, w);
	return errors     ? arena_print(i->arena, "with %s", e)
	       : warnings ? arena_print(i->arena, "with %s", w)
			  : "with nothing to repair";
}

static void say_headline(struct info *i)
{
	const struct trace *tr = i->tr;
	bool torch = tr->nkind[KIND_CPU_OP] || tr->nkind[KIND_PYTHON] || tr->nkind[KIND_RUNTIME];

	if (!tr->nslices) {
		answer_headline(i->a, "No duration events in this file: %s.",
				say_many(i->arena, tr->ev.n, "event", "events"));
		return;
	}
	const char *where = i->lanes.ndevices ? arena_print(i->arena, "on %s",
							    say_number(i->arena, i->lanes.ndevices,
								       "GPU", "GPUs"))
					      : "without GPU work";
	answer_headline(i->a, "A %s of %s %s, %s long, %s.", torch ? "PyTorch trace" : "trace",
			say_number(i->arena, i->lanes.nprocesses, "process", "processes"), where,
			say_time(i->arena, tr->end - tr->start), what_to_repair(i));
}

struct lp_answer *lp_info(struct lp_trace *trace, struct lp_error *err)
{
	struct info i = { .tr = (struct trace *)trace, .a = answer_new() };

	i.arena = answer_arena(i.a);
	i.what = NEW(i.arena, ROWS_MAX, const char *);
	i.value = NEW(i.arena, ROWS_MAX, const char *);
	i.label = NEW(i.arena, ROWS_MAX, const char *);
	i.number = NEW(i.arena, ROWS_MAX, int64_t);
	trace_launches(i.tr, LINK_BEST); /* counts what it meets */
	i.lanes = info_lanes(i.tr, i.arena);
	add_file(&i);
	add_window(&i);
	add_rank(&i);
	add_devices(&i);
	add_recorded(&i);
	add_steps(&i);
	add_async(&i);
	say_headline(&i);
	add_info(&i);
	if (i.lanes.n)
		info_add_lanes(i.a, i.tr, &i.lanes);
	add_kinds(&i);
	add_counters(&i);
	answer_next(i.a, "can it be trusted", "longpole check %s", i.tr->source.path);
	answer_next(i.a, "where the GPU time goes", "longpole timeline %s", i.tr->source.path);
	return i.a;
}
