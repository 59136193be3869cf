/*
 * One event, byte by byte: the reference for the fast reader, and what it falls back
 * on. An event is first read into a draft and the tail of the batch; only when its
 * closing brace is there does it become a row.
 *
 * Members of an object are read by one loop for the event and for its args. Commas
 * that must go to make it JSON are counted when it is known what follows them.
 */
#include "trace/read_event.h"

#include "trace/number.h"

struct draft {
	nsec ts, dur;
	bool has_dur, any;
	uint32_t name, cat, pid, tid;
	uint8_t ph;
	uint64_t byte; /* of the event */
};

struct value {
	enum { VALUE_STRING, VALUE_NESTED, VALUE_WORD } is;
	enum word word;
	struct str raw; /* quotes off */
	uint64_t byte;  /* of raw */
};

struct careful {
	struct batch *b;
	const struct text *t;
	const struct read_hints *hints;
	struct read_trouble *trouble;
	const char *p;
	struct draft d;
};

/* The members of one object: what has been seen since the last one. */
struct members {
	bool fresh;
	uint32_t commas;
	const char *comma[2];
};

static const enum counter fault_counter[FAULTS] = {
	[FAULT_BAD_ESCAPE] = COUNT_BAD_ESCAPE,
	[FAULT_LONE_SURROGATE] = COUNT_LONE_SURROGATE,
	[FAULT_BAD_UTF8] = COUNT_BAD_UTF8,
	[FAULT_CONTROL_CHAR] = COUNT_CONTROL_CHAR,
	[FAULT_NON_FINITE] = COUNT_NON_FINITE_NUMBER,
	[FAULT_BARE_TOKEN] = COUNT_BARE_TOKEN,
	[FAULT_EXTRA_COMMA] = COUNT_EXTRA_COMMA,
	[FAULT_ODD_NUMBER] = COUNT_ODD_NUMBER,
};

void read_count_faults(struct batch *b, const struct faults *f, uint64_t byte)
{
	for (enum fault i = 0; i < FAULTS; i++)
		if (f->n[i])
			batch_hit(b, fault_counter[i], f->n[i], byte + f->at[i]);
}

/* ---- tokens ---- */

static enum scan bad(struct careful *c)
{
	c->trouble->at = c->p;
	return SCAN_BAD;
}

/* To the next byte that is no blank. */
static enum scan blanks(struct careful *c)
{
	c->p = json_skip_blanks(c->p, c->t->end);
	return c->p == c->t->end ? SCAN_MORE : SCAN_OK;
}

static const char *forced_close(const struct careful *c, const char *open)
{
	for (uint32_t i = 0; c->hints && i < c->hints->nforced; i++)
		if (c->hints->forced[i].open == open)
			return c->hints->forced[i].close;
	return NULL;
}

/* The string at p, its inside given; p goes behind the closing quote. */
static enum scan string(struct careful *c, struct str *out)
{
	const char *open = c->p + 1, *close = forced_close(c, open);

	if (close) {
		batch_hit(c->b, COUNT_UNESCAPED_QUOTE, 1,
			  text_byte(c->t, memchr(open, '"', (size_t)(close - open))));
	} else {
		close = open;
		if (json_string_end(&close, c->t->end) != SCAN_OK)
			return SCAN_MORE;
	}
	*out = (struct str){ open, (size_t)(close - open) };
	c->p = close + 1;
	return SCAN_OK;
}

static enum scan nested(struct careful *c, struct value *v)
{
	const char *start = c->p;
	enum scan s = json_value_end(&c->p, c->t->end);

	v->is = VALUE_NESTED;
	v->raw = (struct str){ start, (size_t)(c->p - start) };
	return s == SCAN_BAD ? bad(c) : s;
}

static enum scan word(struct careful *c, struct value *v)
{
	const char *start = c->p;
	enum scan s = json_word_end(&c->p, c->t->end);

	if (s != SCAN_OK)
		return s == SCAN_BAD ? bad(c) : s;
	v->is = VALUE_WORD;
	v->raw = (struct str){ start, (size_t)(c->p - start) };
	v->word = json_word(v->raw);
	if (v->word == WORD_NON_FINITE)
		batch_hit(c->b, COUNT_NON_FINITE_NUMBER, 1, v->byte);
	else if (v->word == WORD_BARE)
		batch_hit(c->b, COUNT_BARE_TOKEN, 1, v->byte);
	else if (v->word == WORD_ODD_NUMBER)
		batch_hit(c->b, COUNT_ODD_NUMBER, 1, v->byte);
	return SCAN_OK;
}

static enum scan value(struct careful *c, bool in_args, struct value *v)
{
	v->byte = text_byte(c->t, c->p);
	c->trouble->string = NULL;
	if (*c->p == '{' || *c->p == '[')
		return nested(c, v);
	if (*c->p != '"')
		return word(c, v);
	c->trouble->string = c->p + 1;
	c->trouble->in_args = in_args;
	v->is = VALUE_STRING;
	v->byte++;
	return string(c, &v->raw);
}

