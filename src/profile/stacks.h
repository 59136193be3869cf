/*
 * stacks.h - a set of call stacks as a tree: each is its caller's stack and a function.
 *
 * While it grows, callers come before their callees. stacks_sort() makes it canonical: two
 * stacks with the same functions are the same row, and rows are in preorder, siblings by
 * function id; from then on for every stack s
 *
 *	prefix[s] < s < end[s]    and    the stacks below s are s+1 .. end[s]-1,
 *
 * and a row is what the literature calls a call node index.
 */
#ifndef PROFILE_STACKS_H
#define PROFILE_STACKS_H

#include "base/base.h"

typedef uint32_t stack_id; /* row of struct stacks */
typedef uint32_t func_id;  /* row of struct functions */

struct stacks {
	uint32_t n, cap;
	stack_id *prefix; /* the caller's stack; NONE for a root */
	func_id *func;
	stack_id *end;   /* NULL until sorted */
	uint32_t *slots; /* row + 1 by hash; NULL when nothing more is to be added */
	uint32_t nslots; /* a power of two */
};

/* Makes room for n rows at once. */
void stacks_reserve(struct stacks *st, uint32_t n);
/* The row of `func` called from `prefix` (NONE: called by nobody). */
stack_id stacks_add(struct stacks *st, stack_id prefix, func_id func);
/* The same, NONE if it is not there; in sorted stacks. */
stack_id stacks_find(const struct stacks *st, stack_id prefix, func_id func);
/*
 * Sorts, makes equal rows one (there are none but what was put into the columns without
 * stacks_add()), and forgets the hash; returns the new row of each old one, which the caller frees.
 */
stack_id *stacks_sort(struct stacks *st, uint32_t nfuncs);
void stacks_free(struct stacks *st);

#endif
