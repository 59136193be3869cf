/* compare_match.h - the keys of rows, as numbers that are equal where the keys are. */
#ifndef ANALYSIS_COMPARE_MATCH_H
#define ANALYSIS_COMPARE_MATCH_H

#include "analysis/compare/compare.h"

/* The columns that make a key; of numbers all that counts is their value. */
struct match_keys {
	uint32_t n;
	const char **name;
	bool *number;
};

/* The number of each row's key, for a side that has the sheet. */
uint32_t *match_rows(struct compare *c, const struct compare_sheet *s, uint32_t side,
		     const struct match_keys *k, struct strings *ids);

/* Fills the lines of the sheet; false if there would be too many. */
bool match_join(struct compare *c, struct compare_sheet *s, const struct match_keys *k,
		struct lp_error *err);

/* A column of ids with room for n. */
static inline uint32_t *match_ids(struct column *c, size_t n)
{
	column_reserve(c, n * sizeof(uint32_t));
	return c->at;
}

#endif
