/* Counters of the trace, and sums over the GPU events, put into words. */
#include "analysis/doubt.h"

#include "algo/spans.h"
#include "base/say.h"

#include <inttypes.h>

static enum counter worst_error(const struct trace *tr)
{
	enum counter worst = COUNTERS;

	for (enum counter c = 0; c < COUNTERS; c++) {
		if (!tr->counters.n[c] || counter_texts[c].severity != SEVERITY_ERROR)
			continue;
		if (worst == COUNTERS ||
		    tr->counters.first_byte[c] < tr->counters.first_byte[worst])
			worst = c;
	}
	return worst;
}

void doubt_reading(struct lp_answer *a, const struct trace *tr)
{
	enum counter c = worst_error(tr);
	struct arena *arena = answer_arena(a);
	uint64_t byte, line;

	if (c == COUNTERS)
		return;
	byte = tr->counters.first_byte[c];
	const char *name = counter_texts[c].name, *text = counter_texts[c].text;
	const char *times = "";
	if (tr->counters.n[c] > 1)
		times = arena_print(arena, "%s times, first in ",
				    say_count(arena, (int64_t)tr->counters.n[c]));
	if (byte == UINT64_MAX)
		answer_doubt(a, "%s: %s", name, text);
	else if (trace_lines(tr, &byte, &line, 1))
		answer_doubt(a, "%s: %s (%sline %" PRIu64 ", byte %" PRIu64 ")", name, text, times,
			     line, byte);
	else
		answer_doubt(a, "%s: %s (%sbyte %" PRIu64 ")", name, text, times, byte);
}

void doubt_window(struct lp_answer *a, const struct trace *tr, nsec from, nsec to)
{
	struct arena *arena = answer_arena(a);

	if (tr->start < tr->end && (to <= tr->start || from >= tr->end))
		answer_doubt(a, "the window lies outside the trace, which goes from %s to %s",
			     say_time(arena, tr->start - tr->base),
			     say_time(arena, tr->end - tr->base));
}

static nsec busy_without_launch(const struct trace *tr, const struct links *l)
{
	struct arena scratch = { 0 };
	struct span *at = NEW(&scratch, l->n, struct span);
	size_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		if (l->launch[i] == NONE && trace_timed(tr, l->gpu[i]))
			at[n++] = (struct span){ tr->ev.ts[l->gpu[i]], trace_end(tr, l->gpu[i]) };
	nsec busy = spans_length(spans_union(&scratch, at, n));
	arena_free(&scratch);
	return busy;
}

void doubt_unlinked(struct lp_answer *a, const struct trace *tr, const struct links *l,
		    const char *so)
{
	struct arena *arena = answer_arena(a);
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		n += l->launch[i] == NONE;
	if (n && n < l->n)
		answer_doubt(a, "%s of %s GPU events (%s busy) have no launch in the trace: %s",
			     say_count(arena, n), say_count(arena, l->n),
			     say_time(arena, busy_without_launch(tr, l)), so);
}

void doubt_times(struct lp_answer *a, const struct trace *tr, const struct links *l)
{
	struct arena *arena = answer_arena(a);
	uint32_t invalid = 0, clipped = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		invalid += !trace_timed(tr, l->gpu[i]);
		clipped += (tr->ev.flags[l->gpu[i]] & EVENT_CLIPPED) != 0;
	}
	if (invalid)
		answer_doubt(a, "%s with a time that cannot be: counted, but in no sum of time",
			     say_many(arena, invalid, "GPU event", "GPU events"));
	if (clipped)
		answer_doubt(a, "%s ending far past the next start on the stream: clipped there",
			     say_many(arena, clipped, "GPU event", "GPU events"));
}

void doubt_idle(struct lp_answer *a, const struct trace *tr)
{
	if (tr->counters.n[COUNT_GRAPH_INCOMPLETE])
		answer_doubt(a, "GRAPH_INCOMPLETE: %s", counter_texts[COUNT_GRAPH_INCOMPLETE].text);
}
