/*
 * tlkernels.h - the kernels of a group of rows, in the two texts that sheets show.
 *
 * The first row that has kernels names them; durations are gathered position by position
 * over the rows with as many kernels.
 */
#ifndef ANALYSIS_TLKERNELS_H
#define ANALYSIS_TLKERNELS_H

#include "analysis/tlreport/tlreport.h"

struct tlkernels {
	const char *full, *trunc; /* NULL if no row has kernels */
};

/* The work of the row that names them, in the order of the texts; in the scratch arena. */
struct tlwork tlkernels_sorted(struct tlreport *r, const struct tlwork *row, uint32_t n);
/* A name cut to 64 characters and "...". */
struct str tlkernels_cut(struct tlreport *r, struct str name);
struct tlkernels tlkernels_text(struct tlreport *r, const struct tlwork *row, uint32_t n);

#endif
