/* str.h - a run of bytes that somebody else owns; not NUL-terminated, not always UTF-8. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/base.h"

#include <string.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })
#define STR_ARGS(s)  (int)(s).n, (s).p /* printf("%.*s", STR_ARGS(s)) */

static inline struct str str_of(const char *z)
{
	return (struct str){ z, strlen(z) };
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static inline bool str_starts(struct str s, struct str with)
{
	return s.n >= with.n && !memcmp(s.p, with.p, with.n);
}

static inline bool str_ends(struct str s, struct str with)
{
	return s.n >= with.n && !memcmp(s.p + s.n - with.n, with.p, with.n);
}

/* Bytewise order, shorter first among equals: the one order of names in all outputs. */
int str_cmp(struct str a, struct str b);
bool str_contains(struct str s, struct str what);
/* ASCII letters compare without case. */
bool str_contains_nocase(struct str s, struct str what);
/* The whole of `s` as a decimal integer (a sign may lead) that fits. */
bool str_i64(struct str s, int64_t *out);
/* The whole of `s` as a decimal number, with a point and an exponent or not, whatever the locale.
 */
bool str_f64(struct str s, double *out);

#endif
