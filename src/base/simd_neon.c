/* The index with NEON: four vectors of 16 bytes, their comparisons gathered to 64 bits. */
#if defined(__aarch64__) && !defined(__AARCH64EB__)

#include "base/simd_block.h"
#include "base/simd_levels.h"

#include <arm_neon.h>

/* Bit i: is byte i of the 64 equal to c? Pairwise sums bring 8 bytes of one bit each to one. */
static inline uint64_t equal64(const uint8x16_t v[4], uint8_t c)
{
	static const uint8_t bits[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128
	};
	uint8x16_t weight = vld1q_u8(bits), all = vdupq_n_u8(c);
	uint8x16_t a = vandq_u8(vceqq_u8(v[0], all), weight);
	uint8x16_t b = vandq_u8(vceqq_u8(v[1], all), weight);
	uint8x16_t d = vandq_u8(vceqq_u8(v[2], all), weight);
	uint8x16_t e = vandq_u8(vceqq_u8(v[3], all), weight);
	uint8x16_t sum = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(d, e));

	sum = vpaddq_u8(sum, sum);
	return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

static inline uint64_t structure(const char *p, struct simd_carry *c)
{
	uint8x16_t v[4], lower[4];

	for (int i = 0; i < 4; i++) {
		v[i] = vld1q_u8((const uint8_t *)p + 16 * i);
		lower[i] = vorrq_u8(v[i], vdupq_n_u8(0x20));
	}
	uint64_t escaped = simd_escaped(c, equal64(v, '\\'));
	uint64_t quote = equal64(v, '"') & ~escaped;
	uint64_t inside = simd_parity(quote) ^ c->in_string;

	c->in_string = (uint64_t)((int64_t)inside >> 63);
	uint64_t bracket = equal64(lower, '{') | equal64(lower, '}');
	return quote | (bracket & ~inside);
}

uint32_t simd_index_neon(const char *p, uint32_t n, uint32_t *ix)
{
	struct simd_carry c = { 0 };
	uint32_t *out = ix;

	for (uint32_t i = 0; i < n; i += 64)
		out = simd_emit(out, simd_first(structure(p + i, &c), n - i), i);
	return (uint32_t)(out - ix);
}

#else
typedef int simd_neon_is_for_aarch64;
#endif
