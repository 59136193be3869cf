/*
 * Arrays of numbers at memory speed. The commas of 64 bytes are found at once; a number is
 * the eight bytes before its comma, those that are not its own cleared, and its value is
 * arithmetic on the whole word:
 *
 *	"...,48213,"  ->  48213  ->  (4*10+8, 21, 3 ...) by three multiplications
 *
 * so numbers do not wait for one another. All that is not a plain integer followed by a
 * comma takes the slow way.
 */
#include "base/jstream.h"
#include "base/alloc.h"

#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LITTLE_ENDIAN_HOST (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define PLACES_MAX         9
#define COUNTS_MIN         ((size_t)1 << 24) /* so many different ones are always counted */

void jstream_push_id(struct jstream_ids *c, uint32_t v)
{
	if (c->n == c->cap)
		c->at = alloc_grown(c->at, &c->cap, sizeof(*c->at));
	c->at[c->n++] = v;
}

/* The value of up to eight digits, the last in the highest byte, zeros (not '0') before. */
static inline uint32_t value_of(uint64_t w)
{
	w = w * 10 + (w >> 8);
	return (uint32_t)(((w & 0x000000ff000000ff) * (100 + (1000000ULL << 32)) +
			   (w >> 16 & 0x000000ff000000ff) * (1 + (10000ULL << 32))) >>
			  32);
}

/* How many of the eight bytes at p, from the first, are digits; their value in *value. */
static inline unsigned eight_digits(const unsigned char *p, uint32_t *value)
{
	uint64_t w;

	memcpy(&w, p, 8);
	w ^= 0x3030303030303030;
	uint64_t other = ((w + 0x0606060606060606) | w) & 0xf0f0f0f0f0f0f0f0;
	unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;

	if (n)
		*value = value_of(w << 8 * (8 - n));
	return n;
}

#ifdef __SSE2__
/* Bits of the commas among 64 bytes, up to the first that is neither comma nor digit. */
static inline uint64_t commas(const unsigned char *p, bool *all)
{
	const __m128i comma = _mm_set1_epi8(','), zero = _mm_set1_epi8('0'),
		      nine = _mm_set1_epi8(9);
	uint64_t is_comma = 0, is_other = 0;

	for (int i = 0; i < 4; i++) {
		__m128i v = _mm_loadu_si128((const void *)(p + 16 * i));
		__m128i c = _mm_cmpeq_epi8(v, comma), d = _mm_sub_epi8(v, zero);
		__m128i fine = _mm_or_si128(c, _mm_cmpeq_epi8(_mm_min_epu8(d, nine), d));

		is_comma |= (uint64_t)(unsigned)_mm_movemask_epi8(c) << 16 * i;
		is_other |= (uint64_t)(~(unsigned)_mm_movemask_epi8(fine) & 0xffff) << 16 * i;
	}
	*all = !is_other;
	return is_other ? is_comma & ((is_other & -is_other) - 1) : is_comma;
}

/* The numbers of whole blocks; at least eight bytes of the window are before p. */
static const unsigned char *blocks_of_ids(const unsigned char *p, const unsigned char *end,
					  struct jstream_ids *out)
{
	uint32_t *to = out->at + out->n, *full = out->at + out->cap;
	bool plain = true;

	while (plain && end - p >= 64 && full - to >= 64) {
		uint64_t c = commas(p, &plain);
		unsigned start = 0;

		plain &= c != 0;
		for (; c; c &= c - 1) {
			unsigned at = (unsigned)__builtin_ctzll(c), n = at - start;
			uint64_t w;

			if (!n || n > 8) {
				plain = false;
				break;
			}
			memcpy(&w, p + at - 8, 8);
			*to++ = value_of((w ^ 0x3030303030303030) & ~0ULL << 8 * (8 - n));
			start = at + 1;
		}
		p += start;
	}
	out->n = (size_t)(to - out->at);
	return p;
}
#endif

/* Where the next number may stand: past the comma after the one before. */
static const unsigned char *first_of_run(const struct jstream *js)
{
	const unsigned char *p = js->w->buf + js->w->at;

	return *p == ',' ? p + 1 : p;
}

/* Plain integers below 1e7, each with its comma, as far as they and the room go. */
static const unsigned char *some_ids(const unsigned char *p, const unsigned char *end,
				     struct jstream_ids *out)
{
	uint32_t *to = out->at + out->n, *full = out->at + out->cap;