/* ---- members ---- */

static void extra_commas(struct careful *c, struct members *m, uint32_t allowed)
{
	if (m->commas > allowed)
		batch_hit(c->b, COUNT_EXTRA_COMMA, m->commas - allowed,
			  text_byte(c->t, m->comma[allowed]));
	m->commas = 0;
}

static enum scan commas(struct careful *c, struct members *m)
{
	while (blanks(c) == SCAN_OK && *c->p == ',') {
		if (m->commas < 2)
			m->comma[m->commas] = c->p;
		m->commas++;
		c->p++;
	}
	return c->p == c->t->end ? SCAN_MORE : SCAN_OK;
}

/* The next key, with p at its value; a key without bytes (p == NULL) is the closing brace. */
static enum scan member(struct careful *c, struct members *m, struct str *key)
{
	if (commas(c, m) != SCAN_OK)
		return SCAN_MORE;
	if (*c->p == '}') {
		extra_commas(c, m, 0);
		c->p++;
		*key = (struct str){ 0 };
		return SCAN_OK;
	}
	if (*c->p != '"' || (!m->fresh && !m->commas))
		return bad(c);
	extra_commas(c, m, !m->fresh);
	m->fresh = false;
	enum scan s = string(c, key);
	if (s != SCAN_OK || (s = blanks(c)) != SCAN_OK)
		return s;
	if (*c->p != ':')
		return bad(c);
	c->p++;
	return blanks(c);
}

/* ---- what is kept ---- */

static uint32_t intern(struct careful *c, struct lexicon *x, const struct value *v,
		       enum spelling how)
{
	uint32_t id = lexicon_add(x, v->raw.p, v->raw.n, how);
	const struct faults *f = lexicon_faults(x, id);

	if (f)
		read_count_faults(c->b, f, v->byte);
	return id;
}

static void add_number(struct careful *c, uint32_t key, const struct value *v)
{
	int64_t i;

	if (number_i64(v->raw, &i)) {
		batch_add_int(c->b, key, i);
		return;
	}
	if (!memchr(v->raw.p, '.', v->raw.n) && !memchr(v->raw.p, 'e', v->raw.n) &&
	    !memchr(v->raw.p, 'E', v->raw.n))
		batch_hit(c->b, COUNT_NUMBER_RANGE, 1, v->byte);
	batch_add_arg(c->b, key, ARG_TEXT, intern(c, &c->b->strings, v, SPELL_WORD));
}

static void add_arg(struct careful *c, const struct value *name, enum spelling how,
		    const struct value *v)
{
	if (v->is == VALUE_WORD && (v->word == WORD_NON_FINITE || v->word == WORD_BARE))
		return;
	uint32_t key = intern(c, &c->b->keys, name, how);

	if (v->is == VALUE_STRING)
		batch_add_arg(c->b, key, ARG_STR, intern(c, &c->b->strings, v, SPELL_STRING));
	else if (v->is == VALUE_NESTED)
		batch_add_arg(c->b, key, ARG_TEXT, intern(c, &c->b->strings, v, SPELL_TEXT));
	else if (v->word == WORD_TRUE || v->word == WORD_FALSE || v->word == WORD_NULL)
		batch_add_arg(c->b, key,
			      v->word == WORD_TRUE    ? ARG_TRUE
			      : v->word == WORD_FALSE ? ARG_FALSE
						      : ARG_NULL,
			      0);
	else
		add_number(c, key, v);
}

static enum scan args(struct careful *c)
{
	struct members m = { .fresh = true };

	c->p++;
	for (;;) {
		struct str key;
		struct value v;
		enum scan s = member(c, &m, &key);

		if (s != SCAN_OK || !key.p)
			return s;
		s = value(c, true, &v);
		if (s != SCAN_OK)
			return s;
		struct value name = { .raw = key, .byte = text_byte(c->t, key.p) };
		add_arg(c, &name, SPELL_STRING, &v);
	}
}

/* ---- fields ---- */

static bool is_number(const struct value *v)
{
	enum word w = v->is == VALUE_WORD     ? v->word
		      : v->is == VALUE_STRING ? json_word(v->raw)
					      : WORD_BARE;

	return w == WORD_NUMBER || w == WORD_ODD_NUMBER;
}

static void time_field(struct careful *c, const struct value *v, nsec *out)
{
	*out = NSEC_NONE;
	if (is_number(v) && number_ns(v->raw, out))
		return;
	if (v->is != VALUE_WORD || (v->word != WORD_NON_FINITE && v->word != WORD_BARE))
		batch_hit(c->b, COUNT_BAD_NUMBER, 1, v->byte);
}

/* A length past 64 bits is one below zero that was wrapped, not one that is missing. */
static void length_field(struct careful *c, const struct value *v, nsec *out)
{
	if (is_number(v) && !number_ns(v->raw, out))
		*out = -1;
	else
		time_field(c, v, out);
}

