/* Values as Python prints them. */
#include "analysis/pyrepr.h"
#include "analysis/tracediff_stats.h"

#include "base/decimal.h"
#include "base/out.h"

struct str stats_number(struct arena *a, double v, bool whole)
{
	char text[DECIMAL_MAX];
	unsigned n = whole ? decimal_i64(text, (int64_t)v) : decimal_f64(text, v);

	return (struct str){ arena_text(a, text, n), n };
}

struct str stats_repr(struct arena *a, struct str json)
{
	if (!json.p || !json.n || (json.p[0] != '[' && json.p[0] != '{'))
		return json;
	return str_of(pyrepr(a, json, PYREPR_TUPLES));
}

void stats_cell(struct out *o, struct str s, bool last)
{
	bool quote = false;

	for (size_t i = 0; i < s.n; i++)
		quote |= s.p[i] == ',' || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r';
	if (!s.n) {
		/* missing, or empty */
	} else if (!quote) {
		out_bytes(o, s.p, s.n);
	} else {
		out_char(o, '"');
		for (size_t i = 0; i < s.n; i++) {
			if (s.p[i] == '"')
				out_char(o, '"');
			out_char(o, s.p[i]);
		}
		out_char(o, '"');
	}
	out_char(o, last ? '\n' : ',');
}
