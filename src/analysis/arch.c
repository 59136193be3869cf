/*
 *	TFLOP/s                   ________ peak of the unit
 *	                        /
 *	                      /  memory bandwidth x FLOPs per byte
 *	                    /
 *
 * A device is told by a part of its name; of several that fit the first one counts.
 */
#include "analysis/arch.h"

#include "base/input.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>

#define HOPPER                                                                                     \
	{                                                                                          \
		{ "matrix_fp64", 67 }, { "matrix_fp32", 494.7 }, { "matrix_bf16", 989.4 },         \
			{ "matrix_fp16", 989.4 }, { "matrix_fp8", 1978.9 }, { "vector_fp32", 67 }, \
			{ "vector_fp64", 33.5 }, { "vector_fp16", 133.8 },                         \
			{ "vector_bf16", 133.8 },                                                  \
	}
#define AMPERE                                                                                   \
	{                                                                                        \
		{ "matrix_fp64", 19.5 }, { "matrix_fp32", 156 }, { "matrix_bf16", 312 },         \
			{ "matrix_fp16", 312 }, { "vector_fp32", 19.5 }, { "vector_fp64", 9.7 }, \
			{ "vector_fp16", 78 }, { "vector_bf16", 39 },                            \
	}
#define CDNA3                                                                                  \
	{                                                                                      \
		{ "matrix_fp64", 163.4 }, { "matrix_fp32", 163.4 }, { "matrix_bf16", 1307.4 }, \
			{ "matrix_fp16", 1307.4 }, { "matrix_fp8", 2614.9 },                   \
			{ "vector_fp32", 163.4 }, { "vector_fp64", 81.7 },                     \
	}
#define CDNA2                                                                                     \
	{                                                                                         \
		{ "matrix_fp64", 45.3 }, { "matrix_fp32", 45.3 }, { "matrix_bf16", 181 },         \
			{ "matrix_fp16", 181 }, { "vector_fp32", 22.6 }, { "vector_fp64", 22.6 }, \
	}

static const struct arch archs[] = {
	{ "H200", "H200", "NVIDIA H200 Tensor Core GPU data sheet", 4800, HOPPER },
	{ "H100-SXM", "H100", "NVIDIA H100 Tensor Core GPU data sheet, SXM", 3350, HOPPER },
	{ "A100-40GB", "A100-SXM4-40GB", "NVIDIA A100 data sheet", 1555, AMPERE },
	{ "A100-80GB", "A100", "NVIDIA A100 data sheet, SXM 80 GB", 2039, AMPERE },
	{ "B200",
	  "B200",
	  "NVIDIA Blackwell architecture brief, HGX B200",
	  8000,
	  { { "matrix_fp64", 40 },
	    { "matrix_fp32", 1125 },
	    { "matrix_bf16", 2250 },
	    { "matrix_fp16", 2250 },
	    { "matrix_fp8", 4500 },
	    { "matrix_fp4", 9000 },
	    { "vector_fp32", 80 },
	    { "vector_fp64", 40 } } },
	{ "MI300X", "MI300X", "AMD Instinct MI300X data sheet", 5300, CDNA3 },
	{ "MI325X", "MI325X", "AMD Instinct MI325X data sheet", 6000, CDNA3 },
	{ "MI355X",
	  "MI355X",
	  "AMD Instinct MI355X data sheet",
	  8000,
	  { { "matrix_fp64", 78.6 },
	    { "matrix_fp32", 157.3 },
	    { "matrix_bf16", 2516.6 },
	    { "matrix_fp16", 2516.6 },
	    { "matrix_fp8", 5033.2 },
	    { "matrix_fp4", 10066.3 },
	    { "vector_fp32", 157.3 },
	    { "vector_fp64", 78.6 } } },
	{ "MI250X",
	  "MI250X",
	  "AMD Instinct MI250X data sheet, one of its two dies",
	  1638,
	  { { "matrix_fp64", 47.9 },
	    { "matrix_fp32", 47.9 },
	    { "matrix_bf16", 191.5 },
	    { "matrix_fp16", 191.5 },
	    { "vector_fp32", 23.9 },
	    { "vector_fp64", 23.9 } } },
	{ "MI210", "MI210", "AMD Instinct MI210 data sheet", 1638, CDNA2 },
	{ "PVC-1550",
	  "Data Center GPU Max 1550",
	  "Intel Data Center GPU Max Series technical overview",
	  3277,
	  { { "matrix_fp32", 419 },
	    { "matrix_bf16", 839 },
	    { "matrix_fp16", 839 },
	    { "vector_fp32", 52 },
	    { "vector_fp64", 52 } } },
};

