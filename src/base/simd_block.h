/*
 * simd_block.h - what all variants of the index have in common: 64 bytes at a time,
 * one bit per byte, the first byte in the lowest bit.
 */
#ifndef BASE_SIMD_BLOCK_H
#define BASE_SIMD_BLOCK_H

#include "base/simd.h"

/* What one block hands to the next. */
struct simd_carry {
	uint64_t escaped;   /* bit 0: the first byte is escaped by the last one before */
	uint64_t in_string; /* all bits: the block starts inside a string */
};

/*
 * The bytes that a backslash escapes: those behind a run of backslashes of odd length.
 * Runs that start on even places are told from the others by the carry of an addition.
 */
static inline uint64_t simd_escaped(struct simd_carry *c, uint64_t backslash)
{
	const uint64_t even = 0x5555555555555555;

	if (!backslash) {
		uint64_t escaped = c->escaped;

		c->escaped = 0;
		return escaped;
	}
	backslash &= ~c->escaped;
	uint64_t follows = backslash << 1 | c->escaped;
	uint64_t odd_starts = backslash & ~even & ~follows;
	uint64_t sum;

	c->escaped = __builtin_add_overflow(odd_starts, backslash, &sum);
	return (even ^ sum << 1) & follows;
}

/* Bit i of the result is the parity of bits 0 .. i: inside a string, from quotes. */
static inline uint64_t simd_parity(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/* All bits from the n-th on are cleared. */
static inline uint64_t simd_first(uint64_t x, uint32_t n)
{
	return n < 64 ? x & ((1ull << n) - 1) : x;
}

/*
 * Writes the positions of the bits of x, eight at a time: up to 7 too many may be
 * written, so a branch that is hard to predict is taken once per eight.
 */
static inline uint32_t *simd_emit(uint32_t *out, uint64_t x, uint32_t base)
{
	uint32_t n = (uint32_t)__builtin_popcountll(x);

	for (uint32_t done = 0; done < n; done += 8) {
		for (uint32_t k = done; k < done + 8; k++) {
			out[k] = base + (uint32_t)(x ? __builtin_ctzll(x) : 0);
			x &= x - 1;
		}
	}
	return out + n;
}

#endif
