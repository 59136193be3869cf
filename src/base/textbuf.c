/* One run of bytes; every way of adding to it ends in room(). */
#include "base/textbuf.h"

#include <stdio.h>

static char *room(struct textbuf *b, size_t n)
{
	if (b->cap - b->n < n) {
		size_t cap = MAX_OF(2 * b->cap, b->n + n + 256);
		char *p = arena_alloc(b->arena, cap);

		if (b->n)
			memcpy(p, b->p, b->n);
		b->p = p;
		b->cap = cap;
	}
	return b->p + b->n;
}

void textbuf_add(struct textbuf *b, struct str s)
{
	if (!s.n)
		return;
	memcpy(room(b, s.n), s.p, s.n);
	b->n += s.n;
}

void textbuf_print(struct textbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *to = room(b, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(to, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void textbuf_json(struct textbuf *b, struct str s)
{
	size_t done = 0;

	textbuf_add(b, STR("\""));
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		textbuf_add(b, (struct str){ s.p + done, i - done });
		if (c < 0x20)
			textbuf_print(b, "\\u%04x", c);
		else
			textbuf_print(b, "\\%c", c);
		done = i + 1;
	}
	textbuf_add(b, (struct str){ s.p + done, s.n - done });
	textbuf_add(b, STR("\""));
}

const char *textbuf_keep(struct textbuf *b, struct arena *a)
{
	const char *text = arena_text(a, b->n ? b->p : "", b->n);

	b->n = 0;
	return text;
}
