/*
 * A level is made in one pass over a finer one. That it does not matter which one: what is short
 * and in one cell at a fine grain is so at a coarse one, so blocks are only ever joined; and a
 * block, which starts in its cell and whose events are shorter than it, is shorter than the next
 * grain itself.
 */
#include "analysis/picture.h"

static nsec longest_time(const struct picture *p, uint32_t shelf, const struct picture_bar *b)
{
	if (p->lane_of[shelf])
		return p->tr->ev.dur[b->longest];
	return p->path.at[b->longest].end - p->path.at[b->longest].start;
}

static void join(const struct picture *p, uint32_t shelf, struct picture_bar *to,
		 const struct picture_bar *b)
{
	if (longest_time(p, shelf, b) > longest_time(p, shelf, to)) {
		to->longest = b->longest;
		to->class = b->class;
	}
	to->end = MAX_OF(to->end, b->end);
	to->busy += b->busy;
	to->on_path += b->on_path;
	to->count += b->count;
}

static void join_shelf(const struct picture *p, uint32_t shelf, int level,
		       const struct picture_level *from, struct picture_level *to)
{
	bool open = false; /* the last bar is a block that may grow */

	for (uint32_t i = from->first[shelf]; i < from->first[shelf + 1]; i++) {
		const struct picture_bar *b = &from->bar[i];
		bool is_short = picture_short(b, level);

		if (open && is_short && picture_one_cell(&to->bar[to->n - 1], b, level))
			join(p, shelf, &to->bar[to->n - 1], b);
		else
			to->bar[to->n++] = *b;
		open = is_short;
	}
	to->first[shelf + 1] = to->n;
}

static void fill_reach(const struct picture *p, struct picture_level *l, struct arena *a)
{
	l->reach = NEW(a, l->n, nsec);
	for (uint32_t s = 0; s < p->nshelves; s++)
		for (uint32_t i = l->first[s]; i < l->first[s + 1]; i++)
			l->reach[i] = i > l->first[s] ? MAX_OF(l->reach[i - 1], l->bar[i].end)
						      : l->bar[i].end;
}

/* The coarsest level there is that is no coarser. */
static const struct picture_level *level_below(const struct picture *p, int level)
{
	const struct picture_level *below = p->level;

	for (int finer = 1; finer <= level; finer++)
		if (p->level[finer].bar)
			below = &p->level[finer];
	return below;
}

static void make_level(struct picture *p, int level)
{
	struct arena scratch = { 0 };
	struct picture_level *l = &p->level[level];
	const struct picture_level *below = level_below(p, level);
	struct picture_level wide = { .bar = NEW(&scratch, below->n, struct picture_bar),
				      .first = NEW(&p->arena, (size_t)p->nshelves + 1, uint32_t) };

	for (uint32_t s = 0; s < p->nshelves; s++)
		join_shelf(p, s, level, below, &wide);
	*l = wide;
	l->bar = NEW(&p->arena, (size_t)l->n + 1, struct picture_bar);
	memcpy(l->bar, wide.bar, l->n * sizeof(*l->bar));
	arena_free(&scratch);
}

const struct picture_level *picture_level(struct picture *p, int level)
{
	if (!p->level[level].bar)
		make_level(p, level);
	if (!p->level[level].reach)
		fill_reach(p, &p->level[level], &p->arena);
	return &p->level[level];
}

/* ---- A stretch of it ---- */

/* The first bar of the shelf that reaches to `at` or beyond. */
static uint32_t reaching(const struct picture_level *l, uint32_t shelf, nsec at)
{
	uint32_t lo = l->first[shelf], hi = l->first[shelf + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (l->reach[mid] < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first bar of the shelf that starts at `at` or later. */
static uint32_t starting(const struct picture_level *l, uint32_t shelf, nsec at)
{
	uint32_t lo = l->first[shelf], hi = l->first[shelf + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (l->bar[mid].start < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void cut_level(struct picture_cut *c, uint32_t nshelves, nsec start, nsec end)
{
	c->n = 0;
	for (uint32_t s = 0; s < nshelves; s++) {
		c->from[s] = reaching(c->l, s, start);
		c->to[s] = MAX_OF(starting(c->l, s, end), c->from[s]);
		c->n += c->to[s] - c->from[s];
	}
}

/* How many bars a level would have in the stretch that is cut out of a finer one. */
static uint32_t count_joined(const struct picture_cut *c, uint32_t nshelves, int level)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < nshelves; s++) {
		const struct picture_bar *block = NULL;
		for (uint32_t i = c->from[s]; i < c->to[s]; i++) {
			const struct picture_bar *b = &c->l->bar[i];
			bool is_short = picture_short(b, level);
			if (block && is_short && picture_one_cell(block, b, level))
				continue;
			block = is_short ? b : NULL;
			n++;
		}
	}
	return n;
}

struct picture_cut picture_cut(struct picture *p, nsec start, nsec end, int level, uint32_t most,
			       struct arena *a)
{
	struct picture_cut c = { .from = NEW(a, p->nshelves, uint32_t),
				 .to = NEW(a, p->nshelves, uint32_t) };
	int too_fine = level - 1, fits = PICTURE_LEVELS;

	for (int k = level; too_fine + 1 < fits; k = too_fine + (fits - too_fine) / 2) {
		c.l = picture_level(p, (int)(level_below(p, k) - p->level));
		cut_level(&c, p->nshelves, start, end);
		if (count_joined(&c, p->nshelves, k) <= most)
			fits = k;
		else
			too_fine = k;
	}
	c.level = fits;
	c.l = picture_level(p, fits);
	cut_level(&c, p->nshelves, start, end);
	return c;
}
