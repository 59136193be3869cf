/*
 * Words, and nested values walked with a stack of one bit per level (object or list),
 * so depth costs no memory and no recursion. Commas too many are let pass, a comma
 * too few is not.
 */
#include "base/jsontext.h"

static bool ends_word(char c)
{
	return json_blank(c) || c == ',' || c == ']' || c == '}' || c == '"' || c == '{' ||
	       c == '[' || c == ':';
}

enum scan json_word_end(const char **p, const char *end)
{
	const char *q = *p;

	while (q < end && !ends_word(*q))
		q++;
	if (q == end)
		return SCAN_MORE;
	if (q == *p)
		return SCAN_BAD;
	*p = q;
	return SCAN_OK;
}

static bool digits(const char **p, const char *end)
{
	const char *q = *p;

	while (*p < end && **p >= '0' && **p <= '9')
		++*p;
	return *p > q;
}

static enum word number_word(struct str w)
{
	const char *p = w.p, *end = w.p + w.n;
	bool odd = p < end && *p == '+';

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	odd |= end - p > 1 && *p == '0' && p[1] >= '0' && p[1] <= '9';
	bool whole = digits(&p, end), part = false;
	if (p < end && *p == '.') {
		p++;
		part = digits(&p, end);
		odd |= !whole || !part;
	}
	if (!whole && !part)
		return WORD_BARE;
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '-' || *p == '+'))
			p++;
		if (!digits(&p, end))
			return WORD_BARE;
	}
	return p < end ? WORD_BARE : odd ? WORD_ODD_NUMBER : WORD_NUMBER;
}

static bool is_non_finite(struct str w)
{
	size_t sign = w.n && (w.p[0] == '-' || w.p[0] == '+');
	const char *p = w.p + sign;
	size_t n = w.n - sign;

	return (n == 3 && (!strncasecmp(p, "nan", 3) || !strncasecmp(p, "inf", 3))) ||
	       (n == 8 && !strncasecmp(p, "infinity", 8)) ||
	       (n > 4 && !strncasecmp(p, "nan(", 4)) || (n >= 5 && !memcmp(p, "1.#", 3));
}

enum word json_word(struct str w)
{
	if (str_eq(w, STR("true")))
		return WORD_TRUE;
	if (str_eq(w, STR("false")))
		return WORD_FALSE;
	if (str_eq(w, STR("null")))
		return WORD_NULL;
	enum word word = number_word(w);
	return word == WORD_BARE && is_non_finite(w) ? WORD_NON_FINITE : word;
}

static void word_faults(struct str w, size_t at, struct faults *f)
{
	switch (json_word(w)) {
	case WORD_NON_FINITE:
		fault_hit(f, FAULT_NON_FINITE, at);
		break;
	case WORD_BARE:
		fault_hit(f, FAULT_BARE_TOKEN, at);
		break;
	case WORD_ODD_NUMBER:
		fault_hit(f, FAULT_ODD_NUMBER, at);
		break;
	default:
		break;
	}
}

/*
 * Where the walk through a nested value stands. Between two elements there may be any
 * number of commas; those that must go to make it JSON are counted when it is known
 * what follows them. What has been written so far is out[0 .. o).
 */
struct walk {
	const char *start, *p, *end;
	uint64_t object[JSON_DEPTH_MAX / 64]; /* bit d: the container at depth d is an object */
	uint32_t depth;
	enum { ELEMENT, COLON, VALUE } wants;
	bool fresh; /* no element in this container yet */
	uint32_t commas;
	const char *comma[2]; /* the first two of them */
	char *out;
	size_t o;
	struct faults *f;
	bool whole; /* the text ends with the value */
};

static void put(struct walk *w, const char *p, size_t n)
{
	if (w->out)
		memcpy(w->out + w->o, p, n);
	w->o += n;
}

static bool in_object(const struct walk *w)
{
	return w->object[w->depth / 64] >> (w->depth % 64) & 1;
}

static void commas_too_many(struct walk *w, uint32_t allowed)
{
	for (uint32_t i = allowed; i < w->commas; i++)
		fault_hit(w->f, FAULT_EXTRA_COMMA, (size_t)(w->comma[allowed] - w->start));
	w->commas = 0;
}

