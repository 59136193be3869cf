/*
 * One pass over the bytes, field by field; a field is gathered in pieces, since it may lie
 * across the end of the window.
 *
 *	plain   a,b           ends at a comma or the end of the line
 *	quoted  "a ""b"", c"  ends at a quote that is not followed by another
 */
#include "workbook/workbook_csv.h"

#include "base/scroll.h"
#include "base/textbuf.h"

#include <inttypes.h>
#include <string.h>

struct csv {
	struct scroll w;
	struct textbuf field;
	uint64_t line; /* from 1 */
	const char *path;
	struct lp_error *err;
};

/* The next byte, or -1 at the end. */
static int peek(struct csv *c)
{
	scroll_need(&c->w, 1);
	return c->w.at < c->w.end ? c->w.buf[c->w.at] : -1;
}

static bool ends_plain(unsigned char byte)
{
	return byte == ',' || byte == '\n' || byte == '\r' || !byte;
}

static bool ends_quoted(unsigned char byte)
{
	return byte == '"' || byte == '\n' || !byte;
}

/* Adds what is visible up to a byte that `ends`; false: too much for a cell. */
static bool gather(struct csv *c, bool (*ends)(unsigned char))
{
	size_t from = c->w.at, to = from;

	while (to < c->w.end && !ends(c->w.buf[to]))
		to++;
	if (c->field.n + (to - from) > GRID_LONGEST)
		return error_set(c->err, "%s: line %" PRIu64 ": a cell of more than 16 MiB",
				 c->path, c->line);
	textbuf_add(&c->field, (struct str){ (const char *)c->w.buf + from, to - from });
	c->w.at = to;
	return true;
}

static void take(struct csv *c)
{
	textbuf_add(&c->field, (struct str){ (const char *)c->w.buf + c->w.at++, 1 });
}

/* After the opening quote, to behind the closing one. */
static bool read_quoted(struct csv *c)
{
	uint64_t opened = c->line;

	for (int byte; (byte = peek(c)) >= 0;) {
		if (byte == '"') {
			c->w.at++;
			if (peek(c) != '"')
				return true;
			take(c);
		} else if (byte == '\n') {
			c->line++;
			take(c);
		} else if (!byte) {
			return error_at(c->err, c->path, scroll_place(&c->w),
					"a zero byte: this is no CSV text");
		} else if (!gather(c, ends_quoted)) {
			return false;
		}
	}
	return error_set(c->err, "%s: line %" PRIu64 ": the quote that opens here is never closed",
			 c->path, opened);
}

/* Up to the comma or the end of the line. A CR that does not end a line is text. */
static bool read_field(struct csv *c)
{
	c->field.n = 0;
	if (peek(c) == '"') {
		c->w.at++;
		if (!read_quoted(c))
			return false;
	}
	for (int byte; (byte = peek(c)) >= 0 && byte != ',' && byte != '\n';) {
		if (!byte)
			return error_at(c->err, c->path, scroll_place(&c->w),
					"a zero byte: this is no CSV text");
		if (byte != '\r') {
			if (!gather(c, ends_plain))
				return false;
			continue;
		}
		scroll_need(&c->w, 2);
		if (c->w.end - c->w.at < 2 || c->w.buf[c->w.at + 1] == '\n')
			c->w.at++;
		else
			take(c);
	}
	return true;
}

static bool read_row(struct csv *c, struct grid_maker *m)
{
	grid_row(m);
	for (uint32_t col = 0;; col++) {
		if (!read_field(c))
			return false;
		if (!grid_put(m, col, (struct str){ c->field.p, c->field.n }))
			return error_set(c->err, "%s: line %" PRIu64 ": %s", c->path, c->line,
					 m->fault);
		int byte = peek(c);
		if (byte >= 0)
			c->w.at++;
		if (byte != ',') {
			c->line++;
			return true;
		}
	}
}

static void skip_mark(struct csv *c)
{
	scroll_need(&c->w, 3);
	if (c->w.end >= 3 && !memcmp(c->w.buf, "\xef\xbb\xbf", 3))
		c->w.at = 3;
}

static bool read_all(struct csv *c, struct grid_maker *m)
{
	skip_mark(c);
	while (peek(c) >= 0)
		if (!read_row(c, m))
			return false;
	struct input_state s = input_state(c->w.in);
	if (s.read_error)
		return error_set(c->err, "%s: cannot read: %s", c->path, strerror(s.read_error));
	if (s.truncated || s.bad_crc)
		return error_set(c->err, "%s: the gzip data %s", c->path,
				 s.truncated ? "ends too early" : "has a wrong checksum");
	return true;
}

bool workbook_csv(struct workbook *b, struct input *in, const char *path, const char *name,
		  struct lp_error *err)
{
	struct arena scratch = { 0 };
	struct csv c = { .field.arena = &scratch, .line = 1, .path = path, .err = err };
	struct grid_maker m = { .texts = &b->texts };

	scroll_open(&c.w, in);
	bool whole = read_all(&c, &m);
	scroll_close(&c.w);
	input_close(in);
	arena_free(&scratch);
	if (!whole)
		column_free(&m.cells);
	return whole && workbook_add(b, path, name, &m, err);
}
