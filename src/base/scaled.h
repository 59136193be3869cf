/*
 * scaled.h - a number as it is written, exactly: mantissa x 10^-places.
 *
 * Weights and times come as decimal text, and a double would lose them. Digits past
 * the eighteenth are dropped from a fraction and make an integer too large.
 */
#ifndef BASE_SCALED_H
#define BASE_SCALED_H

#include "base/str.h"

struct scaled {
	int64_t mantissa;
	unsigned places; /* digits after the point, trailing zeros off: 1.50 is 15, 1 */
};

/* The whole of `s` as a JSON number (a leading '+' or '.' passes); false if it is none or too
 * large. */
bool scaled_parse(struct str s, struct scaled *out);
/* The same value x 10^places, rounded to the nearest (half away from zero); false on overflow. */
bool scaled_round(struct scaled d, unsigned places, int64_t *out);
/* 10^n, n up to 18. */
int64_t scaled_power(unsigned n);

#endif
