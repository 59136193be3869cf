/*
 *	TFLOP/s                   ________ peak of the unit
 *	                        /
 *	                      /  memory bandwidth x FLOPs per byte
 *	                    /
 *
 * A device is told by a part of its name that stands alone: "L4" is in "NVIDIA L4", not in
 * "NVIDIA L40S". Of several parts that fit the longest counts.
 */
#include "analysis/arch.h"

#include "base/json.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>
#include <unistd.h>

#define LONGEST_NS 1e15 /* eleven days for one operator: a figure is wrong */

static bool in_word(const char *p, const char *from, const char *end)
{
	return p >= from && p < end && isalnum((unsigned char)*p);
}

/* `part` in the text, ASCII letters without case, not inside of a longer word. */
static bool has_word(struct str text, struct str part)
{
	const char *end = text.p + text.n;

	for (const char *p = text.p; part.n && p + part.n <= end; p++)
		if (!strncasecmp(p, part.p, part.n) && !in_word(p - 1, text.p, end) &&
		    !in_word(p + part.n, text.p, end))
			return true;
	return false;
}

const struct arch *arch_of_device(const struct arch *const *known, struct str device)
{
	const struct arch *best = NULL;
	size_t longest = 0;

	for (; *known; known++)
		for (uint32_t i = 0; i < (*known)->ndevices; i++) {
			struct str part = str_of((*known)->device[i]);

			if (part.n <= longest || !has_word(device, part))
				continue;
			longest = part.n;
			best = *known;
		}
	return best;
}

static struct str first_device(struct trace *tr, struct arena *a)
{
	struct json j = json_open(trace_meta(tr, "deviceProperties"));

	while (json_next(&j))
		if (j.depth == 2 && str_eq(j.key, STR("name")) && j.type == JSON_STRING)
			return json_string(a, j.text);
	return STR("");
}

static const struct arch *by_name(const struct arch *const *known, const char *name)
{
	while (*known && strcasecmp((*known)->name, name))
		known++;
	return *known;
}

bool arch_choose(struct trace *tr, const char *choice, struct arena *a, const struct arch **out,
		 struct lp_error *err)
{
	const struct arch **known = arch_known(a);

	*out = choice ? by_name(known, choice) : arch_of_device(known, first_device(tr, a));
	if (*out || !choice)
		return true;
	if (!strchr(choice, '/') && access(choice, F_OK))
		return error_set(err,
				 "'%.100s' is neither a GPU that is known nor a file "
				 "(longpole help arch lists what is known)",
				 choice);
	*out = arch_read(choice, a, err);
	return *out != NULL;
}

static double figure(const struct arch *arch, enum op_unit unit, const char *precision)
{
	for (uint32_t i = 0; i < ARCH_PRECISIONS; i++)
		if (!strcmp(arch_precision_name(i), precision))
			return arch->tflops[unit][i];
	return 0;
}

double arch_peak(const struct arch *arch, enum op_unit unit, const char *precision)
{
	if (!precision || unit == UNIT_NONE)
		return 0;
	bool fp32 = !strcmp(precision, "fp32"), fp64 = !strcmp(precision, "fp64");
	double peak = figure(arch, unit, precision);

	if (!(peak > 0) && unit == UNIT_MATRIX && fp32)
		peak = figure(arch, UNIT_MATRIX, "tf32");
	if (!(peak > 0) && (fp32 || fp64))
		peak = figure(arch, UNIT_VECTOR, precision);
	if (!(peak > 0) && unit == UNIT_VECTOR && !fp64)
		peak = figure(arch, UNIT_VECTOR, "fp32");
	return peak;
}

struct roofline arch_roofline(const struct arch *arch, const struct op_cost *cost)
{
	struct roofline r = { 0 };
	double peak = arch ? arch_peak(arch, cost->unit, cost->precision) : 0;

	if (!arch || !(cost->flops >= 0) || !(cost->bytes >= 0) || (cost->flops > 0 && !(peak > 0)))
		return r;
	double compute = cost->flops > 0 ? cost->flops / (peak * 1e3) : 0;
	double memory = cost->bytes / arch->gbps;
	r.compute_bound = compute > 0 && compute >= memory;
	r.ns = fmax(compute, memory);
	r.known = r.ns > 0 && r.ns < LONGEST_NS;
	return r;
}
