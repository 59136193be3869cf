/*
 * The index with AVX-512: 64 bytes at once; comparisons give the bit masks, and VBMI2
 * writes the positions of the bits by compressing 0 .. 63.
 */
#if defined(__x86_64__)

#include "base/simd_block.h"
#include "base/simd_levels.h"

#include <immintrin.h>

#define TARGET                                                                             \
	__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi," \
			      "bmi2,pclmul,popcnt,lzcnt")))

TARGET static inline uint64_t equal64(__m512i v, char c)
{
	return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c));
}

TARGET static inline uint64_t parity(uint64_t x)
{
	__m128i ones = _mm_set1_epi8((char)0xff);
	__m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)x), ones, 0);

	return (uint64_t)_mm_cvtsi128_si64(product);
}

TARGET static inline uint64_t structure(const char *p, struct simd_carry *c)
{
	__m512i v = _mm512_loadu_si512(p);
	uint64_t escaped = simd_escaped(c, equal64(v, '\\'));
	uint64_t quote = equal64(v, '"') & ~escaped;
	uint64_t inside = parity(quote) ^ c->in_string;

	c->in_string = (uint64_t)((int64_t)inside >> 63);
	v = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
	uint64_t bracket = equal64(v, '{') | equal64(v, '}');
	return quote | (bracket & ~inside);
}

/* The next 16 of the compressed positions, widened. */
TARGET static inline void put16(uint32_t *out, __m128i positions, __m512i base)
{
	_mm512_storeu_si512(out, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(positions)));
}

TARGET static inline uint32_t *emit(uint32_t *out, uint64_t x, uint32_t at)
{
	const __m512i places = _mm512_set_epi8(
		63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
		42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22,
		21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	__m512i set = _mm512_maskz_compress_epi8(x, places);
	__m512i base = _mm512_set1_epi32((int)at);
	uint32_t n = (uint32_t)__builtin_popcountll(x);

	put16(out, _mm512_castsi512_si128(set), base);
	if (n > 16) {
		put16(out + 16, _mm512_extracti32x4_epi32(set, 1), base);
		if (n > 32) {
			put16(out + 32, _mm512_extracti32x4_epi32(set, 2), base);
			put16(out + 48, _mm512_extracti32x4_epi32(set, 3), base);
		}
	}
	return out + n;
}

TARGET uint32_t simd_index_avx512(const char *p, uint32_t n, uint32_t *ix)
{
	struct simd_carry c = { 0 };
	uint32_t *out = ix;

	for (uint32_t i = 0; i < n; i += 64)
		out = emit(out, simd_first(structure(p + i, &c), n - i), i);
	return (uint32_t)(out - ix);
}

#else
typedef int simd_avx512_is_for_x86_64;
#endif
