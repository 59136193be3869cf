/* coll_analysis: the collectives of this rank, grouped by what was sent where. */
#include "analysis/tlreport/tlgroup.h"
#include "analysis/tlreport/tltable.h"

#include <strings.h>

enum field {
	GROUP_NAME,
	GROUP_RANKS,
	COLLECTIVE,
	GROUP_SIZE,
	TYPE,
	IN_ELEMENTS,
	OUT_ELEMENTS,
	IN_SPLIT,
	OUT_SPLIT,
	STREAM,
	FIELDS
};

static const struct {
	const char *name, *key;
	bool number;
} fields[FIELDS] = {
	[GROUP_NAME] = { "Process Group Name", "Process Group Name", false },
	[GROUP_RANKS] = { "Process Group Ranks", "Process Group Ranks", false },
	[COLLECTIVE] = { "Collective name", "Collective name", false },
	[GROUP_SIZE] = { "Group size", "Group size", true },
	[TYPE] = { "dtype", "dtype", false },
	[IN_ELEMENTS] = { "In msg nelems", "In msg nelems", true },
	[OUT_ELEMENTS] = { "Out msg nelems", "Out msg nelems", true },
	[IN_SPLIT] = { "In split size", "In split size", false },
	[OUT_SPLIT] = { "Out split size", "Out split size", false },
	[STREAM] = { "stream", "stream", false },
};

struct collectives {
	struct tlreport *r;
	uint16_t key[FIELDS];
	struct strings texts;
	uint32_t n;
	event_id *event;
	uint32_t *words; /* FIELDS of each: rows of texts */
	struct tlgroups g;
};

/* Bytes of an element, as the communication library spells types; 0: not known. */
static double bytes_of(struct str type)
{
	static const struct {
		const char *name;
		int bytes;
	} types[] = {
		{ "Float", 4 }, { "Int", 4 },    { "Long", 8 }, { "BFloat16", 2 }, { "Bool", 1 },
		{ "Byte", 1 },  { "Double", 8 }, { "Half", 2 }, { "Short", 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (str_eq(type, str_of(types[i].name)))
			return types[i].bytes;
	return 0;
}

static struct str text_of(const struct collectives *c, event_id e, enum field f)
{
	struct str s = { NULL, 0 };

	if (f == STREAM || c->key[f] != UINT16_MAX)
		s = arg_text(c->r->tr, e, f == STREAM ? (uint16_t)KEY_STREAM : c->key[f]);
	if (!s.p && f == COLLECTIVE &&
	    str_contains(trace_name(c->r->tr, e), STR("cross_device_reduce")))
		s = STR("allreduce");
	return s;
}

/* False if anything is missing: the original leaves such collectives out. */
static bool add(struct collectives *c, event_id e)
{
	uint32_t *words = c->words + (size_t)c->n * FIELDS;
	int64_t id;

	if (!arg_i64(c->r->tr, e, KEY_CORRELATION, &id) &&
	    !arg_i64(c->r->tr, e, KEY_EXTERNAL_ID, &id))
		return false;
	for (int f = 0; f < FIELDS; f++) {
		struct str s = text_of(c, e, f);

		if (!s.p)
			return false;
		words[f] = strings_add(&c->texts, s.p, s.n);
	}
	c->event[c->n++] = e;
	return true;
}

static void collect(struct collectives *c)
{
	const struct trace *tr = c->r->tr;

	for (int f = 0; f < FIELDS; f++)
		c->key[f] = arg_key_id(tr, str_of(fields[f].key));
	c->event = NEW(&c->r->scratch, tr->ngpu, event_id);
	c->words = NEW(&c->r->scratch, (size_t)tr->ngpu * FIELDS, uint32_t);
	for (event_id e = 0; e < tr->ev.n && c->n < tr->ngpu; e++)
		if (tr->ev.kind[e] == KIND_COLLECTIVE && trace_timed(tr, e))
			add(c, e);
	c->g = tlgroup_by(&c->r->scratch, c->words, FIELDS, c->n);
}

static struct tlstat *measure(struct collectives *c)
{
	struct tlstat *stat = NEW(&c->r->scratch, c->g.n, struct tlstat);
	double *value = NEW(&c->r->scratch, c->n, double);

	for (uint32_t g = 0; g < c->g.n; g++) {
		uint32_t n = 0;

		for (uint32_t k = c->g.first[g]; k < c->g.first[g + 1]; k++)
			value[n++] = tlreport_us(c->r->tr, c->event[c->g.row[k]]);
		stat[g] = tlstat_of(value, n, value);
	}
	return stat;
}

static struct str field_of(const struct collectives *c, uint32_t g, enum field f)
{
	return strings_get(&c->texts, c->words[(size_t)c->g.row[c->g.first[g]] * FIELDS + f]);
}

static double number_of(const struct collectives *c, uint32_t g, enum field f)
{
	int64_t v;

	return str_i64(field_of(c, g, f), &v) ? (double)v : 0;
}

static void add_fields(struct tltable *t, const struct collectives *c)
{
	for (int f = 0; f < FIELDS; f++) {
		double *number = fields[f].number ? tltable_f64(t, fields[f].name) : NULL;
		const char **text = number ? NULL : tltable_text(t, fields[f].name);

		for (uint32_t i = 0; i < t->n; i++)
			if (number)
				number[i] = number_of(c, t->order[i], f);
			else
				text[i] = arena_print(c->r->arena, "%.*s",
						      STR_ARGS(field_of(c, t->order[i], f)));
	}
}

static void add_size(struct tltable *t, const struct collectives *c, const char *name, enum field f)
{
	double *mb = tltable_f64(t, name);

	for (uint32_t i = 0; i < t->n; i++)
		mb[i] = number_of(c, t->order[i], f) * bytes_of(field_of(c, t->order[i], TYPE)) /
			(1 << 20);
}

void tlcoll(struct tlreport *r)
{
	static const enum tlstat_what figures[] = { TLSTAT_SUM, TLSTAT_MEAN, TLSTAT_STD,
						    TLSTAT_MIN, TLSTAT_MAX,  TLSTATS };
	struct collectives c = { .r = r };

	collect(&c);
	if (c.n) {
		struct tlstat *stat = measure(&c);
		double *sum = NEW(&r->scratch, c.g.n, double);
		for (uint32_t g = 0; g < c.g.n; g++)
			sum[g] = stat[g].v[TLSTAT_SUM];
		struct tltable t = tltable_new(r, "coll_analysis", c.g.n,
					       tlgroup_order(&r->scratch, c.g.n, sum, NULL));
		tltable_i64(&t, "rank"); /* the only one there is: 0 */
		add_fields(&t, &c);
		add_size(&t, &c, "In msg size (MB)_first", IN_ELEMENTS);
		add_size(&t, &c, "Out msg size (MB)_first", OUT_ELEMENTS);
		tltable_stats(&t, "dur", stat, figures);
		int64_t *count = tltable_i64(&t, "operation_count");
		for (uint32_t i = 0; i < t.n; i++)
			count[i] = stat[t.order[i]].n;
	}
	strings_free(&c.texts);
}
