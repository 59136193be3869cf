/* simd_levels.h - the variants of the index, for simd.c only. */
#ifndef BASE_SIMD_LEVELS_H
#define BASE_SIMD_LEVELS_H

#include "base/simd.h"

simd_index_fn simd_index_scalar;
#if defined(__x86_64__)
simd_index_fn simd_index_avx2;
simd_index_fn simd_index_avx512;
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
simd_index_fn simd_index_neon;
#endif

#endif
