/*
 * One pass over the raw events. Flows need the pid and tid of the events they join as they
 * stand in the file, numbers or strings; those are picked up as the events go by, and the
 * flows are written at the end.
 */
#include "trace/write_chrome.h"

#include "base/gzout.h"
#include "base/map.h"
#include "base/textbuf.h"
#include "trace/raw.h"

#include <inttypes.h>

struct place {
	struct str pid, tid; /* raw JSON */
};

struct overlay {
	const struct trace *tr;
	const struct chrome_overlay *o;
	struct gzout *out;
	struct arena arena;
	struct map ends; /* of each event a flow touches: its place */
	struct place *place;
	bool begun;
};

static void put(struct overlay *w, struct str s)
{
	gzout_write(w->out, s.p, s.n);
}

static void put_head(struct overlay *w)
{
	const struct trace *tr = w->tr;

	put(w, STR("{\n"));
	for (uint32_t i = 0; i < tr->nmeta; i++) {
		put(w, STR("  \""));
		put(w, tr->meta[i].key);
		put(w, STR("\": "));
		put(w, tr->meta[i].json);
		put(w, STR(",\n"));
	}
	put(w, STR("  \"traceEvents\": ["));
}

static void put_separator(struct overlay *w)
{
	put(w, w->begun ? STR(",\n") : STR("\n"));
	w->begun = true;
}

/* ---- The original ---- */

static bool is_blank(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.p[i] == ' ' || (s.p[i] >= '\t' && s.p[i] <= '\r')))
		i++;
	return i == s.n;
}

/* The event with `members` at the end of its args; as it is if args is no object. */
static void put_marked(struct overlay *w, struct str text, struct str members)
{
	struct str args;
	const char *at = text.p + text.n - 1; /* the closing brace of the event */
	bool has = raw_field(text, "args", &args);

	if (has && (args.n < 2 || args.p[0] != '{' || args.p[args.n - 1] != '}')) {
		put(w, text);
		return;
	}
	if (has)
		at = args.p + args.n - 1;
	put(w, (struct str){ text.p, (size_t)(at - text.p) });
	if (!has)
		put(w, STR(", \"args\": {"));
	else if (!is_blank((struct str){ args.p + 1, args.n - 2 }))
		put(w, STR(", "));
	put(w, members);
	if (!has)
		put(w, STR("}"));
	put(w, (struct str){ at, (size_t)(text.p + text.n - at) });
}

static void put_original(struct overlay *w, struct raw_event e)
{
	bool critical = w->o->critical[e.id];
	nsec slack = w->o->slack[e.id];
	char members[80];
	int n;

	put_separator(w);
	if (!critical && slack == NSEC_NONE) {
		put(w, e.text);
		return;
	}
	if (slack == NSEC_NONE)
		n = snprintf(members, sizeof(members), "\"critical\": 1");
	else
		n = snprintf(members, sizeof(members), "%s\"slack_ns\": %" PRId64,
			     critical ? "\"critical\": 1, " : "", slack);
	put_marked(w, e.text, (struct str){ members, (size_t)n });
}

static struct str keep(struct overlay *w, struct str s)
{
	return (struct str){ arena_text(&w->arena, s.p, s.n), s.n };
}

static void note_place(struct overlay *w, struct raw_event e)
{
	uint32_t at = map_get(&w->ends, e.id);
	struct str pid, tid;

	if (at == NONE || !raw_field(e.text, "pid", &pid) || !raw_field(e.text, "tid", &tid))
		return;
	w->place[at] = (struct place){ keep(w, pid), keep(w, tid) };
}

static void index_flows(struct overlay *w)
{
	const struct chrome_overlay *o = w->o;
	uint32_t n = 0;

	w->ends = map_new(&w->arena, 2 * (size_t)o->nflows);
	w->place = NEW(&w->arena, 2 * (size_t)o->nflows, struct place);
	for (uint32_t i = 0; i < o->nflows; i++)
		for (int k = 0; k < 2; k++) {
			uint32_t *at = map_at(&w->ends, k ? o->flow[i].to : o->flow[i].from);
			if (*at == NONE)
				*at = n++;
		}
}

/* ---- What is drawn over it ---- */

/* A number that no process of the trace has. */
static int64_t free_pid(const struct trace *tr)
{
	int64_t pid = 1000000, taken;

	for (lane_id l = 0; l < tr->lanes.n; l++)
		if (tr->lanes.at[l].pid != NONE &&
		    str_i64(strings_get(&tr->strings, tr->lanes.at[l].pid), &taken) &&
		    taken >= pid && taken < INT64_MAX)
			pid = taken + 1;
	return pid;
}

