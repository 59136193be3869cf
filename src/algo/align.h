/*
 * align.h - two lists of names side by side: what stays, what goes, what comes.
 *
 * Names are numbers; equal numbers are equal names. An alignment never crosses: the
 * partners of rising places rise.
 */
#ifndef ALGO_ALIGN_H
#define ALGO_ALIGN_H

#include "base/arena.h"

/*
 * The fewest deletions + insertions. Fills partner[0..n): the place in b, or NONE;
 * gives the number of matches. Which of several best ones is a rule (align.c), and
 * the same whichever list is called a. Exact while n * m <= ALIGN_EXACT, or while the
 * lists differ in at most ALIGN_NEAR places, or while no name repeats.
 */
uint32_t align_optimal(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
		       uint32_t *partner, struct arena *scratch);

#define ALIGN_NEAR  1024
#define ALIGN_EXACT ((uint64_t)1 << 34)

struct align_op {
	uint32_t a, b; /* both: a match; else NONE: a deletion of a or an insertion of b */
};

/*
 * Wagner-Fischer with substitution at cost 1 in the table but none in the way back, as
 * TraceLens does it: can miss matches. Fills ops (room for n + m), gives their number.
 */
uint32_t align_tracelens(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
			 struct align_op *ops, struct arena *scratch);

#endif
