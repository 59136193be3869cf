/*
 * tree_rows.h - rows of a tree in preorder, until they become the columns of a table.
 *
 * They are kept in pieces that are given back one by one, so that a table of millions of
 * rows is not in memory twice.
 */
#ifndef ANALYSIS_TREE_ROWS_H
#define ANALYSIS_TREE_ROWS_H

#include "analysis/tree_view.h"

#define ROWS_PIECE 16384

struct rows_piece {
	struct rows_piece *next;
	uint32_t n;
	uint32_t parent[ROWS_PIECE]; /* row; NONE for a root */
	func_id func[ROWS_PIECE];
	struct call_pair *pair;   /* NULL: not wanted */
	int64_t *total[MEASURES]; /* NULL: not measured */
};

struct tree_rows {
	bool pairs; /* are wanted */
	uint32_t n;
	struct rows_piece *first, *last;
	uint32_t roots_left; /* of the view, not among the rows */
	int64_t left_total;  /* of those */
	uint32_t passed;     /* nodes left out because they only pass on */
	bool cut;            /* by the limit of nodes */
};

/* Appends a node of the view; returns its row. */
uint32_t tree_rows_add(struct tree_rows *r, const struct tree_view *v, uint32_t node,
		       uint32_t parent);
/* Forgets the rows, not their numbers: the next ones take their room. */
void tree_rows_reuse(struct tree_rows *r);
/* Gives the first piece back. */
void tree_rows_shift(struct tree_rows *r);
void tree_rows_free(struct tree_rows *r);

#endif
