/*
 * A string that does not end inside the window is kept whole and the window grows.
 * Skipping looks only at quotes and brackets, sixteen bytes at a time.
 */
#include "base/jstream.h"

#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct jstream jstream_open(struct scroll *w, const char *path, struct lp_error *err)
{
	return (struct jstream){ .w = w, .path = path, .err = err };
}

bool jstream_ok(const struct jstream *js)
{
	return !js->failed;
}

bool jstream_fail(struct jstream *js, const char *what)
{
	struct scroll *w = js->w;
	if (!js->failed)
		error_at(js->err, js->path, w->base + w->at, "%s%s", what,
			 w->ended && w->at >= w->end ? ": the text ends here" : "");
	js->failed = true;
	return false;
}

static bool blank(unsigned char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

int jstream_byte(struct jstream *js)
{
	struct scroll *w = js->w;
	for (;;) {
		while (w->at < w->end && blank(w->buf[w->at]))
			w->at++;
		if (w->at < w->end)
			return w->buf[w->at];
		if (w->ended)
			return 0;
		scroll_fill(w);
	}
}

enum jstream_type jstream_peek(struct jstream *js)
{
	if (js->failed)
		return JSTREAM_NONE;
	switch (jstream_byte(js)) {
	case '{':
		return JSTREAM_OBJECT;
	case '[':
		return JSTREAM_ARRAY;
	case '"':
		return JSTREAM_STRING;
	case 't':
		return JSTREAM_TRUE;
	case 'f':
		return JSTREAM_FALSE;
	case 'n':
		return JSTREAM_NULL;
	case '-':
	case '0' ... '9':
		return JSTREAM_NUMBER;
	default:
		return JSTREAM_NONE;
	}
}

static bool take(struct jstream *js, int c, const char *otherwise)
{
	struct scroll *w = js->w;
	if (js->failed)
		return false;
	if (jstream_byte(js) != c)
		return jstream_fail(js, otherwise);
	w->at++;
	return true;
}

bool jstream_object(struct jstream *js)
{
	return take(js, '{', "expected an object");
}

bool jstream_array(struct jstream *js)
{
	return take(js, '[', "expected a list");
}

/* Past commas; is there something before `close`? Takes `close` if not. */
static bool more(struct jstream *js, int close)
{
	struct scroll *w = js->w;
	int c;

	if (js->failed)
		return false;
	while ((c = jstream_byte(js)) == ',')
		w->at++;
	if (c == close) {
		w->at++;
		return false;
	}
	return c || jstream_fail(js, close == '}' ? "expected '}'" : "expected ']'");
}

/* The key sits in the window, which must not slide away under it. */
static bool take_colon(struct jstream *js, struct str *key)
{
	struct scroll *w = js->w;
	size_t at = w->at;

	for (;;) {
		while (at < w->end && blank(w->buf[at]))
			at++;
		if (at < w->end || w->ended)
			break;
		size_t start = (size_t)(key->p - (const char *)w->buf);

		w->at = start;
		scroll_fill(w);
		at -= start;
		key->p = (const char *)w->buf;
	}
	w->at = at;
	if (w->buf[at] != ':')
		return jstream_fail(js, "expected ':' after a key");
	w->at++;
	return true;
}

bool jstream_key(struct jstream *js, struct str *key)
{
	if (!more(js, '}') || !jstream_string(js, key))
		return false;
	return take_colon(js, key);
}

bool jstream_item(struct jstream *js)
{
	return more(js, ']');
}

/* The first quote or backslash at or after p; at most `end`. */
static const unsigned char *quote_or_escape(const unsigned char *p, const unsigned char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), back = _mm_set1_epi8('\\');

	for (; p < end; p += 16) {
		__m128i v = _mm_loadu_si128((const void *)p);
		int m = _mm_movemask_epi8(
			_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, back)));

		if (m) {
			p += __builtin_ctz((unsigned)m);
			return p < end ? p : end;
		}
	}
	return end;
#else
	while (p < end && *p != '"' && *p != '\\')
		p++;
	return p;
#endif
}

