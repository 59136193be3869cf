/*
 * number.h - numbers of a trace from their decimal text, exactly.
 *
 * Times are microseconds with any number of decimals and perhaps an exponent; they
 * become whole nanoseconds, rounded half away from zero. No double is ever involved.
 */
#ifndef TRACE_NUMBER_H
#define TRACE_NUMBER_H

#include "base/base.h"
#include "base/str.h"

/* Text of a number (json_word) in us, as ns; false if it does not fit. */
bool number_ns(struct str text, nsec *out);
/* Text of a number that is an integer without exponent and fits int64. */
bool number_i64(struct str text, int64_t *out);

#endif
