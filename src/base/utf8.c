#include "base/utf8.h"
#include "base/utf8_ranges.h"

#include <stdio.h>

uint32_t utf8_next(struct str s, size_t *at)
{
	const unsigned char *p = (const unsigned char *)s.p + *at;
	size_t left = s.n - *at;
	uint32_t c = *p;
	unsigned more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : 3;

	++*at;
	if (!more)
		return c;
	if (c < 0xc2 || c > 0xf4 || left <= more)
		return UTF8_BAD;
	c &= 0x3fu >> more;
	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return UTF8_BAD;
		c = c << 6 | (p[i] & 0x3f);
	}
	bool overlong = more == 2 ? c < 0x800 : more == 3 && c < 0x10000;
	if (overlong || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return UTF8_BAD;
	*at += more;
	return c;
}

static bool within(const struct range *r, size_t n, uint32_t code)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (r[mid].last < code)
			low = mid + 1;
		else
			n = mid;
	}
	return r[low].first <= code && code <= r[low].last;
}

unsigned utf8_width(uint32_t code)
{
	if (code < 0x300 || code == UTF8_BAD)
		return 1;
	if (code <= zero_columns[ARRAY_SIZE(zero_columns) - 1].last &&
	    within(zero_columns, ARRAY_SIZE(zero_columns), code))
		return 0;
	return code <= two_columns[ARRAY_SIZE(two_columns) - 1].last &&
			       within(two_columns, ARRAY_SIZE(two_columns), code)
		       ? 2
		       : 1;
}

unsigned utf8_columns(const char *safe)
{
	struct str s = str_of(safe);
	unsigned columns = 0;

	for (size_t at = 0; at < s.n;)
		columns += (unsigned char)s.p[at] < 0x80 ? (at++, 1)
							 : utf8_width(utf8_next(s, &at));
	return columns;
}

/* Invisible, or turns the direction of its neighbours, or ends a line. */
static bool treacherous(uint32_t c)
{
	return c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f && c != 0x200d) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c < 0xfffc) ||
	       (c >= 0xe0000 && c < 0xe1000);
}

static bool plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || (unsigned char)s.p[i] >= 0x7f)
			return false;
	return true;
}

/* Our own typography in ASCII; NULL for all else. */
static const char *typed(uint32_t c)
{
	switch (c) {
	case 0x2026:
		return "...";
	case 0xb5:
	case 0x3bc:
		return "u";
	case 0x203a:
		return ">";
	case 0x2588:
		return "#";
	case 0x2591:
		return ".";
	case 0xd7:
		return "x";
	case 0x2192:
		return "->";
	case 0x2013:
	case 0x2014:
		return "-";
	default:
		return NULL;
	}
}

/* Into `to`, of 16 bytes. */
static void spell(char *to, uint32_t c, const char *bytes, size_t n, enum utf8_for reader)
{
	bool ascii = reader == UTF8_ASCII && c > 0x7e;

	if (c == '\n' || c == '\t' || c == '\r')
		snprintf(to, 16, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
	else if (c < ' ' || (c >= 0x7f && c < 0xa0))
		snprintf(to, 16, "\\x%02x", c);
	else if (c == UTF8_BAD)
		snprintf(to, 16, "%s", ascii ? "?" : "\xef\xbf\xbd");
	else if (ascii && typed(c))
		snprintf(to, 16, "%s", typed(c));
	else if (ascii || c == 0x2028 || c == 0x2029 || (reader != UTF8_LINE && treacherous(c)))
		snprintf(to, 16, "\\u%04x", c);
	else
		snprintf(to, 16, "%.*s", (int)n, bytes);
}

const char *utf8_safe(struct arena *a, struct str s, enum utf8_for reader)
{
	while (reader != UTF8_LINE && s.n && s.p[s.n - 1] == ' ')
		s.n--;
	if (plain(s))
		return arena_text(a, s.p, s.n);
	char *safe = arena_alloc(a, s.n * 6 + 1), *end = safe; /* one byte can become \u0085 */
	for (size_t at = 0; at < s.n;) {
		size_t start = at;
		uint32_t c = utf8_next(s, &at);
		char piece[16];

		spell(piece, c, s.p + start, at - start, reader);
		end += strlen(strcpy(end, piece));
	}
	return safe;
}

size_t utf8_head(const char *safe, unsigned columns)
{
	struct str s = str_of(safe);
	size_t at = 0;

	while (at < s.n) {
		size_t next = at;
		unsigned w = utf8_width(utf8_next(s, &next));

		if (w > columns)
			break;
		columns -= w;
		at = next;
	}
	return at;
}

size_t utf8_tail(const char *safe, unsigned columns)
{
	struct str s = str_of(safe);
	size_t at = s.n;

	while (at) {
		size_t start = at - 1, next;

		while (start && ((unsigned char)s.p[start] & 0xc0) == 0x80)
			start--;
		next = start;
		unsigned w = utf8_width(utf8_next(s, &next));
		if (w > columns)
			break;
		columns -= w;
		at = start;
	}
	while (at < s.n && ((unsigned char)s.p[at] & 0x80)) { /* a mark needs its letter */
		size_t next = at;

		if (utf8_width(utf8_next(s, &next)))
			break;
		at = next;
	}
	return s.n - at;
}
