/*
 * decimal.h - numbers as decimal text, without printf, NUL-terminated.
 *
 * Every function returns the length of what it wrote into `to`, which has room for
 * DECIMAL_MAX bytes.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include "base/base.h"

#define DECIMAL_MAX 64

unsigned decimal_i64(char *to, int64_t v);
/* The fewest digits that read back as `v`, and always a point or an exponent; `v` is finite. */
unsigned decimal_f64(char *to, double v);
/* v / 10^decimals with thousands separators and, if `sign`, a plus: 1234567, 3 -> "1,234.567". */
unsigned decimal_fixed(char *to, int64_t v, unsigned decimals, bool sign);
/* num / den, rounded half away from zero; den > 0; exact where a product of both would not fit. */
int64_t decimal_divide(int64_t num, int64_t den);

#endif
