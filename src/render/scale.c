#include "render/scale.h"

#include <math.h>
#include <string.h>

struct step {
	const char *unit;
	double raw; /* in one of it */
};

static const struct step times[] = { { "s", 1e9 }, { "ms", 1e6 }, { "µs", 1e3 } };
static const struct step sizes[] = {
	{ "TB", 1e12 }, { "GB", 1e9 }, { "MB", 1e6 }, { "kB", 1e3 }, { "B", 1 }
};

static struct scale pick(const struct step *steps, size_t n, double largest)
{
	size_t i = 0;

	while (i + 1 < n && largest < 10 * steps[i].raw)
		i++;
	struct scale s = { .unit = steps[i].unit, .per = (int64_t)steps[i].raw };
	if (s.per >= 1000) {
		s.per /= 1000;
		s.decimals = 3;
	}
	return s;
}

struct scale scale_for(const struct lp_column *c, double largest)
{
	struct scale s = { .unit = "", .per = 1 };

	switch (c->unit) {
	case LP_NSEC:
		s = pick(times, ARRAY_SIZE(times), largest);
		break;
	case LP_BYTES:
		s = pick(sizes, ARRAY_SIZE(sizes), largest);
		break;
	case LP_PERCENT:
		s.unit = "%";
		s.decimals = 1;
		break;
	case LP_PLAIN:
	case LP_COUNT:
		s.plain = c->unit == LP_PLAIN && c->type == LP_I64;
		s.decimals = c->type == LP_F64 ? 3 : 0;
		break;
	}
	s.sign = c->flags & LP_DELTA;
	return s;
}

bool scale_has_fractions(const struct lp_column *c, uint32_t nrows)
{
	for (uint32_t i = 0; i < nrows; i++)
		if (isfinite(c->data.f64[i]) && c->data.f64[i] != floor(c->data.f64[i]))
			return true;
	return false;
}

void scale_i64(char *to, const struct scale *s, int64_t v)
{
	if (s->plain)
		decimal_i64(to, v);
	else if (s->unit[0] == '%')
		scale_f64(to, s, (double)v);
	else
		decimal_fixed(to, decimal_divide(v, s->per), s->decimals, s->sign);
}

/* Beyond 64 bits of the last decimal there is nothing to align: as printf says. */
void scale_f64(char *to, const struct scale *s, double v)
{
	static const double tens[] = { 1, 10, 100, 1000 };
	bool raw = s->unit[0] && s->unit[0] != '%';
	double x = raw ? v / (double)s->per : v * tens[s->decimals];

	if (!isfinite(v))
		memcpy(to, "-", 2);
	else if (fabs(x) < 9e18)
		decimal_fixed(to, llround(x), s->decimals, s->sign);
	else
		snprintf(to, DECIMAL_MAX, "%.3e", v);
}