static bool begin_element(struct walk *w)
{
	if (!w->fresh && !w->commas)
		return false;
	commas_too_many(w, !w->fresh);
	if (!w->fresh)
		put(w, ", ", 2);
	w->fresh = false;
	return true;
}

static enum scan walk_comma(struct walk *w)
{
	if (w->wants != ELEMENT)
		return SCAN_BAD;
	if (w->commas < 2)
		w->comma[w->commas] = w->p;
	w->commas++;
	w->p++;
	return SCAN_OK;
}

static enum scan walk_open(struct walk *w, bool object)
{
	if (++w->depth >= JSON_DEPTH_MAX)
		return SCAN_BAD;
	uint64_t bit = 1ull << (w->depth % 64), *word = &w->object[w->depth / 64];

	*word = (*word & ~bit) | (object ? bit : 0);
	put(w, w->p++, 1);
	w->fresh = true;
	w->commas = 0;
	w->wants = ELEMENT;
	return SCAN_OK;
}

static enum scan walk_close(struct walk *w)
{
	if (w->wants != ELEMENT || !w->depth || (*w->p == '}') != in_object(w))
		return SCAN_BAD;
	commas_too_many(w, 0);
	put(w, w->p++, 1);
	w->depth--;
	w->fresh = false;
	return SCAN_OK;
}

static enum scan walk_string(struct walk *w)
{
	const char *q = w->p + 1;
	enum scan s = json_string_end(&q, w->end);

	if (s != SCAN_OK)
		return s;
	if (w->f)
		json_unescape((struct str){ w->p + 1, (size_t)(q - w->p - 1) }, NULL, w->f,
			      (size_t)(w->p + 1 - w->start));
	put(w, w->p, (size_t)(q + 1 - w->p));
	w->p = q + 1;
	return SCAN_OK;
}

static enum scan walk_word(struct walk *w)
{
	const char *q = w->p;
	enum scan s = json_word_end(&q, w->end);

	if (s == SCAN_MORE && w->whole)
		q = w->end; /* nothing follows that could go on with the word */
	else if (s != SCAN_OK)
		return s;
	struct str word = { w->p, (size_t)(q - w->p) };

	word_faults(word, (size_t)(w->p - w->start), w->f);
	put(w, word.p, word.n);
	w->p = q;
	return SCAN_OK;
}

/* A value, or a key where an object wants one. */
static enum scan walk_element(struct walk *w)
{
	bool key = w->wants == ELEMENT && w->depth && in_object(w);
	char c = *w->p;

	if (key && c != '"')
		return SCAN_BAD;
	if (w->wants == ELEMENT && w->depth && !begin_element(w))
		return SCAN_BAD;
	w->wants = key ? COLON : ELEMENT;
	if (c == '{' || c == '[')
		return walk_open(w, c == '{');
	return c == '"' ? walk_string(w) : walk_word(w);
}

static enum scan walk_colon(struct walk *w)
{
	if (*w->p != ':')
		return SCAN_BAD;
	put(w, ": ", 2);
	w->p++;
	w->wants = VALUE;
	return SCAN_OK;
}

static enum scan walk_token(struct walk *w)
{
	char c = *w->p;

	if (w->wants == COLON)
		return walk_colon(w);
	if (c == ',')
		return walk_comma(w);
	if (c == '}' || c == ']')
		return walk_close(w);
	return walk_element(w);
}

static enum scan walk_value(struct walk *w)
{
	do {
		w->p = json_skip_blanks(w->p, w->end);
		if (w->p == w->end)
			return SCAN_MORE;
		enum scan s = walk_token(w);
		if (s != SCAN_OK)
			return s;
	} while (w->depth);
	return SCAN_OK;
}

enum scan json_value_end(const char **p, const char *end)
{
	struct walk w = { .start = *p, .p = *p, .end = end, .wants = VALUE };
	enum scan s = walk_value(&w);

	*p = w.p;
	return s;
}

size_t json_tidy(struct str raw, char *out, struct faults *f)
{
	struct walk w = { .start = raw.p,
			  .p = raw.p,
			  .end = raw.p + raw.n,
			  .wants = VALUE,
			  .out = out,
			  .f = f,
			  .whole = true };

	walk_value(&w);
	return w.o;
}
