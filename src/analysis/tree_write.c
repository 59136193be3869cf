/*
 * The stacks with weight of their own, in three formats that other viewers read:
 *
 *	collapsed     a;b;c 12
 *	speedscope    shared.frames, one sampled profile: lists of frames and weights
 *	Firefox       the processed format: tables of strings, functions, frames, stacks, samples
 *
 * All are written front to back; a stack's frames are gathered by climbing.
 */
#include "analysis/tree_text.h"
#include "base/decimal.h"
#include "base/jsonw.h"
#include "base/save.h"
#include "base/scaled.h"
#include "base/alloc.h"

#include <stdlib.h>

struct sheet {
	const struct lp_tree *t;
	const struct stacks *st;
	const int64_t *self;
	const struct profile_thread *thread;
	struct out *out;
	stack_id *path; /* of the stack at hand, leaf first */
	uint32_t depth, cap;
};

static void climb(struct sheet *w, stack_id s)
{
	for (w->depth = 0; s != NONE; s = w->st->prefix[s]) {
		if (w->depth == w->cap) {
			w->cap = w->cap ? 2 * w->cap : 256;
			w->path = alloc_checked(realloc(w->path, w->cap * sizeof(*w->path)));
		}
		w->path[w->depth++] = s;
	}
}

/* A whole number, or with its fraction: 1275, 2 is 12.75. */
static void put_scaled(struct out *o, int64_t v, unsigned places)
{
	int64_t by = scaled_power(places), rest = v % by;

	if (v < 0 && v / by == 0)
		out_char(o, '-');
	out_i64(o, v / by);
	if (!rest)
		return;
	rest = rest < 0 ? -rest : rest;
	while (rest % 10 == 0) {
		rest /= 10;
		places--;
	}
	out_char(o, '.');
	for (unsigned digits = places; digits-- > 0;)
		out_char(o, (char)('0' + rest / scaled_power(digits) % 10));
}

/* ---- Collapsed ---- */

/* What would end a frame or a line is no part of a name there. */
static void put_frame(struct out *o, struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		out_char(o, (char)(c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c));
	}
}

static void write_collapsed(struct sheet *w)
{
	for (stack_id s = 0; s < w->st->n; s++) {
		if (!w->self[s])
			continue;
		climb(w, s);
		for (uint32_t i = w->depth; i-- > 0;) {
			put_frame(w->out, profile_name(w->t->of->p, w->st->func[w->path[i]]));
			out_char(w->out, i ? ';' : ' ');
		}
		put_scaled(w->out, w->self[s], w->thread->places);
		out_char(w->out, '\n');
	}
}

/* ---- Lists ---- */

/* "key":[ item, item ] */
static void put_list(struct sheet *w, const char *key, uint32_t n,
		     void (*item)(struct sheet *w, uint32_t i))
{
	out_char(w->out, '"');
	out_text(w->out, key);
	out_text(w->out, "\":[");
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			out_char(w->out, ',');
		item(w, i);
	}
	out_char(w->out, ']');
}

/* The same over the stacks with weight. */
static void put_samples(struct sheet *w, const char *key, void (*item)(struct sheet *w, stack_id s))
{
	bool begun = false;

	out_char(w->out, '"');
	out_text(w->out, key);
	out_text(w->out, "\":[");
	for (stack_id s = 0; s < w->st->n; s++) {
		if (!w->self[s])
			continue;
		if (begun)
			out_char(w->out, ',');
		item(w, s);
		begun = true;
	}
	out_char(w->out, ']');
}

static uint32_t count_samples(const struct sheet *w)
{
	uint32_t n = 0;

	for (stack_id s = 0; s < w->st->n; s++)
		n += w->self[s] != 0;
	return n;
}

static void put_name(struct sheet *w, func_id f)
{
	jsonw_str(w->out, profile_name(w->t->of->p, f));
}

static void put_id(struct sheet *w, uint32_t i)
{
	out_i64(w->out, i);
}

static void put_weight(struct sheet *w, stack_id s)
{
	put_scaled(w->out, w->self[s], w->thread->places);
}

