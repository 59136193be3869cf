/*
 * tracediff_stats.h - the tables of the original, as texts in its own form.
 *
 * A row is one GPU event that is only in one trace, or that is matched; with the lowest
 * common ancestor it was found under. Cells are what pandas writes: Python's repr of
 * lists, shortest doubles.
 */
#ifndef ANALYSIS_TRACEDIFF_STATS_H
#define ANALYSIS_TRACEDIFF_STATS_H

#include "analysis/tracediff.h"

enum stats_column {
	STATS_NAME,
	STATS_OP,
	STATS_OP_UID,
	STATS_SOURCE,
	STATS_DIMS,
	STATS_STRIDES,
	STATS_TYPE,
	STATS_CONCRETE,
	STATS_KERNEL_TIME,
	STATS_BUSY,
	STATS_LCA_NAME,
	STATS_LCA_ID,
	STATS_GPU_UID,
	STATS_MODULES,
	STATS_MODULE,
	STATS_COLUMNS
};

extern const char *const stats_columns[STATS_COLUMNS];

struct stats_row {
	uint8_t side;
	uint32_t gpu, op; /* nodes of the side */
	uint32_t lca;     /* merged node; NONE */
	double time, busy;
	struct str cell[STATS_COLUMNS]; /* p NULL: missing */
};

struct stats {
	uint32_t n;
	struct stats_row *row;
	bool identical; /* both traces have the same rows: those of the second are not listed */
	bool whole;     /* all times are whole microseconds: numbers without a point */
	struct arena arena;
};

struct stats stats_new(const struct diff_sides *d, const struct tracediff_merged *m);
void stats_free(struct stats *s);
bool stats_write(const struct stats *s, FILE *out);

/* A group of equal rows: all cells but its own time, its ancestor's id and its own number. */
struct stats_group {
	uint32_t first; /* row */
	uint32_t count;
	double mean, sum;
	struct str op, module; /* as the summary shows them */
};

struct stats_groups {
	uint32_t n;
	struct stats_group *at; /* in the order of the summary */
};

struct stats_groups stats_group(struct stats *s);
bool stats_write_groups(const struct stats *s, const struct stats_groups *g, FILE *out);

/* Gives the operators of both traces common names, where they have any, in the groups. */
void stats_rename(struct stats *s, struct stats_groups *g);
/* Operator -> kernels of one trace; and of both, after stats_rename. */
bool stats_write_map(const struct stats *s, int side, FILE *out);
bool stats_write_maps(const struct stats *s, const struct stats_groups *g, FILE *out);

/* A double as Python prints it. */
struct str stats_number(struct arena *a, double v, bool whole);
/* JSON as Python's repr of it, lists as tuples; {NULL, 0} stays. */
struct str stats_repr(struct arena *a, struct str json);
/* Comma-separated, quoted where it must be. */
struct out;
void stats_cell(struct out *o, struct str s, bool last);

#endif
