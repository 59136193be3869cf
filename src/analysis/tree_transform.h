/*
 * tree_transform.h - other stacks of those there are; samples follow theirs.
 *
 *	merge                 frames of the function disappear, their callees hang from its callers
 *	drop                  stacks with the function in them are left out
 *	focus                 stacks begin at the outermost such function; others are left out
 *	focus self            only what runs in the function itself
 *	collapse recursion    an inner call of a function is its outer one; all between disappears
 *	collapse direct       the same for a function that calls itself directly
 *	collapse subtree      what is below the function is charged to it
 *
 * Transforms compose: each works on the call tree that the one before it left.
 */
#ifndef ANALYSIS_TREE_TRANSFORM_H
#define ANALYSIS_TREE_TRANSFORM_H

#include "analysis/calltree.h"

/* `match` is 1 for each function that is meant; the call tree is replaced. */
void tree_transform(struct calltree *ct, enum lp_transform_kind kind, const uint8_t *match);

#endif
