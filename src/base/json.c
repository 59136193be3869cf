/*
 * A string followed by a colon is a key wherever it stands, so the parser needs no
 * stack to know where it is: only how deep.
 */
#include "base/json.h"

#include "base/jsontext.h"

#include <stdlib.h>

struct json json_open(struct str text)
{
	return (struct json){ .p = text.p, .end = text.n ? text.p + text.n : text.p };
}

static bool fail(struct json *j)
{
	j->bad = true;
	j->p = j->end;
	return false;
}

static void skip_separators(struct json *j)
{
	while (j->p < j->end && (json_blank(*j->p) || *j->p == ','))
		j->p++;
}

/* A string at j->p, quotes off. */
static bool string(struct json *j, struct str *out)
{
	const char *q = j->p + 1;

	if (json_string_end(&q, j->end) != SCAN_OK)
		return false;
	*out = (struct str){ j->p + 1, (size_t)(q - j->p - 1) };
	j->p = q + 1;
	return true;
}

/* If a key stands here, reads it and its colon. */
static bool key(struct json *j)
{
	struct json at = *j;
	struct str k;

	j->key = (struct str){ 0 };
	if (*j->p != '"' || !string(&at, &k))
		return true;
	const char *p = json_skip_blanks(at.p, at.end);
	if (p == j->end || *p != ':')
		return true;
	j->key = k;
	j->p = json_skip_blanks(p + 1, j->end);
	return j->p < j->end;
}

static enum json_type word_type(struct str w)
{
	switch (json_word(w)) {
	case WORD_NULL:
		return JSON_NULL;
	case WORD_TRUE:
		return JSON_TRUE;
	case WORD_FALSE:
		return JSON_FALSE;
	case WORD_NUMBER:
	case WORD_ODD_NUMBER:
		return JSON_NUMBER;
	default:
		return JSON_WORD;
	}
}

static bool word(struct json *j)
{
	const char *q = j->p;
	enum scan s = json_word_end(&q, j->end);

	if (s == SCAN_MORE) /* it ends with the text */
		q = j->end;
	if (q == j->p)
		return fail(j);
	j->text = (struct str){ j->p, (size_t)(q - j->p) };
	j->type = word_type(j->text);
	j->p = q;
	return true;
}

static bool bracket(struct json *j, char c)
{
	bool open = c == '{' || c == '[';

	if (!open && !j->open)
		return fail(j);
	j->type = c == '{' ? JSON_OBJECT : c == '[' ? JSON_LIST : JSON_CLOSE;
	j->text = (struct str){ j->p++, 1 };
	if (open) {
		j->depth = j->open++;
	} else {
		j->depth = --j->open;
		j->key = (struct str){ 0 };
	}
	return true;
}

bool json_next(struct json *j)
{
	skip_separators(j);
	if (j->p == j->end)
		return j->open ? fail(j) : false;
	if (!key(j))
		return fail(j);
	char c = *j->p;

	if (strchr("{[]}", c) && c)
		return bracket(j, c);
	j->depth = j->open;
	if (c != '"')
		return word(j);
	j->type = JSON_STRING;
	return string(j, &j->text) || fail(j);
}

struct str json_skip(struct json *j)
{
	const char *start = j->text.p;
	uint32_t depth = j->depth;

	while (json_next(j) && !(j->type == JSON_CLOSE && j->depth == depth))
		;
	return (struct str){ start, (size_t)(j->p - start) };
}

struct str json_get(struct str text, const char *name)
{
	struct json j = json_open(text);
	struct str found = { 0 };

	if (!json_next(&j) || j.type != JSON_OBJECT)
		return found;
	while (json_next(&j)) {
		bool wanted = j.depth == 1 && j.key.p && str_eq(j.key, str_of(name));
		struct str raw = j.text;

		if (j.type == JSON_LIST || j.type == JSON_OBJECT)
			raw = json_skip(&j);
		else if (j.type == JSON_STRING)
			raw = (struct str){ raw.p - 1, raw.n + 2 };
		if (wanted)
			found = raw;
	}
	return found;
}

bool json_i64(const struct json *j, int64_t *out)
{
	return (j->type == JSON_NUMBER || j->type == JSON_STRING) && str_i64(j->text, out);
}

bool json_f64(const struct json *j, double *out)
{
	return j->type == JSON_NUMBER && str_f64(j->text, out);
}

struct str json_string(struct arena *a, struct str raw)
{
	if (!raw.n || !memchr(raw.p, '\\', raw.n))
		return raw;
	char *out = arena_alloc(a, 6 * raw.n + 1);
	size_t n = json_unescape(raw, out, NULL, 0);

	return (struct str){ out, n };
}
