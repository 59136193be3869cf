/*
 * Columns are parsed as they come by and turned into functions, stacks and samples when
 * all of a thread, or of the document where tables are shared, is known; keys may come
 * in any order. From a raw stack row to our stack:
 *
 *	stackTable.frame ─► frameTable.func ─► funcTable.name ─► stringArray
 *	stackTable.prefix (index or null), or prefixOffset (rows back, 0 for a root)
 */
#include "profile/profile_firefox.h"

#include "profile/profile_table.h"

#include <stdlib.h>

#define MS_PLACES 6 /* from milliseconds to ns */

struct tables {
	struct jstream_ids stack_frame, stack_prefix, stack_offset;
	struct jstream_ids frame_func, frame_location;
	struct jstream_ids func_name, func_file, func_source, func_line, func_resource;
	struct jstream_ids resource_name, source_name;
	struct jstream_ids strings; /* rows of profile.strings */
	uint32_t *stacks;           /* of each raw row, once resolved: our stack; NULL: the same */
	size_t nstacks;
	bool given; /* a stackTable was there */
};

struct raw_thread {
	char *name, *process, *pid, *tid;
	enum profile_unit unit;
	unsigned places;
	struct samples samples; /* stacks are raw rows */
	struct tables tables;
};

struct firefox {
	struct profile *p;
	struct profile_options o;
	struct tables shared;
	struct raw_thread *threads;
	size_t nthreads, cap;
	nsec interval;
	bool by_time; /* weights are times between samples */
	bool times;   /* times are wanted */
	bool again;   /* see firefox_again */
};

static void tables_free(struct tables *t)
{
	free(t->stack_frame.at);
	free(t->stack_prefix.at);
	free(t->stack_offset.at);
	free(t->frame_func.at);
	free(t->frame_location.at);
	free(t->func_name.at);
	free(t->func_file.at);
	free(t->func_source.at);
	free(t->func_line.at);
	free(t->func_resource.at);
	free(t->resource_name.at);
	free(t->source_name.at);
	free(t->strings.at);
	free(t->stacks);
	*t = (struct tables){ 0 };
}

/* ---- Tables ---- */

static bool read_strings(struct jstream *js, struct profile *p, struct jstream_ids *out)
{
	struct str s;

	jstream_array(js);
	while (jstream_item(js)) {
		if (jstream_peek(js) == JSTREAM_STRING) {
			if (jstream_string(js, &s))
				jstream_push_id(out, strings_add(&p->strings, s.p, s.n));
		} else {
			jstream_skip(js);
			jstream_push_id(out, strings_add(&p->strings, "", 0));
		}
	}
	return jstream_ok(js);
}

#define IDS(name, column)                                        \
	{                                                        \
		.key = name, .kind = TABLE_IDS, .out = &(column) \
	}
#define READ(js, cols) profile_table(js, cols, ARRAY_SIZE(cols), NULL, NULL)

static bool read_stacks(struct jstream *js, struct tables *t)
{
	struct table_column cols[] = {
		IDS("frame", t->stack_frame),
		IDS("prefix", t->stack_prefix),
		IDS("prefixOffset", t->stack_offset),
	};

	t->given = true;
	return READ(js, cols);
}

static bool read_frames(struct jstream *js, struct tables *t)
{
	struct table_column cols[] = {
		IDS("func", t->frame_func),
		IDS("location", t->frame_location),
	};

	return READ(js, cols);
}

static bool read_funcs(struct jstream *js, struct tables *t)
{
	struct table_column cols[] = {
		IDS("name", t->func_name),         IDS("fileName", t->func_file),
		IDS("source", t->func_source),     IDS("lineNumber", t->func_line),
		IDS("resource", t->func_resource),
	};

	return READ(js, cols);
}

/* A key of `shared`, of a thread, or of the root of old files; false if it is no table of ours. */
static bool read_table(struct jstream *js, struct firefox *f, struct tables *t, struct str key)
{
	if (str_eq(key, STR("stackTable"))) {
		read_stacks(js, t);
	} else if (str_eq(key, STR("frameTable"))) {
		read_frames(js, t);
	} else if (str_eq(key, STR("funcTable"))) {
		read_funcs(js, t);
	} else if (str_eq(key, STR("resourceTable"))) {
		struct table_column cols[] = { IDS("name", t->resource_name) };

		READ(js, cols);
	} else if (str_eq(key, STR("sources"))) {
		struct table_column cols[] = { IDS("filename", t->source_name) };

		READ(js, cols);
	} else if (str_eq(key, STR("stringArray")) || str_eq(key, STR("stringTable"))) {
		if (jstream_peek(js) != JSTREAM_ARRAY)
			return false;
		read_strings(js, f->p, &t->strings);
	} else {
		return false;
	}
	return true;
}

