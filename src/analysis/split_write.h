/*
 * split_write.h - slices, manifest and details as files of a folder.
 *
 * A unit is what becomes one file: one iteration, the work before or after them all, or a
 * run of iterations (a steady window, a phase).
 */
#ifndef ANALYSIS_SPLIT_WRITE_H
#define ANALYSIS_SPLIT_WRITE_H

#include "analysis/split_table.h"

struct unit {
	uint32_t first, end; /* slices; the prologue is n, the epilogue n + 1 */
	const char *file;    /* name within the folder */
	const char *label;
};

struct units {
	uint32_t n;
	struct unit *at;
	bool all; /* together they are the whole trace */
};

/* False if `iterations` is no range of the trace's iterations. */
bool split_units(const struct split_result *r, struct lp_split_options o, struct arena *a,
		 struct units *out, struct lp_error *err);
/* The base of all file names: that of the trace without its endings, short and safe. */
const char *split_base_name(const struct trace *tr, struct arena *a);

struct split_files {
	uint64_t gpu_events; /* in the written slices */
	uint64_t clipped, copies;
	bool aborted; /* only the manifest was written */
};

/* Writes slices (unless `aborted`), split_manifest.json and execution_details.{json,csv}. */
bool split_write(const struct split_result *r, const struct units *u, struct lp_split_options o,
		 struct split_files *done, struct lp_error *err);

/* The two JSON files and the CSV; `paths` are those of the units. */
bool split_write_manifest(const char *dir, const struct split_result *r, const struct units *u,
			  const struct split_files *f, struct lp_error *err);
bool split_write_details(const char *dir, const struct split_result *r, const struct units *u,
			 struct lp_error *err);

#endif
