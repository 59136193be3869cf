/* tracediff_files.h - the six files of the original in a folder. */
#ifndef ANALYSIS_TRACEDIFF_FILES_H
#define ANALYSIS_TRACEDIFF_FILES_H

#include "analysis/tracediff.h"
#include "base/error.h"

/* Makes the folder if it is not there. A file appears when it is whole. */
bool tracediff_write_files(const struct diff_sides *d, const struct tracediff_merged *m,
			   bool prune_non_gpu, const char *folder, struct lp_error *err);

#endif