bool firefox_shared_key(struct jstream *js, struct firefox *f, struct str key)
{
	return read_table(js, f, &f->shared, key);
}

/* ---- Threads ---- */

static enum profile_unit unit_of(struct str type)
{
	return str_eq(type, STR("tracing-ms")) ? PROFILE_NS
	       : str_eq(type, STR("bytes"))    ? PROFILE_BYTES
					       : PROFILE_SAMPLES;
}

static bool read_weight_type(struct jstream *js, struct str key, void *ctx)
{
	enum profile_unit *unit = ctx;
	struct str s;

	if (!str_eq(key, STR("weightType")) || jstream_peek(js) != JSTREAM_STRING)
		return false;
	if (jstream_string(js, &s))
		*unit = unit_of(s);
	return true;
}

static void running_sums(struct jstream_decimals *c)
{
	for (size_t i = 1; i < c->n; i++)
		c->at[i] = (int64_t)((uint64_t)c->at[i - 1] + (uint64_t)c->at[i]);
}

/* Milliseconds with `places` to nanoseconds; false on overflow. */
static bool to_ns(struct jstream_decimals *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!scaled_round((struct scaled){ c->at[i], c->places }, MS_PLACES, &c->at[i]))
			return false;
	c->places = MS_PLACES;
	return true;
}

/* A column that belongs to the samples must be as long as they are; else it is dropped. */
static void fit(struct firefox *f, struct jstream *js, struct jstream_decimals *c, size_t n)
{
	if (!c->n || c->n == n)
		return;
	profile_odd(f->p, PROFILE_ODD_WEIGHT, scroll_place(js->w));
	for (; c->n < n;)
		jstream_push_decimal(c, 0);
	c->n = n;
}

/* What each sample waited for the next; the last one, an interval. */
static void weigh_by_time(struct firefox *f, struct raw_thread *t)
{
	struct samples *s = &t->samples;

	samples_need_weight(s);
	for (size_t i = 0; i < s->n; i++)
		s->weight[i] = !s->time       ? 0
			       : i + 1 < s->n ? s->time[i + 1] - s->time[i]
					      : f->interval;
	t->unit = PROFILE_NS;
}

/* Samples that came as counts: one per stack. */
static struct samples counted(const struct jstream_counts *c)
{
	struct samples s = { 0 };

	for (size_t k = 0; k < c->cap; k++)
		if (c->at[k])
			s.n++;
	s.cap = s.n;
	s.stack = malloc(MAX_OF(s.n, 1) * sizeof(*s.stack));
	s.count = malloc(MAX_OF(s.n, 1) * sizeof(*s.count));
	if (!s.stack || !s.count)
		abort();
	for (size_t k = 0, i = 0; k < c->cap; k++)
		if (c->at[k]) {
			s.stack[i] = (stack_id)k;
			s.count[i++] = c->at[k];
		}
	return s;
}

/*
 * Without weights and times the stacks need only be counted, which takes no memory per sample. If
 * then weights follow, or it is a table of rows, the file has to be read again.
 */
static bool read_counts(struct jstream *js, struct firefox *f, struct raw_thread *t)
{
	struct jstream_counts counts = { 0 };
	struct jstream_decimals weight = { 0 };
	struct table_column cols[] = {
		{ .key = "stack", .kind = TABLE_COUNTS, .out = &counts },
		{ .key = "weight", .kind = TABLE_DECIMALS, .out = &weight },
	};

	profile_table(js, cols, ARRAY_SIZE(cols), read_weight_type, &t->unit);
	f->again = weight.n || cols[0].by_row;
	if (counts.wild)
		profile_odd(f->p, PROFILE_ODD_INDEX, scroll_place(js->w));
	samples_free(&t->samples);
	t->samples = counted(&counts);
	free(counts.at);
	free(weight.at);
	return jstream_ok(js) && !f->again;
}

