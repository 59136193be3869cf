/*
 * whole.h - tables whose rows come in runs (lp_table.more), with all their rows at once.
 */
#ifndef RENDER_WHOLE_H
#define RENDER_WHOLE_H

#include "base/arena.h"
#include "longpole.h"

/* The answer itself if none of its tables has runs, or else a copy in the arena. */
struct lp_answer whole_answer(const struct lp_answer *a, struct arena *arena);

#endif