	while (end - p >= 8 && to < full) {
		uint32_t v = 0;
		unsigned n = eight_digits(p, &v);

		if (!n || n == 8 || p[n] != ',')
			break;
		*to++ = v;
		p += n + 1;
	}
	out->n = (size_t)(to - out->at);
	return p;
}

/* What fits into `out`, which has room. */
static void run_of_ids(struct jstream *js, struct jstream_ids *out)
{
	const unsigned char *p = first_of_run(js), *end = js->w->buf + js->w->end;

	if (LITTLE_ENDIAN_HOST) {
#ifdef __SSE2__
		if (p - js->w->buf >= 8)
			p = blocks_of_ids(p, end, out);
#endif
		p = some_ids(p, end, out);
	}
	js->w->at = (size_t)(p - js->w->buf);
}

/* One item of an array of numbers as text; {NULL, 0} for null. */
static bool number_text(struct jstream *js, struct str *s)
{
	*s = (struct str){ 0 };
	switch (jstream_peek(js)) {
	case JSTREAM_NULL:
		return jstream_skip(js);
	case JSTREAM_STRING:
		return jstream_string(js, s);
	case JSTREAM_NUMBER:
		return jstream_number(js, s);
	default:
		return jstream_fail(js, "expected a number in a list of numbers");
	}
}

bool jstream_scaled(struct jstream *js, struct scaled *out)
{
	struct scaled d;
	struct str s;

	if (jstream_peek(js) != JSTREAM_NUMBER) {
		jstream_skip(js);
		return false;
	}
	if (!jstream_number(js, &s))
		return false;
	if (!scaled_parse(s, &d))
		return jstream_fail(js, "a number too large for 64 bits");
	*out = d;
	return true;
}

static bool one_id(struct jstream *js, uint32_t *out)
{
	struct scaled d;
	struct str s;
	int64_t v = -1;

	if (!number_text(js, &s))
		return false;
	if (s.p && (!scaled_parse(s, &d) || !scaled_round(d, 0, &v) || v >= NONE))
		return jstream_fail(js, "expected an index below 4294967295");
	*out = v < 0 ? NONE : (uint32_t)v;
	return true;
}

bool jstream_one_id(struct jstream *js, struct jstream_ids *out)
{
	uint32_t v = NONE;

	if (!one_id(js, &v))
		return false;
	jstream_push_id(out, v);
	return true;
}

bool jstream_one_narrow(struct jstream *js, struct narrow *out)
{
	uint32_t v = NONE;

	if (!one_id(js, &v))
		return false;
	narrow_push(out, &v, 1, 1);
	return true;
}

bool jstream_ids(struct jstream *js, struct jstream_ids *out)
{
	if (!jstream_array(js))
		return false;
	for (;;) {
		if (out->cap - out->n < 64)
			out->at = alloc_grown(out->at, &out->cap, sizeof(*out->at));
		scroll_need(js->w, PADDING);
		run_of_ids(js, out);
		if (out->n == out->cap)
			continue;
		if (!jstream_item(js))
			return jstream_ok(js);
		if (!jstream_one_id(js, out))
			return false;
	}
}

/* Hands over the numbers of an array, some thousands at a time. */
static bool each_ids(struct jstream *js, void (*take)(void *to, const uint32_t *v, size_t n),
		     void *to)
{
	uint32_t room[4096];
	struct jstream_ids ids = { room, 0, ARRAY_SIZE(room) };

	if (!jstream_array(js))
		return false;
	for (;;) {
		if (ids.cap - ids.n < 64) {
			take(to, room, ids.n);
			ids.n = 0;
		}
		scroll_need(js->w, PADDING);
		run_of_ids(js, &ids);
		if (ids.n == ids.cap)
			continue;
		if (!jstream_item(js))
			break;
		if (!jstream_one_id(js, &ids))
			return false;
	}
	take(to, room, ids.n);
	return jstream_ok(js);
}

static void take_narrow(void *to, const uint32_t *v, size_t n)
{
	narrow_push(to, v, n, 1);
}

bool jstream_narrow(struct jstream *js, struct narrow *out)
{
	return each_ids(js, take_narrow, out);
}

/* Makes room for the counts below n; false if so many cannot be meant. */
static bool count_to(struct jstream_counts *c, size_t n)
{
	if (n > COUNTS_MIN && n / 8 > c->seen)
		return false;
	narrow_extend(&c->of, n);
	return true;
}

