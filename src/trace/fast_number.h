/*
 * fast_number.h - plain decimal numbers, eight digits at a time.
 *
 * Plain: a sign perhaps, digits, a fraction perhaps; no more than 18 digits in all, no
 * exponent, no needless zero in front. All else is left to number.h.
 */
#ifndef TRACE_FAST_NUMBER_H
#define TRACE_FAST_NUMBER_H

#include "base/base.h"

#include <string.h>

struct fast_number {
	uint64_t digits; /* all of them, without the point */
	uint32_t decimals;
	bool minus, fraction;
};

/*
 * How many of the eight bytes at p are digits before the first that is none, and their
 * value. A byte is a digit if neither adding 0x46 nor taking 0x30 away sets its high bit.
 */
static inline uint32_t fast_digits8(const char *p, uint64_t *value)
{
	uint64_t w;

	memcpy(&w, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	uint64_t v = w - 0x3030303030303030;
	uint64_t other = ((w + 0x4646464646464646) | v) & 0x8080808080808080;
	uint32_t n = other ? (uint32_t)__builtin_ctzll(other) / 8 : 8;

	if (!n)
		return 0;
	v <<= 8 * (8 - n); /* as if zeros stood before them */
	v = v * 10 + (v >> 8);
	*value = ((v & 0x000000ff000000ff) * 0x000f424000000064 +
		  (v >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
		 32;
	return n;
}

static const uint64_t fast_power10[] = { 1,      10,      100,      1000,     10000,
					 100000, 1000000, 10000000, 100000000 };

/* Reads digits on from p; their number is added to *n. NULL if there are too many. */
static inline const char *fast_digits(const char *p, uint64_t *v, uint32_t *n)
{
	uint64_t part;
	uint32_t k;

	do {
		k = fast_digits8(p, &part);
		if (!k)
			break;
		*n += k;
		if (*n > 18)
			return NULL;
		*v = *v * fast_power10[k] + part;
		p += k;
	} while (k == 8);
	return p;
}

/* Behind the number at p; NULL if it is not a plain one. Reads up to 32 bytes behind it. */
static inline const char *fast_number(const char *p, struct fast_number *out)
{
	uint64_t v = 0;
	uint32_t n = 0, whole;

	out->minus = *p == '-';
	p += out->minus;
	const char *q = fast_digits(p, &v, &n);
	if (!q || !n || (*p == '0' && n > 1))
		return NULL;
	whole = n;
	out->fraction = *q == '.';
	if (out->fraction) {
		q = fast_digits(q + 1, &v, &n);
		if (!q || n == whole)
			return NULL;
	}
	out->digits = v;
	out->decimals = n - whole;
	return *q == 'e' || *q == 'E' ? NULL : q;
}

#endif
