/*
 * Where does a damaged string end? At the first quote behind which the event goes on
 * as an event does: `, "pid":` or another field for a field, `, "any key":` for an
 * argument, or a closing brace. Each guess is tested by reading the event with it.
 *
 * Where is the next event? At a brace that follows a comma or the bracket of the list,
 * or begins a line, and is followed by the name of a field: inside a JSON string these quotes would
 * be escaped. If it also follows the brace of another object it is believed; if not, it must read
 * as an event with a phase.
 *
 * Damage shows within an event or so of where it is, so the search begins not far
 * before the place where reading failed: cost stays linear on hostile files.
 */
#include "trace/damage.h"

#include <ctype.h>
#include <string.h>

#define GUESSES_MAX  64
#define STRING_MAX   ((ptrdiff_t)1 << 20)
#define LOOK_BACK    4096
#define BRACKETS_MAX 256

static const char *back_blanks(const char *p, const char *start)
{
	while (p > start && json_blank(p[-1]))
		p--;
	return p;
}

enum scan damage_follows(const struct text *t, const char *p)
{
	p = json_skip_blanks(p, t->end);
	if (p == t->end)
		return t->last ? SCAN_OK : SCAN_MORE;
	return strchr(",]{}", *p) && *p ? SCAN_OK : SCAN_BAD;
}

/* Is there a key with its colon at p? The key's inside is given. */
static enum scan key_at(const char *p, const char *end, struct str *key)
{
	p = json_skip_blanks(p, end);
	if (p == end)
		return SCAN_MORE;
	if (*p != '"')
		return SCAN_BAD;
	const char *close = ++p;
	enum scan s = json_string_end(&close, end);
	if (s != SCAN_OK)
		return s;
	*key = (struct str){ p, (size_t)(close - p) };
	p = json_skip_blanks(close + 1, end);
	return p == end ? SCAN_MORE : *p == ':' ? SCAN_OK : SCAN_BAD;
}

/* ---- what looks like an event ---- */

enum look { LOOK_NO, LOOK_MAYBE, LOOK_SURE, LOOK_MORE };

/* Does the brace at p look like the start of an event? */
static enum look looks_like_event(const struct text *t, const char *p)
{
	const char *before = back_blanks(p, t->p);
	struct str key;

	bool own_line = memchr(before, '\n', (size_t)(p - before));
	if (before == t->p ||
	    (before[-1] != ',' && before[-1] != '[' && before[-1] != '}' && !own_line))
		return LOOK_NO;
	enum scan s = key_at(p + 1, t->end, &key);
	if (s == SCAN_MORE)
		return t->last ? LOOK_NO : LOOK_MORE;
	if (s == SCAN_BAD || !read_is_field(key))
		return LOOK_NO;
	if (before[-1] != ',')
		return LOOK_MAYBE;
	before = back_blanks(before - 1, t->p);
	return before > t->p && before[-1] == '}' ? LOOK_SURE : LOOK_MAYBE;
}

/* ---- repair ---- */

/* Can the quote at q close a string value? */
static enum scan may_close(const struct text *t, const char *q, bool in_args)
{
	const char *p = json_skip_blanks(q + 1, t->end);
	struct str key;

	if (p == t->end)
		return SCAN_MORE;
	if (*p == '}')
		return SCAN_OK;
	if (*p != ',')
		return SCAN_BAD;
	enum scan s = key_at(p + 1, t->end, &key);
	return s == SCAN_OK && !in_args && !read_is_field(key) ? SCAN_BAD : s;
}

/*
 * Is it something else than a quote too many that follows the string: a key without its
 * comma or its first quote, or an event before the end of this one?
 */
static bool other_damage(const char *close, const char *end)
{
	const char *p = json_skip_blanks(close + 1, end);
	struct str key;

	if (p < end && *p == '"')
		return key_at(p, end, &key) == SCAN_OK;
	if (p == end || *p != ',')
		return false;
	p = json_skip_blanks(p + 1, end);
	if (p < end && *p == '{')
		return true;
	const char *word = p;
	while (p < end && (isalnum((unsigned char)*p) || *p == '_' || *p == ' '))
		p++;
	if (p == word || p == end || *p != '"')
		return false;
	p = json_skip_blanks(p + 1, end);
	return p < end && *p == ':';
}

/* How far a string may reach: not into what looks like the next event. */
static const char *reach(const struct text *t, const char *open)
{
	const char *end = t->end - open > STRING_MAX ? open + STRING_MAX : t->end;

	for (const char *p = open; (p = memchr(p, '{', (size_t)(end - p))); p++) {
		enum look look = looks_like_event(t, p);

		if (look == LOOK_SURE || look == LOOK_MAYBE)
			return p;
	}
	return end;
}

