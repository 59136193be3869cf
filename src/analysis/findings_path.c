/* Rules on the critical path: tables path_summary, path_events and what_if. */
#include "analysis/critpath_class.h"
#include "analysis/findings.h"
#include "base/say.h"
#include "base/utf8.h"

#include <string.h>

/* The row of what_if for this target at twice the speed. */
static uint32_t twice_as_fast(const struct lp_table *t, const char *target)
{
	for (uint32_t i = 0; i < cells_rows(t); i++) {
		const char *name = cells_text(t, "target", i), *is = cells_text(t, "factor", i);

		if (name && is && !strcmp(name, target) && !strcmp(is, "2x"))
			return i;
	}
	return NONE;
}

static nsec cell_or_zero(const struct lp_table *t, const char *column, uint32_t row)
{
	int64_t v = cells_int(t, column, row);

	return v == LP_NULL ? 0 : v;
}

static const char *of_window(const struct facts *f, nsec time)
{
	return say_percent(f->arena, time, f->window);
}

static double share(const struct facts *f, nsec time)
{
	return f->window ? 100.0 * (double)time / (double)f->window : 0;
}

/* Whether the host or the GPU decides: the group with more than half of the window. */
void find_bound(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "what_if");
	nsec gpu = cell_or_zero(t, "on_path_ns", twice_as_fast(t, "gpu"));
	nsec cpu = cell_or_zero(t, "on_path_ns", twice_as_fast(t, "cpu"));
	bool host = cpu > gpu;
	nsec most = host ? cpu : gpu, other = host ? gpu : cpu;

	if (!f->tr->ngpu) /* no_gpu says it */
		return;
	findings_add(
		f, (struct finding){
			   .time = most,
			   .share = share(f, most),
			   .view = "breakdown",
			   .command = "critical-path",
			   .sentence = arena_print(
				   f->arena,
				   "%s-bound: %s holds the critical path for %s of the window, %s "
				   "for %s.",
				   host ? "Host" : "GPU", host ? "host code" : "GPU work",
				   of_window(f, most), host ? "GPU work" : "host code",
				   of_window(f, other)) });
}

/* Whether all the path of this class is of this name. */
static bool is_all_of(const struct facts *f, const char *class_name, const char *name)
{
	const struct lp_table *t = cells_table(&f->answers, "path");

	for (uint32_t i = 0; i < cells_rows(t); i++) {
		const char *held_by = cells_text(t, "name", i);

		if (!strcmp(cells_text(t, "class", i), class_name) &&
		    (!held_by || strcmp(held_by, name) != 0))
			return false;
	}
	return cells_rows(t) > 0;
}

/* The name that holds the path longest, if it is all of this class; else NULL. */
static const char *only_holder(const struct facts *f, const char *class_name, nsec time)
{
	const struct lp_table *t = cells_table(&f->answers, "path_events");
	const char *name = cells_rows(t) ? cells_text(t, "name", 0) : NULL;

	if (!name || !class_name || cell_or_zero(t, "on_path_ns", 0) != time ||
	    !is_all_of(f, class_name, name))
		return NULL;
	return name;
}

/* Every class with a share of the path worth a word; computation is bound's, holder's and op's. */
void find_classes(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "path_summary");

	for (uint32_t i = 0; i < cells_rows(t); i++) {
		const char *name = cells_text(t, "class", i);
		enum path_class c = path_class_find(str_of(name));
		nsec time = cell_or_zero(t, "time_ns", i);
		const char *holder = only_holder(f, name, time);

		if (c == PATH_CLASSES || c == PATH_COMPUTE)
			continue;
		findings_add(
			f,
			(struct finding){
				.time = time,
				.share = share(f, time),
				.view = "breakdown",
				.command = "critical-path",
				.sentence = arena_print(
					f->arena,
					"%s decides %s of the window%s%s. What usually helps: %s.",
					path_class_texts[c].subject, of_window(f, time),
					holder ? ", all of it " : "",
					holder ? findings_name(f, holder) : "",
					path_class_texts[c].hint) });
	}
}

/* Whether a class's finding names its only holder already. */
static bool is_told(const struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "path_summary");

	for (uint32_t i = 0; i < cells_rows(t); i++) {
		const char *name = cells_text(t, "class", i);

		if (path_class_find(str_of(name)) != PATH_COMPUTE &&
		    only_holder(f, name, cell_or_zero(t, "time_ns", i)))
			return true;
	}
	return false;
}

/* The name that holds the path longest. */
void find_holder(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "path_events");
	nsec time = cell_or_zero(t, "on_path_ns", 0);
	int64_t count = cell_or_zero(t, "count", 0);

	if (!time || is_told(f))
		return;
	findings_add(
		f,
		(struct finding){
			.time = time,
			.share = share(f, time),
			.view = "path",
			.command = "critical-path",
			.sentence = arena_print(
				f->arena, "%s holds the critical path for %s of the window, in %s.",
				findings_name(f, cells_text(t, "name", 0)), of_window(f, time),
				say_many(f->arena, count, "event", "events")) });
}

/* Classes and groups stand in the same table as names. */
static bool is_class(const char *target)
{
	return path_class_find(str_of(target)) != PATH_CLASSES || !strcmp(target, "cpu") ||
	       !strcmp(target, "gpu");
}

/* As one types it; a name that cannot be typed has no such command. */
static const char *option_of(const struct facts *f, const char *target)
{
	if (!*target || *target == ' ' ||
	    strcmp(utf8_safe(f->arena, str_of(target), UTF8_LINE), target) != 0)
		return "critical-path";
	return arena_print(f->arena, "critical-path --what-if %s",
			   say_path(f->arena, arena_print(f->arena, "%s=2x", target)));
}

/* The function or kernel whose doubled speed would gain most: the table is in that order. */
void find_what_if(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "what_if");

	for (uint32_t i = 0; i < cells_rows(t); i++) {
		const char *target = cells_text(t, "target", i), *is = cells_text(t, "factor", i);
		nsec gain = cell_or_zero(t, "gain_ns", i);

		if (!target || !is || strcmp(is, "2x") != 0 || is_class(target))
			continue;
		findings_add(f,
			     (struct finding){
				     .time = gain,
				     .share = share(f, gain),
				     .saving = true,
				     .view = "whatif",
				     .command = option_of(f, target),
				     .sentence = arena_print(
					     f->arena, "2x faster, %s would gain %s of the window.",
					     findings_name(f, target), of_window(f, gain)) });
		return;
	}
}

/* All host code against all GPU work, where both are there. */
void find_what_if_group(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "what_if");
	uint32_t cpu = twice_as_fast(t, "cpu"), gpu = twice_as_fast(t, "gpu");
	nsec host_gain = cell_or_zero(t, "gain_ns", cpu),
	     gpu_gain = cell_or_zero(t, "gain_ns", gpu);
	bool host = host_gain > gpu_gain;
	nsec most = MAX_OF(host_gain, gpu_gain), other = MIN_OF(host_gain, gpu_gain);

	if (cpu == NONE || gpu == NONE)
		return;
	findings_add(f, (struct finding){
				.time = most,
				.share = share(f, most),
				.saving = true,
				.view = "whatif",
				.command = option_of(f, host ? "cpu" : "gpu"),
				.sentence = arena_print(
					f->arena,
					"2x faster, all %s would gain %s of the window, all %s %s.",
					host ? "host code" : "GPU work", of_window(f, most),
					host ? "GPU work" : "host code", of_window(f, other)) });
}