/* ---- speedscope ---- */

static void put_scope_frame(struct sheet *w, func_id f)
{
	const struct profile *p = w->t->of->p;
	string_id file = p->functions.at[f].file;

	out_text(w->out, "{\"name\":");
	put_name(w, f);
	if (file != NONE) {
		out_text(w->out, ",\"file\":");
		jsonw_str(w->out, strings_get(&p->strings, file));
	}
	out_char(w->out, '}');
}

static void put_scope_stack(struct sheet *w, stack_id s)
{
	climb(w, s);
	out_char(w->out, '[');
	for (uint32_t i = w->depth; i-- > 0;) {
		put_id(w, w->st->func[w->path[i]]);
		if (i)
			out_char(w->out, ',');
	}
	out_char(w->out, ']');
}

static void write_speedscope(struct sheet *w)
{
	const char *unit = w->thread->unit == PROFILE_NS      ? "nanoseconds"
			   : w->thread->unit == PROFILE_BYTES ? "bytes"
							      : "none";

	out_text(w->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
			 "\"exporter\":\"longpole\",\"shared\":{");
	put_list(w, "frames", w->t->of->p->functions.n, put_scope_frame);
	out_text(w->out, "},\"profiles\":[{\"type\":\"sampled\",\"name\":");
	jsonw_text(w->out, w->thread->name);
	out_text(w->out, ",\"unit\":\"");
	out_text(w->out, unit);
	out_text(w->out, "\",\"startValue\":0,\"endValue\":");
	put_scaled(w->out, w->t->view.sums.sum, w->thread->places);
	out_text(w->out, ",\n");
	put_samples(w, "samples", put_scope_stack);
	out_text(w->out, ",\n");
	put_samples(w, "weights", put_weight);
	out_text(w->out, "}]}\n");
}

/* ---- Firefox ---- */

static void put_none(struct sheet *w, uint32_t i)
{
	out_text(w->out, "null");
}

static void put_minus(struct sheet *w, uint32_t i)
{
	out_text(w->out, "-1");
}

static void put_zero(struct sheet *w, uint32_t i)
{
	out_char(w->out, '0');
}

static void put_false(struct sheet *w, uint32_t i)
{
	out_text(w->out, "false");
}

static void put_func(struct sheet *w, stack_id s)
{
	put_id(w, w->st->func[s]);
}

static void put_offset(struct sheet *w, stack_id s)
{
	put_id(w, w->st->prefix[s] == NONE ? 0 : s - w->st->prefix[s]);
}

static void put_one(struct sheet *w, uint32_t i)
{
	out_char(w->out, '1');
}

/* Milliseconds, or what else is weighed. */
static void put_firefox_weight(struct sheet *w, stack_id s)
{
	put_scaled(w->out, w->self[s], w->thread->unit == PROFILE_NS ? 6 : w->thread->places);
}

struct table_column {
	const char *key;
	void (*item)(struct sheet *w, uint32_t i);
};

static void put_table(struct sheet *w, const char *name, uint32_t n,
		      const struct table_column *cols, size_t ncols)
{
	out_char(w->out, '"');
	out_text(w->out, name);
	out_text(w->out, "\":{\"length\":");
	put_id(w, n);
	for (size_t i = 0; i < ncols; i++) {
		out_char(w->out, ',');
		put_list(w, cols[i].key, n, cols[i].item);
	}
	out_text(w->out, "},\n");
}

