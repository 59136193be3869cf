#include "render/page.h"

#include "base/shortname.h"

void page_ink(struct page *p, enum ink ink)
{
	static const char *const codes[] = { "\x1b[0m",  "\x1b[1m",  "\x1b[2m",
					     "\x1b[31m", "\x1b[32m", "\x1b[33m" };

	if (p->color)
		out_text(p->out, codes[ink]);
}

/* Blanks within a line are kept as they are: "a  b" may be a small table. */
void page_wrap(struct page *p, const char *text, unsigned at, unsigned indent)
{
	struct arena_mark m = arena_mark(p->arena);
	const char *rest = utf8_safe(p->arena, str_of(text), p->reader);
	unsigned room = p->columns > indent + 8 ? p->columns - indent : 8;

	while (*rest) {
		size_t blanks = strspn(rest, " "), n = strcspn(rest + blanks, " ");
		const char *word = arena_text(p->arena, rest + blanks, n);

		if (utf8_columns(word) > room)
			word = shortname_cut(p->arena, word, room, p->reader);
		rest += blanks + n;
		if (at > indent && at + blanks + utf8_columns(word) > indent + room) {
			out_char(p->out, '\n');
			out_fill(p->out, ' ', indent);
			at = indent;
		}
		if (at <= indent)
			blanks = 0;
		out_fill(p->out, ' ', *word ? blanks : 0);
		out_text(p->out, word);
		at += (unsigned)blanks + utf8_columns(word);
	}
	arena_rewind(p->arena, m);
}

void page_line(struct page *p, enum ink ink, const char *first, const char *text)
{
	unsigned indent = (unsigned)strlen(first);

	page_ink(p, ink);
	out_text(p->out, first);
	page_wrap(p, text, indent, indent);
	page_ink(p, INK_NONE);
	out_char(p->out, '\n');
}
