#include "base/base64.h"

#include <stdint.h>
#include <stdlib.h>

struct base64 {
	FILE *out;
	uint32_t bits; /* bytes that make no whole group yet */
	unsigned n;    /* how many of them */
};

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(struct base64 *b, unsigned ndigits)
{
	char group[4] = { '=', '=', '=', '=' };

	for (unsigned i = 0; i < ndigits; i++)
		group[i] = digits[b->bits >> (18 - 6 * i) & 63];
	fwrite(group, 1, sizeof(group), b->out);
	b->bits = b->n = 0;
}

static ssize_t base64_write(void *cookie, const char *bytes, size_t n)
{
	struct base64 *b = cookie;

	for (size_t i = 0; i < n; i++) {
		b->bits |= (uint32_t)(uint8_t)bytes[i] << (16 - 8 * b->n);
		if (++b->n == 3)
			put_group(b, 4);
	}
	return ferror(b->out) ? 0 : (ssize_t)n;
}

static int base64_close(void *cookie)
{
	struct base64 *b = cookie;

	if (b->n)
		put_group(b, b->n + 1);
	int bad = ferror(b->out);

	free(b);
	return bad ? EOF : 0;
}

FILE *base64_open(FILE *out)
{
	struct base64 *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	*b = (struct base64){ .out = out };
	FILE *file = fopencookie(
		b, "w", (cookie_io_functions_t){ .write = base64_write, .close = base64_close });

	if (!file)
		free(b);
	return file;
}
