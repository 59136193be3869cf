/* Values as Python prints them. */
#include "analysis/tracediff_stats.h"

#include "base/decimal.h"
#include "base/json.h"
#include "base/out.h"
#include "base/textbuf.h"

struct str stats_number(struct arena *a, double v, bool whole)
{
	char text[DECIMAL_MAX];
	unsigned n = whole ? decimal_i64(text, (int64_t)v) : decimal_f64(text, v);

	return (struct str){ arena_text(a, text, n), n };
}

/* Single quotes, unless the text has them and no double ones. */
static void add_string(struct textbuf *b, struct str s)
{
	bool dbl = str_contains(s, STR("'")) && !str_contains(s, STR("\""));
	char quote = dbl ? '"' : '\'';

	textbuf_print(b, "%c", quote);
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '\\' || c == quote)
			textbuf_print(b, "\\%c", c);
		else if (c == '\n')
			textbuf_add(b, STR("\\n"));
		else if (c == '\r')
			textbuf_add(b, STR("\\r"));
		else if (c == '\t')
			textbuf_add(b, STR("\\t"));
		else if (c < ' ' || c == 0x7f)
			textbuf_print(b, "\\x%02x", c);
		else
			textbuf_add(b, (struct str){ s.p + i, 1 });
	}
	textbuf_print(b, "%c", quote);
}

static void add_number(struct textbuf *b, const struct json *j, struct arena *a)
{
	double v;

	if (!str_contains(j->text, STR(".")) && !str_contains(j->text, STR("e")) &&
	    !str_contains(j->text, STR("E")))
		textbuf_add(b, j->text);
	else if (json_f64(j, &v))
		textbuf_add(b, stats_number(a, v, false));
}

static void add_scalar(struct textbuf *b, const struct json *j, struct arena *a)
{
	switch (j->type) {
	case JSON_NULL:
		textbuf_add(b, STR("None"));
		break;
	case JSON_TRUE:
		textbuf_add(b, STR("True"));
		break;
	case JSON_FALSE:
		textbuf_add(b, STR("False"));
		break;
	case JSON_STRING:
		add_string(b, json_string(a, j->text));
		break;
	case JSON_NUMBER:
		add_number(b, j, a);
		break;
	default:
		textbuf_add(b, j->text);
	}
}

/* How many items a container has so far decides its commas, and "(3,)". */
struct str stats_repr(struct arena *a, struct str json)
{
	if (!json.p || !json.n || (json.p[0] != '[' && json.p[0] != '{'))
		return json;
	struct arena scratch = { 0 };
	struct textbuf b = { .arena = &scratch };
	struct json j = json_open(json);
	uint32_t cap = 64, *items = NEW(&scratch, cap, uint32_t);

	while (json_next(&j)) {
		bool close = j.type == JSON_CLOSE;

		if (!close && j.depth && items[j.depth - 1]++)
			textbuf_add(&b, STR(", "));
		if (j.key.p && !close) {
			add_string(&b, j.key);
			textbuf_add(&b, STR(": "));
		}
		if (close && j.text.p[0] == ']')
			textbuf_add(&b, items[j.depth] == 1 ? STR(",)") : STR(")"));
		else if (close)
			textbuf_add(&b, STR("}"));
		else if (j.type == JSON_LIST || j.type == JSON_OBJECT)
			textbuf_add(&b, j.type == JSON_LIST ? STR("(") : STR("{"));
		else
			add_scalar(&b, &j, &scratch);
		if (j.type != JSON_LIST && j.type != JSON_OBJECT)
			continue;
		if (j.depth + 1 >= cap) {
			uint32_t *more = NEW(&scratch, 2 * (size_t)cap, uint32_t);

			memcpy(more, items, cap * sizeof(*more));
			items = more;
			cap *= 2;
		}
		items[j.depth] = 0;
	}
	const char *text = textbuf_keep(&b, a);
	arena_free(&scratch);
	return str_of(text);
}

void stats_cell(struct out *o, struct str s, bool last)
{
	bool quote = memchr(s.p ? s.p : "", ',', s.n) || memchr(s.p ? s.p : "", '"', s.n) ||
		     memchr(s.p ? s.p : "", '\n', s.n) || memchr(s.p ? s.p : "", '\r', s.n);

	if (!quote) {
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