static bool read_columns(struct jstream *js, struct firefox *f, struct raw_thread *t)
{
	struct jstream_ids stack = { 0 };
	struct jstream_decimals time = { .places = MS_PLACES }, delta = time, weight = { 0 };
	struct table_column cols[] = {
		{ .key = "stack", .kind = TABLE_IDS, .out = &stack },
		{ .key = "weight", .kind = TABLE_DECIMALS, .out = &weight },
		{ .key = "time", .kind = TABLE_FIXED, .out = &time },
		{ .key = "timeDeltas", .kind = TABLE_FIXED, .out = &delta },
	};

	profile_table(js, cols, ARRAY_SIZE(cols) - (f->times ? 0 : 2), read_weight_type, &t->unit);
	if (delta.n && !time.n) {
		running_sums(&delta);
		struct jstream_decimals none = time;
		time = delta;
		delta = none;
	}
	fit(f, js, &time, stack.n);
	fit(f, js, &weight, stack.n);
	if (t->unit == PROFILE_NS && weight.n && !to_ns(&weight))
		jstream_fail(js, "a weight too large for 64 bits of nanoseconds");
	t->places = t->unit == PROFILE_NS ? 0 : weight.places;
	free(delta.at);
	samples_free(&t->samples);
	t->samples = (struct samples){
		.n = stack.n,
		.cap = stack.n,
		.stack = stack.at,
		.time = time.n ? time.at : NULL,
		.weight = weight.n ? weight.at : NULL,
	};
	if (!time.n)
		free(time.at);
	if (!weight.n)
		free(weight.at);
	if (f->by_time && !weight.n && t->unit == PROFILE_SAMPLES)
		weigh_by_time(f, t);
	return jstream_ok(js);
}

static bool read_samples(struct jstream *js, struct firefox *f, struct raw_thread *t)
{
	if (f->times || f->o.columns)
		return read_columns(js, f, t);
	return read_counts(js, f, t);
}

static char *read_text(struct jstream *js)
{
	struct str s = { 0 };

	if (jstream_peek(js) == JSTREAM_STRING)
		jstream_string(js, &s);
	else if (jstream_peek(js) == JSTREAM_NUMBER)
		jstream_number(js, &s);
	else
		jstream_skip(js);
	char *text = strndup(s.p ? s.p : "", s.n);

	if (!text)
		abort();
	return text;
}

static void read_thread_key(struct jstream *js, struct firefox *f, struct raw_thread *t,
			    struct str key)
{
	char **text = str_eq(key, STR("name"))          ? &t->name
		      : str_eq(key, STR("processName")) ? &t->process
		      : str_eq(key, STR("pid"))         ? &t->pid
		      : str_eq(key, STR("tid"))         ? &t->tid
							: NULL;

	if (text && !*text)
		*text = read_text(js);
	else if (str_eq(key, STR("samples")) && jstream_peek(js) == JSTREAM_OBJECT)
		read_samples(js, f, t);
	else if (!read_table(js, f, &t->tables, key))
		jstream_skip(js);
}

/* ---- From raw rows to stacks ---- */

static string_id string_at(const struct tables *t, uint32_t row)
{
	return row < t->strings.n ? t->strings.at[row] : NONE;
}

static uint32_t cell(const struct jstream_ids *c, size_t row)
{
	return row < c->n ? c->at[row] : NONE;
}

static string_id file_of(const struct tables *t, size_t func)
{
	uint32_t file = cell(&t->func_file, func), source = cell(&t->func_source, func);

	if (file == NONE && source != NONE)
		file = cell(&t->source_name, source);
	if (file == NONE)
		file = cell(&t->resource_name, cell(&t->func_resource, func));
	return string_at(t, file);
}

static func_id *resolve_funcs(struct profile *p, const struct tables *t)
{
	func_id *ours = malloc((t->func_name.n + 1) * sizeof(*ours));

	if (!ours)
		abort();
	for (size_t i = 0; i < t->func_name.n; i++) {
		string_id name = string_at(t, t->func_name.at[i]);
		uint32_t line = cell(&t->func_line, i);

		if (name == NONE) {
			profile_odd(p, PROFILE_ODD_INDEX, i);
			name = strings_add(&p->strings, "(no name)", 9);
		}
		ours[i] = functions_add(&p->functions, name, file_of(t, i),
					line == NONE ? 0 : line);
	}
	return ours;
}

