/* Rules for traces that leave most questions open: each says why. */
#include "analysis/findings.h"
#include "base/say.h"

#include <string.h>

static bool whole_trace(const struct facts *f)
{
	const char *asked = cells_text(cells_table(&f->answers, "window"), "window", 0);

	return !asked || !strcmp(asked, "whole trace");
}

void find_no_time(struct facts *f)
{
	if (f->window)
		return;
	findings_add(f, (struct finding){ .view = "overview",
					  .command = "info",
					  .sentence = arena_print(
						  f->arena,
						  "Nothing in this %s has a duration: there is no "
						  "time to account for.",
						  whole_trace(f) ? "trace" : "window") });
}

void find_no_gpu(struct facts *f)
{
	if (f->tr->ngpu || !f->window)
		return;
	findings_add(f,
		     (struct finding){ .time = f->window,
				       .view = "path",
				       .command = "critical-path",
				       .sentence = arena_print(
					       f->arena,
					       "No GPU work in this trace: its %s are host time.",
					       say_time(f->arena, f->window)) });
}

/* Lanes are of the host or of a GPU. */
void find_no_host(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "lanes");
	uint32_t hosts = 0;

	for (uint32_t i = 0; i < cells_rows(t); i++)
		hosts += cells_int(t, "gpu", i) == false;
	if (hosts || !f->tr->ngpu || !f->window)
		return;
	findings_add(
		f, (struct finding){
			   .time = f->window,
			   .view = "timeline",
			   .command = "timeline",
			   .sentence = "No host work in this trace: what the GPU did can be told, "
				       "not why it waited." });
}

void find_one_event(struct facts *f)
{
	const struct lp_table *t = cells_table(&f->answers, "lanes");

	if (cells_sum(t, "events") != 1 || !f->window)
		return;
	findings_add(f, (struct finding){ .time = f->window,
					  .view = "timeline",
					  .command = "info",
					  .sentence = arena_print(
						  f->arena,
						  "This trace holds one event, of %s: too little "
						  "to say what decides the time.",
						  say_time(f->arena, f->window)) });
}
