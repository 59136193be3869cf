/*
 * Columns are parsed as they come by and turned into functions, stacks and samples when
 * all of a thread, or of the document where tables are shared, is known; keys may come
 * in any order.
 */
#include "profile/profile_firefox.h"

#include "profile/firefox_tables.h"
#include "profile/profile_table.h"
#include "base/alloc.h"

#include <stdlib.h>

#define MS_PLACES 6 /* from milliseconds to ns */

struct raw_thread {
	char *name, *process, *pid, *tid;
	enum profile_unit unit;
	unsigned places;
	struct samples samples; /* stacks are raw rows */
	struct narrow count;    /* or how often each was seen */
	struct firefox_tables tables;
};

struct firefox {
	struct profile *p;
	struct profile_options o;
	struct firefox_tables shared;
	struct raw_thread *threads;
	size_t nthreads, cap;
	nsec interval;
	bool by_time; /* weights are times between samples */
	bool times;   /* times are wanted */
	bool again;   /* see firefox_again */
};

bool firefox_shared_key(struct jstream *js, struct firefox *f, struct str key)
{
	return !f->shared.resolved && firefox_tables_key(js, &f->shared, key, f->p);
}

/* Threads, which mostly come behind, find the tables small. */
void firefox_shared_end(struct firefox *f)
{
	if (!f->shared.given)
		return;
	strings_drop_index(&f->p->strings);
	firefox_tables_resolve(&f->shared, f->p);
	functions_trim(&f->p->functions);
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
			       : i + 1 < s->n ? samples_span(s->time[i], s->time[i + 1])
					      : f->interval;
	t->unit = PROFILE_NS;
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
	narrow_free(&t->count);
	t->count = counts.of;
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

static void read_thread_key(struct jstream *js, struct firefox *f, struct raw_thread *t,
			    struct str key)
{
	char **text = str_eq(key, STR("name"))          ? &t->name
		      : str_eq(key, STR("processName")) ? &t->process
		      : str_eq(key, STR("pid"))         ? &t->pid
		      : str_eq(key, STR("tid"))         ? &t->tid
							: NULL;

	if (text && !*text)
		*text = jstream_text(js);
	else if (str_eq(key, STR("samples")) && jstream_peek(js) == JSTREAM_OBJECT)
		read_samples(js, f, t);
	else if (!firefox_tables_key(js, &t->tables, key, f->p))
		jstream_skip(js);
}

static const char *unit_name(enum profile_unit u)
{
	return u == PROFILE_NS ? "ns" : u == PROFILE_BYTES ? "bytes" : "samples";
}

/* The samples of a thread whose tables are resolved become the profile's. */
static void emit(struct firefox *f, struct raw_thread *t, const struct firefox_tables *tables)
{
	struct profile_thread *to = profile_thread(f->p, t->name, t->process, t->pid, t->tid);

	profile_unit(f->p, t->unit, unit_name(t->unit));
	to->places = t->places;
	if (t->count.n)
		t->samples = counted_to_samples(&t->count);
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
	narrow_free(&t->count);
	firefox_tables_free(&t->tables);
}

static struct raw_thread *new_thread(struct firefox *f)
{
	if (f->nthreads == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 16;
		f->threads = alloc_checked(realloc(f->threads, f->cap * sizeof(*f->threads)));
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
	struct firefox *f = alloc_checked(calloc(1, sizeof(*f)));
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

/* Are there only counts, and all of the shared stacks? */
static bool is_counted(const struct firefox *f)
{
	bool counted = f->shared.given && f->shared.nstacks && f->nthreads;

	for (size_t i = 0; i < f->nthreads; i++)
		counted &= !f->threads[i].tables.given && !f->threads[i].samples.n &&
			   f->threads[i].count.n <= f->shared.nstacks;
	return counted;
}

static void emit_counted(struct firefox *f)
{
	struct counted *c = &f->p->counted;

	*c = f->shared.raw;
	f->shared.raw = (struct counted){ 0 };
	c->count = alloc_zeroed(f->nthreads, sizeof(*c->count));
	for (size_t i = 0; i < f->nthreads; i++) {
		struct raw_thread *t = &f->threads[i];
		struct profile_thread *to = profile_thread(f->p, t->name, t->process, t->pid,
							   t->tid);

		profile_unit(f->p, t->unit, unit_name(t->unit));
		for (stack_id s = 0; s < t->count.n; s++)
			to->n += narrow_get(&t->count, s) != 0;
		narrow_trim(&t->count);
		c->count[c->nthreads++] = t->count;
		t->count = (struct narrow){ 0 };
	}
}

void firefox_finish(struct firefox *f)
{
	if (f->shared.given)
		firefox_tables_resolve(&f->shared, f->p);
	if (is_counted(f)) {
		emit_counted(f);
		return;
	}
	if (f->shared.given)
		firefox_tables_take(&f->shared, f->p);
	for (size_t i = 0; i < f->nthreads; i++) {
		struct raw_thread *t = &f->threads[i];

		if (t->tables.given)
			firefox_tables_take(&t->tables, f->p);
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
	firefox_tables_free(&f->shared);
	free(f);
}