/* "name (file:line:column)" of a Gecko frame: two frames of one function differ in its line. */
static func_id location_function(struct profile *p, const struct tables *t, uint32_t row)
{
	string_id id = string_at(t, row);
	struct str s = id == NONE ? STR("(no name)") : strings_get(&p->strings, id);
	const char *open = memrchr(s.p, '(', s.n), *colon;

	if (!open || open < s.p + 2 || open[-1] != ' ' ||
	    !memchr(open, ')', s.n - (size_t)(open - s.p)))
		return functions_add(&p->functions, strings_add(&p->strings, s.p, s.n), NONE, 0);
	struct str name = { s.p, (size_t)(open - 1 - s.p) };
	struct str file = { open + 1, s.n - name.n - 2 };

	file.n = (size_t)((const char *)memchr(file.p, ')', file.n) - file.p);
	for (int i = 0; i < 2 && (colon = memrchr(file.p, ':', file.n)) &&
			colon + 1 < file.p + file.n && colon[1] >= '0' && colon[1] <= '9';
	     i++)
		file.n = (size_t)(colon - file.p);
	return profile_function_at(p, name, file, 0);
}

static func_id *resolve_frames(struct profile *p, const struct tables *t, const func_id *funcs)
{
	bool gecko = !t->frame_func.n && t->frame_location.n;
	size_t n = gecko ? t->frame_location.n : t->frame_func.n;
	func_id *ours = malloc((n + 1) * sizeof(*ours)), invalid = NONE;

	if (!ours)
		abort();
	for (size_t i = 0; i < n; i++) {
		uint32_t func = gecko ? 0 : t->frame_func.at[i];

		if (gecko) {
			ours[i] = location_function(p, t, t->frame_location.at[i]);
		} else if (func < t->func_name.n) {
			ours[i] = funcs[func];
		} else {
			if (invalid == NONE)
				invalid = profile_function(p, STR("(invalid function)"));
			profile_odd(p, PROFILE_ODD_INDEX, i);
			ours[i] = invalid;
		}
	}
	return ours;
}

/* Row of the caller of raw stack i; NONE for a root, and for what points nowhere. */
static uint32_t caller(struct profile *p, uint32_t x, bool relative, size_t i)
{
	if (x == NONE || (relative && !x))
		return NONE;
	if (relative ? x <= i : x < i)
		return relative ? (uint32_t)(i - x) : x;
	profile_odd(p, PROFILE_ODD_INDEX, i);
	return NONE;
}

/* The columns become functions and callers, in place. */
static void resolve_columns(struct profile *p, struct tables *t, const func_id *frames,
			    size_t nframes)
{
	struct jstream_ids *up = t->stack_offset.n ? &t->stack_offset : &t->stack_prefix;
	func_id invalid = NONE;

	while (up->n < t->stack_frame.n)
		jstream_push_id(up, NONE);
	for (size_t i = 0; i < t->stack_frame.n; i++) {
		uint32_t frame = t->stack_frame.at[i];

		up->at[i] = caller(p, up->at[i], up == &t->stack_offset, i);
		if (frame >= nframes) {
			if (invalid == NONE)
				invalid = profile_function(p, STR("(invalid frame)"));
			profile_odd(p, PROFILE_ODD_INDEX, i);
		}
		t->stack_frame.at[i] = frame < nframes ? frames[frame] : invalid;
	}
	t->nstacks = t->stack_frame.n;
}

/* The first ones are taken as they are: equal rows become one when the profile is finished. */
static void take_stacks(struct profile *p, struct tables *t)
{
	struct jstream_ids *up = t->stack_offset.n ? &t->stack_offset : &t->stack_prefix;

	stacks_free(&p->stacks);
	p->stacks = (struct stacks){ .n = (uint32_t)t->nstacks,
				     .cap = (uint32_t)t->nstacks,
				     .prefix = up->at,
				     .func = t->stack_frame.at };
	*up = t->stack_frame = (struct jstream_ids){ 0 };
}

static void add_stacks(struct profile *p, struct tables *t)
{
	const uint32_t *up = t->stack_offset.n ? t->stack_offset.at : t->stack_prefix.at;
	uint32_t *ours = t->stack_frame.at;

	stacks_reserve(&p->stacks, p->stacks.n + (uint32_t)t->nstacks);
	for (size_t i = 0; i < t->nstacks; i++)
		ours[i] = stacks_add(&p->stacks, up[i] == NONE ? NONE : ours[up[i]], ours[i]);
	t->stacks = ours;
	t->stack_frame = (struct jstream_ids){ 0 };
}

