/*
 * The whole message is in memory (what pprof writes is small): one pass notes where the
 * fields are, then strings, functions and locations become tables and samples stacks. Ids
 * are any 64-bit numbers, so tables are reached through maps.
 */
#include "profile/profile_pprof.h"

#include "base/map.h"

#include <stdlib.h>

/* Fields of Profile, and of the messages in it. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE = 2,
	MAPPING = 3,
	LOCATION = 4,
	FUNCTION = 5,
	STRING = 6,
	DEFAULT_TYPE = 14
};

struct pb {
	const unsigned char *p, *end;
	bool bad;
};

struct field {
	unsigned number, wire;
	uint64_t value; /* of a number */
	struct pb bytes;
};

static uint64_t varint(struct pb *b)
{
	uint64_t v = 0;

	for (unsigned shift = 0; b->p < b->end && shift < 64; shift += 7) {
		unsigned char c = *b->p++;

		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
	b->bad = true;
	return 0;
}

static bool next_field(struct pb *b, struct field *f)
{
	if (b->p >= b->end || b->bad)
		return false;
	uint64_t tag = varint(b), n = 0;

	*f = (struct field){ .number = (unsigned)(tag >> 3), .wire = tag & 7 };
	switch (f->wire) {
	case 0:
		f->value = varint(b);
		break;
	case 1:
		n = 8;
		break;
	case 2:
		n = varint(b);
		break;
	case 5:
		n = 4;
		break;
	default:
		b->bad = true;
	}
	if (b->bad || n > (uint64_t)(b->end - b->p)) {
		b->bad = true;
		return false;
	}
	f->bytes = (struct pb){ b->p, b->p + n, false };
	b->p += n;
	return true;
}

/* Repeated numbers, packed or one by one: the next of `f`; false past the last. */
static bool next_number(struct field *f, uint64_t *out)
{
	if (f->wire == 0) {
		*out = f->value;
		f->wire = 7;
		return true;
	}
	if (f->wire != 2 || f->bytes.p >= f->bytes.end)
		return false;
	*out = varint(&f->bytes);
	return !f->bytes.bad;
}

struct location {
	uint32_t first, n; /* lines: rows of pprof.lines, innermost first */
};

struct pprof {
	struct profile *p;
	struct arena arena;
	struct pb all;
	uint32_t ntypes, nlocations, nfunctions, nstrings, nlines;
	struct str *strings;
	struct map functions, locations; /* id -> func_id, row */
	struct location *at;
	func_id *lines;
	uint64_t *type, *unit; /* of each value: strings */
	uint64_t default_type;
	uint32_t value; /* which of the values is taken */
	unsigned power; /* values are 10^power of the thread's unit */
};

static struct str string_at(const struct pprof *x, uint64_t i)
{
	return i < x->nstrings ? x->strings[i] : STR("");
}

/* How many of each there are, and is it all well-formed? */
static bool count_fields(struct pprof *x)
{
	struct pb b = x->all, inner;
	struct field f, g;

	while (next_field(&b, &f)) {
		x->ntypes += f.number == SAMPLE_TYPE;
		x->nlocations += f.number == LOCATION;
		x->nfunctions += f.number == FUNCTION;
		x->nstrings += f.number == STRING;
		if (f.number == DEFAULT_TYPE)
			x->default_type = f.value;
		if (f.number != LOCATION)
			continue;
		for (inner = f.bytes; next_field(&inner, &g);)
			x->nlines += g.number == 4;
		b.bad |= inner.bad;
	}
	return !b.bad;
}

static void read_strings(struct pprof *x)
{
	struct pb b = x->all;
	struct field f;
	uint32_t n = 0, t = 0;

	x->strings = NEW(&x->arena, x->nstrings + 1, struct str);
	x->type = NEW(&x->arena, x->ntypes + 1, uint64_t);
	x->unit = NEW(&x->arena, x->ntypes + 1, uint64_t);
	while (next_field(&b, &f)) {
		if (f.number == STRING)
			x->strings[n++] = (struct str){ (const char *)f.bytes.p,
							(size_t)(f.bytes.end - f.bytes.p) };
		if (f.number != SAMPLE_TYPE)
			continue;
		struct field g;

		for (struct pb type = f.bytes; next_field(&type, &g);)
			*(g.number == 1 ? &x->type[t] : &x->unit[t]) = g.value;
		t++;
	}
}

static void add_function(struct pprof *x, struct pb b)
{
	uint64_t id = 0, name = 0, system = 0, file = 0;
	struct field f;

	while (next_field(&b, &f)) {
		id = f.number == 1 ? f.value : id;
		name = f.number == 2 ? f.value : name;
		system = f.number == 3 ? f.value : system;
		file = f.number == 4 ? f.value : file;
	}
	struct str text = string_at(x, name ? name : system);

	*map_at(&x->functions, id) = profile_function_at(x->p, text.n ? text : STR("(no name)"),
							 string_at(x, file), 0);
}

static func_id line_function(struct pprof *x, struct pb b)
{
	uint64_t id = 0;
	struct field f;

	while (next_field(&b, &f))
		id = f.number == 1 ? f.value : id;
	uint32_t func = map_get(&x->functions, id);

	if (func != NONE)
		return func;
	profile_odd(x->p, PROFILE_ODD_INDEX, (uint64_t)(b.p - x->all.p));
	return profile_function(x->p, STR("(invalid function)"));
}

/* A location without lines is known by its address only. */
static func_id address_function(struct pprof *x, uint64_t address)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);

	return profile_function(x->p, (struct str){ text, (size_t)n });
}

