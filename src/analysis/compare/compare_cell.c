#include "analysis/compare/compare_cell.h"

#include <math.h>

#define MAX_WHOLE (INT64_C(1) << 53)

static bool is_one_of(struct str s, const char *const *words)
{
	for (; *words; words++)
		if (s.n == strlen(*words) && str_contains_nocase(s, str_of(*words)))
			return true;
	return false;
}

static struct str trimmed(struct str s)
{
	while (s.n && (*s.p == ' ' || *s.p == '\t'))
		s = (struct str){ s.p + 1, s.n - 1 };
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

enum compare_cell compare_cell(const char *text, double *out)
{
	static const char *const none[] = { "nan", "none", "<na>", NULL };
	static const char *const endless[] = { "inf", "infinity", NULL };
	struct str s = trimmed(str_of(text ? text : ""));
	int64_t whole;

	*out = NAN;
	if (!s.n)
		return CELL_NONE;
	if (str_i64(s, &whole) && whole <= MAX_WHOLE && whole >= -MAX_WHOLE) {
		*out = (double)whole;
		return CELL_WHOLE;
	}
	if (str_f64(s, out))
		return isfinite(*out) ? CELL_REAL : CELL_ENDLESS;
	bool sign = *s.p == '-' || *s.p == '+';
	struct str word = { s.p + sign, s.n - sign };
	if (is_one_of(word, none))
		return CELL_NONE;
	return is_one_of(word, endless) ? CELL_ENDLESS : CELL_WORDS;
}

static bool is_whole(double v)
{
	return v == trunc(v) && fabs(v) <= (double)MAX_WHOLE;
}

double compare_difference(double x, double y)
{
	double d = y - x;

	if (is_whole(x) && is_whole(y))
		return d;
	return fabs(d) <= 1e-15 * fmax(fabs(x), fabs(y)) ? 0 : d;
}
