#include "scribe.h"

#include <stdlib.h>

#define BUFFER ((size_t)1 << 20)

void scribe_open(struct scribe *t, struct gzout *out)
{
	*t = (struct scribe){ .out = out, .at = malloc(BUFFER) };
	if (!t->at)
		abort();
}

static void flush(struct scribe *t)
{
	gzout_write(t->out, t->at, t->n);
	t->size += t->n;
	t->n = 0;
}

void scribe_room(struct scribe *t)
{
	if (t->n > BUFFER - SCRIBE_ROOM)
		flush(t);
}

void scribe_close(struct scribe *t)
{
	flush(t);
	free(t->at);
}

static const char pairs[] = "0001020304050607080910111213141516171819"
			    "2021222324252627282930313233343536373839"
			    "4041424344454647484950515253545556575859"
			    "6061626364656667686970717273747576777879"
			    "8081828384858687888990919293949596979899";

void scribe_u64(struct scribe *t, uint64_t x)
{
	char digits[20], *p = digits + sizeof(digits);

	for (; x >= 100; x /= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (x % 100), 2);
	}
	if (x >= 10) {
		p -= 2;
		memcpy(p, pairs + 2 * x, 2);
	} else {
		*--p = (char)('0' + x);
	}
	scribe_put(t, p, (size_t)(digits + sizeof(digits) - p));
}

void scribe_us(struct scribe *t, nsec time)
{
	unsigned ns = (unsigned)(time % 1000);
	char *p;

	scribe_u64(t, (uint64_t)(time / 1000));
	p = t->at + t->n;
	p[0] = '.';
	p[1] = (char)('0' + ns / 100);
	memcpy(p + 2, pairs + 2 * (ns % 100), 2);
	t->n += 4;
}

void scribe_name(struct scribe *t, const char *format, unsigned number)
{
	const char *at = strstr(format, "%u");

	if (!at) {
		scribe_str(t, format);
		return;
	}
	scribe_put(t, format, (size_t)(at - format));
	scribe_u64(t, number);
	scribe_str(t, at + 2);
}
