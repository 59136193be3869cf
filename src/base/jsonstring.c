/* What a string says: its end, its escapes, and whether it is UTF-8. */
#include "base/jsontext.h"

void fault_hit(struct faults *f, enum fault what, size_t at)
{
	if (!f)
		return;
	if (!f->n[what]++)
		f->at[what] = (uint32_t)MIN_OF(at, UINT32_MAX);
	f->any = true;
}

enum scan json_string_end(const char **p, const char *end)
{
	const char *q = *p;

	for (;;) {
		while (q < end && *q != '"' && *q != '\\')
			q++;
		if (q >= end)
			return SCAN_MORE;
		if (*q == '"') {
			*p = q;
			return SCAN_OK;
		}
		if (end - q < 2)
			return SCAN_MORE;
		q += 2;
	}
}

/* Length of the UTF-8 sequence at p, 0 if it is none: overlong forms, surrogates and
 * what lies past U+10FFFF are none. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
	unsigned char c = p[0];

	if (c < 0x80)
		return 1;
	size_t k = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;

	if (c < 0xc2 || c > 0xf4 || k > n)
		return 0;
	for (size_t i = 1; i < k; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f) ||
	    (c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f))
		return 0;
	return k;
}

static size_t put(char *out, size_t at, const char *p, size_t n)
{
	if (out)
		memcpy(out + at, p, n);
	return n;
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 63));
		out[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 63));
	out[2] = (char)(0x80 | (c >> 6 & 63));
	out[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* The four hexadecimal digits at p, or -1. */
static int32_t hex4(const char *p, const char *end)
{
	int32_t v = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = p[i];
		int d = c >= '0' && c <= '9'   ? c - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
			: c >= 'A' && c <= 'F' ? c - 'A' + 10
					       : -1;
		if (d < 0)
			return -1;
		v = v << 4 | d;
	}
	return v;
}

/* The \u escape at p (its backslash); returns the bytes used, 0 if it is not one. */
static size_t unicode_escape(const char *p, const char *end, uint32_t *c, bool *lone)
{
	int32_t hi = hex4(p + 2, end);

	*lone = false;
	if (hi < 0)
		return 0;
	*c = (uint32_t)hi;
	if (hi < 0xd800 || hi > 0xdfff)
		return 6;
	if (hi < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
		int32_t lo = hex4(p + 8, end);

		if (lo >= 0xdc00 && lo <= 0xdfff) {
			*c = 0x10000 + ((uint32_t)(hi - 0xd800) << 10) + (uint32_t)(lo - 0xdc00);
			return 12;
		}
	}
	*lone = true;
	return 6;
}

/* One escape at p, decoded to out; *o moves on by what was written. */
static size_t escape(const char *p, const char *end, size_t at, char *out, size_t *o,
		     struct faults *f)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *k = end - p > 1 && p[1] ? strchr(from, p[1]) : NULL;
	uint32_t c;
	bool lone;

	if (k) {
		*o += put(out, *o, &to[k - from], 1);
		return 2;
	}
	size_t used = end - p > 1 && p[1] == 'u' ? unicode_escape(p, end, &c, &lone) : 0;
	if (!used) {
		fault_hit(f, FAULT_BAD_ESCAPE, at);
		*o += put(out, *o, "\\", 1);
		return 1;
	}
	if (lone)
		fault_hit(f, FAULT_LONE_SURROGATE, at);
	char utf8[4];

	*o += c ? put(out, *o, utf8, put_utf8(utf8, c)) : put(out, *o, p, 6);
	return used;
}

size_t json_unescape(struct str raw, char *out, struct faults *f, size_t at)
{
	bool bad_utf8 = false, control = false;
	size_t o = 0;

	for (size_t i = 0; i < raw.n;) {
		unsigned char c = (unsigned char)raw.p[i];
		size_t k = utf8_length((const unsigned char *)raw.p + i, raw.n - i);

		if (c == '\\') {
			i += escape(raw.p + i, raw.p + raw.n, at + i, out, &o, f);
			continue;
		}
		if (c < 0x20 && !control) {
			control = true;
			fault_hit(f, FAULT_CONTROL_CHAR, at + i);
		}
		if (!k && !bad_utf8) {
			bad_utf8 = true;
			fault_hit(f, FAULT_BAD_UTF8, at + i);
		}
		k = MAX_OF(k, 1);
		o += c ? put(out, o, raw.p + i, k) : put(out, o, "\\u0000", 6);
		i += k;
	}
	return o;
}