/* A pid or a tid, as written. */
static uint32_t id_field(struct careful *c, const struct value *v)
{
	if (v->is == VALUE_WORD &&
	    (v->word == WORD_NULL || v->word == WORD_NON_FINITE || v->word == WORD_BARE))
		return NONE;
	return intern(c, &c->b->strings, v,
		      v->is == VALUE_STRING   ? SPELL_STRING
		      : v->is == VALUE_NESTED ? SPELL_TEXT
					      : SPELL_WORD);
}

/* Those that have a column come first, in the order of enum read_field. */
static const struct str field_names[] = {
	STR("ph"),   STR("cat"),   STR("name"), STR("pid"),   STR("tid"), STR("ts"),
	STR("dur"),  STR("args"),  STR("id"),   STR("bp"),    STR("s"),   STR("tts"),
	STR("tdur"), STR("cname"), STR("id2"),  STR("scope"), STR("sf"),  STR("bind_id"),
};

static int known_field(struct str key)
{
	char plain[6 * 16];

	if (key.n && key.n <= 16 && memchr(key.p, '\\', key.n))
		key = (struct str){ plain, json_unescape(key, plain, NULL, 0) };
	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++)
		if (str_eq(key, field_names[i]))
			return (int)i;
	return -1;
}

enum read_field read_field_of(struct str key)
{
	int i = known_field(key);

	return i < 0 || i > FIELD_ARGS ? FIELD_OTHER : (enum read_field)i;
}

bool read_is_field(struct str key)
{
	return known_field(key) >= 0;
}

static void keep_field(struct careful *c, struct str key, const struct value *v)
{
	struct draft *d = &c->d;
	bool text = v->is == VALUE_STRING;

	switch (read_field_of(key)) {
	case FIELD_PH:
		d->ph = text && v->raw.n ? (uint8_t)v->raw.p[0] : 0;
		return;
	case FIELD_CAT:
		d->cat = text ? intern(c, &c->b->cats, v, SPELL_STRING) : NONE;
		return;
	case FIELD_NAME:
		d->name = v->is == VALUE_WORD && v->word == WORD_NULL ? NONE : id_field(c, v);
		return;
	case FIELD_PID:
		d->pid = id_field(c, v);
		return;
	case FIELD_TID:
		d->tid = id_field(c, v);
		return;
	case FIELD_TS:
		time_field(c, v, &d->ts);
		return;
	case FIELD_DUR:
		d->has_dur = true;
		length_field(c, v, &d->dur);
		return;
	default:
		break;
	}
	struct value name = { .raw = key, .byte = text_byte(c->t, key.p) };
	add_arg(c, &name, SPELL_FIELD, v);
}

static enum scan fields(struct careful *c)
{
	struct members m = { .fresh = true };

	c->p++;
	for (;;) {
		struct str key;
		struct value v;
		enum scan s = member(c, &m, &key);

		if (s != SCAN_OK || !key.p)
			return s;
		c->d.any = true;
		if (*c->p == '{' && read_field_of(key) == FIELD_ARGS) {
			c->trouble->string = NULL;
			s = args(c);
		} else if ((s = value(c, false, &v)) == SCAN_OK) {
			keep_field(c, key, &v);
		}
		if (s != SCAN_OK)
			return s;
	}
}

/* ---- the event ---- */

static void add_row(struct careful *c, uint32_t args_start)
{
	const struct draft *d = &c->d;
	struct batch *b = c->b;
	uint32_t lane = d->any ? batch_lane(b, d->pid, d->tid) : NONE;

	if (!d->any)
		batch_hit(b, COUNT_EMPTY_EVENT, 1, d->byte);
	*batch_add_row(b) = (struct batch_row){
		.ts = d->ts,
		.dur = d->has_dur ? d->dur : read_default_dur(d->ph),
		.name = d->name,
		.lane = lane,
		.cat = d->cat,
		.args = args_start,
		.place = (uint32_t)(d->byte - c->t->origin),
		.ph = d->ph,
		.flags = d->any ? 0 : EVENT_DROPPED,
	};
}

enum scan read_careful(struct batch *b, const struct text *t, const char **p,
		       const struct read_hints *hints, struct read_trouble *trouble)
{
	struct careful c = { .b = b,
			     .t = t,
			     .hints = hints,
			     .trouble = trouble,
			     .p = *p,
			     .d = { .ts = NSEC_NONE,
				    .dur = NSEC_NONE,
				    .name = NONE,
				    .cat = NONE,
				    .pid = NONE,
				    .tid = NONE,
				    .byte = text_byte(t, *p) } };
	struct batch_mark mark = batch_mark(b);

	*trouble = (struct read_trouble){ 0 };
	enum scan s = fields(&c);
	if (s != SCAN_OK) {
		batch_rewind(b, &mark);
		return s;
	}
	add_row(&c, mark.nargs);
	*p = c.p;
	return SCAN_OK;
}
