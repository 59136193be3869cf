/*
 * longpole.h - the whole library.
 *
 *	open a trace -> ask a question -> get an answer (tables) -> write it
 *
 * Every question is one function; every answer is a struct lp_answer: a sentence,
 * what could change it, and tables. Options are passed by value and zero means the
 * default, so a call names what it changes:
 *
 *	struct lp_answer *a = lp_ops(tr, (struct lp_ops_options){ .no_comm = true }, &err);
 *
 * A function that can fail returns NULL or false and fills `err` with one whole
 * sentence. The library never prints and never exits, except when out of memory or
 * when one of its own accounting identities does not hold (a bug, reported as one).
 *
 * What a function returns by pointer is yours to close or free; what it points into
 * lives as long as the trace. Times are integer nanoseconds; times of an answer are
 * relative to the first event of the trace (lp_trace_base_ns).
 */
#ifndef LONGPOLE_H
#define LONGPOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LP_API __attribute__((visibility("default")))

struct lp_error {
	char text[512]; /* "trace.json: byte 12345: expected ',' or ']' after an event" */
};

/* ---- Tables: named columns over plain arrays ---- */

enum lp_type { LP_I64, LP_F64, LP_STR, LP_BOOL, LP_ROW };
enum lp_unit { LP_PLAIN, LP_COUNT, LP_NSEC, LP_BYTES, LP_PERCENT };

/* A missing value: LP_NULL in an i64 or bool column, NaN in an f64 one, NULL in a string one. */
#define LP_NULL INT64_MIN

enum lp_column_flag {
	LP_SUM = 1 << 0,      /* text: summed in the "+ N more" and "= total" rows */
	LP_DETAIL = 1 << 1,   /* not in text unless asked for by name */
	LP_LESSER = 1 << 2,   /* text: goes first when the terminal is narrow */
	LP_BAR = 1 << 3,      /* text: a percentage followed by a bar */
	LP_NAME = 1 << 4,     /* text: a name that may be shortened to fit */
	LP_TREE = 1 << 5,     /* text: indented by the row's depth, with guides */
	LP_DELTA = 1 << 6,    /* text: always signed; coloured red above, green below zero */
	LP_SAME = 1 << 7,     /* text: scaled by one unit with the column before it */
	LP_BARE = 1 << 8,     /* text: the header does not repeat the unit */
	LP_GROUP = 1 << 9,    /* text: not a column: heads a block for each run of equal values */
	LP_MEAN = 1 << 10,    /* text: the "=" row has the mean of the rows, not their sum */
	LP_DIMS = 1 << 11,    /* text: "[[16, 64], [], [64]]" shows as "16,64  64" */
	LP_PICTURE = 1 << 12, /* a picture of other columns: for people only, unless asked for */
};

struct lp_column {
	const char *name;  /* the CSV header and JSON key, unit included: "kernel_time_ns" */
	const char *title; /* the header in text, without unit: "GPU" gives "GPU ms"; or NULL */
	const char *help;  /* one line, shown by --columns and as a tooltip */
	enum lp_type type;
	enum lp_unit unit; /* text and page scale by it; CSV and JSON stay raw */
	unsigned flags;
	union {
		const int64_t *i64; /* LP_I64, LP_BOOL (0, 1 or LP_NULL) */
		const double *f64;
		const uint32_t
			*row; /* LP_ROW: a row of the table, UINT32_MAX none; NULL: its own */
		const char *const *str; /* UTF-8 or raw bytes; renderers mend what is invalid */
	} data;
};

struct lp_table {
	const char *name;
	uint32_t nrows, ncols;
	const struct lp_column *cols;
	const uint32_t *parent; /* NULL, or for each row the one it hangs from (UINT32_MAX: none) */
	/*
	 * Text: NULL, or for each row what the first text column says instead of the value
	 * (NULL: the value; "": the row is left out; "= ...": the row is a total, without a bar).
	 */
	const char *const *labels;
	const char *total; /* text: label of the "=" row, as in "GPU time"; NULL: "N rows" */
	const char *const *footer; /* text: further "=" lines, NULL-terminated; or NULL */
	/*
	 * NULL; or the rows come in runs, once: those that are there are one run (none at first),
	 * of which the first is row `first` of all. more() brings the next; false if there is none.
	 */
	bool (*more)(struct lp_table *t);
	void *source; /* where more() has them from */
	uint32_t first;
	bool whole;  /* text: never cut by --limit (a path); a "=" row only if `total` is given */
	bool detail; /* not shown to people unless asked for by name */
};

/* ---- Answers ---- */

struct lp_answer {
	const char *headline;      /* one sentence with the number that decides; or NULL */
	const char *const *doubts; /* what could change the answer, worst first; NULL-terminated */
	const char *const *next;   /* ready commands, "command\tpurpose"; NULL-terminated */
	struct lp_table *const *tables;
	uint32_t ntables;
	bool no; /* the answer is "no": check found errors, a gate failed, nothing to split */
};