static void add_location(struct pprof *x, struct pb b, uint32_t row)
{
	uint64_t id = 0, address = 0;
	struct location *l = &x->at[row];
	struct field f;

	l->first = x->nlines;
	while (next_field(&b, &f)) {
		id = f.number == 1 ? f.value : id;
		address = f.number == 3 ? f.value : address;
		if (f.number == 4)
			x->lines[x->nlines++] = line_function(x, f.bytes);
	}
	if (x->nlines == l->first)
		x->lines[x->nlines++] = address_function(x, address);
	l->n = x->nlines - l->first;
	*map_at(&x->locations, id) = row;
}

static void read_tables(struct pprof *x)
{
	struct pb b = x->all;
	struct field f;
	uint32_t row = 0;

	x->functions = map_new(&x->arena, x->nfunctions);
	x->locations = map_new(&x->arena, x->nlocations);
	x->at = NEW(&x->arena, x->nlocations + 1, struct location);
	x->lines = NEW(&x->arena, (size_t)x->nlines + x->nlocations + 1, func_id);
	x->nlines = 0;
	while (next_field(&b, &f))
		if (f.number == FUNCTION)
			add_function(x, f.bytes);
	for (b = x->all; next_field(&b, &f);)
		if (f.number == LOCATION)
			add_location(x, f.bytes, row++);
}

/* The locations of a sample, leaf first, as they are written; their values in *value. */
static bool read_sample(struct pprof *x, struct pb b, struct jstream_ids *rows, int64_t *value)
{
	uint32_t nvalues = 0;
	struct field f;
	uint64_t v;
	bool got = false;

	rows->n = 0;
	while (next_field(&b, &f)) {
		while (f.number == 1 && next_number(&f, &v))
			jstream_push_id(rows, map_get(&x->locations, v));
		while (f.number == 2 && next_number(&f, &v))
			if (nvalues++ == x->value) {
				*value = (int64_t)v;
				got = true;
			}
	}
	return got && !b.bad;
}

static stack_id stack_of(struct pprof *x, const struct jstream_ids *rows, uint64_t where)
{
	stack_id top = NONE;

	for (size_t k = rows->n; k-- > 0;) {
		if (rows->at[k] == NONE) {
			profile_odd(x->p, PROFILE_ODD_INDEX, where);
			continue;
		}
		struct location l = x->at[rows->at[k]];

		for (uint32_t i = l.n; i-- > 0;)
			top = stacks_add(&x->p->stacks, top, x->lines[l.first + i]);
	}
	return top;
}

