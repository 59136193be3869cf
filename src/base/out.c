#include "base/out.h"
#include "base/decimal.h"

#include <stdarg.h>

void out_flush(struct out *o)
{
	if (o->n)
		fwrite(o->buf, 1, o->n, o->file);
	o->n = 0;
}

void out_bytes(struct out *o, const char *p, size_t n)
{
	if (n > sizeof(o->buf) - o->n)
		out_flush(o);
	if (n > sizeof(o->buf)) {
		fwrite(p, 1, n, o->file);
		return;
	}
	if (n)
		memcpy(o->buf + o->n, p, n);
	o->n += n;
}

void out_text(struct out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

void out_print(struct out *o, const char *fmt, ...)
{
	va_list ap;

	out_flush(o);
	va_start(ap, fmt);
	vfprintf(o->file, fmt, ap);
	va_end(ap);
}

static char *room(struct out *o)
{
	if (sizeof(o->buf) - o->n < DECIMAL_MAX)
		out_flush(o);
	return o->buf + o->n;
}

void out_i64(struct out *o, int64_t v)
{
	char *to = room(o);

	o->n += decimal_i64(to, v);
}

void out_f64(struct out *o, double v)
{
	char *to = room(o);

	o->n += decimal_f64(to, v);
}

void out_fill(struct out *o, char c, size_t n)
{
	while (n--)
		out_char(o, c);
}
