#include "base/simd.h"

#include "base/simd_levels.h"

const char *simd_name(enum simd_level level)
{
	static const char *const names[SIMD_LEVELS] = { "scalar", "avx2", "avx512", "neon" };

	return names[level];
}

#if defined(__x86_64__)

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
}

static bool has_avx512(void)
{
	return has_avx2() && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

#endif

simd_index_fn *simd_index(enum simd_level level)
{
	switch (level) {
	case SIMD_SCALAR:
		return simd_index_scalar;
#if defined(__x86_64__)
	case SIMD_AVX2:
		return has_avx2() ? simd_index_avx2 : NULL;
	case SIMD_AVX512:
		return has_avx512() ? simd_index_avx512 : NULL;
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
	case SIMD_NEON:
		return simd_index_neon;
#endif
	default:
		return NULL;
	}
}

enum simd_level simd_best(void)
{
	enum simd_level level = SIMD_LEVELS - 1;

	while (!simd_index(level))
		level--;
	return level;
}
