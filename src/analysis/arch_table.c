/* The GPUs that are known as a table: a row each, a column per unit and precision. */
#include "analysis/arch.h"
#include "base/table.h"

#include <math.h>

static const char *devices(const struct arch *arch, struct arena *a)
{
	const char *text = "";

	for (uint32_t i = 0; i < arch->ndevices; i++)
		text = arena_print(a, "%s%s%s", text, i ? "; " : "", arch->device[i]);
	return text;
}

static void add_peaks(struct lp_table *t, struct arena *a, const struct arch **known)
{
	for (int unit = UNIT_MATRIX; unit <= UNIT_VECTOR; unit++)
		for (uint32_t p = 0; p < ARCH_PRECISIONS; p++) {
			double *peak = NEW(a, t->nrows, double), any = 0;
			const char *name = arena_print(a, "%s_%s",
						       unit == UNIT_MATRIX ? "matrix" : "vector",
						       arch_precision_name(p));

			for (uint32_t i = 0; i < t->nrows; i++) {
				double v = known[i]->tflops[unit][p];

				peak[i] = v > 0 ? v : NAN;
				any += v;
			}
			bool common = unit == UNIT_MATRIX ? p == 3 || p == 5 : p == 1;
			if (any > 0)
				table_f64(t, arena_print(a, "%s_tflops", name), name, LP_PLAIN,
					  common ? 0 : LP_DETAIL, peak,
					  "10^12 operations a second at most, without sparsity");
		}
}

struct lp_answer *lp_archs(void)
{
	struct lp_answer *answer = answer_new();
	struct arena *a = answer_arena(answer);
	const struct arch **known = arch_known(a);
	uint32_t n = 0;

	while (known[n])
		n++;
	struct lp_table *t = answer_table(answer, "arch", n);
	const char **name = NEW(a, n, const char *), **device = NEW(a, n, const char *),
		   **source = NEW(a, n, const char *);
	double *gbps = NEW(a, n, double);
	for (uint32_t i = 0; i < n; i++) {
		name[i] = known[i]->name;
		device[i] = devices(known[i], a);
		source[i] = known[i]->source;
		gbps[i] = known[i]->gbps;
	}
	table_str(t, "name", "name", LP_NAME, name, "what --arch takes");
	table_f64(t, "mem_bw_gbps", "GB/s", LP_PLAIN, 0, gbps, "memory, 10^9 bytes a second");
	add_peaks(t, a, known);
	table_str(t, "devices", "devices", LP_DETAIL, device,
		  "parts of a device's name in a trace that tell it; the longest that fits counts");
	table_str(t, "source", "source", LP_NAME, source, "where the figures are from");
	t->whole = true;
	answer_headline(answer, "%u GPUs are known by name; --arch takes a file for another one.",
			n);
	return answer;
}