/* The first quote after `from` that may close the string. */
static enum scan guess(const struct text *t, const char *from, const char *end, bool in_args,
		       const char **quote)
{
	for (const char *q = from; q < end && (q = memchr(q, '"', (size_t)(end - q))); q++) {
		enum scan s = may_close(t, q, in_args);

		if (s == SCAN_BAD || (s == SCAN_MORE && t->last))
			continue;
		*quote = q;
		return s;
	}
	return end == t->end && !t->last ? SCAN_MORE : SCAN_BAD;
}

/* The end of the string `open` as it is taken now. */
static struct read_forced *forced_for(struct read_hints *h, const char *open, const struct text *t)
{
	for (uint32_t i = 0; i < h->nforced; i++)
		if (h->forced[i].open == open)
			return &h->forced[i];
	if (h->nforced == FORCED_MAX)
		return NULL;
	const char *close = open;
	if (json_string_end(&close, t->end) != SCAN_OK)
		return NULL;
	h->forced[h->nforced] = (struct read_forced){ open, close };
	return &h->forced[h->nforced++];
}

enum scan damage_repair(struct batch *b, const struct text *t, const char **p,
			struct read_trouble trouble)
{
	struct read_hints hints = { 0 };

	for (int i = 0; i < GUESSES_MAX && trouble.string; i++) {
		struct read_forced *f = forced_for(&hints, trouble.string, t);

		if (!f || other_damage(f->close, t->end))
			return SCAN_BAD;
		const char *end = reach(t, f->open);
		enum scan s = guess(t, f->close + 1, end, trouble.in_args, &f->close);
		if (s != SCAN_OK)
			return s;
		struct batch_mark mark = batch_mark(b);
		const char *q = *p;
		s = read_careful(b, t, &q, &hints, &trouble);
		if (s == SCAN_OK && (s = damage_follows(t, q)) == SCAN_OK) {
			*p = q;
			return SCAN_OK;
		}
		batch_rewind(b, &mark);
		if (s == SCAN_MORE)
			return t->last ? SCAN_BAD : SCAN_MORE;
	}
	return SCAN_BAD;
}

/* ---- the next event ---- */

/* Does an event with a phase stand at p, as far as the text goes? */
static enum scan reads_as_event(struct batch *b, const struct text *t, const char *p)
{
	struct batch_mark mark = batch_mark(b);
	struct read_trouble trouble;
	enum scan s = read_careful(b, t, &p, NULL, &trouble);

	if (s == SCAN_OK) {
		struct batch_row *row = (struct batch_row *)b->rows.at + b->nrows - 1;

		s = row->ph ? damage_follows(t, p) : SCAN_BAD;
		batch_rewind(b, &mark);
	}
	return s == SCAN_MORE && t->last ? SCAN_OK : s;
}

/* Does the document end behind the bracket before p, perhaps after more keys of the root? */
static bool ends_document(const struct text *t, const char *p)
{
	struct str key;

	for (;;) {
		p = json_skip_blanks(p, t->end);
		if (p == t->end)
			return true;
		if (*p == '}')
			return json_skip_blanks(p + 1, t->end) == t->end;
		if (*p != ',' || key_at(p + 1, t->end, &key) != SCAN_OK)
			return false;
		p = json_skip_blanks(key.p + key.n + 1, t->end) + 1;
		p = json_skip_blanks(p, t->end);
		if (json_value_end(&p, t->end) != SCAN_OK)
			return false;
	}
}

/* The bracket that closes the list, if the rest of the text is in order. */
static const char *list_end(const struct text *t, const char *from)
{
	const char *p = from;

	for (int i = 0; i < BRACKETS_MAX && (p = memchr(p, ']', (size_t)(t->end - p))); i++, p++)
		if (ends_document(t, p + 1))
			return p;
	return NULL;
}

enum scan damage_next(struct batch *b, const struct text *t, const char *from, const char *at,
		      const char **next)
{
	const char *p = MAX_OF(from + 1, at - MIN_OF(at - t->p, LOOK_BACK));

	for (; (p = memchr(p, '{', (size_t)(t->end - p))); p++) {
		enum look look = looks_like_event(t, p);
		enum scan s = look == LOOK_MAYBE ? reads_as_event(b, t, p) : SCAN_OK;

		if (look == LOOK_MORE || s == SCAN_MORE)
			return SCAN_MORE;
		if (look == LOOK_NO || s == SCAN_BAD)
			continue;
		*next = p;
		return SCAN_OK;
	}
	*next = t->last ? list_end(t, at) : NULL;
	return t->last ? SCAN_OK : SCAN_MORE;
}