static const struct arch *find(struct str text, bool by_device)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (by_device ? str_contains_nocase(text, str_of(archs[i].device))
			      : str_eq(text, str_of(archs[i].name)))
			return &archs[i];
	return NULL;
}

static struct str first_device(struct trace *tr, struct arena *a)
{
	struct json j = json_open(trace_meta(tr, "deviceProperties"));

	while (json_next(&j))
		if (j.depth == 2 && str_eq(j.key, STR("name")) && j.type == JSON_STRING)
			return json_string(a, j.text);
	return STR("");
}

static const char *names(struct arena *a)
{
	const char *text = "";

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		text = arena_print(a, "%s%s%s", text, i ? ", " : "", archs[i].name);
	return text;
}

static struct str read_file(const char *path, struct arena *a)
{
	FILE *f = fopen(path, "rb");
	size_t n = 0, cap = 1 << 20;
	char *text = NULL;

	if (f) {
		text = arena_alloc(a, cap);
		n = fread(text, 1, cap - 1, f);
		fclose(f);
	}
	return (struct str){ text, n };
}

static bool read_arch(const char *path, struct str text, struct arena *a, const struct arch **out,
		      struct lp_error *err)
{
	struct arch *arch = NEW(a, 1, struct arch);
	struct json bw = json_open(json_get(text, "mem_bw_gbps"));
	struct json j = json_open(json_get(text, "max_achievable_tflops"));
	uint32_t n = 0;

	arch->name = path;
	arch->source = path;
	if (!json_next(&bw) || !json_f64(&bw, &arch->gbps) || !(arch->gbps > 0))
		return error_set(err, "%s: mem_bw_gbps is no positive number", path);
	while (json_next(&j)) {
		if (j.depth != 1 || j.type == JSON_CLOSE)
			continue;
		if (n == ARCH_PEAKS - 1)
			return error_set(err, "%s: more than %d peaks", path, ARCH_PEAKS - 1);
		arch->peak[n].spec = arena_text(a, j.key.p, j.key.n);
		if (!json_f64(&j, &arch->peak[n].tflops) || !(arch->peak[n].tflops > 0))
			return error_set(err, "%s: max_achievable_tflops: %s is no positive number",
					 path, arch->peak[n].spec);
		n++;
	}
	if (j.bad || !n)
		return error_set(err, "%s: max_achievable_tflops is missing or is no object", path);
	*out = arch;
	return true;
}

bool arch_choose(struct trace *tr, const char *choice, struct arena *a, const struct arch **out,
		 struct lp_error *err)
{
	if (!choice) {
		*out = find(first_device(tr, a), true);
		return true;
	}
	*out = find(str_of(choice), false);
	if (*out)
		return true;
	struct str text = read_file(choice, a);
	if (!text.p)
		return error_set(err, "'%s' is neither a file nor one of %s", choice, names(a));
	return read_arch(choice, text, a, out, err);
}

double arch_peak(const struct arch *arch, enum op_unit unit, const char *precision)
{
	char spec[64];
	double fp32 = 0;

	if (!precision || unit == UNIT_NONE)
		return 0;
	snprintf(spec, sizeof(spec), "%s_%s", unit == UNIT_MATRIX ? "matrix" : "vector", precision);
	for (uint32_t i = 0; i < ARCH_PEAKS && arch->peak[i].spec; i++) {
		if (!strcmp(arch->peak[i].spec, spec))
			return arch->peak[i].tflops;
		if (!strcmp(arch->peak[i].spec, "vector_fp32"))
			fp32 = arch->peak[i].tflops;
	}
	return unit == UNIT_VECTOR ? fp32 : 0;
}

struct roofline arch_roofline(const struct arch *arch, const struct op_cost *cost)
{
	struct roofline r = { 0 };
	double peak = arch ? arch_peak(arch, cost->unit, cost->precision) : 0;

	if (!(peak > 0) || !(cost->flops > 0) || isnan(cost->bytes))
		return r;
	double compute = cost->flops / (peak * 1e3), memory = cost->bytes / arch->gbps;
	r.known = true;
	r.compute_bound = compute >= memory;
	r.ns = fmax(compute, memory);
	return r;
}
