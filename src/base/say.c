/* Times are cut into whole units and thousandths as integers, so no digit is a rounding of two. */
#include "base/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct scale {
	uint64_t size;
	const char *unit;
};

static uint64_t magnitude(int64_t n)
{
	return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

/* The digits of n, in groups of three; returns the start within buf, which is filled from its end.
 */
static char *grouped(char *end, uint64_t n, bool minus)
{
	int digits = 0;

	*--end = 0;
	do {
		if (digits && digits % 3 == 0)
			*--end = ',';
		*--end = (char)('0' + n % 10);
		n /= 10;
		digits++;
	} while (n);
	if (minus)
		*--end = '-';
	return end;
}

const char *say_count(struct arena *a, int64_t n)
{
	char buf[32];

	return arena_print(a, "%s", grouped(buf + sizeof(buf), magnitude(n), n < 0));
}

/* n in thousandths of `s`, rounded to the nearest. */
static const char *scaled(struct arena *a, int64_t n, struct scale s)
{
	char buf[32];
	uint64_t m = magnitude(n), whole = m / s.size;
	uint64_t milli = (uint64_t)(((__uint128_t)(m % s.size) * 1000 + s.size / 2) / s.size);

	whole += milli / 1000;
	return arena_print(a, "%s.%03" PRIu64 " %s", grouped(buf + sizeof(buf), whole, n < 0),
			   milli % 1000, s.unit);
}

static const char *scaled_by(struct arena *a, int64_t n, const struct scale *s, size_t scales,
			     const char *smallest)
{
	for (size_t i = 0; i < scales; i++)
		if (magnitude(n) >= s[i].size)
			return scaled(a, n, s[i]);
	return arena_print(a, "%" PRId64 " %s", n, smallest);
}

const char *say_time(struct arena *a, nsec t)
{
	static const struct scale s[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "µs" } };

	return scaled_by(a, t, s, ARRAY_SIZE(s), "ns");
}

const char *say_bytes(struct arena *a, int64_t n)
{
	static const struct scale s[] = {
		{ (uint64_t)1 << 40, "TiB" },
		{ 1 << 30, "GiB" },
		{ 1 << 20, "MiB" },
		{ 1 << 10, "KiB" },
	};

	return scaled_by(a, n, s, ARRAY_SIZE(s), "bytes");
}

const char *say_percent(struct arena *a, int64_t part, int64_t whole)
{
	if (!whole)
		return "n/a";
	return arena_print(a, "%.1f %%", 100.0 * (double)part / (double)whole);
}

const char *say_many(struct arena *a, int64_t n, const char *one, const char *more)
{
	return arena_print(a, "%s %s", say_count(a, n), n == 1 ? one : more);
}

const char *say_dims(struct arena *a, const char *text)
{
	char *out = arena_alloc(a, 2 * strlen(text) + 1), *end = out; /* "," can become "  " */
	unsigned depth = 0;
	bool gap = false;

	for (const char *p = text; *p; p++) {
		if (*p == '[' || *p == ']' || *p == '(' || *p == ')') {
			depth += *p == '[' || *p == '(' ? 1 : -1u;
			gap = end > out;
		} else if (*p == ',' || *p == ' ') {
			gap |= depth < 2 && end > out;
			if (*p == ',' && depth >= 2 && p[1] != ')') /* (16,) is a list of one */
				*end++ = ',';
		} else {
			if (gap)
				end = stpcpy(end, "  ");
			gap = false;
			*end++ = *p;
		}
	}
	return out;
}

const char *say_path(struct arena *a, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./,:+=@%^";

	if (*path && path[strspn(path, plain)] == 0)
		return path;
	char *quoted = arena_alloc(a, 4 * strlen(path) + 3), *end = quoted;
	*end++ = '\'';
	for (; *path; path++)
		end = *path == '\'' ? stpcpy(end, "'\\''") : (*end = *path, end + 1);
	*end = '\'';
	return quoted;
}
