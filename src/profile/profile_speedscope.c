/*
 * Stacks are first built over frame numbers, then mapped to functions when the frames are
 * known. An evented profile is replayed: the time between two events belongs to the stack
 * that is open between them.
 *
 *	O a  O b      C b   O c    C c C a
 *	|----|--------|-----|------|---|
 *	 a    a;b      a     a;c    a        (the weights of four stacks)
 */
#include "profile/profile_speedscope.h"
#include "base/alloc.h"

#include <stdlib.h>

struct scope_profile {
	char *name;
	char *unit;
	bool evented;
	struct scaled start, end;
	bool has_end;
	struct jstream_ids stack;        /* raw; evented: what is open after the event */
	struct jstream_decimals weights; /* sampled: weights; evented: times */
};

struct speedscope {
	struct profile *p;
	struct jstream_ids frames; /* func_id */
	struct stacks raw;         /* over frame numbers */
	struct scope_profile *profiles;
	size_t n, cap;
};

struct speedscope *speedscope_new(struct profile *p)
{
	struct speedscope *s = alloc_checked(calloc(1, sizeof(*s)));
	s->p = p;
	return s;
}

static void profile_clear(struct scope_profile *x)
{
	free(x->name);
	free(x->unit);
	free(x->stack.at);
	free(x->weights.at);
	*x = (struct scope_profile){ 0 };
}

void speedscope_free(struct speedscope *s)
{
	for (size_t i = 0; i < s->n; i++)
		profile_clear(&s->profiles[i]);
	free(s->profiles);
	free(s->frames.at);
	stacks_free(&s->raw);
	free(s);
}

/* ---- Reading ---- */

static bool read_frame(struct jstream *js, struct speedscope *s)
{
	char *name = NULL, *file = NULL;
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key)) {
		if (str_eq(key, STR("name")) && !name)
			name = jstream_text(js);
		else if (str_eq(key, STR("file")) && !file)
			file = jstream_text(js);
		else
			jstream_skip(js);
	}
	jstream_push_id(&s->frames,
			profile_function_at(s->p, name ? str_of(name) : STR("(no name)"),
					    str_of(file ? file : ""), 0));
	free(name);
	free(file);
	return jstream_ok(js);
}

bool speedscope_frames(struct jstream *js, struct speedscope *s)
{
	jstream_array(js);
	while (jstream_item(js))
		if (!read_frame(js, s))
			return false;
	return jstream_ok(js);
}

static bool read_samples(struct jstream *js, struct speedscope *s, struct scope_profile *x)
{
	struct jstream_ids one = { 0 };

	jstream_array(js);
	while (jstream_item(js)) {
		stack_id top = NONE;

		one.n = 0;
		if (!jstream_ids(js, &one))
			break;
		for (size_t i = 0; i < one.n; i++)
			top = stacks_add(&s->raw, top, one.at[i]);
		jstream_push_id(&x->stack, top);
	}
	free(one.at);
	return jstream_ok(js);
}

/* `top` without its topmost `frame` and what is above it; as it is if that is not open. */
static stack_id closed(const struct stacks *raw, stack_id top, uint32_t frame)
{
	for (stack_id s = top; s != NONE; s = raw->prefix[s])
		if (raw->func[s] == frame)
			return raw->prefix[s];
	return top;
}

static stack_id replayed(struct speedscope *s, stack_id top, uint32_t frame, bool closes,
			 uint64_t at)
{
	if (!closes)
		return stacks_add(&s->raw, top, frame);
	if (top == NONE || s->raw.func[top] != frame)
		profile_odd(s->p, PROFILE_ODD_NESTING, at);
	return closed(&s->raw, top, frame);
}

static bool read_event(struct jstream *js, struct speedscope *s, struct scope_profile *x)
{
	stack_id top = x->stack.n ? x->stack.at[x->stack.n - 1] : NONE;
	bool closes = false;
	int64_t frame = -1;
	struct str key, type;
	size_t n = x->weights.n;

	jstream_object(js);
	while (jstream_key(js, &key)) {
		if (str_eq(key, STR("type")) && jstream_peek(js) == JSTREAM_STRING)
			closes = jstream_string(js, &type) && str_eq(type, STR("C"));
		else if (str_eq(key, STR("frame")))
			jstream_i64(js, &frame);
		else if (str_eq(key, STR("at")) && x->weights.n == n)
			jstream_one_decimal(js, &x->weights);
		else
			jstream_skip(js);
	}
	if (!jstream_ok(js))
		return false;
	if (x->weights.n == n || frame < 0 || frame >= NONE)
		return jstream_fail(js, "an event needs type, frame and at");
	jstream_push_id(&x->stack, replayed(s, top, (uint32_t)frame, closes, scroll_place(js->w)));
	return true;
}

static bool read_events(struct jstream *js, struct speedscope *s, struct scope_profile *x)
{
	x->evented = true;
	x->weights.n = 0; /* they are times now */
	jstream_array(js);
	while (jstream_item(js))
		if (!read_event(js, s, x))
			return false;
	if (jstream_ok(js) && x->stack.n && x->stack.at[x->stack.n - 1] != NONE)
		profile_odd(s->p, PROFILE_ODD_NESTING, scroll_place(js->w));
	return jstream_ok(js);
}

static struct scope_profile *new_profile(struct speedscope *s)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 8;
		s->profiles = alloc_checked(realloc(s->profiles, s->cap * sizeof(*s->profiles)));
	}
	s->profiles[s->n] = (struct scope_profile){ 0 };
	return &s->profiles[s->n++];
}

