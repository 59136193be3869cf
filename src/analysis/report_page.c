#include "analysis/report_page.h"

#include "analysis/picture.h"
#include "analysis/replay.h"
#include "analysis/report_stacks.h"

/* As many rows as a page can hold. */
#define MOST_BARS 500000

static void add_picture(struct lp_answer *answer, const struct critpath *c)
{
	struct arena scratch = { 0 };
	struct picture p = { 0 };

	picture_make(&p, c);
	picture_tables(answer, &p, picture_cut(&p, INT64_MIN, INT64_MAX, 0, MOST_BARS, &scratch));
	arena_free(&p.arena);
	arena_free(&scratch);
}

struct lp_answer *report_page(struct trace *tr, struct lp_error *err)
{
	struct lp_answer *answer = answer_new();
	struct critpath c = { .tr = tr, .answer = answer, .arena = answer_arena(answer) };
	struct arena scratch = { 0 };

	if (!critpath_walk_window(&c, NULL, &scratch, err)) {
		arena_free(&scratch);
		lp_answer_free(answer);
		return NULL;
	}
	add_picture(answer, &c);
	replay_tables(&c);
	report_stacks(answer, tr);
	arena_free(&scratch);
	return answer;
}
