/*
 * jsonw.h - writing JSON: always valid, always UTF-8, one line per value.
 *
 * Strings come as raw bytes; what is not UTF-8 becomes U+FFFD. Numbers that JSON does
 * not know (NaN, infinities) become null.
 */
#ifndef BASE_JSONW_H
#define BASE_JSONW_H

#include "base/out.h"

void jsonw_str(struct out *o, struct str s);
/* NULL is null. */
void jsonw_text(struct out *o, const char *text);
void jsonw_f64(struct out *o, double v);

#endif
