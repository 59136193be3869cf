/* hash.h - hashes for tables in memory; never shown, never stored, never an order. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/base.h"

#include <string.h>

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__uint128_t m = (__uint128_t)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t hash_u64(uint64_t x)
{
	return hash_mix(x ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
}

/* Reads only p[0..n). */
static inline uint64_t hash_bytes(const char *p, size_t n)
{
	uint64_t h = 0x243f6a8885a308d3 ^ n, a = 0, b = 0;

	for (; n > 16; p += 16, n -= 16) {
		memcpy(&a, p, 8);
		memcpy(&b, p + 8, 8);
		h = hash_mix(a ^ 0x9e3779b97f4a7c15, b ^ h);
	}
	a = b = 0;
	if (n >= 8) {
		memcpy(&a, p, 8);
		memcpy(&b, p + n - 8, 8);
	} else if (n >= 4) {
		uint32_t lo, hi;

		memcpy(&lo, p, 4);
		memcpy(&hi, p + n - 4, 4);
		a = lo;
		b = hi;
	} else if (n) {
		a = (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
		    (unsigned char)p[n - 1];
	}
	return hash_mix(hash_mix(a ^ 0x9e3779b97f4a7c15, b ^ h), 0xd6e8feb86659fd93 ^ h);
}

#endif