/* The first quote or bracket at or after p; at most `end`. */
static const unsigned char *quote_or_bracket(const unsigned char *p, const unsigned char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), open = _mm_set1_epi8('{'),
		      close = _mm_set1_epi8('}'), fold = _mm_set1_epi8(0x20);

	for (; p < end; p += 16) {
		__m128i v = _mm_loadu_si128((const void *)p), f = _mm_or_si128(v, fold);
		int m = _mm_movemask_epi8(_mm_or_si128(
			_mm_cmpeq_epi8(v, quote),
			_mm_or_si128(_mm_cmpeq_epi8(f, open), _mm_cmpeq_epi8(f, close))));

		if (m) {
			p += __builtin_ctz((unsigned)m);
			return p < end ? p : end;
		}
	}
	return end;
#else
	while (p < end && *p != '"' && (*p | 0x20) != '{' && (*p | 0x20) != '}')
		p++;
	return p;
#endif
}

/*
 * Length of the string whose first byte is at `at`, its closing quote in the window;
 * SIZE_MAX if it never closes. `escaped` says whether there is a backslash in it.
 */
static size_t string_length(struct jstream *js, bool *escaped)
{
	struct scroll *w = js->w;
	size_t n = 0;

	*escaped = false;
	for (;;) {
		const unsigned char *p = w->buf + w->at;

		n = (size_t)(quote_or_escape(p + n, w->buf + w->end) - p);
		if (w->at + n < w->end && p[n] == '"')
			return n;
		if (w->at + n < w->end) {
			*escaped = true;
			n += 2;
		}
		if (w->at + n >= w->end) {
			if (w->ended)
				return SIZE_MAX;
			scroll_fill(w);
		}
	}
}

static int hex4(const unsigned char *p)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = p[i] | 0x20, d = c >= '0' && c <= '9' ? c - '0' : c - 'a' + 10;

		if (d < 0 || d > 15 || (c < 'a' && d > 9))
			return -1;
		v = v << 4 | d;
	}
	return v;
}

static char *put_utf8(char *q, unsigned c)
{
	if (c < 0x80) {
		*q++ = (char)c;
	} else if (c < 0x800) {
		*q++ = (char)(0xc0 | c >> 6);
		*q++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*q++ = (char)(0xe0 | c >> 12);
		*q++ = (char)(0x80 | (c >> 6 & 0x3f));
		*q++ = (char)(0x80 | (c & 0x3f));
	} else {
		*q++ = (char)(0xf0 | c >> 18);
		*q++ = (char)(0x80 | (c >> 12 & 0x3f));
		*q++ = (char)(0x80 | (c >> 6 & 0x3f));
		*q++ = (char)(0x80 | (c & 0x3f));
	}
	return q;
}

/* \uXXXX at p (after the u): writes it, returns the bytes taken. Half a pair is U+FFFD. */
static size_t unescape_unicode(const unsigned char *p, const unsigned char *end, char **q)
{
	int c = end - p >= 4 ? hex4(p) : -1;

	if (c < 0) {
		*(*q)++ = '\\';
		*(*q)++ = 'u';
		return 0;
	}
	if (c >= 0xd800 && c < 0xdc00 && end - p >= 10 && p[4] == '\\' && p[5] == 'u') {
		int low = hex4(p + 6);

		if (low >= 0xdc00 && low < 0xe000) {
			*q = put_utf8(*q, 0x10000 + ((unsigned)(c - 0xd800) << 10) +
						  (unsigned)(low - 0xdc00));
			return 10;
		}
	}
	*q = put_utf8(*q, c >= 0xd800 && c < 0xe000 ? 0xfffd : (unsigned)c);
	return 4;
}

/* Decodes the escapes of n bytes in place; the text never gets longer. */
static size_t unescape(unsigned char *text, size_t n)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const unsigned char *p = text, *end = text + n;
	char *q = (char *)text;

	while (p < end) {
		if (*p != '\\' || p + 1 == end) {
			*q++ = (char)*p++;
			continue;
		}
		const char *known = p[1] ? strchr(from, p[1]) : NULL;

		p += 2;
		if (known) {
			*q++ = to[known - from];
		} else if (p[-1] == 'u') {
			p += unescape_unicode(p, end, &q);
		} else {
			*q++ = '\\';
			*q++ = (char)p[-1];
		}
	}
	return (size_t)(q - (char *)text);
}

