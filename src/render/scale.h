/*
 * scale.h - numbers for people: one unit per column, chosen by its largest value.
 *
 * The unit is the largest in which the largest value is at least 10 (so 1,078.288 ms,
 * but 31.198 s), never below µs for times and B for sizes; three decimals, so that
 * µs show every nanosecond and points align.
 */
#ifndef RENDER_SCALE_H
#define RENDER_SCALE_H

#include "base/base.h"
#include "base/decimal.h"
#include "longpole.h"

struct scale {
	const char *unit; /* "ms", "%", or "" */
	int64_t per;      /* raw units in one shown unit of the last decimal */
	unsigned decimals;
	bool plain; /* without thousands separators */
	bool sign;  /* always */
};

struct scale scale_for(const struct lp_column *c, double largest);
/* Whether fractions occur among `n` rows of a column of doubles without a unit. */
bool scale_has_fractions(const struct lp_column *c, uint32_t nrows);
/* Both write at most DECIMAL_MAX bytes; NaN gives "-". */
void scale_i64(char *to, const struct scale *s, int64_t v);
void scale_f64(char *to, const struct scale *s, double v);

#endif