static void put_shared(struct sheet *w)
{
	static const struct table_column stacks[] = { { "frame", put_func },
						      { "prefixOffset", put_offset } };
	static const struct table_column frames[] = {
		{ "address", put_minus },
		{ "inlineDepth", put_zero },
		{ "category", put_zero },
		{ "subcategory", put_zero },
		{ "func", put_id },
		{ "lib", put_minus },
		{ "nativeSymbol", put_none },
		{ "innerWindowID", put_none },
		{ "line", put_none },
		{ "column", put_none },
		{ "originalLocation", put_none },
	};
	static const struct table_column funcs[] = {
		{ "name", put_id },
		{ "isJS", put_false },
		{ "relevantForJS", put_false },
		{ "resource", put_minus },
		{ "source", put_none },
		{ "lineNumber", put_none },
		{ "columnNumber", put_none },
		{ "originalLocation", put_none },
	};
	uint32_t nfuncs = w->t->of->p->functions.n;

	out_text(w->out, "\"shared\":{");
	put_table(w, "stackTable", w->st->n, stacks, ARRAY_SIZE(stacks));
	put_table(w, "frameTable", nfuncs, frames, ARRAY_SIZE(frames));
	put_table(w, "funcTable", nfuncs, funcs, ARRAY_SIZE(funcs));
	out_text(
		w->out,
		"\"resourceTable\":{\"length\":0,\"name\":[],\"host\":[],\"type\":[]},"
		"\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
		"\"functionSize\":[]},\"sources\":{\"length\":0,\"id\":[],\"filename\":[],"
		"\"startLine\":[],\"startColumn\":[],\"sourceMapURL\":[],\"content\":[]},"
		"\"sourceLocationTable\":{\"length\":0,\"source\":[],\"line\":[],\"column\":[]},\n");
	put_list(w, "stringArray", nfuncs, put_name);
	out_text(w->out, "},\n");
}

static void write_firefox(struct sheet *w)
{
	uint32_t n = count_samples(w);

	out_text(
		w->out,
		"{\"meta\":{\"interval\":1,\"startTime\":0,\"processType\":0,\"product\":\"longpole\","
		"\"stackwalk\":1,\"version\":36,\"preprocessedProfileVersion\":70,"
		"\"symbolicated\":true,\"markerSchema\":[],\"categories\":[{\"name\":\"Other\","
		"\"color\":\"grey\",\"subcategories\":[\"Other\"]}]},\"libs\":[],\n");
	put_shared(w);
	out_text(w->out,
		 "\"threads\":[{\"processType\":\"default\",\"processStartupTime\":0,"
		 "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		 "\"pausedRanges\":[],\"isMainThread\":true,\"pid\":\"0\",\"tid\":0,\"name\":");
	jsonw_text(w->out, *w->thread->name ? w->thread->name : "thread");
	out_text(w->out, ",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
			 "\"phase\":[],\"category\":[],\"length\":0},\n\"samples\":{\"length\":");
	put_id(w, n);
	out_text(w->out, ",\"weightType\":\"");
	out_text(w->out, w->thread->unit == PROFILE_NS      ? "tracing-ms"
			 : w->thread->unit == PROFILE_BYTES ? "bytes"
							    : "samples");
	out_text(w->out, "\",");
	put_samples(w, "stack", put_id);
	out_text(w->out, ",\n");
	put_list(w, "timeDeltas", n, put_one);
	out_text(w->out, ",\n");
	put_samples(w, "weight", put_firefox_weight);
	out_text(w->out, "}}]}\n");
}

bool lp_tree_write(struct lp_tree *t, enum lp_profile_format f, const char *path,
		   struct lp_error *err)
{
	static void (*const writers[])(struct sheet *) = {
		[LP_COLLAPSED] = write_collapsed,
		[LP_SPEEDSCOPE] = write_speedscope,
		[LP_FIREFOX] = write_firefox,
	};
	struct save save;
	struct out *out;

	tree_ready(t);
	tree_view_ready(&t->view);
	if (f == LP_SPEEDSCOPE && t->view.sums.sum != t->view.sums.magnitude)
		return error_set(err, "%s: speedscope has no negative weights; take another format",
				 path);
	if (!save_open(&save, path, err))
		return false;
	out = alloc_checked(malloc(sizeof(*out)));
	out->file = save.out;
	out->n = 0;
	struct sheet w = {
		.t = t,
		.st = &t->view.ct.st,
		.self = t->view.sums.self[MEASURE_WEIGHT],
		.thread = &t->of->p->threads[t->view.filter.like],
		.out = out,
	};
	writers[f](&w);
	out_flush(out);
	free(out);
	free(w.path);
	return save_close(&save, true, err);
}