static void print_us(struct textbuf *b, nsec t)
{
	uint64_t ns = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;

	textbuf_print(b, "%s%" PRIu64 ".%03" PRIu64, t < 0 ? "-" : "", ns / 1000, ns % 1000);
}

/* Writes what the buffer holds as one event and empties it. */
static void put_event(struct overlay *w, struct textbuf *b)
{
	put_separator(w);
	put(w, (struct str){ b->p, b->n });
	b->n = 0;
}

static void put_process(struct overlay *w, struct textbuf *b, int64_t pid)
{
	const struct chrome_overlay *o = w->o;
	const struct {
		const char *what, *key, *text;
	} names[] = { { "process_name", "name", o->process },
		      { "process_sort_index", "sort_index", NULL },
		      { "thread_name", "name", o->thread } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		textbuf_print(b,
			      "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRId64
			      ", \"tid\": 0, \"args\": {\"%s\": ",
			      names[i].what, pid, names[i].key);
		if (names[i].text)
			textbuf_json(b, str_of(names[i].text));
		else
			textbuf_print(b, "-1000000");
		textbuf_print(b, "}}");
		put_event(w, b);
	}
}

static void put_slice(struct overlay *w, struct textbuf *b, int64_t pid,
		      const struct chrome_slice *s)
{
	textbuf_print(b, "{\"ph\": \"X\", \"cat\": \"critical_path\", \"name\": ");
	textbuf_json(b, s->name);
	textbuf_print(b, ", \"pid\": %" PRId64 ", \"tid\": 0, \"ts\": ", pid);
	print_us(b, s->start);
	textbuf_print(b, ", \"dur\": ");
	print_us(b, s->end - s->start);
	textbuf_print(b, ", \"cname\": \"%s\", \"args\": {%s}}", s->color, s->args);
	put_event(w, b);
}

static void put_flow(struct overlay *w, struct textbuf *b, uint32_t i)
{
	const struct chrome_flow *f = &w->o->flow[i];
	const struct place *from = &w->place[map_get(&w->ends, f->from)];
	const struct place *to = &w->place[map_get(&w->ends, f->to)];

	if (!from->pid.p || !to->pid.p)
		return;
	for (int end = 0; end < 2; end++) {
		const struct place *at = end ? to : from;
		textbuf_print(b,
			      "{\"ph\": \"%s\", \"cat\": \"critical_path\", \"name\": "
			      "\"critical_path\", \"id\": \"critical_path_%u\", \"pid\": %.*s, "
			      "\"tid\": %.*s, \"ts\": ",
			      end ? "f" : "s", i, STR_ARGS(at->pid), STR_ARGS(at->tid));
		print_us(b, end ? f->arrives : f->leaves);
		textbuf_print(b, "%s}", end ? ", \"bp\": \"e\"" : "");
		put_event(w, b);
	}
}

static void put_overlay(struct overlay *w)
{
	struct textbuf b = { .arena = &w->arena };
	int64_t pid = free_pid(w->tr);

	put_process(w, &b, pid);
	for (uint32_t i = 0; i < w->o->nslices; i++)
		put_slice(w, &b, pid, &w->o->slice[i]);
	for (uint32_t i = 0; i < w->o->nflows; i++)
		put_flow(w, &b, i);
}

bool write_chrome(const struct trace *tr, const struct chrome_overlay *o, FILE *out,
		  const char *path, bool gzip, struct lp_error *err)
{
	struct raw *raw = raw_open(tr, err);
	struct overlay w = { .tr = tr, .o = o };
	struct raw_event e;

	if (!raw)
		return false;
	w.out = gzout_open(out, path, gzip ? GZOUT_SMALL : GZOUT_PLAIN);
	index_flows(&w);
	put_head(&w);
	while (raw_next(raw, &e)) {
		note_place(&w, e);
		put_original(&w, e);
	}
	bool whole = !raw_short(raw);
	put_overlay(&w);
	put(&w, STR("\n  ]\n}\n"));
	bool ok = gzout_close(w.out, err);
	if (ok && !whole)
		ok = error_set(err, "%s: changed while it was read: events are missing",
			       tr->source.path);
	raw_close(raw);
	arena_free(&w.arena);
	return ok;
}