bool jstream_string(struct jstream *js, struct str *out)
{
	struct scroll *w = js->w;
	bool escaped;

	if (!take(js, '"', "expected a string"))
		return false;
	size_t n = string_length(js, &escaped);

	if (n == SIZE_MAX)
		return jstream_fail(js, "a string that never ends");
	unsigned char *text = w->buf + w->at;

	w->at += n + 1;
	*out = (struct str){ (const char *)text, escaped ? unescape(text, n) : n };
	return true;
}

static bool number_byte(unsigned char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || (c | 0x20) == 'e';
}

bool jstream_number(struct jstream *js, struct str *out)
{
	struct scroll *w = js->w;
	size_t n = 0;

	if (js->failed)
		return false;
	if (jstream_peek(js) != JSTREAM_NUMBER)
		return jstream_fail(js, "expected a number");
	for (;;) {
		while (w->at + n < w->end && number_byte(w->buf[w->at + n]))
			n++;
		if (w->at + n < w->end || w->ended)
			break;
		scroll_fill(w);
	}
	*out = (struct str){ (const char *)w->buf + w->at, n };
	w->at += n;
	return true;
}

bool jstream_i64(struct jstream *js, int64_t *out)
{
	struct scaled d;
	struct str s;

	if (!(jstream_peek(js) == JSTREAM_STRING ? jstream_string(js, &s) : jstream_number(js, &s)))
		return false;
	if (!scaled_parse(s, &d) || !scaled_round(d, 0, out))
		return jstream_fail(js, "expected a whole number that fits 64 bits");
	return true;
}

bool jstream_true(struct jstream *js)
{
	bool is = jstream_peek(js) == JSTREAM_TRUE;

	jstream_skip(js);
	return is && !js->failed;
}

static bool skip_string(struct jstream *js)
{
	struct scroll *w = js->w;
	w->at++;
	for (;;) {
		const unsigned char *end = w->buf + w->end;
		const unsigned char *p = quote_or_escape(w->buf + w->at, end);

		w->at = (size_t)(p - w->buf);
		if (p < end && *p == '"') {
			w->at++;
			return true;
		}
		scroll_need(w, 2);
		if (w->at == w->end)
			return jstream_fail(js, "a string that never ends");
		if (w->buf[w->at] == '\\')
			w->at = MIN_OF(w->at + 2, w->end);
	}
}

static bool skip_nested(struct jstream *js)
{
	struct scroll *w = js->w;
	uint64_t depth = 0;

	for (;;) {
		const unsigned char *end = w->buf + w->end;
		const unsigned char *p = quote_or_bracket(w->buf + w->at, end);

		w->at = (size_t)(p - w->buf);
		if (p == end) {
			if (w->ended)
				return jstream_fail(js, "an object or a list that never ends");
			scroll_fill(w);
		} else if (*p == '"') {
			if (!skip_string(js))
				return false;
		} else {
			w->at++;
			if (*p == '{' || *p == '[')
				depth++;
			else if (!--depth)
				return true;
		}
	}
}

static bool skip_word(struct jstream *js)
{
	struct scroll *w = js->w;
	size_t from = w->at;

	scroll_need(w, 16);
	from = w->at;
	while (w->at < w->end && ((w->buf[w->at] | 0x20) >= 'a' && (w->buf[w->at] | 0x20) <= 'z'))
		w->at++;
	return w->at > from || jstream_fail(js, "expected a value");
}

bool jstream_skip(struct jstream *js)
{
	struct str s;

	if (js->failed)
		return false;
	switch (jstream_peek(js)) {
	case JSTREAM_OBJECT:
	case JSTREAM_ARRAY:
		return skip_nested(js);
	case JSTREAM_STRING:
		return skip_string(js);
	case JSTREAM_NUMBER:
		return jstream_number(js, &s);
	default:
		return skip_word(js);
	}
}

char *jstream_text(struct jstream *js)
{
	struct str s = STR("");

	if (jstream_peek(js) == JSTREAM_STRING)
		jstream_string(js, &s);
	else if (jstream_peek(js) == JSTREAM_NUMBER)
		jstream_number(js, &s);
	else
		jstream_skip(js);
	char *text = strndup(s.p, s.n);

	if (!text)
		abort();
	return text;
}
