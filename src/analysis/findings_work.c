/* Rules on operators, kernels and steps: tables ops, kernels, steps and steps_path. */
#include "analysis/findings.h"
#include "base/say.h"

#include <math.h>
#include <string.h>

#define UNLINKED "unlinked" /* category of work without a launch */

static double percent(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : NAN;
}

static const char *op_name(const struct facts *f, const struct lp_table *t, uint32_t row)
{
	const char *name = findings_name(f, cells_text(t, "name", row));
	const char *dims = cells_text(t, "input_dims", row);

	dims = dims ? say_dims(f->arena, dims) : "";
	return *dims ? arena_print(f->arena, "%s (%s)", name, findings_name(f, dims)) : name;
}

/* The operator that owns most of the GPU time; work without a launch is no operator. */
void find_op(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "ops");
	nsec all = cells_sum(t, "kernel_time_ns");

	for (uint32_t i = 0; i < cells_rows(t); i++) {
		nsec time = cells_int(t, "kernel_time_ns", i);

		if (!strcmp(cells_text(t, "category", i), UNLINKED))
			continue;
		findings_add(f, (struct finding){
					.time = time,
					.share = percent((double)time, (double)all),
					.view = "ops",
					.command = "ops",
					.sentence = arena_print(
						f->arena, "%s owns %s of the GPU time, in %s.",
						op_name(f, t, i), say_percent(f->arena, time, all),
						say_many(f->arena, cells_int(t, "count", i), "call",
							 "calls")) });
		return;
	}
}

/* Time that operators with a model take beyond what the hardware allows: longest first. */
void find_roofline(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "roofline");
	nsec time = cells_sum(t, "above_roofline_ns"),
	     all = cells_sum(cells_table(&f->answers, "ops"), "kernel_time_ns");

	if (!time)
		return;
	findings_add(
		f,
		(struct finding){
			.time = time,
			.share = percent((double)time, (double)all),
			.view = "roofline",
			.command = "ops --table roofline",
			.sentence = arena_print(
				f->arena,
				"Operators take %s longer than the hardware would allow, %s of "
				"it in %s, at %.1f %% of its roofline.",
				say_time(f->arena, time),
				say_percent(f->arena, cells_int(t, "above_roofline_ns", 0), time),
				findings_name(f, cells_text(t, "name", 0)),
				cells_real(t, "roofline_percent", 0)) });
}

void find_short_kernels(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "kernels");
	int64_t few = cells_sum(t, "short_count"),
		all = cells_sum_where(t, "count", "kind", "kernel") +
		      cells_sum_where(t, "count", "kind", "collective");
	nsec time = cells_sum(t, "short_ns");

	if (all < 100) /* a handful of kernels is no pattern */
		return;
	findings_add(f,
		     (struct finding){
			     .time = time,
			     .share = percent((double)few, (double)all),
			     .view = "kernels",
			     .command = "kernels",
			     .sentence = arena_print(
				     f->arena,
				     "%s of %s run for less than 10 µs: %s of the GPU time. Fewer, "
				     "larger ones cost less to launch: fuse, CUDA graphs.",
				     say_count(f->arena, few),
				     say_many(f->arena, all, "kernel", "kernels"),
				     say_percent(f->arena, time, cells_sum(t, "total_ns"))) });
}

void find_unlinked(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "ops");
	int64_t all = cells_sum(t, "kernels"),
		n = cells_sum_where(t, "kernels", "category", UNLINKED);

	if (!n)
		return;
	findings_add(
		f, (struct finding){
			   .time = cells_sum_where(t, "kernel_time_ns", "category", UNLINKED),
			   .share = percent((double)n, (double)all),
			   .view = "ops",
			   .command = "check",
			   .sentence = arena_print(
				   f->arena,
				   "%s of %s no launch in the trace: no operator can be charged "
				   "with them.",
				   say_count(f->arena, n),
				   say_many(f->arena, all, "GPU event has", "GPU events have")) });
}

/* How far the slowest step is from the fastest. */
void find_steps(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "steps");
	const char *length = "host_time_ns";
	uint32_t slow = 0, fast = 0;

	if (!t) {
		t = cells_table(&f->answers, "steps_path");
		length = "window_ns";
	}
	for (uint32_t i = 1; i < cells_rows(t); i++) {
		if (cells_int(t, length, i) > cells_int(t, length, slow))
			slow = i;
		if (cells_int(t, length, i) < cells_int(t, length, fast))
			fast = i;
	}
	if (cells_rows(t) < 2)
		return;
	nsec longest = cells_int(t, length, slow), shortest = cells_int(t, length, fast);
	findings_add(f,
		     (struct finding){
			     .time = longest - shortest,
			     .share = percent((double)(longest - shortest), (double)shortest),
			     .view = "steps",
			     .command = "steps",
			     .sentence = arena_print(
				     f->arena,
				     "The slowest step (%s, %s) takes %s longer than the fastest "
				     "(%s, %s).",
				     findings_name(f, cells_text(t, "step", slow)),
				     say_time(f->arena, longest),
				     say_percent(f->arena, longest - shortest, shortest),
				     findings_name(f, cells_text(t, "step", fast)),
				     say_time(f->arena, shortest)) });
}
