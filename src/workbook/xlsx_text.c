#include "workbook/xlsx_text.h"

void xlsx_text_start(struct xlsx_text *t, const char *name)
{
	if (!strcmp(name, "rPh"))
		t->reading = true;
	else if (!strcmp(name, "t"))
		t->on = !t->reading;
}

void xlsx_text_end(struct xlsx_text *t, const char *name)
{
	if (!strcmp(name, "rPh"))
		t->reading = false;
	else if (!strcmp(name, "t"))
		t->on = false;
}

bool xlsx_text_add(struct xlsx_text *t, struct str piece)
{
	if (t->buf.n + piece.n > GRID_LONGEST)
		return false;
	textbuf_add(&t->buf, piece);
	return true;
}

/* ---- escapes ---- */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code of "_x005F_" at the head of `s`; 0 if there is none, or one that is no character. */
static unsigned escaped(struct str s)
{
	unsigned code = 0;

	if (s.n < 7 || s.p[0] != '_' || s.p[1] != 'x' || s.p[6] != '_')
		return 0;
	for (int i = 2; i < 6; i++) {
		if (digit_of(s.p[i]) < 0)
			return 0;
		code = code << 4 | (unsigned)digit_of(s.p[i]);
	}
	return code >= 0xd800 && code < 0xe000 ? 0 : code;
}

static size_t encode(char *to, unsigned code)
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = (char)(0xc0 | code >> 6);
		to[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	to[0] = (char)(0xe0 | code >> 12);
	to[1] = (char)(0x80 | (code >> 6 & 0x3f));
	to[2] = (char)(0x80 | (code & 0x3f));
	return 3;
}

/* In place: what an escape stands for is shorter than the escape. */
struct str xlsx_text_take(struct xlsx_text *t)
{
	struct str s = { t->buf.p, t->buf.n };
	size_t n = 0;

	t->buf.n = 0;
	for (size_t i = 0; i < s.n;) {
		unsigned code = escaped((struct str){ s.p + i, s.n - i });

		if (code) {
			n += encode(t->buf.p + n, code);
			i += 7;
		} else {
			t->buf.p[n++] = s.p[i++];
		}
	}
	return (struct str){ s.p, n };
}

/* ---- shared texts ---- */

struct reading {
	struct xlsx_text text;
	struct grid_texts *texts;
	struct xlsx_shared *out;
	const char *fault;
};

static void on_start(void *ctx, const char *name, const char **attributes)
{
	struct reading *r = ctx;

	xlsx_text_start(&r->text, name);
}

static void on_end(void *ctx, const char *name)
{
	struct reading *r = ctx;

	xlsx_text_end(&r->text, name);
	if (strcmp(name, "si") != 0)
		return;
	const char *kept = grid_text(r->texts, xlsx_text_take(&r->text));
	if (!kept || r->out->n >= GRID_CELLS) {
		r->fault = "more than 256 MiB of text";
		return;
	}
	column_reserve(&r->out->at, (r->out->n + 1) * sizeof(char *));
	((const char **)r->out->at.at)[r->out->n++] = kept;
}

static void on_text(void *ctx, struct str piece)
{
	struct reading *r = ctx;

	if (r->text.on && !xlsx_text_add(&r->text, piece))
		r->fault = "a text of more than 16 MiB";
}

bool xlsx_text_read_shared(struct xlsx_package *p, const char *part, struct grid_texts *texts,
			   struct xlsx_shared *out, struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct reading r = { .text.buf.arena = &scratch, .texts = texts, .out = out };
	struct xlsx_handlers h = { on_start, on_end, on_text, &r.fault };
	bool whole = xlsx_part_read(p, part, &h, &r, err);

	arena_free(&scratch);
	return whole;
}
