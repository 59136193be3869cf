/*
 * A decimal is its digits d and a power of ten: d * 10^(3 + exponent - decimals) ns.
 * Nineteen digits always fit uint64; more than that only matter when they are to be
 * rounded off, and then only as zeros or not.
 */
#include "trace/number.h"

#define DIGITS_MAX 19

struct scaled {
	bool minus;
	uint64_t digits;
	int kept;      /* digits in `digits` */
	int64_t power; /* of ten */
	char next;     /* the first digit that did not fit, '0' if there is none */
};

static void digit(struct scaled *d, char c, bool after_point)
{
	if (d->kept < DIGITS_MAX) {
		d->digits = 10 * d->digits + (uint64_t)(c - '0');
		d->kept += d->digits > 0;
		d->power -= after_point;
	} else {
		if (d->kept == DIGITS_MAX)
			d->next = c;
		d->kept = DIGITS_MAX + 1;
		d->power += !after_point;
	}
}

static int64_t exponent(const char *p, const char *end)
{
	bool minus = p < end && *p == '-';
	int64_t v = 0;

	for (p += p < end && (*p == '-' || *p == '+'); p < end && v < 100000; p++)
		v = 10 * v + (*p - '0');
	return minus ? -v : v;
}

static struct scaled decimal(struct str text)
{
	const char *p = text.p, *end = text.p + text.n;
	struct scaled d = { .minus = p < end && *p == '-', .next = '0' };
	bool after_point = false;

	for (p += p < end && (*p == '-' || *p == '+'); p < end; p++) {
		if (*p == '.')
			after_point = true;
		else if (*p == 'e' || *p == 'E')
			break;
		else
			digit(&d, *p, after_point);
	}
	if (p < end)
		d.power += exponent(p + 1, end);
	return d;
}

/* digits * 10^power, half away from zero. */
static bool scale(struct scaled d, uint64_t *out)
{
	uint64_t v = d.digits;
	bool up = d.next >= '5';

	for (; d.power > 0 && v; d.power--, up = false) {
		/* A digit that did not fit cannot be made up for: so large a time overflows anyway.
		 */
		if (__builtin_mul_overflow(v, (uint64_t)10, &v))
			return false;
	}
	for (; d.power < 0 && (v || up); d.power++) {
		up = v % 10 >= 5;
		v /= 10;
	}
	*out = v + up;
	return true;
}

bool number_ns(struct str text, nsec *out)
{
	struct scaled d = decimal(text);
	uint64_t v;

	d.power += 3;
	if (!scale(d, &v) || v > INT64_MAX)
		return false;
	*out = d.minus ? -(nsec)v : (nsec)v;
	return true;
}

bool number_i64(struct str text, int64_t *out)
{
	return str_i64(text, out);
}