static void take_counts(void *to, const uint32_t *v, size_t n)
{
	struct jstream_counts *c = to;

	c->seen += n;
	for (size_t i = 0; i < n; i++) {
		uint32_t id = v[i];

		if (id < c->of.n || (id != NONE && count_to(c, (size_t)id + 1))) {
			if (UNLIKELY(!++((uint8_t *)c->of.at)[id]))
				jstream_push_id(&c->carry, id);
		} else {
			c->wild += id != NONE;
		}
	}
}

/* Bytes become numbers: those that are all ones are not meant aside, and carries count. */
static void add_carries(struct jstream_counts *c)
{
	struct narrow *of = &c->of;

	for (size_t i = 0, n = of->width == 1 ? of->n : 0; i < n && of->width == 1; i++)
		if (((uint8_t *)of->at)[i] == UINT8_MAX)
			narrow_set(of, i, UINT8_MAX);
	for (size_t i = 0; i < c->carry.n; i++)
		narrow_set(of, c->carry.at[i], narrow_get(of, c->carry.at[i]) + UINT8_MAX + 1);
	free(c->carry.at);
	c->carry = (struct jstream_ids){ 0 };
}

bool jstream_counts(struct jstream *js, struct jstream_counts *out)
{
	bool ok = each_ids(js, take_counts, out);

	add_carries(out);
	return ok;
}

void jstream_push_decimal(struct jstream_decimals *c, int64_t v)
{
	if (c->n == c->cap)
		c->at = alloc_grown(c->at, &c->cap, sizeof(*c->at));
	c->at[c->n++] = v;
}

static bool rescale(struct jstream_decimals *c, unsigned places)
{
	int64_t by = scaled_power(places - c->places);

	for (size_t i = 0; i < c->n; i++)
		if (__builtin_mul_overflow(c->at[i], by, &c->at[i]))
			return false;
	c->places = places;
	return true;
}

static bool one_decimal(struct jstream *js, struct jstream_decimals *out, bool fixed)
{
	struct scaled d = { 0 };
	struct str s;
	int64_t v;

	if (!number_text(js, &s))
		return false;
	if (s.p && !scaled_parse(s, &d))
		return jstream_fail(js, "expected a number that fits 64 bits");
	if (!fixed && d.places > out->places && !rescale(out, MIN_OF(d.places, PLACES_MAX)))
		return jstream_fail(js, "numbers too large for the digits of their fractions");
	if (!scaled_round(d, out->places, &v))
		return jstream_fail(js, "a number too large for 64 bits");
	jstream_push_decimal(out, v);
	return true;
}

bool jstream_one_decimal(struct jstream *js, struct jstream_decimals *out)
{
	return one_decimal(js, out, false);
}

bool jstream_one_fixed(struct jstream *js, struct jstream_decimals *out)
{
	return one_decimal(js, out, true);
}

/* Digits, at most one point, at most 17 digits in all: the value and its places. */
static inline const unsigned char *plain_decimal(const unsigned char *p, int64_t *value,
						 unsigned *places)
{
	const unsigned char *from = p, *point = NULL;
	int64_t v = 0;

	for (;; p++) {
		unsigned d = (unsigned)*p - '0';

		if (d < 10)
			v = v * 10 + d;
		else if (*p == '.' && !point)
			point = p;
		else
			break;
		if (p - from > 17)
			return NULL;
	}
	*value = v;
	*places = point ? (unsigned)(p - point) - 1 : 0;
	return p == from || *p != ',' ? NULL : p;
}

/* Plain decimals that need no rescaling and no rounding. */
static void run_of_decimals(struct jstream *js, struct jstream_decimals *out)
{
	const unsigned char *p = first_of_run(js), *end = js->w->buf + js->w->end;

	while (end - p >= 32) {
		unsigned places;
		int64_t v;
		const unsigned char *q = plain_decimal(p, &v, &places);

		if (!q || places > out->places ||
		    __builtin_mul_overflow(v, scaled_power(out->places - places), &v))
			break;
		jstream_push_decimal(out, v);
		p = q + 1;
	}
	js->w->at = (size_t)(p - js->w->buf);
}

static bool decimals(struct jstream *js, struct jstream_decimals *out, bool fixed)
{
	if (!jstream_array(js))
		return false;
	for (;;) {
		scroll_need(js->w, PADDING);
		run_of_decimals(js, out);
		if (!jstream_item(js))
			return jstream_ok(js);
		if (!one_decimal(js, out, fixed))
			return false;
	}
}

bool jstream_decimals(struct jstream *js, struct jstream_decimals *out)
{
	return decimals(js, out, false);
}

bool jstream_fixed(struct jstream *js, struct jstream_decimals *out)
{
	return decimals(js, out, true);
}
