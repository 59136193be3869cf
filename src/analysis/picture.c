#include "analysis/picture.h"

#include <stdlib.h>

struct lp_picture {
	struct picture p;
};

/* As many rows as a page can hold. */
#define MOST 500000

struct lp_picture *lp_picture_open(struct lp_trace *tr, struct lp_error *err)
{
	struct critpath c = { .tr = (struct trace *)tr };
	struct arena scratch = { 0 };
	struct lp_picture *h = NULL;

	if (critpath_walk_window(&c, NULL, &scratch, err)) {
		h = calloc(1, sizeof(*h));
		if (!h)
			arena_exhausted(sizeof(*h));
		picture_make(&h->p, &c);
	}
	arena_free(&scratch);
	return h;
}

void lp_picture_close(struct lp_picture *h)
{
	if (!h)
		return;
	arena_free(&h->p.arena);
	free(h);
}

/* The finest level with this grain or a coarser one. */
static int level_of(nsec grain)
{
	int level = 0;

	while (level < PICTURE_LEVELS && picture_grain(level) < grain)
		level++;
	return level;
}

static void tile(struct picture *p, struct lp_picture_options o, struct lp_answer *answer)
{
	struct arena scratch = { 0 };
	bool whole = !o.start_ns && !o.end_ns;
	nsec start = whole ? INT64_MIN : o.start_ns, end = whole ? INT64_MAX : o.end_ns;

	picture_tables(answer, p,
		       picture_cut(p, start, end, level_of(o.grain_ns),
				   o.max_events ? o.max_events : MOST, &scratch));
	arena_free(&scratch);
}

struct lp_answer *lp_picture_tile(struct lp_picture *h, struct lp_picture_options o,
				  struct lp_error *err)
{
	struct lp_answer *answer = answer_new();

	(void)err;
	tile(&h->p, o, answer);
	return answer;
}

struct lp_answer *lp_picture(struct lp_trace *tr, struct lp_picture_options o, struct lp_error *err)
{
	struct lp_picture *h = lp_picture_open(tr, err);
	struct lp_answer *answer = h ? lp_picture_tile(h, o, err) : NULL;

	lp_picture_close(h);
	return answer;
}