LP_API const struct lp_table *lp_answer_table(const struct lp_answer *a, const char *name);
LP_API void lp_answer_free(struct lp_answer *a);

/* ---- Traces ---- */

struct lp_trace; /* columns of events, their strings, call trees and links */

struct lp_open_options {
	unsigned threads; /* 0: as many as there are processors */
	bool strict;      /* the first oddity is an error */
	bool again; /* slices will be written (lp_split): stdin is copied to a temporary file */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/* Reads a trace, plain or gzip, told by content; "-" is stdin. */
LP_API struct lp_trace *lp_open(const char *path, struct lp_open_options o, struct lp_error *err);
LP_API void lp_close(struct lp_trace *tr);
LP_API int64_t lp_trace_base_ns(const struct lp_trace *tr);

/* ---- Questions ---- */

/* A stretch of time, as `--window` has it: "step:N", "iteration:N", "1.2s..1.3s",
 * a name of an annotation; NULL or "" is the whole trace. */
typedef const char *lp_window;

/* What is in the file: window, devices, lanes, kinds, steps, oddities. */
LP_API struct lp_answer *lp_info(struct lp_trace *tr, struct lp_error *err);

/* Which rank each file is: of the files named and of those in the folders named. What is missing,
 * there twice, a recording of graph captures or no trace is said. */
LP_API struct lp_answer *lp_info_job(const char *const *paths, unsigned n, struct lp_open_options o,
				     struct lp_error *err);

/* Every rule of data quality with its count and first place; answer->no if there are errors. */
LP_API struct lp_answer *lp_check(struct lp_trace *tr, struct lp_error *err);

/* Which launch a GPU event belongs to: by correlation, else flow, else External id; or as TraceLens
 * has it. */
enum lp_link { LP_LINK_CORRELATION, LP_LINK_TRACELENS };

struct lp_timeline_options {
	bool linked; /* only work that TraceLens links to a launch */
	lp_window window;
};

/*
 * Busy, exposed and idle time, per device and over all. Within a device
 * computation + exposed communication + exposed copies + idle = total.
 */
LP_API struct lp_answer *lp_timeline(struct lp_trace *tr, struct lp_timeline_options o,
				     struct lp_error *err);

struct lp_kernels_options {
	enum lp_link link;
	lp_window window;
};

/* GPU time per kernel name, stream and owner. */
LP_API struct lp_answer *lp_kernels(struct lp_trace *tr, struct lp_kernels_options o,
				    struct lp_error *err);

enum lp_ops_by { LP_BY_ARGS, LP_BY_NAME, LP_BY_CATEGORY, LP_BY_MODULE };

struct lp_ops_options {
	enum lp_ops_by by;
	bool rows;    /* one row per occurrence */
	bool no_comm; /* leave communication out */
	enum lp_link link;
	lp_window window;
	/* What the GPU can do: a name (lp_archs), a JSON file; NULL: by the device in the trace. */
	const char *arch;
	const char *models; /* a file of formulas for operators; NULL: none */
};

/* One row per operator and arguments; every GPU event is owned by exactly one row. */
LP_API struct lp_answer *lp_ops(struct lp_trace *tr, struct lp_ops_options o, struct lp_error *err);

/* The GPUs that are known by name, one row each: bandwidth and peaks of the data sheets. */
LP_API struct lp_answer *lp_archs(void);

/*
 * Why the GPU had nothing to do: each gap is blamed on what the thread did meanwhile that
 * launched the work which ended it. Tables: idle_causes (sums per cause, together all idle
 * time), idle_gaps (longest first).
 */
LP_API struct lp_answer *lp_idle(struct lp_trace *tr, struct lp_error *err);

/*
 * What matters most in these answers to questions about one trace, in sentences. Nothing is
 * computed again: what an answer does not have (or one that is NULL) is not spoken of. Tables:
 * findings (longest first), trust (whether to believe them), missing (what cannot be shown, and
 * what would show it).
 */
LP_API struct lp_answer *lp_findings(struct lp_trace *tr, const struct lp_answer *const *answers,
				     unsigned n, struct lp_error *err);

/*
 * What the allocator of PyTorch says of its memory, per device. Tables: memory_peak (the most
 * that was allocated, and by whom), memory_ops (what each operator allocated and freed), memory
 * (each change). There are none of a trace without such events.
 */
LP_API struct lp_answer *lp_memory(struct lp_trace *tr, struct lp_error *err);

enum lp_report_style {
	LP_STYLE_LONGPOLE,
	LP_STYLE_TRACELENS, /* its sheets, columns and figures, for comparison */
};

struct lp_report_options {
	enum lp_report_style style;
	/* As in lp_ops_options; the sheets of TraceLens have a roofline only if it is given. */
	const char *arch;
	bool page; /* Longpole's: what the views of a page draw, too (see lp_picture) */
	/* What is below changes the sheets of TraceLens and nothing else. */
	bool recompute;        /* tell forward passes that run again (checkpointing) apart */
	bool unlinked;         /* gpu_timeline: GPU work without a launch, too */
	int64_t micro_idle_ns; /* gpu_timeline: shorter gaps are a line of their own; 0: none */
	bool first_occurrence; /* when each line of ops_unique_args began first */
	bool num_kernels;      /* lines also differ by the number of kernels */
	bool modules;          /* lines also differ by the nn.Module they run in */
	bool call_stack;       /* the Python stack of each line, and where it enters the operator */
	bool overlap;          /* sheet ops_unique_args_kl_overlap: what ran at the same time */
	bool no_collectives;   /* no coll_analysis */
	int64_t short_kernel_ns; /* short kernels are shorter than this; 0: 10 us */
	int64_t short_bins;      /* of short_kernel_histogram; 0: 100 */
	int64_t short_top;       /* lines of short_kernels_summary; 0: all */
	const char *models;      /* Longpole's: as in lp_ops_options */
};

/* Everything there is to say of a trace: the tables of all questions, or the sheets of TraceLens.
 */
LP_API struct lp_answer *lp_report(struct lp_trace *tr, struct lp_report_options o,
				   struct lp_error *err);

struct lp_compare_options {
	const char *const *names; /* of the reports; NULL: what tells their paths apart */
	unsigned nnames;
	enum lp_report_style style;  /* LP_STYLE_TRACELENS: its sheets, rows and order */
	const char *arch;            /* of traces: as in lp_ops_options */
	struct lp_open_options open; /* of traces */
};

/*
 * Reports side by side, each with the first: folders of CSV files, workbooks, traces. One table
 * per sheet (gpu_timeline, ops_summary, kernel_summary ...) with the differences, or three:
 * NAME_intersect_B, NAME_only_baseline_B and NAME_only_variant_B for each report B.
 */
LP_API struct lp_answer *lp_compare(const char *const *paths, unsigned n,
				    struct lp_compare_options o, struct lp_error *err);

struct lp_split_options {
	const char *out_dir;        /* slices and manifest go there; NULL: nothing is written */
	const char *iterations;     /* "all" (also NULL), "N" or "A:B" (half-open) */
	const char *const *markers; /* extended regular expressions for names of iterations */
	unsigned nmarkers;
	bool allow_degraded;   /* write slices though they explain only 75 % of the GPU time */
	bool steady;           /* only the steady state, in one file per window */
	unsigned steady_steps; /* how many iterations that is; 0: 32 */
	bool phases;           /* one file per run of iterations of one phase */
	bool llm_inference;   /* where no name tells prefill from decode, the sizes of batches do */
	unsigned max_num_seq; /* the largest batch of a decode; 0: found in the sizes */
	int64_t concurrency;  /* what the load generator was told, for steady; 0: not known */
	double output_tokens, range_ratio;
	unsigned threads; /* 0: as many as there are processors */
};

/*
 * Finds the iterations and writes one trace each. Tables: slices (one row per iteration,
 * and what lies before and after them), split (method and coverage), patterns (iterations
 * with equal kernels), steady. answer->no if there is nothing to split.
 */
LP_API struct lp_answer *lp_split(struct lp_trace *tr, struct lp_split_options o,
				  struct lp_error *err);

struct lp_steps_options {
	const char *const *markers;
	unsigned nmarkers;
};

/* One row per iteration: span, GPU busy and idle, exposed communication, launches, pattern. */
LP_API struct lp_answer *lp_steps(struct lp_trace *tr, struct lp_steps_options o,
				  struct lp_error *err);

enum lp_diff_align {
	LP_ALIGN_OPTIMAL,
	LP_ALIGN_TRACELENS, /* its alignment and its rules of merging, for comparison */
};

struct lp_diff_options {
	enum lp_diff_align align;
	bool python;        /* Python frames are nodes too */
	bool tree;          /* the merged tree as a table */
	bool compat_roots;  /* files only: the root that TraceLens lists twice */
	bool prune_non_gpu; /* files only: no roots without GPU work */
	/* Rules such as "gpu_time>2%,50us": answer->no if a change is over all limits of one. */
	const char *const *gates;
	unsigned ngates;
	const char *gate_file; /* more of them, one a line */
	lp_window window;      /* of both traces; not with LP_ALIGN_TRACELENS */
};

/*
 * Two traces as one call tree, and where the time changed. Tables: diff_summary,
 * diff_ops (by operator and inputs, matched through the tree), diff_points (where the
 * traces part), diff_kernels, diff_tree and gate if asked for. Both traces must outlive
 * the answer.
 */
LP_API struct lp_answer *lp_diff(struct lp_trace *before, struct lp_trace *after,
				 struct lp_diff_options o, struct lp_error *err);

/* The same as the six files that TraceLens's TraceDiff writes, into a folder. */
LP_API bool lp_diff_files(struct lp_trace *before, struct lp_trace *after, struct lp_diff_options o,
			  const char *folder, struct lp_error *err);

enum lp_path_model { LP_PATH_WALK, LP_PATH_HTA, LP_PATH_LONGEST };

struct lp_critical_path_options {
	enum lp_path_model model;
	const char *const *what_if; /* "kA=2x", "comm=0", "kA=2x kB=0" ...: one scenario each */
	unsigned nwhat_if;
	lp_window window;
};

/*
 * The chain of events that decides when the window ends, exact to the ns. Tables:
 * path_summary, window, path, path_lanes, path_events, what_if, slack, and with steps
 * steps_path and steps_path_summary. The other models have path_summary, window and path.
 */
LP_API struct lp_answer *lp_critical_path(struct lp_trace *tr, struct lp_critical_path_options o,
					  struct lp_error *err);

enum lp_path_picture {
	LP_PATH_MERMAID, /* a gantt of the longest segments */
	LP_PATH_FOLDED,  /* stacks of the time on the path, for flame graphs */
	LP_PATH_CHROME,  /* the trace itself with the path as a process of its own */
};

/* `gzip` for LP_PATH_CHROME: the file is to end with .gz. */
LP_API bool lp_critical_path_draw(struct lp_trace *tr, struct lp_critical_path_options o,
				  enum lp_path_picture p, bool gzip, FILE *out,
				  struct lp_error *err);

/* ---- Pictures: what a timeline draws ---- */

struct lp_picture; /* the bars of a trace, at every level of detail that has been asked for */

struct lp_picture_options {
	int64_t start_ns, end_ns; /* since the first event; both 0: all there is */
	/* Neighbours shorter than this, rounded up to 256, 1024, 4096 ..., are one block. */
	int64_t grain_ns;
	uint32_t max_events; /* a coarser grain if there were more rows; 0: 500000 */
};

/* The trace must outlive it. Opening costs as much as the critical path. */
LP_API struct lp_picture *lp_picture_open(struct lp_trace *tr, struct lp_error *err);
/*
 * Tables picture (the grain), picture_lanes, and picture_events: all rows that reach into the
 * stretch of time. A row is the same whatever stretch it is asked for in, so tiles of one grain
 * put together are the whole. It costs about as much as its rows.
 */
LP_API struct lp_answer *lp_picture_tile(struct lp_picture *p, struct lp_picture_options o,
					 struct lp_error *err);
LP_API void lp_picture_close(struct lp_picture *p);
/* The three in one. */
LP_API struct lp_answer *lp_picture(struct lp_trace *tr, struct lp_picture_options o,
				    struct lp_error *err);

/* ---- Writing ---- */

enum lp_format { LP_TEXT, LP_CSV, LP_JSON, LP_MD, LP_XLSX, LP_HTML };

struct lp_write_options {
	const char *table;   /* only this table */
	const char *columns; /* "a,b": only these, in this order */
	const char *sort;    /* descending for numbers, ascending for text; "-col" turns it round */
	int64_t limit;       /* rows in text, where alone tables are cut; 0: 20, negative: all */
	unsigned width;      /* of the terminal, in columns; 0: 100 */
	bool color, ascii, quiet; /* ANSI colours; no UTF-8; tables only */
};

LP_API bool lp_write(const struct lp_answer *a, enum lp_format f, struct lp_write_options o,
		     FILE *out, struct lp_error *err);

/* ---- Serving ---- */

struct lp_server; /* the page of one trace over HTTP, on 127.0.0.1 only */

struct lp_serve_options {
	uint16_t port; /* 0: any that is free */
	struct lp_report_options report;
};

/*
 * Serves the page of lp_report(), and to it the tiles and tree nodes it asks for, from a thread
 * of its own. The trace must outlive the server and must not be used meanwhile. Fails if
 * libmicrohttpd is not built in.
 */
LP_API struct lp_server *lp_serve(struct lp_trace *tr, struct lp_serve_options o,
				  struct lp_error *err);
/* The address; its token is all that a visitor needs. Lives as long as the server. */
LP_API const char *lp_server_url(const struct lp_server *s);
/* Hangs up on everybody. */
LP_API void lp_server_stop(struct lp_server *s);

/* "0.1.0 (isa-l, zlib, avx512)": version and what is built in. */
LP_API const char *lp_version(void);

#ifdef __cplusplus
}
#endif

#include "longpole_tree.h"

#endif
