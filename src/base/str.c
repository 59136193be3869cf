#include "base/str.h"

#include <locale.h>
#include <stdlib.h>

int str_cmp(struct str a, struct str b)
{
	size_t n = MIN_OF(a.n, b.n);
	int c = n ? memcmp(a.p, b.p, n) : 0; /* nothing may be NULL */

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool str_contains(struct str s, struct str what)
{
	return memmem(s.p, s.n, what.p, what.n) != NULL;
}

static unsigned char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : (unsigned char)c;
}

bool str_contains_nocase(struct str s, struct str what)
{
	for (size_t i = 0; i + what.n <= s.n; i++) {
		size_t k = 0;

		while (k < what.n && lower(s.p[i + k]) == lower(what.p[k]))
			k++;
		if (k == what.n)
			return true;
	}
	return false;
}

bool str_i64(struct str s, int64_t *out)
{
	bool minus = s.n && s.p[0] == '-';
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	int64_t v = 0;

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		int digit = s.p[i] - '0';

		if (digit < 0 || digit > 9 || __builtin_mul_overflow(v, (int64_t)10, &v) ||
		    __builtin_sub_overflow(v, (int64_t)digit, &v))
			return false; /* summed below zero, where INT64_MIN fits */
	}
	if (!minus && v == INT64_MIN)
		return false;
	*out = minus ? v : -v;
	return true;
}

static size_t count_digits(struct str s, size_t from)
{
	size_t i = from;

	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i - from;
}

/* [sign] digits [. digits] [e [sign] digits], with a digit beside the point at least. */
static bool is_decimal(struct str s)
{
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	size_t digits = count_digits(s, i);

	i += digits;
	if (i < s.n && s.p[i] == '.') {
		size_t more = count_digits(s, ++i);
		digits += more;
		i += more;
	}
	if (digits && i < s.n && (s.p[i] | 0x20) == 'e') {
		i++;
		i += i < s.n && (s.p[i] == '-' || s.p[i] == '+');
		digits = count_digits(s, i);
		i += digits;
	}
	return digits && i == s.n;
}

bool str_f64(struct str s, double *out)
{
	char text[400];

	if (s.n >= sizeof(text) || !is_decimal(s))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	/* strtod() wants the point of the locale. */
	char *point = strchr(text, '.');
	if (point)
		*point = *localeconv()->decimal_point;
	*out = strtod(text, NULL);
	return true;
}
