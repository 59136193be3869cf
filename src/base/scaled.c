/*
 * Digits are gathered into one integer while they fit; the point and the exponent
 * only move `places`. Fraction digits that no longer fit carry less than 1e-18 of
 * the value and are dropped.
 */
#include "base/scaled.h"

#define DIGITS_MAX 18

int64_t scaled_power(unsigned n)
{
	static const int64_t power[DIGITS_MAX + 1] = {
		1LL,
		10LL,
		100LL,
		1000LL,
		10000LL,
		100000LL,
		1000000LL,
		10000000LL,
		100000000LL,
		1000000000LL,
		10000000000LL,
		100000000000LL,
		1000000000000LL,
		10000000000000LL,
		100000000000000LL,
		1000000000000000LL,
		10000000000000000LL,
		100000000000000000LL,
		1000000000000000000LL,
	};

	return power[n];
}

struct digits {
	uint64_t value;
	int places; /* of the point, counted from the right; may be negative */
	unsigned n; /* digits that count: leading zeros do not */
	bool any;   /* there was a digit at all */
	bool dropped_integer;
};

static const char *take_digits(const char *p, const char *end, bool fraction, struct digits *d)
{
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		d->any = true;
		if (d->n >= DIGITS_MAX) {
			d->dropped_integer |= !fraction;
			continue;
		}
		d->value = d->value * 10 + (uint64_t)(*p - '0');
		d->n += d->value != 0;
		d->places += fraction;
	}
	return p;
}

static const char *take_exponent(const char *p, const char *end, struct digits *d)
{
	bool minus = false;
	int e = 0;

	if (p == end || (*p != 'e' && *p != 'E'))
		return p;
	if (++p < end && (*p == '+' || *p == '-'))
		minus = *p++ == '-';
	if (p == end)
		return NULL;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (e < 1000)
			e = e * 10 + (*p - '0');
	d->places += minus ? e : -e;
	return p;
}

static bool finish(struct digits d, bool minus, struct scaled *out)
{
	int64_t m = (int64_t)d.value;

	for (; m && d.places > 0 && m % 10 == 0; d.places--)
		m /= 10;
	for (; d.places > DIGITS_MAX; d.places--)
		m /= 10;
	for (; m && d.places < 0; d.places++)
		if (__builtin_mul_overflow(m, 10, &m))
			return false;
	out->mantissa = minus ? -m : m;
	out->places = m ? (unsigned)d.places : 0;
	return true;
}

bool scaled_parse(struct str s, struct scaled *out)
{
	const char *p = s.p, *end = s.p + s.n;
	struct digits d = { 0 };
	bool minus = p < end && *p == '-';

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	p = take_digits(p, end, false, &d);
	if (p < end && *p == '.')
		p = take_digits(p + 1, end, true, &d);
	if (!d.any || d.dropped_integer)
		return false;
	p = take_exponent(p, end, &d);
	return p == end && finish(d, minus, out);
}

bool scaled_round(struct scaled d, unsigned places, int64_t *out)
{
	if (d.places <= places)
		return !__builtin_mul_overflow(
			d.mantissa, scaled_power(MIN_OF(places - d.places, DIGITS_MAX)), out);

	int64_t by = scaled_power(d.places - places), rest = d.mantissa % by;

	*out = d.mantissa / by;
	if (rest >= by - by / 2)
		(*out)++;
	else if (-rest >= by - by / 2)
		(*out)--;
	return true;
}
