/*
 * tree_pattern.h - which functions a user means.
 *
 * A pattern is the exact name of a function, or else an extended regular expression to
 * be found in it. A search is a list of terms, all of which some function of a stack must
 * match: a text without regard to case (in name or file), or /a regular expression/.
 */
#ifndef ANALYSIS_TREE_PATTERN_H
#define ANALYSIS_TREE_PATTERN_H

#include "analysis/calltree.h"

/* 1 per function that matches, the caller's to free; NULL if it is no expression, or none does. */
uint8_t *pattern_functions(const struct profile *p, const char *pattern, struct lp_error *err);
/* The one function of that name or that matches; several or none are an error. */
bool pattern_function(const struct profile *p, const char *pattern, func_id *out,
		      struct lp_error *err);
/* 1 per stack that has all terms ("a,b" are two), the caller's to free; NULL for a bad expression.
 */
uint8_t *pattern_search(const struct calltree *ct, const char *const *terms, unsigned n,
			struct lp_error *err);

#endif
