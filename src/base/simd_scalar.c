/* The index without special instructions: 8 bytes at a time in a 64-bit word. */
#include "base/simd_block.h"
#include "base/simd_levels.h"

#include <string.h>

#define BYTES(c) (0x0101010101010101ull * (uint64_t)(c))

/* Bit i: is byte i of w equal to c? */
static inline uint64_t equal8(uint64_t w, unsigned char c)
{
	uint64_t x = w ^ BYTES(c);
	uint64_t high = ~(((x & BYTES(0x7f)) + BYTES(0x7f)) | x) & BYTES(0x80);

	/* The eight high bits, gathered at the top. */
	return (high >> 7) * 0x0102040810204080ull >> 56;
}

static inline uint64_t load8(const char *p)
{
	uint64_t w;

	memcpy(&w, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

uint32_t simd_index_scalar(const char *p, uint32_t n, uint32_t *ix)
{
	struct simd_carry c = { 0 };
	uint32_t *out = ix;

	for (uint32_t i = 0; i < n; i += 64) {
		uint64_t backslash = 0, quote = 0, bracket = 0;

		for (uint32_t k = 0; k < 8; k++) {
			uint64_t w = load8(p + i + 8 * k), lower = w | BYTES(0x20);

			backslash |= equal8(w, '\\') << 8 * k;
			quote |= equal8(w, '"') << 8 * k;
			bracket |= (equal8(lower, '{') | equal8(lower, '}')) << 8 * k;
		}
		quote &= ~simd_escaped(&c, backslash);
		uint64_t inside = simd_parity(quote) ^ c.in_string;

		c.in_string = (uint64_t)((int64_t)inside >> 63);
		out = simd_emit(out, simd_first(quote | (bracket & ~inside), n - i), i);
	}
	return (uint32_t)(out - ix);
}
