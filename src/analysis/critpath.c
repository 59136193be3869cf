#include "analysis/critpath.h"

#include "analysis/critpath_input.h"
#include "analysis/doubt.h"
#include "analysis/slack.h"
#include "base/say.h"
#include "analysis/split_window.h"

#include <inttypes.h>
#include <string.h>

const char *critpath_lane_name(struct arena *a, const struct trace *tr, lane_id id)
{
	if (id == NONE)
		return NULL;
	const struct lane *lane = &tr->lanes.at[id];
	if (lane->gpu)
		return arena_print(a, "gpu %" PRId64 " stream %" PRId64, lane->device,
				   lane->stream);
	struct str tid = lane->tid == NONE ? STR("-") : strings_get(&tr->strings, lane->tid);
	return arena_print(a, "cpu %.*s", STR_ARGS(tid));
}

/* The thread of the annotation that is the window; NONE if it is a stretch of time only. */
static lane_id window_lane(const struct trace *tr, const struct window *w)
{
	for (event_id e = 0; e < tr->ev.n; e++)
		if (tr->ev.kind[e] == KIND_ANNOTATION && tr->ev.ts[e] == w->start &&
		    trace_timed(tr, e) && trace_end(tr, e) == w->end)
			return tr->ev.lane[e];
	return NONE;
}

bool critpath_window(struct trace *tr, const char *text, const struct path_graph *g,
		     struct path_window *out, struct lp_error *err)
{
	struct window w;

	if (!split_window(tr, text, &w, err))
		return false;
	*out = (struct path_window){ g->start, g->end, NONE };
	if (!w.whole)
		*out = (struct path_window){ w.start - tr->base, w.end - tr->base,
					     window_lane(tr, &w) };
	return true;
}

static void add_own_times(struct critpath *c, struct arena *a)
{
	c->own = NEW(a, c->tr->ev.n, nsec);
	for (uint32_t i = 0; i < c->path.n; i++) {
		const struct path_segment *s = &c->path.at[i];
		if (s->event != NONE && critpath_own(s))
			c->own[s->event] += s->end - s->start;
	}
}

static void doubts(struct critpath *c)
{
	struct trace *tr = c->tr;
	const struct links *links = trace_links(tr, LINK_BEST, TREE_FULL);

	doubt_reading(c->answer, tr);
	doubt_window(c->answer, tr, c->view.window.start + tr->base, c->view.window.end + tr->base);
	doubt_times(c->answer, tr, links);
	if (c->inferred)
		answer_doubt(
			c->answer, "%s%s from the API calls",
			tr->nkind[KIND_SYNC] ? "" : "no sync rows in the trace: ",
			say_many(c->arena, c->inferred, "wait is inferred", "waits are inferred"));
	doubt_unlinked(c->answer, tr, links,
		       "they were queued before the window or lost their launch");
}

bool critpath_walk_window(struct critpath *c, const char *window, struct arena *a,
			  struct lp_error *err)
{
	struct path_window w;

	c->graph = critpath_of_trace(c->tr, a, &c->inferred);
	if (!critpath_window(c->tr, window, c->graph, &w, err))
		return false;
	c->view = critpath_view(c->graph, w);
	c->path = critpath_walk(&c->view, a);
	add_own_times(c, a);
	return true;
}

/* The walk and all that stands on it. */
static bool answer_walk(struct critpath *c, struct lp_critical_path_options o, struct lp_error *err)
{
	struct arena scratch = { 0 };
	bool fine = critpath_walk_window(c, o.window, &scratch, err);

	for (unsigned i = 0; fine && i < o.nwhat_if; i++)
		fine = whatif_parse(&c->whatif, o.what_if[i], c->tr, c->graph, c->arena, err);
	if (fine) {
		nsec *slack = slack_of_nodes(&c->view, &scratch);
		critpath_table_summary(c);
		critpath_table_what_if(c, o.nwhat_if > 0);
		critpath_table_lanes(c);
		critpath_table_window(c, "walk");
		critpath_table_path(c);
		critpath_table_events(c, slack);
		critpath_table_steps(c);
		critpath_headline(c, o.nwhat_if > 0);
		doubts(c);
	}
	arena_free(&scratch);
	return fine;
}

struct lp_answer *lp_critical_path(struct lp_trace *pub, struct lp_critical_path_options o,
				   struct lp_error *err)
{
	struct critpath c = { .tr = (struct trace *)pub, .answer = answer_new() };

	c.arena = answer_arena(c.answer);
	c.window_name = o.window && *o.window ? o.window : NULL;
	bool fine = o.model == LP_PATH_HTA       ? critpath_hta(&c, err)
		    : o.model == LP_PATH_LONGEST ? critpath_longest(&c, err)
						 : answer_walk(&c, o, err);
	if (!fine) {
		lp_answer_free(c.answer);
		return NULL;
	}
	return c.answer;
}
