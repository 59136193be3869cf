/*
 * Runs of plain characters are copied whole; only quotes, backslashes, control
 * characters, U+2028 and U+2029 (which end lines in JavaScript) and bad bytes stop
 * the run.
 */
#include "base/jsonw.h"
#include "base/utf8.h"

#include <math.h>

static void escape(struct out *o, uint32_t c)
{
	static const char hex[] = "0123456789abcdef";
	static const char letter[] = "btn\vfr"; /* of 8 to 13; JSON has none for 11 */

	out_char(o, '\\');
	if (c >= 8 && c <= 13 && c != 11) {
		out_char(o, letter[c - 8]);
	} else if (c == '"' || c == '\\') {
		out_char(o, (char)c);
	} else {
		out_char(o, 'u');
		for (int shift = 12; shift >= 0; shift -= 4)
			out_char(o, hex[c >> shift & 15]);
	}
}

void jsonw_str(struct out *o, struct str s)
{
	size_t run = 0, at = 0;

	out_char(o, '"');
	while (at < s.n) {
		unsigned char byte = (unsigned char)s.p[at];
		if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\') {
			at++;
			continue;
		}
		size_t start = at;
		uint32_t c = utf8_next(s, &at);
		bool bad = c == UTF8_BAD;
		if (!bad && c >= 0x80 && c != 0x2028 && c != 0x2029)
			continue;
		out_bytes(o, s.p + run, start - run);
		if (bad)
			out_text(o, "\xef\xbf\xbd");
		else
			escape(o, c);
		run = at;
	}
	out_bytes(o, s.p + run, s.n - run);
	out_char(o, '"');
}

void jsonw_text(struct out *o, const char *text)
{
	if (text)
		jsonw_str(o, str_of(text));
	else
		out_text(o, "null");
}

void jsonw_f64(struct out *o, double v)
{
	if (isfinite(v))
		out_f64(o, v);
	else
		out_text(o, "null");
}
