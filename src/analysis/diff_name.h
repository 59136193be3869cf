/*
 * diff_name.h - names of both traces, so that equal things have equal numbers.
 *
 * A name is normalised (addresses and line numbers off, launch calls of the vendors made
 * one) and numbered over both traces. After diff_names_rank() the numbers follow the
 * bytes of the names, so they do not depend on which trace came first.
 */
#ifndef ANALYSIS_DIFF_NAME_H
#define ANALYSIS_DIFF_NAME_H

#include "base/intern.h"

enum diff_style {
	DIFF_OPTIMAL,
	DIFF_TRACELENS, /* the original's rules, byte for byte */
};

struct diff_names {
	enum diff_style style;
	struct strings strings; /* in order of appearance, until ranked */
	struct arena arena;

	/* by rank */
	uint32_t n;
	uint32_t *rank; /* of each string; only until the nodes have been renumbered */
	struct str *text;
	uint64_t *hash; /* of the text */
	uint32_t *bare; /* the name without details; itself if there are none */
};

/* The number of a raw name, as of its first appearance. */
uint32_t diff_names_add(struct diff_names *names, struct str raw);
void diff_names_rank(struct diff_names *names);
void diff_names_free(struct diff_names *names);

/* "0x7f3a" to "0xXXXX", ".py(12):" to ".py:"; the text itself if nothing changes. */
struct str diff_normal(struct str raw, struct arena *a);
/* A last ": detail" off; of a path that ends in ".py" only the file stays. */
struct str diff_bare(struct str normal);

#endif
