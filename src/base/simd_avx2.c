/* The index with AVX2: two vectors of 32 bytes; string parity by carry-less multiplication. */
#if defined(__x86_64__)

#include "base/simd_block.h"
#include "base/simd_levels.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,pclmul,popcnt,lzcnt")))

/* Bit i: is byte i of the 64 equal to c? */
TARGET static inline uint64_t equal64(__m256i low, __m256i high, char c)
{
	__m256i all = _mm256_set1_epi8(c);
	uint32_t l = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all));
	uint32_t h = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all));

	return l | (uint64_t)h << 32;
}

TARGET static inline uint64_t parity(uint64_t x)
{
	__m128i ones = _mm_set1_epi8((char)0xff);
	__m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)x), ones, 0);

	return (uint64_t)_mm_cvtsi128_si64(product);
}

TARGET static inline uint64_t structure(const char *p, struct simd_carry *c)
{
	const __m256i case_bit = _mm256_set1_epi8(0x20);
	__m256i low = _mm256_loadu_si256((const __m256i *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(p + 32));
	uint64_t escaped = simd_escaped(c, equal64(low, high, '\\'));
	uint64_t quote = equal64(low, high, '"') & ~escaped;
	uint64_t inside = parity(quote) ^ c->in_string;

	c->in_string = (uint64_t)((int64_t)inside >> 63);
	/* '[' and '{', ']' and '}' differ in one bit. */
	low = _mm256_or_si256(low, case_bit);
	high = _mm256_or_si256(high, case_bit);
	uint64_t bracket = equal64(low, high, '{') | equal64(low, high, '}');
	return quote | (bracket & ~inside);
}

TARGET uint32_t simd_index_avx2(const char *p, uint32_t n, uint32_t *ix)
{
	struct simd_carry c = { 0 };
	uint32_t *out = ix;

	for (uint32_t i = 0; i < n; i += 64) {
		uint64_t x = simd_first(structure(p + i, &c), n - i);
		uint32_t k = (uint32_t)__builtin_popcountll(x);

		for (uint32_t done = 0; done < k; done += 8)
			for (uint32_t j = done; j < done + 8; j++, x = _blsr_u64(x))
				out[j] = i + (uint32_t)_tzcnt_u64(x);
		out += k;
	}
	return (uint32_t)(out - ix);
}

#else
typedef int simd_avx2_is_for_x86_64;
#endif