static void resolve(struct profile *p, struct tables *t)
{
	func_id *funcs = resolve_funcs(p, t);
	func_id *frames = resolve_frames(p, t, funcs);

	resolve_columns(p, t, frames, t->frame_func.n ? t->frame_func.n : t->frame_location.n);
	free(funcs);
	free(frames);
	if (p->stacks.n || !t->nstacks)
		add_stacks(p, t);
	else
		take_stacks(p, t);
}

static const char *unit_name(enum profile_unit u)
{
	return u == PROFILE_NS ? "ns" : u == PROFILE_BYTES ? "bytes" : "samples";
}

/* The samples of a thread whose tables are resolved become the profile's. */
static void emit(struct firefox *f, struct raw_thread *t, const struct tables *tables)
{
	struct profile_thread *to = profile_thread(f->p, t->name, t->process, t->pid, t->tid);

	profile_unit(f->p, t->unit, unit_name(t->unit));
	to->places = t->places;
	to->n = t->samples.n;
	for (size_t i = 0; i < t->samples.n; i++) {
		stack_id s = t->samples.stack[i];

		if (s == NONE)
			continue;
		if (s >= tables->nstacks)
			profile_odd(f->p, PROFILE_ODD_INDEX, i);
		if (s >= tables->nstacks || tables->stacks)
			t->samples.stack[i] = s < tables->nstacks ? tables->stacks[s] : NONE;
	}
	samples_append(&f->p->samples, &t->samples);
}

static void raw_thread_free(struct raw_thread *t)
{
	free(t->name);
	free(t->process);
	free(t->pid);
	free(t->tid);
	samples_free(&t->samples);
	tables_free(&t->tables);
}

static struct raw_thread *new_thread(struct firefox *f)
{
	if (f->nthreads == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 16;
		f->threads = realloc(f->threads, f->cap * sizeof(*f->threads));
		if (!f->threads)
			abort();
	}
	f->threads[f->nthreads] = (struct raw_thread){ 0 };
	return &f->threads[f->nthreads++];
}

bool firefox_thread(struct jstream *js, struct firefox *f)
{
	struct raw_thread *t = new_thread(f);
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key))
		read_thread_key(js, f, t, key);
	if (f->again)
		return jstream_fail(js, "to be read again");
	if (!jstream_ok(js))
		return false;
	if (!samples_sum_fits(&t->samples, 0))
		return jstream_fail(js, "the weights of a thread add up to more than 64 bits hold");
	if (f->o.sums && !t->samples.count)
		samples_compact(&t->samples, 0);
	return true;
}

bool firefox_meta(struct jstream *js, struct firefox *f)
{
	struct jstream_decimals interval = { .places = MS_PLACES };
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key))
		if (str_eq(key, STR("interval")) && jstream_peek(js) == JSTREAM_NUMBER)
			jstream_one_fixed(js, &interval);
		else
			jstream_skip(js);
	if (interval.n)
		f->interval = f->p->interval = interval.at[0];
	free(interval.at);
	return jstream_ok(js);
}

struct firefox *firefox_new(struct profile *p, struct profile_options o)
{
	struct firefox *f = calloc(1, sizeof(*f));

	if (!f)
		abort();
	f->p = p;
	f->o = o;
	f->by_time = o.weight && !strcmp(o.weight, "time");
	f->times = !o.sums || f->by_time;
	return f;
}

bool firefox_again(const struct firefox *f)
{
	return f->again;
}

void firefox_finish(struct firefox *f)
{
	if (f->shared.given)
		resolve(f->p, &f->shared);
	for (size_t i = 0; i < f->nthreads; i++) {
		struct raw_thread *t = &f->threads[i];

		if (t->tables.given)
			resolve(f->p, &t->tables);
		emit(f, t, t->tables.given ? &t->tables : &f->shared);
		raw_thread_free(t);
		*t = (struct raw_thread){ 0 };
	}
}

void firefox_free(struct firefox *f)
{
	for (size_t i = 0; i < f->nthreads; i++)
		raw_thread_free(&f->threads[i]);
	free(f->threads);
	tables_free(&f->shared);
	free(f);
}
