/* Rules on where the time of a GPU goes: tables timeline, idle_causes and kernels. */
#include "analysis/critpath_class.h"
#include "analysis/findings.h"
#include "base/say.h"

#include <string.h>

/* The device with most of `what`, and what it has. */
struct most {
	const char *device; /* NULL: there is only one */
	nsec time, span;
	double percent;
};

/* The total of the device whose block of rows `row` is in. */
static nsec span_of(const struct lp_table *t, uint32_t row)
{
	const char *device = cells_text(t, "device", row);

	for (uint32_t i = 0; i < cells_rows(t); i++)
		if (!strcmp(cells_text(t, "device", i), device) &&
		    !strcmp(cells_text(t, "what", i), "total"))
			return cells_int(t, "time_ns", i);
	return 0;
}

/* The row "all" takes all devices as one: it is idle only where all are. */
static struct most device_with_most(const struct facts *f, const char *what)
{
	const struct lp_table *t = cells_table(&f->answers, "timeline");
	struct most most = { .time = -1 };

	for (uint32_t i = 0; i < cells_rows(t); i++) {
		const char *device = cells_text(t, "device", i);
		nsec time = cells_int(t, "time_ns", i);

		if (strcmp(cells_text(t, "what", i), what) != 0 || !strcmp(device, "all") ||
		    time <= most.time)
			continue;
		most = (struct most){ device, time, span_of(t, i), cells_real(t, "percent", i) };
	}
	if (most.time >= 0 && cells_find(t, "device", "all") == NONE)
		most.device = NULL;
	return most;
}

static const char *gpu_name(const struct facts *f, const struct most *m)
{
	return m->device ? arena_print(f->arena, "GPU %s", m->device) : "The GPU";
}

/* The class that explains most of the idle time of all devices, and the name that has most of it.
 */
static const char *why_idle(const struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "idle_causes");
	nsec all = cells_sum(t, "idle_ns"), sum[PATH_CLASSES] = { 0 };
	enum path_class top = 0;

	if (!all)
		return "";
	for (enum path_class c = 0; c < PATH_CLASSES; c++) {
		sum[c] = cells_sum_where(t, "idle_ns", "cause", path_class_texts[c].name);
		if (sum[c] > sum[top])
			top = c;
	}
	const char *name = cells_text(t, "name",
				      cells_find(t, "cause", path_class_texts[top].name));
	bool named = name && strcmp(name, "-") != 0;
	return arena_print(f->arena, " In %s of the idle time: %s%s%s.",
			   say_percent(f->arena, sum[top], all), path_class_texts[top].what,
			   named ? ", above all " : "", named ? findings_name(f, name) : "");
}

void find_idle(struct facts *f)
{
	struct most m = device_with_most(f, "idle");

	if (m.time <= 0)
		return;
	findings_add(f, (struct finding){
				.time = m.time,
				.share = m.percent,
				.view = "idle",
				.command = "idle",
				.sentence = arena_print(f->arena, "%s idles %s of its %s.%s",
							gpu_name(f, &m),
							say_percent(f->arena, m.time, m.span),
							say_time(f->arena, m.span), why_idle(f)) });
}

/* "; the largest is NAME (N times, T in all)", of the lines of this kind in kernels. */
static const char *largest(const struct facts *f, const char *kind)
{
	const struct lp_table *t = cells_table(&f->answers, "kernels");
	uint32_t row = cells_find(t, "kind", kind);

	if (row == NONE)
		return "";
	return arena_print(f->arena, "; the largest is %s (%s, %s in all)",
			   findings_name(f, cells_text(t, "name", row)),
			   say_many(f->arena, cells_int(t, "count", row), "time", "times"),
			   say_time(f->arena, cells_int(t, "total_ns", row)));
}

static void find_exposed(struct facts *f, const char *what, const char *word, const char *kind)
{
	struct most m = device_with_most(f, what);

	if (m.time <= 0)
		return;
	findings_add(f,
		     (struct finding){
			     .time = m.time,
			     .share = m.percent,
			     .view = "timeline",
			     .command = "timeline",
			     .sentence = arena_print(
				     f->arena, "%s spends %s of its %s in %s that nothing hides%s.",
				     gpu_name(f, &m), say_percent(f->arena, m.time, m.span),
				     say_time(f->arena, m.span), word, largest(f, kind)) });
}

void find_communication(struct facts *f)
{
	find_exposed(f, "exposed_communication", "communication", "collective");
}

void find_copies(struct facts *f)
{
	find_exposed(f, "exposed_copies", "copies", "copy");
}

/* Copies from and to pageable memory make the host wait. */
void find_pageable(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "kernels");
	nsec all = cells_sum(t, "total_ns"), time = 0;
	int64_t count = 0;

	for (uint32_t i = 0; i < cells_rows(t); i++)
		if (!strcmp(cells_text(t, "kind", i), "copy") &&
		    strstr(cells_text(t, "name", i), "Pageable")) {
			time += cells_int(t, "total_ns", i);
			count += cells_int(t, "count", i);
		}
	if (!count || !all)
		return;
	findings_add(f,
		     (struct finding){
			     .time = time,
			     .share = 100.0 * (double)time / (double)all,
			     .view = "kernels",
			     .command = "kernels",
			     .sentence = arena_print(
				     f->arena,
				     "%s pageable memory, for which the host waits: %s of the GPU "
				     "time. Pinned memory lets them overlap.",
				     say_many(f->arena, count, "copy is from or to",
					      "copies are from or to"),
				     say_percent(f->arena, time, all)) });
}
