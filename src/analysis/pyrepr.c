#include "analysis/pyrepr.h"

#include "base/decimal.h"
#include "base/json.h"

/* Single quotes, unless the text has them and no double ones. */
void pyrepr_string(struct textbuf *b, struct str s)
{
	bool dbl = memchr(s.p, '\'', s.n) && !memchr(s.p, '"', s.n);
	char quote = dbl ? '"' : '\'';
	size_t from = 0;

	textbuf_add(b, (struct str){ &quote, 1 });
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= ' ' && c != 0x7f && c != '\\' && c != quote)
			continue;
		textbuf_add(b, (struct str){ s.p + from, i - from });
		from = i + 1;
		if (c == '\\' || c == quote)
			textbuf_print(b, "\\%c", c);
		else if (c == '\n' || c == '\r' || c == '\t')
			textbuf_print(b, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
		else
			textbuf_print(b, "\\x%02x", c);
	}
	textbuf_add(b, (struct str){ s.p + from, s.n - from });
	textbuf_add(b, (struct str){ &quote, 1 });
}

void pyrepr_number(struct textbuf *b, double v)
{
	char text[DECIMAL_MAX];
	unsigned n = decimal_f64(text, v);

	textbuf_add(b, (struct str){ text, n });
}

static void add_number(struct textbuf *b, const struct json *j)
{
	double v;

	if (!str_contains(j->text, STR(".")) && !str_contains(j->text, STR("e")) &&
	    !str_contains(j->text, STR("E")))
		textbuf_add(b, j->text);
	else if (json_f64(j, &v))
		pyrepr_number(b, v);
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
		pyrepr_string(b, json_string(a, j->text));
		break;
	case JSON_NUMBER:
		add_number(b, j);
		break;
	default:
		textbuf_add(b, j->text);
	}
}

/* Items so far of every open container: they decide its commas, and "(3,)". */
struct counts {
	uint32_t *items, cap;
};

static void open_container(struct counts *c, uint32_t depth, struct arena *a)
{
	if (depth + 1 >= c->cap) {
		uint32_t cap = 2 * c->cap + 64, *more = NEW(a, cap, uint32_t);

		if (c->cap)
			memcpy(more, c->items, c->cap * sizeof(*more));
		*c = (struct counts){ more, cap };
	}
	c->items[depth] = 0;
}

static void close_container(struct textbuf *b, const struct json *j, const struct counts *c,
			    enum pyrepr_lists lists)
{
	if (j->text.p[0] != ']')
		textbuf_add(b, STR("}"));
	else if (lists == PYREPR_LISTS)
		textbuf_add(b, STR("]"));
	else
		textbuf_add(b, c->items[j->depth] == 1 ? STR(",)") : STR(")"));
}

const char *pyrepr(struct arena *a, struct str json, enum pyrepr_lists lists)
{
	struct arena scratch = { 0 };
	struct textbuf b = { .arena = &scratch };
	struct counts counts = { 0 };
	struct json j = json_open(json);

	while (json_next(&j)) {
		if (j.type == JSON_CLOSE) {
			close_container(&b, &j, &counts, lists);
			continue;
		}
		if (j.depth && counts.items[j.depth - 1]++)
			textbuf_add(&b, STR(", "));
		if (j.key.p) {
			pyrepr_string(&b, j.key);
			textbuf_add(&b, STR(": "));
		}
		if (j.type == JSON_OBJECT)
			textbuf_add(&b, STR("{"));
		else if (j.type == JSON_LIST)
			textbuf_add(&b, lists == PYREPR_LISTS ? STR("[") : STR("("));
		else
			add_scalar(&b, &j, &scratch);
		if (j.type == JSON_OBJECT || j.type == JSON_LIST)
			open_container(&counts, j.depth, &scratch);
	}
	const char *text = textbuf_keep(&b, a);
	arena_free(&scratch);
	return text;
}
