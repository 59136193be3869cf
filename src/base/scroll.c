#include "base/scroll.h"
#include "base/alloc.h"

#include <stdlib.h>

/* Read in pieces of one size, for which there is room beside what is not consumed yet. */
#define PIECE  ((size_t)128 << 10)
#define WINDOW (PIECE + ((size_t)8 << 10))

static void resize(struct scroll *w, size_t cap)
{
	w->cap = cap;
	w->buf = alloc_checked(realloc(w->buf, cap + PADDING));
}

void scroll_open(struct scroll *w, struct input *in)
{
	*w = (struct scroll){ .in = in };
	resize(w, WINDOW);
	memset(w->buf, 0, PADDING);
}

void scroll_open_memory(struct scroll *w, const void *text, size_t n)
{
	*w = (struct scroll){ .ended = true, .end = n };
	resize(w, n);
	if (n)
		memcpy(w->buf, text, n);
	memset(w->buf + n, 0, PADDING);
}

void scroll_close(struct scroll *w)
{
	free(w->buf);
	*w = (struct scroll){ 0 };
}

void scroll_fill(struct scroll *w)
{
	if (w->ended)
		return;
	if (w->at) {
		memmove(w->buf, w->buf + w->at, w->end - w->at);
		w->base += w->at;
		w->end -= w->at;
		w->at = 0;
	}
	if (w->end == w->cap)
		resize(w, 2 * w->cap);
	size_t room = w->cap - w->end, want = room > PIECE ? room - room % PIECE : room;
	size_t got = input_read(w->in, w->buf + w->end, want);

	w->end += got;
	w->ended = got < want;
	memset(w->buf + w->end, 0, PADDING);
}

bool scroll_line(struct scroll *w, struct str *line)
{
	size_t seen = 0, n;

	for (;;) {
		const unsigned char *from = w->buf + w->at + seen;
		const unsigned char *lf = memchr(from, '\n', w->end - w->at - seen);

		if (lf || w->ended) {
			n = lf ? (size_t)(lf - (w->buf + w->at)) : w->end - w->at;
			break;
		}
		seen = w->end - w->at;
		scroll_fill(w);
	}
	if (w->at == w->end)
		return false;
	*line = (struct str){ (const char *)w->buf + w->at, n };
	w->at = MIN_OF(w->at + n + 1, w->end);
	if (n && line->p[n - 1] == '\r')
		line->n--;
	return true;
}

struct str scroll_rest(struct scroll *w)
{
	while (!w->ended)
		scroll_fill(w);
	struct str rest = { (const char *)w->buf + w->at, w->end - w->at };

	w->at = w->end;
	return rest;
}