bool speedscope_profile(struct jstream *js, struct speedscope *s)
{
	struct scope_profile *x = new_profile(s);
	struct str key;

	jstream_object(js);
	while (jstream_key(js, &key)) {
		bool list = jstream_peek(js) == JSTREAM_ARRAY;

		if (str_eq(key, STR("name")) && !x->name)
			x->name = jstream_text(js);
		else if (str_eq(key, STR("unit")) && !x->unit)
			x->unit = jstream_text(js);
		else if (str_eq(key, STR("startValue")))
			jstream_scaled(js, &x->start);
		else if (str_eq(key, STR("endValue")))
			x->has_end = jstream_scaled(js, &x->end);
		else if (str_eq(key, STR("samples")) && list && !x->stack.n)
			read_samples(js, s, x);
		else if (str_eq(key, STR("events")) && list && !x->stack.n)
			read_events(js, s, x);
		else if (str_eq(key, STR("weights")) && list && !x->weights.n)
			jstream_decimals(js, &x->weights);
		else
			jstream_skip(js);
	}
	return jstream_ok(js);
}

/* ---- From numbers to samples ---- */

/* Places that turn the unit into nanoseconds; 0 places and no time for the others. */
static bool time_unit(const char *unit, unsigned *places)
{
	static const struct {
		const char *name;
		unsigned places;
	} units[] = {
		{ "nanoseconds", 0 }, { "microseconds", 3 }, { "milliseconds", 6 }, { "seconds", 9 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (unit && !strcmp(unit, units[i].name)) {
			*places = units[i].places;
			return true;
		}
	return false;
}

struct replay {
	struct profile *p;
	struct scope_profile *x;
	const stack_id *stacks; /* of each raw one */
	bool timed;
	unsigned places; /* weights and times are brought to it */
};

static bool value_at(const struct replay *r, size_t i, int64_t *out)
{
	const struct jstream_decimals *w = &r->x->weights;

	return scaled_round((struct scaled){ w->at[i], w->places }, r->places, out);
}

static void add(const struct replay *r, size_t i, int64_t at, int64_t weight)
{
	stack_id raw = r->x->stack.at[i];

	profile_sample(r->p, (struct sample){
				     .stack = raw == NONE ? NONE : r->stacks[raw],
				     .time = r->timed ? at : NSEC_NONE,
				     .weight = weight,
				     .count = 1,
			     });
}

static bool emit_samples(const struct replay *r)
{
	const struct scope_profile *x = r->x;
	int64_t at, weight;

	if (!scaled_round(x->start, r->places, &at))
		return false;
	if (x->weights.n && x->weights.n != x->stack.n)
		profile_odd(r->p, PROFILE_ODD_WEIGHT, MIN_OF(x->weights.n, x->stack.n));
	for (size_t i = 0; i < x->stack.n; i++) {
		weight = x->weights.n ? 0 : 1;
		if (i < x->weights.n && !value_at(r, i, &weight))
			return false;
		add(r, i, at, weight);
		if (__builtin_add_overflow(at, weight, &at))
			return false;
	}
	return true;
}

/* The end of the time that belongs to event i: the next event, or the end of the profile. */
static bool until(const struct replay *r, size_t i, int64_t *out)
{
	const struct scope_profile *x = r->x;

	if (i + 1 < x->stack.n)
		return value_at(r, i + 1, out);
	return x->has_end ? scaled_round(x->end, r->places, out) : value_at(r, i, out);
}

static bool emit_events(const struct replay *r)
{
	int64_t from, to, length;

	for (size_t i = 0; i < r->x->stack.n; i++) {
		if (!value_at(r, i, &from) || !until(r, i, &to) ||
		    __builtin_sub_overflow(to, from, &length))
			return false;
		if (length < 0)
			profile_odd(r->p, PROFILE_ODD_NESTING, i);
		else if (length && r->x->stack.at[i] != NONE)
			add(r, i, from, length);
	}
	return true;
}

static bool emit(struct speedscope *s, struct scope_profile *x, const stack_id *stacks)
{
	struct replay r = { .p = s->p, .x = x, .stacks = stacks, .places = x->weights.places };

	profile_thread(s->p, x->name, NULL, NULL, NULL);
	r.timed = time_unit(x->unit, &r.places);
	if (r.timed)
		profile_unit(s->p, PROFILE_NS, "ns");
	else if (x->unit && !strcmp(x->unit, "bytes"))
		profile_unit(s->p, PROFILE_BYTES, "bytes");
	else
		profile_unit(s->p, PROFILE_SAMPLES, "samples");
	s->p->threads[s->p->nthreads - 1].places = r.timed ? 0 : r.places;
	return x->evented ? emit_events(&r) : emit_samples(&r);
}

/* Our stacks of the raw ones; frame numbers out of range become one function. */
static stack_id *resolve(struct speedscope *s)
{
	stack_id *ours = alloc_checked(malloc((s->raw.n + 1) * sizeof(*ours)));
	func_id invalid = NONE;
	for (stack_id i = 0; i < s->raw.n; i++) {
		stack_id up = s->raw.prefix[i];
		uint32_t frame = s->raw.func[i];

		if (frame >= s->frames.n) {
			if (invalid == NONE)
				invalid = profile_function(s->p, STR("(invalid frame)"));
			profile_odd(s->p, PROFILE_ODD_INDEX, i);
		}
		ours[i] = stacks_add(&s->p->stacks, up == NONE ? NONE : ours[up],
				     frame < s->frames.n ? s->frames.at[frame] : invalid);
	}
	return ours;
}

bool speedscope_finish(struct speedscope *s, struct lp_error *err)
{
	stack_id *ours = resolve(s);
	bool ok = true;

	for (size_t i = 0; i < s->n && ok; i++)
		ok = emit(s, &s->profiles[i], ours);
	free(ours);
	s->p->spans = true;
	return ok || error_set(err, "%s: weights too large for 64 bits", s->p->path);
}
