/*
 * Digits are made from the back, two at a time. Doubles go through printf at 15, 16
 * and 17 significant digits until one reads back: 17 always does, and numbers that
 * were short in decimal are found at 15; whole numbers, the most frequent, skip all
 * that.
 */
#include "base/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233"
			    "34353637383940414243444546474849505152535455565758596061626364656667"
			    "6869707172737475767778798081828384858687888990919293949596979899";

/* The digits of v end just before `end`; returns where they start. */
static char *digits_before(char *end, uint64_t v)
{
	while (v >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (v >= 10) {
		end -= 2;
		memcpy(end, pairs + 2 * v, 2);
	} else {
		*--end = (char)('0' + v);
	}
	return end;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static unsigned count_digits(uint64_t v)
{
	static const uint64_t power[] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000U,
	};
	/* log10 from log2, at most one too small: 1233 / 4096 is log10(2) */
	unsigned n = (unsigned)(64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= power[n]);
}

unsigned decimal_i64(char *to, int64_t v)
{
	uint64_t m = magnitude(v);
	unsigned n = count_digits(m) + (v < 0);

	*to = '-';
	digits_before(to + n, m);
	to[n] = 0;
	return n;
}

unsigned decimal_f64(char *to, double v)
{
	if (v > -1e15 && v < 1e15 && v == (double)(int64_t)v && (v != 0 || !__builtin_signbit(v))) {
		unsigned n = decimal_i64(to, (int64_t)v);
		memcpy(to + n, ".0", 3);
		return n + 2;
	}
	int n = snprintf(to, DECIMAL_MAX, "%.15g", v);
	for (int digits = 16; digits <= 17 && strtod(to, NULL) != v; digits++)
		n = snprintf(to, DECIMAL_MAX, "%.*g", digits, v);
	if (!strpbrk(to, ".e")) {
		memcpy(to + n, ".0", 3);
		n += 2;
	}
	return (unsigned)n;
}

unsigned decimal_fixed(char *to, int64_t v, unsigned decimals, bool sign)
{
	char raw[32], *end = raw + sizeof(raw), *p = digits_before(end, magnitude(v));
	char *at = to;

	while ((size_t)(end - p) <= decimals)
		*--p = '0';
	if (v < 0 || (sign && v > 0))
		*at++ = v < 0 ? '-' : '+';
	for (size_t left = (size_t)(end - p) - decimals; left; left--) {
		*at++ = *p++;
		if (left > 1 && left % 3 == 1)
			*at++ = ',';
	}
	if (decimals) {
		*at++ = '.';
		memcpy(at, p, decimals);
		at += decimals;
	}
	*at = 0;
	return (unsigned)(at - to);
}

int64_t decimal_divide(int64_t num, int64_t den)
{
	int64_t q = num / den, rest = num % den;

	if (rest >= den - rest)
		return q + 1;
	if (-rest >= den + rest)
		return q - 1;
	return q;
}