static void read_samples(struct pprof *x)
{
	struct jstream_ids rows = { 0 };
	struct pb b = x->all;
	struct field f;

	while (next_field(&b, &f)) {
		uint64_t where = (uint64_t)(b.p - x->all.p);
		int64_t value = 0;

		if (f.number != SAMPLE)
			continue;
		if (!read_sample(x, f.bytes, &rows, &value) ||
		    __builtin_mul_overflow(value, scaled_power(x->power), &value))
			profile_odd(x->p, PROFILE_ODD_WEIGHT, where);
		else
			profile_sample(x->p, (struct sample){ stack_of(x, &rows, where), NSEC_NONE,
							      value, 1 });
	}
	free(rows.at);
}

/* The value to take, by the name of its type. */
static bool choose(struct pprof *x, const char *weight, struct lp_error *err)
{
	struct str want = weight ? str_of(weight) : string_at(x, x->default_type);

	x->value = x->ntypes ? x->ntypes - 1 : 0;
	for (uint32_t i = 0; i < x->ntypes; i++)
		if (want.n && str_eq(string_at(x, x->type[i]), want)) {
			x->value = i;
			return true;
		}
	if (!weight)
		return true;
	struct str last = string_at(x, x->type[x->value]);

	return error_set(err, "%s: no values of type '%s'; the last type is '%.*s'", x->p->path,
			 weight, STR_ARGS(last));
}

static void set_unit(struct pprof *x)
{
	static const struct {
		const char *name;
		enum profile_unit unit;
		unsigned power;
	} units[] = {
		{ "nanoseconds", PROFILE_NS, 0 },  { "microseconds", PROFILE_NS, 3 },
		{ "milliseconds", PROFILE_NS, 6 }, { "seconds", PROFILE_NS, 9 },
		{ "bytes", PROFILE_BYTES, 0 },     { "count", PROFILE_SAMPLES, 0 },
	};
	struct str unit = string_at(x, x->unit[x->value]), type = string_at(x, x->type[x->value]);

	profile_unit(x->p, PROFILE_OTHER, "");
	x->p->threads[0].unit_name = arena_text(&x->p->arena, type.p, type.n);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!str_eq(unit, str_of(units[i].name)))
			continue;
		profile_unit(x->p, units[i].unit,
			     units[i].unit == PROFILE_NS      ? "ns"
			     : units[i].unit == PROFILE_BYTES ? "bytes"
							      : x->p->threads[0].unit_name);
		x->power = units[i].power;
	}
}

/* A ValueType: nothing but two small numbers. */
static bool is_value_type(struct pb b)
{
	struct field f;

	while (next_field(&b, &f))
		if (f.wire != 0 || (f.number != 1 && f.number != 2))
			return false;
	return !b.bad;
}

/* Field n of Profile has wire type wires[n]: text or another message fails on the way. */
bool pprof_looks(struct str head, bool whole)
{
	static const char wires[] = "-222222000020000";
	struct pb b = { (const unsigned char *)head.p, (const unsigned char *)head.p + head.n,
			false };
	struct field f = { 0 };
	unsigned types = 0;

	while (next_field(&b, &f)) {
		if (!f.number || f.number >= sizeof(wires) - 1 ||
		    (f.wire != (unsigned)(wires[f.number] - '0') &&
		     !(f.number == 13 && f.wire == 2)) ||
		    (f.number == SAMPLE_TYPE && !is_value_type(f.bytes)))
			return false;
		types += f.number == SAMPLE_TYPE;
	}
	return types > 0 && (!b.bad || !whole);
}

enum profile_answer profile_pprof(struct scroll *w, const char *path, struct profile_options o,
				  struct profile **out, struct lp_error *err)
{
	struct str all = scroll_rest(w);
	struct pprof x = { .p = profile_new(path, "pprof") };
	bool ok;

	x.all = (struct pb){ (const unsigned char *)all.p, (const unsigned char *)all.p + all.n,
			     false };
	ok = count_fields(&x) || error_set(err, "%s: not pprof: its fields are broken", path);
	if (ok) {
		read_strings(&x);
		ok = choose(&x, o.weight, err);
	}
	if (ok) {
		profile_thread(x.p, NULL, NULL, NULL, NULL);
		set_unit(&x);
		read_tables(&x);
		read_samples(&x);
	}
	arena_free(&x.arena);
	if (!ok) {
		profile_free(x.p);
		return PROFILE_REFUSED;
	}
	*out = profile_finish(x.p, err);
	return *out ? PROFILE_READ : PROFILE_REFUSED;
}
