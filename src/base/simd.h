/*
 * simd.h - where the structure of JSON text is: its quotes and brackets.
 *
 * The index of a run of text lists, in order, the positions of all quotes that no
 * backslash escapes and of all of { } [ ] that are not inside a string. Every variant
 * gives exactly the same list; which ones there are depends on the processor.
 */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include "base/base.h"

enum simd_level { SIMD_SCALAR, SIMD_AVX2, SIMD_AVX512, SIMD_NEON, SIMD_LEVELS };

/*
 * Indexes p[0 .. n), which starts outside any string; returns the number of positions
 * written. At least 64 bytes behind the text must be readable, and ix must have room for
 * n + 64 positions.
 */
typedef uint32_t simd_index_fn(const char *p, uint32_t n, uint32_t *ix);

/* NULL if this processor (or this build) does not have it. */
simd_index_fn *simd_index(enum simd_level level);
/* The fastest there is. */
enum simd_level simd_best(void);
const char *simd_name(enum simd_level level);

#endif
