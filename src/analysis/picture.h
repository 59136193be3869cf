/*
 * picture.h - a trace as bars: what a timeline draws, at any level of detail.
 *
 * A picture has lanes (the critical path, threads, streams, annotations), a lane has shelves
 * (depths of nesting), a shelf has bars in order of their starts that do not overlap, but for
 * what is said in picture_depth.c.
 *
 *	level 0      |aa| |b| |c||dddddddddddd| |e|f|  |g|      every event a bar
 *	level k      [a 3     c ]|dddddddddddd| [e 2]  |g|      grain 2^(6 + 2k) ns
 *	cells        |         |         |         |         |
 *
 * At level k neighbours shorter than the grain that start in one cell of it are one block. A
 * block is as short as two grains, so a level is made of any finer one and is the same
 * whichever that was; and a stretch of it is cut out by searching, without looking at the rest.
 */
#ifndef ANALYSIS_PICTURE_H
#define ANALYSIS_PICTURE_H

#include "analysis/critpath.h"
#include "trace/link.h"

#define PICTURE_LEVELS 28 /* the coarsest: 2^62 ns */

enum picture_kind { PICTURE_PATH, PICTURE_THREAD, PICTURE_STREAM, PICTURE_ANNOTATION };

struct picture_lane {
	enum picture_kind kind;
	lane_id lane;         /* NONE: the path */
	uint32_t first, past; /* bars, while they are sorted */
	uint32_t shelf, depth;
	nsec busy; /* in which any bar runs */
};

struct picture_bar {
	nsec start, end;  /* relative; of a block: from its first to its last */
	nsec busy;        /* the lengths of its events added up */
	nsec on_path;     /* their own time on the critical path */
	uint32_t first;   /* its first bar of level 0 */
	uint32_t longest; /* the longest of its events, an event; on the path's lane a segment */
	uint32_t count;
	uint8_t class; /* of the longest: enum path_class, or PICTURE_DESCRIBES */
};

/* The class of rows that only describe: annotations, waits of streams, the profiler's own spans. */
#define PICTURE_DESCRIBES PATH_CLASSES

struct picture_level {
	uint32_t n;
	struct picture_bar *bar; /* by shelf, start; NULL: not made yet */
	uint32_t *first;         /* nshelves + 1 */
	nsec *reach;             /* when the last of all bars up to this one of the shelf ends */
};

struct picture {
	struct arena arena;
	struct trace *tr;
	struct path path;
	nsec window;
	uint32_t nlanes, nshelves;
	struct picture_lane *lane;
	uint32_t *lane_of; /* of each shelf */
	uint32_t *bar_of;  /* of each event: of level 0, or NONE */
	const struct links *links;
	struct picture_level level[PICTURE_LEVELS + 1];
};

/* Lanes, shelves and level 0, of a walked critical path, of which it copies what it needs. */
void picture_make(struct picture *p, const struct critpath *c);
/* The depths of bars, lane by lane. */
struct picture_depths {
	const struct trace *tr;
	const struct tree *tree;
	node_id *anchor; /* of each node: the nearest one at or above it that is a bar */
	uint32_t *depth; /* of each node that is a bar */
	nsec *until;     /* of each depth: when it is free again */
};

struct picture_depths picture_depths_new(struct trace *tr, uint32_t longest_lane, struct arena *a);
/* Of n events of one lane, by start, callers before callees; returns how many depths there are. */
uint32_t picture_depths_of(struct picture_depths *d, const event_id *e, uint32_t n,
			   uint32_t *depth);
/* 0: exact. */
static inline nsec picture_grain(int level)
{
	return level ? (nsec)1 << (6 + 2 * level) : 0;
}

static inline bool picture_short(const struct picture_bar *b, int level)
{
	return b->end - b->start < picture_grain(level);
}

/* Do two short bars start in one cell? */
static inline bool picture_one_cell(const struct picture_bar *x, const struct picture_bar *y,
				    int level)
{
	return x->start >> (6 + 2 * level) == y->start >> (6 + 2 * level);
}

/* Makes it if it is not there. */
const struct picture_level *picture_level(struct picture *p, int level);

/* A stretch of a level: of each shelf the bars [from, to). */
struct picture_cut {
	const struct picture_level *l;
	int level;
	uint32_t n;
	uint32_t *from, *to;
};

/* Bars that reach into [start, end), at the finest level from `level` on with at most `most`. */
struct picture_cut picture_cut(struct picture *p, nsec start, nsec end, int level, uint32_t most,
			       struct arena *a);
/* Tables picture, picture_lanes and picture_events. */
void picture_tables(struct lp_answer *answer, const struct picture *p, struct picture_cut cut);

#endif
